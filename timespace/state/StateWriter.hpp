#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "openmi/standard/Value.hpp"

namespace openmi {

/// Writes the values that a component must remember into bytes; a StateReader reads them in the same order.
///
/// Every value has a mark of its type, so that a reader detects a wrong order. Numbers are written bit by bit, low byte
/// first: the values read back are identical to the last digit, on any machine.
class StateWriter {
 public:
  void Write(bool value);
  void Write(std::int32_t value) { Write(static_cast<std::int64_t>(value)); }
  void Write(std::int64_t value);
  void Write(double value);
  /// Writes a text; its length is written too.
  void Write(std::string_view text);
  void Write(const char* text) { Write(std::string_view(text)); }
  /// Shape [n]; the length is written too.
  void Write(std::span<const double> values);
  void Write(const std::vector<double>& values) { Write(std::span<const double>(values)); }
  /// Writes the opaque bytes of a third-party solver's state.
  void Write(ByteView bytes);

  /// The bytes written so far; valid until the next call.
  ByteView Bytes() const { return bytes_; }
  /// Removes all bytes. Keeps the memory.
  void Clear() { bytes_.clear(); }
  /// Removes everything after the first `size` bytes.
  void CutTo(std::size_t size) {
    if (size < bytes_.size()) bytes_.resize(size);
  }
  /// The bytes, moved out of the writer.
  openmi::Bytes Take() { return std::move(bytes_); }

 private:
  void Mark(char type) { bytes_.push_back(static_cast<std::byte>(type)); }
  void Append(std::uint64_t bits);

  openmi::Bytes bytes_;
};

}  // namespace openmi
