#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "fmi-bridge/broker/recording/RecordingLine.hpp"

namespace openmi::broker {

/// Appends messages to a recording. A line that an earlier process did not finish is cut off first.
class RecordingWriter {
 public:
  /// \param appends  to what is there; else the file begins anew. \throws FileError
  RecordingWriter(const std::filesystem::path& file, bool appends);
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;

  void Append(const RecordingLine& line);
  /// Gives everything to the operating system: it outlives this process then. \throws FileError
  void Flush();
  /// The same, and has it on the disk: it outlives the operating system then. \throws FileError
  void Sync();
  /// How much of it is on the disk.
  std::uint64_t SyncedSize() const { return synced_; }
  /// How long the file is with what was appended.
  std::uint64_t Size() const { return size_; }
  const std::filesystem::path& File() const { return file_; }

 private:
  [[noreturn]] void Fail(const char* what) const;

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t synced_ = 0;
  bool is_named_on_disk_ = false;  // the folder knows the file
  std::string pending_;
  RecordingCodec codec_;
};

}  // namespace openmi::broker
