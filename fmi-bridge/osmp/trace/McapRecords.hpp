#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace openmi::osi {

/// The records of an MCAP file that are read or written here, by their first byte. Source: MCAP format specification,
/// version 0x30, https://mcap.dev/spec.
enum class McapRecord : std::uint8_t {
  Header = 0x01,
  Footer = 0x02,
  Schema = 0x03,
  Channel = 0x04,
  OneMessage = 0x05,
  Chunk = 0x06,
  MessageIndex = 0x07,
  ChunkIndex = 0x08,
  Statistics = 0x0B,
  Metadata = 0x0C,
  MetadataIndex = 0x0D,
  SummaryOffset = 0x0E,
  DataEnd = 0x0F
};

inline constexpr std::string_view kMcapMagic{"\x89MCAP0\r\n", 8};
/// Of a record, before its content: its kind and the length of the content.
inline constexpr std::uint64_t kMcapRecordHead = 9;

/// What is wrong with the bytes of a record.
class McapError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A stream of messages.
struct McapChannel {
  std::uint16_t id = 0;
  std::string topic;
  std::string encoding;         ///< "protobuf"
  std::string schema;           ///< name of the type: "osi3.GroundTruth"; empty: none
  std::string schema_encoding;  ///< "protobuf"
  std::map<std::string, std::string> metadata;
  /// Whether the messages are of OSI.
  bool IsOsi() const { return encoding == "protobuf" && schema.starts_with("osi3."); }
};

/// Where a message is.
struct McapPlace {
  std::uint64_t nanos = 0;   ///< its log time
  std::uint64_t chunk = 0;   ///< byte of the file at which the record of its chunk starts; 0: in none
  std::uint64_t offset = 0;  ///< of its record: in the unpacked chunk, or in the file
};

/// What an index says of a chunk of messages.
struct McapChunk {
  std::uint64_t first = 0, last = 0;               ///< times of messages, ns
  std::uint64_t at = 0, length = 0;                ///< of its record, bytes
  std::string method;                              ///< of compression
  std::uint64_t packed = 0, unpacked = 0;          ///< bytes
  std::map<std::uint16_t, std::uint64_t> indexes;  ///< bytes of the records with the places of each channel
  std::uint64_t index_length = 0;                  ///< of these records, bytes
};

/// Reads the fields of a record one after another. All numbers are little-endian.
///
/// All functions throw McapError where the record is too short.
class McapFields {
 public:
  explicit McapFields(std::string_view content) : rest_(content) {}

  template <class Number>
  Number Next() {
    const std::string_view bytes = Take(sizeof(Number));
    Number number = 0;
    for (std::size_t i = sizeof(Number); i-- > 0;) {
      number = static_cast<Number>(static_cast<std::uint64_t>(number) << 8 | static_cast<unsigned char>(bytes[i]));
    }
    return number;
  }
  /// A text after its length of four bytes.
  std::string_view Text() { return Take(Next<std::uint32_t>()); }
  /// Pairs of texts after their length.
  std::map<std::string, std::string> Texts();
  std::string_view Take(std::uint64_t count);
  std::string_view Rest() const { return rest_; }
  bool IsEmpty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// Writes fields, and whole records, behind what is there.
class McapBytes {
 public:
  template <class Number>
  void Add(Number number) {
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(number) >> 8 * i & 0xFF);
    }
  }
  void AddText(std::string_view text) {
    Add(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  void AddTexts(const std::map<std::string, std::string>& pairs);
  void AddRaw(std::string_view bytes) { bytes_ += bytes; }
  void AddRecord(McapRecord kind, std::string_view content) {
    Add(static_cast<std::uint8_t>(kind));
    Add(static_cast<std::uint64_t>(content.size()));
    bytes_ += content;
  }
  const std::string& Bytes() const { return bytes_; }
  void Clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

/// CRC-32 (ISO 3309) of the bytes, going on from that of the bytes before them.
std::uint32_t Crc32(std::string_view bytes, std::uint32_t before = 0);
/// The bytes by zstd.
std::string CompressZstd(std::string_view bytes);
/// What was compressed.
/// \param method  "zstd", "lz4" or "" for none
/// \param size    of the result, which must be exact
/// \throws McapError  another method, or bytes that are damaged
void Decompress(std::string_view method, std::string_view bytes, std::uint64_t size, std::string& result);

}  // namespace openmi::osi
