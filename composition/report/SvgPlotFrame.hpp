#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "composition/report/SvgValueAxis.hpp"
#include "composition/report/SvgWriter.hpp"

namespace openmi {

/// Settings that all plots have.
struct PlotStyle {
  double width = 860.0;   ///< pixels
  double height = 300.0;  ///< pixels
  SvgUse use = SvgUse::Inline;
  std::string title{};          ///< written above the plot; empty if the page states it
  std::size_t columns = 430;    ///< series are thinned out to about so many columns
  std::size_t points = 20'000;  ///< of each line, for the script of the page (PlotData)
  bool in_seconds = false;      ///< times are seconds without a calendar, not Modified Julian Days
};

/// How the points of a series are joined.
enum class PlotShape {
  Line,
  Step,  ///< a value holds for the span that ends at its time
  Dots
};

/// A line of a plot. The data are borrowed and must outlive the drawing.
struct PlotSeries {
  std::string label;
  std::span<const double> times;   ///< Modified Julian Days, UTC, or seconds (PlotStyle); ascending; shape [n]
  std::span<const double> values;  ///< NaN where missing; shape [n]
  PlotShape shape = PlotShape::Line;
  std::string css_class{};  ///< empty: the next colour
  /// Starts of the spans that end at `times`; shape [n]. Empty: a step starts where the one before ends.
  std::span<const double> begins{};
};

/// A shaded span of time, such as the warm-up.
struct PlotSpan {
  double from = 0.0;  ///< Modified Julian Day
  double to = 0.0;    ///< Modified Julian Day
  std::string label;
};

/// A rectangle of the picture in which time runs to the right.
struct PlotPanel {
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;
  double from = 0.0;  ///< Modified Julian Day at the left edge
  double to = 1.0;    ///< Modified Julian Day at the right edge
  SvgValueAxis axis;
  bool is_inverted = false;  ///< low values at the top
  bool in_seconds = false;   ///< times are seconds, so are `from` and `to`

  /// The x of a time, in pixels; may lie outside of the panel.
  double X(double time) const { return left + (time - from) / (to - from) * width; }
  /// The y of a value, in pixels, limited to some distance outside of the panel; NaN for a missing value.
  double Y(double value) const;
};

/// The first and last finite time of all series, including the starts of spans; from == to if there is none.
struct TimeRange {
  double from = 0.0;
  double to = 0.0;
  bool IsEmpty() const { return !(from < to); }
};
TimeRange RangeOfTimes(std::span<const PlotSeries> series);

/// The smallest and largest finite value; NaN if there is none.
struct ValueRange {
  double low = 0.0;
  double high = 0.0;
};
ValueRange RangeOfValues(std::span<const double> values);
/// From the 1 % to the 99 % quantile, or of all if these are equal.
ValueRange MiddleRange(std::vector<double> values);
/// The smallest range that contains both.
ValueRange Join(ValueRange first, ValueRange second);

/// Whether the time axis has a second line of labels: the dates, or a note that it counts seconds.
bool HasSublabels(const PlotPanel& panel);
/// Draws the vertical grid lines and, with `with_labels`, the labels below the panel.
void DrawTimeAxis(SvgWriter& svg, const PlotPanel& panel, bool with_labels = true);
/// Draws the horizontal grid lines, their labels, and the unit left of the panel.
void DrawValueAxis(SvgWriter& svg, const PlotPanel& panel, std::string_view unit);
/// Shades the spans in the panel.
void DrawSpans(SvgWriter& svg, const PlotPanel& panel, std::span<const PlotSpan> spans);
/// Draws the line of a series, thinned out to `columns`.
void DrawSeries(SvgWriter& svg, const PlotPanel& panel, const PlotSeries& series, std::size_t columns);

/// An entry of a legend: a sample and its label.
struct LegendEntry {
  std::string label;
  std::string css_class;  ///< of a line, or of an area if `is_surface`
  bool is_surface = false;
  bool is_dot = false;
};
/// Draws a row of samples with labels, from `left` on; continues in a new row at `right`. All lengths are pixels.
/// \returns the height used, in pixels
double DrawLegend(SvgWriter& svg, double left, double top, double right, std::span<const LegendEntry> entries);

/// The path of a series in `panel`, broken at missing values.
std::string SeriesPath(const PlotPanel& panel, const PlotSeries& series, std::span<const std::size_t> indices);

/// A picture with a message only, for a plot without data.
std::string EmptyPlotSvg(const PlotStyle& style, std::string_view message);

/// Chooses the points of a series that must be drawn so that it looks unchanged at a width of `columns` pixels.
///
/// Keeps in each column the first, the smallest, the largest and the last value, and the first missing value of each
/// gap that matters, so that a line breaks there. Keeps all points of a short series.
/// \param times   ascending; shape [n]
/// \param values  NaN where missing; shape [n]
/// \returns indices, ascending; at most about 5 * columns
std::vector<std::size_t> DecimateIndices(std::span<const double> times, std::span<const double> values, double from,
                                         double to, std::size_t columns);

}  // namespace openmi
