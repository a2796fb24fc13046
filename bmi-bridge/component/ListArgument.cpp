#include "bmi-bridge/component/ListArgument.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi::bmi {
std::vector<std::string> ListOf(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(";\n");
    if (const std::string_view name = Trimmed(text.substr(0, end)); !name.empty()) names.emplace_back(name);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return names;
}

std::map<std::string, std::string> PairsOf(std::string_view text, const std::string& component,
                                           const std::string& argument) {
  std::map<std::string, std::string> pairs;
  for (const std::string& entry : ListOf(text)) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw ArgumentError({.component = component, .item = argument},
                          fmt::format("expected name=value, found '{}'", entry), "put '=' between the two");
    }
    pairs[std::string(Trimmed(std::string_view(entry).substr(0, equals)))] =
        std::string(Trimmed(std::string_view(entry).substr(equals + 1)));
  }
  return pairs;
}

}  // namespace openmi::bmi
