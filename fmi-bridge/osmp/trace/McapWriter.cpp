#include "fmi-bridge/osmp/trace/McapWriter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "fmi-bridge/osmp/trace/TraceReader.hpp"
#include "openmi/omi/SdkVersion.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::osi {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;  // bytes after which a chunk ends
constexpr std::string_view kVersionKey = "net.asam.osi.trace.channel.osi_version";
constexpr std::string_view kProtobufKey = "net.asam.osi.trace.channel.protobuf_version";
/// The messages come from models, which do not say with which protobuf they were written.
constexpr const char* kUnknownProtobuf = "0.0.0";

std::string VersionText(const InterfaceVersion& version) {
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

InterfaceVersion VersionOf(std::string_view text) {
  InterfaceVersion version{0, 0, 0};
  for (std::uint32_t* part : {&version.major, &version.minor, &version.patch}) {
    const auto end = std::from_chars(text.data(), text.data() + text.size(), *part).ptr;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with('.')) text.remove_prefix(1);
  }
  return version;
}

}  // namespace

McapWriter::McapWriter(const std::string& file, std::uint64_t keep) : file_(file), stream_(OpenKeeping(file, keep)) {
  if (keep > 0) {
    TakeUp(keep);
    return;
  }
  Put(kMcapMagic);
  McapBytes header;
  header.AddText("");  // no profile
  header.AddText(fmt::format("openmi {}", kSdkVersion));
  PutRecord(McapRecord::Header, header.Bytes());
}

void McapWriter::Put(std::string_view bytes) {
  stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream_) RefuseUnwritable(file_);
  size_ += bytes.size();
}

void McapWriter::PutRecord(McapRecord kind, std::string_view content) {
  McapBytes head;
  head.Add(static_cast<std::uint8_t>(kind));
  head.Add(static_cast<std::uint64_t>(content.size()));
  Put(head.Bytes());
  Put(content);
}

std::uint16_t McapWriter::Add(const McapTopic& channel, const Schema& schema) {
  if (const auto found = topics_.find(channel.topic); found != topics_.end()) return found->second;
  auto type = types_.find(channel.type);
  if (type == types_.end()) {
    type = types_.emplace(channel.type, static_cast<std::uint16_t>(schemas_.size() + 1)).first;
    McapBytes content;
    content.Add(type->second);
    content.AddText("osi3." + channel.type);
    content.AddText("protobuf");
    content.AddText(schema.Descriptors(channel.type));
    schemas_.emplace(type->second, content.Bytes());
    PutRecord(McapRecord::Schema, content.Bytes());
  }
  McapBytes content;
  content.Add(static_cast<std::uint16_t>(channels_.size()));
  content.Add(type->second);
  content.AddText(channel.topic);
  content.AddText("protobuf");
  content.AddTexts(
      {{std::string(kVersionKey), VersionText(channel.version)}, {std::string(kProtobufKey), kUnknownProtobuf}});
  PutRecord(McapRecord::Channel, content.Bytes());
  TakeChannel(content.Bytes());
  return topics_.at(channel.topic);
}

void McapWriter::TakeChannel(std::string_view content) {
  McapFields fields(content);
  const auto id = fields.Next<std::uint16_t>();
  fields.Next<std::uint16_t>();
  topics_.insert_or_assign(std::string(fields.Text()), id);
  fields.Text();
  const InterfaceVersion version = VersionOf(fields.Texts()[std::string(kVersionKey)]);
  oldest_ = oldest_ ? std::min(*oldest_, version) : version;
  newest_ = newest_ ? std::max(*newest_, version) : version;
  channels_.insert_or_assign(id, std::string(content));
}

void McapWriter::Write(std::uint16_t channel, std::uint64_t nanos, Message message) {
  const std::uint64_t offset = records_.Bytes().size();
  first_ = entries_.empty() ? nanos : std::min(first_, nanos);
  last_ = entries_.empty() ? nanos : std::max(last_, nanos);
  entries_[channel].push_back({nanos, size_, offset});
  ++counts_[channel];
  records_.Add(static_cast<std::uint8_t>(McapRecord::OneMessage));
  records_.Add(static_cast<std::uint64_t>(2 + 4 + 8 + 8 + message.size()));
  records_.Add(channel);
  records_.Add(std::uint32_t{0});  // no counter
  records_.Add(nanos);
  records_.Add(nanos);
  records_.AddRaw({reinterpret_cast<const char*>(message.data()), message.size()});
  if (records_.Bytes().size() >= kChunk) EndChunk();
}

