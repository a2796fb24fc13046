#pragma once

#include <string>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi {

/// The text of a unit that an argument gives.
/// \param component  caption of the component
/// \param argument   key of the argument
/// \returns `unit`
/// \throws UnitError  it is no unit; names the argument
inline const std::string& ArgumentUnit(const std::string& unit, const std::string& component, const char* argument) {
  try {
    Unit::Parse(unit);
  } catch (const UnitError& error) {
    throw UnitError({.component = component, .item = argument}, error.Problem(), error.Remedy());
  }
  return unit;
}

}  // namespace openmi
