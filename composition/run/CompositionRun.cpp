#include "composition/run/CompositionRun.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "composition/families/Families.hpp"
#include "composition/link/Groups.hpp"
#include "composition/run/Overrides.hpp"
#include "composition/run/RunSnapshot.hpp"
#include "composition/state/ComponentState.hpp"
#include "composition/threads/FamilyThread.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/system/CoarseClock.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/optional/IRemarks.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

namespace {

/// As long as it lives, components that write records into the results folder may overwrite those of the earlier run,
/// as the run itself does (the arguments `overwrite` and a relative `file`).
class OverwrittenRecords {
 public:
  OverwrittenRecords(Composition& composition, bool overwrites) {
    for (const Instance& instance : composition.Instances()) {
      if (!overwrites || !instance.IsThere()) continue;
      const auto arguments = instance.Component().Arguments();
      const auto named = [&](const char* id) -> IArgument* {
        const auto found = std::ranges::find(arguments, id, [](const IArgument* one) { return one->Id(); });
        return found != arguments.end() ? *found : nullptr;
      };
      IArgument* const overwrite = named("overwrite");
      const IArgument* const folder = named(kResultsFolder);
      const IArgument* const file = named("file");
      if (overwrite == nullptr || folder == nullptr || file == nullptr || overwrite->IsReadOnly()) continue;
      if (folder->ValueAsString().empty() || std::filesystem::path(file->ValueAsString()).is_absolute()) continue;
      if (overwrite->Value() != Value(false)) continue;
      RunOn(instance.thread, [overwrite] { overwrite->SetValue(Value(true)); });
      set_.emplace_back(&instance, overwrite);
    }
  }
  ~OverwrittenRecords() {
    for (const auto& [instance, overwrite] : set_) {
      try {
        if (!instance->conduct->has_left) RunOn(instance->thread, [one = overwrite] { one->SetValue(Value(false)); });
      } catch (const std::exception&) {  // a component that failed to start
      }
    }
  }
  OverwrittenRecords(const OverwrittenRecords&) = delete;
  OverwrittenRecords& operator=(const OverwrittenRecords&) = delete;

 private:
  std::vector<std::pair<const Instance*, IArgument*>> set_;
};

}  // namespace

CompositionRun::CompositionRun(Composition& composition, Problems problems, RunOptions options)
    : composition_(composition), options_(std::move(options)) {
  record_.problems = std::move(problems);
  if (!options_.save_states.empty()) options_.save_states = std::filesystem::absolute(options_.save_states);
  if (const auto& run = composition.File().run; !run || !run->from || !run->to) {
    throw FormatError({.file = composition.File().path.string()},
                      fmt::format("expected a Run element with From and To, found {}", run ? "one without" : "none"),
                      "add <Run From=\"...\" To=\"...\"/>");
  }
  run_ = *composition.File().run;
  record_.mode = options_.mode.value_or(run_.mode);
  record_.reached = *run_.from;
  control_.SetNow(record_.reached);
}

CompositionRun::~CompositionRun() {
  families_.reset();  // code that is loaded beside the run calls Wake when it is ready
}

RunRecord CompositionRun::Run() {
  Begin();
  while (Advance(kManyPasses)) {
  }
  return End();
}

template <class Work>
bool CompositionRun::Guarded(Work&& work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    control_.SetPhase(RunState::Over);
    if (results_.HasFailed()) return false;  // End throws it
    Where where = error.Place();
    if (where.component.empty()) where.component = FailedComponent();
    AddError(record_.problems, where, error.Problem(), error.Remedy());
  } catch (const std::exception& error) {
    control_.SetPhase(RunState::Over);
    const Where where{.component = FailedComponent()};
    AddError(record_.problems, where, fmt::format("expected the model to compute, found '{}'", error.what()),
             "see the component's own manual; results until then are kept");
  } catch (...) {
    control_.SetPhase(RunState::Over);
    AddError(record_.problems, {.component = FailedComponent()},
             "expected the model to compute, found an exception that is not a std::exception",
             "see the component's own manual; results until then are kept");
  }
  return false;
}

