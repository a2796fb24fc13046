#include "composition/link/Variables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace openmi {

// `${name:text}` stands for the text if the name has no value.
std::string Substitute(std::string_view text, const Variables& variables, const Where& where, Problems& problems) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = text.find("${", at);
    if (begin == std::string_view::npos) break;
    if (begin > at && text[begin - 1] == '$') {
      result.append(text.substr(at, begin - 1 - at)).append("${");
      at = begin + 2;
      continue;
    }
    const std::size_t end = text.find('}', begin);
    if (end == std::string_view::npos) {
      AddError(problems, where, fmt::format("expected '}}' after '${{', found {}", Quoted(text.substr(begin))),
               "write $${ for the two characters themselves");
      break;
    }
    const std::string_view inside = text.substr(begin + 2, end - begin - 2);
    const std::size_t colon = inside.find(':');
    const std::string_view name = inside.substr(0, colon);
    result.append(text.substr(at, begin - at));
    if (const auto found = variables.find(name); found != variables.end()) {
      result.append(found->second);
    } else if (colon != std::string_view::npos) {
      result.append(inside.substr(colon + 1));
    } else {
      AddError(problems, where, fmt::format("expected a value for the variable {}, found none", Quoted(name)),
               fmt::format("give it on the command line: --set {}=VALUE", name));
    }
    at = end + 1;
  }
  if (at < text.size()) result.append(text.substr(at));
  return result;
}

std::string AsItIs(std::string_view text) {
  std::string written;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "${") written += '$';
    written += text[i];
  }
  return written;
}

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

std::string BesideFile(const std::filesystem::path& folder, const std::string& value) {
  constexpr std::size_t kLongestPath = 1024;  // longer values, and those with several lines, are texts
  const std::filesystem::path path(value);
  if (value.empty() || value.size() > kLongestPath || path.is_absolute() || value.find('\n') != std::string::npos) {
    return value;
  }
  std::error_code error;
  const std::filesystem::path here = folder / path;
  return std::filesystem::is_regular_file(here, error)
             ? std::filesystem::absolute(here, error).lexically_normal().string()
             : value;
}

}  // namespace openmi
