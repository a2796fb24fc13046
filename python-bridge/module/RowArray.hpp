#pragma once

#include <Python.h>

namespace openmi::interpreter {

/// An array for Python over a row of the engine.
///
/// It must not be used longer than the row lives, and NumPy's objects do not tell who holds the address of its memory
/// (masked arrays, memoryviews, sliding windows). So a short row to read is copied, and a longer one that is kept after
/// the call is an error. There are two arrays: `inner` over the row, and `outer`, a view of it, which is given away; a
/// slice of `outer` refers to `inner`.
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
  /// Looks whether the array, or a part of it, is kept.
  /// \returns false, with a Python error: it is
  bool Settle(PyObject* id);
  /// Drops the arrays without a look; for when the component is destroyed.
  void Forget();

 private:
  bool IsKept() const;
};

}  // namespace openmi::interpreter
