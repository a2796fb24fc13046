#include "composition/run/CompositionRun.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "composition/families/Families.hpp"
#include "composition/run/RunFiles.hpp"
#include "composition/run/RunReport.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/Iso8601.hpp"

namespace openmi {

CompositionRun::CompositionRun(Composition& composition, Problems problems, RunOptions options)
    : composition_(composition), options_(std::move(options)) {
  record_.problems = std::move(problems);
  if (!composition.File().run) {
    throw FormatError({.file = composition.File().path.string()}, "expected a Run element, found none",
                      "add <Run From=\"...\" To=\"...\"/>");
  }
  run_ = *composition.File().run;
  record_.mode = options_.mode.value_or(run_.mode);
  record_.reached_mjd = run_.from_mjd;
  now_mjd_ = run_.from_mjd;
}

CompositionRun::~CompositionRun() = default;

RunState CompositionRun::State() const {
  switch (phase_.load()) {
    case Phase::Created:
      return RunState::Created;
    case Phase::Over:
      return RunState::Over;
    case Phase::Ended:
      return RunState::Ended;
    case Phase::Going:
      break;
  }
  return passes_left_ == 0 ? RunState::Paused : RunState::Running;
}

void CompositionRun::Pause() {
  passes_left_ = 0;
}

void CompositionRun::Resume(std::uint64_t passes) {
  passes_left_ = passes;
  quiet_.Wake();
}

void CompositionRun::RequestEnd(std::string reason) {
  {
    const std::lock_guard lock(end_mutex_);
    end_reason_ = std::move(reason);
  }
  is_end_wanted_ = true;
  quiet_.Wake();
}

RunRecord CompositionRun::Run() {
  Begin();
  while (Advance()) {
  }
  return End();
}

template <class Work>
bool CompositionRun::Guarded(Work&& work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    phase_ = Phase::Over;
    if (files_failed_) return false;  // End throws it
    Where where = error.Place();
    if (where.component.empty()) where.component = FailedComponent();
    AddError(record_.problems, where, error.Problem(), error.Remedy());
  } catch (const std::exception& error) {
    phase_ = Phase::Over;
    const Where where{.component = FailedComponent()};
    AddError(record_.problems, where, fmt::format("expected the model to compute, found '{}'", error.what()),
             "see the component's own manual; results until then are kept");
  } catch (...) {
    phase_ = Phase::Over;
    AddError(record_.problems, {.component = FailedComponent()},
             "expected the model to compute, found an exception that is not a std::exception",
             "see the component's own manual; results until then are kept");
  }
  return false;
}

void CompositionRun::Begin() {
  if (phase_ != Phase::Created) {
    throw StateError({.file = composition_.File().path.string()},
                     "expected a run that was not begun, found that it was", "make another one");
  }
  watch_ = std::make_unique<RunWatch>(composition_, record_,
                                      [this](std::size_t series, Stamp begin, Stamp end, std::span<const double> row) {
                                        WriteRow(series, begin, end, row);
                                      });
  if (options_.write_results || options_.write_report) {
    files_ = std::make_unique<RunFiles>(composition_.File(), options_, record_.series);
  }
  phase_ = Phase::Going;
  begun_ = told_ = Clock::now();
  Guarded([this] { Start(); });
}

void CompositionRun::Start() {
  composition_.Prepare();
  begun_ = told_ = Clock::now();
  watch_->Start();
  loop_ = std::make_unique<RunLoop>(composition_, record_.mode,
                                    options_.threads.value_or(static_cast<std::size_t>(run_.threads)));
  families_ = std::make_unique<Families>(composition_);
  if (watch_->HasComponentMeters()) {
    // Members of loops update from within each other, so all are sampled after each update made here.
    loop_->SetAfterUpdate([this](std::size_t number) { watch_->Sample(number); });
  }
  Commit(Stamp{run_.from_mjd});
}

bool CompositionRun::Advance() {
  if (phase_ == Phase::Created) {
    throw StateError({.file = composition_.File().path.string()}, "expected Begin before Advance, found a new run",
                     "call Begin");
  }
  if (phase_ != Phase::Going) return false;
  bool goes_on = false;
  return Guarded([&] { goes_on = Pass(); }) && goes_on;
}

bool CompositionRun::Pass() {
  constexpr auto kShort = std::chrono::milliseconds(50);  // hooks may look for what does not wake
  quiet_.Run();
  if (is_end_wanted_) {
    phase_ = Phase::Over;
    const std::lock_guard lock(end_mutex_);
    AddWarning(record_.problems, {.file = composition_.File().path.string(), .line = run_.line},
               fmt::format("ended at {} of {}: {}", FormatIsoTime(record_.reached_mjd), FormatIsoTime(run_.to_mjd),
                           end_reason_));
    return false;
  }
  std::uint64_t left = passes_left_;
  if (left == 0) {
    quiet_.WaitUntil(Clock::now() + kShort);
    return true;
  }
  if (families_->IsAnyDisengaged()) {
    families_->MoveTo(Now());
    if (loop_->IsAllFrozen()) {
      quiet_.WaitUntil(Clock::now() + kShort);
      return true;
    }
  }
  if (!loop_->Advance()) {
    phase_ = Phase::Over;
    watch_->SampleAll();
    record_.is_complete = !Before(loop_->CurrentTime(), Stamp{run_.to_mjd});
    if (record_.is_complete) {
      record_.reached_mjd = run_.to_mjd;
    } else {
      AddError(record_.problems, {.file = composition_.File().path.string(), .line = run_.line},
               fmt::format("expected the run to reach {}, found it stopped at {}", FormatIsoTime(run_.to_mjd),
                           FormatIsoTime(record_.reached_mjd)),
               "a component ended early; look at its end-time and its data");
    }
    now_mjd_ = record_.reached_mjd;
    Tell(Clock::now());
    return false;
  }
  if (left != kForGood) passes_left_.compare_exchange_strong(left, left - 1);  // unless somebody said otherwise
  passes_.store(++record_.passes, std::memory_order_relaxed);
  // What was pulled from within another component's update was not seen by itself.
  watch_->SampleAll();
  const Stamp now = loop_->CurrentTime();
  record_.reached_mjd = std::min(now.mjd, run_.to_mjd);
  now_mjd_.store(record_.reached_mjd, std::memory_order_relaxed);
  Commit(now);
  const Clock::time_point wall = Clock::now();
  if (wall - told_ > std::chrono::duration<double>(options_.progress_seconds)) {
    told_ = wall;
    Tell(wall);
  }
  return true;
}