void CompositionRun::Begin() {
  if (control_.Phase() != RunState::Created) {
    throw StateError(Place(), "expected a run that has not begun, found one that has", "make another one");
  }
  watch_ = std::make_unique<RunWatch>(
      composition_, record_,
      [this](std::size_t series, Stamp begin, Stamp end, std::span<const double> row) {
        results_.Write(series, begin, end, row);
      },
      options_.write_report != nullptr || (options_.write_results && !composition_.File().results.geopackage.empty()));
  OpenFiles();
  control_.SetPhase(RunState::Running);
  begun_ = Clock::now();
  reported_ = CoarseNow();
  Guarded([this] { Start(); });
  if (!results_.HasFailed() || !results_.BeginsAnew()) return;
  // Nothing was computed, and nothing can be written.
  control_.SetPhase(RunState::Ended);
  Problems ignored;
  composition_.Finish(ignored);
  results_.RethrowFailure();
}

void CompositionRun::OpenFiles() {
  const bool checkpoints = composition_.File().checkpoints.has_value();
  if (!options_.write_results && !options_.write_report && !checkpoints && !options_.resume) return;
  auto files = std::make_unique<RunFiles>(composition_.File(), options_);
  auto kept = std::make_unique<RunCheckpoints>(composition_, *files, record_.mode);
  std::optional<Checkpoint> from;
  if (options_.resume) {
    const bool writes = options_.write_results && !record_.series.empty();
    const auto take = [&](const Checkpoint& checkpoint) {
      if (checkpoint.is_begin) return;
      for (RecordedSeries& series : record_.series) series.ClearRows();  // of a checkpoint that was tried before
      if (checkpoint.journal_bytes.has_value() != writes) {
        throw FormatError({},
                          fmt::format("expected a checkpoint of a run {} results, found one {}",
                                      writes ? "with" : "without", writes ? "without" : "with"),
                          "observe the same, and write results or not as that run did");
      }
      if (!writes) {
        UnpackSeriesRows(checkpoint.series, record_);
        return;
      }
      files->Reopen(record_.series, *checkpoint.journal_bytes, checkpoint.time.mjd,
                    [this](std::size_t series, Stamp begin, Stamp end, std::span<const double> row) {
                      watch_->Record(series, begin, end, row);
                    });
    };
    from = kept->Find(options_.resume_changed, take, record_.problems);
    if (!from && (files->HasEarlier() || kept->IsMarkedComplete())) {
      throw FileError(
          {.file = files->Folder().string()},
          kept->IsMarkedComplete()
              ? "expected a checkpoint to continue from, found the results of a complete run"
              : "expected a checkpoint to continue from, found none beside the results of an earlier run",
          kept->IsMarkedComplete()
              ? "if the composition, its data or files that are asked for have changed since, start anew with "
                "--overwrite (in Python: overwrite=True in place of resume=True)"
              : "that run took no checkpoints (--checkpoint-every): start anew with --overwrite (in Python: "
                "overwrite=True in place of resume=True)");
    }
  }
  if (from) record_.resumed_from = files->Shown(from->file).string();
  if (from && !from->is_begin) resumed_ = std::make_unique<Checkpoint>(std::move(*from));
  const bool begins_anew = resumed_ == nullptr;
  results_.Take(std::move(files), std::move(kept), begins_anew, begins_anew && (options_.overwrite || from));
}

