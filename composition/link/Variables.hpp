#pragma once

#include <map>
#include <string>
#include <string_view>

#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Values for the `${name}` of a composition, given by the user who runs it.
using Variables = std::map<std::string, std::string, std::less<>>;

/// Replaces each `${name}` in `text`; `$${` stands for `${` itself. The inserted text is not searched again.
/// \param where     for messages
/// \param problems  receives an error for each name without a value
std::string Substitute(std::string_view text, const Variables& variables, const Where& where, Problems& problems);

/// Writes `text` so that Substitute returns it unchanged: no `${name}` in it is replaced.
std::string AsItIs(std::string_view text);

}  // namespace openmi
