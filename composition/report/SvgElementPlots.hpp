#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "composition/report/SvgPlotFrame.hpp"

namespace openmi {

/// Values of many elements over time, in one unit. The data are borrowed and must outlive the drawing.
struct ElementPlot {
  std::string unit;
  std::vector<std::string> elements;     ///< ids; shape [m]
  std::span<const double> times;         ///< Modified Julian Days, UTC, ascending; shape [n]
  std::span<const double> values;        ///< row by row, NaN where missing; shape [n * m]
  std::vector<std::size_t> highlighted;  ///< elements drawn as lines of their own
  std::vector<PlotSpan> spans;
  PlotShape shape = PlotShape::Line;
  std::vector<std::size_t> colours{};  ///< of a line each (LineClass); shape [m]; empty: in order
  std::span<const double> begins{};    ///< where the spans begin that end at `times`; shape [n]; empty: not known
};

/// Gives elements their colours, so that one element has the same colour in all plots of a page, as far as there are
/// colours. Those of one plot differ from each other.
class ElementColours {
 public:
  /// \returns numbers for LineClass, one for each of `elements`
  std::vector<std::size_t> Of(std::span<const std::string> elements);

 private:
  std::map<std::string, std::size_t> known_;
};

/// From how many elements on lines of their own would hide each other, so that a band is drawn instead.
inline constexpr std::size_t kMostLines = 7;
/// From how many elements on a heat map helps as well.
inline constexpr std::size_t kHeatMapFrom = 13;

/// Up to `kMostLines` elements: a line each. More: the range from smallest to largest, the middle half and the median
/// of all elements at each time, with the highlighted elements on top. \throws RangeError  the values are not times by
/// elements
std::string ElementPlotSvg(const ElementPlot& plot, const PlotStyle& style = {});

/// Time to the right, one row an element, the value as colour, with a colour bar. Cells average what falls into them.
/// \throws RangeError  the values are not times by elements
std::string HeatMapSvg(const ElementPlot& plot, const PlotStyle& style = {});

/// Up to `count` elements worth a line of their own: those with the largest, the middle and the smallest mean.
std::vector<std::size_t> ChooseHighlights(std::size_t elements, std::span<const double> values, std::size_t count = 3);

}  // namespace openmi
