#pragma once

#include <string>
#include <vector>

namespace openmi::tools {

/// Lets the program report which component was running when a library crashes the program.
///
/// It writes one line on standard error and then ends by the same signal as without it. A signal handler writes the
/// line on a separate stack, from text made before (an id, a number, write(2)), so that a full stack or a damaged heap
/// does not prevent it. Inactive under the sanitizers, whose report contains more.
void InstallCrashNote();

/// Names the components that run in other processes. If one of them is current here, the crash is the run's fault.
void NameIsolated(std::vector<std::string> components);

/// During its life, SIGINT and SIGTERM call `Stop` of the present work. Only one object at a time.
class Interrupt {
 public:
  /// \param work  borrowed; its `Stop` must be allowed in a signal handler
  template <class Work>
  explicit Interrupt(Work& work) : Interrupt(&work, [](void* one) { static_cast<Work*>(one)->Stop(); }) {}
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  Interrupt(void* work, void (*stop)(void*));
};

}  // namespace openmi::tools
