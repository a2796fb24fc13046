#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace openmi::fmi::wine {

/// The version of the protocol between the runner and the Windows host. It increases with every change of this folder
/// that the other side could notice.
inline constexpr std::uint32_t kProtocol = 2;

/// The kinds of letters, and who sends them.
enum class LetterKind : std::uint32_t {
  Greeting = 0x494d4f57,  ///< host, first of all: `function` is kProtocol
  Load = 1,               ///< runner: version of FMI, path of the library, prefix of its names
  Call,                   ///< runner: `function` is the index of its shape
  Reply,                  ///< host: answers Load (`function` is 0) or the innermost open Call (its number, from 1)
  Log,                    ///< host, at any time: status, category, text
  Lock,                   ///< host: lockPreemption was called; there is no answer
  Unlock,                 ///< host: unlockPreemption was called; there is no answer
  Moment,                 ///< host, within a Call: intermediateUpdate; waits for an Answer
  Clocks,                 ///< host, within a Call: clockUpdate; waits for an Answer
  Answer,                 ///< runner
  Crash                   ///< host, last of all: what ended it
};

/// The head of each letter; `size` bytes follow. Both sides have the same byte order and sizes of types.
struct LetterHead {
  LetterKind kind{};
  std::uint32_t function = 0;
  std::uint64_t size = 0;
};

/// Thrown for a letter that is shorter, longer or other than it must be.
struct BadLetter {};

/// Writes the content of a letter. Each item takes a multiple of 8 bytes, so that arrays can be used where they stand.
///
/// The memory stays for the next letter.
class LetterWriter {
 public:
  void Clear() { size_ = sizeof(LetterHead); }
  /// Adds room for an item, filled with zeros.
  /// \returns where it starts; see At
  std::size_t Extend(std::size_t bytes) {
    const std::size_t begin = size_;
    size_ += (bytes + 7) / 8 * 8;
    if (words_.size() * 8 < size_) words_.resize(size_ / 8 + words_.size() / 2);
    if (size_ > begin) std::memset(At(begin), 0, size_ - begin);
    return begin;
  }
  /// An address within the letter, until the next item is added.
  std::byte* At(std::size_t place) { return reinterpret_cast<std::byte*>(words_.data()) + place; }

  template <class T>
  void Put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t place = Extend(sizeof value);
    std::memcpy(At(place), &value, sizeof value);
  }
  /// Writes an array and its length; null is kept apart from empty.
  template <class T>
  void PutArray(const T* values, std::size_t count) {
    Put(values != nullptr ? std::uint64_t{count} : kNull);
    if (values == nullptr || count == 0) return;
    const std::size_t place = Extend(count * sizeof(T));
    std::memcpy(At(place), values, count * sizeof(T));
  }
  /// Writes a text, or null.
  void PutText(const char* text) { PutArray(text, text != nullptr ? std::strlen(text) + 1 : 0); }
  /// The whole letter, with its head.
  std::span<const std::byte> Seal(LetterKind kind, std::uint32_t function = 0) {
    const LetterHead head{kind, function, size_ - sizeof head};
    std::memcpy(words_.data(), &head, sizeof head);
    return {At(0), size_};
  }

  static constexpr std::uint64_t kNull = ~std::uint64_t{0};

 private:
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(64);
  std::size_t size_ = sizeof(LetterHead);
};

/// Reads the content of a letter, in the order in which it was written. All methods throw BadLetter at its end.
class LetterReader {
 public:
  /// \param content  starts at a multiple of 8
  explicit LetterReader(std::span<const std::byte> content) : rest_(content) {}

  template <class T>
  T Get() {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::byte* const bytes = Take(sizeof(T));
    if constexpr (std::is_same_v<T, bool>) {
      return *bytes != std::byte{0};
    } else {
      T value;
      std::memcpy(&value, bytes, sizeof value);
      return value;
    }
  }
  /// The place of an array, and its length; null for null.
  template <class T>
  const T* GetArray(std::size_t& count) {
    const auto length = Get<std::uint64_t>();
    count = 0;
    if (length == LetterWriter::kNull) return nullptr;
    if (length > rest_.size() / sizeof(T)) throw BadLetter{};
    count = length;
    return reinterpret_cast<const T*>(Take(count * sizeof(T)));
  }
  /// Copies `count` values that were written without their length.
  template <class T>
  void CopyTo(T* values, std::size_t count) {
    if (count > rest_.size() / sizeof(T)) throw BadLetter{};
    const std::byte* const bytes = Take(count * sizeof(T));
    if constexpr (std::is_same_v<T, bool>) {
      for (std::size_t i = 0; i < count; ++i) values[i] = bytes[i] != std::byte{0};
    } else if (count > 0) {
      std::memcpy(values, bytes, count * sizeof(T));
    }
  }
  /// A text where it stands, or null.
  const char* GetText() {
    std::size_t count = 0;
    const char* const text = GetArray<char>(count);
    if (text != nullptr && (count == 0 || text[count - 1] != '\0')) throw BadLetter{};
    return text;
  }
  /// \throws BadLetter  something is left
  void End() const {
    if (!rest_.empty()) throw BadLetter{};
  }

 private:
  const std::byte* Take(std::size_t bytes) {
    if (bytes > rest_.size()) throw BadLetter{};
    const std::size_t padded = (bytes + 7) / 8 * 8;
    if (padded > rest_.size()) throw BadLetter{};
    const std::byte* const begin = rest_.data();
    rest_ = rest_.subspan(padded);
    return begin;
  }

  std::span<const std::byte> rest_;
};

}  // namespace openmi::fmi::wine
