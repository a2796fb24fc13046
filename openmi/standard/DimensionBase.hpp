#pragma once

#include <cstddef>

namespace openmi {

/// The base dimensions: the seven of the SI, and currency.
///
/// The base units are m, kg, s, A, K, mol and cd; the base unit of currency is the euro.
///
/// Source: OGC 11-014r3, requirement 3.7 (/req/value-definition/DimensionBase), tables 3 and 10.
enum class DimensionBase {
  Length,
  Mass,
  Time,
  ElectricCurrent,
  Temperature,
  AmountOfSubstance,
  LuminousIntensity,
  Currency
};

/// The number of base dimensions.
inline constexpr std::size_t kDimensionBaseCount = 8;

}  // namespace openmi
