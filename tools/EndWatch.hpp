#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "composition/run/CompositionRun.hpp"

namespace openmi::tools {

/// While it lives, a run that was asked to end ends, also where a component does not return from its step.
///
/// Until `patience` has passed since it was asked, a call of a component may go on; from then on it is given up. A
/// component in a process of its own is killed with that process. One in this process is left by its thread, in a
/// handler of a signal, as one that calls exit is (AtWork::GiveUp): both are a failure of the component, with which the
/// run ends in order. A call that began less than a second ago is not late yet.
///
/// What cannot be left is a component that holds signals back, and the run itself where it waits for a disk: a line on
/// standard error says so, and that a second signal ends the program.
class EndWatch {
 public:
  /// \param run           borrowed
  /// \param was_signalled  whether a signal asks for the end: looked at some times a second
  EndWatch(CompositionRun& run, std::function<bool()> was_signalled, std::chrono::duration<double> patience);
  ~EndWatch();
  EndWatch(const EndWatch&) = delete;
  EndWatch& operator=(const EndWatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  void Watch();
  /// \returns whether there is nothing to watch any more
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
