#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "composition/control/RunDesk.hpp"
#include "composition/link/Composition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// A composition with its run, as a program around it drives them: from C, and from Python.
///
/// Order of calls: settings; Load; SupplyInput's values and observers; Begin; Step, and what Begun and Desk offer; End.
/// A call out of order is a StateError. One thread at a time calls, and holds what Lock returns.
class EmbeddedRun {
 public:
  /// Receives a row of an output. Its span is valid during the call.
  using RowObserver = std::function<void(Stamp begin, Days duration, std::span<const double> row)>;

  /// No results are written, unless Options says so.
  /// \param file      the composition
  /// \param problems  found when it was read
  explicit EmbeddedRun(CompositionFile file, Problems problems = {});
  EmbeddedRun(const EmbeddedRun&) = delete;
  EmbeddedRun& operator=(const EmbeddedRun&) = delete;
  ~EmbeddedRun();

  /// Waits until no other thread uses the run, and locks it.
  /// \throws StateError  this thread is inside a function that the run called (Calling), so it would wait for itself
  std::unique_lock<std::mutex> Lock();
  /// Locks the run if no other thread uses it; else what is returned owns no lock. Throws as Lock.
  std::unique_lock<std::mutex> TryLock();
  /// Marks, as long as it lives, that this thread is inside a function that the run called.
  class Calling {
   public:
    explicit Calling(const EmbeddedRun& run) : run_(run), outer_(innermost_) { innermost_ = this; }
    ~Calling() { innermost_ = outer_; }
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;

   private:
    friend class EmbeddedRun;
    inline static thread_local const Calling* innermost_ = nullptr;
    const EmbeddedRun& run_;
    const Calling* outer_;  // of another run, whose observer steps this run
  };

  const CompositionFile& File() const { return composition_ != nullptr ? composition_->File() : file_; }
  /// The composition as it will be loaded, to be changed before Load.
  CompositionFile& Settings();
  /// What holds in addition to the file, to be changed before Load.
  RunOptions& Options();
  /// Sets the value of `${name}`. To be called before Load.
  void SetVariable(const std::string& name, std::string value);
  /// Sets an argument of a component: before Load in place of the file's; afterwards as RunDesk::SetArgument.
  /// \throws ArgumentError  there is no such component or argument
  void SetArgument(const std::string& component, const std::string& key, const std::string& value);
  /// States that the program supplies the values of an input. To be called before Load, which checks whether this is
  /// possible.
  /// \param item  "component.item"
  void SupplyInput(const std::string& item, SuppliedBetween between);

  /// Loads, links and checks.
  /// \throws FormatError  there are errors among the problems
  void Load();
  /// The problems so far, of the check and of the run.
  const Problems& AllProblems() const;
  /// Sends each row of an output to `observer`, in order, one row at a time, from within Begin and Step. To be called
  /// after Load and before Begin. What the observer throws ends the run, as a component that fails does.
  void Observe(const std::string& item, RowObserver observer);
  /// Prepares the components and opens the results.
  /// \throws FormatError  a component could not be prepared
  void Begin();
  /// Makes passes.
  /// \param most  see CompositionRun::Advance
  /// \returns whether there is more to do
  /// \throws ModelError  a component failed: the run is over
  bool Step(std::size_t most = 1);
  /// Steps until the run has reached `time` (UTC), or is over. Returns and throws as Step.
  bool StepUntil(Stamp time);
  /// Completes results and report, and finishes the components.
  /// \throws FileError  the results cannot be written; the components are finished nevertheless
  const RunRecord& End();
  /// Ends a run that was begun and not ended; does nothing else. Throws as End.
  void EndIfBegun();
  /// The record of a run that was ended; null before.
  const RunRecord* Record() const { return record_ ? &*record_ : nullptr; }
  /// The series of that record, which has none afterwards: they may be large.
  std::vector<RecordedSeries> TakeSeries();

  /// The composition.
  /// \throws StateError  it was not loaded
  Composition& Loaded();
  /// What may be done with a loaded run between two steps.
  /// \throws StateError  it was not loaded, or the check found errors
  RunDesk& Desk();
  /// The loaded run, begun or not.
  /// \throws StateError  see Desk
  CompositionRun& Run();
  /// A run that goes on.
  /// \throws StateError  it was not begun, or was ended
  CompositionRun& Begun();

 private:
  class Watcher;
  void RequireOutside() const;
  void RequireUnloaded() const;

  std::mutex mutex_;
  std::mutex observing_;
  CompositionFile file_;
  Variables variables_;
  RunOptions options_;
  Problems problems_;  // until the run takes them over
  std::vector<std::pair<ItemSpec, SuppliedBetween>> supplied_;
  std::unique_ptr<Composition> composition_;
  std::unique_ptr<CompositionRun> run_;
  std::unique_ptr<RunDesk> desk_;
  std::optional<RunRecord> record_;  // set when the run was ended
  std::vector<std::pair<OutputProxy*, std::unique_ptr<Watcher>>> watchers_;
};

}  // namespace openmi
