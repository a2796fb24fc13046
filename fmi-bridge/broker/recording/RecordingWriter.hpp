#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "fmi-bridge/broker/recording/RecordingLine.hpp"

namespace openmi::broker {

/// Appends messages to a recording. It first removes a last line that an earlier process did not finish.
class RecordingWriter {
 public:
  /// \param appends  whether to append to an existing file; else the file is overwritten
  /// \throws FileError  the file cannot be written
  RecordingWriter(const std::filesystem::path& file, bool appends);
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;

  /// Adds a message; it may be in memory until Flush.
  /// \throws FileError  the file cannot be written
  void Append(const RecordingLine& line);
  /// Passes all messages to the operating system: they then survive the end of this process.
  /// \throws FileError  the file cannot be written
  void Flush();
  /// Does the same and waits for the disk: the messages then survive a failure of the operating system.
  /// \throws FileError  the file cannot be written
  void Sync();
  /// How many bytes are on the disk.
  std::uint64_t SyncedSize() const { return synced_; }
  /// The length of the file in bytes, including what was appended.
  std::uint64_t Size() const { return size_; }
  const std::filesystem::path& File() const { return file_; }

 private:
  [[noreturn]] void Fail(const char* what) const;

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t synced_ = 0;
  bool is_named_on_disk_ = false;  // the folder's entry of the file is on the disk
  std::string pending_;
  RecordingCodec codec_;
};

}  // namespace openmi::broker
