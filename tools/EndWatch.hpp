#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "composition/run/CompositionRun.hpp"

namespace openmi::tools {

/// Ends a run that was asked to end, even if a component does not return from its step.
///
/// A call of a component may continue until `patience` has passed since the request; then it is abandoned. A component
/// in a process of its own is killed with that process. A component in this process is left by its thread from a signal
/// handler, as a component that calls exit is (`CurrentComponent::GiveUp`). Both are a failure of the component, and
/// the run ends in order. A call that started less than a second ago is not abandoned yet.
///
/// Two cases cannot be abandoned: a component that blocks signals, and the run itself while it waits for a disk. A line
/// on standard error then states this, and that a second signal ends the program.
class EndWatch {
 public:
  /// \param run  borrowed
  /// \param was_signalled  whether a signal asks for the end; called some times a second
  /// \param patience  how long a call may continue after the request
  EndWatch(CompositionRun& run, std::function<bool()> was_signalled, std::chrono::duration<double> patience);
  ~EndWatch();
  EndWatch(const EndWatch&) = delete;
  EndWatch& operator=(const EndWatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  void Watch();
  /// \returns whether the watch is over
  bool WaitUntil(Clock::time_point time);
  void GiveUpLateCalls();

  CompositionRun& run_;
  std::function<bool()> was_signalled_;
  Clock::duration patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace openmi::tools
