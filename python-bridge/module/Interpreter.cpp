#include "python-bridge/module/Interpreter.hpp"

#include <pybind11/pybind11.h>

namespace openmi::interpreter {
namespace py = pybind11;

namespace {

/// The thread state of a thread that Python did not start.
class ThreadState {
 public:
  ~ThreadState() {
    if (!is_ours_ || Py_IsInitialized() == 0) return;
    PyGILState_Ensure();
    PyGILState_Release(PyGILState_LOCKED);
    PyGILState_Release(PyGILState_UNLOCKED);  // the last one deletes the state
  }
  void Keep() {
    if (is_known_) [[likely]]
      return;
    is_known_ = true;
    if (PyGILState_GetThisThreadState() != nullptr) return;
    is_ours_ = true;
    PyGILState_Ensure();
    PyEval_SaveThread();
  }

 private:
  bool is_known_ = false;
  bool is_ours_ = false;
};

}  // namespace

void Gil::KeepThreadState() {
  static thread_local ThreadState state;
  state.Keep();
}

void SetError(const char* type, const std::string& problem, const std::string& remedy, PyObject* item) {
  try {
    const py::object error =
        py::module_::import("openmi.errors")
            .attr(type)(problem, remedy, py::arg("item") = item != nullptr ? py::str(item) : py::str());
    PyErr_SetObject(py::type::handle_of(error).ptr(), error.ptr());
  } catch (py::error_already_set& error) {
    error.restore();
  }
}

void SetRefused(const openmi_host& host) {
  SetError("StateError", host.last_error(), "");
}

PyTypeObject* PairType(const char* name) {
  PyObject* const type = py::module_::import("openmi.component").attr(name).cast<py::object>().release().ptr();
  return reinterpret_cast<PyTypeObject*>(type);
}

PyObject* MakePair(PyTypeObject* type, double first, double second) {
  PyObject* const pair = type->tp_alloc(type, 2);
  if (pair == nullptr) throw py::error_already_set();
  PyTuple_SET_ITEM(pair, 0, PyFloat_FromDouble(first));
  PyTuple_SET_ITEM(pair, 1, PyFloat_FromDouble(second));
  return pair;
}

}  // namespace openmi::interpreter
