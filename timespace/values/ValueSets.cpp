#include "timespace/values/ValueSets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

/// Whether the number without its fraction fits 64 bits.
bool IsInteger64(double number) {
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  return number >= -kEnd && number < kEnd;
}

/// A number of a row as a Value. NaN means missing; only the type Double has such a value, others become empty.
Value Show(double number, ValueKind kind) {
  if (kind == ValueKind::Double) return number;
  if (std::isnan(number)) return {};
  if (kind == ValueKind::Boolean) return number != 0.0;
  return IsInteger64(number) ? Value(static_cast<std::int64_t>(number)) : Value();
}

[[noreturn]] void ThrowReadOnly() {
  throw TypeError({}, "expected a value set that can be written, found a view of values that a provider keeps",
                  "copy it into a NumericValueSet first");
}

[[noreturn]] void ThrowIndex(const char* what, std::int64_t index, std::size_t count) {
  throw RangeError(
      {}, fmt::format("expected {} index from 0 to {}, found {}", what, static_cast<std::int64_t>(count) - 1, index));
}

}  // namespace

void ValueSetBase::ThrowRow(std::size_t row, std::size_t count) {
  throw RangeError({}, count == 0 ? fmt::format("expected a set with a row {}, found one without rows", row)
                                  : fmt::format("expected a row from 0 to {}, found {}", count - 1, row));
}

std::size_t ValueSetBase::CheckedTime(std::int64_t time) const {
  if (time < 0 || static_cast<std::size_t>(time) >= Times()) ThrowIndex("a time", time, Times());
  return static_cast<std::size_t>(time);
}

std::size_t ValueSetBase::CheckedElement(std::size_t time, std::int64_t element) const {
  if (element < 0 || static_cast<std::size_t>(element) >= Elements(time)) {
    ThrowIndex("an element", element, Elements(time));
  }
  return static_cast<std::size_t>(element);
}

std::size_t ValueSetBase::GetIndexCount(std::span<const std::size_t> indices) const {
  if (indices.empty()) return Times();
  if (indices.size() == 1) return Elements(CheckedTime(static_cast<std::int64_t>(indices[0])));
  throw RangeError({}, fmt::format("expected at most 1 leading index, found {}", indices.size()));
}

Value ValueSetBase::GetValue(std::span<const std::size_t> indices) const {
  if (indices.size() != 2) {
    throw RangeError({}, fmt::format("expected 2 indices (time, element), found {}", indices.size()));
  }
  const std::size_t time = CheckedTime(static_cast<std::int64_t>(indices[0]));
  return At(time, CheckedElement(time, static_cast<std::int64_t>(indices[1])));
}

void ValueSetBase::SetValue(std::span<const std::size_t> indices, const Value& value) {
  if (indices.size() != 2) {
    throw RangeError({}, fmt::format("expected 2 indices (time, element), found {}", indices.size()));
  }
  const std::size_t time = CheckedTime(static_cast<std::int64_t>(indices[0]));
  Put(time, CheckedElement(time, static_cast<std::int64_t>(indices[1])), value);
}

Value ValueSetBase::GetValue(int time_index, int element_index) const {
  const std::size_t time = CheckedTime(time_index);
  return At(time, CheckedElement(time, element_index));
}

void ValueSetBase::SetValue(int time_index, int element_index, const Value& value) {
  const std::size_t time = CheckedTime(time_index);
  Put(time, CheckedElement(time, element_index), value);
}

std::vector<Value> ValueSetBase::GetElementValuesForTime(int time_index) const {
  const std::size_t time = CheckedTime(time_index);
  std::vector<Value> values;
  values.reserve(Elements(time));
  for (std::size_t element = 0; element < Elements(time); ++element) values.push_back(At(time, element));
  return values;
}

std::vector<Value> ValueSetBase::GetTimeSeriesValuesForElement(int element_index) const {
  std::size_t widest = 0;
  for (std::size_t time = 0; time < Times(); ++time) widest = std::max(widest, Elements(time));
  if (element_index < 0 || static_cast<std::size_t>(element_index) >= widest) {
    ThrowIndex("an element", element_index, widest);
  }
  const auto element = static_cast<std::size_t>(element_index);
  std::vector<Value> values(Times());
  for (std::size_t time = 0; time < values.size(); ++time) {
    if (element < Elements(time)) values[time] = At(time, element);
  }
  return values;
}

void ValueSetBase::SetElementValuesForTime(int time_index, std::span<const Value> values) {
  const std::size_t time = CheckedTime(time_index);
  Resize(time, values.size());
  for (std::size_t element = 0; element < values.size(); ++element) Put(time, element, values[element]);
}

void ValueSetBase::SetTimeSeriesValuesForElement(int element_index, std::span<const Value> values) {
  if (values.size() != Times()) {
    throw RangeError({}, fmt::format("expected a value for each of the {} times, found {}", Times(), values.size()));
  }
  for (std::size_t time = 0; time < values.size(); ++time) {
    Put(time, CheckedElement(time, element_index), values[time]);
  }
}

std::vector<std::vector<Value>> ValueSetBase::Values2D() const {
  std::vector<std::vector<Value>> values(Times());
  for (std::size_t time = 0; time < values.size(); ++time) {
    for (std::size_t element = 0; element < Elements(time); ++element) values[time].push_back(At(time, element));
  }
  return values;
}

void ValueSetBase::SetValues2D(const std::vector<std::vector<Value>>& values) {
  ResizeTimes(values.size());
  for (std::size_t time = 0; time < values.size(); ++time) {
    SetElementValuesForTime(static_cast<int>(time), values[time]);
  }
}

Value NumericValueSet::At(std::size_t time, std::size_t element) const {
  return Show(rows_[time][element], ValueType().kind);
}

void NumericValueSet::Put(std::size_t time, std::size_t element, const Value& value) {
  const ValueKind kind = ValueType().kind;
  double number = kNotANumber;
  if (!value.IsEmpty() || kind == ValueKind::Double) {
    const std::optional<double> given = value.Number();
    if (!given) throw TypeError({}, fmt::format("expected a number, found {}", value.Type().Name()));
    number = *given;
  }
  if (kind == ValueKind::Integer && !std::isnan(number) && !(IsInteger64(number) && std::trunc(number) == number)) {
    throw TypeError({}, fmt::format("expected a whole number, found {}", number), "round it first");
  }
  if (kind == ValueKind::Boolean && !std::isnan(number) && number != 0.0 && number != 1.0) {
    throw TypeError({}, fmt::format("expected true or false, found {}", number), "compare it with something first");
  }
  rows_[time][element] = number;
}

Value ReadOnlyRows::At(std::size_t time, std::size_t element) const {
  return Show(Row(time)[element], ValueType().kind);
}
void ReadOnlyRows::Put(std::size_t, std::size_t, const Value&) {
  ThrowReadOnly();
}
void ReadOnlyRows::ResizeTimes(std::size_t) {
  ThrowReadOnly();
}
void ReadOnlyRows::Resize(std::size_t, std::size_t) {
  ThrowReadOnly();
}

void ObjectValueSet::Put(std::size_t time, std::size_t element, const Value& value) {
  if (!value.IsEmpty() && value.Type() != ValueType()) {
    throw TypeError({}, fmt::format("expected a value of type {}, found {}", ValueType().Name(), value.Type().Name()));
  }
  rows_[time][element] = value;
}

}  // namespace openmi
