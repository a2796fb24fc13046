#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <tuple>

#include "fmi-bridge/common/archive/Archive.hpp"
#include "openmi/system/TemporaryFolder.hpp"

namespace openmi {

/// Identifies a file by device, number, size and time; a file that was written again has another key.
using FileKey = std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::int64_t, std::int64_t>;
/// The key of the file at `path`.
/// \throws FileError  the file cannot be read
FileKey KeyOf(const std::filesystem::path& path);

/// The files of an archive in a private folder, which is removed with the last owner; or a folder of the user, which
/// stays.
class UnpackedArchive {
 public:
  /// Opens `path`, an archive or a folder. May be called by any thread.
  ///
  /// An archive that is open already (the same file, not changed since) is shared: it is unpacked once for the whole
  /// process.
  /// \throws FileError    `path` does not exist or cannot be read, or there is no space for the files
  /// \throws FormatError  as Archive
  static std::shared_ptr<const UnpackedArchive> Open(const std::filesystem::path& path,
                                                     const ArchiveLimits& limits = {});
  ~UnpackedArchive();
  UnpackedArchive(const UnpackedArchive&) = delete;
  UnpackedArchive& operator=(const UnpackedArchive&) = delete;

  /// The folder of the files; absolute.
  const std::filesystem::path& Folder() const { return folder_; }
  /// The path that was opened.
  const std::filesystem::path& Source() const { return source_; }

 private:
  UnpackedArchive(std::filesystem::path source, std::filesystem::path folder);
  /// Makes a private folder for the files.
  explicit UnpackedArchive(std::filesystem::path source);

  std::filesystem::path source_;
  std::unique_ptr<TemporaryFolder> own_;  // null: a folder of the user
  std::filesystem::path folder_;
};

/// Reads one file of an archive or of an unpacked folder, without unpacking the rest.
/// \throws FileError    the file does not exist or cannot be read
/// \throws FormatError  the archive is damaged, has no such file, or the file is larger than `most_bytes`
std::string ReadFromArchive(const std::filesystem::path& path, const std::string& name,
                            std::uint64_t most_bytes = std::uint64_t{1} << 30);

/// Finds an archive or an unpacked folder, such as an FMU.
///
/// Returns `beside` if it exists. Else, for a relative `name`, the first one in the folders that are searched for
/// libraries (the folders of OPENMI_PATH, then that of the SDK). Else `beside`, for a message.
/// \param name    as the user wrote it
/// \param beside  the same name, from the folder of the file that contains it
std::filesystem::path FindArchive(const std::filesystem::path& name, const std::filesystem::path& beside);

}  // namespace openmi
