#pragma once

namespace openmi::tools {

/// While it lives, code of components cannot end the program unseen: exit, quick_exit, _exit and _Exit, called while a
/// component is at work, are a failure of that component (AtWork::Leave), so that the run ends in order and says which
/// it was. What a component calls where it cannot be left (a constructor of its library), or on a thread of its own,
/// ends the program with exit code 6 and a line on standard error. Changes of the working folder and the umask within a
/// call are seen too, and set back (AtWork::KeepFolder).
///
/// This works since the program defines functions of these names and exports them: what a library calls is looked up in
/// the program first. A library that was linked with a C library of its own, or makes the system call itself, is not
/// seen; Isolation="process" is for those.
class ProcessGuard {
 public:
  ProcessGuard();
  ~ProcessGuard();
  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;

  /// Ends the program without what libraries do at its end: for a program in which a component called exit, which has
  /// left its library in an unknown state. What was printed is flushed.
  [[noreturn]] static void End(int code);
};

}  // namespace openmi::tools
