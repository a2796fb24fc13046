#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace openmi::bmi {

/// The names between semicolons or line ends, without spaces around them; empty ones are omitted.
///
/// Commas and spaces may be part of a name.
std::vector<std::string> ListOf(std::string_view text);

/// The entries "name=value" between semicolons.
/// \param component  caption of the component, for messages
/// \param argument   id of the argument, for messages
/// \throws ArgumentError  an entry has no '=', or no name before it
std::map<std::string, std::string> PairsOf(std::string_view text, const std::string& component,
                                           const std::string& argument);

}  // namespace openmi::bmi
