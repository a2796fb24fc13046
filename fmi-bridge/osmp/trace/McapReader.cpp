#include "fmi-bridge/osmp/trace/McapReader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "openmi/sdk/Error.hpp"

namespace openmi::osi {
namespace {

constexpr std::uint64_t kLargestChunk = std::uint64_t{1} << 30;   // unpacked
constexpr std::uint64_t kLargestRecord = std::uint64_t{1} << 31;  // as for messages of OSI
constexpr std::uint64_t kMostPlaces = 40'000'000;                 // messages of a file without an index
constexpr std::uint64_t kFooter = kMcapRecordHead + 20;           // bytes of the record at the end
constexpr std::size_t kOffsetOfCrc = 4;                           // from the end of the footer

/// Calls `take` with the kind, the content and the offset of each record in `bytes`.
template <class Take>
void ForEachRecord(std::string_view bytes, Take take) {
  McapFields fields(bytes);
  while (!fields.IsEmpty()) {
    const std::uint64_t offset = bytes.size() - fields.Rest().size();
    const auto kind = static_cast<McapRecord>(fields.Next<std::uint8_t>());
    take(kind, fields.Take(fields.Next<std::uint64_t>()), offset);
  }
}

}  // namespace

McapReader::McapReader(const std::string& file) : file_(file), stream_(file, std::ios::binary) {
  std::error_code error;
  size_ = std::filesystem::file_size(file, error);
  if (!stream_ || error) {
    throw FileError({.file = file}, "expected an MCAP file, found no file that can be read", "correct the path");
  }
  std::string head;
  ReadBytes(0, std::min<std::uint64_t>(size_, kMcapMagic.size()), head);
  if (head != kMcapMagic) {
    throw FormatError({.file = file}, "expected an MCAP file of version 0, found one that does not begin as such",
                      "name an .mcap file");
  }
  has_index_ = ReadSummary();
  if (!has_index_) ReadAll();
  FinishChannels();
}

void McapReader::Refuse(std::uint64_t offset, std::string_view what, std::string_view problem) const {
  throw FormatError({.file = file_}, fmt::format("{} at byte {}: {}", what, offset, problem),
                    "the file is damaged; take a whole copy of it");
}

void McapReader::ReadBytes(std::uint64_t offset, std::uint64_t count, std::string& bytes) {
  if (offset > size_ || count > size_ - offset) {
    Refuse(offset, "bytes",
           fmt::format("expected {} of them, found {} until the end of the file", count,
                       offset > size_ ? 0 : size_ - offset));
  }
  bytes.resize(count);
  stream_.clear();
  stream_.seekg(static_cast<std::streamoff>(offset));
  stream_.read(bytes.data(), static_cast<std::streamsize>(count));
  if (!stream_) {
    throw FileError({.file = file_},
                    fmt::format("expected {} bytes at byte {}, found that they cannot be read", count, offset));
  }
}

McapRecord McapReader::RecordAt(std::uint64_t offset, std::string& content) {
  std::string head;
  ReadBytes(offset, kMcapRecordHead, head);
  McapFields fields(head);
  const auto kind = static_cast<McapRecord>(fields.Next<std::uint8_t>());
  const auto length = fields.Next<std::uint64_t>();
  if (length > kLargestRecord) Refuse(offset, "a record", fmt::format("expected less than 2 GiB, found {}", length));
  ReadBytes(offset + kMcapRecordHead, length, content);
  return kind;
}

bool McapReader::ReadSummary() {
  if (size_ < 2 * kMcapMagic.size() + kFooter) return false;
  std::string tail;
  const std::uint64_t footer = size_ - kMcapMagic.size() - kFooter;
  ReadBytes(footer, kFooter + kMcapMagic.size(), tail);
  McapFields end(tail);
  const bool is_footer = static_cast<McapRecord>(end.Next<std::uint8_t>()) == McapRecord::Footer &&
                         end.Next<std::uint64_t>() == kFooter - kMcapRecordHead;
  if (!is_footer || !tail.ends_with(kMcapMagic)) return false;
  const auto start = end.Next<std::uint64_t>();
  end.Next<std::uint64_t>();  // where the offsets of groups start: not needed
  const auto crc = end.Next<std::uint32_t>();
  if (start == 0) return false;
  if (start > footer || start < kMcapMagic.size()) {
    Refuse(footer, "the footer", fmt::format("expected a summary before it, found byte {}", start));
  }
  std::string summary;
  ReadBytes(start, footer - start, summary);
  if (crc != 0) {
    const std::uint32_t found = Crc32(std::string_view(tail).substr(0, kFooter - kOffsetOfCrc), Crc32(summary));
    if (found != crc) {
      Refuse(start, "the summary", fmt::format("expected a CRC of {:08x}, found {:08x}", crc, found));
    }
  }
  std::optional<std::uint64_t> messages;  // statistics may be left out, and so may the index of chunks
  try {
    ForEachRecord(summary, [&](McapRecord kind, std::string_view content, std::uint64_t) {
      McapFields fields(content);
      if (kind == McapRecord::Statistics) messages = fields.Next<std::uint64_t>();
      if (kind == McapRecord::Schema || kind == McapRecord::Channel) Collect(kind, content, 0, 0);
      if (kind != McapRecord::ChunkIndex) return;
      fields.Take(16);  // times of the first and the last message
      McapChunk& chunk = chunks_.emplace_back();
      chunk.at = fields.Next<std::uint64_t>();
      fields.Next<std::uint64_t>();  // its length, which its record states too
      for (McapFields indexes(fields.Text()); !indexes.IsEmpty();) {
        const auto channel = indexes.Next<std::uint16_t>();
        chunk.indexes[channel] = indexes.Next<std::uint64_t>();
      }
    });
  } catch (const McapError& error) {
    Refuse(start, "the summary", error.what());
  }
  const bool has_indexes = std::ranges::none_of(chunks_, [](const McapChunk& chunk) { return chunk.indexes.empty(); });
  if (has_indexes && !found_.empty() && (!chunks_.empty() || messages == 0U)) return true;
  chunks_.clear();
  return false;
}

void McapReader::ReadAll() {
  const std::string cut_off = "the file was cut off; the messages before are whole";
  std::string content;
  std::uint64_t at = kMcapMagic.size();
  for (bool is_data = true; is_data;) {
    std::string head;
    if (size_ - at < kMcapRecordHead) {
      problem_ = fmt::format("expected a record at byte {}, found the end; {}", at, cut_off);
      return;
    }
    ReadBytes(at, kMcapRecordHead, head);
    McapFields fields(head);
    const auto kind = static_cast<McapRecord>(fields.Next<std::uint8_t>());
    const auto length = fields.Next<std::uint64_t>();
    if (length > size_ - at - kMcapRecordHead) {
      problem_ = fmt::format("expected {} bytes of a record at byte {}, found {} until the end; {}", length, at,
                             size_ - at - kMcapRecordHead, cut_off);
      return;
    }
    is_data = kind != McapRecord::DataEnd && kind != McapRecord::Footer;
    const bool is_read = kind == McapRecord::Schema || kind == McapRecord::Channel || kind == McapRecord::OneMessage ||
                         kind == McapRecord::Chunk;
    if (is_read) {
      RecordAt(at, content);
      try {
        if (kind == McapRecord::Chunk) {
          chunks_.emplace_back().at = at;
          CollectChunk(content);
        } else {
          Collect(kind, content, 0, at);
        }
      } catch (const McapError& error) {
        problem_ = fmt::format("the record at byte {}: {}; the messages before are whole", at, error.what());
        return;
      }
    }
    at += kMcapRecordHead + length;
  }
}

void McapReader::CollectChunk(std::string_view content) {
  std::string records;
  UnpackRecord(content, records);
  const std::uint64_t chunk = chunks_.back().at;
  ForEachRecord(records, [&](McapRecord kind, std::string_view part, std::uint64_t offset) {
    Collect(kind, part, chunk, offset);
  });
}

void McapReader::Collect(McapRecord kind, std::string_view content, std::uint64_t chunk, std::uint64_t offset) {
  McapFields fields(content);
  if (kind == McapRecord::Schema) {
    const auto id = fields.Next<std::uint16_t>();
    const std::string_view name = fields.Text();
    schemas_.insert_or_assign(id, std::pair(std::string(name), std::string(fields.Text())));
  } else if (kind == McapRecord::Channel) {
    McapChannel channel;
    channel.id = fields.Next<std::uint16_t>();
    const auto schema = fields.Next<std::uint16_t>();
    channel.topic = fields.Text();
    channel.encoding = fields.Text();
    channel.metadata = fields.Texts();
    const std::uint16_t id = channel.id;
    found_.insert_or_assign(id, std::pair(std::move(channel), schema));
  } else if (kind == McapRecord::OneMessage) {
    if (++place_count_ > kMostPlaces)
      throw McapError(fmt::format("more than {} messages without an index", kMostPlaces));
    const auto channel = fields.Next<std::uint16_t>();
    fields.Next<std::uint32_t>();
    places_[channel].push_back({fields.Next<std::uint64_t>(), chunk, offset});
  }
}

void McapReader::FinishChannels() {
  for (auto& [id, found] : found_) {
    const auto schema = schemas_.find(found.second);
    if (schema != schemas_.end()) std::tie(found.first.schema, found.first.schema_encoding) = schema->second;
    channels_.push_back(std::move(found.first));
  }
  found_.clear();
}

void McapReader::CollectIndex(const McapChunk& chunk, std::uint64_t at, std::uint16_t channel,
                              std::vector<McapPlace>& places) {
  std::string content;
  const McapRecord kind = RecordAt(at, content);
  try {
    McapFields fields(content);
    if (kind != McapRecord::MessageIndex || fields.Next<std::uint16_t>() != channel) {
      Refuse(at, "a record", fmt::format("expected the index of channel {}, found another record", channel));
    }
    for (McapFields entries(fields.Text()); !entries.IsEmpty();) {
      const auto nanos = entries.Next<std::uint64_t>();
      places.push_back({nanos, chunk.at, entries.Next<std::uint64_t>()});
    }
  } catch (const McapError& error) {
    Refuse(at, "an index", error.what());
  }
}

std::vector<McapPlace> McapReader::MessagesOf(std::uint16_t channel) {
  std::vector<McapPlace> places;
  if (has_index_) {
    for (const McapChunk& chunk : chunks_) {
      const auto index = chunk.indexes.find(channel);
      if (index != chunk.indexes.end()) CollectIndex(chunk, index->second, channel, places);
    }
  } else if (const auto found = places_.find(channel); found != places_.end()) {
    places = found->second;
  }
  std::ranges::stable_sort(places, [](const McapPlace& a, const McapPlace& b) {
    return a.nanos != b.nanos ? a.nanos < b.nanos : std::tie(a.chunk, a.offset) < std::tie(b.chunk, b.offset);
  });
  return places;
}

void McapReader::UnpackRecord(std::string_view content, std::string& records) const {
  McapFields fields(content);
  fields.Take(16);  // times of the first and the last message
  const auto size = fields.Next<std::uint64_t>();
  const auto crc = fields.Next<std::uint32_t>();
  const std::string_view method = fields.Text();
  const std::string_view packed = fields.Take(fields.Next<std::uint64_t>());
  if (size > kLargestChunk) throw McapError(fmt::format("expected a chunk of at most 1 GiB, found {} bytes", size));
  Decompress(method, packed, size, records);
  if (crc != 0 && Crc32(records) != crc) throw McapError("expected a chunk with its CRC, found another one");
}

const std::string& McapReader::Unpack(std::uint64_t chunk) {
  for (std::size_t i = 0; i < unpacked_.size(); ++i) {
    if (unpacked_[i].at != chunk) continue;
    turn_ = 1 - i;
    return unpacked_[i].records;
  }
  Unpacked& one = unpacked_[turn_];
  one.at = 0;
  std::string content;
  if (RecordAt(chunk, content) != McapRecord::Chunk)
    Refuse(chunk, "a record", "expected a chunk, found another record");
  try {
    UnpackRecord(content, one.records);
  } catch (const McapError& error) {
    Refuse(chunk, "a chunk", error.what());
  }
  one.at = chunk;
  turn_ = 1 - turn_;
  return one.records;
}

Message McapReader::At(const McapPlace& place, std::uint16_t channel) {
  std::string_view content;
  auto kind = McapRecord::OneMessage;
  try {
    if (place.chunk == 0) {
      kind = RecordAt(place.offset, loose_);
      content = loose_;
    } else {
      const std::string_view records = Unpack(place.chunk);
      if (place.offset > records.size()) throw McapError("expected a message in its chunk, found the end");
      McapFields fields(records.substr(place.offset));
      kind = static_cast<McapRecord>(fields.Next<std::uint8_t>());
      content = fields.Take(fields.Next<std::uint64_t>());
    }
    McapFields fields(content);
    const bool is_it = kind == McapRecord::OneMessage && fields.Next<std::uint16_t>() == channel;
    if (!is_it) throw McapError("expected a message of the channel that the index names, found another record");
    fields.Next<std::uint32_t>();
    if (fields.Next<std::uint64_t>() != place.nanos)
      throw McapError("expected the time of the index, found another one");
    fields.Next<std::uint64_t>();
    return std::as_bytes(std::span(fields.Rest()));
  } catch (const McapError& error) {
    Refuse(place.chunk == 0 ? place.offset : place.chunk, "a message", error.what());
  }
}

}  // namespace openmi::osi
