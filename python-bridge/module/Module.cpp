#include <pybind11/pybind11.h>

#define PY_ARRAY_UNIQUE_SYMBOL openmi_component_numpy
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>

#include "openmi/omi/SdkVersion.hpp"
#include "python-bridge/module/Instance.hpp"
#include "python-bridge/module/Items.hpp"
#include "python-bridge/module/Types.hpp"

PYBIND11_MODULE(_component, module) {
  using namespace openmi::interpreter;  // NOLINT: the pieces of this module
  namespace py = pybind11;
  module.doc() = "Components in Python, for the package openmi; use that one.";
  module.attr("version") = openmi::kSdkVersion;
  if (_import_array() < 0 || !AddItemTypes(module.ptr())) throw py::error_already_set();
  AddHost(module);
  module.attr("language") = py::capsule(&Language(), "openmi_language");
}
