#pragma once

#include <string>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi {

/// The unit that an argument gives, as text.
/// \param unit  value of the argument
/// \param component  caption of the component, for messages
/// \param argument  key of the argument, for messages
/// \returns `unit`
/// \throws UnitError  the text is no unit; the message names the argument
inline const std::string& ArgumentUnit(const std::string& unit, const std::string& component, const char* argument) {
  try {
    Unit::Parse(unit);
  } catch (const UnitError& error) {
    throw UnitError({.component = component, .item = argument}, error.Problem(), error.Remedy());
  }
  return unit;
}

}  // namespace openmi
