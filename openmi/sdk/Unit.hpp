#pragma once

#include <string>
#include <string_view>

#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Dimension.hpp"
#include "openmi/standard/IUnit.hpp"

namespace openmi {

/// A conversion between units: v2 = factor * v1 + offset.
struct LinearConversion {
  double factor = 1.0;
  double offset = 0.0;  ///< in the second unit

  /// The converted value.
  double operator()(double value) const { return factor * value + offset; }
  /// Whether the conversion leaves every value unchanged.
  bool IsIdentity() const { return factor == 1.0 && offset == 0.0; }
};

/// A unit of measurement: SI value = `ConversionFactorToSI()` * value + `OffSetToSI()`.
class Unit final : public DescribedAs<IUnit> {
 public:
  /// \param factor  A; finite and not 0
  /// \param offset  B, in the SI unit
  /// \throws UnitError  the factor is 0, or one of the two is not finite
  Unit(std::string caption, double factor, double offset, const openmi::Dimension& dimension);

  /// Reads a unit in the notation of UDUNITS-2: `m3 s-1`, `mm/h`, `degC`, `%`, `kg m-2 d-1`, also `m^3/s`, `m³/s`,
  /// `m**3 s-1`.
  ///
  /// `1`, `-` and the empty text are dimensionless. `EUR` (or `euro`) is the unit of currency. Flow units of water
  /// networks (`cfs`, `gpm`, `MGD`, `cms`, `cmd`, `lps`, `MLD`, ...) are accepted where UDUNITS-2 does not know the
  /// name. Radians are dimensionless. The caption is the text as given.
  ///
  /// Factor and offset are the doubles nearest to the exact ones where those are ratios of whole numbers (`mm/h` is
  /// 1/3600000). Any thread may call this; each text is read once and cached.
  /// \throws UnitError  the text is no unit; names the text and what to write instead. Also for logarithmic units
  ///   (`dB`) and times since a date (`days since 2000-01-01`), which factor and offset cannot describe
  static Unit Parse(std::string_view text);

  double ConversionFactorToSI() const override { return factor_; }
  const openmi::Dimension& Dimension() const override { return dimension_; }
  double OffSetToSI() const override { return offset_; }

 private:
  double factor_ = 1.0;
  double offset_ = 0.0;
  openmi::Dimension dimension_;
};

/// Whether values can be converted between two units, that is, whether the dimensions are equal.
bool Convertible(const IUnit& from, const IUnit& to);

/// The conversion of values: v2 = (A1 v1 + B1 - B2) / A2.
///
/// Factor and offset are rounded once where they are ratios of whole numbers: degC to degF is exactly 1.8 and 32.
/// \throws UnitError  the dimensions differ; the message contains the `ConversionAdvice()` if there is any
LinearConversion ConversionBetween(const IUnit& from, const IUnit& to);

/// The conversion of differences and rates of values, where offsets cancel: v2 = A1 v1 / A2.
///
/// A rise of 5 degC is a rise of 9 degF.
/// \throws UnitError  as `ConversionBetween`
LinearConversion DifferenceConversionBetween(const IUnit& from, const IUnit& to);

/// Advice for a link between units of different dimensions: a sentence that names the adaptors that can help.
///
/// - `times-element-area`: a depth or a rate of depth becomes a volume or a rate of volume
/// - `divide-by-span`, `multiply-by-span`: an amount becomes a rate, and a rate an amount
/// - `density`: mass becomes volume or depth, and the reverse
///
/// \returns the sentence; empty when the dimensions are equal, or no such adaptor helps
std::string ConversionAdvice(const IUnit& from, const IUnit& to);

/// The exact number that `value` approximates: a ratio of whole numbers or a short decimal number.
///
/// Removes the error in the last digits of products and quotients of unit factors: 0.0010000000000000002 becomes 0.001,
/// 0.55555555555555558 becomes the double nearest to 5/9. When there is no such number near `value`, the result is
/// `value`.
/// \param uncertainty  the largest distance of the exact number from `value`, absolute; four units in the last place
///   are always allowed
double ExactNear(double value, double uncertainty = 0.0);

}  // namespace openmi
