#pragma once

#include <Python.h>

namespace openmi::interpreter {

/// An array for Python over a row of the engine.
///
/// Python may keep it longer than the row lives, so there are two arrays: `inner` over the row, and `outer`, a view of
/// it, which is given away. A slice of `outer` refers to `inner`. After the call of the component, an `outer` that is
/// kept gets a copy of its own, and a kept slice is an error.
///
/// A plain struct, as it is part of objects that Python allocates as zeros.
struct RowArray {
  PyObject* inner;  ///< null before there was a row
  PyObject* outer;

  /// Points the array to a row.
  /// \param id  of the item, for errors; a str or null
  /// \param is_writable  always the same for one array
  /// \returns a new reference to the array for Python; null with an error
  PyObject* Over(void* row, Py_ssize_t count, bool is_writable, PyObject* id);
  /// Makes kept arrays independent of the row.
  /// \returns false, with a Python error: a slice was kept
  bool Settle(PyObject* id);
  /// Drops the arrays without a look; for when the component is destroyed.
  void Forget();

 private:
  bool IsSliceKept() const;
};

}  // namespace openmi::interpreter