void McapWriter::EndChunk() {
  if (entries_.empty()) return;
  const std::string packed = CompressZstd(records_.Bytes());
  McapChunk chunk{first_, last_, size_, 0, "zstd", packed.size(), records_.Bytes().size(), {}, 0};
  McapBytes content;
  content.Add(first_);
  content.Add(last_);
  content.Add(chunk.unpacked);
  content.Add(Crc32(records_.Bytes()));
  content.AddText(chunk.method);
  content.Add(chunk.packed);
  content.AddRaw(packed);
  PutRecord(McapRecord::Chunk, content.Bytes());
  chunk.length = size_ - chunk.at;
  for (const auto& [channel, entries] : entries_) {
    McapBytes places;
    for (const McapPlace& entry : entries) {
      places.Add(entry.nanos);
      places.Add(entry.offset);
    }
    content.Clear();
    content.Add(channel);
    content.AddText(places.Bytes());
    chunk.indexes.emplace(channel, size_);
    PutRecord(McapRecord::MessageIndex, content.Bytes());
  }
  chunk.index_length = size_ - chunk.at - chunk.length;
  chunks_.push_back(std::move(chunk));
  entries_.clear();
  records_.Clear();
}

std::uint64_t McapWriter::Flush() {
  EndChunk();
  stream_.flush();
  if (!stream_) RefuseUnwritable(file_);
  return size_;
}

void McapWriter::TakeUp(std::uint64_t keep) {
  const auto refuse = [&](std::uint64_t at, std::string_view problem) {
    throw FormatError({.file = file_},
                      fmt::format("expected the records that were written before, found at byte {}: {}", at, problem),
                      "run it from its start, or put the file back");
  };
  std::ifstream file(file_, std::ios::binary);
  std::string bytes(kMcapMagic.size(), '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) || bytes != kMcapMagic) {
    refuse(0, "another file");
  }
  for (size_ = bytes.size(); size_ < keep;) {
    bytes.resize(kMcapRecordHead);
    if (keep - size_ < kMcapRecordHead || !file.read(bytes.data(), kMcapRecordHead)) refuse(size_, "its end");
    McapFields head(bytes);
    const auto kind = static_cast<McapRecord>(head.Next<std::uint8_t>());
    const auto length = head.Next<std::uint64_t>();
    if (length > keep - size_ - kMcapRecordHead) refuse(size_, "a longer record");
    bytes.resize(length);
    if (!file.read(bytes.data(), static_cast<std::streamsize>(length))) refuse(size_, "its end");
    try {
      TakeUpRecord(kind, bytes, size_);
    } catch (const McapError& error) {
      refuse(size_, error.what());
    }
    size_ += kMcapRecordHead + length;
  }
}

void McapWriter::TakeUpRecord(McapRecord kind, std::string_view content, std::uint64_t at) {
  McapFields fields(content);
  if (kind == McapRecord::Schema) {
    const auto id = fields.Next<std::uint16_t>();
    const std::string_view name = fields.Text();
    schemas_.insert_or_assign(id, std::string(content));
    types_.insert_or_assign(std::string(name.substr(name.find('.') + 1)), id);
  } else if (kind == McapRecord::Channel) {
    TakeChannel(content);
  } else if (kind == McapRecord::Chunk) {
    McapChunk& chunk = chunks_.emplace_back();
    chunk.at = at;
    chunk.length = kMcapRecordHead + content.size();
    chunk.first = fields.Next<std::uint64_t>();
    chunk.last = fields.Next<std::uint64_t>();
    chunk.unpacked = fields.Next<std::uint64_t>();
    fields.Next<std::uint32_t>();
    chunk.method = fields.Text();
    chunk.packed = fields.Next<std::uint64_t>();
  } else if (kind == McapRecord::MessageIndex && !chunks_.empty()) {
    const auto channel = fields.Next<std::uint16_t>();
    chunks_.back().indexes[channel] = at;
    chunks_.back().index_length += kMcapRecordHead + content.size();
    counts_[channel] += fields.Text().size() / (2 * sizeof(std::uint64_t));
  }
}

