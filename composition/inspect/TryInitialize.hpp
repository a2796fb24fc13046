#pragma once

#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// Initializes a component by itself. What it throws about an argument that the OMI file gives is an error, at the line
/// of that argument. Arguments that only a composition gives (files, times) may be missing: anything else is a warning,
/// placed at the OMI file if it names no file of its own.
void TryInitialize(IBaseLinkableComponent& component, const OmiFile& omi, Problems& problems);

}  // namespace openmi
