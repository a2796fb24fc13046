#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Error.hpp"
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

/// The argument that an error of a component is about, among those that a file sets: the one that the error names, else
/// the one whose value is the file that the error names. Null: none of them.
/// \param folder  relative values start at this folder
const OmiArgument* GivenArgument(const Error& error, std::span<const OmiArgument> given,
                                 const std::filesystem::path& folder);

/// The value of an argument that was written in a file, with a relative path made whole.
///
/// \returns the whole path, if `value` is the relative path of a file that exists in `folder`; else `value`
std::string BesideFile(const std::filesystem::path& folder, const std::string& value);

}  // namespace openmi
