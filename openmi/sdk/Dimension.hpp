#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <utility>

#include "openmi/standard/IDimension.hpp"

namespace openmi {

/// The powers of the eight base dimensions.
class Dimension final : public IDimension {
 public:
  /// Dimensionless: every power 0.
  Dimension() = default;
  /// \param powers  in the order of DimensionBase
  explicit Dimension(const std::array<double, kDimensionBaseCount>& powers) : powers_(powers) {}
  /// A dimension from the powers of some bases; the others have the power 0.
  ///
  /// Example: `Dimension::Of({{DimensionBase::Length, 3}, {DimensionBase::Time, -1}})`.
  static Dimension Of(std::initializer_list<std::pair<DimensionBase, double>> powers);

  double GetPower(DimensionBase base) const override;
  /// The powers in the order of DimensionBase.
  const std::array<double, kDimensionBaseCount>& Powers() const { return powers_; }

  /// The dimension as messages show it: "L3 T-1"; "1" when dimensionless.
  ///
  /// The letters, in the order of DimensionBase, are L M T I K N J and E (euro). K is temperature, because T is time.
  std::string Text() const;

  friend bool operator==(const Dimension& a, const Dimension& b) { return a.powers_ == b.powers_; }

 private:
  std::array<double, kDimensionBaseCount> powers_{};
};

/// A copy of any implementation.
Dimension CopyOf(const IDimension& dimension);

/// Whether all eight powers are equal.
bool SameDimension(const IDimension& a, const IDimension& b);

/// As `Dimension::Text()`, for any implementation.
std::string DimensionText(const IDimension& dimension);

}  // namespace openmi