std::string McapWriter::MetadataContent() const {
  McapBytes content;
  content.AddText("net.asam.osi.trace");
  content.AddTexts({{"version", VersionText({})},
                    {"min_osi_version", VersionText(oldest_.value_or(InterfaceVersion{}))},
                    {"max_osi_version", VersionText(newest_.value_or(InterfaceVersion{}))},
                    {"min_protobuf_version", kUnknownProtobuf},
                    {"max_protobuf_version", kUnknownProtobuf}});
  return content.Bytes();
}

std::string McapWriter::StatisticsContent() const {
  McapBytes counts;
  std::uint64_t messages = 0;
  for (const auto& [channel, count] : counts_) {
    counts.Add(channel);
    counts.Add(count);
    messages += count;
  }
  std::uint64_t first = chunks_.empty() ? 0 : chunks_.front().first;
  std::uint64_t last = 0;
  for (const McapChunk& chunk : chunks_) {
    first = std::min(first, chunk.first);
    last = std::max(last, chunk.last);
  }
  McapBytes content;
  content.Add(messages);
  content.Add(static_cast<std::uint16_t>(schemas_.size()));
  content.Add(static_cast<std::uint32_t>(channels_.size()));
  content.Add(std::uint32_t{0});  // attachments
  content.Add(std::uint32_t{1});  // metadata
  content.Add(static_cast<std::uint32_t>(chunks_.size()));
  content.Add(first);
  content.Add(last);
  content.AddText(counts.Bytes());
  return content.Bytes();
}

void McapWriter::Close() {
  if (!stream_.is_open()) return;
  EndChunk();
  McapBytes metadata;
  const std::string content = MetadataContent();
  metadata.Add(size_);
  metadata.Add(static_cast<std::uint64_t>(kMcapRecordHead + content.size()));
  metadata.AddText("net.asam.osi.trace");
  PutRecord(McapRecord::Metadata, content);
  PutRecord(McapRecord::DataEnd, std::string(4, '\0'));  // no CRC over all data

  McapBytes summary;
  McapBytes offsets;
  const std::uint64_t start = size_;
  const auto group = [&](McapRecord kind, const auto& write) {
    const std::uint64_t begin = summary.Bytes().size();
    write();
    const std::uint64_t length = summary.Bytes().size() - begin;
    if (length == 0) return;
    McapBytes offset;
    offset.Add(static_cast<std::uint8_t>(kind));
    offset.Add(start + begin);
    offset.Add(length);
    offsets.AddRecord(McapRecord::SummaryOffset, offset.Bytes());
  };
  group(McapRecord::Schema, [&] {
    for (const auto& [id, schema] : schemas_) summary.AddRecord(McapRecord::Schema, schema);
  });
  group(McapRecord::Channel, [&] {
    for (const auto& [id, channel] : channels_) summary.AddRecord(McapRecord::Channel, channel);
  });
  group(McapRecord::Statistics, [&] { summary.AddRecord(McapRecord::Statistics, StatisticsContent()); });
  group(McapRecord::ChunkIndex, [&] {
    for (const McapChunk& chunk : chunks_) {
      McapBytes indexes;
      for (const auto& [channel, at] : chunk.indexes) {
        indexes.Add(channel);
        indexes.Add(at);
      }
      McapBytes record;
      for (const std::uint64_t number : {chunk.first, chunk.last, chunk.at, chunk.length}) record.Add(number);
      record.AddText(indexes.Bytes());
      record.Add(chunk.index_length);
      record.AddText(chunk.method);
      record.Add(chunk.packed);
      record.Add(chunk.unpacked);
      summary.AddRecord(McapRecord::ChunkIndex, record.Bytes());
    }
  });
  group(McapRecord::MetadataIndex, [&] { summary.AddRecord(McapRecord::MetadataIndex, metadata.Bytes()); });
  const std::uint64_t groups = start + summary.Bytes().size();
  summary.AddRaw(offsets.Bytes());
  summary.Add(static_cast<std::uint8_t>(McapRecord::Footer));
  summary.Add(std::uint64_t{8 + 8 + 4});
  summary.Add(start);
  summary.Add(groups);
  summary.Add(Crc32(summary.Bytes()));
  Put(summary.Bytes());
  Put(kMcapMagic);
  stream_.close();
  if (!stream_) RefuseUnwritable(file_);
}

}  // namespace openmi::osi
