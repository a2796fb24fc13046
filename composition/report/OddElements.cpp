#include "composition/report/OddElements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgTimeAxis.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

constexpr std::size_t kMostReasons = 2;

/// The median of the numbers among `values`; NaN if there is none. Changes their order.
double MedianOf(std::vector<double>& values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return kNotANumber;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// One figure of all elements, its median and its spread.
struct Figure {
  std::vector<double> values;  // NaN: the element has none
  double median = kNotANumber;
  double spread = 0.0;  // 0: they are all the same, up to rounding

  /// \param rounding  differences up to this one do not count
  void Weigh(double rounding) {
    std::vector<double> sorted = values;
    median = MedianOf(sorted);
    double sum = 0.0;
    for (double& value : sorted) sum += value = std::fabs(value - median);
    const double mean = sorted.empty() ? 0.0 : sum / static_cast<double>(sorted.size());
    const double middle = sorted.empty() ? 0.0 : MedianOf(sorted);
    spread = middle > rounding ? 1.4826 * middle : mean > 0.0 ? std::fmax(1.2533 * mean, rounding) : 0.0;
  }
  double DistanceOf(std::size_t element) const {
    const double difference = std::fabs(values[element] - median);
    return spread > 0.0 && std::isfinite(difference) ? difference / spread : 0.0;
  }
};

struct Reason {
  double distance;
  std::string text;
};

}  // namespace

std::vector<OddElement> OddElements(const SeriesFigures& figures, const std::string& unit,
                                    std::span<const double> balance_errors, double tolerance, std::size_t most) {
  const std::span<const ElementFigures> elements = figures.Elements();
  if (elements.size() < kFewestForOdd) return {};
  Figure mean, smallest, largest, time, missing;
  for (const ElementFigures& element : elements) {
    mean.values.push_back(element.Mean());
    smallest.values.push_back(element.smallest);
    largest.values.push_back(element.largest);
    time.values.push_back(element.largest_time);
    missing.values.push_back(static_cast<double>(element.missing));
  }
  double size = 0.0;
  for (Figure* figure : {&mean, &smallest, &largest}) {
    std::vector<double> sorted = figure->values;
    const double median = MedianOf(sorted);
    if (std::isfinite(median)) size = std::fmax(size, std::fabs(median));
  }
  for (Figure* figure : {&mean, &smallest, &largest}) figure->Weigh(1e-6 * size);
  time.Weigh(1e-9);
  missing.Weigh(0.0);

  std::vector<std::pair<double, std::size_t>> order;
  const auto balance_distance = [&](std::size_t element) {
    const double error = element < balance_errors.size() ? std::fabs(balance_errors[element]) : 0.0;
    return error > tolerance ? error / tolerance : 0.0;
  };
  for (std::size_t i = 0; i < elements.size(); ++i) {
    double distance = balance_distance(i);
    for (const Figure* figure : {&mean, &smallest, &largest, &time, &missing}) {
      distance = std::fmax(distance, figure->DistanceOf(i));
    }
    if (distance >= kOddFrom) order.emplace_back(-distance, i);
  }
  const std::size_t count = std::min(most, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end());
  order.resize(count);

  const std::string pretty = unit.empty() ? std::string() : " " + PrettyUnit(unit);
  std::vector<OddElement> odd;
  for (const std::pair<double, std::size_t>& place : order) {
    const std::size_t i = place.second;
    std::vector<Reason> reasons;
    const auto add = [&](double distance, std::string text) {
      if (distance >= kOddFrom) reasons.push_back({distance, std::move(text)});
    };
    const auto value = [&](const char* name, const Figure& figure) {
      add(figure.DistanceOf(i), fmt::format("{} {}{}, the median is {}{}", name, FormatNumber(figure.values[i], 3),
                                            pretty, FormatNumber(figure.median, 3), pretty));
    };
    value("mean", mean);
    value("smallest", smallest);
    value("largest", largest);
    add(time.DistanceOf(i),
        fmt::format("largest at {}, the median is {}", ShortIsoTime(time.values[i]), ShortIsoTime(time.median)));
    add(missing.DistanceOf(i), fmt::format("{} missing, the median is {}", FormatNumber(missing.values[i], 9),
                                           FormatNumber(missing.median, 9)));
    if (const double distance = balance_distance(i); distance > 0.0) {
      add(std::fmax(distance, kOddFrom), fmt::format("balance open by {}", FormatRelative(balance_errors[i])));
    }
    std::ranges::stable_sort(reasons, std::greater<>(), &Reason::distance);
    OddElement& one = odd.emplace_back(OddElement{i, -place.first, {}});
    for (std::size_t r = 0; r < std::min(reasons.size(), kMostReasons); ++r) {
      one.why += (r > 0 ? "; " : "") + reasons[r].text;
    }
    if (reasons.size() > kMostReasons) one.why += fmt::format("; and {} more", reasons.size() - kMostReasons);
  }
  return odd;
}

}  // namespace openmi
