// What stands for the import of system structures where the command is built without the bridge to FMUs.

#if !OPENMI_WITH_FMI

#include "fmi-bridge/fmi/ssp/ImportSystemStructure.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::ssp {

bool IsSystemStructure(const std::filesystem::path& path) {
  return path.extension() == ".ssp" || path.extension() == ".ssd";
}

ImportedSystem ImportSystemStructure(const std::filesystem::path& path, Problems& /*problems*/,
                                     const SystemOptions& /*options*/) {
  throw FormatError({.file = path.string()}, "expected a composition, found a system structure of FMUs",
                    "this command was built without FMUs; build it with OPENMI_WITH_FMI=ON");
}

}  // namespace openmi::ssp

#endif
