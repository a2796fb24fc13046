#pragma once

#include <pybind11/pybind11.h>

#include "python-bridge/module/Instance.hpp"

namespace openmi::interpreter {

/// Adds the class `Host`: the functions of the host that a component in Python calls when it declares and rarely else.
/// What each step uses is in Items.hpp.
void AddHost(pybind11::module_& module);

/// The object of class `Host` for a component; it refuses all calls when the component is gone.
pybind11::object MakeHost(Instance& instance);
/// Tells the object that the component is gone.
void EndHost(pybind11::handle host);

}  // namespace openmi::interpreter
