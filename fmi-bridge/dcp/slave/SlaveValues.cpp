#include "fmi-bridge/dcp/slave/SlaveValues.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

SlaveValues::SlaveValues(const SlaveDescription& description) : description_(description) {
  values_.reserve(description.variables.size());
  for (const Variable& variable : description.variables) {
    const std::uint64_t size = variable.StartSize();
    if (size > kMostElements) {
      throw FormatError({.file = description.file, .line = variable.line, .item = variable.name},
                        fmt::format("expected at most {} elements, found {}", kMostElements, size),
                        "make the dimensions smaller");
    }
    values_.emplace_back(variable.Type(), size, variable.attributes.max_size.value_or(TypedValue::kNoMaxSize));
    by_reference_.emplace(variable.value_reference, static_cast<Index>(values_.size() - 1));
    PutStart(values_.size() - 1);
  }
}

Index SlaveValues::Find(ValueReference reference) const {
  const auto found = by_reference_.find(reference);
  return found == by_reference_.end() ? kNowhere : found->second;
}

TypedValue& SlaveValues::Named(std::string_view name) {
  const auto found = std::ranges::find(description_.variables, name, &Variable::name);
  if (found == description_.variables.end()) {
    throw ArgumentError({.component = description_.name},
                        fmt::format("expected the name of a variable, found '{}'", name),
                        "use a name of the slave description");
  }
  return values_[static_cast<std::size_t>(found - description_.variables.begin())];
}

void SlaveValues::PutStart(std::size_t index) {
  const StartValues& start = description_.variables[index].start;
  TypedValue& value = values_[index];
  if (IsText(value.Type())) {
    value.SetText(start.text);
    return;
  }
  // One start value applies to all elements; so does the first one where the size of the array has changed.
  const auto put = [&](const auto& list, auto set) {
    if (list.empty()) return;
    const bool is_whole = list.size() == value.Elements();
    for (std::size_t i = 0; i < value.Elements(); ++i) set(list[is_whole ? i : 0], i);
  };
  put(start.floats, [&](double number, std::size_t i) { value.SetNumber(number, i); });
  put(start.integers, [&](std::int64_t number, std::size_t i) { value.SetInteger(number, i); });
}

std::uint64_t SlaveValues::SizeNow(const Variable& variable) const {
  std::uint64_t size = 1;
  for (const Dimension& dimension : variable.dimensions) {
    const std::uint64_t extent =
        dimension.variable == kNowhere ? dimension.size : static_cast<std::uint64_t>(At(dimension.variable).Integer());
    if (extent == 0 || __builtin_mul_overflow(size, extent, &size)) return ~std::uint64_t{0};
  }
  return size;
}

bool SlaveValues::FollowStructure() {
  for (const Variable& variable : description_.variables) {
    if (SizeNow(variable) > kMostElements) return false;
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::uint64_t size = SizeNow(description_.variables[i]);
    if (size == values_[i].Elements()) continue;
    values_[i] = TypedValue(values_[i].Type(), size, values_[i].MaxSize());
    PutStart(i);
  }
  return true;
}

void SlaveValues::Reset() {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::uint64_t size = description_.variables[i].StartSize();
    const TypedValue& value = values_[i];
    if (!IsText(value.Type())) values_[i] = TypedValue(value.Type(), size, value.MaxSize());
    PutStart(i);
  }
}

bool SlaveValues::IsWithinLimits(Index index) const {
  const Limits& limits = VariableAt(index).attributes.limits;
  if (!limits.minimum && !limits.maximum) return true;
  const TypedValue& value = At(index);
  if (IsText(value.Type())) return true;
  for (std::size_t i = 0; i < value.Elements(); ++i) {
    const double number = value.Number(i);
    if (limits.minimum && !(number >= *limits.minimum)) return false;
    if (limits.maximum && !(number <= *limits.maximum)) return false;
  }
  return true;
}

}  // namespace openmi::dcp
