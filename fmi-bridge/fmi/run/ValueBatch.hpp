#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "fmi-bridge/fmi/run/Instance.hpp"

namespace openmi::fmi {

/// Numeric variables of one type (booleans, enumerations and integers too), read or written in one call.
class ValueBatch {
 public:
  ValueBatch() = default;
  ValueBatch(const Instance& instance, VariableType type) : type_(type), native_(instance.NativeOf(type)) {}

  /// Adds a variable.
  /// \param elements  number of its elements
  /// \returns the position of its first element
  std::size_t Add(ValueReference reference, std::size_t elements = 1);
  bool Empty() const { return references_.empty(); }
  VariableType Type() const { return type_; }
  std::size_t Count() const { return count_; }
  std::span<const ValueReference> References() const { return references_; }

  /// Reads all values from the instance.
  void Get(Instance& instance) { instance.Get(type_, references_, memory_.data(), count_); }
  /// Writes all values to the instance.
  void Set(Instance& instance) const { instance.Set(type_, references_, memory_.data(), count_); }

  /// Whether it holds the same values, bit for bit, as another batch of the same variables.
  bool SameAs(const ValueBatch& other) const { return memory_ == other.memory_; }
  std::span<const std::byte> Memory() const { return memory_; }
  /// \pre  as many bytes as Memory()
  void SetMemory(std::span<const std::byte> bytes) { std::ranges::copy(bytes, memory_.begin()); }

  /// The value of an element as a number; a UInt64 or Int64 above 2^53 is rounded.
  double Number(std::size_t element) const;
  /// \throws RangeError  an integer type cannot hold the number, or the number is NaN and the type is not a float
  void SetNumber(std::size_t element, double value);
  /// The bits of an integer; a boolean as 0 or 1. Not for floats.
  std::int64_t Integer(std::size_t element) const;
  void SetInteger(std::size_t element, std::int64_t value);
  /// The address of an element in a batch of Float64, valid until a variable is added; null in any other batch.
  double* DoubleAt(std::size_t element) { return native_ == Native::Float64 ? Doubles() + element : nullptr; }
  /// Reads the numbers [first, first + values.size()) at once.
  void Numbers(std::size_t first, std::span<double> values) const;
  void SetNumbers(std::size_t first, std::span<const double> values);

 private:
  double* Doubles() { return reinterpret_cast<double*>(memory_.data()); }
  const double* Doubles() const { return reinterpret_cast<const double*>(memory_.data()); }

  VariableType type_ = VariableType::Float64;
  Native native_ = Native::Float64;
  std::size_t count_ = 0;
  std::vector<ValueReference> references_;
  std::vector<std::byte> memory_;  // of operator new: aligned for all of the types
};

}  // namespace openmi::fmi