void CompositionRun::Start() {
  watch_->SetDeaf(resumed_ != nullptr);
  const std::size_t threads = options_.threads.value_or(static_cast<std::size_t>(run_.threads));
  composition_.SetThreads(threads);
  {
    const OverwrittenRecords records(composition_, results_.Overwrites());
    PrepareComponents(composition_, resumed_ != nullptr);
  }
  begun_ = Clock::now();
  reported_ = CoarseNow();
  composition_.Processes().Times().Start();
  watch_->Start();
  loop_ = std::make_unique<RunLoop>(composition_, record_.mode, threads);
  if (options_.step_times) loop_->KeepStepTimes();
  families_ = std::make_unique<Families>(composition_);
  if (watch_->HasComponentMeters()) {
    // Members of loops update from within each other, so all are sampled after each update that the loop makes.
    loop_->SetAfterUpdate([this](std::size_t number) { watch_->Sample(number); });
  }
  if (resumed_) {
    RestoreRun(*resumed_, composition_, *watch_, *loop_);
    watch_->SetDeaf(false);
    record_.passes = resumed_->passes;
    control_.SetPasses(record_.passes);
    record_.reached = std::min(resumed_->time, *run_.to);
    record_.resumed = record_.reached;
    for (const std::string& id : resumed_->without_state) {
      AddNote(record_.problems, {.component = id},
              fmt::format("started anew when the run was resumed, at {}: it keeps no state",
                          FormatIsoTime(*record_.resumed)));
    }
    control_.SetNow(record_.reached);
    resumed_.reset();
    ReportOverrides();
  } else {
    results_.OpenAnew(record_.series);  // from here on the run can start
    results_.Commit(*run_.from);
  }
  if (RunCheckpoints* checkpoints = results_.Checkpoints()) checkpoints->Count(Now(), Clock::now());
  if (run_.pace) pace_ = std::make_unique<Pace>(*run_.pace, loop_->CurrentTime(), Clock::now());
}

bool CompositionRun::Advance(std::size_t most) {
  if (control_.Phase() == RunState::Created) {
    throw StateError(Place(), "expected Begin before Advance, found a new run", "call Begin");
  }
  if (control_.Phase() != RunState::Running) return false;
  bool goes_on = false;
  if (Guarded([&] { goes_on = Pass(most); })) return goes_on;
  if (!results_.HasFailed()) {  // else the reason is not in the model
    AddNote(record_.problems, RunPlace(),
            fmt::format("ended at {} of {}", FormatIsoTime(record_.reached), FormatIsoTime(*run_.to)));
  }
  return false;
}

bool CompositionRun::AdvanceTo(Stamp time) {
  bool goes_on = control_.Phase() == RunState::Running || control_.Phase() == RunState::Created;
  while (goes_on && State() != RunState::Paused && Before(Now(), time)) goes_on = Advance();
  return goes_on;
}

void CompositionRun::Supply(std::string_view item, Stamp begin, Days duration, std::span<const double> row) {
  SuppliedInput* input = composition_.FindSupplied(item);
  if (input == nullptr) {
    std::vector<std::string> names;
    for (const auto& one : composition_.Supplied()) names.push_back(one->Name());
    throw ArgumentError({.file = composition_.File().path.string(), .item = std::string(item)},
                        fmt::format("expected an input that is supplied, found '{}'", item),
                        names.empty() ? fmt::format("declare it when the run is started: start(supply={{\"{}\": "
                                                    "\"previous\"}}) in Python, SupplyInput in C++",
                                                    item)
                                      : Suggest(std::string(item), names));
  }
  input->Supply(begin, duration, row);
}

bool CompositionRun::IsDue() {
  constexpr auto kShort = std::chrono::milliseconds(50);  // hooks may check for things that do not call Wake
  bool stands_still = control_.IsPaused();
  const bool is_any_out = families_->IsAnyDisengaged();
  if (is_any_out || composition_.HeldCount() > 0) families_->MoveTo(Now());
  if (!stands_still && is_any_out) stands_still = loop_->IsAllOut();
  const Clock::time_point wall = pace_ || stands_still ? Clock::now() : Clock::time_point();
  if (stands_still) {
    quiet_.WaitUntil(wall + kShort);
    if (pace_) pace_->Paused(Clock::now() - wall);
    return false;
  }
  if (!pace_) return true;
  const Clock::time_point due = pace_->Due(Now());
  if (wall >= due) return true;
  quiet_.WaitUntil(std::min(due, wall + kShort));
  return false;
}

