#include "composition/report/ExplainLink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgLinePlots.hpp"
#include "composition/report/SvgTheme.hpp"
#include "composition/report/SvgWriter.hpp"

namespace openmi {
namespace {

constexpr double kWidth = 860.0;
constexpr double kPanel = 220.0;
constexpr double kTop = 66.0;     // title and legend
constexpr double kRowGap = 26.0;  // between panels, for the upper time axis
constexpr double kRowBottom = 44.0;
constexpr double kRowLeft = 66.0;
constexpr double kRowRight = 16.0;

TimeRange TimesOf(const ExplainedSeries& source, const ExplainedSeries& answers) {
  TimeRange range{std::nan(""), std::nan("")};
  for (const ExplainedSeries* series : {&answers, &source}) {
    if (series->begins.empty()) continue;
    const double from = series->begins.front();
    const double to = series->ends.back();
    if (std::isnan(range.from)) {
      range = {from, to};
      continue;
    }
    range = {std::min(range.from, from), std::max(range.to, to)};
  }
  return range;
}

bool IsSpan(const ExplainedSeries& series, std::size_t row) {
  return series.ends[row] > series.begins[row];
}

bool HasSpans(const ExplainedSeries& series) {
  return !series.begins.empty() && IsSpan(series, 0);
}

/// The path of a series: spans as bars, instants joined by lines if `joined`. Broken at missing values.
std::string PathOf(const PlotPanel& panel, const ExplainedSeries& series, bool joined) {
  SvgPath path;
  bool is_open = false;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    if (!std::isfinite(series.values[i])) {
      is_open = false;
      continue;
    }
    const double y = panel.Y(series.values[i]);
    if (IsSpan(series, i)) {
      path.MoveTo(panel.X(series.begins[i]), y);
      path.LineTo(panel.X(series.ends[i]), y);
    } else if (joined) {
      is_open ? path.LineTo(panel.X(series.ends[i]), y) : path.MoveTo(panel.X(series.ends[i]), y);
      is_open = true;
    }
  }
  return path.Data();
}

void DrawDots(SvgWriter& svg, const PlotPanel& panel, const ExplainedSeries& series, double radius,
              std::string_view css_class) {
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    if (IsSpan(series, i) || !std::isfinite(series.values[i])) continue;
    svg.Circle(panel.X(series.ends[i]), panel.Y(series.values[i]), radius, css_class);
  }
}

void DrawSource(SvgWriter& svg, const PlotPanel& panel, const ExplainedSeries& source) {
  if (const std::string path = PathOf(panel, source, false); !path.empty()) svg.Path(path, "obs");
  DrawDots(svg, panel, source, 3.5, "obsdot");
}

void DrawAnswers(SvgWriter& svg, const PlotPanel& panel, const ExplainedSeries& answers) {
  const std::string line = LineClass(1);
  if (const std::string path = PathOf(panel, answers, true); !path.empty()) svg.Path(path, line);
  DrawDots(svg, panel, answers, 2.0, line);
}

ValueRange RangeOf(const ElementMap& map) {
  std::vector<double> values;
  for (const MapElement& element : map.elements) values.push_back(element.value);
  return RangeOfValues(values);
}

}  // namespace

std::string ExplainTimeSvg(const ExplainedSeries& source, const ExplainedSeries& answers, const std::string& title) {
  const TimeRange times = TimesOf(source, answers);
  const ValueRange of_source = RangeOfValues(source.values);
  const ValueRange of_answers = RangeOfValues(answers.values);
  PlotStyle style{.width = kWidth, .height = 300.0, .use = SvgUse::Standalone, .title = title};
  if (times.IsEmpty() || (std::isnan(of_source.low) && std::isnan(of_answers.low))) {
    return EmptyPlotSvg(style, "Nothing passed through the link.");
  }
  const bool apart = source.unit != answers.unit;
  style.height = kTop + kPanel + kRowBottom + (apart ? kPanel + kRowGap : 0.0);
  SvgWriter svg(style.width, style.height, style.use, title);
  const std::array<LegendEntry, 2> legend{
      LegendEntry{source.label, HasSpans(source) ? "obs" : "obsdot", false, !HasSpans(source)},
      LegendEntry{answers.label, LineClass(1)}};
  DrawLegend(svg, kRowLeft, DrawTitle(svg, style), style.width - kRowRight, legend);
  PlotPanel panel;
  panel.left = kRowLeft;
  panel.top = kTop;
  panel.width = style.width - kRowLeft - kRowRight;
  panel.height = kPanel;
  panel.from = times.from;
  panel.to = times.to;
  const auto begin_panel = [&](ValueRange range, const std::string& unit, bool with_labels) {
    panel.axis = std::isnan(range.low) ? AxisForValues({0.0, 1.0}, 6) : AxisForValues(range, 6);
    DrawTimeAxis(svg, panel, with_labels);
    DrawValueAxis(svg, panel, unit);
  };
  begin_panel(apart ? of_source : Join(of_source, of_answers), source.unit, !apart);
  DrawSource(svg, panel, source);
  if (apart) {
    panel.top += kPanel + kRowGap;
    begin_panel(of_answers, answers.unit, true);
  }
  DrawAnswers(svg, panel, answers);
  return svg.Finish();
}

std::string ExplainSpaceSvg(ElementMap source, ElementMap target, const std::string& title) {
  if (source.unit == target.unit) {
    const ValueRange both = Join(RangeOf(source), RangeOf(target));
    source.low = target.low = both.low;
    source.high = target.high = both.high;
  }
  ElementMap places = target;
  for (MapElement& element : places.elements) element.value = std::nan("");
  std::vector<std::string> pictures;
  for (const auto& [map, heading] : {std::pair{&source, source.title}, {&places, title}, {&target, target.title}}) {
    pictures.push_back(MapSvg(*map, {.width = 520.0, .height = 420.0, .use = SvgUse::Standalone, .title = heading}));
  }
  return InARow(pictures);
}

}  // namespace openmi
