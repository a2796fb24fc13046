#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace openmi::bmi {

/// The names between semicolons or line ends, without blanks around them; empty ones are left out. (Commas and blanks
/// may be part of a name.)
std::vector<std::string> ListOf(std::string_view text);

/// "name=value" between semicolons.
/// \param argument  for messages: its id
/// \throws ArgumentError  an entry has no '='
std::map<std::string, std::string> PairsOf(std::string_view text, const std::string& component,
                                           const std::string& argument);

}  // namespace openmi::bmi
