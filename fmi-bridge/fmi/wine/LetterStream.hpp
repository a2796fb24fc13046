#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "fmi-bridge/fmi/wine/Letter.hpp"

namespace openmi::fmi::wine {

/// Takes letters out of a stream of bytes.
///
/// \tparam Source  has `std::size_t Read(std::byte*, std::size_t)`: waits for at least one byte; 0 at the end
template <class Source>
class LetterStream {
 public:
  explicit LetterStream(Source& source) : source_(source) {}

  /// Waits for the next letter.
  /// \param content  receives what follows the head; its memory grows as the bytes come, and is kept
  /// \returns the content; the stream is at its end if `is_open` becomes false
  /// \throws BadLetter  the letter is longer than 4 GiB
  std::span<const std::byte> Next(LetterHead& head, std::vector<std::uint64_t>& content, bool& is_open) {
    is_open = Fill({reinterpret_cast<std::byte*>(&head), sizeof head});
    if (!is_open) return {};
    if (head.size > kLongest) throw BadLetter{};
    for (std::size_t have = 0; have < head.size;) {
      const std::size_t part = std::min<std::size_t>(head.size - have, kPart);
      if (content.size() * 8 < have + part) content.resize(std::max((have + part + 7) / 8, content.size() * 2));
      is_open = Fill({reinterpret_cast<std::byte*>(content.data()) + have, part});
      if (!is_open) return {};
      have += part;
    }
    return {reinterpret_cast<const std::byte*>(content.data()), head.size};
  }

 private:
  static constexpr std::uint64_t kLongest = std::uint64_t{1} << 32;
  static constexpr std::size_t kPart = 1 << 20;

  bool Fill(std::span<std::byte> into) {
    while (!into.empty()) {
      if (begin_ == end_ && into.size() >= buffer_.size()) {
        const std::size_t count = source_.Read(into.data(), into.size());
        if (count == 0) return false;
        into = into.subspan(count);
        continue;
      }
      if (begin_ == end_) {
        begin_ = 0;
        end_ = source_.Read(buffer_.data(), buffer_.size());
        if (end_ == 0) return false;
      }
      const std::size_t count = std::min(into.size(), end_ - begin_);
      std::memcpy(into.data(), buffer_.data() + begin_, count);
      begin_ += count;
      into = into.subspan(count);
    }
    return true;
  }

  Source& source_;
  std::array<std::byte, 16384> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace openmi::fmi::wine
