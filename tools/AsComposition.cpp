#include "tools/AsComposition.hpp"

#include <stdlib.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/ssp/ImportSystemStructure.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::tools {

namespace fs = std::filesystem;

AsComposition::AsComposition(const std::string& path, Problems& problems) : path_(path) {
  if (!ssp::IsSystemStructure(path)) return;
  const ssp::ImportedSystem imported = ssp::ImportSystemStructure(path, problems);
  package_ = imported.package;
  folder_ = (fs::temp_directory_path() / "openmi-system-XXXXXX").string();
  if (mkdtemp(folder_.data()) == nullptr) {
    const std::string name = std::exchange(folder_, {});
    throw FileError({.file = name}, "expected to make a private folder, found that it cannot be made",
                    "name a folder in TMPDIR where files may be written");
  }
  path_ = (fs::path(folder_) / (imported.composition.id + ".xml")).string();
  WriteCompositionFile(imported.composition, path_);
}

AsComposition::~AsComposition() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

}  // namespace openmi::tools
