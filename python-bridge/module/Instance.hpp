#pragma once

#include <Python.h>

#include <cstdint>
#include <string>
#include <vector>

#include "openmi/c/openmi_component.h"
#include "python-bridge/module/Items.hpp"

namespace openmi::interpreter {

/// One component in Python, between the host and its object.
///
/// All members are used with the GIL.
class Instance {
 public:
  explicit Instance(openmi_instance& me) : me_(me) {}
  /// Cuts the ties of its items: they raise from then on.
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  openmi_instance* Me() { return &me_; }
  const openmi_host& Host() const { return *me_.host; }

  /// Which call of the component this is, counted from 1.
  std::uint64_t Call() const { return call_; }
  void BeginCall() { ++call_; }
  /// Makes arrays that Python keeps independent of the rows.
  /// \returns false, with a Python error: a slice was kept
  bool EndCall();
  /// Notes that an array over a row was given away.
  void Touch(Item& item);

  /// Keeps an item, whose reference it takes over.
  void Keep(Item& item) { items_.push_back(&item); }
  void Keep(ArgumentItem& argument) { arguments_.push_back(&argument); }
  /// Forgets what was declared for earlier arguments.
  void DropItemsFrom(std::size_t count);
  std::size_t ItemCount() const { return items_.size(); }

  PyObject* object = nullptr;        ///< of Python; owned
  PyObject* balance_unit = nullptr;  ///< the text of the last balance; owned
  PyObject* step = nullptr;          ///< its function `step`, not bound; owned
  bool is_open = true;               ///< false: items cannot be trusted any more, no code in Python is called
  bool has_values = false;           ///< whether arguments have their values
  std::size_t items_of_setup = 0;

 private:
  openmi_instance& me_;
  std::vector<Item*> items_;
  std::vector<ArgumentItem*> arguments_;
  std::vector<Item*> touched_;
  std::uint64_t call_ = 0;
};

/// Sets the Python error `openmi.StateError` with what the host said of the last call that it refused.
void SetRefused(const openmi_host& host);
/// Sets the Python error of the class in `openmi.errors` with a problem, a remedy and an item.
void SetError(const char* type, const std::string& problem, const std::string& remedy, PyObject* item = nullptr);

}  // namespace openmi::interpreter
