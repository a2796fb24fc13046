#include "fmi-bridge/osmp/trace/TraceReader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "openmi/sdk/Error.hpp"

namespace openmi::osi {
namespace {

constexpr std::uint64_t kLengthBytes = 4;

std::uint64_t Decode(const std::array<char, kLengthBytes>& bytes) {
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  return length;
}

}  // namespace

TraceReader::TraceReader(const std::string& file) : file_(file), stream_(file, std::ios::binary) {
  std::error_code error;
  size_ = std::filesystem::file_size(file, error);
  if (!stream_ || error) {
    throw FileError({.file = file}, "expected an OSI trace, found no file that can be read", "correct the path");
  }
  std::array<char, 5> head{};
  stream_.read(head.data(), head.size());
  if (file.ends_with(".mcap") || std::string_view(head.data(), head.size()) == "\x89MCAP") {
    Refuse("expected a trace of messages with their lengths (.osi), found an MCAP file",
           "give its name the ending .mcap");
  }
  if (file.ends_with(".txth") || file.ends_with(".txt")) {
    Refuse("expected a trace of messages with their lengths (.osi), found one in text",
           "text is for people to read; take the .osi file that it was made of");
  }
  stream_.clear();
}

void TraceReader::Refuse(const std::string& problem, const std::string& remedy) const {
  throw FormatError({.file = file_}, problem, remedy);
}

std::optional<std::uint64_t> TraceReader::LengthAt(std::uint64_t offset) {
  if (offset == size_) return std::nullopt;
  const auto place = [&] { return fmt::format("message {} at byte {}", count_ + 1, offset); };
  if (offset > size_ || size_ - offset < kLengthBytes) {
    Refuse(fmt::format("expected the length of {}, found the end of the file", place()),
           "the file was cut off; the messages before it are whole");
  }
  std::array<char, kLengthBytes> bytes{};
  stream_.seekg(static_cast<std::streamoff>(offset));
  stream_.read(bytes.data(), bytes.size());
  if (!stream_) throw FileError({.file = file_}, fmt::format("expected {}, found that it cannot be read", place()));
  const std::uint64_t length = Decode(bytes);
  if (count_ == 0 && offset == 0 && length > size_ - kLengthBytes && BeginsWithText()) {
    Refuse("expected a trace of messages with their lengths (.osi), found a text", "name the .osi file");
  }
  if (length > kLargestMessage) {
    Refuse(fmt::format("expected messages of less than 2 GiB, found {} announcing {} bytes", place(), length),
           "this is no trace of OSI messages, or it is damaged");
  }
  if (length > size_ - offset - kLengthBytes) {
    Refuse(fmt::format("expected {} bytes of {}, found {} until the end of the file", length, place(),
                       size_ - offset - kLengthBytes),
           count_ == 0 ? "the file was cut off within its first message, or is no trace of OSI messages"
                       : "the file was cut off; the messages before it are whole");
  }
  return length;
}

bool TraceReader::BeginsWithText() {
  std::array<char, 64> head{};
  stream_.seekg(0);
  stream_.read(head.data(), head.size());
  const auto count = static_cast<std::size_t>(stream_.gcount());
  stream_.clear();
  return std::all_of(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(count), [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte >= 0x20 || byte == '\n' || byte == '\r' || byte == '\t';
  });
}

void TraceReader::ReadAt(std::uint64_t offset, Bytes& buffer) {
  const std::optional<std::uint64_t> length = LengthAt(offset);
  if (!length) Refuse("expected a message, found the end of the file", "");
  buffer.resize(*length);
  stream_.seekg(static_cast<std::streamoff>(offset + kLengthBytes));
  stream_.read(reinterpret_cast<char*>(buffer.data()), static_cast<std::streamsize>(*length));
  if (!stream_)
    throw FileError({.file = file_}, fmt::format("expected a message at byte {}, found none to read", offset));
}

std::optional<Message> TraceReader::Next() {
  const std::optional<std::uint64_t> length = LengthAt(offset_);
  if (!length) return std::nullopt;
  ReadAt(offset_, buffer_);
  offset_ += kLengthBytes + *length;
  ++count_;
  return buffer_;
}

std::ofstream OpenKeeping(const std::string& file, std::uint64_t keep) {
  std::error_code error;
  if (keep > 0) {
    const std::uint64_t there = std::filesystem::file_size(file, error);
    if (error || there < keep) {
      throw FileError({.file = file},
                      fmt::format("expected the {} bytes that were written before, found {}", keep,
                                  error ? std::string("no file") : fmt::format("{}", there)),
                      "run it from its start, or put the file back");
    }
    std::filesystem::resize_file(file, keep, error);
  }
  std::ofstream stream(file, keep > 0 ? std::ios::binary | std::ios::app : std::ios::binary | std::ios::trunc);
  if (error || !stream) RefuseUnwritable(file);
  return stream;
}

TraceWriter::TraceWriter(const std::string& file, std::uint64_t keep)
    : file_(file), stream_(OpenKeeping(file, keep)), size_(keep) {}

void RefuseUnwritable(const std::string& file) {
  throw FileError({.file = file}, "expected a file that can be written, found one that cannot",
                  "correct the path, or make room on the disk");
}

void TraceWriter::Write(Message message) {
  std::array<char, kLengthBytes> bytes{};
  for (std::size_t i = 0; i < kLengthBytes; ++i) bytes[i] = static_cast<char>(message.size() >> 8 * i & 0xFF);
  stream_.write(bytes.data(), bytes.size());
  stream_.write(reinterpret_cast<const char*>(message.data()), static_cast<std::streamsize>(message.size()));
  if (!stream_) RefuseUnwritable(file_);
  size_ += kLengthBytes + message.size();
}

std::uint64_t TraceWriter::Flush() {
  stream_.flush();
  if (!stream_) RefuseUnwritable(file_);
  return size_;
}

void TraceWriter::Close() {
  if (!stream_.is_open()) return;
  stream_.close();
  if (!stream_) RefuseUnwritable(file_);
}

std::string MessageTypeByName(std::string_view file) {
  constexpr std::array<std::pair<std::string_view, const char*>, 10> kCodes = {{
      {"sv", "SensorView"},
      {"svc", "SensorViewConfiguration"},
      {"gt", "GroundTruth"},
      {"hvd", "HostVehicleData"},
      {"sd", "SensorData"},
      {"tc", "TrafficCommand"},
      {"tcu", "TrafficCommandUpdate"},
      {"tu", "TrafficUpdate"},
      {"mr", "MotionRequest"},
      {"su", "StreamingUpdate"},
  }};
  std::string_view name = file.substr(file.find_last_of('/') + 1);
  name = name.substr(0, name.find_last_of('.'));
  while (!name.empty()) {
    const auto end = std::min(name.find('_'), name.size());
    for (const auto& [code, type] : kCodes) {
      if (name.substr(0, end) == code) return type;
    }
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return {};
}

namespace {

// Whether a message has a time stamp in the usual field: only whole numbers, where other types have messages.
bool HasTimestamp(Message message) {
  for (FieldReader at(message); at.Next();) {
    if (!at.Is(field::kTimestamp, WireType::Length)) continue;
    for (FieldReader part(at.Content()); part.Next();) {
      if (part.Type() != WireType::Varint || part.Number() > 2) return false;
    }
    return true;
  }
  return false;
}

// The header of detections starts with a time of measurement; the field of a ground truth there starts with a number.
bool IsDetectionHeader(Message message) {
  FieldReader at(message);
  return at.Next() && at.Type() == WireType::Length;
}

}  // namespace

std::string MessageTypeByContent(Message message) {
  bool has_late_head = false;
  bool has_objects = false;
  bool is_data = false;
  bool is_view = false;
  const auto is_so = [](bool (*look)(Message), Message content) {
    try {
      return look(content);
    } catch (const WireError&) {
      return false;
    }
  };
  for (FieldReader at(message); at.Next();) {
    if (at.Type() != WireType::Length) continue;
    has_late_head |= at.Number() == field::host_vehicle_data::kTimestamp;
    has_objects |= at.Number() == field::ground_truth::kMovingObject;
    is_view |= at.Number() == field::sensor_view::kGlobalGroundTruth && is_so(HasTimestamp, at.Content());
    // A ground truth has road markings, the environment and the code of a country at these numbers.
    is_data |= at.Number() == field::sensor_data::kMovingObject ||
               (at.Number() == field::sensor_data::kSensorView && is_so(HasTimestamp, at.Content())) ||
               (at.Number() == field::sensor_data::kMovingObjectHeader && is_so(IsDetectionHeader, at.Content()));
  }
  if (!is_so(HasTimestamp, message)) return has_late_head ? "HostVehicleData" : "";
  if (is_data) return "SensorData";
  if (is_view) return "SensorView";
  return has_objects ? "GroundTruth" : "";
}

MessageHead HeadOf(Message message, std::string_view type) {
  return type == "HostVehicleData"
             ? ReadHead(message, field::host_vehicle_data::kVersion, field::host_vehicle_data::kTimestamp)
             : ReadHead(message);
}

std::optional<Timestamp> TimeOf(Message message, std::string_view type) {
  return HeadOf(message, type).time;
}

}  // namespace openmi::osi
