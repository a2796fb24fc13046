#pragma once

#include <span>
#include <string>

#include "composition/report/SvgPlotFrame.hpp"

namespace openmi {

/// Rows over time at one end of a link, one value each.
struct ExplainedSeries {
  std::string label;
  std::string unit;
  std::span<const double> begins;  ///< Modified Julian Days, UTC, ascending; shape [n]
  std::span<const double> ends;    ///< equal to begins for instants; shape [n]
  std::span<const double> values;  ///< NaN where missing; shape [n]
};

/// Draws what the adaptors of a link make of the rows of its source: over each other where both are in one unit, else
/// one above the other over the same time. Instants are dots, joined by thin lines for the answers; values over spans
/// are bars at the height of the value, as wide as the span.
/// \param title  written above
std::string ExplainTimeSvg(const ExplainedSeries& source, const ExplainedSeries& answers, const std::string& title);

}  // namespace openmi