const Families& CompositionRun::TheFamilies() const {
  if (families_ == nullptr) {
    throw StateError({.file = composition_.File().path.string()},
                     "expected a run that was begun, found one that was not", "call Begin");
  }
  return *families_;
}

void CompositionRun::Disengage(const std::string& family) {
  if (TheFamilies().StatusOf(family) == FamilyStatus::Disengaged) return;
  const Problems told = families_->Disengage(family);
  AddNote(record_.problems, {.file = composition_.File().path.string()},
          fmt::format("family '{}' disengaged at {}", family, FormatIsoTime(Now().mjd)));
  record_.problems.insert(record_.problems.end(), told.begin(), told.end());
}

void CompositionRun::SetArgument(const std::string& component, const std::string& key, const std::string& value) {
  static_cast<void>(TheFamilies());  // begun?
  families_->SetArgument(component, key, value);
}

void CompositionRun::Engage(const std::string& family) {
  if (TheFamilies().StatusOf(family) == FamilyStatus::Engaged) return;
  try {
    const Problems told = families_->Engage(family, Now());
    AddNote(record_.problems, {.file = composition_.File().path.string()},
            fmt::format("family '{}' engaged at {}", family, FormatIsoTime(Now().mjd)));
    record_.problems.insert(record_.problems.end(), told.begin(), told.end());
  } catch (const Error& error) {
    AddWarning(record_.problems, error.Place(),
               fmt::format("family '{}' not engaged at {}: {}", family, FormatIsoTime(Now().mjd), error.Problem()),
               error.Remedy());
    throw;
  }
}

void CompositionRun::WriteRow(std::size_t series, Stamp begin, Stamp end, std::span<const double> row) {
  if (!files_ || files_failed_) return;
  try {
    files_->Append(series, begin.mjd, end.mjd, row);
  } catch (...) {
    files_failed_ = std::current_exception();  // not the fault of the component that publishes: it goes on
  }
}

void CompositionRun::Commit(Stamp until) {
  if (files_failed_) std::rethrow_exception(files_failed_);
  try {
    if (files_) files_->Commit(until.mjd);
  } catch (...) {
    files_failed_ = std::current_exception();
    throw;
  }
}

void CompositionRun::Tell(Clock::time_point now) {
  if (!options_.progress) return;
  const std::chrono::duration<double> passed = now - begun_;
  options_.progress({run_.from_mjd, run_.to_mjd, record_.reached_mjd, passed.count()});
}

std::string CompositionRun::FailedComponent() const {
  // A failure travels downstream with the pull: the first to have failed stands furthest up.
  for (std::size_t number : composition_.Graph().UpstreamFirst()) {
    const Instance& instance = composition_.Instances()[number];
    if (instance.IsThere() && instance.Component().Status() == LinkableComponentStatus::Failed) return instance.Id();
  }
  return loop_ && loop_->Failed() < composition_.Instances().size() ? composition_.Instances()[loop_->Failed()].Id()
                                                                    : std::string();
}

void CompositionRun::FillRecord() {
  watch_->FillRecord();
  if (!loop_) return;
  record_.loops = loop_->Loops();
  for (const LoopFigures& loop : record_.loops) {
    if (loop.unconverged == 0) continue;
    AddWarning(
        record_.problems, {.file = composition_.File().path.string()},
        fmt::format("expected the loop {} to converge in each step, found {} of {} steps that did not and were taken "
                    "all the same",
                    loop.cycle, loop.unconverged, loop.steps),
        "widen the tolerance, allow more iterations, or shorten the step");
  }
  for (std::size_t i = 0; i < composition_.Instances().size(); ++i) {
    const Instance& instance = composition_.Instances()[i];
    record_.timings.push_back({instance.Id(), loop_->Times().Seconds(i), instance.host->StepCount()});
  }
}

RunRecord CompositionRun::End() {
  if (phase_ == Phase::Created || phase_ == Phase::Ended) {
    throw StateError({.file = composition_.File().path.string()},
                     fmt::format("expected a run that was begun and not ended, found one that was {}",
                                 phase_ == Phase::Created ? "not begun" : "ended"),
                     "call Begin, and End once");
  }
  if (phase_ == Phase::Going) {
    AddWarning(record_.problems, {.file = composition_.File().path.string(), .line = run_.line},
               fmt::format("ended at {} of {}", FormatIsoTime(record_.reached_mjd), FormatIsoTime(run_.to_mjd)));
  }
  phase_ = Phase::Ended;
  record_.wall_seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
  try {
    if (files_failed_) std::rethrow_exception(files_failed_);
    FillRecord();
    if (files_) record_.files = files_->Close();
    if (options_.write_report) {
      WriteRunReport(composition_, record_, options_, files_->ReportPath());
      record_.files.push_back(files_->ReportPath().string());
    }
  } catch (...) {
    composition_.Finish(record_.problems);
    throw;
  }
  composition_.Finish(record_.problems);
  return std::move(record_);
}

}  // namespace openmi
