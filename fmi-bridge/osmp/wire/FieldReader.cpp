#include "fmi-bridge/osmp/wire/FieldReader.hpp"

#include <array>
#include <string>

namespace openmi::osi {

WireError::~WireError() = default;

void FieldReader::Refuse(const char* problem) const {
  throw WireError("byte " + std::to_string(at_ - begin_) + ": " + problem);
}

void FieldReader::RefuseLength(std::uint64_t length) const {
  throw WireError("byte " + std::to_string(at_ - begin_) + ": expected at most the " + std::to_string(Rest()) +
                  " bytes that are left, found field " + std::to_string(number_) + " announcing " +
                  std::to_string(length));
}

// Seven bits a byte, the lowest first. Of ten bytes the last gives one bit; what else it holds is dropped.
std::uint64_t FieldReader::ReadLongVarint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (at_ == end_) Refuse("expected the rest of a number, found the end of the message");
    const auto byte = static_cast<std::uint8_t>(*at_++);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  Refuse("expected a number of at most 10 bytes, found a longer one");
}

// OSI has no groups; other messages, and strangers, may.
void FieldReader::SkipGroup() {
  if (type_ != WireType::GroupBegin)
    Refuse("expected the beginning of a field, found the end of a group or a bad type");
  std::array<std::uint32_t, kDeepestNesting> open{};
  std::size_t depth = 0;
  open[depth++] = number_;
  while (depth > 0) {
    if (at_ == end_) Refuse("expected the end of a group, found the end of the message");
    const std::uint64_t tag = ReadVarint();
    const auto number = static_cast<std::uint32_t>(tag >> 3);
    if (number == 0 || tag > 0xFFFF'FFFF) Refuse("expected a field number of 1 to 536870911, found another");
    switch (static_cast<WireType>(tag & 7)) {
      case WireType::Varint:
        ReadVarint();
        break;
      case WireType::Fixed64:
        ReadFixed<std::uint64_t>();
        break;
      case WireType::Fixed32:
        ReadFixed<std::uint32_t>();
        break;
      case WireType::Length: {
        const std::uint64_t length = ReadVarint();
        if (length > Rest()) RefuseLength(length);
        at_ += length;
        break;
      }
      case WireType::GroupBegin:
        if (depth == open.size()) Refuse("expected groups at most 100 deep, found deeper ones");
        open[depth++] = number;
        break;
      case WireType::GroupEnd:
        if (open[--depth] != number) Refuse("expected the end of the group that was begun, found another's");
        break;
      default:
        Refuse("expected one of six wire types, found another");
    }
  }
}

void RequireFields(Message message) {
  for (FieldReader field(message); field.Next();) {
  }
}

}  // namespace openmi::osi
