#include "openmi/sdk/Unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr int kDecimalDigits = 12;  // the longest factors in use have 11 (a cubic foot is 0.028316846592 m3)
// Ratios p / q with p * q up to this limit are so rare that a match within a few units in the last place is meant.
constexpr double kRatioLimit = 1e12;

std::optional<double> ShortDecimal(double value, double tolerance) {
  const std::string text = fmt::format("{:.{}e}", value, kDecimalDigits - 1);
  double rounded = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  if (std::abs(rounded - value) <= tolerance) return rounded;
  return std::nullopt;
}

/// The simplest ratio within the tolerance, by continued fractions.
std::optional<double> Ratio(double value, double tolerance) {
  double p_before = 0.0, p = 1.0, q_before = 1.0, q = 0.0;
  double rest = value;
  for (int i = 0; i < 40; ++i) {
    const double whole = std::floor(rest);
    const double p_next = whole * p + p_before;
    const double q_next = whole * q + q_before;
    if (p_next * q_next > kRatioLimit) return std::nullopt;
    p_before = p;
    q_before = q;
    p = p_next;
    q = q_next;
    if (p > 0.0 && std::abs(p / q - value) <= tolerance) return p / q;
    if (rest == whole) return std::nullopt;
    rest = 1.0 / (rest - whole);
  }
  return std::nullopt;
}

}  // namespace

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

double ExactNear(double value, double uncertainty) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  if (std::abs(value) <= uncertainty) return 0.0;
  const double size = std::abs(value);
  const double relative = std::max(4.0 * std::numeric_limits<double>::epsilon(), uncertainty / size);
  const auto with_sign = [value](double found) { return std::copysign(found, value); };
  if (const auto found = ShortDecimal(size, relative * size)) return with_sign(*found);
  if (const auto found = Ratio(size, relative * size)) return with_sign(*found);
  if (const auto found = ShortDecimal(1.0 / size, relative / size)) return with_sign(1.0 / *found);
  // A long decimal number per minute, hour or day, or multiplied by one of them.
  for (const double span : {60.0, 3600.0, 86400.0}) {
    if (const auto found = ShortDecimal(size * span, relative * size * span)) return with_sign(*found / span);
    if (const auto found = ShortDecimal(size / span, relative * size / span)) return with_sign(*found * span);
  }
  return value;
}

}  // namespace openmi
