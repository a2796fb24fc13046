#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "fmi-bridge/dcp/protocol/pdu/Pdu.hpp"
#include "openmi/sdk/NumberMemory.hpp"

namespace openmi::dcp {

/// The type in memory of the numbers of a type; that of float64 for texts.
constexpr NumberType NumberTypeOf(DataType type) {
  constexpr NumberType kTypes[] = {NumberType::UInt8,  NumberType::UInt16, NumberType::UInt32,
                                   NumberType::UInt64, NumberType::Int8,   NumberType::Int16,
                                   NumberType::Int32,  NumberType::Int64,  NumberType::Float32};
  return type <= DataType::float32 ? kTypes[static_cast<std::size_t>(type)] : NumberType::Float64;
}

/// The value of one variable: a number, an array of numbers (row-major), a string or a binary.
///
/// Numbers lie one after another, as on a little-endian wire. Texts of up to 65 536 bytes have their memory from the
/// start, so that taking a value allocates nothing; longer ones may allocate.
class TypedValue {
 public:
  static constexpr std::uint32_t kNoMaxSize = 0xFFFFFFFF;

  /// A value of zeros, or an empty text.
  /// \param elements  of an array; 1 for a scalar, string or binary
  /// \param max_size  largest size of a string or binary in bytes
  explicit TypedValue(DataType type = DataType::float64, std::size_t elements = 1, std::uint32_t max_size = kNoMaxSize);

  DataType Type() const { return type_; }
  std::size_t Elements() const { return elements_; }
  std::uint32_t MaxSize() const { return max_size_; }

  /// Element `index` as a double. 64-bit integers above 2^53 are rounded.
  /// \pre The type is numeric, and index < Elements().
  double Number(std::size_t index = 0) const { return numbers_.Number(index); }
  /// Sets element `index`. For integer types the value is rounded to the nearest and limited to the type's range; NaN
  /// becomes 0.
  void SetNumber(double value, std::size_t index = 0);
  /// Element `index`, exact.
  /// \pre The type is an integer type.
  std::int64_t Integer(std::size_t index = 0) const { return numbers_.Integer(index); }
  /// Sets element `index` of an integer type. A value outside the range of the type wraps.
  void SetInteger(std::int64_t value, std::size_t index = 0) { numbers_.SetInteger(index, value); }
  /// Copies all elements as doubles.
  /// \param out  shape [elements]
  void Numbers(std::span<double> out) const { numbers_.Numbers(0, out.first(elements_)); }
  /// Sets all elements, as SetNumber does.
  /// \param values  shape [elements]
  void SetNumbers(std::span<const double> values);
  /// All elements of a variable whose type is T: float64 for double, int32 for std::int32_t, ...
  /// \pre sizeof(T) is the type's size.
  template <class T>
  std::span<T> As() {
    return {numbers_.As<T>(), elements_};
  }
  template <class T>
  std::span<const T> As() const {
    return {numbers_.As<T>(), elements_};
  }

  /// The text of a string or the bytes of a binary.
  std::string_view Text() const { return text_; }
  /// Sets the text of a string or the bytes of a binary.
  /// \returns false when it is longer than MaxSize(); the value then stays
  bool SetText(std::string_view text);

  /// Bytes of the current value on the wire: elements, or length and text.
  std::size_t EncodedSize() const;
  /// Writes the current value as on the wire.
  /// \returns bytes written; 0 when `out` is too small
  [[nodiscard]] std::size_t Encode(std::span<std::byte> out) const;

  /// How many bytes at the start of `bytes` are a value for this variable, when the sender's type is `source`.
  /// \returns kMismatch when the bytes are too few, the text is too long or the types do not match
  std::size_t Measure(DataType source, ByteView bytes) const;
  /// Takes the value, converted to this type.
  /// \pre Measure(source, bytes) is not kMismatch.
  /// \returns bytes taken
  std::size_t Take(DataType source, ByteView bytes);
  static constexpr std::size_t kMismatch = static_cast<std::size_t>(-1);

 private:
  DataType type_;
  std::size_t elements_;
  std::uint32_t max_size_;
  NumberMemory numbers_;  // the elements
  std::string text_;
};

}  // namespace openmi::dcp
