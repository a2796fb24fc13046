#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/osmp/trace/McapRecords.hpp"
#include "fmi-bridge/osmp/wire/FieldReader.hpp"

namespace openmi::osi {

/// Reads MCAP files: messages of several channels, in chunks, with an index by time.
///
/// A file with an index (all that OSI allows) is opened without reading its messages. Without one, or where the file
/// was cut off, all of it is read once. Two unpacked chunks are kept, so that channels which are played together do not
/// unpack each chunk again. Every length is checked before it is used; a chunk may have up to 1 GiB.
class McapReader {
 public:
  /// \throws FileError    the file cannot be read
  /// \throws FormatError  it is no MCAP file, or its index is damaged; names the byte
  explicit McapReader(const std::string& file);

  /// In the order of their numbers.
  const std::vector<McapChannel>& Channels() const { return channels_; }
  /// The messages of a channel, by time; messages of equal times in the order of the file.
  /// \throws FormatError  an index is damaged
  std::vector<McapPlace> MessagesOf(std::uint16_t channel);
  /// The bytes of a message. Valid until the next call.
  /// \throws FormatError  there is no message of that channel and time at that place, or its chunk is damaged
  Message At(const McapPlace& place, std::uint16_t channel);
  /// What is wrong after the last complete record; empty: nothing.
  const std::string& Problem() const { return problem_; }

 private:
  struct Unpacked {
    std::uint64_t at = 0;
    std::string records;
  };

  bool ReadSummary();
  void ReadAll();
  void Collect(McapRecord kind, std::string_view content, std::uint64_t chunk, std::uint64_t offset);
  void CollectChunk(std::string_view content);
  void CollectIndex(const McapChunk& chunk, std::uint64_t at, std::uint16_t channel, std::vector<McapPlace>& places);
  void FinishChannels();
  const std::string& Unpack(std::uint64_t chunk);
  void UnpackRecord(std::string_view content, std::string& records) const;
  McapRecord RecordAt(std::uint64_t offset, std::string& content);
  void ReadBytes(std::uint64_t offset, std::uint64_t count, std::string& bytes);
  [[noreturn]] void Refuse(std::uint64_t offset, std::string_view what, std::string_view problem) const;

  std::string file_;
  std::ifstream stream_;
  std::uint64_t size_ = 0;
  std::string problem_;
  std::vector<McapChannel> channels_;
  std::map<std::uint16_t, std::pair<std::string, std::string>> schemas_;  // name and encoding
  std::map<std::uint16_t, std::pair<McapChannel, std::uint16_t>> found_;  // with the number of the schema
  std::vector<McapChunk> chunks_;
  std::map<std::uint16_t, std::vector<McapPlace>> places_;  // without an index: all, found by reading the file
  std::uint64_t place_count_ = 0;
  bool has_index_ = false;
  std::array<Unpacked, 2> unpacked_;
  std::size_t turn_ = 0;  // which of the two is replaced next
  std::string loose_;     // the last message that was in no chunk
};

}  // namespace openmi::osi
