#pragma once

#include <pybind11/pybind11.h>

#include <exception>

#include "python-bridge/module/Instance.hpp"
#include "python-bridge/module/Types.hpp"

namespace openmi::interpreter {

inline Instance* InstanceOf(openmi_instance* me) {
  return static_cast<Instance*>(me->data);
}

/// Reports the Python error that is set as the failure of the function of a component or adaptor.
/// \returns -1
inline int Fail(openmi_instance* me, const char* function) {
  const auto fail = [](void* to, const openmi_report* report) {
    auto* const failed = static_cast<openmi_instance*>(to);
    failed->host->fail(failed, report);
  };
  ReportError(function, InstanceOf(me)->Class(), fail, me);
  return -1;
}

/// Does `work`, which calls Python, and reports what it raises as the failure of the component.
template <class Work>
int Call(openmi_instance* me, const char* function, Work&& work) {
  const Gil gil;
  Instance* const instance = InstanceOf(me);
  if (instance == nullptr || !instance->is_open) return -1;
  instance->BeginCall();
  bool is_done = false;
  try {
    work(*instance);
    is_done = true;
  } catch (pybind11::error_already_set& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  if (is_done && instance->EndCall()) return 0;
  Fail(me, function);
  if (!is_done && !instance->EndCall()) PyErr_Clear();  // the first reason counts
  return -1;
}

/// Makes the object of the class, and calls its `setup`.
/// \param compute  the name of the function that is called most
int SetUp(openmi_instance* me, const char* compute);

}  // namespace openmi::interpreter
