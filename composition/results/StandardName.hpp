#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// A name of the CF standard name table, and the quantities that certainly are what it names.
struct StandardName {
  const char* name;
  const char* unit;                        ///< the canonical unit of the table
  std::vector<std::string_view> captions;  ///< in small letters, words between blanks
};

/// All names that results may have.
///
/// Source: CF standard name table, version 83.
std::span<const StandardName> StandardNames();

/// The CF standard name of a quantity; empty unless both its caption and the dimension of its unit leave no doubt.
/// \param quantity  "discharge", or a name of the table itself: "air_temperature"
/// \param unit      as `Unit::Parse` reads it
std::string StandardNameOf(std::string_view quantity, const std::string& unit);

}  // namespace openmi