bool CompositionRun::Pass(std::size_t most) {
  quiet_.Run();
  if (!engaging_.empty()) CompleteEngagements();
  if (control_.IsEndWanted()) {
    control_.SetPhase(RunState::Over);
    AddWarning(record_.problems, RunPlace(),
               fmt::format("ended at {} of {}: {}", FormatIsoTime(record_.reached), FormatIsoTime(*run_.to),
                           control_.EndReason()));
    if (composition_.File().checkpoints && composition_.FirstHeld() == nullptr) TakeCheckpoint();
    return false;
  }
  if (!IsDue()) return true;
  const bool goes_freely = control_.IsFree() && !pace_ && !composition_.File().checkpoints && !quiet_.HasHooks() &&
                           composition_.Supplied().empty();
  const bool moved = loop_->Advance(goes_freely ? most : 1, [this] {
    return control_.IsEndWanted() || quiet_.HasTasks() || !control_.IsFree() ||
           (options_.is_interrupted && options_.is_interrupted());
  });
  if (composition_.HeldCount() != reported_held_) ReportHeld();
  if (!moved) {
    Ended();
    return false;
  }
  control_.CountPass();
  record_.passes += loop_->PassesMade();
  control_.SetPasses(record_.passes);
  // Components that were pulled from within another component's update were not sampled.
  watch_->SampleAll();
  const Stamp now = loop_->CurrentTime();
  const bool went_on = record_.reached < now;
  record_.reached = std::min(now, *run_.to);
  control_.SetNow(record_.reached);
  results_.Commit(now);
  const Clock::time_point wall = pace_ ? Clock::now() : CoarseNow();
  if (pace_ && went_on) pace_->Stepped(Now(), wall);
  if (results_.Checkpoints() != nullptr && results_.Checkpoints()->IsDue(now, wall)) {
    TakeDueCheckpoint();
    results_.Checkpoints()->Count(Now(), Clock::now());
  }
  if (wall - reported_ >= std::chrono::duration<double>(options_.progress_seconds)) {
    reported_ = wall;
    ReportProgress(wall);
  }
  return true;
}

void CompositionRun::Ended() {
  control_.SetPhase(RunState::Over);
  watch_->SampleAll();
  record_.is_complete = !Before(loop_->CurrentTime(), *run_.to);
  if (record_.is_complete) {
    record_.reached = *run_.to;
  } else {
    AddError(record_.problems, RunPlace(),
             fmt::format("expected the run to reach {}, found it stopped at {}", FormatIsoTime(*run_.to),
                         FormatIsoTime(record_.reached)),
             "a component ended early; look at its end-time and its data");
  }
  control_.SetNow(record_.reached);
  ReportProgress(Clock::now());
}

void CompositionRun::TakeCheckpoint() {
  if (results_.Checkpoints() == nullptr || !loop_ || control_.Phase() == RunState::Ended) {
    throw StateError(Place(), "expected a run under way with a folder of results, for a checkpoint, found none",
                     "let the run write results or a report");
  }
  results_.GiveWay();  // a checkpoint refers to the journal of this run
  results_.Checkpoints()->Take(record_, loop_->CurrentTime(), *watch_, *loop_);
  ++record_.checkpoints;
}

void CompositionRun::TakeDueCheckpoint() {
  if (const Instance* held = composition_.FirstHeld()) {
    if (no_checkpoint_ != NoCheckpoint::Held) {
      AddNote(record_.problems, {.component = held->Id()},
              fmt::format("no checkpoints from {} on, while its last values are used", FormatIsoTime(record_.reached)));
    }
    no_checkpoint_ = NoCheckpoint::Held;
    return;
  }
  try {
    TakeCheckpoint();
    no_checkpoint_ = NoCheckpoint::None;
  } catch (const Error& error) {
    if (results_.HasFailed()) throw;
    // The run continues, and the previous checkpoint is still valid. Reported once until one succeeds, since the next
    // ones fail for the same reason.
    if (no_checkpoint_ != NoCheckpoint::Failed) {
      AddWarning(record_.problems, error.Place(),
                 fmt::format("no checkpoint at {}: {}", FormatIsoTime(record_.reached), error.Problem()),
                 error.Remedy());
    }
    no_checkpoint_ = NoCheckpoint::Failed;
  }
}

