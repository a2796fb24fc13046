#pragma once

#include <span>
#include <string>

#include "composition/report/SvgMap.hpp"
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

/// Draws how the adaptors of a link change the rows of its source.
///
/// Both series share one plot if they have the same unit, else they appear one above the other over the same time.
/// Instants are dots, which thin lines join for the answers. Values over spans are bars at the height of the value, as
/// wide as the span.
/// \param title  appears above the picture
std::string ExplainTimeSvg(const ExplainedSeries& source, const ExplainedSeries& answers, const std::string& title);

/// Draws how the adaptors of a link change the values of its source at one time.
///
/// Three maps side by side: the elements of the source coloured by value, the elements of the target, and the elements
/// of the target coloured by the values that arrived. Both coloured maps use the same colours if they have the same
/// unit.
/// \param source  with values; its title appears above its map
/// \param target  with values; its title appears above its map
/// \param title   title of the map in the middle
std::string ExplainSpaceSvg(ElementMap source, ElementMap target, const std::string& title);

}  // namespace openmi
