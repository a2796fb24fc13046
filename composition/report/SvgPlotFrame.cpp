#include "composition/report/SvgPlotFrame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgTimeAxis.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

int TickCount(const PlotPanel& panel) {
  return static_cast<int>(panel.width / 88.0);
}

/// Round seconds in the panel; the unit is written below the last one.
std::vector<TimeTick> SecondTicks(const PlotPanel& panel) {
  const SvgValueAxis axis = LinearAxis(panel.from, panel.to, TickCount(panel));
  std::vector<TimeTick> ticks;
  const double slack = 1e-9 * (panel.to - panel.from);
  for (const ValueTick& tick : axis.ticks) {
    if (tick.value < panel.from - slack || tick.value > panel.to + slack) continue;
    ticks.push_back({tick.value, tick.label, {}});
  }
  if (!ticks.empty()) ticks.back().sublabel = axis.UnitLabel("s");
  return ticks;
}

std::vector<TimeTick> TicksOf(const PlotPanel& panel) {
  return panel.in_seconds ? SecondTicks(panel) : TimeTicks(panel.from, panel.to, TickCount(panel));
}

/// The points that represent one pixel column.
class Column {
 public:
  void Add(std::size_t index, double value) {
    if (!std::isfinite(value)) {
      gap_ = gap_ == kNone ? index : gap_;
      return;
    }
    if (first_ == kNone) {
      first_ = smallest_ = largest_ = index;
      low_ = high_ = value;
    }
    last_ = index;
    if (value < low_) {
      low_ = value;
      smallest_ = index;
    }
    if (value > high_) {
      high_ = value;
      largest_ = index;
    }
  }

  void Flush(std::vector<std::size_t>& indices) {
    std::size_t kept[] = {first_, smallest_, largest_, last_, gap_};
    std::sort(std::begin(kept), std::end(kept));
    for (const std::size_t index : kept) {
      if (index != kNone && (indices.empty() || indices.back() != index)) indices.push_back(index);
    }
    *this = {};
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t first_ = kNone;
  std::size_t smallest_ = kNone;
  std::size_t largest_ = kNone;
  std::size_t last_ = kNone;
  std::size_t gap_ = kNone;
  double low_ = 0.0;
  double high_ = 0.0;
};

}  // namespace

double PlotPanel::Y(double value) const {
  const double fraction = axis.Fraction(value);
  // Values far outside would give coordinates that renderers cannot hold.
  const double bounded = std::clamp(is_inverted ? fraction : 1.0 - fraction, -2.0, 3.0);
  return std::isnan(fraction) ? kNotANumber : top + bounded * height;
}

TimeRange RangeOfTimes(std::span<const PlotSeries> series) {
  double from = std::numeric_limits<double>::infinity();
  double to = -from;
  for (const PlotSeries& one : series) {
    for (const std::span<const double> times : {one.times, one.begins}) {
      for (const double time : times) {
        if (!std::isfinite(time)) continue;
        from = std::min(from, time);
        to = std::max(to, time);
      }
    }
  }
  return from <= to ? TimeRange{from, to} : TimeRange{};
}

ValueRange RangeOfValues(std::span<const double> values) {
  ValueRange range{kNotANumber, kNotANumber};
  for (const double value : values) {
    if (std::isfinite(value)) range = Join(range, {value, value});
  }
  return range;
}

ValueRange MiddleRange(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {kNotANumber, kNotANumber};
  std::ranges::sort(values);
  const auto last = static_cast<double>(values.size() - 1);
  const double low = values[static_cast<std::size_t>(0.01 * last)];
  const double high = values[static_cast<std::size_t>(std::ceil(0.99 * last))];
  return low < high ? ValueRange{low, high} : ValueRange{values.front(), values.back()};
}

ValueRange Join(ValueRange first, ValueRange second) {
  return {std::fmin(first.low, second.low), std::fmax(first.high, second.high)};
}

bool HasSublabels(const PlotPanel& panel) {
  const auto ticks = TicksOf(panel);
  return std::any_of(ticks.begin(), ticks.end(), [](const TimeTick& tick) { return !tick.sublabel.empty(); });
}

void DrawTimeAxis(SvgWriter& svg, const PlotPanel& panel, bool with_labels) {
  const double bottom = panel.top + panel.height;
  const auto ticks = TicksOf(panel);
  for (const TimeTick& tick : ticks) {
    const double x = panel.X(tick.time);
    svg.Line(x, panel.top, x, bottom, "grid");
    if (!with_labels) continue;
    const auto write = [&](double y, const std::string& label, std::string_view css_class) {
      const double right = panel.left + panel.width + 14.0;
      const bool is_cut = x + 0.5 * TextWidth(label, 11.0) > right;
      svg.TextAt(is_cut ? right : x, y, label, css_class, is_cut ? "end" : "middle");
    };
    write(bottom + 16.0, tick.label, "m");
    if (!tick.sublabel.empty()) write(bottom + 29.0, tick.sublabel, "m b");
  }
}

