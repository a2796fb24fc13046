#include "python/bindings/Module.hpp"

#include "openmi/omi/SdkVersion.hpp"

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
#ifdef OPENMI_WITH_STUDY
  AddStudy(module);
#endif
}
