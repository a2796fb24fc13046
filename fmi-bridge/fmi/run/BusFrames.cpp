#include "fmi-bridge/fmi/run/BusFrames.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>

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
  explicit Fields(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint32_t Next(std::size_t size) {
    const std::span<const std::byte> part = Bytes(size);
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < size; ++i) number |= std::to_integer<std::uint32_t>(part[i]) << (8 * i);
    return number;
  }
  std::span<const std::byte> Bytes(std::size_t size) {
    if (size > bytes_.size()) {
      throw FormatError({}, fmt::format("expected {} more bytes in a bus operation, found {}", size, bytes_.size()),
                        "correct the FMU that sends it");
    }
    const std::span<const std::byte> part = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return part;
  }
  bool AtEnd() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

// A frame as candump writes it: 1A3#0102, 1ABCDEF0#R, 1A3##30102.
std::string FrameText(Fields fields, bool is_fd) {
  const std::uint32_t id = fields.Next(4);
  const bool is_extended = fields.Next(1) != 0;
  const std::uint32_t first = fields.Next(1);  // remote request, or bit rate switch
  const std::uint32_t flags = is_fd ? (first != 0 ? 1u : 0u) | (fields.Next(1) != 0 ? 2u : 0u) : 0u;
  const std::uint32_t size = fields.Next(2);
  std::string text = is_extended ? fmt::format("{:08X}#", id & 0x1FFFFFFFu) : fmt::format("{:03X}#", id & 0x7FFu);
  if (is_fd) text += fmt::format("#{:X}", flags);
  if (!is_fd && first != 0) return text + "R";
  for (const std::byte byte : fields.Bytes(size)) {
    fmt::format_to(std::back_inserter(text), "{:02X}", std::to_integer<unsigned>(byte));
  }
  return text;
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

BusFrames::BusFrames(const std::string& path) : file_(path, std::ios::app) {
  if (!file_) throw FileError({.file = path}, "expected a file that can be written, found none", "choose another path");
}

void BusFrames::Write(Stamp time, std::string_view bus, std::span<const std::byte> operations) {
  constexpr double kEpoch = 40587.0;  // 1970-01-01
  const auto microseconds = std::llround((time.mjd - kEpoch) * 86400e6);
  Fields fields(operations);
  while (!fields.AtEnd()) {
    const std::uint32_t code = fields.Next(4);
    const std::uint32_t length = fields.Next(4);
    if (length < kHeader) {
      throw FormatError({}, fmt::format("expected a bus operation of at least {} bytes, found {}", kHeader, length),
                        "correct the FMU that sends it");
    }
    const Fields body(fields.Bytes(length - kHeader));
    if (code != kCanTransmit && code != kCanFdTransmit) continue;
    file_ << fmt::format("({:010}.{:06}) {} {}\n", microseconds / 1'000'000, microseconds % 1'000'000, BusName(bus),
                         FrameText(body, code == kCanFdTransmit));
  }
  file_.flush();
}

}  // namespace openmi::fmi
