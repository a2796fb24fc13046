#include "python-bridge/module/Instance.hpp"

#include <pybind11/pybind11.h>

#include "python-bridge/module/Host.hpp"

namespace openmi::interpreter {
namespace py = pybind11;

Instance::~Instance() {
  for (Item* item : items_) {
    item->array.Forget();
    item->owner = nullptr;
    Py_DECREF(item);
  }
  for (ArgumentItem* argument : arguments_) {
    argument->owner = nullptr;
    Py_DECREF(argument);
  }
  if (host != nullptr) EndHost(host);
  Py_XDECREF(host);
  Py_XDECREF(unit);
  Py_XDECREF(compute);
  Py_XDECREF(object);
}

void Instance::Touch(Item& item) {
  if (item.is_touched) return;
  item.is_touched = true;
  touched_.push_back(&item);
}

bool Instance::EndCall() {
  bool is_well = true;
  for (Item* item : touched_) {
    item->is_touched = false;
    Py_CLEAR(item->shown_before);
    if (is_well && !item->array.Settle(item->id)) is_well = false;
  }
  touched_.clear();
  if (!is_well) is_open = false;
  return is_well;
}

void Instance::DropItemsFrom(std::size_t count) {
  while (items_.size() > count) {
    Item* const item = items_.back();
    items_.pop_back();
    item->array.Forget();
    item->owner = nullptr;
    Py_DECREF(item);
  }
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

}  // namespace openmi::interpreter
