#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// What an archive may hold at most.
struct ArchiveLimits {
  std::size_t entries = 100'000;
  std::uint64_t bytes = std::uint64_t{8} << 30;         ///< of all files together
  double ratio = 200.0;                                 ///< of all files together to the size of the archive ...
  std::uint64_t free_bytes = std::uint64_t{256} << 20;  ///< ... which is asked only above this size
};

/// One file or folder of an archive.
struct ArchiveEntry {
  std::string name;  ///< as it stands: relative, with '/', a folder's ending in one
  std::uint64_t bytes = 0;
  bool is_folder = false;
  bool is_executable = false;
  bool is_copy = false;  ///< of another entry, with the same name and content
};

/// A ZIP file of others (.fmu, .ssp), of which nothing is believed. When it has been opened, every name in it stays
/// inside the folder that it is unpacked to, there are no links, no name stands twice, and the sizes it states are
/// within the limits; what it really holds is counted when it is read.
class Archive {
 public:
  /// \throws FileError    missing, unreadable or no regular file
  /// \throws FormatError  no ZIP file, or one with an entry that is refused; names the entry and says why
  explicit Archive(const std::filesystem::path& path, const ArchiveLimits& limits = {});
  /// From memory. \param bytes  borrowed; must outlive this object \param file  only for messages
  Archive(std::string_view bytes, std::filesystem::path file, const ArchiveLimits& limits = {});
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  const std::filesystem::path& Path() const { return path_; }
  const std::vector<ArchiveEntry>& Entries() const { return entries_; }
  bool Has(std::string_view name) const;
  /// The content of a file. \throws FormatError  there is none of that name, or its data are damaged
  std::string Read(std::string_view name) const;
  /// Writes everything below `folder`, which must exist and be empty. Files are readable for their owner only.
  /// \throws FormatError  damaged data \throws FileError  the disk is full or the folder not writable
  void Unpack(const std::filesystem::path& folder) const;

 private:
  struct Handle;
  void Check(const ArchiveLimits& limits, std::uint64_t archive_bytes);
  void CheckEntry(std::size_t index, const ArchiveLimits& limits);
  void CheckTree();
  /// Calls `take(data, size)` for the content, piece by piece.
  /// Whether both hold the same bytes; entries above 16 MiB count as different.
  bool IsSame(std::size_t one, std::size_t other) const;
  template <class Take>
  void Stream(std::size_t index, Take take) const;

  std::filesystem::path path_;
  std::unique_ptr<Handle> handle_;
  std::vector<ArchiveEntry> entries_;
  std::vector<std::uint32_t> by_name_;  // positions in entries_, sorted by name
};

/// A name of an archive in parts. \returns why it may not be used, as the rest of "found ..."; empty when it may
std::string RefusalOfEntryName(std::string_view name);

}  // namespace openmi