void CompositionRun::SaveStates() {
  if (options_.save_states.empty()) return;
  for (Instance& instance : composition_.Instances()) {
    const Where place{.component = instance.Id()};
    if (instance.conduct->has_left) continue;  // which was reported
    if (!KeepsState(instance.Component())) {
      AddWarning(record_.problems, place, "expected a component that keeps its state, found one that does not",
                 "it is left out of the saved states");
      continue;
    }
    try {
      std::error_code ignored;
      std::filesystem::create_directories(options_.save_states, ignored);
      const std::filesystem::path path = options_.save_states / StateFileName(instance.Id());
      RunOn(instance.thread, [&] { WriteComponentState(path, instance.Component()); });
    } catch (const Error& error) {
      AddError(record_.problems, place, fmt::format("state not saved: {}", error.Problem()), error.Remedy());
    }
  }
}

void CompositionRun::ReportProgress(Clock::time_point now) {
  if (!options_.progress) return;
  const std::chrono::duration<double> passed = now - begun_;
  options_.progress({*run_.from, *run_.to, record_.reached, passed.count()});
}

std::string CompositionRun::FailedComponent() const {
  // A failure travels downstream with the pull: of the failed one and those it draws on, the first in order is furthest
  // upstream.
  const std::size_t count = composition_.Instances().size();
  const std::size_t failed = loop_ ? loop_->Failed() : count;
  const std::vector<bool> above =
      failed < count ? composition_.Graph().UpstreamOf({failed}) : std::vector<bool>(count, true);
  for (std::size_t number : composition_.Graph().UpstreamFirst()) {
    const Instance& instance = composition_.Instances()[number];
    if (above[number] && instance.IsThere() && instance.Component().Status() == LinkableComponentStatus::Failed)
      return instance.Id();
  }
  return failed < count ? composition_.Instances()[failed].Id() : std::string();
}

RunRecord CompositionRun::Balances() const {
  RunRecord record;
  if (watch_ && State() != RunState::Created) watch_->FillBalances(record, Now());
  return record;
}

void CompositionRun::FillRecord() {
  if (pace_) record_.pace = pace_->Figures();
  watch_->FillRecord();
  record_.workers = RecordWorkers(composition_);
  if (!loop_) return;
  record_.loops = loop_->Loops();
  for (const Link* link : record_.is_complete ? loop_->IdleExtrapolations() : std::vector<const Link*>()) {
    AddWarning(record_.problems,
               {.file = composition_.File().path.string(),
                .line = link->Spec().line,
                .item = fmt::format("link {}", link->Spec().Text())},
               "expected Loop=\"extrapolate\" on the link that questions come back along, found that none came back: "
               "it had no effect",
               "set it on another link of the loop, or name another Trigger");
  }
  for (const LoopFigures& loop : record_.loops) {
    if (loop.missing > 0) {
      AddWarning(
          record_.problems, Place(),
          fmt::format("expected numbers on the links of the loop {}, found missing values at the end of {} of {} "
                      "steps",
                      loop.cycle, loop.missing, loop.steps),
          "look for missing values in the inputs that come from outside the loop, or put 'fill-missing' on a link");
    }
    if (loop.unconverged == 0) continue;
    AddWarning(record_.problems, Place(),
               fmt::format("expected the loop {} to converge in each step, found {} of {} steps that did not converge "
                           "and were accepted nevertheless",
                           loop.cycle, loop.unconverged, loop.steps),
               "widen the tolerance, allow more iterations, or shorten the step");
  }
  for (std::size_t i = 0; i < composition_.Instances().size(); ++i) {
    const Instance& instance = composition_.Instances()[i];
    RecordedTiming timing{instance.Id(), loop_->Times().Seconds(i), instance.host->StepCount(), {}};
    if (loop_->Times().KeepsStepTimes()) {
      const StepTimes steps = loop_->Times().StepsOf(i);
      const double tick = loop_->Times().SecondsPerTick();
      timing.steps = {steps.Percentile(0.5) * tick, steps.Percentile(0.99) * tick,
                      static_cast<double>(steps.Longest()) * tick};
    }
    record_.timings.push_back(std::move(timing));
  }
  record_.is_timing_estimated = loop_->Times().IsEstimated();
  // An estimate is limited to the time there was: each thread had the wall-clock time of the run.
  double sum = 0.0;
  for (const RecordedTiming& timing : record_.timings) sum += timing.seconds;
  const double most =
      record_.wall_seconds * static_cast<double>(options_.threads.value_or(static_cast<std::size_t>(run_.threads)));
  if (sum > most) {
    for (RecordedTiming& timing : record_.timings) timing.seconds *= most / sum;
  }
}

