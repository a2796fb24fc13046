#pragma once

#include <Python.h>

#include <string>

#include "openmi/c/openmi_component.h"

namespace openmi::interpreter {

class Instance;

/// What Python knows of an input or output, as `openmi.Input` and `openmi.Output`.
///
/// Its arrays lie over the rows of the engine. Python may keep them longer than the rows live, so each item has two
/// arrays: `inner` over the row, and `outer`, a view of it, which is given away. A slice of `outer` refers to `inner`.
/// After the call of the component, an `outer` that is kept gets a copy of its own, and a kept slice is an error.
struct Item {
  PyObject_HEAD Instance* owner;  ///< null: the component is gone
  int number;                     ///< in the interface for C
  int type;                       ///< openmi_type
  bool is_output;
  Py_ssize_t count;       ///< elements; 1 for a single value without a place
  PyObject* id;           ///< str
  PyObject* unit;         ///< str
  PyObject* elements;     ///< what was given in the declaration, or None
  PyObject* inner;        ///< array over the row, null before there was one
  PyObject* outer;        ///< the view of it that Python has
  PyObject* shown;        ///< the array whose memory is the row of the output; null: none
  std::uint64_t written;  ///< of an output: the call of the component in which it was written
  bool is_touched;        ///< arrays were given away in this call
};

/// What Python knows of an argument, as `openmi.Argument`.
struct ArgumentItem {
  PyObject_HEAD Instance* owner;  ///< null: the component is gone
  int number;
  int type;
  PyObject* id;  ///< str
};

/// Adds the types `Input`, `Output` and `Argument` to the module.
/// \returns false: a Python error is set
bool AddItemTypes(PyObject* module);

/// A new item, or null with a Python error.
/// \param elements  borrowed
Item* MakeItem(Instance& owner, bool is_output, int number, int type, Py_ssize_t count, const std::string& id,
               const std::string& unit, PyObject* elements);
/// A new argument, or null with a Python error.
ArgumentItem* MakeArgument(Instance& owner, int number, int type, const std::string& id);

/// Makes kept arrays independent of the rows.
/// \returns false, with a Python error: a slice was kept
bool Settle(Item& item);
/// Drops the arrays of an item without a look; for when the component is destroyed.
void Forget(Item& item);

}  // namespace openmi::interpreter
