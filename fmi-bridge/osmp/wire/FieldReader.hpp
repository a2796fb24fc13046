#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "openmi/standard/Value.hpp"

namespace openmi::osi {

static_assert(std::endian::native == std::endian::little, "the wire codec copies doubles as they stand");

/// A malformed message: cut off, with false sizes, nested too deep or too large. The text names the byte where it was
/// found.
class WireError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~WireError() override;
};

/// The largest message that is read or written, in bytes: the limit of the signed size in OSMP, and of protobuf.
inline constexpr std::size_t kLargestMessage = 0x7FFF'FFFF;
/// How deep messages may be nested, as in protobuf.
inline constexpr int kDeepestNesting = 100;

/// A serialized message, borrowed.
using Message = ByteView;

/// How the value of a field is encoded.
enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Length = 2, GroupBegin = 3, GroupEnd = 4, Fixed32 = 5 };

/// Iterates over the fields of one serialized message in their order.
///
///     for (FieldReader field(message); field.Next();) {
///       if (field.Number() == 2) field.Read(seconds);
///     }
///
/// It copies and allocates nothing, and skips fields that are not read. As in protobuf, unknown fields are no error,
/// and a field of another wire type than expected counts as unknown. Where a single field occurs several times, the
/// last value holds, and messages are merged. Repeated numbers may be packed or not. It never reads outside the
/// message, whatever its bytes are.
///
/// Source: Protocol Buffers, "Encoding".
class FieldReader {
 public:
  /// \param message  borrowed; must outlive the reader
  /// \throws WireError  larger than kLargestMessage
  explicit FieldReader(Message message)
      : begin_(message.data()), at_(message.data()), end_(message.data() + message.size()) {
    if (message.size() > kLargestMessage) Refuse(0, "expected a message of less than 2 GiB, found a larger one");
  }

