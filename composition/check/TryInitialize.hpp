#pragma once

#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// Initializes a component alone and adds what fails to `problems`.
///
/// An exception about an argument that the OMI file gives is an error, placed at the line of that argument. Arguments
/// that only a composition gives (files, times) may be missing, so anything else is a warning. It is placed at the OMI
/// file if it names no other file.
void TryInitialize(IBaseLinkableComponent& component, const OmiFile& omi, Problems& problems);

}  // namespace openmi
