#pragma once

#include "openmi/sdk/Problem.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// Initializes a component by itself. Arguments that only a composition gives (files, times) may be missing then: what
/// it throws becomes a warning, placed at `where` if it names no file of its own.
void TryInitialize(IBaseLinkableComponent& component, const Where& where, Problems& problems);

}  // namespace openmi
