#include "python-bridge/module/Items.hpp"

#define PY_ARRAY_UNIQUE_SYMBOL openmi_component_numpy
#define NO_IMPORT_ARRAY
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <fmt/format.h>
#include <numpy/arrayobject.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "python-bridge/module/Instance.hpp"

namespace openmi::interpreter {
namespace {

PyTypeObject* input_type = nullptr;
PyTypeObject* output_type = nullptr;
PyTypeObject* argument_type = nullptr;

Item* AsItem(PyObject* self) {
  return reinterpret_cast<Item*>(self);
}

const char* TextOf(PyObject* text) {
  const char* const utf8 = PyUnicode_AsUTF8(text);
  return utf8 != nullptr ? utf8 : "?";
}

/// The component, if it is there; else a Python error is set.
Instance* OwnerOf(const Item& item) {
  if (item.owner != nullptr) [[likely]]
    return item.owner;
  SetError("StateError", "expected the item to be used while its component exists, found the component gone",
           "copy the values that are needed later", item.id);
  return nullptr;
}

bool HoldsNumbers(const Item& item) {
  return item.type != OPENMI_TEXT && item.type != OPENMI_BYTES;
}

/// The array of an item over a row. Those of inputs are never writable, those of outputs always.
PyObject* ArrayOver(Item& item, void* row, bool is_writable) {
  PyObject* const array = item.array.Over(row, item.count, is_writable, item.id);
  if (array != nullptr) item.owner->Touch(item);
  return array;
}

bool IsWritten(const Item& item) {
  return item.written == item.owner->Call();
}

const double* InputRow(Item& item) {
  Instance* const owner = OwnerOf(item);
  if (owner == nullptr) return nullptr;
  const double* const row = owner->Host().input_row(owner->Me(), item.number, nullptr);
  if (row == nullptr) SetRefused(owner->Host());
  return row;
}

/// Keeps the array of the last row until the call ends: the engine reads it as long as there is no new row.
void KeepShown(Item& item) {
  if (item.shown_before == nullptr) {
    item.shown_before = std::exchange(item.shown, nullptr);
    item.owner->Touch(item);
  } else {
    Py_CLEAR(item.shown);
  }
}

/// The row of an output to write. It holds anything.
double* RowToWrite(Item& item) {
  Instance* const owner = OwnerOf(item);
  if (owner == nullptr) return nullptr;
  double* const row = owner->Host().output_row(owner->Me(), item.number, nullptr);
  if (row == nullptr) {
    SetRefused(owner->Host());
    return nullptr;
  }
  if (item.shown != nullptr) KeepShown(item);
  item.written = owner->Call();
  return row;
}

/// The last row of an output; null without an error if there is none yet.
const double* LastRow(Item& item) {
  Instance* const owner = item.owner;
  std::size_t count = 0;
  const double* const row = owner->Host().last_row(owner->Me(), item.number, &count);
  return count == 0 ? nullptr : row;
}

bool RequireSingle(const Item& item) {
  if (item.count == 1) [[likely]]
    return true;
  SetError("RangeError", fmt::format("expected one value, found {} elements", item.count),
           "use 'values', which is an array", item.id);
  return false;
}

// Texts and bytes.

PyObject* TextAt(Item& item, std::size_t element) {
  Instance* const owner = item.owner;
  std::size_t size = 0;
  const void* const bytes = owner->Host().input_bytes(owner->Me(), item.number, element, &size);
  if (bytes == nullptr) Py_RETURN_NONE;
  const auto* const text = static_cast<const char*>(bytes);
  const auto length = static_cast<Py_ssize_t>(size);
  return item.type == OPENMI_TEXT ? PyUnicode_DecodeUTF8(text, length, "replace")
                                  : PyBytes_FromStringAndSize(text, length);
}

bool SetTextAt(Item& item, std::size_t element, PyObject* value) {
  Instance* const owner = item.owner;
  const char* bytes = nullptr;
  Py_ssize_t size = 0;
  Py_buffer buffer = {};
  if (value == Py_None) {
  } else if (item.type == OPENMI_TEXT) {
    if (PyUnicode_Check(value) == 0) {
      SetError("TypeError", fmt::format("expected a str, found {}", Py_TYPE(value)->tp_name), "give a text", item.id);
      return false;
    }
    bytes = PyUnicode_AsUTF8AndSize(value, &size);
    if (bytes == nullptr) return false;
  } else {
    if (PyObject_GetBuffer(value, &buffer, PyBUF_SIMPLE) != 0) {
      PyErr_Clear();
      SetError("TypeError", fmt::format("expected bytes, found {}", Py_TYPE(value)->tp_name), "give bytes", item.id);
      return false;
    }
    bytes = buffer.buf != nullptr ? static_cast<const char*>(buffer.buf) : "";
    size = buffer.len;
  }
  const int result = owner->Host().set_bytes(owner->Me(), item.number, element, bytes, static_cast<std::size_t>(size));
  if (buffer.obj != nullptr) PyBuffer_Release(&buffer);
  if (result == 0) return true;
  SetRefused(owner->Host());
  return false;
}

// Attributes.

PyObject* Number(const Item& item, double value) {
  if (item.type != OPENMI_NUMBER && std::isnan(value)) Py_RETURN_NONE;
  if (item.type == OPENMI_BOOLEAN && (value == 0.0 || value == 1.0)) return PyBool_FromLong(value != 0.0);
  if (item.type == OPENMI_INTEGER && std::isfinite(value)) return PyLong_FromDouble(value);
  return PyFloat_FromDouble(value);
}

PyObject* InputValue(PyObject* self, void*) {
  Item& item = *AsItem(self);
  if (!RequireSingle(item)) return nullptr;
  if (!HoldsNumbers(item)) return OwnerOf(item) == nullptr ? nullptr : TextAt(item, 0);
  const double* const row = InputRow(item);
  return row == nullptr ? nullptr : Number(item, *row);
}

PyObject* InputValues(PyObject* self, void*) {
  Item& item = *AsItem(self);
  if (HoldsNumbers(item)) {
    const double* const row = InputRow(item);
    return row == nullptr ? nullptr : ArrayOver(item, const_cast<double*>(row), false);
  }
  if (OwnerOf(item) == nullptr) return nullptr;
  PyObject* const list = PyList_New(item.count);
  for (Py_ssize_t i = 0; list != nullptr && i < item.count; ++i) {
    PyList_SET_ITEM(list, i, TextAt(item, static_cast<std::size_t>(i)));
  }
  return list;
}

PyObject* IsLinked(PyObject* self, void*) {
  Item& item = *AsItem(self);
  Instance* const owner = OwnerOf(item);
  if (owner == nullptr) return nullptr;
  return PyBool_FromLong(owner->Host().is_linked(owner->Me(), item.number));
}

PyObject* RefuseToRead(const Item& item) {
  SetError("StateError", "expected an output of texts or bytes to be set, found it read", "keep the value yourself",
           item.id);
  return nullptr;
}

PyObject* OutputValue(PyObject* self, void*) {
  Item& item = *AsItem(self);
  if (OwnerOf(item) == nullptr || !RequireSingle(item)) return nullptr;
  if (!HoldsNumbers(item)) return RefuseToRead(item);
  const double* const row = IsWritten(item) ? RowToWrite(item) : LastRow(item);
  if (row != nullptr) return Number(item, *row);
  return PyErr_Occurred() != nullptr ? nullptr : PyFloat_FromDouble(std::numeric_limits<double>::quiet_NaN());
}

int CannotDelete() {
  PyErr_SetString(PyExc_AttributeError, "cannot delete a value");
  return -1;
}

int SetOutputValue(PyObject* self, PyObject* value, void*) {
  Item& item = *AsItem(self);
  if (value == nullptr) return CannotDelete();
  if (OwnerOf(item) == nullptr || !RequireSingle(item)) return -1;
  if (!HoldsNumbers(item)) return SetTextAt(item, 0, value) ? 0 : -1;
  const double number = value == Py_None ? std::numeric_limits<double>::quiet_NaN() : PyFloat_AsDouble(value);
  if (number == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    SetError("TypeError", fmt::format("expected a number, found {}", Py_TYPE(value)->tp_name),
             "give one number, or None for a missing one", item.id);
    return -1;
  }
  double* const row = RowToWrite(item);
  if (row == nullptr) return -1;
  *row = number;
  return 0;
}

PyObject* WritableRow(Item& item, bool with_last_values) {
  const bool is_new = !IsWritten(item);
  double* const row = RowToWrite(item);
  if (row == nullptr) return nullptr;
  if (with_last_values && is_new) {
    const double* const last = LastRow(item);
    for (Py_ssize_t i = 0; i < item.count; ++i) {
      row[i] = last != nullptr ? last[i] : std::numeric_limits<double>::quiet_NaN();
    }
  }
  return ArrayOver(item, row, true);
}

PyObject* OutputValues(PyObject* self, void*) {
  Item& item = *AsItem(self);
  if (OwnerOf(item) == nullptr) return nullptr;
  if (!HoldsNumbers(item)) return RefuseToRead(item);
  return WritableRow(item, true);
}

/// The values as an array of doubles in one piece; null with an error if they are no numbers.
PyArrayObject* Doubles(const Item& item, PyObject* values) {
  PyObject* const given = PyArray_FROM_O(values);
  if (given == nullptr) return nullptr;
  auto* const array = reinterpret_cast<PyArrayObject*>(given);
  const int type = PyArray_TYPE(array);
  if (!PyTypeNum_ISINTEGER(type) && !PyTypeNum_ISFLOAT(type) && !PyTypeNum_ISBOOL(type)) {
    PyObject* const name = PyObject_Str(reinterpret_cast<PyObject*>(PyArray_DESCR(array)));
    SetError("TypeError", fmt::format("expected numbers, found values of the dtype {}", name ? TextOf(name) : "?"),
             "convert them, as by numpy.asarray(values, dtype=float)", item.id);
    Py_XDECREF(name);
    Py_DECREF(given);
    return nullptr;
  }
  PyObject* const doubles = PyArray_FROM_OTF(given, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST);
  Py_DECREF(given);
  return reinterpret_cast<PyArrayObject*>(doubles);
}

void RefuseLength(const Item& item, PyArrayObject* array) {
  PyObject* const shape = PyObject_GetAttrString(reinterpret_cast<PyObject*>(array), "shape");
  PyObject* const text = shape != nullptr ? PyObject_Str(shape) : nullptr;
  SetError("RangeError",
           fmt::format("expected {} values, one for each element, found an array of the shape {}", item.count,
                       text != nullptr ? TextOf(text) : "?"),
           "give an array of that length, or one number for all", item.id);
  Py_XDECREF(text);
  Py_XDECREF(shape);
}

int SetOutputValues(PyObject* self, PyObject* values, void*) {
  Item& item = *AsItem(self);
  if (values == nullptr) return CannotDelete();
  if (OwnerOf(item) == nullptr) return -1;
  if (!HoldsNumbers(item)) {
    PyObject* const list = PySequence_Fast(values, "expected a list of texts or bytes");
    if (list == nullptr) return -1;
    bool is_well = PySequence_Fast_GET_SIZE(list) == item.count;
    if (!is_well) {
      SetError(
          "RangeError",
          fmt::format("expected {} values, one for each element, found {}", item.count, PySequence_Fast_GET_SIZE(list)),
          "give one for each element", item.id);
    }
    for (Py_ssize_t i = 0; is_well && i < item.count; ++i) {
      is_well = SetTextAt(item, static_cast<std::size_t>(i), PySequence_Fast_GET_ITEM(list, i));
    }
    Py_DECREF(list);
    return is_well ? 0 : -1;
  }
  if (values == item.array.outer && IsWritten(item)) return 0;  // after `values += x`, which changed the row itself
  PyArrayObject* const array = Doubles(item, values);
  if (array == nullptr) return -1;
  const npy_intp given = PyArray_SIZE(array);
  const bool is_scalar = PyArray_NDIM(array) == 0;
  if (!is_scalar && (given != item.count || PyArray_NDIM(array) != 1)) {
    RefuseLength(item, array);
    Py_DECREF(array);
    return -1;
  }
  double* const row = RowToWrite(item);
  if (row == nullptr) {
    Py_DECREF(array);
    return -1;
  }
  const auto* const from = static_cast<const double*>(PyArray_DATA(array));
  if (is_scalar) {
    for (Py_ssize_t i = 0; i < item.count; ++i) row[i] = *from;
  } else if (from != row) {
    std::memmove(row, from, static_cast<std::size_t>(item.count) * sizeof(double));
  }
  Py_DECREF(array);
  return 0;
}

PyObject* Row(PyObject* self, PyObject*) {
  Item& item = *AsItem(self);
  if (OwnerOf(item) == nullptr) return nullptr;
  if (!HoldsNumbers(item)) return RefuseToRead(item);
  return WritableRow(item, false);
}

PyObject* Last(PyObject* self, void*) {
  Item& item = *AsItem(self);
  if (OwnerOf(item) == nullptr) return nullptr;
  if (!HoldsNumbers(item)) return RefuseToRead(item);
  const double* const row = LastRow(item);
  npy_intp size = item.count;
  PyObject* const copy = PyArray_SimpleNew(1, &size, NPY_DOUBLE);
  if (copy == nullptr) return nullptr;
  auto* const values = static_cast<double*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(copy)));
  for (npy_intp i = 0; i < size; ++i) values[i] = row != nullptr ? row[i] : std::numeric_limits<double>::quiet_NaN();
  return copy;
}

