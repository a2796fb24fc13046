#include "tests/fuzz/FuzzTarget.hpp"

#include <fstream>

#include "tests/support/ScratchFolder.hpp"

namespace openmi::fuzz {

std::map<std::string, Target>& Targets() {
  static std::map<std::string, Target> targets;
  return targets;
}

std::string FolderOfProcess() {
  static const ScratchFolder folder("fuzz");
  return folder.Path().string();
}

std::string FileOf(std::string_view bytes, const std::string& ending) {
  const std::string path = FolderOfProcess() + "/input" + ending;
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

}  // namespace openmi::fuzz
