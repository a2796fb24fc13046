#include "composition/report/SvgValueAxis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgTheme.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

double RoundStep(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= rough * (1.0 - 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

}  // namespace

double SvgValueAxis::Fraction(double value) const {
  if (!is_logarithmic) return (value - low) / (high - low);
  return value > 0.0 ? std::log(value / low) / std::log(high / low) : kNotANumber;
}

std::string SvgValueAxis::UnitLabel(std::string_view unit) const {
  const std::string pretty = unit == "1" ? std::string() : PrettyUnit(unit);
  return exponent == 0 ? pretty : "\xC3\x97" + PowerOfTen(exponent) + (pretty.empty() ? "" : " " + pretty);
}

SvgValueAxis LinearAxis(double low, double high, int at_most) {
  if (!std::isfinite(low) || !std::isfinite(high) || low > high) {
    low = 0.0;
    high = 1.0;
  }
  // A range that may result from rounding alone would fill the picture with noise.
  if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) {
    const double margin = low == 0.0 ? 1.0 : 0.5 * std::abs(low);
    high = high <= 0.0 && low != 0.0 ? high + margin : high + 2.0 * margin;
    low -= low > 0.0 ? margin : 0.0;
    low -= low < 0.0 ? margin : 0.0;
  }
  SvgValueAxis axis;
  const double step = RoundStep((high - low) / std::max(at_most - 1, 1));
  const auto first = std::floor(low / step + 1e-6);
  const auto last = std::ceil(high / step - 1e-6);
  axis.low = first * step;
  axis.high = last * step;
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  const int magnitude = static_cast<int>(std::floor(std::log10(largest)));
  if (magnitude < -2 || magnitude >= 5) axis.exponent = static_cast<int>(std::floor(magnitude / 3.0)) * 3;
  const double unit = std::pow(10.0, axis.exponent);
  const double label_step = step / unit;
  int decimals = 0;
  for (double part = label_step; decimals < 15 && std::abs(part - std::round(part)) > 1e-6 * part; ++decimals) {
    part = label_step * std::pow(10.0, decimals + 1);
  }
  for (double count = first; count <= last + 0.5; count += 1.0) {
    axis.ticks.push_back({count * step, FormatFixed(count * label_step, decimals)});
  }
  return axis;
}

SvgValueAxis LogarithmicAxis(double low, double high) {
  constexpr int most_decades = 8;
  SvgValueAxis axis;
  axis.is_logarithmic = true;
  if (!std::isfinite(high) || !(high > 0.0)) high = 1.0;
  if (!std::isfinite(low) || !(low > 0.0) || low > high) low = high / 10.0;
  const int top = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  const int bottom = std::max(static_cast<int>(std::floor(std::log10(low) + 1e-9)), top - most_decades);
  axis.low = std::pow(10.0, bottom);
  axis.high = std::pow(10.0, std::max(top, bottom + 1));
  for (int exponent = bottom; exponent <= std::max(top, bottom + 1); ++exponent) {
    axis.ticks.push_back({std::pow(10.0, exponent), exponent >= -3 && exponent <= 4
                                                        ? FormatNumber(std::pow(10.0, exponent), 1)
                                                        : PowerOfTen(exponent)});
  }
  return axis;
}

void DrawCells(SvgWriter& svg, const SvgArea& area, std::span<const double> cells, std::size_t columns, double low,
               double high, bool keeps_edges) {
  svg.Open("image");
  svg.Attribute("x", area.left);
  svg.Attribute("y", area.top);
  svg.Attribute("width", area.width);
  svg.Attribute("height", area.height);
  svg.Attribute("preserveAspectRatio", "none");
  if (keeps_edges) svg.Attribute("style", "image-rendering:pixelated");
  svg.Attribute("href", ColourImage(cells, columns, low, high));
  svg.Close();
}

void DrawColourBar(SvgWriter& svg, const SvgArea& area, const SvgValueAxis& axis, double low, double high,
                   std::string_view unit) {
  // Flat steps instead of a gradient: gradients need ids, which would have to be unique in a page with many pictures.
  constexpr int steps = 64;
  const double step = area.height / steps;
  for (int i = 0; i < steps; ++i) {
    svg.Open("rect");
    svg.Attribute("x", area.left);
    svg.Attribute("y", FormatCoordinate(area.top + area.height - (i + 1) * step, 2));
    svg.Attribute("width", area.width);
    svg.Attribute("height", FormatCoordinate(step + (i > 0 ? 0.6 : 0.0), 2));
    svg.Attribute("fill", ScaleColour((i + 0.5) / steps));
    svg.Close();
  }
  const double right = area.left + area.width + 7.0;
  if (!(high > low)) {  // all values are equal: one colour, one number
    svg.TextAt(right, area.top + area.height / 2.0 + 3.8, FormatNumber(low), "m");
    svg.TextAt(right, area.top - 8.0, PrettyUnit(unit), "m b", "middle");
    return;
  }
  for (const ValueTick& tick : axis.ticks) {
    const double share = (tick.value - low) / (high - low);
    constexpr double slack = 1e-9;
    if (share < -slack || share > 1.0 + slack) continue;
    const double y = area.top + (1.0 - share) * area.height;
    svg.Line(area.left + area.width, y, area.left + area.width + 4.0, y, "axis");
    svg.TextAt(right, y + 3.8, tick.label, "m");
  }
  svg.TextAt(right, area.top - 8.0, axis.UnitLabel(unit), "m b", "middle");
}

}  // namespace openmi
