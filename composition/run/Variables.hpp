#pragma once

#include <map>
#include <string>
#include <string_view>

#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Values that a composition leaves open as `${name}`, given by whoever runs it.
using Variables = std::map<std::string, std::string, std::less<>>;

/// `text` with each `${name}` replaced; `$${` stands for `${` itself. What is put in is not searched again.
/// \param where     for messages
/// \param problems  receives an error for each name that has no value
std::string Substitute(std::string_view text, const Variables& variables, const Where& where, Problems& problems);

/// How a text of others is written that Substitute is to give back as it is: no `${name}` in it reads a variable.
std::string AsItIs(std::string_view text);

}  // namespace openmi
