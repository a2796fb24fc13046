#include "composition/run/GivenArgument.hpp"

#include <algorithm>
#include <ranges>

namespace openmi {

const OmiArgument* GivenArgument(const Error& error, std::span<const OmiArgument> given,
                                 const std::filesystem::path& folder) {
  const Where& where = error.Place();
  const auto last_first = std::views::reverse(given);  // of several with one key the last one counts
  const auto named = std::ranges::find(last_first, where.item, &OmiArgument::key);
  if (named != last_first.end()) return &*named;
  if (where.file.empty()) return nullptr;
  const std::filesystem::path file = std::filesystem::path(where.file).lexically_normal();
  const auto by_file = std::ranges::find_if(last_first, [&](const OmiArgument& argument) {
    return !argument.value.empty() &&
           (argument.value == where.file || (folder / argument.value).lexically_normal() == file);
  });
  return by_file != last_first.end() ? &*by_file : nullptr;
}

}  // namespace openmi
