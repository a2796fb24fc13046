#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <string_view>

#include "fmi-bridge/osmp/wire/FieldReader.hpp"

namespace openmi::osi {

/// Writes serialized messages into its own buffer.
///
///     writer.Clear();
///     writer.Begin(2);              // timestamp
///     writer.Unsigned(1, seconds);
///     writer.End();
///     send(writer.Written());
///
/// The buffer grows and is used again: once it has the size that the messages need, nothing is allocated. The bytes are
/// those that protobuf writes for the same fields in the same order. Where an earlier message must stay readable
/// (OSMP), use two writers in turn.
class MessageWriter {
 public:
  MessageWriter() = default;
  MessageWriter(const MessageWriter&) = delete;
  MessageWriter& operator=(const MessageWriter&) = delete;

  /// Drops what was written and keeps the buffer.
  void Clear() {
    at_ = begin_.get();
    depth_ = 0;
  }
  /// Reserves memory for `size` more bytes, so that the first message does not grow in steps.
  void Reserve(std::size_t size) {
    if (size > static_cast<std::size_t>(limit_ - at_)) Grow(size);
  }
  /// What was written since Clear. Valid until the writer is used again.
  /// \throws WireError  a message was begun and not ended
  Message Written() const {
    if (depth_ != 0) RefuseOpen();
    return {begin_.get(), static_cast<std::size_t>(at_ - begin_.get())};
  }

  /// Writes one field, as the functions up to Copy do.
  /// \throws WireError  the message would become larger than kLargestMessage
  void Double(std::uint32_t number, double value) { Fixed(number, WireType::Fixed64, value); }
  void Float(std::uint32_t number, float value) { Fixed(number, WireType::Fixed32, value); }
  void Unsigned(std::uint32_t number, std::uint64_t value) {
    Reserve(20);
    PutTag(number, WireType::Varint);
    PutVarint(value);
  }
  /// Writes a whole number or an enumeration. A negative number takes ten bytes.
  void Integer(std::uint32_t number, std::int64_t value) { Unsigned(number, static_cast<std::uint64_t>(value)); }
  void Bool(std::uint32_t number, bool value) { Unsigned(number, value ? 1 : 0); }
  void Text(std::uint32_t number, std::string_view value) { Length(number, std::as_bytes(std::span(value))); }
  /// Writes bytes, or a message that is already serialized.
  void Length(std::uint32_t number, Message value) {
    if (value.size() > kLargestMessage) RefuseSize();
    Reserve(value.size() + 20);
    PutTag(number, WireType::Length);
    PutVarint(value.size());
    Put(value);
  }
  /// Copies fields that are already serialized, with their numbers: FieldReader::Whole, or a whole message to merge.
  void Copy(Message fields) {
    if (fields.size() > kLargestMessage) RefuseSize();
    Reserve(fields.size());
    Put(fields);
  }

  /// Begins a message in this field. What is written until End is inside it.
  /// \throws WireError  deeper than kDeepestNesting
  void Begin(std::uint32_t number) {
    if (depth_ == kDeepestNesting) RefuseDepth();
    Reserve(20);
    PutTag(number, WireType::Length);
    // The length probably takes as many bytes as the last time; otherwise End moves the content.
    Open& open = open_[static_cast<std::size_t>(depth_++)];
    open.guess = &guesses_[static_cast<std::size_t>(depth_) % 8][number % 16];
    open.room = *open.guess;
    at_ += open.room;
    open.content = static_cast<std::size_t>(at_ - begin_.get());
  }
  /// Ends the message of the last Begin.
  /// \throws WireError  no message was begun
  void End() {
    if (depth_ == 0) RefuseOpen();
    const Open& open = open_[static_cast<std::size_t>(--depth_)];
    const std::size_t length = static_cast<std::size_t>(at_ - begin_.get()) - open.content;
    const std::uint8_t digits = DigitsOf(length);
    std::byte* content = begin_.get() + open.content;
    if (digits != open.room) content = Move(open, length, digits);
    std::byte* end = at_;
    at_ = content - digits;
    PutVarint(length);
    at_ = end;
  }

 private:
  struct Open {
    std::size_t content = 0;        // where it starts
    std::uint8_t* guess = nullptr;  // how many bytes its length probably takes
    std::uint8_t room = 0;          // how many were reserved for it
  };

  static constexpr std::uint8_t DigitsOf(std::size_t value) {
    return static_cast<std::uint8_t>((static_cast<unsigned>(std::bit_width(value | 1)) + 6) / 7);
  }
  template <class T>
  void Fixed(std::uint32_t number, WireType type, T value) {
    Reserve(20);
    PutTag(number, type);
    std::memcpy(at_, &value, sizeof(T));
    at_ += sizeof(T);
  }
  void PutTag(std::uint32_t number, WireType type) {
    PutVarint(std::uint64_t{number} << 3 | static_cast<unsigned>(type));
  }
  void PutVarint(std::uint64_t value) {
    while (value >= 0x80) {
      *at_++ = static_cast<std::byte>(value | 0x80);
      value >>= 7;
    }
    *at_++ = static_cast<std::byte>(value);
  }
  void Put(Message bytes) {
    if (!bytes.empty()) std::memcpy(at_, bytes.data(), bytes.size());
    at_ += bytes.size();
  }
  std::byte* Move(const Open& open, std::size_t length, std::uint8_t digits);
  void Grow(std::size_t size);
  [[noreturn]] static void RefuseSize();
  [[noreturn]] static void RefuseDepth();
  [[noreturn]] static void RefuseOpen();

  using Guesses = std::array<std::uint8_t, 16>;
  static constexpr Guesses kOneByte = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

  std::unique_ptr<std::byte[]> begin_;
  std::byte* at_ = nullptr;
  std::byte* limit_ = nullptr;
  int depth_ = 0;
  std::array<Guesses, 8> guesses_ = {kOneByte, kOneByte, kOneByte, kOneByte, kOneByte, kOneByte, kOneByte, kOneByte};
  std::array<Open, kDeepestNesting> open_{};
};

}  // namespace openmi::osi