PyObject* Show(PyObject* self, PyObject* values) {
  Item& item = *AsItem(self);
  Instance* const owner = OwnerOf(item);
  if (owner == nullptr) return nullptr;
  if (PyArray_Check(values) == 0 || PyArray_TYPE(reinterpret_cast<PyArrayObject*>(values)) != NPY_DOUBLE ||
      PyArray_ISCARRAY_RO(reinterpret_cast<PyArrayObject*>(values)) == 0) {
    SetError("TypeError",
             fmt::format("expected a NumPy array of doubles in one piece, found {}", Py_TYPE(values)->tp_name),
             "give such an array, or set 'values', which copies", item.id);
    return nullptr;
  }
  auto* const array = reinterpret_cast<PyArrayObject*>(values);
  if (PyArray_SIZE(array) != item.count) {
    RefuseLength(item, array);
    return nullptr;
  }
  if (owner->Host().show_row(owner->Me(), item.number, static_cast<const double*>(PyArray_DATA(array)),
                             static_cast<std::size_t>(item.count)) != 0) {
    SetRefused(owner->Host());
    return nullptr;
  }
  Py_INCREF(values);
  KeepShown(item);
  item.shown = values;
  Py_RETURN_NONE;
}

PyObject* Publish(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  Item& item = *AsItem(self);
  Instance* const owner = OwnerOf(item);
  if (owner == nullptr) return nullptr;
  if (count != 2) {
    PyErr_SetString(PyExc_TypeError, "publish takes a time (MJD) and a duration in days");
    return nullptr;
  }
  const double begin = PyFloat_AsDouble(arguments[0]);
  const double duration = PyFloat_AsDouble(arguments[1]);
  if (PyErr_Occurred() != nullptr) return nullptr;
  if (owner->Host().publish(owner->Me(), item.number, begin, duration) != 0) {
    SetRefused(owner->Host());
    return nullptr;
  }
  item.written = 0;
  if (!item.array.Settle(item.id)) return nullptr;  // the row is the engine's now
  Py_RETURN_NONE;
}

