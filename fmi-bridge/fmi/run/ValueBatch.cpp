#include "fmi-bridge/fmi/run/ValueBatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace openmi::fmi {
namespace {

template <class Work>
auto With(Native native, Work&& work) {
  switch (native) {
    case Native::Float32:
      return work(float{});
    case Native::Float64:
      return work(double{});
    case Native::Int8:
      return work(std::int8_t{});
    case Native::UInt8:
      return work(std::uint8_t{});
    case Native::Int16:
      return work(std::int16_t{});
    case Native::UInt16:
      return work(std::uint16_t{});
    case Native::Int32:
      return work(std::int32_t{});
    case Native::UInt32:
      return work(std::uint32_t{});
    case Native::Int64:
      return work(std::int64_t{});
    case Native::UInt64:
      return work(std::uint64_t{});
    case Native::Bool:
      break;
  }
  return work(bool{});
}

template <class T>
T ConvertedTo(double value, VariableType type) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    if (type == VariableType::Boolean) return static_cast<T>(value != 0.0 && !std::isnan(value) ? 1 : 0);
    // 2^63 and 2^64 are out of range, and the largest values round to them.
    const double whole = std::round(value);
    const double least = static_cast<double>(std::numeric_limits<T>::min());
    const double greatest = static_cast<double>(std::numeric_limits<T>::max());
    const bool fits = sizeof(T) == 8 ? whole >= least && whole < greatest : whole >= least && whole <= greatest;
    if (!fits) {
      throw RangeError({}, fmt::format("expected a number that {} can hold, found {}", Name(type), value),
                       "link what stays in range");
    }
    return static_cast<T>(whole);
  }
}

}  // namespace

std::size_t ValueBatch::Add(ValueReference reference, std::size_t elements) {
  const std::size_t first = count_;
  references_.push_back(reference);
  count_ += elements;
  memory_.resize(count_ * SizeOf(native_));
  return first;
}

double ValueBatch::Number(std::size_t element) const {
  return With(native_, [&](auto zero) {
    using T = decltype(zero);
    T value;
    std::memcpy(&value, memory_.data() + element * sizeof(T), sizeof(T));
    return static_cast<double>(value);
  });
}

void ValueBatch::SetNumber(std::size_t element, double value) {
  With(native_, [&](auto zero) {
    using T = decltype(zero);
    const T converted = ConvertedTo<T>(value, type_);
    std::memcpy(memory_.data() + element * sizeof(T), &converted, sizeof(T));
  });
}

std::int64_t ValueBatch::Integer(std::size_t element) const {
  return With(native_, [&](auto zero) {
    using T = decltype(zero);
    T value;
    std::memcpy(&value, memory_.data() + element * sizeof(T), sizeof(T));
    return static_cast<std::int64_t>(value);
  });
}

void ValueBatch::SetInteger(std::size_t element, std::int64_t value) {
  With(native_, [&](auto zero) {
    using T = decltype(zero);
    const T converted = static_cast<T>(value);
    std::memcpy(memory_.data() + element * sizeof(T), &converted, sizeof(T));
  });
}

void ValueBatch::Numbers(std::size_t first, std::span<double> values) const {
  if (native_ == Native::Float64) {
    std::copy_n(Doubles() + first, values.size(), values.data());
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = Number(first + i);
}

void ValueBatch::SetNumbers(std::size_t first, std::span<const double> values) {
  if (native_ == Native::Float64) {
    std::copy_n(values.data(), values.size(), Doubles() + first);
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) SetNumber(first + i, values[i]);
}

void ValueBatch::Load(StateReader& reader, const Where& where) {
  const std::span<const std::byte> bytes = reader.ReadBytes();
  if (bytes.size() != memory_.size()) {
    throw FormatError(where,
                      fmt::format("expected {} bytes of values in a state, found {}", memory_.size(), bytes.size()),
                      "restore it with the FMU and the links that it was kept with");
  }
  SetMemory(bytes);
}

ValueBatches::Place ValueBatches::Add(const Instance& instance, const Variable& variable, std::size_t elements) {
  const bool is_enumeration = variable.type == VariableType::Enumeration;
  const bool is_long = is_enumeration && instance.NativeOf(variable.type) == Native::Int64;
  const VariableType type = !is_enumeration ? variable.type : is_long ? VariableType::Int64 : VariableType::Int32;
  const auto found = std::ranges::find(list_, type, &ValueBatch::Type);
  const auto batch = static_cast<std::size_t>(found - list_.begin());
  if (found == list_.end()) list_.emplace_back(instance, type);
  return {this, batch, list_[batch].Add(variable.value_reference, elements)};
}

ValueBatches::Place ValueBatches::AddAlone(const Instance& instance, const Variable& variable, std::size_t elements) {
  const std::size_t batch = list_.size();
  return {this, batch, list_.emplace_back(instance, variable.type).Add(variable.value_reference, elements)};
}

void InputSlopes::Clear() {
  inputs_.clear();
  orders_.clear();
  slopes_.clear();
}

std::size_t InputSlopes::Add(ValueReference input) {
  inputs_.push_back(input);
  orders_.push_back(1);
  slopes_.push_back(0.0);
  return slopes_.size() - 1;
}

}  // namespace openmi::fmi
