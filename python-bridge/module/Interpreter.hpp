#pragma once

#include <Python.h>

#include <string>

#include "openmi/c/openmi_component.h"

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

/// Sets the Python error `openmi.StateError` with what the host said of the last call that it refused.
void SetRefused(const openmi_host& host);
/// Sets the Python error of the class in `openmi.errors` with a problem, a remedy and an item.
void SetError(const char* type, const std::string& problem, const std::string& remedy, PyObject* item = nullptr);

/// A tuple of two numbers with names.
/// \param name  of the class in openmi.component
/// \returns a new reference
/// \throws pybind11::error_already_set
PyObject* MakePair(PyTypeObject* type, double first, double second);
/// That class.
PyTypeObject* PairType(const char* name);

}  // namespace openmi::interpreter