  /// Moves to the next field.
  /// \returns false at the end of the message
  /// \throws WireError  the bytes are no field
  bool Next() {
    if (at_ == end_) return false;
    start_ = at_;
    const std::uint64_t tag = ReadVarint();
    number_ = static_cast<std::uint32_t>(tag >> 3);
    type_ = static_cast<WireType>(tag & 7);
    if (number_ == 0 || tag > 0xFFFF'FFFF) Refuse(At(), kBadNumber);
    switch (type_) {
      case WireType::Varint:
        value_ = ReadVarint();
        break;
      case WireType::Fixed64:
        value_ = ReadFixed<std::uint64_t>();
        break;
      case WireType::Fixed32:
        value_ = ReadFixed<std::uint32_t>();
        break;
      case WireType::Length: {
        const std::uint64_t length = ReadVarint();
        if (length > Rest()) RefuseLength(At(), Rest(), number_, length);
        value_ = length;
        at_ += length;
        break;
      }
      default:
        at_ = BehindGroup(begin_, at_, end_, number_, type_);
    }
    return true;
  }

  std::uint32_t Number() const { return number_; }
  WireType Type() const { return type_; }
  bool Is(std::uint32_t number, WireType type) const { return number_ == number && type_ == type; }

  /// Reads the value of the field.
  /// \returns false, and leaves `value` unchanged, where the field has another wire type; so do all functions Read
  bool Read(double& value) const { return ReadBits(WireType::Fixed64, value); }
  bool Read(float& value) const {
    if (type_ != WireType::Fixed32) return false;
    value = std::bit_cast<float>(static_cast<std::uint32_t>(value_));
    return true;
  }
  /// Reads a boolean, an enumeration or a whole number; cut to the size of `value`, as protobuf does.
  template <std::integral T>
  bool Read(T& value) const {
    if (type_ != WireType::Varint) return false;
    if constexpr (std::same_as<T, bool>) {
      value = value_ != 0;
    } else {
      value = static_cast<T>(value_);
    }
    return true;
  }
  /// Reads a message, or bytes, inside this message. `value` points into this message.
  bool Read(Message& value) const {
    if (type_ != WireType::Length) return false;
    value = Content();
    return true;
  }
  bool Read(std::string_view& value) const {
    if (type_ != WireType::Length) return false;
    value = {reinterpret_cast<const char*>(at_ - value_), static_cast<std::size_t>(value_)};
    return true;
  }

  /// The content of a field of type Length; empty for any other type.
  Message Content() const {
    return type_ == WireType::Length ? Message(at_ - value_, static_cast<std::size_t>(value_)) : Message();
  }
  /// The bytes of the whole field, with number and length.
  Message Whole() const { return {start_, static_cast<std::size_t>(at_ - start_)}; }
  /// The bits of a number as encoded: a varint, or 8 or 4 bytes; the size for type Length.
  std::uint64_t Bits() const { return value_; }

  /// Calls `visit(T)` for every number of a repeated field: one number, or all that are packed into it.
  /// \throws WireError  packed numbers are cut off
  template <class T, class Visit>
  void Each(Visit visit) const {
    T value{};
    if (type_ != WireType::Length) {
      if (Read(value)) visit(value);
      return;
    }
    constexpr WireType kType = std::same_as<T, double>  ? WireType::Fixed64
                               : std::same_as<T, float> ? WireType::Fixed32
                                                        : WireType::Varint;
    EachPacked(Content(), kType, [&](std::uint64_t bits) {
      if constexpr (std::same_as<T, double>) {
        visit(std::bit_cast<double>(bits));
      } else if constexpr (std::same_as<T, float>) {
        visit(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
      } else if constexpr (std::same_as<T, bool>) {
        visit(bits != 0);
      } else {
        visit(static_cast<T>(bits));
      }
    });
  }

  /// Calls `visit(std::uint64_t bits)` for every number of `type` that is packed into `content`.
  /// \throws WireError  the numbers are cut off
  template <class Visit>
  static void EachPacked(Message content, WireType type, Visit visit) {
    FieldReader packed(content);
    while (packed.at_ != packed.end_) {
      visit(type == WireType::Fixed64   ? packed.ReadFixed<std::uint64_t>()
            : type == WireType::Fixed32 ? packed.ReadFixed<std::uint32_t>()
                                        : packed.ReadVarint());
    }
  }

 private:
  template <class T>
  bool ReadBits(WireType type, T& value) const {
    if (type_ != type) return false;
    value = std::bit_cast<T>(value_);
    return true;
  }
  // Rare cases are not inline and take values instead of `this`, so that the reader can stay in registers.
  struct Varint {
    std::uint64_t value;
    const std::byte* behind;
  };
  static constexpr const char* kBadNumber = "expected a field number of 1 to 536870911, found another";

  std::size_t At() const { return static_cast<std::size_t>(at_ - begin_); }
  std::size_t Rest() const { return static_cast<std::size_t>(end_ - at_); }
  std::uint64_t ReadVarint() {
    if (at_ != end_ && static_cast<std::uint8_t>(*at_) < 0x80) return static_cast<std::uint8_t>(*at_++);
    if (Rest() >= 2 && static_cast<std::uint8_t>(at_[1]) < 0x80) {  // two bytes, as in lengths of objects
      const auto value = static_cast<unsigned>(at_[0]) - 0x80 + (static_cast<unsigned>(at_[1]) << 7);
      at_ += 2;
      return value;
    }
    const Varint number = LongVarint(begin_, at_, end_);
    at_ = number.behind;
    return number.value;
  }
  template <class T>
  T ReadFixed() {
    if (Rest() < sizeof(T)) Refuse(At(), "expected a number of fixed size, found the end of the message");
    T value;
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  static Varint LongVarint(const std::byte* begin, const std::byte* at, const std::byte* end);
  static const std::byte* BehindGroup(const std::byte* begin, const std::byte* at, const std::byte* end,
                                      std::uint32_t number, WireType type);
  [[noreturn]] static void Refuse(std::size_t at, const char* problem);
  [[noreturn]] static void RefuseLength(std::size_t at, std::size_t rest, std::uint32_t number, std::uint64_t length);

  const std::byte* begin_;
  const std::byte* at_;  // after the current field
  const std::byte* end_;
  const std::byte* start_ = nullptr;  // start of the current field
  std::uint64_t value_ = 0;           // its bits, or its length
  std::uint32_t number_ = 0;
  WireType type_ = WireType::Varint;
};

/// Reads a whole message without knowledge of its type, to check its encoding.
/// \throws WireError  the bytes are no message
void RequireFields(Message message);

}  // namespace openmi::osi
