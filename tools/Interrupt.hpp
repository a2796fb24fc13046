#pragma once

namespace openmi::tools {

/// While it lives, SIGINT and SIGTERM call `Stop` of the work under way. One at a time.
class Interrupt {
 public:
  /// \param work  borrowed; its Stop must be allowed in a signal handler
  template <class Work>
  explicit Interrupt(Work& work) : Interrupt(&work, [](void* one) { static_cast<Work*>(one)->Stop(); }) {}
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  Interrupt(void* work, void (*stop)(void*));
};

}  // namespace openmi::tools
