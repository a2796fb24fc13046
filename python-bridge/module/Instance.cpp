#include "python-bridge/module/Instance.hpp"

namespace openmi::interpreter {
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

}  // namespace openmi::interpreter
