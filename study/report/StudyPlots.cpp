#include "study/report/StudyPlots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "composition/report/PlotData.hpp"
#include "composition/report/SvgLinePlots.hpp"
#include "composition/report/SvgPlotFrame.hpp"
#include "composition/report/SvgTheme.hpp"
#include "composition/report/SvgValueAxis.hpp"
#include "composition/report/SvgWriter.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

ValueRange RangeOfPresent(std::span<const double> values) {
  ValueRange range{kNotANumber, kNotANumber};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::fmin(range.low, value);
    range.high = std::fmax(range.high, value);
  }
  return range;
}

/// An axis from the smallest to the largest value, so that none of it is empty.
SvgValueAxis AxisOf(const MemberQuantity& quantity, int at_most) {
  const ValueRange range = RangeOfPresent(quantity.values);
  SvgValueAxis axis = quantity.is_logarithmic && range.low > 0.0 ? LogarithmicAxis(range.low, range.high)
                                                                 : LinearAxis(range.low, range.high, at_most);
  const auto is_outside = [&](const ValueTick& tick) { return tick.value < range.low || tick.value > range.high; };
  if (!(range.low < range.high) || std::ranges::count_if(axis.ticks, is_outside) + 2 > std::ssize(axis.ticks))
    return axis;
  std::erase_if(axis.ticks, is_outside);
  axis.low = range.low;
  axis.high = range.high;
  return axis;
}

/// Few marks are drawn large and dark, many small and light. \returns from 0 (many) to 1
double Fewness(std::size_t count) {
  return std::clamp(1.0 - std::log10(std::max(1.0, static_cast<double>(count) / 20.0)) / std::log10(20.0), 0.0, 1.0);
}

/// The area between two lines, broken where a value is missing.
std::string AreaPath(const PlotPanel& panel, std::span<const double> times, const std::vector<double>& low,
                     const std::vector<double>& high, std::span<const std::size_t> indices) {
  std::string all;
  for (std::size_t begin = 0; begin < indices.size();) {
    std::size_t end = begin;
    while (end < indices.size() && std::isfinite(low[indices[end]])) ++end;
    if (end > begin + 1) {
      SvgPath path;
      for (std::size_t i = begin; i < end; ++i) {
        const double x = panel.X(times[indices[i]]);
        const double y = panel.Y(high[indices[i]]);
        i == begin ? path.MoveTo(x, y) : path.LineTo(x, y);
      }
      for (std::size_t i = end; i-- > begin;) path.LineTo(panel.X(times[indices[i]]), panel.Y(low[indices[i]]));
      path.ClosePath();
      all += path.Data();
    }
    begin = end + 1;
  }
  return all;
}

/// Axes of a picture in which both directions are numbers.
class NumberFrame {
 public:
  NumberFrame(double width, double height, SvgValueAxis across, SvgValueAxis up)
      : left_(58.0),
        top_(26.0),
        width_(width - 72.0),
        height_(height - 72.0),
        across_(std::move(across)),
        up_(std::move(up)) {}

  double X(double value) const { return left_ + across_.Fraction(value) * width_; }
  double Y(double value) const { return top_ + (1.0 - up_.Fraction(value)) * height_; }

  void Draw(SvgWriter& svg, const std::string& across_label, const std::string& up_label) const {
    for (const ValueTick& tick : across_.ticks) {
      svg.Line(X(tick.value), top_, X(tick.value), top_ + height_, "grid");
      svg.TextAt(X(tick.value), top_ + height_ + 15.0, tick.label, "m small", "middle");
    }
    for (const ValueTick& tick : up_.ticks) {
      svg.Line(left_, Y(tick.value), left_ + width_, Y(tick.value), "grid");
      svg.TextAt(left_ - 6.0, Y(tick.value) + 3.5, tick.label, "m small", "end");
    }
    svg.Line(left_, top_ + height_, left_ + width_, top_ + height_, "axis");
    svg.TextAt(left_ + width_ / 2.0, top_ + height_ + 34.0, FitText(across_label, 11.0, width_), "b", "middle");
    svg.TextAt(left_ - 46.0, top_ - 10.0, FitText(up_label, 11.0, width_), "b");
  }

 private:
  double left_, top_, width_, height_;
  SvgValueAxis across_, up_;
};

std::string LabelOf(const MemberQuantity& quantity, const SvgValueAxis& axis) {
  const std::string unit = axis.UnitLabel(quantity.unit);
  return unit.empty() ? quantity.label : quantity.label + " [" + unit + "]";
}

/// Dots as one path: short lines with round ends.
void DrawDots(SvgWriter& svg, const std::string& data, const char* css_class, std::size_t count) {
  if (data.empty()) return;
  svg.Open("path", css_class);
  svg.Attribute("d", data);
  svg.Attribute("style", fmt::format("stroke-width:{:.2g};stroke-opacity:{:.2g}", 2.6 + 3.4 * Fewness(count),
                                     0.55 + 0.35 * Fewness(count)));
  svg.Close();
}

