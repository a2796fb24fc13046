#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "composition/record/SeriesFigures.hpp"
#include "composition/report/SvgPlotFrame.hpp"

namespace openmi {

/// Values of many elements over time, in one unit. The data are borrowed and must outlive the drawing.
struct ElementPlot {
  std::string unit;
  std::vector<std::string> elements;     ///< ids; shape [m]
  std::span<const double> times;         ///< Modified Julian Days, UTC, ascending; shape [n]
  std::span<const double> values;        ///< row by row, NaN where missing; shape [n * m]; may be empty with figures
  std::vector<std::size_t> highlighted;  ///< elements drawn as separate lines
  std::vector<PlotSpan> spans;
  PlotShape shape = PlotShape::Line;
  std::vector<std::size_t> colours{};      ///< of each line (LineClass); shape [m]; empty: in order
  std::span<const double> begins{};        ///< starts of the spans that end at `times`; shape [n]; empty: unknown
  const SeriesFigures* figures = nullptr;  ///< of all rows; null: they are those of `values`
};

/// Assigns colours to elements, so that an element keeps its colour in all plots of a page as far as there are colours.
///
/// The colours within one plot differ from each other.
class ElementColours {
 public:
  /// \returns numbers for LineClass, one for each of `elements`
  std::vector<std::size_t> Of(std::span<const std::string> elements);

 private:
  std::map<std::string, std::size_t> known_;
};

/// Greatest number of elements that are drawn as separate lines; more elements are drawn as a band.
inline constexpr std::size_t kMostLines = 7;
/// Smallest number of elements that get a heat map as well.
inline constexpr std::size_t kHeatMapFrom = 13;
/// Greatest number of elements that get a heat map: of more, each row of pixels would be a mean.
inline constexpr std::size_t kMostHeatRows = 1000;

/// Draws up to `kMostLines` elements as a line each, and more elements as bands.
///
/// The bands are the range from smallest to largest (of 20 elements or more: from 5 to 95 %), the middle half and the
/// median of all elements at each time; the highlighted elements are lines above them.
/// \throws RangeError  the values are not times by elements
std::string ElementPlotSvg(const ElementPlot& plot, const PlotStyle& style = {});

/// Draws a heat map: time to the right, one row for each element, the value as colour, with a colour bar.
///
/// A cell shows the mean of the values in it. Of 100 elements or more the colours go from the 1 % to the 99 % quantile
/// of the cells. \throws RangeError  the values are not times by elements
std::string HeatMapSvg(const ElementPlot& plot, const PlotStyle& style = {});

/// Chooses up to `count` elements for separate lines: those with the largest, the middle and the smallest mean, or, of
/// 100 elements or more, those at 95, 50 and 5 % of the order.
std::vector<std::size_t> ChooseHighlights(std::size_t elements, std::span<const double> values, std::size_t count = 3);

}  // namespace openmi
