#include "composition/link/Variables.hpp"

#include <fmt/format.h>

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

}  // namespace openmi
