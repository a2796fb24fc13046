#include "composition/run/GivenArgument.hpp"

#include <algorithm>

namespace openmi {
namespace {

/// The last text in quotes, without them.
std::string QuotedLast(const std::string& sentence) {
  const std::size_t end = sentence.rfind('\'');
  const std::size_t begin = end == std::string::npos || end == 0 ? end : sentence.rfind('\'', end - 1);
  return begin == std::string::npos || begin == end ? std::string() : sentence.substr(begin + 1, end - begin - 1);
}

}  // namespace

const OmiArgument* GivenArgument(const Error& error, std::span<const OmiArgument> given,
                                 const std::filesystem::path& folder) {
  const Where& where = error.Place();
  // From the end: of several with one key the last one counts.
  const auto none = given.rend();
  const auto named = std::ranges::find(given.rbegin(), none, where.item, &OmiArgument::key);
  if (named != none) return &*named;
  if (where.file.empty() && dynamic_cast<const UnitError*>(&error) != nullptr) {
    // A text that is no unit: the argument that holds it, alone or within.
    const std::string unit = QuotedLast(error.Problem());
    if (unit.empty()) return nullptr;
    const auto same = std::ranges::find(given.rbegin(), none, unit, &OmiArgument::value);
    if (same != none) return &*same;
    const auto within = std::ranges::find_if(given.rbegin(), none, [&unit](const OmiArgument& argument) {
      return argument.value.find(unit) != std::string::npos;
    });
    return within != none ? &*within : nullptr;
  }
  if (where.file.empty()) return nullptr;
  const std::filesystem::path file = std::filesystem::path(where.file).lexically_normal();
  const auto by_file = std::ranges::find_if(given.rbegin(), none, [&](const OmiArgument& argument) {
    return !argument.value.empty() &&
           (argument.value == where.file || (folder / argument.value).lexically_normal() == file);
  });
  return by_file != none ? &*by_file : nullptr;
}

}  // namespace openmi
