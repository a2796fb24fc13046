#pragma once

namespace openmi {

class Composition;

/// Prepares each component of a composition, providers first, with the initial values that its links give
/// (InitialValues). Restores its initial state where the composition file names one.
/// \param composition  checked without errors
/// \param resuming     states of a checkpoint will be restored right after this call: initial states are not restored
/// \throws Error  the component's own; an initial state that does not fit
void PrepareComponents(Composition& composition, bool resuming = false);

}  // namespace openmi