void DrawValueAxis(SvgWriter& svg, const PlotPanel& panel, std::string_view unit) {
  for (const ValueTick& tick : panel.axis.ticks) {
    const double y = panel.Y(tick.value);
    svg.Line(panel.left, y, panel.left + panel.width, y, tick.value == 0.0 ? "axis" : "grid");
    svg.TextAt(panel.left - 8.0, y + 3.8, tick.label, "m", "end");
  }
  svg.Open("text", "m");
  svg.Attribute("transform", fmt::format("translate({} {}) rotate(-90)", FormatCoordinate(panel.left - 48.0),
                                         FormatCoordinate(panel.top + panel.height / 2.0)));
  svg.Attribute("text-anchor", "middle");
  svg.Text(panel.axis.UnitLabel(unit));
  svg.Close();
}

void DrawSpans(SvgWriter& svg, const PlotPanel& panel, std::span<const PlotSpan> spans) {
  for (const PlotSpan& span : spans) {
    const double left = std::clamp(panel.X(span.from), panel.left, panel.left + panel.width);
    const double right = std::clamp(panel.X(span.to), panel.left, panel.left + panel.width);
    if (!(right > left)) continue;
    svg.Rectangle(left, panel.top, right - left, panel.height, "warm");
    svg.Line(right, panel.top, right, panel.top + panel.height, "warmedge");
    if (!span.label.empty() && TextWidth(span.label, 10.0) + 10.0 < right - left) {
      svg.TextAt(left + 6.0, panel.top + 14.0, span.label, "m small i");
    }
  }
}

std::string SeriesPath(const PlotPanel& panel, const PlotSeries& series, std::span<const std::size_t> indices) {
  SvgPath path;
  bool is_broken = true;
  double last_y = 0.0;
  const bool has_begins = series.shape == PlotShape::Step && !series.begins.empty();
  const double hair = 1e-6 * (panel.to - panel.from);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::size_t index = indices[i];
    // Spans that are not contiguous leave a gap; between thinned-out points a gap is not visible.
    if (has_begins && !is_broken && indices[i - 1] + 1 == index) {
      is_broken = series.begins[index] > series.times[indices[i - 1]] + hair;
    }
    const double x = panel.X(series.times[index]);
    const double y = panel.Y(series.values[index]);
    if (!std::isfinite(x) || !std::isfinite(y)) {
      is_broken = true;
      continue;
    }
    if (is_broken && has_begins) {
      path.MoveTo(panel.X(series.begins[index]), y);
      path.LineTo(x, y);
    } else if (is_broken) {
      const bool is_lonely = i + 1 == indices.size() || !std::isfinite(panel.Y(series.values[indices[i + 1]]));
      path.MoveTo(is_lonely ? x - 0.6 : x, y);
      if (is_lonely) {
        path.LineTo(x + 0.6, y);  // a point between two gaps would otherwise be invisible
      }
    } else {
      if (series.shape == PlotShape::Step && y != last_y) path.LineTo(panel.X(series.times[indices[i - 1]]), y);
      path.LineTo(x, y);
    }
    is_broken = false;
    last_y = y;
  }
  return path.Data();
}

void DrawSeries(SvgWriter& svg, const PlotPanel& panel, const PlotSeries& series, std::size_t columns) {
  const auto indices = DecimateIndices(series.times, series.values, panel.from, panel.to, columns);
  if (series.shape != PlotShape::Dots || indices.size() > 160) {
    const std::string path = SeriesPath(panel, series, indices);
    if (!path.empty()) svg.Path(path, series.css_class);
    return;
  }
  for (const std::size_t index : indices) {
    const double y = panel.Y(series.values[index]);
    if (std::isfinite(y)) svg.Circle(panel.X(series.times[index]), y, 2.0, "obsdot");
  }
}

double DrawLegend(SvgWriter& svg, double left, double top, double right, std::span<const LegendEntry> entries) {
  constexpr double row = 17.0;
  double x = left;
  double y = top + 8.0;
  for (const LegendEntry& entry : entries) {
    const std::string label = FitText(entry.label, 11.0, right - left - 40.0);
    const double width = 24.0 + TextWidth(label, 11.0) + 14.0;
    if (x > left && x + width > right) {
      x = left;
      y += row;
    }
    if (entry.is_surface) {
      svg.Rectangle(x, y - 5.0, 18.0, 10.0, entry.css_class, 2.0);
    } else if (entry.is_dot) {
      svg.Circle(x + 9.0, y, 3.0, entry.css_class);
    } else {
      svg.Line(x, y, x + 18.0, y, entry.css_class);
    }
    svg.TextAt(x + 24.0, y + 4.0, label, "");
    x += width;
  }
  return entries.empty() ? 0.0 : y - top + row - 5.0;
}

std::string EmptyPlotSvg(const PlotStyle& style, std::string_view message) {
  SvgWriter svg(style.width, 60.0, style.use, message);
  svg.TextAt(style.width / 2.0, 34.0, message, "m i", "middle");
  return svg.Finish();
}

std::vector<std::size_t> DecimateIndices(std::span<const double> times, std::span<const double> values, double from,
                                         double to, std::size_t columns) {
  const std::size_t count = std::min(times.size(), values.size());
  if (count <= 4 * columns) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  std::vector<std::size_t> indices;
  indices.reserve(5 * columns);
  Column column;
  double current = -1.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double place = std::floor((times[i] - from) / (to - from) * static_cast<double>(columns));
    if (place != current) {
      column.Flush(indices);
      current = place;
    }
    column.Add(i, values[i]);
  }
  column.Flush(indices);
  return indices;
}

}  // namespace openmi