void AddDot(std::string& data, double x, double y) {
  if (std::isfinite(x) && std::isfinite(y)) data += fmt::format("M{} {}h.01", FormatCoordinate(x), FormatCoordinate(y));
}

/// At most `most` of the members, evenly.
std::vector<std::size_t> Chosen(std::size_t count, std::size_t most) {
  std::vector<std::size_t> chosen;
  const std::size_t step = std::max<std::size_t>(1, (count + most - 1) / most);
  for (std::size_t i = 0; i < count; i += step) chosen.push_back(i);
  return chosen;
}

}  // namespace

std::string BandPlotSvg(const SpreadBand& band, std::span<const double> times, const std::string& unit,
                        const Observation* observation) {
  const PlotStyle style;
  std::vector<PlotSeries> lines = {{"median", times, band.quantiles[2], PlotShape::Line, "l s0"}};
  if (observation != nullptr)
    lines.push_back({"observed", observation->times, observation->values, PlotShape::Line, "obs"});
  const TimeRange range = RangeOfTimes(lines);
  if (range.IsEmpty()) return EmptyPlotSvg(style, "no values");
  ValueRange values = Join(RangeOfValues(band.quantiles.front()), RangeOfValues(band.quantiles.back()));
  if (observation != nullptr) values = Join(values, RangeOfValues(observation->values));
  SvgWriter svg(style.width, style.height, style.use, "quantiles of the members over time");
  const std::vector<LegendEntry> legend = {
      {"5 to 95 %", "range", true}, {"25 to 75 %", "quart", true}, {"median", "l s0"}};
  std::vector<LegendEntry> entries = legend;
  if (observation != nullptr) entries.push_back({"observed", "obs"});
  const double top = DrawTitle(svg, style);
  const double used = DrawLegend(svg, 60.0, top, style.width, entries);
  PlotPanel panel = SinglePanel(style, used, range);
  panel.axis = AxisForValues(values, 6);
  DrawTimeAxis(svg, panel);
  DrawValueAxis(svg, panel, unit);
  const auto indices = DecimateIndices(times, band.quantiles[2], range.from, range.to, style.columns);
  svg.Path(AreaPath(panel, times, band.quantiles[0], band.quantiles[4], indices), "range");
  svg.Path(AreaPath(panel, times, band.quantiles[1], band.quantiles[3], indices), "quart");
  for (const PlotSeries& line : lines) DrawSeries(svg, panel, line, style.columns);
  PlotData data(panel, style);
  const std::array<std::string, 5> names{"5 %", "25 %", "", "75 %", "95 %"};
  for (const std::size_t i : {0U, 1U, 3U, 4U}) {
    data.Add({names[i], times, band.quantiles[i], PlotShape::Line, i == 0 || i == 4 ? "range" : "quart"}, unit);
  }
  for (const PlotSeries& line : lines) data.Add(line, unit);
  data.WriteTo(svg);
  return svg.Finish();
}

std::string ParallelPlotSvg(const std::vector<MemberQuantity>& quantities, std::size_t most) {
  constexpr double kHeight = 380.0;
  constexpr double kTop = 44.0;
  constexpr double kBottom = 24.0;
  constexpr double kSide = 60.0;
  const double width = std::max(860.0, 110.0 * static_cast<double>(quantities.size()));
  SvgWriter svg(width, kHeight, SvgUse::Inline, "a line for each member across the axes of its values");
  std::vector<SvgValueAxis> axes;
  for (const MemberQuantity& quantity : quantities) axes.push_back(AxisOf(quantity, 6));
  // A few very bad members must not press all others together: the last axis ends at nine tenths of them.
  std::vector<double> sorted;
  for (const double value : quantities.back().values) {
    if (std::isfinite(value)) sorted.push_back(value);
  }
  std::ranges::sort(sorted);
  axes.back() = LinearAxis(QuantileOf(sorted, 0.0), QuantileOf(sorted, 0.9), 6);
  const auto x_of = [&](std::size_t k) {
    return kSide + (width - 2.0 * kSide) * static_cast<double>(k) / static_cast<double>(quantities.size() - 1);
  };
  const auto y_of = [&](std::size_t k, double value) {
    return kTop + (1.0 - std::min(axes[k].Fraction(value), 1.0)) * (kHeight - kTop - kBottom);
  };
  // The worst first, so that the best lie on top.
  const std::vector<double>& last = quantities.back().values;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (std::isfinite(last[i])) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return last[a] > last[b]; });
  std::vector<std::size_t> drawn;
  const std::size_t best = std::min((order.size() + 9) / 10, most / 5);
  for (const std::size_t i : Chosen(order.size() - best, most - best)) drawn.push_back(order[i]);
  drawn.insert(drawn.end(), order.end() - static_cast<std::ptrdiff_t>(best), order.end());
  for (std::size_t rank = 0; rank < drawn.size(); ++rank) {
    SvgPath path;
    bool is_whole = true;
    for (std::size_t k = 0; k < quantities.size(); ++k) {
      const double value = quantities[k].values[drawn[rank]];
      is_whole = is_whole && std::isfinite(value);
      if (!is_whole) break;
      k == 0 ? path.MoveTo(x_of(k), y_of(k, value)) : path.LineTo(x_of(k), y_of(k, value));
    }
    if (!is_whole) continue;
    const bool is_good = rank + best >= drawn.size();
    svg.Open("path", is_good ? "l thin s1" : "l thin s0");
    svg.Attribute("d", path.Data());
    const double few = Fewness(drawn.size());
    svg.Attribute("style", fmt::format("stroke-width:{:.2g};stroke-opacity:{:.2g}", 1.0 + few,
                                       is_good ? 0.7 + 0.3 * few : 0.22 + 0.5 * few));
    svg.Close();
  }
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    svg.Line(x_of(k), kTop, x_of(k), kHeight - kBottom, "axis");
    for (const ValueTick& tick : axes[k].ticks) {
      svg.TextAt(x_of(k) + 5.0, y_of(k, tick.value) + 3.5, tick.label, "small halo");
    }
    svg.TextAt(x_of(k), kTop - 16.0, FitText(LabelOf(quantities[k], axes[k]), 11.0, 120.0), "b", "middle");
  }
  return svg.Finish();
}

