#include "fmi-bridge/osmp/fields/ObjectShapes.hpp"

#include <algorithm>
#include <cstring>

#include "fmi-bridge/osmp/schema/MessageType.hpp"

namespace openmi::osi {
namespace {

/// Reads the bits of a number at a known address.
std::uint64_t BitsAt(const std::byte* at, WireType type) {
  std::uint64_t bits = 0;
  if (type == WireType::Varint) {
    for (int shift = 0;; shift += 7, ++at) {
      bits |= (static_cast<std::uint64_t>(*at) & 0x7F) << shift;
      if ((*at & std::byte{0x80}) == std::byte{0}) return bits;
    }
  }
  std::memcpy(&bits, at, type == WireType::Fixed64 ? 8 : 4);
  return bits;
}

}  // namespace

bool ObjectShapes::Read(Message object, std::size_t row, std::span<std::vector<double>> columns,
                        std::span<std::uint64_t> ids) const {
  for (const Shape& shape : shapes_) {
    if (shape.bytes.size() != object.size() || object.empty()) continue;
    std::byte differs{0};
    const std::byte* known = shape.bytes.data();
    const std::byte* mask = shape.mask.data();
    const std::byte* now = object.data();
    for (std::size_t i = 0; i < object.size(); ++i) differs |= (known[i] ^ now[i]) & mask[i];
    if (differs != std::byte{0}) continue;
    for (const Load& load : shape.doubles) {
      std::memcpy(&columns[static_cast<std::size_t>(load.column)][row], now + load.offset, sizeof(double));
    }
    for (const Load& load : shape.others) {
      const std::uint64_t bits = BitsAt(now + load.offset, WireTypeOf(load.kind));
      if (load.column >= 0) {
        columns[static_cast<std::size_t>(load.column)][row] = NumberOf(load.kind, bits);
      } else {
        ids[row] = bits;
      }
    }
    return true;
  }
  return false;
}

bool ObjectShapes::Begin(Message object) {
  constexpr std::size_t kLargest = 4096;  // above this size layouts seldom repeat
  if (patience_ > 0 || object.size() > kLargest) {
    if (patience_ > 0) --patience_;
    return false;
  }
  Shape& shape = shapes_[next_];
  shape.bytes.clear();
  shape.mask.assign(object.size(), std::byte{0});
  shape.doubles.clear();
  shape.others.clear();
  object_begin_ = object.data();
  is_learnable_ = true;
  return true;
}

void ObjectShapes::End(Message object) {
  constexpr int kPatience = 32;
  if (is_learnable_) shapes_[next_].bytes.assign(object.begin(), object.end());
  next_ = (next_ + 1) % shapes_.size();
  // Where no two objects are alike, learning pauses for a while.
  if (next_ == 0) patience_ = kPatience;
}

void ObjectShapes::Field(const FieldReader& field) {
  const Message whole = field.Whole();
  std::byte* mask = shapes_[next_].mask.data() + (whole.data() - object_begin_);
  std::size_t head = whole.size();  // of a group: all of it
  if (field.Type() == WireType::Length) head -= field.Content().size();
  if (field.Type() == WireType::Fixed64) head -= 8;
  if (field.Type() == WireType::Fixed32) head -= 4;
  if (field.Type() == WireType::Varint) {
    head = 1;
    while ((whole[head - 1] & std::byte{0x80}) != std::byte{0}) ++head;
  }
  std::fill_n(mask, head, std::byte{0xFF});
  if (field.Type() == WireType::Varint) std::fill_n(mask + head, whole.size() - head, std::byte{0x80});
}

void ObjectShapes::Number(FieldKind kind, int column, WireType type, const std::byte* end) {
  const std::byte* begin = end - (type == WireType::Fixed64 ? 8 : type == WireType::Fixed32 ? 4 : 1);
  while (type == WireType::Varint && begin > object_begin_ && (begin[-1] & std::byte{0x80}) != std::byte{0}) --begin;
  auto& loads = kind == FieldKind::Double ? shapes_[next_].doubles : shapes_[next_].others;
  loads.push_back({static_cast<std::uint32_t>(begin - object_begin_), kind, column});
}

}  // namespace openmi::osi