void CompositionRun::ReportRemarks() {
  for (const Instance& instance : composition_.Instances()) {
    if (!instance.IsThere() || instance.conduct->has_left) continue;
    const auto* speaker = dynamic_cast<const IRemarks*>(&instance.Component());
    if (speaker == nullptr) continue;
    Problems remarks;
    RunOn(instance.thread, [&] { remarks = speaker->Remarks(); });
    for (Problem& problem : remarks) {
      problem.where.file = composition_.File().path.string();
      problem.where.line = instance.spec->line;
      problem.where.component = instance.Id();
      const std::string text = FormatProblem(problem);
      const bool is_known =
          std::ranges::any_of(record_.problems, [&](const Problem& one) { return FormatProblem(one) == text; });
      if (!is_known) record_.problems.push_back(std::move(problem));
    }
  }
}

RunRecord CompositionRun::End() {
  if (control_.Phase() == RunState::Created || control_.Phase() == RunState::Ended) {
    throw StateError(Place(),
                     fmt::format("expected a run that was begun and not ended, found one that was {}",
                                 control_.Phase() == RunState::Created ? "not begun" : "ended"),
                     "call Begin, and End once");
  }
  if (control_.Phase() == RunState::Running) {
    AddWarning(record_.problems, RunPlace(),
               fmt::format("ended at {} of {}", FormatIsoTime(record_.reached), FormatIsoTime(*run_.to)));
  }
  control_.SetPhase(RunState::Ended);
  for (const auto& [key, told] : engaging_) {
    families_->Disengage(key);
    const StateError error({.file = key}, "expected the run to continue until the family is engaged, found it ended");
    told(&error);
  }
  engaging_.clear();
  record_.wall_seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
  composition_.Processes().Times().Stop();
  ReportRemarks();
  composition_.ReportConduct(record_.problems);
  RunFiles* const files = results_.Files();
  try {
    results_.RethrowFailure();
    FillRecord();
    SaveStates();
    const bool could_not_begin = results_.BeginsAnew() && files->HasEarlier();
    if (results_.BeginsAnew() && !could_not_begin) results_.OpenAnew(record_.series);
    const bool keeps_earlier =
        could_not_begin || (files && !files->IsInPlace() && !record_.is_complete && files->HasEarlier());
    if (keeps_earlier) {
      files->Drop();
      AddNote(record_.problems, {.file = files->Folder().string()},
              fmt::format("the results of the earlier run are kept: this one {}",
                          could_not_begin ? "could not begin" : "ended before it wrote a row"));
    } else if (files) {
      results_.GiveWay();
      record_.files = files->Close();
      if (std::string map = files->WriteMap(record_); !map.empty()) record_.files.push_back(std::move(map));
    }
    if (options_.write_report && !keeps_earlier) {
      options_.write_report(composition_, record_, options_, files->ReportPath());
      record_.files.push_back(files->Shown(files->ReportPath()).string());
    }
  } catch (...) {
    composition_.Finish(record_.problems);
    throw;
  }
  composition_.Finish(record_.problems);
  ReportRemarks();
  composition_.ReportConduct(record_.problems);
  // What a component writes when it finishes may be lacking: the last steps can be repeated. So can those for which the
  // last values of a component were used, and any others of a run that counts as failed.
  if (results_.Checkpoints() != nullptr && record_.is_complete) {
    const Instance* held = composition_.FirstHeld();
    if (held != nullptr && composition_.File().checkpoints) {
      AddNote(record_.problems, {.component = held->Id()},
              "the last checkpoint before its failure stays: --resume computes from there, with this component");
    }
    if (held == nullptr && !HasErrors(record_.problems)) MarkComplete();
  }
  results_.Release();
  return std::move(record_);
}

void CompositionRun::MarkComplete() {
  try {
    results_.Checkpoints()->Complete(
        *run_.to, options_.write_results ? std::optional(record_.series.size()) : std::nullopt, options_.save_states);
    results_.Files()->Forget();
  } catch (const Error& error) {
    AddWarning(record_.problems, error.Place(), fmt::format("its checkpoints stay: {}", error.Problem()),
               "--resume repeats the end of the run");
  }
}

