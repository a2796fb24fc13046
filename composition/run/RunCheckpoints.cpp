#include "composition/run/RunCheckpoints.hpp"

#include <cmath>
#include <utility>

#include "composition/run/RunSnapshot.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

void ExpectResume(Composition& composition, const std::filesystem::path& folder) {
  Problems ignored;
  try {
    auto checkpoint = CheckpointStore(folder, composition.File().id, 1).ReadNewest(ignored);
    if (!checkpoint || checkpoint->is_begin) return;
    for (const std::string& id : checkpoint->without_state) {
      std::vector<OmiArgument>& changed = checkpoint->changed[id];
      std::erase_if(changed, [](const OmiArgument& argument) { return argument.key == "start-time"; });
      changed.push_back({.key = "start-time", .value = FormatIsoTime(checkpoint->time)});
    }
    composition.SetChanged(std::move(checkpoint->changed));
  } catch (const Error&) {
  }
}

RunCheckpoints::RunCheckpoints(Composition& composition, RunFiles& files, RunMode mode)
    : composition_(composition),
      files_(files),
      mode_(mode),
      store_(files.Folder(), composition.File().id,
             composition.File().checkpoints ? composition.File().checkpoints->keep : CheckpointSpec().keep),
      begin_(*composition.File().run->from) {
  if (const auto& spec = composition.File().checkpoints) {
    period_ = spec->every.value_or(Days());
    every_ =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(spec->every_seconds.value_or(0.0)));
  }
}

void RunCheckpoints::Begin() {
  if (!composition_.File().checkpoints) {
    store_.Remove();
    return;
  }
  Checkpoint begin;
  begin.identity = IdentityOf(composition_, mode_);
  begin.is_begin = true;
  begin.time = begin_;
  store_.Begin(begin);
}

std::optional<Checkpoint> RunCheckpoints::Find(bool changed, const std::function<void(const Checkpoint&)>& take,
                                               Problems& problems) {
  const RunIdentity now = IdentityOf(composition_, mode_);
  return store_.ReadNewest(problems, [&](const Checkpoint& checkpoint) {
    if (!changed) {
      RequireSameRun(checkpoint.identity, now, composition_.File().path.string(),
                     "undo the changes, or use --resume-changed to continue nevertheless");
    }
    take(checkpoint);
  });
}

void RunCheckpoints::Count(Stamp now, Clock::time_point wall) {
  if (period_ > Days()) {
    const double done = std::floor((now - begin_ + kTimeTolerance) / period_);
    next_ = begin_ + period_ * (done + 1.0);
  }
  next_wall_ = wall + every_;
}

void RunCheckpoints::Take(const RunRecord& record, Stamp now, const RunWatch& watch, const RunLoop& loop) {
  Checkpoint checkpoint;
  checkpoint.identity = IdentityOf(composition_, mode_);
  checkpoint.time = now;
  checkpoint.passes = record.passes;
  CaptureRun(checkpoint, composition_, watch, loop);
  checkpoint.journal_bytes = files_.Keep();
  if (!checkpoint.journal_bytes) checkpoint.series = PackSeriesRows(record);
  store_.Write(checkpoint);
}

}  // namespace openmi
