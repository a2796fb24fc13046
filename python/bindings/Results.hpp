#pragma once

#include <pybind11/pybind11.h>

namespace openmi::python {

/// The class `Rows`, and the function that reads a file of results.
void AddResults(pybind11::module_& module);

}  // namespace openmi::python
