#include "openmi/sdk/Unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Rounding.hpp"

namespace openmi {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

void ExpectSameDimension(const IUnit& from, const IUnit& to) {
  if (Convertible(from, to)) return;
  std::string advice = ConversionAdvice(from, to);
  if (advice.empty()) advice = "choose an item of the same kind, or correct the unit";
  throw UnitError(
      {},
      fmt::format("expected a unit of dimension {} like '{}', found '{}' of dimension {}",
                  DimensionText(to.Dimension()), to.Caption(), from.Caption(), DimensionText(from.Dimension())),
      advice);
}

/// Whether the unit is one of the amounts and rates that hydrology exchanges: depth, volume, mass, mass per area, and
/// each of these per time.
bool IsOfTheWaterFamily(const IDimension& dimension) {
  const double length = dimension.GetPower(DimensionBase::Length);
  const double mass = dimension.GetPower(DimensionBase::Mass);
  const double time = dimension.GetPower(DimensionBase::Time);
  for (const DimensionBase base :
       {DimensionBase::ElectricCurrent, DimensionBase::Temperature, DimensionBase::AmountOfSubstance,
        DimensionBase::LuminousIntensity, DimensionBase::Currency}) {
    if (dimension.GetPower(base) != 0.0) return false;
  }
  if (time != 0.0 && time != -1.0) return false;
  if (mass == 0.0) return length == 1.0 || length == 3.0;
  return mass == 1.0 && (length == 0.0 || length == -2.0);
}

}  // namespace

Unit::Unit(std::string caption, double factor, double offset, const openmi::Dimension& dimension)
    : factor_(factor), offset_(offset), dimension_(dimension) {
  if (!std::isfinite(factor) || factor == 0.0 || !std::isfinite(offset)) {
    throw UnitError(
        {},
        fmt::format("expected a finite factor other than 0 and a finite offset for unit '{}', found {} and {}", caption,
                    factor, offset),
        "give the factor A and the offset B of: SI value = A * value + B");
  }
  SetCaption(caption);
}

bool Convertible(const IUnit& from, const IUnit& to) {
  return SameDimension(from.Dimension(), to.Dimension());
}

LinearConversion ConversionBetween(const IUnit& from, const IUnit& to) {
  LinearConversion conversion = DifferenceConversionBetween(from, to);
  const double b1 = from.OffSetToSI();
  const double b2 = to.OffSetToSI();
  if (b1 != b2) {
    // When the two nearly cancel, the difference is only as exact as the last digit of the larger one.
    const double noise = 2.0 * kEpsilon * std::max(std::abs(b1), std::abs(b2)) / std::abs(to.ConversionFactorToSI());
    conversion.offset = ExactNear((b1 - b2) / to.ConversionFactorToSI(), noise);
  }
  return conversion;
}

LinearConversion DifferenceConversionBetween(const IUnit& from, const IUnit& to) {
  ExpectSameDimension(from, to);
  const double a1 = from.ConversionFactorToSI();
  const double a2 = to.ConversionFactorToSI();
  return {a1 == a2 ? 1.0 : ExactNear(a1 / a2), 0.0};
}

std::string ConversionAdvice(const IUnit& from, const IUnit& to) {
  const IDimension& have = from.Dimension();
  const IDimension& want = to.Dimension();
  if (!IsOfTheWaterFamily(have) || !IsOfTheWaterFamily(want)) return {};
  const auto change = [&](DimensionBase base) { return want.GetPower(base) - have.GetPower(base); };
  // Mass becomes volume when divided by a density (M-1 L3), depth becomes volume when multiplied by an area (L2).
  const double density = -change(DimensionBase::Mass);
  const double area = (change(DimensionBase::Length) - 3.0 * density) / 2.0;
  const double time = change(DimensionBase::Time);
  if (area < 0.0) return {};  // a volume no longer contains the depth
  std::vector<std::string> steps;
  if (time < 0.0) steps.emplace_back("'divide-by-span' (an amount becomes a rate)");
  if (time > 0.0) steps.emplace_back("'multiply-by-span' (a rate becomes an amount)");
  if (density > 0.0) steps.emplace_back("'density' (mass becomes volume)");
  if (density < 0.0) steps.emplace_back("'density' (volume becomes mass)");
  if (area > 0.0) steps.emplace_back("'times-element-area' (a depth over an area becomes a volume)");
  if (steps.empty()) return {};
  std::string text = steps.size() == 1 ? "put the adaptor " : "put the adaptors ";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i > 0) text += i + 1 == steps.size() ? " and " : ", ";
    text += steps[i];
  }
  return text + " on the link";
}

}  // namespace openmi
