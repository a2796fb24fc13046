#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "composition/report/SvgValueAxis.hpp"
#include "composition/report/SvgWriter.hpp"

namespace openmi {

/// What is common to all plots.
struct PlotStyle {
  double width = 860.0;   ///< pixels
  double height = 300.0;  ///< pixels
  SvgUse use = SvgUse::Inline;
  std::string title{};        ///< written above the plot; empty where the page says it
  std::size_t columns = 430;  ///< points across are thinned out to about this many columns
  bool in_seconds = false;    ///< times are seconds without a calendar, not Modified Julian Days
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
  /// Where the spans begin that end at `times`; shape [n]. Empty: a step begins where the one before ends.
  std::span<const double> begins{};
};

/// A stretch of time that is shaded, such as the warm-up.
struct PlotSpan {
  double from = 0.0;  ///< Modified Julian Day
  double to = 0.0;    ///< Modified Julian Day
  std::string label;
};

/// A rectangle of the picture over which time runs to the right.
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

  double X(double time) const { return left + (time - from) / (to - from) * width; }
  double Y(double value) const;
};

/// The first and last finite time of all series, begins of spans included; from == to where there is none.
struct TimeRange {
  double from = 0.0;
  double to = 0.0;
  bool IsEmpty() const { return !(from < to); }
};
TimeRange RangeOfTimes(std::span<const PlotSeries> series);

/// The smallest and largest finite value; NaN where there is none.
struct ValueRange {
  double low = 0.0;
  double high = 0.0;
};
ValueRange RangeOfValues(std::span<const double> values);
ValueRange Join(ValueRange first, ValueRange second);

/// Whether the time axis has a second line of labels: with dates, or that it counts seconds.
bool HasSublabels(const PlotPanel& panel);
void DrawTimeAxis(SvgWriter& svg, const PlotPanel& panel, bool with_labels = true);
void DrawValueAxis(SvgWriter& svg, const PlotPanel& panel, std::string_view unit);
void DrawSpans(SvgWriter& svg, const PlotPanel& panel, std::span<const PlotSpan> spans);
void DrawSeries(SvgWriter& svg, const PlotPanel& panel, const PlotSeries& series, std::size_t columns);

/// A row of samples with labels, from `left` on; wraps at `right`. \returns the height used, in pixels
struct LegendEntry {
  std::string label;
  std::string css_class;  ///< of a line, or of a surface where `is_surface`
  bool is_surface = false;
  bool is_dot = false;
};
double DrawLegend(SvgWriter& svg, double left, double top, double right, std::span<const LegendEntry> entries);

/// The path of a series inside `panel`, broken at missing values.
std::string SeriesPath(const PlotPanel& panel, const PlotSeries& series, std::span<const std::size_t> indices);

/// What the page's script needs to read out values under the pointer, as the text of an attribute `data-plot`.
class PlotReadout {
 public:
  explicit PlotReadout(const PlotPanel& panel);
  void Add(const PlotSeries& series, std::string_view unit, std::span<const std::size_t> indices);
  /// \param bottom  where the cursor line ends, in pixels
  std::string Finish(double bottom);

 private:
  PlotPanel panel_;
  std::string series_;
};

/// A picture that says only that there is nothing to draw.
std::string EmptyPlotSvg(const PlotStyle& style, std::string_view message);

}  // namespace openmi
