#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

namespace openmi::osi {

/// Reads the messages of an OSI trace file one after another: before each its length in four bytes, little end first.
///
/// Nothing is believed of a length that is not in the file. After the first messages nothing is allocated.
/// Source: ASAM OSI, "OSI trace files", binary format.
class TraceReader {
 public:
  /// \throws FileError    the file cannot be read
  /// \throws FormatError  it is a trace in another format (.mcap, .txth): says what to do
  explicit TraceReader(const std::string& file);

  /// The next message; nothing at the end. Good until the next call.
  /// \throws FormatError  the file ends within a message, or one of 2 GiB or more is announced: names its number and
  /// place
  std::optional<Message> Next();
  /// Reads the message whose length stands at `offset`, as Offset() said it before Next, into `buffer`.
  void ReadAt(std::uint64_t offset, std::vector<std::byte>& buffer);
  /// Where the next message begins.
  std::uint64_t Offset() const { return offset_; }
  /// How many messages were read by Next.
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
  std::vector<std::byte> buffer_;
};

/// Writes messages as a trace file.
class TraceWriter {
 public:
  /// \param keep  so many bytes of a file that is there stay, and what is written comes behind them; 0: none
  /// \throws FileError  the file cannot be made, or holds less than is to be kept
  explicit TraceWriter(const std::string& file, std::uint64_t keep = 0);
  /// \throws FileError  nothing more can be written
  void Write(Message message);
  /// \throws FileError  not all could be written
  void Close();
  /// How long the file is, when all that was written is there. \throws FileError  it cannot be
  std::uint64_t Flush();

 private:
  [[noreturn]] void Refuse() const;

  std::string file_;
  std::ofstream stream_;
  std::uint64_t size_ = 0;
};

/// The type of the messages that the name of a trace file says: "..._sv_..." is a SensorView. Empty where it says none.
std::string MessageTypeByName(std::string_view file);
/// What a message seems to be, by the fields it has; empty where that is not clear.
std::string MessageTypeByContent(Message message);
/// The time stamp of a message of that type; nothing where it has none.
std::optional<Timestamp> TimeOf(Message message, std::string_view type);

}  // namespace openmi::osi
