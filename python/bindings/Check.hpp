#pragma once

#include <pybind11/pybind11.h>

namespace openmi::python {

/// The class `Problem`, and the functions that check a composition or an OMI file, in this process or in children.
void AddCheck(pybind11::module_& module);

}  // namespace openmi::python
