#include "python-bridge/module/RowArray.hpp"

#define PY_ARRAY_UNIQUE_SYMBOL openmi_component_numpy
#define NO_IMPORT_ARRAY
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>

#include "python-bridge/module/Instance.hpp"

namespace openmi::interpreter {

bool RowArray::IsSliceKept() const {
  return Py_REFCNT(inner) > 2;  // of this object and of `outer`
}

PyObject* RowArray::Over(void* row, Py_ssize_t count, bool is_writable, PyObject* id) {
  auto* const array = reinterpret_cast<PyArrayObject*>(outer);
  const bool is_right_length = array != nullptr && PyArray_SIZE(array) == count;
  if (is_right_length && PyArray_DATA(array) == row) {
    Py_INCREF(outer);
    return outer;
  }
  if (!Settle(id)) return nullptr;  // Python may hold the row that was published in this call
  if (outer != nullptr && is_right_length) {
    for (PyObject* one : {inner, outer}) {
      reinterpret_cast<PyArrayObject_fields*>(one)->data = static_cast<char*>(row);
    }
    Py_INCREF(outer);
    return outer;
  }
  Forget();
  npy_intp size = count;
  const int flags = is_writable ? NPY_ARRAY_CARRAY : NPY_ARRAY_CARRAY_RO;
  inner = PyArray_New(&PyArray_Type, 1, &size, NPY_DOUBLE, nullptr, row, 0, flags, nullptr);
  if (inner == nullptr) return nullptr;
  outer = PyArray_New(&PyArray_Type, 1, &size, NPY_DOUBLE, nullptr, row, 0, flags, nullptr);
  if (outer == nullptr) return nullptr;
  Py_INCREF(inner);
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(outer), inner) < 0) return nullptr;
  Py_INCREF(outer);
  return outer;
}

bool RowArray::Settle(PyObject* id) {
  if (outer == nullptr || (Py_REFCNT(outer) == 1 && !IsSliceKept())) [[likely]]
    return true;
  if (IsSliceKept()) PyGC_Collect();  // an exception that was caught may hold the frame of a function
  if (IsSliceKept()) {
    SetError("StateError", "expected the row to be used only during the call, found a part of it kept",
             "keep a copy: values[...].copy()", id);
    return false;
  }
  if (Py_REFCNT(outer) == 1) return true;
  // The array that is kept gets memory of its own, which its base frees.
  auto* const kept = reinterpret_cast<PyArrayObject*>(outer);
  PyObject* const copy = PyArray_NewCopy(kept, NPY_CORDER);
  if (copy == nullptr) return false;
  auto* const fields = reinterpret_cast<PyArrayObject_fields*>(kept);
  fields->data = static_cast<char*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(copy)));
  Py_SETREF(fields->base, copy);
  Forget();
  return true;
}

void RowArray::Forget() {
  Py_CLEAR(outer);
  Py_CLEAR(inner);
}

}  // namespace openmi::interpreter
