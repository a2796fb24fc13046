#include "composition/embed/EmbeddedRun.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "composition/check/CheckComposition.hpp"
#include "composition/run/RunCheckpoints.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

/// Passes the rows of one output to an observer.
class EmbeddedRun::Watcher final : public IRowListener {
 public:
  /// \param one_at_a_time  locks all observers of the run, since components may publish at the same time; borrowed
  Watcher(const EmbeddedRun& run, RowObserver observer, std::mutex& one_at_a_time)
      : run_(run), observer_(std::move(observer)), one_at_a_time_(one_at_a_time) {}
  void OnRow(Stamp begin, Days duration, std::span<const double> row) override {
    const std::lock_guard lock(one_at_a_time_);
    const Calling inside(run_);
    observer_(begin, duration, row);
  }

 private:
  const EmbeddedRun& run_;
  RowObserver observer_;
  std::mutex& one_at_a_time_;
};

EmbeddedRun::EmbeddedRun(CompositionFile file, Problems problems)
    : file_(std::move(file)), problems_(std::move(problems)) {
  options_.write_results = false;
}

EmbeddedRun::~EmbeddedRun() {
  desk_.reset();
  for (auto& [proxy, watcher] : watchers_) proxy->RemoveListener(*watcher);
  run_.reset();
}

void EmbeddedRun::RequireOutside() const {
  for (const Calling* call = Calling::innermost_; call != nullptr; call = call->outer_) {
    if (&call->run_ != this) continue;
    throw StateError({}, "expected a call from outside of the observers of this run, found one from within an observer",
                     "let the observer keep what it needs, and call once the step has returned");
  }
}

std::unique_lock<std::mutex> EmbeddedRun::Lock() {
  RequireOutside();
  return std::unique_lock(mutex_);
}

std::unique_lock<std::mutex> EmbeddedRun::TryLock() {
  RequireOutside();
  return std::unique_lock(mutex_, std::try_to_lock);
}

CompositionFile& EmbeddedRun::Settings() {
  RequireUnloaded();
  return file_;
}

RunOptions& EmbeddedRun::Options() {
  RequireUnloaded();
  return options_;
}

void EmbeddedRun::SetVariable(const std::string& name, std::string value) {
  RequireUnloaded();
  variables_[name] = std::move(value);
}

void EmbeddedRun::SetArgument(const std::string& component, const std::string& key, const std::string& value) {
  if (composition_ != nullptr) {
    Desk().SetArgument(component, key, value);
    return;
  }
  SetArgumentOf(file_, component, key, value);
}

void EmbeddedRun::SupplyInput(const std::string& item, SuppliedBetween between) {
  RequireUnloaded();
  supplied_.emplace_back(RunDesk::Cut(item), between);
}

void EmbeddedRun::Load() {
  RequireUnloaded();
  // No results are written, so no checkpoints either: several runs of one composition do not conflict.
  if (!options_.write_results) file_.checkpoints.reset();
  auto composition = std::make_unique<Composition>(file_, variables_);
  composition->SetResultsFolder(options_.folder);
  if (options_.resume) ExpectResume(*composition, options_.folder);
  composition->Load(problems_);
  composition->Connect(problems_);
  for (const auto& [item, between] : supplied_) {
    try {
      composition->SupplyInput(item, between);
    } catch (const Error& error) {
      AddError(problems_, error.Place(), error.Problem(), error.Remedy());
    }
  }
  CheckComposition(*composition, problems_);
  composition_ = std::move(composition);
  ThrowIfErrors(problems_);
  run_ = std::make_unique<CompositionRun>(*composition_, problems_, options_);
  desk_ = std::make_unique<RunDesk>(*run_);
}

const Problems& EmbeddedRun::AllProblems() const {
  if (record_) return record_->problems;
  return run_ != nullptr ? run_->Record().problems : problems_;
}

void EmbeddedRun::Observe(const std::string& item, RowObserver observer) {
  if (Run().State() != RunState::Created) {
    throw StateError({.item = item}, "expected a run that was not begun yet, found that it was",
                     "observe before openmi_begin");
  }
  OutputProxy& proxy = desk_->ProxyOf(item);
  auto watcher = std::make_unique<Watcher>(*this, std::move(observer), observing_);
  proxy.AddListener(*watcher);
  watchers_.emplace_back(&proxy, std::move(watcher));
}

void EmbeddedRun::Begin() {
  Run().Begin();
  if (run_->State() == RunState::Over) ThrowIfErrors(run_->Record().problems);
}

bool EmbeddedRun::Step(std::size_t most) {
  CompositionRun& run = Begun();
  const Problems& problems = run.Record().problems;
  const auto before = static_cast<std::ptrdiff_t>(problems.size());
  if (run.Advance(most)) return true;
  const auto error = std::find_if(problems.begin() + before, problems.end(), [](const openmi::Problem& problem) {
    return problem.severity == openmi::Problem::Error;
  });
  if (error != problems.end()) throw ModelError(error->where, error->problem, error->remedy);
  return false;
}

bool EmbeddedRun::StepUntil(Stamp time) {
  bool goes_on = true;
  while (goes_on && Before(Begun().Now(), time)) goes_on = Step();
  return goes_on;
}

const RunRecord& EmbeddedRun::End() {
  record_ = Begun().End();
  return *record_;
}

std::vector<RecordedSeries> EmbeddedRun::TakeSeries() {
  return record_ ? std::exchange(record_->series, {}) : std::vector<RecordedSeries>();
}

void EmbeddedRun::EndIfBegun() {
  if (run_ != nullptr && !record_ && run_->State() != RunState::Created) End();
}

Composition& EmbeddedRun::Loaded() {
  if (composition_ == nullptr) {
    throw StateError({.file = file_.path.string()}, "expected a run that was loaded, found one that was not",
                     "call openmi_load");
  }
  return *composition_;
}

RunDesk& EmbeddedRun::Desk() {
  Loaded();
  if (desk_ == nullptr) {
    throw StateError({.file = file_.path.string()}, "expected a run whose check found no errors, found one with errors",
                     "see openmi_problem");
  }
  return *desk_;
}

CompositionRun& EmbeddedRun::Run() {
  Desk();
  return *run_;
}

CompositionRun& EmbeddedRun::Begun() {
  Loaded();
  if (run_ == nullptr || run_->State() == RunState::Created || record_) {
    throw StateError({.file = file_.path.string()},
                     record_ ? "expected a run that goes on, found one that was ended"
                             : "expected a run that was begun, found one that was not",
                     record_ ? "open it again" : "call openmi_begin");
  }
  return *run_;
}

void EmbeddedRun::RequireUnloaded() const {
  if (composition_ == nullptr) return;
  throw StateError({.file = file_.path.string()}, "expected a run that was not loaded yet, found that it was",
                   "do this before openmi_load");
}

}  // namespace openmi