Checkpoint CompositionRun::SaveState() {
  const Where place = Place();
  if (loop_ == nullptr || control_.Phase() == RunState::Ended) {
    throw StateError(place, "expected a run under way, for its state, found none", "call Begin");
  }
  Checkpoint state;
  state.time = loop_->CurrentTime();
  state.passes = record_.passes;
  CaptureRun(state, composition_, *watch_, *loop_);
  if (!state.without_state.empty()) {
    const std::string& id = state.without_state.front();
    const auto lacking = std::ranges::find(composition_.Instances(), id, &Instance::Id);
    throw StateError(
        {.file = place.file, .component = id},
        "expected components that keep their state, found one that does not" + ReasonForNoStates(lacking->Component()),
        "a run with such a component can be stepped, but not taken back");
  }
  state.series = PackSeriesRows(record_);
  return state;
}

void CompositionRun::RestoreState(const Checkpoint& state) {
  const Where place = Place();
  if (loop_ == nullptr || control_.Phase() == RunState::Ended) {
    throw StateError(place, "expected a run under way, to restore a state, found none", "call Begin");
  }
  if (results_.Files() != nullptr) {
    throw StateError(place, "expected a run that writes no results, to go back in time, found one that does",
                     "switch results and report off for a run that is to be taken back");
  }
  watch_->SetDeaf(true);  // rows on the way to the state are not observed
  try {
    RestoreRun(state, composition_, *watch_, *loop_);
  } catch (...) {
    watch_->SetDeaf(false);
    throw;
  }
  watch_->SetDeaf(false);
  UnpackSeriesRows(state.series, record_);
  record_.passes = state.passes;
  control_.SetPasses(state.passes);
  record_.reached = std::min(state.time, *run_.to);
  record_.is_complete = false;
  control_.SetNow(record_.reached);
  if (pace_) pace_ = std::make_unique<Pace>(*run_.pace, loop_->CurrentTime(), Clock::now());
  control_.SetPhase(RunState::Running);
}

Bytes CompositionRun::SerializeState(const Checkpoint& state) const {
  Checkpoint whole = state;
  whole.identity = IdentityOf(composition_, record_.mode);
  return FormatStateFile(PackCheckpoint(whole));
}

Checkpoint CompositionRun::DeserializeState(ByteView bytes) const {
  const std::string name = "the state of a run";
  Checkpoint state = UnpackCheckpoint(ParseStateFile(bytes, name), name);
  RequireSameRun(state.identity, IdentityOf(composition_, record_.mode), composition_.File().path.string(),
                 "restore it into a run of that composition");
  return state;
}

void CompositionRun::ReportHeld() {
  reported_held_ = composition_.HeldCount();
  NoteLosses(composition_);
  for (const Instance& instance : composition_.Instances()) {
    if (instance.host == nullptr || !instance.host->IsHeld() || !reported_failures_.insert(instance.Id()).second)
      continue;
    AddError(record_.problems,
             {.file = composition_.File().path.string(), .line = instance.spec->line, .component = instance.Id()},
             fmt::format("failed at {}: {}", FormatIsoTime(Now()), instance.host->Failure()),
             "its last values are used instead; correct it, disengage its family and engage it again");
  }
}

const Families& CompositionRun::TheFamilies() const {
  if (families_ == nullptr) {
    throw StateError(Place(), "expected a run that was begun, found one that was not", "call Begin");
  }
  return *families_;
}

bool CompositionRun::IsAllOut() const {
  static_cast<void>(TheFamilies());
  return loop_->IsAllOut();
}

void CompositionRun::Disengage(const std::string& family) {
  const Family& leaving = TheFamilies().Find(family);
  const bool is_out = leaving.status == FamilyStatus::Disengaged;
  const Problems told = families_->Disengage(family);
  if (is_out) return;
  const std::string text = fmt::format("family {} disengaged at {}", families_->TextOf(family), FormatIsoTime(Now()));
  AddNote(record_.problems, Place(), text);
  results_.Note(text);
  record_.problems.insert(record_.problems.end(), told.begin(), told.end());
}

