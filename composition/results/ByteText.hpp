#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// Packs numbers and texts into bytes, in the byte order of the machine.
class ByteWriter {
 public:
  void Put(std::uint64_t number) { bytes_.append(reinterpret_cast<const char*>(&number), 8); }
  void Put(double number) { bytes_.append(reinterpret_cast<const char*>(&number), 8); }
  void Put(std::string_view text) {
    Put(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  /// The packed bytes.
  const std::string& Bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads numbers and texts in the order they were packed. After the end all numbers are 0, all texts are empty, and
/// `IsGood` is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  /// Whether everything so far could be read.
  bool IsGood() const { return is_good_; }
  std::uint64_t Whole() { return Word<std::uint64_t>(); }
  double Number() { return Word<double>(); }
  std::string Text() {
    const std::uint64_t length = Whole();
    if (length > rest_.size()) {
      is_good_ = false;
      return {};
    }
    std::string text(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return text;
  }
  /// The number of items that follow, each of at least eight bytes; 0 if the remaining bytes cannot hold them.
  std::uint64_t Count() {
    const std::uint64_t count = Whole();
    if (count > rest_.size() / 8) is_good_ = false;
    return is_good_ ? count : 0;
  }

 private:
  template <class T>
  T Word() {
    T word{};
    if (rest_.size() < sizeof word) {
      is_good_ = false;
      return word;
    }
    std::memcpy(&word, rest_.data(), sizeof word);
    rest_.remove_prefix(sizeof word);
    return word;
  }

  std::string_view rest_;
  bool is_good_ = true;
};

}  // namespace openmi
