#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace openmi {

/// Writes what a component has to remember into bytes, value after value; a StateReader reads them in the same order.
///
/// Every value carries a mark of its type, so that a reader that asks in another order is told so. Numbers are written
/// bit by bit, low byte first: what is read back is the same to the last digit, on any machine.
class StateWriter {
 public:
  void Write(bool value);
  void Write(std::int32_t value) { Write(static_cast<std::int64_t>(value)); }
  void Write(std::int64_t value);
  void Write(double value);
  void Write(std::string_view text);
  void Write(const char* text) { Write(std::string_view(text)); }
  /// Shape [n]; the length is written too.
  void Write(std::span<const double> values);
  void Write(const std::vector<double>& values) { Write(std::span<const double>(values)); }
  /// The opaque bytes of a foreign solver's own state.
  void Write(std::span<const std::byte> bytes);

  std::span<const std::byte> Bytes() const { return bytes_; }
  /// Begins anew; memory is kept.
  void Clear() { bytes_.clear(); }
  /// Takes back everything after the first `size` bytes.
  void CutTo(std::size_t size) {
    if (size < bytes_.size()) bytes_.resize(size);
  }
  std::vector<std::byte> Take() { return std::move(bytes_); }

 private:
  void Mark(char type) { bytes_.push_back(static_cast<std::byte>(type)); }
  void Append(std::uint64_t bits);

  std::vector<std::byte> bytes_;
};

}  // namespace openmi
