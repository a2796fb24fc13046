#include "composition/conformance/DefinitionChecks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Dimension.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"

namespace openmi::conformance {
namespace {

bool IsNumber(ValueKind kind) {
  return kind == ValueKind::Double || kind == ValueKind::Integer;
}

void CheckDimension(Findings& findings, const IUnit& unit, const std::string& whose) {
  bool finite = true;
  for (std::size_t base = 0; base < kDimensionBaseCount; ++base) {
    const double power = unit.Dimension().GetPower(static_cast<DimensionBase>(base));
    const bool fits = std::isfinite(power) && power == unit.Dimension().GetPower(static_cast<DimensionBase>(base));
    finite = finite && fits;
    findings.Expect("3.6", fits, [&] {
      return fmt::format("{}: expected a finite power of base dimension {} that stays, found {}", whose, base, power);
    });
  }
  if (!finite) return;
  // A caption is a label for users. It counts as a unit only if it reads as a unit with the same factor and offset.
  try {
    const Unit read = Unit::Parse(unit.Caption());
    if (unit.Caption().empty() || read.ConversionFactorToSI() != unit.ConversionFactorToSI() ||
        read.OffSetToSI() != unit.OffSetToSI()) {
      return;
    }
    findings.Expect("3.6", SameDimension(read.Dimension(), unit.Dimension()), [&] {
      return fmt::format("{}: expected the dimension {} of its unit '{}', found {}", whose,
                         DimensionText(read.Dimension()), unit.Caption(), DimensionText(unit.Dimension()));
    });
  } catch (const Error&) {  // not a unit that UDUNITS knows: nothing to compare with
  }
}

void CheckQuantity(Findings& findings, const IQuantity& quantity, const std::string& whose) {
  findings.Expect("3.3", IsNumber(quantity.ValueType().kind), [&] {
    return fmt::format("{}: expected a quantity to have numbers, found values of type {}", whose,
                       quantity.ValueType().Name());
  });
  const IUnit& unit = quantity.Unit();
  const double factor = unit.ConversionFactorToSI();
  findings.Expect("3.2", std::isfinite(factor) && factor != 0.0 && std::isfinite(unit.OffSetToSI()), [&] {
    return fmt::format(
        "{}: expected a conversion of unit '{}' to SI with a finite factor that is not 0 and a finite "
        "offset, found {} and {}",
        whose, unit.Caption(), factor, unit.OffSetToSI());
  });
  findings.Try("3.6", "the dimension of " + whose, [&] { CheckDimension(findings, unit, whose); });
}

void CheckQuality(Findings& findings, const IQuality& quality, const std::string& whose) {
  findings.Expect("3.4", !quality.Categories().empty(),
                  [&] { return whose + ": expected at least one category, found none"; });
  std::vector<Value> values;
  for (const ICategory* category : quality.Categories()) {
    if (!findings.Expect("3.4", category != nullptr,
                         [&] { return whose + ": expected categories, found a null among them"; })) {
      continue;
    }
    const Value value = category->Value();
    findings.Expect("3.5", !value.IsEmpty(), [&] {
      return fmt::format("{}: expected category '{}' to have a value, found none", whose, category->Caption());
    });
    findings.Expect("3.4", value.IsEmpty() || std::ranges::find(values, value) == values.end(), [&] {
      return fmt::format("{}: expected categories of different values, found that of '{}' twice", whose,
                         category->Caption());
    });
    values.push_back(value);
  }
  findings.Expect("3.4", CategoriesOf(quality) == CategoriesOf(quality), [&] {
    return whose + (quality.IsOrdered() ? ": expected ordered categories to be given in the same order every time, "
                                          "found another order"
                                        : ": expected the same categories every time, found others");
  });
  const ValueKind kind = quality.ValueType().kind;
  findings.Expect("3.4", kind != ValueKind::Empty && kind != ValueKind::Double, [&] {
    return fmt::format("{}: expected the values of a quality to be texts or categories, found type {}", whose,
                       quality.ValueType().Name());
  });
}

}  // namespace

std::vector<Value> CategoriesOf(const IQuality& quality) {
  std::vector<Value> values;
  for (const ICategory* category : quality.Categories()) {
    if (category != nullptr) values.push_back(category->Value());
  }
  if (quality.IsOrdered()) return values;
  const auto key = [](const Value& value) {
    const auto* text = value.As<std::string>();
    return text != nullptr ? *text : fmt::format("{}", value.Number().value_or(0.0));
  };
  std::ranges::sort(values, [&](const Value& a, const Value& b) { return key(a) < key(b); });
  return values;
}

void CheckDefinition(Findings& findings, const IValueDefinition& definition, const std::string& whose) {
  const ValueType type = definition.ValueType();
  const Value missing = definition.MissingDataValue();
  const auto* quantity = dynamic_cast<const IQuantity*>(&definition);
  const auto* quality = dynamic_cast<const IQuality*>(&definition);
  findings.Expect("3.1", type.kind != ValueKind::Empty,
                  [&] { return whose + ": expected a type of its values, found 'empty'"; });
  findings.Expect("3.1", missing.IsEmpty() || missing.Kind() == type.kind || quality != nullptr, [&] {
    return fmt::format("{}: expected a missing value of type {}, as ValueType says, found a {}", whose, type.Name(),
                       NameOf(missing.Kind()));
  });
  // A subtype defined by the component is allowed; but IQuantity exists to prevent numbers without a unit.
  const bool own_kind = type.kind == ValueKind::Object || type.kind == ValueKind::Binary;
  findings.Expect("3.1", quantity != nullptr || quality != nullptr || own_kind, [&] {
    return fmt::format("{}: expected an IQuantity or an IQuality for values of type {}, found a bare IValueDefinition",
                       whose, type.Name());
  });
  if (quantity != nullptr) {
    findings.Try("3.3", "the quantity of " + whose, [&] { CheckQuantity(findings, *quantity, whose); });
  }
  if (quality != nullptr) {
    findings.Try("3.4", "the quality of " + whose, [&] { CheckQuality(findings, *quality, whose); });
  }
}

}  // namespace openmi::conformance
