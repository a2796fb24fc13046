#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fmi-bridge/fmi/run/Instance.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"

namespace openmi::fmi {

/// Numeric variables of one type (booleans, enumerations and integers too), read or written in one call.
class ValueBatch {
 public:
  ValueBatch() = default;
  ValueBatch(const Instance& instance, VariableType type) : type_(type), memory_(instance.NativeOf(type)) {}

  /// Adds a variable.
  /// \param elements  number of its elements
  /// \returns the position of its first element
  std::size_t Add(ValueReference reference, std::size_t elements = 1);
  bool Empty() const { return references_.empty(); }
  VariableType Type() const { return type_; }
  std::size_t Count() const { return count_; }

  /// Reads all values from the instance.
  void Get(Instance& instance) { instance.Get(type_, references_, memory_.Bytes().data(), count_); }
  /// Writes all values to the instance.
  void Set(Instance& instance) const { instance.Set(type_, references_, Memory().data(), count_); }

  /// Whether it holds the same values, bit for bit, as another batch of the same variables.
  bool SameAs(const ValueBatch& other) const { return std::ranges::equal(Memory(), other.Memory()); }
  ByteView Memory() const { return memory_.Bytes(); }
  /// \pre  as many bytes as Memory()
  void SetMemory(ByteView bytes) { std::ranges::copy(bytes, memory_.Bytes().begin()); }
  /// Reads Memory() as a StateWriter wrote it.
  /// \param where  for messages
  /// \throws FormatError  it is that of another batch
  void Load(StateReader& reader, const Where& where);

  /// The value of an element as a number; a UInt64 or Int64 above 2^53 is rounded.
  double Number(std::size_t element) const { return memory_.Number(element); }
  /// \throws RangeError  an integer type cannot hold the number, or the number is NaN and the type is not a float
  void SetNumber(std::size_t element, double value);
  /// The bits of an integer; a boolean as 0 or 1. Not for floats.
  std::int64_t Integer(std::size_t element) const { return memory_.Integer(element); }
  void SetInteger(std::size_t element, std::int64_t value) { memory_.SetInteger(element, value); }
  /// The address of an element in a batch of Float64, valid until a variable is added; null in any other batch.
  double* DoubleAt(std::size_t element) {
    return memory_.Type() == NumberType::Float64 ? memory_.As<double>() + element : nullptr;
  }
  /// Reads the numbers [first, first + values.size()) at once.
  void Numbers(std::size_t first, std::span<double> values) const { memory_.Numbers(first, values); }
  void SetNumbers(std::size_t first, std::span<const double> values);

 private:
  VariableType type_ = VariableType::Float64;
  std::size_t count_ = 0;
  std::vector<ValueReference> references_;
  NumberMemory memory_;
};

/// Batches of variables that are accessed together, one for each type.
class ValueBatches {
 public:
  /// The place of the values of a variable, valid until `Clear`.
  struct Place {
    ValueBatches* batches = nullptr;
    std::size_t batch = 0;
    std::size_t first = 0;  ///< position of the first element in the batch

    ValueBatch& Batch() const { return batches->list_[batch]; }
    /// The address of a single Float64, valid until a variable is added; null for several values or another type.
    double* OnlyDouble(std::size_t elements) const { return elements == 1 ? Batch().DoubleAt(first) : nullptr; }
  };

  ValueBatches() = default;
  ValueBatches(const ValueBatches&) = delete;
  ValueBatches& operator=(const ValueBatches&) = delete;

  void Clear() { list_.clear(); }
  bool Empty() const { return list_.empty(); }
  /// Adds a variable to the batch of its type. The functions of its integer type access an enumeration.
  Place Add(const Instance& instance, const Variable& variable, std::size_t elements);
  /// Adds a variable in a batch of its own.
  Place AddAlone(const Instance& instance, const Variable& variable, std::size_t elements);
  std::span<ValueBatch> List() { return list_; }
  std::span<const ValueBatch> List() const { return list_; }
  /// Reads all values from the instance.
  void Get(Instance& instance) {
    for (ValueBatch& batch : list_) batch.Get(instance);
  }
  /// Writes all values to the instance.
  void Set(Instance& instance) const {
    for (const ValueBatch& batch : list_) batch.Set(instance);
  }

 private:
  std::vector<ValueBatch> list_;
};

/// The derivatives in time of inputs that an FMU interpolates within a step.
class InputSlopes {
 public:
  bool Empty() const { return slopes_.empty(); }
  void Clear();
  /// Adds an input.
  /// \returns its index
  std::size_t Add(ValueReference input);
  double& operator[](std::size_t index) { return slopes_[index]; }
  /// Gives the derivatives to the instance.
  /// \returns whether the FMU accepts them
  bool Set(Instance& instance) const { return instance.SetInputDerivatives(inputs_, orders_, slopes_); }

 private:
  std::vector<ValueReference> inputs_;
  std::vector<std::int32_t> orders_;
  std::vector<double> slopes_;
};

}  // namespace openmi::fmi
