#pragma once

#include <cstddef>

namespace openmi {

/// The base dimensions: those of the SI, and currency.
///
/// Source: OGC 11-014r3, requirement 3.7 (/req/value-definition/DimensionBase), tables 3 and 10. SI bases: m, kg, s, A,
/// K, mol, cd; currency in euro.
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

/// How many base dimensions there are.
inline constexpr std::size_t kDimensionBaseCount = 8;

}  // namespace openmi
