#include "python-bridge/module/RowArray.hpp"

#define PY_ARRAY_UNIQUE_SYMBOL openmi_component_numpy
#define NO_IMPORT_ARRAY
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>

#include <cstring>

#include "python-bridge/module/Instance.hpp"

namespace openmi::interpreter {

namespace {

constexpr Py_ssize_t kShort = 256;  // values; to copy them takes less than to look after a view

PyObject* CopyOf(const void* row, Py_ssize_t count) {
  npy_intp size = count;
  PyObject* const copy = PyArray_SimpleNew(1, &size, NPY_DOUBLE);
  if (copy == nullptr) return nullptr;
  auto* const array = reinterpret_cast<PyArrayObject*>(copy);
  std::memcpy(PyArray_DATA(array), row, static_cast<std::size_t>(count) * sizeof(double));
  PyArray_CLEARFLAGS(array, NPY_ARRAY_WRITEABLE);
  return copy;
}

/// Whether an array still has the form in which it was made: its attributes can be set.
bool IsAsMade(PyArrayObject* array, Py_ssize_t count) {
  return PyArray_NDIM(array) == 1 && PyArray_DIM(array, 0) == count && PyArray_TYPE(array) == NPY_DOUBLE &&
         PyArray_STRIDE(array, 0) == static_cast<npy_intp>(sizeof(double));
}

}  // namespace

bool RowArray::IsKept() const {
  return Py_REFCNT(outer) > 1 || Py_REFCNT(inner) > 2;  // inner: of this object and of `outer`
}

PyObject* RowArray::Over(void* row, Py_ssize_t count, bool is_writable, PyObject* id) {
  if (!is_writable && count <= kShort) return CopyOf(row, count);
  auto* const array = reinterpret_cast<PyArrayObject*>(outer);
  const bool is_as_made = array != nullptr && IsAsMade(array, count);
  if (is_as_made && PyArray_DATA(array) == row) {
    Py_INCREF(outer);
    return outer;
  }
  if (!Settle(id)) return nullptr;  // Python may hold the row that was published in this call
  if (is_as_made) {
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
  if (outer == nullptr || !IsKept()) [[likely]]
    return true;
  PyGC_Collect();  // an exception that was caught may hold the frame of a function
  if (!IsKept()) return true;
  SetError("StateError", "expected the row to be used only during the call, found it kept, or a part of it",
           "keep a copy: values.copy()", id);
  return false;
}

void RowArray::Forget() {
  Py_CLEAR(outer);
  Py_CLEAR(inner);
}

}  // namespace openmi::interpreter
