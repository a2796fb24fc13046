#include "fmi-bridge/osmp/wire/MessageWriter.hpp"

#include <algorithm>

namespace openmi::osi {

// Moves the content where its length takes another number of bytes than expected, and records that number for the next
// message.
std::byte* MessageWriter::Move(const Open& open, std::size_t length, std::uint8_t digits) {
  Reserve(16);
  std::byte* content = begin_.get() + open.content;
  std::byte* moved = content - open.room + digits;
  if (length > 0) std::memmove(moved, content, length);
  at_ = moved + length;
  *open.guess = digits;
  return moved;
}

void MessageWriter::Grow(std::size_t size) {
  const auto used = static_cast<std::size_t>(at_ - begin_.get());
  if (size > kLargestMessage || used + size > kLargestMessage) RefuseSize();
  const std::size_t capacity =
      std::max({used + size, 2 * static_cast<std::size_t>(limit_ - begin_.get()), std::size_t{256}});
  std::unique_ptr<std::byte[]> larger(new std::byte[capacity]);
  if (used > 0) std::memcpy(larger.get(), begin_.get(), used);
  begin_ = std::move(larger);
  at_ = begin_.get() + used;
  limit_ = begin_.get() + capacity;
}

void MessageWriter::RefuseSize() {
  throw WireError("expected a message of less than 2 GiB, found one that grew larger");
}
void MessageWriter::RefuseDepth() {
  throw WireError("expected messages at most 100 deep, found deeper ones");
}
void MessageWriter::RefuseOpen() {
  throw WireError("expected an End for every Begin, found another number of them");
}

}  // namespace openmi::osi