std::string DottyPlotSvg(const MemberQuantity& across, const MemberQuantity& up, std::size_t most) {
  constexpr double kWidth = 290.0;
  constexpr double kHeight = 250.0;
  SvgWriter svg(kWidth, kHeight, SvgUse::Inline, up.label + " over " + across.label + ", a dot for each member");
  const SvgValueAxis x_axis = AxisOf(across, 4);
  // Far outliers would press everything else to one line: the axis ends at the 95th percentile.
  std::vector<double> sorted;
  for (const double value : up.values) {
    if (std::isfinite(value)) sorted.push_back(value);
  }
  std::ranges::sort(sorted);
  const double low = QuantileOf(sorted, 0.0);
  const double high = QuantileOf(sorted, 0.95);
  const SvgValueAxis y_axis = LinearAxis(low, high > low ? high : QuantileOf(sorted, 1.0), 5);
  const NumberFrame frame(kWidth, kHeight, x_axis, y_axis);
  frame.Draw(svg, LabelOf(across, x_axis), LabelOf(up, y_axis));
  std::string data;
  for (const std::size_t i : Chosen(across.values.size(), most)) {
    if (up.values[i] > y_axis.high) continue;
    AddDot(data, frame.X(across.values[i]), frame.Y(up.values[i]));
  }
  DrawDots(svg, data, "l s0", across.values.size());
  return svg.Finish();
}

std::string SearchPlotSvg(std::span<const double> costs) {
  constexpr double kWidth = 860.0;
  constexpr double kHeight = 280.0;
  SvgWriter svg(kWidth, kHeight, SvgUse::Inline, "lowest cost so far over the number of members");
  std::vector<double> best;
  std::vector<double> sorted;
  double lowest = std::numeric_limits<double>::infinity();
  for (const double cost : costs) {
    if (std::isfinite(cost)) {
      lowest = std::min(lowest, cost);
      sorted.push_back(cost);
    }
    best.push_back(lowest);
  }
  if (sorted.empty()) return EmptyPlotSvg({}, "no member was done");
  std::ranges::sort(sorted);
  const NumberFrame frame(kWidth, kHeight, LinearAxis(1.0, static_cast<double>(costs.size()), 8),
                          LinearAxis(sorted.front(), QuantileOf(sorted, 0.8), 6));
  frame.Draw(svg, "member", "cost");
  std::string dots;
  SvgPath line;
  const double bottom = frame.Y(QuantileOf(sorted, 0.8));
  for (const std::size_t i : Chosen(costs.size(), 2000)) {
    const double x = frame.X(static_cast<double>(i + 1));
    if (std::isfinite(costs[i]) && frame.Y(costs[i]) >= bottom - 4.0) AddDot(dots, x, frame.Y(costs[i]));
    if (!std::isfinite(best[i])) continue;
    const double y = std::max(frame.Y(best[i]), bottom - 4.0);
    line.IsEmpty() ? line.MoveTo(x, y) : line.LineTo(x, y);
  }
  DrawDots(svg, dots, "l s1", costs.size());
  svg.Path(line.Data(), "l s0");
  return svg.Finish();
}

}  // namespace openmi
