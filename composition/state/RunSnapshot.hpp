#pragma once

#include "composition/run/Composition.hpp"
#include "composition/run/RunLoop.hpp"
#include "composition/run/RunWatch.hpp"
#include "composition/state/Checkpoint.hpp"

namespace openmi {

/// Writes the states of the components and of everything on the host's side into `checkpoint`. Between two passes.
/// \throws Error  a component's own
void CaptureRun(Checkpoint& checkpoint, Composition& composition, const RunWatch& watch, const RunLoop& loop);

/// Goes back to them. The composition is prepared, or has run; `watch` and `loop` are made of it.
///
/// A component that kept none begins at the checkpoint by itself where its `start-time` says so; any other is updated
/// until it is there.
/// \throws FormatError  a part does not fit the composition
/// \throws Error        a component's own
void RestoreRun(const Checkpoint& checkpoint, Composition& composition, RunWatch& watch, RunLoop& loop);

/// The recorded series of a run that writes no results, as bytes and back.
std::vector<std::byte> PackSeriesRows(const RunRecord& record);
void UnpackSeriesRows(std::span<const std::byte> bytes, RunRecord& record);

}  // namespace openmi
