#include "fmi-bridge/fmi/run/BusFrames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

constexpr std::string_view kBusMime = "application/org.fmi-standard.fmi-ls-bus.";
constexpr std::uint32_t kCanTransmit = 0x10;
constexpr std::uint32_t kCanFdTransmit = 0x11;
constexpr std::size_t kHeader = 8;  // code and length

// Numbers of an operation, little-endian.
class Fields {
 public:
  /// \param bus  for messages
  Fields(std::span<const std::byte> bytes, std::string_view bus) : bytes_(bytes), bus_(bus) {}

  std::uint32_t Next(std::size_t size) {
    const std::span<const std::byte> part = Bytes(size);
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < size; ++i) number |= std::to_integer<std::uint32_t>(part[i]) << (8 * i);
    return number;
  }
  std::span<const std::byte> Bytes(std::size_t size) {
    if (size > bytes_.size()) {
      Refuse(fmt::format("{} more bytes in a bus operation, found {}", size, bytes_.size()));
    }
    const std::span<const std::byte> part = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return part;
  }
  std::size_t Left() const { return bytes_.size(); }
  /// \param expected  and what was found
  [[noreturn]] void Refuse(const std::string& expected) const {
    throw FormatError({.item = std::string(bus_)}, "expected " + expected, "correct the FMU that sends it");
  }

 private:
  std::span<const std::byte> bytes_;
  std::string_view bus_;
};

// A frame as candump writes it: 1A3#0102, 1ABCDEF0#R, 1A3##30102.
std::string FrameText(Fields fields, bool is_fd) {
  const std::size_t whole = kHeader + fields.Left();
  const std::uint32_t id = fields.Next(4);
  const bool is_extended = fields.Next(1) != 0;
  const std::uint32_t first = fields.Next(1);  // remote request, or bit rate switch
  const std::uint32_t flags = is_fd ? (first != 0 ? 1u : 0u) | (fields.Next(1) != 0 ? 2u : 0u) : 0u;
  const std::uint32_t size = fields.Next(2);
  const std::uint32_t most_id = is_extended ? 0x1FFFFFFFu : 0x7FFu;
  if (id > most_id) fields.Refuse(fmt::format("an identifier of at most 0x{:X}, found 0x{:X}", most_id, id));
  std::string text = is_extended ? fmt::format("{:08X}#", id) : fmt::format("{:03X}#", id);
  if (is_fd) text += fmt::format("#{:X}", flags);
  if (!is_fd && first != 0) return text + "R";
  const std::span<const std::byte> data = fields.Bytes(size);
  if (const std::uint32_t most = is_fd ? 64 : 8; size > most) {
    fields.Refuse(fmt::format("0 to {} bytes in a frame of CAN{}, found {}", most, is_fd ? " FD" : "", size));
  }
  if (const std::size_t left = fields.Left(); left > 0) {
    fields.Refuse(fmt::format("a bus operation of {} bytes, found {}", whole - left, whole));
  }
  for (const std::byte byte : data) {
    fmt::format_to(std::back_inserter(text), "{:02X}", std::to_integer<unsigned>(byte));
  }
  return text;
}

std::int64_t MicrosecondsOf(Stamp time) {
  constexpr double kEpoch = 40587.0;  // 1970-01-01
  return std::llround((time.mjd - kEpoch) * 86400e6);
}

std::string BusName(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    if (!is_plain) c = '_';
  }
  return name;
}

}  // namespace

bool IsBusData(const Variable& variable) {
  return variable.type == VariableType::Binary && variable.attributes.mime_type.starts_with(kBusMime);
}

std::set<Index> BusClocks(const ModelDescription& description) {
  std::set<Index> clocks;
  for (const Variable& variable : description.variables) {
    if (IsBusData(variable)) clocks.insert(variable.clocks.begin(), variable.clocks.end());
  }
  return clocks;
}

BusFrames::BusFrames(std::string path)
    : path_(std::move(path)), file_(path_, std::ios::app), last_taken_(kFarPast), last_(kFarPast), start_(kFarPast) {
  if (!file_) {
    throw FileError({.file = path_}, "expected a file that can be written, found none", "choose another path");
  }
  std::error_code ignored;
  if (std::filesystem::file_size(path_, ignored) > 0) last_ = kFarFuture;
}

BusFrames::~BusFrames() {
  file_ << taken_ << std::flush;
}

void BusFrames::Take(Stamp time, std::string_view bus, std::span<const std::byte> operations) {
  last_taken_ = std::max(time, start_ + Seconds(1e-6));
  const std::int64_t microseconds = MicrosecondsOf(last_taken_);
  Fields fields(operations, bus);
  while (fields.Left() > 0) {
    const std::uint32_t code = fields.Next(4);
    const std::uint32_t length = fields.Next(4);
    if (length < kHeader) {
      fields.Refuse(fmt::format("a bus operation of at least {} bytes, found {}", kHeader, length));
    }
    const Fields body(fields.Bytes(length - kHeader), bus);
    if (code != kCanTransmit && code != kCanFdTransmit) continue;
    taken_ += fmt::format("({:010}.{:06}) {} {}\n", microseconds / 1'000'000, microseconds % 1'000'000, BusName(bus),
                          FrameText(body, code == kCanFdTransmit));
  }
}

void BusFrames::StartStep(Stamp time) {
  if (std::exchange(cuts_, false) && last_ > time) CutAfter(time);
  Keep();
  start_ = time;
}

void BusFrames::Keep() {
  if (taken_.empty()) return;
  file_ << taken_ << std::flush;
  taken_.clear();
  last_ = std::max(last_, last_taken_);
  if (file_) return;
  throw FileError({.file = path_}, fmt::format("expected to write frames of a bus, found: {}", std::strerror(errno)),
                  "make room on the disk, or leave 'bus-frames' out");
}

void BusFrames::Drop() {
  taken_.clear();
  cuts_ = true;
}

void BusFrames::CutAfter(Stamp time) {
  const std::int64_t limit = MicrosecondsOf(time);
  std::string kept;
  std::ifstream all(path_);
  for (std::string line; std::getline(all, line);) {
    std::int64_t seconds = 0;
    std::int64_t rest = 0;
    const bool is_frame = std::sscanf(line.c_str(), "(%" SCNd64 ".%" SCNd64 ")", &seconds, &rest) == 2;
    if (!is_frame || seconds * 1'000'000 + rest <= limit) kept += line + "\n";
  }
  std::ofstream(path_, std::ios::trunc) << kept;
  last_ = time;
}

}  // namespace openmi::fmi
