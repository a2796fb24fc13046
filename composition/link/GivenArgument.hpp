#pragma once

#include <filesystem>
#include <span>

#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

/// The argument that an error of a component is about, among those that a file sets: the one that the error names, else
/// the one whose value is the file that the error names. Null: none of them.
/// \param folder  relative values start at this folder
const OmiArgument* GivenArgument(const Error& error, std::span<const OmiArgument> given,
                                 const std::filesystem::path& folder);

}  // namespace openmi
