#include "tools/AsComposition.hpp"

#include <filesystem>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/ssp/ImportSystemStructure.hpp"

namespace openmi::tools {

AsComposition::AsComposition(const std::string& path, Problems& problems) : path_(path) {
  if (!ssp::IsSystemStructure(path)) return;
  const ssp::ImportedSystem imported = ssp::ImportSystemStructure(path, problems);
  package_ = imported.package;
  folder_ = std::make_unique<TemporaryFolder>();
  path_ = (folder_->Path() / (imported.composition.id + ".xml")).string();
  WriteCompositionFile(imported.composition, path_);
}

AsComposition::~AsComposition() = default;

}  // namespace openmi::tools
