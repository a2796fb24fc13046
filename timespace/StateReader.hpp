#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace openmi {

/// Reads what a StateWriter wrote, in the same order. Never reads beyond the bytes, whatever they hold; a length in
/// them is believed only if as much is there.
class StateReader {
 public:
  /// \param bytes  borrowed
  explicit StateReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  // Each throws FormatError when the next value is of another type, or the bytes end.
  bool ReadBool();
  std::int64_t ReadInteger();
  double ReadDouble();
  std::string ReadText();
  std::vector<double> ReadDoubles();
  /// Reads into `values` without allocating. \throws FormatError  another number of values was written
  void ReadDoubles(std::span<double> values);
  /// A view of the bytes given to the constructor.
  std::span<const std::byte> ReadBytes();

  bool AtEnd() const { return rest_.empty(); }
  /// \throws FormatError  something is left
  void RequireEnd() const;

 private:
  void Expect(char type);
  std::uint64_t Next();
  /// A count of things of `size` bytes each, all of which are there.
  std::size_t NextCount(std::size_t size);

  std::span<const std::byte> rest_;
};

}  // namespace openmi
