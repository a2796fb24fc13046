#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

namespace openmi::osi {

/// The messages of one type in a trace file, one after another, or at a place.
class TraceMessages {
 public:
  virtual ~TraceMessages() = default;
  /// The next message; nothing at the end. Valid until the next call.
  /// \throws FormatError  the file is damaged; names the message or the byte
  /// \throws FileError    the file cannot be read
  virtual std::optional<Message> Next() = 0;
  /// Reads the message at `place` into `buffer`.
  /// \param place  a value of Place() before a call of Next
  /// \throws FormatError  as Next; also at the end of the file
  /// \throws FileError    the file cannot be read
  virtual void ReadAt(std::uint64_t place, Bytes& buffer) = 0;
  /// Where the next message is.
  virtual std::uint64_t Place() const = 0;
  /// How many messages Next has read.
  virtual std::uint64_t Count() const = 0;
  /// The type that the file states; empty: none.
  virtual std::string Type() const { return {}; }
  /// The times of all messages in ns, by place, where the file has them in an index; empty: the messages must be read.
  virtual std::vector<std::int64_t> Times() const { return {}; }
  /// What is wrong with the file after the last whole message; empty: nothing, or not known yet.
  virtual std::string Problem() const { return {}; }
};

/// Opens a trace: an `.osi` file, or a channel of an `.mcap` file.
/// \param channel  topic of the channel; empty: the only one of OSI, or the only one of that type
/// \param type     of the messages; empty: any
/// \throws FileError      the file cannot be read
/// \throws FormatError    the file is damaged, or in another format
/// \throws ArgumentError  there is no such channel, or none is given and there are several; names them
std::unique_ptr<TraceMessages> OpenTrace(const std::string& file, const std::string& channel, const std::string& type);
/// Whether a file is to be read or written as MCAP: its name ends so, or its bytes begin so.
bool IsMcap(const std::string& file);

/// Reads the messages of an OSI trace file.
///
/// Each message follows its length of four bytes, in little-endian order. A length that the file cannot hold is
/// refused. After the first messages nothing is allocated. Source: ASAM OSI, "OSI trace files", binary format.
class TraceReader final : public TraceMessages {
 public:
  /// \throws FileError    the file cannot be read
  /// \throws FormatError  the file is a trace in another format (.mcap, .txth); says what to do
  explicit TraceReader(const std::string& file);

  /// \throws FormatError  the file ends within a message, or a length is 2 GiB or more; names the message's number and
  ///   byte
  /// \throws FileError    the file cannot be read
  std::optional<Message> Next() override;
  void ReadAt(std::uint64_t offset, Bytes& buffer) override;
  /// Where the next message starts, in bytes; its length comes first.
  std::uint64_t Place() const override { return offset_; }
  std::uint64_t Count() const override { return count_; }
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

/// Opens a trace to be written.
/// \param keep  how many bytes of an existing file are kept before what is written; 0: the file is overwritten
/// \throws FileError  the file cannot be created, or has fewer bytes than `keep`
std::ofstream OpenKeeping(const std::string& file, std::uint64_t keep);
/// \throws FileError  always: a trace cannot be written
[[noreturn]] void RefuseUnwritable(const std::string& file);

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
  std::string file_;
  std::ofstream stream_;
  std::uint64_t size_ = 0;
};

/// The type of message that the name of a trace file contains: "..._sv_..." is a SensorView. Empty where it contains
/// none.
std::string MessageTypeByName(std::string_view file);
/// The type of message that the fields of a message indicate; empty where that is not clear.
std::string MessageTypeByContent(Message message);
/// The version and the time stamp of a message of that type, where it has them.
MessageHead HeadOf(Message message, std::string_view type);
/// The time stamp of a message of that type; nothing where it has none.
std::optional<Timestamp> TimeOf(Message message, std::string_view type);

}  // namespace openmi::osi
