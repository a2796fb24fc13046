#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

#include "openmi/c/openmi_component.h"
#include "python-bridge/module/Interpreter.hpp"
#include "python-bridge/module/Items.hpp"

namespace openmi::interpreter {

/// One component or adaptor in Python, between the host and its object.
///
/// All members are used with the GIL.
class Instance {
 public:
  /// \param of  its class; borrowed, lives as long as the types of the file
  Instance(openmi_instance& me, PyObject* of) : me_(me), of_(of) {}
  /// Cuts the ties of its items: they raise from then on.
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  openmi_instance* Me() { return &me_; }
  const openmi_host& Host() const { return *me_.host; }
  PyObject* Class() const { return of_; }

  /// Which call of the component this is, counted from 1.
  std::uint64_t Call() const { return call_; }
  void BeginCall() { ++call_; }
  /// Looks whether Python keeps arrays over rows.
  /// \returns false, with a Python error: it does
  bool EndCall();
  /// Notes that an array over a row was given away.
  void Touch(Item& item);

  /// Keeps an item, whose reference it takes over.
  void Keep(Item& item) { items_.push_back(&item); }
  void Keep(ArgumentItem& argument) { arguments_.push_back(&argument); }
  /// Forgets what was declared for earlier arguments.
  void DropItemsFrom(std::size_t count);
  std::size_t ItemCount() const { return items_.size(); }

  PyObject* host = nullptr;     ///< what the object calls its host by; owned
  PyObject* object = nullptr;   ///< of Python; owned
  PyObject* unit = nullptr;     ///< the text that was given to the host last; owned
  PyObject* compute = nullptr;  ///< its function `step` or `map`, not bound; owned
  bool is_open = true;          ///< false: items cannot be trusted any more, no code in Python is called
  bool has_values = false;      ///< whether arguments have their values
  std::size_t items_of_setup = 0;

 private:
  openmi_instance& me_;
  PyObject* of_;
  std::vector<Item*> items_;
  std::vector<ArgumentItem*> arguments_;
  std::vector<Item*> touched_;
  std::uint64_t call_ = 0;
};

/// Adds the class `Host`: the functions of the host that a component in Python calls when it declares and rarely else.
/// What each step uses is in Items.hpp.
void AddHost(pybind11::module_& module);

/// The object of class `Host` for a component; it refuses all calls when the component is gone.
pybind11::object MakeHost(Instance& instance);
/// Tells the object that the component is gone.
void EndHost(pybind11::handle host);

}  // namespace openmi::interpreter
