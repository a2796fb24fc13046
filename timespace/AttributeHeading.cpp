#include "timespace/AttributeHeading.hpp"

#include <string_view>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi {

ElementAttribute AttributeNamed(const std::string& heading) {
  if (heading == "area") return {heading, "m2", {}};
  if (heading == "areasqkm") return {heading, "km2", {}};
  const bool is_round = heading.ends_with(')');
  if (!is_round && !heading.ends_with(']')) return {heading, "1", {}};
  const std::size_t open = heading.rfind(is_round ? '(' : '[');
  if (open == std::string::npos) return {heading, "1", {}};
  const std::string name(Trimmed(std::string_view(heading).substr(0, open)));
  const std::string unit(Trimmed(std::string_view(heading).substr(open + 1, heading.size() - open - 2)));
  try {
    Unit::Parse(unit);
    if (!name.empty() && !unit.empty()) return {name, unit, {}};
  } catch (const UnitError&) {  // the brackets are part of the name
  }
  return {heading, "1", {}};
}

}  // namespace openmi
