#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace openmi {

/// Reads a text from left to right. What is not there is not read.
class TextScan {
 public:
  /// \param text  borrowed
  explicit TextScan(std::string_view text) : rest_(text) {}
  bool AtEnd() const { return rest_.empty(); }
  char Peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool AtDigit() const { return Peek() >= '0' && Peek() <= '9'; }
  std::string_view Rest() const { return rest_; }
  void Skip(std::size_t count) { rest_.remove_prefix(count); }
  bool Take(char expected) {
    if (Peek() != expected) return false;
    Skip(1);
    return true;
  }
  /// Exactly `count` digits.
  std::optional<int> Digits(std::size_t count) {
    if (rest_.size() < count) return std::nullopt;
    int number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return std::nullopt;
      number = number * 10 + (rest_[i] - '0');
    }
    Skip(count);
    return number;
  }

 private:
  std::string_view rest_;
};

}  // namespace openmi
