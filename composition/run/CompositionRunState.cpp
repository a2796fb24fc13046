// The part of CompositionRun that keeps states in memory.

#include "composition/run/CompositionRun.hpp"
#include "composition/run/RunCheckpoints.hpp"
#include "composition/state/RunSnapshot.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

Checkpoint CompositionRun::SaveState() {
  const Where place{.file = composition_.File().path.string()};
  if (loop_ == nullptr || phase_ == Phase::Ended) {
    throw StateError(place, "expected a run under way, for its state, found none", "call Begin");
  }
  Checkpoint state;
  state.time_mjd = loop_->CurrentTime().mjd;
  state.passes = record_.passes;
  CaptureRun(state, composition_, *watch_, *loop_);
  if (!state.without_state.empty()) {
    throw StateError({.file = place.file, .component = state.without_state.front()},
                     "expected components that keep their state, found one that does not",
                     "a run with such a component can be stepped, but not taken back");
  }
  state.series = PackSeriesRows(record_);
  return state;
}

void CompositionRun::RestoreState(const Checkpoint& state) {
  const Where place{.file = composition_.File().path.string()};
  if (loop_ == nullptr || phase_ == Phase::Ended) {
    throw StateError(place, "expected a run under way, to restore a state, found none", "call Begin");
  }
  if (files_ != nullptr) {
    throw StateError(place, "expected a run that writes no results, to go back in time, found one that does",
                     "switch results and report off for a run that is to be taken back");
  }
  watch_->SetDeaf(true);  // nobody is to hear of rows on the way there
  try {
    RestoreRun(state, composition_, *watch_, *loop_);
  } catch (...) {
    watch_->SetDeaf(false);
    throw;
  }
  watch_->SetDeaf(false);
  UnpackSeriesRows(state.series, record_);
  record_.passes = state.passes;
  passes_ = state.passes;
  record_.reached_mjd = std::min(state.time_mjd, run_.to_mjd);
  record_.is_complete = false;
  now_mjd_ = record_.reached_mjd;
  if (pace_) pace_ = std::make_unique<Pace>(*run_.pace, loop_->CurrentTime(), Clock::now());
  phase_ = Phase::Going;
}

std::vector<std::byte> CompositionRun::SerializeState(const Checkpoint& state) const {
  Checkpoint whole = state;
  whole.identity = RunIdentity::Of(composition_, record_.mode);
  return FormatStateFile(PackCheckpoint(whole));
}

Checkpoint CompositionRun::DeserializeState(std::span<const std::byte> bytes) const {
  const std::string name = "the state of a run";
  Checkpoint state = UnpackCheckpoint(ParseStateFile(bytes, name), name);
  RequireSameRun(state.identity, RunIdentity::Of(composition_, record_.mode), composition_.File().path.string(),
                 "restore it into a run of that composition");
  return state;
}

}  // namespace openmi
