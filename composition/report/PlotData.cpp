#include "composition/report/PlotData.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgTheme.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {
namespace {

/// \param bits_of  the bits of a number
template <class Number, class BitsOf>
std::string Encode(std::span<const Number> numbers, BitsOf bits_of) {
  std::string bytes;
  for (const Number number : numbers) {
    const auto bits = bits_of(number);
    for (std::size_t i = 0; i < sizeof(bits); ++i) bytes += static_cast<char>(bits >> (8 * i) & 0xFFU);
  }
  return EncodeBase64(bytes);
}

/// The step of times that are a multiple of one step from the first, to a millisecond; 0: they are not.
double StepOf(std::span<const double> times) {
  if (times.size() < 2) return 0.0;
  const double step = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  constexpr double kHair = 1e-8;  // days
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (std::fabs(times[i] - (times.front() + static_cast<double>(i) * step)) > kHair) return 0.0;
  }
  return step;
}

}  // namespace

std::string EncodeFloats(std::span<const double> numbers) {
  return Encode(numbers, [](double number) { return std::bit_cast<std::uint32_t>(static_cast<float>(number)); });
}

std::string EncodeDoubles(std::span<const double> numbers) {
  return Encode(numbers, [](double number) { return std::bit_cast<std::uint64_t>(number); });
}

std::string EncodeIndices(std::span<const std::size_t> numbers) {
  return Encode(numbers, [](std::size_t number) { return static_cast<std::uint32_t>(number); });
}

std::string EscapeJson(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      escaped += '\\';
      escaped += letter;
    } else if (static_cast<unsigned char>(letter) >= 0x20) {
      escaped += letter;
    }
  }
  return escaped;
}

PlotData::PlotData(const PlotPanel& panel, const PlotStyle& style)
    : panel_(panel), is_wanted_(style.use == SvgUse::Inline && !style.in_seconds), most_points_(style.points) {}

void PlotData::Add(const PlotSeries& series, std::string_view unit) {
  if (!is_wanted_) return;
  constexpr std::size_t kPointsOfColumn = 5;  // see DecimateIndices
  std::vector<std::size_t> rows = DecimateIndices(series.times, series.values, panel_.from, panel_.to,
                                                  std::max<std::size_t>(most_points_ / kPointsOfColumn, 1));
  const std::size_t all = std::min(series.times.size(), series.values.size());
  const bool is_thinned = rows.size() < all;
  const auto seconds = [&](double time) { return (time - panel_.from) * kSecondsPerDay; };
  std::vector<double> values;
  std::vector<double> ends;
  std::vector<double> begins;
  values.reserve(rows.size());
  for (const std::size_t row : rows) {
    values.push_back(series.values[row]);
    ends.push_back(seconds(series.times[row]));
    if (!series.begins.empty()) begins.push_back(seconds(series.begins[row]));
  }
  const auto text = std::back_inserter(lines_);
  fmt::format_to(text, R"({}{{"n":"{}","u":"{}","c":"{}")", lines_.empty() ? "" : ",", EscapeJson(series.label),
                 EscapeJson(PrettyUnit(unit)), EscapeJson(series.css_class));
  if (series.shape == PlotShape::Step) lines_ += R"(,"step":1)";
  if (series.shape == PlotShape::Dots) lines_ += R"(,"dots":1)";
  if (is_thinned) fmt::format_to(text, R"(,"of":{})", all);
  const double step = StepOf(series.times.first(all));
  if (step > 0.0) {
    fmt::format_to(text, R"(,"first":{:.9g},"every":{:.12g})", seconds(series.times.front()), step * kSecondsPerDay);
  }
  if (step > 0.0 && is_thinned) {
    lines_ += R"(,"rows":")" + EncodeIndices(rows) + '"';
  } else if (step == 0.0) {
    lines_ += R"(,"t":")" + EncodeDoubles(ends) + '"';
  }
  const auto is_whole_step = [&](std::size_t i) {
    return std::fabs(ends[i] - begins[i] - step * kSecondsPerDay) < 1e-3;
  };
  bool are_whole_steps = step > 0.0;
  for (std::size_t i = 0; i < begins.size() && are_whole_steps; ++i) are_whole_steps = is_whole_step(i);
  if (!begins.empty() && are_whole_steps) {
    lines_ += R"(,"whole":1)";
  } else if (!begins.empty()) {
    lines_ += R"(,"b":")" + EncodeDoubles(begins) + '"';
  }
  lines_ += R"(,"v":")" + EncodeFloats(values) + "\"}";
}

void PlotData::Shade(std::span<const PlotSpan> spans) {
  for (const PlotSpan& span : spans) {
    fmt::format_to(std::back_inserter(spans_), R"({}{{"from":{:.12g},"to":{:.12g},"n":"{}"}})",
                   spans_.empty() ? "" : ",", (span.from - panel_.from) * kSecondsPerDay,
                   (span.to - panel_.from) * kSecondsPerDay, EscapeJson(span.label));
  }
}

void PlotData::WriteTo(SvgWriter& svg) const {
  if (!is_wanted_) return;
  svg.RootAttribute("data-plot", fmt::format(R"({{"from":{:.15g},"to":{:.15g},"spans":[{}],"lines":[{}]}})",
                                             panel_.from, panel_.to, spans_, lines_));
}

}  // namespace openmi
