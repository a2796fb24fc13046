#include "fmi-bridge/fmi/run/ValueBatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace openmi::fmi {
std::size_t ValueBatch::Add(ValueReference reference, std::size_t elements) {
  const std::size_t first = count_;
  references_.push_back(reference);
  count_ += elements;
  memory_.Resize(count_);
  return first;
}

void ValueBatch::SetNumber(std::size_t element, double value) {
  const bool is_boolean = type_ == VariableType::Boolean;
  const bool is_true = value != 0.0 && !std::isnan(value);
  if (memory_.SetNumber(element, is_boolean ? static_cast<double>(is_true) : value)) return;
  throw RangeError({}, fmt::format("expected a number that {} can hold, found {}", Name(type_), value),
                   "link an output whose values stay in that range");
}

void ValueBatch::SetNumbers(std::size_t first, std::span<const double> values) {
  if (memory_.Type() == NumberType::Float64) {
    std::copy_n(values.data(), values.size(), memory_.As<double>() + first);
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) SetNumber(first + i, values[i]);
}

void ValueBatch::Load(StateReader& reader, const Where& where) {
  const ByteView bytes = reader.ReadBytes();
  if (bytes.size() != Memory().size()) {
    throw FormatError(where,
                      fmt::format("expected {} bytes of values in a state, found {}", Memory().size(), bytes.size()),
                      "restore it with the FMU and the links that it was kept with");
  }
  SetMemory(bytes);
}

ValueBatches::Place ValueBatches::Add(const Instance& instance, const Variable& variable, std::size_t elements) {
  const bool is_enumeration = variable.type == VariableType::Enumeration;
  const bool is_long = is_enumeration && instance.NativeOf(variable.type) == NumberType::Int64;
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
