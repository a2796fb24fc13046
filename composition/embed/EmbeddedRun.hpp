#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "composition/control/RunDesk.hpp"
#include "composition/embed/OutputView.hpp"
#include "composition/embed/openmi_c.h"
#include "composition/link/Composition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/state/Checkpoint.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"

// What the functions of openmi_c.h share. Not installed.
namespace openmi::embed {

/// Marks, as long as it lives, that this thread is inside an observer of a run: a call that needs the run would wait
/// for itself.
class ObserverCall {
 public:
  explicit ObserverCall(const openmi_run& run) : run_(run), outer_(innermost_) { innermost_ = this; }
  ~ObserverCall() { innermost_ = outer_; }
  ObserverCall(const ObserverCall&) = delete;
  ObserverCall& operator=(const ObserverCall&) = delete;

  /// Requires that this thread is not inside an observer of a run.
  /// \param run  compared only, not used
  /// \throws StateError  it is
  static void RequireOutside(const openmi_run* run);

 private:
  inline static thread_local const ObserverCall* innermost_ = nullptr;
  const openmi_run& run_;
  const ObserverCall* outer_;  // of another run, whose observer steps this run
};

/// Passes the rows of one output to a function of the caller.
class Watcher final : public openmi::IRowListener {
 public:
  /// \param run            the run of the output; borrowed
  /// \param observer       the function
  /// \param user           passed to the function
  /// \param one_at_a_time  locks all observers of the run, since components may publish at the same time; borrowed
  Watcher(const openmi_run& run, openmi_observer observer, void* user, std::mutex& one_at_a_time)
      : run_(run), observer_(observer), user_(user), one_at_a_time_(one_at_a_time) {}
  void OnRow(openmi::Stamp begin, openmi::Days duration, std::span<const double> row) override {
    const std::lock_guard lock(one_at_a_time_);
    const ObserverCall inside(run_);
    observer_(user_, (begin + duration).mjd, duration.count, row.data(), row.size());
  }

 private:
  const openmi_run& run_;
  openmi_observer observer_;
  void* user_;
  std::mutex& one_at_a_time_;
};

/// A state, with its bytes after they were asked for.
struct KeptState {
  openmi::Checkpoint state;
  Bytes bytes;
};

}  // namespace openmi::embed

/// What a handle of the C interface points to.
struct openmi_run {
  std::mutex mutex;
  std::mutex observing;
  openmi::CompositionFile file;
  openmi::Variables variables;
  openmi::RunOptions options;
  openmi::Problems problems;  // until the run takes them over
  std::unique_ptr<openmi::Composition> composition;
  std::unique_ptr<openmi::CompositionRun> run;
  std::unique_ptr<openmi::RunDesk> desk;
  std::optional<openmi::RunRecord> record;  // set when the run was ended
  std::vector<std::pair<openmi::OutputProxy*, std::unique_ptr<openmi::embed::Watcher>>> watchers;
  std::vector<std::pair<openmi::ItemSpec, openmi::SuppliedBetween>> supplied;
  std::vector<openmi::OutputView> views;
  std::map<int, openmi::embed::KeptState> states;
  int last_state = 0;

  ~openmi_run() {
    desk.reset();
    for (auto& [proxy, watcher] : watchers) proxy->RemoveListener(*watcher);
    run.reset();
  }
  openmi::Composition& Loaded() {
    if (composition == nullptr) {
      throw openmi::StateError({.file = file.path.string()}, "expected a run that was loaded, found one that was not",
                               "call openmi_load");
    }
    return *composition;
  }
  openmi::embed::KeptState& State(int number) {
    const auto found = states.find(number);
    if (found == states.end()) {
      throw openmi::RangeError({.file = file.path.string()},
                               fmt::format("expected the number of a kept state, found {}", number),
                               "use what openmi_keep_state gave, until openmi_drop_state");
    }
    return found->second;
  }
  openmi::CompositionRun& Begun() {
    Loaded();
    if (run == nullptr || run->State() == openmi::RunState::Created || record) {
      throw openmi::StateError({.file = file.path.string()},
                               record ? "expected a run that goes on, found one that was ended"
                                      : "expected a run that was begun, found one that was not",
                               record ? "open it again" : "call openmi_begin");
    }
    return *run;
  }
  void RequireUnloaded() const {
    if (composition == nullptr) return;
    throw openmi::StateError({.file = file.path.string()}, "expected a run that was not loaded yet, found that it was",
                             "do this before openmi_load");
  }
  const openmi::Problems& All() const {
    if (record) return record->problems;
    return run != nullptr ? run->Record().problems : problems;
  }
  const openmi::Instance& Component(int number) {
    const auto& instances = Loaded().Instances();
    if (number < 0 || static_cast<std::size_t>(number) >= instances.size()) {
      throw openmi::RangeError({.file = file.path.string()},
                               fmt::format("expected a component from 0 to {}, found {}",
                                           static_cast<std::ptrdiff_t>(instances.size()) - 1, number),
                               "see openmi_component_count");
    }
    return instances[static_cast<std::size_t>(number)];
  }
};

namespace openmi::embed {

/// The last error of the calling thread.
std::string& LastError();

/// All open handles. Any other pointer is refused.
class Handles {
 public:
  openmi_run* Add(std::shared_ptr<openmi_run> run) {
    const std::lock_guard lock(mutex_);
    openmi_run* handle = run.get();
    runs_[handle] = std::move(run);
    return handle;
  }
  std::shared_ptr<openmi_run> Find(openmi_run* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = runs_.find(handle);
    return found == runs_.end() ? nullptr : found->second;
  }
  std::shared_ptr<openmi_run> Remove(openmi_run* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = runs_.find(handle);
    if (found == runs_.end()) return nullptr;
    auto run = std::move(found->second);
    runs_.erase(found);
    return run;
  }

 private:
  std::mutex mutex_;
  std::map<openmi_run*, std::shared_ptr<openmi_run>> runs_;
};

Handles& TheHandles();

/// Does `work`, which returns the result. If it throws, the error becomes the last error, and the result is -1.
template <class Work>
int Guarded(Work&& work) noexcept {
  try {
    return work();
  } catch (const std::exception& error) {
    try {
      LastError() = error.what();
    } catch (...) {  // NOLINT(bugprone-empty-catch): no memory for the words
    }
  } catch (...) {
    LastError() = "an exception that is not a std::exception";
  }
  return -1;
}

/// The same for a checked handle, with one caller at a time.
template <class Work>
int With(openmi_run* handle, Work&& work) noexcept {
  return Guarded([&]() -> int {
    const auto run = TheHandles().Find(handle);
    if (run == nullptr) {
      throw ArgumentError({.item = "run"},
                          handle == nullptr ? "expected a run, found a null pointer"
                                            : "expected a run, found a handle that is not open",
                          "use what openmi_open gave, until openmi_close");
    }
    ObserverCall::RequireOutside(handle);
    const std::lock_guard lock(run->mutex);
    return work(*run);
  });
}

/// The text of a pointer.
/// \throws ArgumentError  `text` is null
std::string Needed(const char* text, const char* name);

template <class Pointer>
void Need(Pointer pointer, const char* name) {
  if (pointer == nullptr) throw ArgumentError({.item = name}, "expected a place to use, found a null pointer");
}

/// Copies what fits into `buffer`, ended by a zero.
/// \returns the length of the whole text
int Copy(const std::string& text, char* buffer, std::size_t size);

/// The desk of a run.
/// \throws StateError  the check found errors
RunDesk& Desk(openmi_run& run);

}  // namespace openmi::embed
