#include "fmi-bridge/osmp/wire/FieldReader.hpp"

#include <array>
#include <string>

namespace openmi::osi {

WireError::~WireError() = default;

void FieldReader::Refuse(std::size_t at, const char* problem) {
  throw WireError("byte " + std::to_string(at) + ": " + problem);
}

void FieldReader::RefuseLength(std::size_t at, std::size_t rest, std::uint32_t number, std::uint64_t length) {
  throw WireError("byte " + std::to_string(at) + ": expected at most the " + std::to_string(rest) +
                  " bytes that are left, found field " + std::to_string(number) + " announcing " +
                  std::to_string(length));
}

// Seven bits per byte, the lowest first. The tenth byte gives one bit; its other bits are dropped.
FieldReader::Varint FieldReader::LongVarint(const std::byte* begin, const std::byte* at, const std::byte* end) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (at == end) {
      Refuse(static_cast<std::size_t>(at - begin), "expected the rest of a number, found the end of the message");
    }
    const auto byte = static_cast<std::uint8_t>(*at++);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return {value, at};
  }
  Refuse(static_cast<std::size_t>(at - begin), "expected a number of at most 10 bytes, found a longer one");
}

// OSI has no groups; messages of other sources may have them. A group is a list of fields up to its end.
const std::byte* FieldReader::BehindGroup(const std::byte* begin, const std::byte* at, const std::byte* end,
                                          std::uint32_t number, WireType type) {
  const auto refuse = [&](const char* problem) { Refuse(static_cast<std::size_t>(at - begin), problem); };
  if (type != WireType::GroupBegin) refuse("expected the beginning of a field, found the end of a group or a bad type");
  std::array<std::uint32_t, kDeepestNesting> open{};
  std::size_t depth = 0;
  open[depth++] = number;
  FieldReader inside({at, end});
  inside.begin_ = begin;
  while (depth > 0) {
    at = inside.at_;
    if (at == end) refuse("expected the end of a group, found the end of the message");
    const std::uint64_t tag = inside.ReadVarint();
    const auto kind = static_cast<WireType>(tag & 7);
    if (kind == WireType::GroupBegin || kind == WireType::GroupEnd) {
      number = static_cast<std::uint32_t>(tag >> 3);
      if (number == 0 || tag > 0xFFFF'FFFF) refuse(kBadNumber);
    }
    if (kind == WireType::GroupBegin) {
      if (depth == open.size()) refuse("expected groups at most 100 deep, found deeper ones");
      open[depth++] = number;
    } else if (kind == WireType::GroupEnd) {
      if (open[--depth] != number) refuse("expected the end of the group that was begun, found another's");
    } else {
      inside.at_ = at;  // any other field, read as usual
      inside.Next();
    }
  }
  return inside.at_;
}

void RequireFields(Message message) {
  for (FieldReader field(message); field.Next();) {
  }
}

}  // namespace openmi::osi
