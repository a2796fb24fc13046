#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "composition/report/SvgWriter.hpp"

namespace openmi {

/// A mark on a value axis.
struct ValueTick {
  double value = 0.0;
  std::string label;  ///< in the power of ten of the axis (`SvgValueAxis::exponent`)
};

/// The range of an axis with round ends, and its marks.
struct SvgValueAxis {
  double low = 0.0;
  double high = 1.0;
  bool is_logarithmic = false;
  int exponent = 0;  ///< labels are values divided by 10^exponent; a multiple of 3
  std::vector<ValueTick> ticks;

  /// The position of `value` between low (0) and high (1); may lie outside.
  ///
  /// NaN for a missing value, and on a logarithmic axis for a value that is not above zero.
  double Fraction(double value) const;
  /// "×10⁻⁶ m³ s⁻¹" for unit "m3 s-1" and exponent -6.
  std::string UnitLabel(std::string_view unit) const;
};

/// A linear axis that covers `low` to `high`; if they are equal or not finite, the axis gets a range around them.
/// \param at_most  number of marks, about; >= 2
SvgValueAxis LinearAxis(double low, double high, int at_most = 6);

/// A logarithmic axis that covers the positive part of `low` to `high`, at most eight decades below `high`.
SvgValueAxis LogarithmicAxis(double low, double high);

/// A rectangle in pixels.
struct SvgArea {
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;
};

/// Draws cells as an image in the colours from `low` to `high`; see `ColourImage`.
/// \param keeps_edges  whether the cells keep their edges where the image is enlarged
void DrawCells(SvgWriter& svg, const SvgArea& area, std::span<const double> cells, std::size_t columns, double low,
               double high, bool keeps_edges);

/// Draws the colours from `low` (bottom) to `high` (top) with the marks of `axis` between them, and the unit above.
void DrawColourBar(SvgWriter& svg, const SvgArea& area, const SvgValueAxis& axis, double low, double high,
                   std::string_view unit);

}  // namespace openmi
