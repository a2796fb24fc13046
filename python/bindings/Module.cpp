#include <pybind11/pybind11.h>

#include "openmi/omi/SdkVersion.hpp"
#include "python/bindings/Check.hpp"
#include "python/bindings/Errors.hpp"
#include "python/bindings/Model.hpp"
#include "python/bindings/Results.hpp"
#include "python/bindings/RunHandle.hpp"
#include "python/bindings/Specs.hpp"

PYBIND11_MODULE(_openmi, module) {
  using namespace openmi::python;  // NOLINT: the pieces of this module
  module.doc() = "The runtime, for the package openmi; use that one.";
  module.attr("version") = openmi::kSdkVersion;
  TranslateErrors();
  AddSpecs(module);
  AddModel(module);
  AddCheck(module);
  AddResults(module);
  AddRun(module);
}
