#include "bmi-bridge/component/BmiArguments.hpp"

#include <fmt/format.h>

#include <utility>

#include "openmi/sdk/Lists.hpp"

namespace openmi::bmi {

std::vector<std::string> ListOf(std::string_view text) {
  return Split(text, ";\n");
}

std::map<std::string, std::string> PairsOf(std::string_view text, const Where& place) {
  std::map<std::string, std::string> pairs;
  for (const std::string& entry : ListOf(text)) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw ArgumentError(place, fmt::format("expected name=value, found '{}'", entry), "put '=' between the two");
    }
    auto [name, value] = PairAt(entry, equals);
    pairs[std::move(name)] = std::move(value);
  }
  return pairs;
}

}  // namespace openmi::bmi
