#include "fmi-bridge/common/archive/UnpackedArchive.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/SharedByKey.hpp"

namespace openmi {

namespace fs = std::filesystem;

FileKey KeyOf(const fs::path& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    throw FileError(
        {.file = path.string()},
        fmt::format("expected a file or folder that can be read, found '{}': {}", path.string(), std::strerror(errno)),
        "check the path");
  }
  return {info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

UnpackedArchive::UnpackedArchive(fs::path source, fs::path folder)
    : source_(std::move(source)), folder_(std::move(folder)) {}

UnpackedArchive::UnpackedArchive(fs::path source)
    : source_(std::move(source)), own_(std::make_unique<TemporaryFolder>()), folder_(own_->Path()) {}

UnpackedArchive::~UnpackedArchive() = default;

std::shared_ptr<const UnpackedArchive> UnpackedArchive::Open(const fs::path& path, const ArchiveLimits& limits) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    return std::shared_ptr<const UnpackedArchive>(new UnpackedArchive(path, fs::canonical(path)));
  }
  // Never destroyed: components may be destroyed after other statics.
  static auto& opened = *new SharedByKey<FileKey, const UnpackedArchive>;
  return opened.Get(KeyOf(path), [&] {
    const Archive archive(path, limits);
    std::shared_ptr<const UnpackedArchive> unpacked(new UnpackedArchive(path));
    archive.Unpack(unpacked->folder_);
    return unpacked;
  });
}

std::string ReadFromArchive(const fs::path& path, const std::string& name, std::uint64_t most_bytes) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return ReadXmlBytes(path / name, {.bytes = most_bytes});
  const Archive archive(path);
  for (const ArchiveEntry& entry : archive.Entries()) {
    if (entry.name == name && entry.bytes > most_bytes) {
      throw FormatError(
          {.file = path.string()},
          fmt::format("expected entry {} of at most {} bytes, found {}", Quoted(name), most_bytes, entry.bytes),
          "check that it is the right file");
    }
  }
  return archive.Read(name);
}

fs::path FindArchive(const fs::path& name, const fs::path& beside) {
  std::error_code error;
  if (name.empty() || name.is_absolute() || fs::exists(beside, error)) return beside;
  // The first folder is that of the file, where `beside` was searched.
  const std::vector<std::string> folders = LibrarySearch::Folders(beside.string());
  for (std::size_t i = 1; i < folders.size(); ++i) {
    const fs::path path = fs::path(folders[i]) / name;
    if (fs::exists(path, error)) return path;
  }
  return beside;
}

}  // namespace openmi
