#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// The limits for the content of an archive.
struct ArchiveLimits {
  std::size_t entries = 100'000;
  std::uint64_t bytes = std::uint64_t{8} << 30;  ///< total of all files
  double ratio =
      200.0;  ///< total of all files by the size of the archive; checked only if the total exceeds free_bytes
  std::uint64_t free_bytes = std::uint64_t{256} << 20;  ///< total of all files up to which the ratio does not matter
};

/// One file or folder of an archive.
struct ArchiveEntry {
  std::string name;  ///< as in the archive: relative, with '/'; that of a folder ends with '/'
  std::uint64_t bytes = 0;
  bool is_folder = false;
  bool is_executable = false;
  bool is_copy = false;  ///< of another entry, with the same name and content
};

/// A third-party ZIP file (.fmu, .ssp), whose content is not trusted.
///
/// An archive that was opened has only names that stay inside the folder that it is unpacked to, no links, no name
/// twice, and declared sizes within the limits. The real sizes are checked when the content is read.
class Archive {
 public:
  /// \throws FileError    the file does not exist, is not readable, or is not a regular file
  /// \throws FormatError  it is not a ZIP file, or an entry is refused; names the entry and the reason
  explicit Archive(const std::filesystem::path& path, const ArchiveLimits& limits = {});
  /// Opens an archive in memory.
  /// \param bytes  borrowed; must outlive this object
  /// \param file   name of the archive in messages
  Archive(std::string_view bytes, std::filesystem::path file, const ArchiveLimits& limits = {});
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  const std::filesystem::path& Path() const { return path_; }
  const std::vector<ArchiveEntry>& Entries() const { return entries_; }
  /// Whether there is an entry of that name.
  bool Has(std::string_view name) const;
  /// The content of a file.
  /// \throws FormatError  there is no file of that name, or its data are damaged
  std::string Read(std::string_view name) const;
  /// Writes all files to `folder`, which must exist and be empty. Only the owner can read them.
  /// \throws FormatError  damaged data
  /// \throws FileError    the disk is full or the folder not writable
  void Unpack(const std::filesystem::path& folder) const;

 private:
  struct Handle;
  void Check(const ArchiveLimits& limits, std::uint64_t archive_bytes);
  void CheckEntry(std::size_t index, const ArchiveLimits& limits);
  void CheckTree();
  /// Whether both entries hold the same bytes; entries above 16 MiB count as different.
  bool IsSame(std::size_t one, std::size_t other) const;
  /// Calls `take(data, size)` for the content, piece by piece.
  template <class Take>
  void Stream(std::size_t index, Take take) const;

  std::filesystem::path path_;
  std::unique_ptr<Handle> handle_;
  std::vector<ArchiveEntry> entries_;
  std::vector<std::uint32_t> by_name_;  // positions in entries_, sorted by name
};

/// Splits a name of an archive into parts and checks it.
/// \returns why the name is refused, as the end of "found ..."; empty if it is accepted
std::string RefusalOfEntryName(std::string_view name);

/// Writes all files in `folder`, sorted by name, into a ZIP archive as FMI and DCP require: deflated, no links, no
/// ZIP64.
/// \param seconds  time stamp of all files, in seconds since 1970
/// \throws FileError  the archive cannot be written, or is too large for a ZIP file without ZIP64
void WriteArchive(const std::filesystem::path& folder, const std::filesystem::path& archive, std::int64_t seconds);

}  // namespace openmi
