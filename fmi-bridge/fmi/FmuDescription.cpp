#include <map>
#include <mutex>
#include <utility>

#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"

// Reads descriptions from archives and folders, and shares them among the components that use the same FMU.

namespace openmi::fmi {

ModelDescription ReadFmuDescription(const std::filesystem::path& fmu, Problems& problems) {
  const std::string bytes = ReadFromArchive(fmu, "modelDescription.xml", kMostDescriptionBytes);
  return ReadModelDescription(bytes, (fmu / "modelDescription.xml").string(), problems);
}

std::shared_ptr<const ModelDescription> ShareFmuDescription(const std::filesystem::path& fmu) {
  struct Shared {
    std::mutex mutex;
    std::map<std::pair<std::filesystem::path, FileKey>, std::weak_ptr<const ModelDescription>> descriptions;
  };
  static Shared& shared = *new Shared;  // never destroyed: components may be destroyed after other statics
  const bool is_folder = std::filesystem::is_directory(fmu);
  const std::pair key(fmu, KeyOf(is_folder ? fmu / "modelDescription.xml" : fmu));  // messages contain the path
  const std::lock_guard lock(shared.mutex);
  if (const auto found = shared.descriptions.find(key); found != shared.descriptions.end()) {
    if (auto description = found->second.lock()) return description;
  }
  std::erase_if(shared.descriptions, [](const auto& one) { return one.second.expired(); });
  Problems problems;
  auto description = std::make_shared<const ModelDescription>(ReadFmuDescription(fmu, problems));
  ThrowIfErrors(problems);
  shared.descriptions[key] = description;
  return description;
}

}  // namespace openmi::fmi
