#include "fmi-bridge/dcp/master/component/SlaveItems.hpp"

#include <fmt/format.h>

#include <cmath>

#include "fmi-bridge/common/description/DescribedUnit.hpp"
#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"

namespace openmi::dcp {

std::unique_ptr<const IValueDefinition> DefinitionOf(const SlaveDescription& description, const Variable& variable) {
  const std::string& caption = variable.attributes.quantity.empty() ? variable.name : variable.attributes.quantity;
  if (IsText(variable.Type())) {
    return items::PlainDefinitionOf(caption,
                                    variable.Type() == DataType::binary ? ValueKind::Binary : ValueKind::String);
  }
  const UnitDefinition* unit = description.UnitOf(variable);
  if (unit == nullptr) return std::make_unique<Quantity>(Unit("1", 1.0, 0.0, openmi::Dimension()), caption);
  return std::make_unique<Quantity>(described::UnitOf(*unit).unit, caption);
}

std::shared_ptr<const ISpatialDefinition> ElementsOf(const Variable& variable, const std::vector<std::size_t>& sizes) {
  return items::ArrayElements(variable.name, sizes);
}

void RequireWhole(const std::string& component, const Variable& variable, std::span<const double> row) {
  const bool is_unsigned = variable.Type() <= DataType::uint64;
  const int bits = static_cast<int>(SizeOf(variable.Type()) * 8) - (is_unsigned ? 0 : 1);
  const double beyond = std::ldexp(1.0, bits);
  for (const double value : row) {
    const double whole = std::round(value);
    if (whole < beyond && whole >= (is_unsigned ? 0.0 : -beyond)) continue;  // not for NaN
    throw ModelError({.component = component, .item = variable.name},
                     fmt::format("expected a value that fits into {}, found {}", ElementName(variable.Type()),
                                 std::isnan(value) ? std::string("a missing one") : fmt::format("{}", value)),
                     "put an adaptor on the link that fills or clips");
  }
}

void SetFromValue(const std::string& component, const Variable& variable, const Value& from, TypedValue& to) {
  std::string bytes;
  if (const auto* text = from.As<std::string>()) {
    bytes = *text;
  } else if (const auto* binary = from.As<openmi::Bytes>()) {
    bytes.assign(reinterpret_cast<const char*>(binary->data()), binary->size());
  } else if (const auto number = from.Number()) {
    bytes = fmt::format("{}", *number);
  } else {
    return;
  }
  if (to.SetText(bytes)) return;
  throw ModelError({.component = component, .item = variable.name},
                   fmt::format("expected at most {} bytes (maxSize), found {}", to.MaxSize(), bytes.size()),
                   "shorten what is sent");
}

Value ValueOf(const TypedValue& value) {
  const std::string_view text = value.Text();
  if (value.Type() == DataType::string) return Value(std::string(text));
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return Value(openmi::Bytes(begin, begin + text.size()));
}

}  // namespace openmi::dcp
