#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

namespace openmi::osi {

/// Reads the messages of an OSI trace file one after another.
///
/// Each message follows its length of four bytes, in little-endian order. A length that the file cannot hold is
/// refused. After the first messages nothing is allocated. Source: ASAM OSI, "OSI trace files", binary format.
class TraceReader {
 public:
  /// \throws FileError    the file cannot be read
  /// \throws FormatError  the file is a trace in another format (.mcap, .txth); says what to do
  explicit TraceReader(const std::string& file);

  /// The next message; nothing at the end. Valid until the next call.
  /// \throws FormatError  the file ends within a message, or a length is 2 GiB or more; names the message's number and
  ///   byte
  /// \throws FileError    the file cannot be read
  std::optional<Message> Next();
  /// Reads the message at `offset` into `buffer`.
  /// \param offset  a value of Offset() before a call of Next
  /// \throws FormatError  as Next; also at the end of the file
  /// \throws FileError    the file cannot be read
  void ReadAt(std::uint64_t offset, Bytes& buffer);
  /// Where the next message starts, in bytes; its length comes first.
  std::uint64_t Offset() const { return offset_; }
  /// How many messages Next has read.
  std::uint64_t Count() const { return count_; }
  std::uint64_t Size() const { return size_; }

 private:
  bool BeginsWithText();
  std::optional<std::uint64_t> LengthAt(std::uint64_t offset);
  [[noreturn]] void Refuse(const std::string& problem, const std::string& remedy) const;

  std::string file_;
  std::ifstream stream_;
  std::uint64_t size_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t count_ = 0;
  Bytes buffer_;
};

/// Writes messages as a trace file.
class TraceWriter {
 public:
  /// \param keep  how many bytes of an existing file are kept before the new messages; 0: the file is overwritten
  /// \throws FileError  the file cannot be created, or has fewer bytes than `keep`
  explicit TraceWriter(const std::string& file, std::uint64_t keep = 0);
  /// Appends a message.
  /// \throws FileError  the file cannot be written
  void Write(Message message);
  /// Closes the file.
  /// \throws FileError  the file cannot be written completely
  void Close();
  /// Writes buffered bytes to the file.
  /// \returns the length of the file in bytes
  /// \throws FileError  the file cannot be written
  std::uint64_t Flush();

 private:
  [[noreturn]] void Refuse() const;

  std::string file_;
  std::ofstream stream_;
  std::uint64_t size_ = 0;
};

/// The type of message that the name of a trace file contains: "..._sv_..." is a SensorView. Empty where it contains
/// none.
std::string MessageTypeByName(std::string_view file);
/// The type of message that the fields of a message indicate; empty where that is not clear.
std::string MessageTypeByContent(Message message);
/// The time stamp of a message of that type; nothing where it has none.
std::optional<Timestamp> TimeOf(Message message, std::string_view type);

}  // namespace openmi::osi
