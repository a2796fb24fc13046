#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "openmi/standard/Value.hpp"

namespace openmi {

/// Reads the values that a StateWriter wrote, in the same order.
///
/// Never reads beyond the bytes, whatever they contain. A length in the bytes is accepted only when that much data
/// follows. Each `Read` function throws FormatError when the next value has another type, or the bytes end.
class StateReader {
 public:
  /// \param bytes  borrowed
  explicit StateReader(ByteView bytes) : rest_(bytes) {}

  bool ReadBool();
  std::int64_t ReadInteger();
  double ReadDouble();
  std::string ReadText();
  std::vector<double> ReadDoubles();
  /// Reads into `values` without allocation.
  /// \throws FormatError  another number of values was written
  void ReadDoubles(std::span<double> values);
  /// A view of the bytes that the constructor received.
  ByteView ReadBytes();

  /// Whether all bytes were read.
  bool AtEnd() const { return rest_.empty(); }
  /// Checks that all bytes were read.
  /// \throws FormatError  data remain
  void RequireEnd() const;

 private:
  void Expect(char type);
  std::uint64_t Next();
  /// A count of items of `size` bytes each, all of which are present.
  std::size_t NextCount(std::size_t size);

  ByteView rest_;
};

}  // namespace openmi
