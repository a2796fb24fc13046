#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/osmp/schema/Schema.hpp"
#include "fmi-bridge/osmp/trace/McapRecords.hpp"
#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

namespace openmi::osi {

/// What a file says of a channel.
struct McapTopic {
  std::string topic;
  std::string type;  ///< "GroundTruth"
  InterfaceVersion version;
};

/// Writes messages of OSI into an MCAP file, as OSI's multi-channel format asks: chunks by zstd, an index, the schema
/// of each type as descriptors, and the record `net.asam.osi.trace`.
///
/// Source: ASAM OSI 3.8, "Multi channel trace file format".
class McapWriter {
 public:
  /// \param keep  how many bytes of an existing file are kept before the new messages; 0: the file is overwritten
  /// \throws FileError    the file cannot be created, or has fewer bytes than `keep`
  /// \throws FormatError  these bytes are not what Flush left
  explicit McapWriter(const std::string& file, std::uint64_t keep = 0);

  /// The number of a channel, which is added where there is none of that topic.
  /// \throws ArgumentError  the schema has no such type
  std::uint16_t Add(const McapTopic& channel, const Schema& schema);
  /// Appends a message.
  /// \param nanos  its time stamp
  /// \throws FileError  the file cannot be written
  void Write(std::uint16_t channel, std::uint64_t nanos, Message message);
  /// Ends the chunk and writes everything to the file.
  /// \returns the length of the file in bytes, which may be kept
  /// \throws FileError  the file cannot be written
  std::uint64_t Flush();
  /// Writes the index and closes the file.
  /// \throws FileError  the file cannot be written completely
  void Close();

 private:
  void EndChunk();
  void TakeUp(std::uint64_t keep);
  void TakeUpRecord(McapRecord kind, std::string_view content, std::uint64_t at);
  void TakeChannel(std::string_view content);
  void Put(std::string_view bytes);
  void PutRecord(McapRecord kind, std::string_view content);
  std::string MetadataContent() const;
  std::string StatisticsContent() const;

  std::string file_;
  std::ofstream stream_;
  std::uint64_t size_ = 0;
  std::map<std::uint16_t, std::string> schemas_;   // contents of records
  std::map<std::uint16_t, std::string> channels_;  // contents of records
  std::map<std::string, std::uint16_t, std::less<>> types_;
  std::map<std::string, std::uint16_t, std::less<>> topics_;
  std::map<std::uint16_t, std::uint64_t> counts_;  // messages of each channel
  std::optional<InterfaceVersion> oldest_, newest_;
  std::vector<McapChunk> chunks_;
  McapBytes records_;  // of the chunk that is being filled
  std::map<std::uint16_t, std::vector<McapPlace>> entries_;
  std::uint64_t first_ = 0, last_ = 0;  // times of its messages
};

}  // namespace openmi::osi
