#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "composition/embed/EmbeddedRun.hpp"
#include "composition/run/LiveSources.hpp"
#include "composition/state/Checkpoint.hpp"
#include "python/bindings/Model.hpp"

namespace openmi::python {

/// A run that Python drives: an EmbeddedRun, and the Python functions that it calls.
///
/// The engine runs without the GIL. A call releases it first and then waits for other threads that use the run, and
/// takes it back only round Python code. What Python code raises that the run called (progress, rows) ends the run, or
/// the call, and is raised again by the call.
class RunHandle {
 public:
  /// \param options  keyword arguments of the Python class; see `python/openmi/run.py`
  RunHandle(const Model& model, const Variables& variables, const pybind11::dict& options);
  RunHandle(const RunHandle&) = delete;
  RunHandle& operator=(const RunHandle&) = delete;
  /// A handle that ends the run, if it was begun, without the GIL.
  static std::shared_ptr<RunHandle> Make(const Model& model, const Variables& variables, const pybind11::dict& options);

  /// Does `work(EmbeddedRun&)` without the GIL, when no other thread uses the run.
  template <class Work>
  auto Alone(Work&& work) {
    try {
      const auto done = Apart(work);
      ThrowRaised();
      return done;
    } catch (...) {
      ThrowRaised();  // it is the cause
      throw;
    }
  }
  /// The same for work of a moment that calls no Python code: with the GIL, unless another thread uses the run.
  template <class Work>
  auto Briefly(Work&& work) {
    if (const auto lock = run_->TryLock()) return work(*run_);
    return Alone(work);
  }
  void Load();
  /// Makes passes until the run has reached `until`, or is over. Signals are looked for from time to time: what their
  /// handlers raise (KeyboardInterrupt) is raised here, after the pass.
  /// \param until  no value: to the end, and what a handler raises ends the run
  /// \returns whether there is more to do
  bool Go(std::optional<Stamp> until);
  /// Completes results and report, and finishes the components, if the run was begun. Drops the Python functions, which
  /// may hold the run, so that no cycle stays that Python does not see.
  void End();
  /// Sends the rows of an output to a Python function.
  void Observe(const std::string& item, pybind11::object function);

 private:
  using Clock = std::chrono::steady_clock;
  struct Done {};
  template <class Work>
  auto Apart(Work& work) {
    const pybind11::gil_scoped_release release;
    const auto lock = run_->Lock();
    if constexpr (std::is_void_v<std::invoke_result_t<Work, EmbeddedRun&>>) {
      work(*run_);
      return Done();
    } else {
      return work(*run_);
    }
  }
  void ThrowRaised();
  /// Calls Python code for the run; keeps what it raises, and ends the run.
  template <class Code>
  void Call(const Code& code);
  /// \returns whether a handler raised something
  bool LookForSignals();
  bool IsLookDue() const;
  void Raise(pybind11::error_already_set error);
  void WatchSources(EmbeddedRun& run);
  void Close();

  std::shared_ptr<const void> files_;     // of the composition; outlive the run
  std::unique_ptr<EmbeddedRun> run_;      // null: closed
  std::unique_ptr<LiveSources> sources_;  // of the loaded composition
  std::atomic<Clock::rep> looked_ = 0;    // for signals
  std::atomic<bool> has_raised_ = false;
  // With the GIL:
  pybind11::object progress_;
  pybind11::object waiting_;
  std::vector<pybind11::object> observers_;
  std::unique_ptr<pybind11::error_already_set> raised_;
};

}  // namespace openmi::python
