#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <tuple>

#include "fmi-bridge/archive/Archive.hpp"
#include "fmi-bridge/archive/TemporaryFolder.hpp"

namespace openmi {

/// A file by device, number, size and time: one that was written anew is another.
using FileKey = std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::int64_t, std::int64_t>;
/// \throws FileError  it cannot be read
FileKey KeyOf(const std::filesystem::path& path);

/// The files of an archive in a private folder, which goes with the last owner; or a folder of the user's, which stays.
class UnpackedArchive {
 public:
  /// The files of `path`, an archive or a folder. An archive that is open already (the same file, not changed since) is
  /// shared: it is unpacked once for the whole process. May be called by any thread.
  /// \throws FileError, FormatError  as Archive
  static std::shared_ptr<const UnpackedArchive> Open(const std::filesystem::path& path,
                                                     const ArchiveLimits& limits = {});
  ~UnpackedArchive();
  UnpackedArchive(const UnpackedArchive&) = delete;
  UnpackedArchive& operator=(const UnpackedArchive&) = delete;

  /// Where the files are; absolute.
  const std::filesystem::path& Folder() const { return folder_; }
  /// What was opened.
  const std::filesystem::path& Source() const { return source_; }

 private:
  UnpackedArchive(std::filesystem::path source, std::filesystem::path folder);
  /// In a folder of its own.
  explicit UnpackedArchive(std::filesystem::path source);

  std::filesystem::path source_;
  std::unique_ptr<TemporaryFolder> own_;  // null: the user's
  std::filesystem::path folder_;
};

/// One file of an archive or of an unpacked folder, without unpacking the rest.
/// \throws FileError, FormatError  missing, damaged; larger than `most_bytes`
std::string ReadFromArchive(const std::filesystem::path& path, const std::string& name,
                            std::uint64_t most_bytes = std::uint64_t{1} << 30);

}  // namespace openmi
