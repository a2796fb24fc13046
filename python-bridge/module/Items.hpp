#pragma once

#include <Python.h>

#include <string>

#include "openmi/c/openmi_component.h"
#include "python-bridge/module/RowArray.hpp"

namespace openmi::interpreter {

class Instance;

/// What Python knows of an input or output, as `openmi.Input` and `openmi.Output`.
struct Item {
  PyObject_HEAD Instance* owner;  ///< null: the component is gone
  int number;                     ///< in the interface for C
  int type;                       ///< openmi_type
  bool is_output;
  Py_ssize_t count;        ///< elements; 1 for a single value without a place
  PyObject* id;            ///< str
  PyObject* unit;          ///< str
  PyObject* elements;      ///< what was given in the declaration, or None
  RowArray array;          ///< of its values
  PyObject* shown_before;  ///< that of the row before, until the call ends; null: none
  PyObject* shown;         ///< the array whose memory is the row of the output; null: none
  std::uint64_t written;   ///< of an output: the call of the component in which it was written
  bool is_touched;         ///< arrays were given away in this call
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

}  // namespace openmi::interpreter
