#include "adaptors/base/DerivedQuantity.hpp"

#include <fmt/format.h>

#include <array>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"

namespace openmi {
namespace {

const IQuantity& RequiredQuantity(const std::string& id, const IBaseOutput& adaptee) {
  if (const auto* quantity = dynamic_cast<const IQuantity*>(&adaptee.ValueDefinition())) return *quantity;
  throw UnitError({.item = fmt::format("{} -> {}", adaptee.Id(), id)},
                  "expected a quantity, found values without a unit");
}

}  // namespace

std::unique_ptr<const IValueDefinition> DerivedQuantity(const std::string& id, const IBaseOutput& adaptee,
                                                        std::initializer_list<std::pair<DimensionBase, double>> powers,
                                                        const std::string& factor_unit) {
  const IQuantity& quantity = RequiredQuantity(id, adaptee);
  const IUnit& unit = quantity.Unit();
  if (unit.OffSetToSI() != 0.0) {
    throw UnitError({.item = fmt::format("{} -> {}", adaptee.Id(), id)},
                    fmt::format("expected a unit without offset, found '{}'", unit.Caption()),
                    "convert the unit first (adaptor 'unit-conversion')");
  }
  std::array<double, kDimensionBaseCount> sum{};
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = unit.Dimension().GetPower(static_cast<DimensionBase>(i));
  for (const auto& [base, power] : powers) sum[static_cast<std::size_t>(base)] += power;
  return std::make_unique<Quantity>(
      Unit(fmt::format("({}) {}", unit.Caption(), factor_unit), unit.ConversionFactorToSI(), 0.0, Dimension(sum)),
      quantity.Caption(), quantity.MissingDataValue());
}

std::unique_ptr<const IValueDefinition> SquaredQuantity(const std::string& id, const IBaseOutput& adaptee) {
  const IQuantity& quantity = RequiredQuantity(id, adaptee);
  const IUnit& unit = quantity.Unit();
  std::array<double, kDimensionBaseCount> powers{};
  for (std::size_t i = 0; i < powers.size(); ++i) {
    powers[i] = 2.0 * unit.Dimension().GetPower(static_cast<DimensionBase>(i));
  }
  const double factor = unit.ConversionFactorToSI();
  return std::make_unique<Quantity>(
      Unit(fmt::format("({})^2", unit.Caption()), factor * factor, 0.0, Dimension(powers)),
      fmt::format("variance of {}", quantity.Caption()), quantity.MissingDataValue());
}

}  // namespace openmi