void CompositionRun::SetArgument(const std::string& component, const std::string& key, const std::string& value) {
  static_cast<void>(TheFamilies());  // throws unless the run was started
  const bool is_secret = families_->SetArgument(component, key, value);
  ReportChange(component, key,
               fmt::format("set to {} for when its family is engaged", is_secret ? "a secret" : Quoted(value)));
}

void CompositionRun::ReportChange(const std::string& component, const std::string& item, const std::string& what) {
  constexpr std::size_t kMostReported = 1000;  // a program may change something in every step
  if (reported_changes_ > kMostReported) return;
  const bool is_last = reported_changes_++ == kMostReported;
  const std::string time = FormatIsoTime(Now());
  Where where{.file = composition_.File().path.string(), .component = component, .item = item};
  if (is_last) where.component = where.item = "";
  const std::string text =
      is_last ? fmt::format("further changes, from {} on, are not noted", time) : fmt::format("{} at {}", what, time);
  AddNote(record_.problems, where, text);
  results_.Note(is_last ? text : fmt::format("{}.{} {}", component, item, text));
}

void CompositionRun::ReportOverrides() {
  for (const OverrideInfo& fixed : Overrides(composition_).All()) {
    const std::string text =
        fmt::format("overridden with {} when the run continues, at {}, as it was at the checkpoint", RowText(fixed.row),
                    FormatIsoTime(*record_.resumed));
    AddWarning(record_.problems,
               {.file = composition_.File().path.string(),
                .line = fixed.link->line,
                .component = fixed.link->to.component,
                .item = fixed.link->to.item},
               text, "an operator set it; 'openmi control free' lets the link deliver again");
    results_.Note(fmt::format("{} {}", fixed.link->to.Text(), text));
  }
}

void CompositionRun::Engage(const std::string& family) {
  const Family& wanted = TheFamilies().Find(family);
  const bool is_any_held = std::ranges::any_of(wanted.members, [this](std::size_t member) {
    const Instance& instance = composition_.Instances()[member];
    return instance.host != nullptr && instance.host->IsHeld();
  });
  if (is_any_held && wanted.status == FamilyStatus::Engaged) Disengage(family);  // what failed is made again
  if (TheFamilies().StatusOf(family) == FamilyStatus::Engaged) return;
  try {
    const Problems told = families_->Engage(family, Now());
    const std::string text = fmt::format("family {} engaged at {}", families_->TextOf(family), FormatIsoTime(Now()));
    AddNote(record_.problems, Place(), text);
    results_.Note(text);
    record_.problems.insert(record_.problems.end(), told.begin(), told.end());
  } catch (const Error& error) {
    AddWarning(record_.problems, error.Place(),
               fmt::format("family {} not engaged at {}: {}", families_->TextOf(family), FormatIsoTime(Now()),
                           error.Problem()),
               error.Remedy());
    throw;
  }
}

void CompositionRun::EngageBeside(const std::string& family, std::function<void(const Error*)> told) {
  const Family& wanted = TheFamilies().Find(family);
  const std::size_t threads = options_.threads.value_or(static_cast<std::size_t>(run_.threads));
  if (families_->BeginEngage(family, Now(), threads > 1, [this] { quiet_.Wake(); })) {
    engaging_.emplace_back(wanted.key, std::move(told));
    return;
  }
  try {
    Engage(family);
  } catch (const Error& error) {
    told(&error);
    return;
  }
  told(nullptr);
}

void CompositionRun::CompleteEngagements() {
  while (const Family* made = families_->NextMade()) {
    try {
      Engage(made->key);
    } catch (const Error&) {  // recorded as a problem, and in Family::problem
    }
  }
  const auto waiting = std::exchange(engaging_, {});
  for (const auto& [key, told] : waiting) {
    const Family& family = families_->Find(key);
    if (family.is_starting) {
      engaging_.emplace_back(key, told);
    } else if (family.status == FamilyStatus::Engaged) {
      told(nullptr);
    } else {
      const StateError error(
          {.file = key},
          family.problem.empty() ? "expected the family to be engaged, found that this was abandoned" : family.problem,
          "engage it again");
      told(&error);
    }
  }
}

}  // namespace openmi
