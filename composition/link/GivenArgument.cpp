#include "composition/link/GivenArgument.hpp"

#include <algorithm>

namespace openmi {
const OmiArgument* GivenArgument(const Error& error, std::span<const OmiArgument> given,
                                 const std::filesystem::path& folder) {
  const Where& where = error.Place();
  // From the end: of several arguments with one key, the last one counts.
  const auto none = given.rend();
  const auto named = std::ranges::find(given.rbegin(), none, where.item, &OmiArgument::key);
  if (named != none) return &*named;
  if (where.file.empty()) return nullptr;
  const std::filesystem::path file = std::filesystem::path(where.file).lexically_normal();
  const auto by_file = std::ranges::find_if(given.rbegin(), none, [&](const OmiArgument& argument) {
    return !argument.value.empty() &&
           (argument.value == where.file || (folder / argument.value).lexically_normal() == file);
  });
  return by_file != none ? &*by_file : nullptr;
}

}  // namespace openmi
