#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "fmi-bridge/osmp/schema/Schema.hpp"
#include "fmi-bridge/osmp/wire/FieldReader.hpp"

namespace openmi::osi {

/// The value of the bits of a number.
inline double NumberOf(FieldKind kind, std::uint64_t bits) {
  switch (kind) {
    case FieldKind::Double:
      return std::bit_cast<double>(bits);
    case FieldKind::Float:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case FieldKind::Bool:
      return bits != 0 ? 1.0 : 0.0;
    case FieldKind::Uint64:
    case FieldKind::Fixed64:
      return static_cast<double>(bits);
    case FieldKind::Uint32:
    case FieldKind::Fixed32:
      return static_cast<double>(static_cast<std::uint32_t>(bits));
    case FieldKind::Int64:
    case FieldKind::Sfixed64:
      return static_cast<double>(static_cast<std::int64_t>(bits));
    case FieldKind::Sint32:
    case FieldKind::Sint64:
      return static_cast<double>(static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1));
    default:
      return static_cast<double>(static_cast<std::int32_t>(bits));
  }
}

/// The last layouts of the objects in a list. An object of a known layout is read without decoding it.
///
/// A layout is all bytes that define where fields start and how long they are. It is learned while an object is
/// decoded: Begin, then Field and Number for what is found, then End.
class ObjectShapes {
 public:
  /// Reads an object of a known layout.
  /// \param row  of the object in its columns and in `ids`
  /// \returns false where its layout is not known; then nothing was read
  bool Read(Message object, std::size_t row, std::span<std::vector<double>> columns,
            std::span<std::uint64_t> ids) const;

  /// Begins to learn the layout of an object.
  /// \returns false where that is not worth the time: large objects and those of the last lists differ too often
  bool Begin(Message object);
  /// Marks the bits of a field that define what and where it is: its tag, the length of its content, the end of a
  /// number.
  void Field(const FieldReader& field);
  /// Notes a number that is wanted.
  /// \param column  -1: the object's id
  /// \param end     of its bytes
  void Number(FieldKind kind, int column, WireType type, const std::byte* end);
  /// Notes that what is wanted does not follow from the layout.
  void GiveUp() { is_learnable_ = false; }
  void End(Message object);

 private:
  /// A number at a known offset in an object.
  struct Load {
    std::uint32_t offset = 0;
    FieldKind kind = FieldKind::Double;
    int column = -1;
  };
  struct Shape {
    Bytes bytes;  // of one such object; empty: nothing was learned
    Bytes mask;   // the bits that every such object has
    std::vector<Load> doubles;
    std::vector<Load> others;
  };

  std::array<Shape, 4> shapes_;
  std::size_t next_ = 0;  // the one to replace when another is learned
  int patience_ = 0;      // how many objects to decode before learning again
  const std::byte* object_begin_ = nullptr;
  bool is_learnable_ = false;
};

}  // namespace openmi::osi
