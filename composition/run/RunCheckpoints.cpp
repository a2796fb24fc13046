#include "composition/run/RunCheckpoints.hpp"

#include <cmath>
#include <utility>

#include "composition/results/FileHash.hpp"
#include "composition/run/RunSnapshot.hpp"
#include "composition/state/ComponentState.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

/// The hash of a component's saved state; empty if none is there.
Bytes HashOfState(const std::filesystem::path& folder, const std::string& component) {
  const std::filesystem::path path = folder / StateFileName(component);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  const std::string hash = HashFile(path);
  const ByteView bytes = std::as_bytes(std::span(hash));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

void ExpectResume(Composition& composition, const std::filesystem::path& folder) {
  Problems ignored;
  try {
    const CheckpointStore store(folder, composition.File().id, 1);
    auto checkpoint = store.ReadNewest(ignored);
    if (!checkpoint) checkpoint = store.ReadComplete();
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

std::optional<Stamp> CompleteSince(const Composition& composition, const RunOptions& options) {
  const CompositionFile& file = composition.File();
  const auto mark = CheckpointStore(options.folder, file.id, 1).ReadComplete();
  if (!mark || mark->journal_bytes.has_value() != options.write_results) return std::nullopt;
  if (!options.save_states.empty() && mark->components.empty()) return std::nullopt;
  std::vector<std::string> wanted;
  if (mark->journal_bytes.value_or(0) > 0) {
    wanted = {file.ResultName(file.results.csv, ".csv"), file.ResultName(file.results.netcdf, ".nc")};
    if (!file.results.geopackage.empty()) wanted.push_back(file.results.geopackage);
  }
  if (options.write_report) wanted.push_back(file.ResultName(file.results.report, ".html"));
  std::error_code ignored;
  for (const std::string& name : wanted) {
    if (!std::filesystem::exists(options.folder / name, ignored)) return std::nullopt;
  }
  try {
    const RunMode mode = options.mode.value_or(file.run ? file.run->mode : RunMode::Pull);
    RequireSameRun(mark->identity, IdentityOf(composition, mode), file.path.string(), {});
    for (const auto& [id, hash] : mark->components) {
      if (!options.save_states.empty() && HashOfState(options.save_states, id) != hash) return std::nullopt;
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  return mark->time;
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

void RunCheckpoints::Complete(Stamp end, std::optional<std::size_t> series, const std::filesystem::path& states) {
  if (!composition_.File().checkpoints) return store_.Remove();
  Checkpoint mark;
  mark.identity = IdentityOf(composition_, mode_);
  mark.time = end;
  mark.changed = ChangedArguments(composition_);
  mark.journal_bytes = series;  // in place of the rows, which are in the table
  if (!states.empty()) {
    for (const Instance& instance : composition_.Instances()) {
      if (KeepsState(instance.Component())) {
        mark.components.emplace_back(instance.Id(), HashOfState(states, instance.Id()));
      }
    }
  }
  store_.Complete(mark);
}

void RunCheckpoints::Take(const RunRecord& record, Stamp now, const RunWatch& watch, const RunLoop& loop) {
  if (const Instance* held = composition_.FirstHeld()) {
    throw StateError({.component = held->Id()},
                     "expected components that compute, for a checkpoint, found one of which the last values are used",
                     "the checkpoint before its failure stays, so that the run can be resumed with it");
  }
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