PyObject* Member(PyObject* self, void* offset) {
  PyObject* const member =
      *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(self) + reinterpret_cast<std::size_t>(offset));
  Py_INCREF(member);
  return member;
}

PyObject* CountOf(PyObject* self, PyObject*) {
  return PyLong_FromSsize_t(AsItem(self)->count);
}
Py_ssize_t LengthOf(PyObject* self) {
  return AsItem(self)->count;
}

PyObject* ItemText(PyObject* self) {
  const Item& item = *AsItem(self);
  return PyUnicode_FromFormat("<openmi.%s '%U' in '%U', %zd element%s>", item.is_output ? "Output" : "Input", item.id,
                              item.unit, item.count, item.count == 1 ? "" : "s");
}

void Free(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

void FreeItem(PyObject* self) {
  Item& item = *AsItem(self);
  item.array.Forget();
  Py_CLEAR(item.shown);
  Py_CLEAR(item.shown_before);
  Py_CLEAR(item.id);
  Py_CLEAR(item.unit);
  Py_CLEAR(item.elements);
  Free(self);
}

// Arguments.

ArgumentItem* AsArgument(PyObject* self) {
  return reinterpret_cast<ArgumentItem*>(self);
}

Instance* WithValues(const ArgumentItem& argument) {
  if (argument.owner == nullptr) {
    SetError("StateError", "expected the argument to be used while its component exists, found the component gone",
             "copy the value", argument.id);
    return nullptr;
  }
  if (argument.owner->has_values) [[likely]]
    return argument.owner;
  SetError("StateError", "expected the value of an argument to be read when users have set it, found it read in setup",
           "read it in initialize, start or step; items that depend on arguments are declared in initialize",
           argument.id);
  return nullptr;
}

PyObject* ArgumentText(ArgumentItem& argument) {
  return PyUnicode_FromString(argument.owner->Host().text(argument.owner->Me(), argument.number));
}

PyObject* ArgumentValue(PyObject* self, void*) {
  ArgumentItem& argument = *AsArgument(self);
  Instance* const owner = WithValues(argument);
  if (owner == nullptr) return nullptr;
  const openmi_host& host = owner->Host();
  if (argument.type == OPENMI_NUMBER) {
    const double number = host.number(owner->Me(), argument.number);
    if (std::isnan(number) && host.has_value(owner->Me(), argument.number) == 0) Py_RETURN_NONE;
    return PyFloat_FromDouble(number);
  }
  if (host.has_value(owner->Me(), argument.number) == 0) Py_RETURN_NONE;
  if (argument.type == OPENMI_TEXT) return ArgumentText(argument);
  const std::int64_t whole = host.integer(owner->Me(), argument.number);
  return argument.type == OPENMI_BOOLEAN ? PyBool_FromLong(whole != 0) : PyLong_FromLongLong(whole);
}

PyObject* ArgumentPath(PyObject* self, void*) {
  ArgumentItem& argument = *AsArgument(self);
  Instance* const owner = WithValues(argument);
  if (owner == nullptr) return nullptr;
  const openmi_host& host = owner->Host();
  if (host.has_value(owner->Me(), argument.number) == 0) Py_RETURN_NONE;
  const std::string text = host.text(owner->Me(), argument.number);
  PyObject* const pathlib = PyImport_ImportModule("pathlib");
  if (pathlib == nullptr) return nullptr;
  PyObject* const path = PyObject_CallMethod(pathlib, "Path", "s", host.path(owner->Me(), text.c_str()));
  Py_DECREF(pathlib);
  return path;
}

PyObject* ArgumentRepr(PyObject* self) {
  return PyUnicode_FromFormat("<openmi.Argument '%U'>", AsArgument(self)->id);
}

void FreeArgument(PyObject* self) {
  Py_CLEAR(AsArgument(self)->id);
  Free(self);
}

void* At(std::size_t offset) {
  return reinterpret_cast<void*>(offset);
}

PyGetSetDef input_attributes[] = {
    {"id", Member, nullptr, "The name of the input in links.", At(offsetof(Item, id))},
    {"unit", Member, nullptr, "The unit of its values.", At(offsetof(Item, unit))},
    {"elements", Member, nullptr, "The elements that it has values for; None: one value without a place.",
     At(offsetof(Item, elements))},
    {"value", InputValue, nullptr, "The value for this step, if there is one element; NaN or None: missing.", nullptr},
    {"values", InputValues, nullptr,
     "The values for this step, one for each element: a NumPy array over the memory of the provider, which cannot be "
     "written. Up to 256 values are a copy; more must not be kept longer than the call.\n\n"
     "Of texts and bytes, a list.",
     nullptr},
    {"is_linked", IsLinked, nullptr, "Whether something is linked to this input.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyGetSetDef output_attributes[] = {
    {"id", Member, nullptr, "The name of the output in links.", At(offsetof(Item, id))},
    {"unit", Member, nullptr, "The unit of its values.", At(offsetof(Item, unit))},
    {"elements", Member, nullptr, "The elements that it has values for; None: one value without a place.",
     At(offsetof(Item, elements))},
    {"value", OutputValue, SetOutputValue,
     "The value, if there is one element: the one that this step has set, or else the last one.", nullptr},
    {"values", OutputValues, SetOutputValues,
     "The row of this step, one value for each element, to be changed in place or set as a whole. It begins with the "
     "values of the last step. See `row` for one without them, and `show` for no copy at all.",
     nullptr},
    {"last", Last, nullptr, "A copy of the last published row.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef input_methods[] = {{"__len__", CountOf, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyMethodDef output_methods[] = {
    {"row", Row, METH_NOARGS,
     "The row of this step, where the engine keeps it. It holds anything: fill all of it, "
     "as by numpy.multiply(a, b, out=output.row())."},
    {"show", Show, METH_O,
     "Gives the output its row in an array of the component, without a copy. The array keeps its values until the next "
     "step."},
    {"publish", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(Publish)), METH_FASTCALL,
     "Publishes the row that was written at a time of its own (MJD) that lasts some days; 0: an instant. Rows that are "
     "not published are published at the end of the step."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef argument_attributes[] = {
    {"id", Member, nullptr, "The key of the argument.", At(offsetof(ArgumentItem, id))},
    {"value", ArgumentValue, nullptr, "The value, of the type that was declared; None: none.", nullptr},
    {"path", ArgumentPath, nullptr, "The value as a pathlib.Path; relative ones start at the folder of the OMI file.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

void* Slot(auto* function) {
  return reinterpret_cast<void*>(function);
}

PyTypeObject* AddType(PyObject* module, const char* name, std::size_t size, const char* doc, destructor free,
                      reprfunc repr, PyGetSetDef* attributes, PyMethodDef* methods) {
  PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>(doc)},
                         {Py_tp_dealloc, Slot(free)},
                         {Py_tp_repr, Slot(repr)},
                         {Py_tp_getset, attributes},
                         {methods != nullptr ? Py_tp_methods : 0, methods},
                         {methods != nullptr ? Py_sq_length : 0, Slot(&LengthOf)},
                         {0, nullptr}};
  PyType_Spec spec = {name, static_cast<int>(size), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject* const type = PyType_FromSpec(&spec);
  if (type == nullptr || PyModule_AddObjectRef(module, std::strrchr(name, '.') + 1, type) < 0) return nullptr;
  return reinterpret_cast<PyTypeObject*>(type);
}

}  // namespace

bool AddItemTypes(PyObject* module) {
  input_type = AddType(module, "openmi.Input", sizeof(Item), "An input of a component in Python.", FreeItem, ItemText,
                       input_attributes, input_methods);
  output_type = AddType(module, "openmi.Output", sizeof(Item), "An output of a component in Python.", FreeItem,
                        ItemText, output_attributes, output_methods);
  argument_type = AddType(module, "openmi.Argument", sizeof(ArgumentItem), "An argument of a component in Python.",
                          FreeArgument, ArgumentRepr, argument_attributes, nullptr);
  return input_type != nullptr && output_type != nullptr && argument_type != nullptr;
}

Item* MakeItem(Instance& owner, bool is_output, int number, int type, Py_ssize_t count, const std::string& id,
               const std::string& unit, PyObject* elements) {
  PyTypeObject* const of = is_output ? output_type : input_type;
  auto* const item = reinterpret_cast<Item*>(of->tp_alloc(of, 0));
  if (item == nullptr) return nullptr;
  item->owner = &owner;
  item->number = number;
  item->type = type;
  item->is_output = is_output;
  item->count = count;
  item->id = PyUnicode_FromString(id.c_str());
  item->unit = PyUnicode_FromString(unit.c_str());
  Py_INCREF(elements);
  item->elements = elements;
  return item;
}

ArgumentItem* MakeArgument(Instance& owner, int number, int type, const std::string& id) {
  auto* const argument = reinterpret_cast<ArgumentItem*>(argument_type->tp_alloc(argument_type, 0));
  if (argument == nullptr) return nullptr;
  argument->owner = &owner;
  argument->number = number;
  argument->type = type;
  argument->id = PyUnicode_FromString(id.c_str());
  return argument;
}

}  // namespace openmi::interpreter
