#pragma once

#include <Python.h>

namespace openmi::interpreter {

/// Holds the interpreter's lock (GIL) while it lives, on any thread.
///
/// A thread keeps its thread state until it ends: making one for each call would take longer than a step.
class Gil {
 public:
  Gil() : state_((KeepThreadState(), PyGILState_Ensure())) {}
  ~Gil() { PyGILState_Release(state_); }
  Gil(const Gil&) = delete;
  Gil& operator=(const Gil&) = delete;

 private:
  static void KeepThreadState();

  PyGILState_STATE state_;
};

}  // namespace openmi::interpreter
