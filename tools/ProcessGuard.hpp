#pragma once

namespace openmi::tools {

/// During its life, code of components cannot end the program unnoticed.
///
/// A call of exit, quick_exit, _exit or _Exit in a component is a failure of that component
/// (`CurrentComponent::Leave`): the run ends in order and reports the component. Some calls cannot be left: in a
/// constructor of a library, or on a thread that the component started. They end the program with exit code 6 and a
/// line on standard error. Changes of the working folder and the umask within a call are noticed and reset
/// (`CurrentComponent::KeepFolder`).
///
/// The program defines and exports functions with these names; the symbols of a library are looked up in the program
/// first. A library linked with another C library, or one that makes the system call directly, is not noticed. Use
/// Isolation="process" for those.
class ProcessGuard {
 public:
  ProcessGuard();
  ~ProcessGuard();
  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;

  /// Ends the program without the exit functions of libraries; printed text is flushed.
  ///
  /// It serves a program in which a component has called exit, which leaves the component's library in an unknown
  /// state.
  [[noreturn]] static void End(int code);
};

}  // namespace openmi::tools
