#pragma once

#include <filesystem>

#include "fmi-bridge/fmi/ssp/ImportSystemStructure.hpp"
#include "openmi/omi/OwnPart.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::ssp {

/// What the library `openmi2/import/openmi-import-fmi.so` offers.
struct ImportPart {
  const char* version;  ///< kSdkVersion of its build
  decltype(&ImportSystemStructure) import;
};

inline constexpr const char* kImportPartSymbol = "openmi_import_part";

/// ImportSystemStructure for programs that are not linked with FMI: it loads the part of the bridge at the first call.
/// \throws FormatError  the bridge is not installed, or as ImportSystemStructure
/// \throws FileError    as ImportSystemStructure
inline ImportedSystem ImportByPart(const std::filesystem::path& path, Problems& problems,
                                   const SystemOptions& options = {}) {
  const OwnPart found = FindOwnPart("import/openmi-import-fmi.so", kImportPartSymbol, "fmi");
  if (found.object == nullptr) {
    throw FormatError({.file = path.string()},
                      "expected the bridge that reads FMUs and system structures of them, " + found.found,
                      found.remedy);
  }
  return static_cast<const ImportPart*>(found.object)->import(path, problems, options);
}

}  // namespace openmi::ssp
