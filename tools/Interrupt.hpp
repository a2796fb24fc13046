#pragma once

namespace openmi::tools {

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
