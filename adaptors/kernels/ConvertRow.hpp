#pragma once

#include <span>

#include "openmi/sdk/Missing.hpp"

namespace openmi {

/// Two units of the same dimension, each given by its conversion to SI: v_SI = factor * v + offset.
struct UnitPair {
  double from_factor = 1.0;  ///< a1
  double from_offset = 0.0;  ///< b1, in SI; 0 for differences and fluxes, which have no offset
  double to_factor = 1.0;    ///< a2, not 0
  double to_offset = 0.0;    ///< b2, in SI
};

/// Converts a row of values: y = (a1 x + b1 - b2) / a2.
///
/// \param in  x; shape [elements]; in the first unit
/// \param units  the two units; equal units copy bit for bit
/// \param out  y; same shape; in the second unit; either the memory of `in`, or disjoint from it
/// \param missing  the value that means "no value"; it stays unchanged, and NaN becomes it
/// \pre  `in.size() == out.size()`
/// \note  Linear in elements, no allocation.
///
/// Source: [OGC11-014r3], IUnit (ConversionFactorToSI, OffSetToSI).
void ConvertRow(std::span<const double> in, const UnitPair& units, std::span<double> out, double missing = kNotANumber);

}  // namespace openmi
