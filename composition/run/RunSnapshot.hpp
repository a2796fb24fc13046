#pragma once

#include <map>
#include <string>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/record/RunWatch.hpp"
#include "composition/run/RunLoop.hpp"
#include "composition/state/Checkpoint.hpp"

namespace openmi {

/// The identity of a composition with its present arguments and code.
/// \param composition  loaded
/// \param mode         in force
RunIdentity IdentityOf(const Composition& composition, RunMode mode);

/// The arguments that were changed during the run (Instance::changed), by component id, without secrets.
std::map<std::string, std::vector<OmiArgument>> ChangedArguments(const Composition& composition);

/// Writes the states of the components and of the engine's own objects into `checkpoint`. To be called between two
/// passes.
/// \throws Error  a component's own
void CaptureRun(Checkpoint& checkpoint, Composition& composition, const RunWatch& watch, const RunLoop& loop);

/// Goes back to the states of a checkpoint.
///
/// A component that kept no state starts at the time of the checkpoint if its `start-time` says so; otherwise it is
/// updated until it reaches that time.
/// \param composition  prepared, or has run
/// \param watch        of this composition
/// \param loop         of this composition
/// \throws FormatError  a part does not fit the composition
/// \throws Error        a component's own
void RestoreRun(const Checkpoint& checkpoint, Composition& composition, RunWatch& watch, RunLoop& loop);

/// Converts the recorded series of a run that writes no results to bytes.
Bytes PackSeriesRows(const RunRecord& record);
/// Converts the bytes of PackSeriesRows back.
void UnpackSeriesRows(ByteView bytes, RunRecord& record);

}  // namespace openmi
