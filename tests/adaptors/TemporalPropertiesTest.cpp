// What holds for any series: 10^4 generated ones for each property. Steps are irregular, values of either sign.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "adaptors/kernels/TemporalCurve.hpp"
#include "adaptors/kernels/TemporalMath.hpp"
#include "tests/adaptors/Random.hpp"

namespace openmi {
namespace {

constexpr int kCases = 10'000;

/// A series of one element, at stamps or over spans that join.
struct Series {
  std::vector<Interval> times;
  std::vector<double> values;
  bool spans;

  Interval Whole() const { return {times.front().begin, times.back().end}; }
  double Length(std::size_t row) const { return times[row].end - times[row].begin; }
};

Series Generated(testing::Random& random, bool spans, std::size_t least = 1) {
  Series series{{}, {}, spans};
  const std::size_t rows = least + random.Index(12);
  double at = random.Uniform(-5.0, 60000.0);
  for (std::size_t i = 0; i < rows; ++i) {
    // Steps of very different lengths, as in records that fail and start again.
    const double step = std::pow(10.0, random.Uniform(-2.0, 1.0));
    series.times.push_back({at, spans ? at + step : at});
    at += step;
    series.values.push_back(random.Chance(0.1) ? 0.0 : random.Uniform(-10.0, 30.0));
  }
  return series;
}

double Ask(const Series& series, const std::function<void(const TimesView&, RowReader, std::span<double>)>& answer) {
  const auto time_of = [&](std::size_t row) { return series.times[row]; };
  const auto row_of = [&](std::size_t row) { return std::span<const double>(&series.values[row], 1); };
  double found = -1e300;
  answer({time_of, series.times.size(), series.spans}, row_of, std::span(&found, 1));
  return found;
}

TemporalOptions Options(TemporalMethod method) {
  return {.method = method, .outside = OutsidePolicy::Throw, .amounts_at_end = true};
}

double Answered(TemporalMethod method, const Series& series, Interval question, double missing = kNotANumber) {
  TemporalWeights weights(Options(method));
  return Ask(series, [&](const TimesView& times, RowReader rows, std::span<double> out) {
    ApplyAnswer(weights.Answer(times, question), rows, out, missing);
  });
}

double Answered(CurveMethod method, const Series& series, Interval question, double missing = kNotANumber) {
  TemporalCurve curve(method, Options(TemporalMethod::Linear));
  return Ask(series, [&](const TimesView& times, RowReader rows, std::span<double> out) {
    curve.Answer(times, rows, question, out, missing);
  });
}

/// Edges that cut the whole of a series anywhere.
std::vector<double> Cuts(testing::Random& random, Interval whole) {
  std::vector<double> edges{whole.begin, whole.end};
  for (std::size_t i = random.Index(8); i > 0; --i) edges.push_back(random.Uniform(whole.begin, whole.end));
  std::ranges::sort(edges);
  return edges;
}

Interval Part(testing::Random& random, Interval whole) {
  const double a = random.Uniform(whole.begin, whole.end);
  const double b = random.Uniform(whole.begin, whole.end);
  return {std::min(a, b), std::max(a, b) + 1e-6};
}

/// A bound for rounding: times near MJD 60000 resolve 7e-12 days, rows are 0.01 days and longer.
double Close(const Series& series) {
  double size = 0.0;
  double shortest = 1.0;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    size += std::abs(series.values[i]);
    if (i + 1 < series.times.size()) shortest = std::min(shortest, series.times[i + 1].begin - series.times[i].begin);
  }
  return 1e-12 * (size + 1.0) + 64.0 * 7.3e-12 * (size + 1.0) / shortest;
}

TEST(TemporalProperties, TotalsAreConserved) {
  testing::Random random;
  for (int i = 0; i < kCases; ++i) {
    const Series series = Generated(random, true);
    const std::vector<double> edges = Cuts(random, series.Whole());
    double amounts = 0.0, volume = 0.0;
    for (std::size_t row = 0; row < series.values.size(); ++row) {
      amounts += series.values[row];
      volume += series.values[row] * series.Length(row);
    }
    double pro_rata = 0.0, smooth = 0.0, means = 0.0, curve = 0.0, integral = 0.0;
    for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
      const Interval part{edges[k], edges[k + 1]};
      if (!(part.end - part.begin > 1e-9)) continue;
      pro_rata += Answered(TemporalMethod::Sum, series, part);
      smooth += Answered(CurveMethod::Disaggregate, series, part);
      means += Answered(TemporalMethod::Mean, series, part) * (part.end - part.begin);
      curve += Answered(CurveMethod::Cubic, series, part) * (part.end - part.begin);
      integral += Answered(TemporalMethod::Integral, series, part) / 86400.0;
    }
    const double length = series.Whole().end - series.Whole().begin;
    const double close = 10.0 * Close(series);
    ASSERT_NEAR(pro_rata, amounts, close) << i;
    ASSERT_NEAR(smooth, amounts, close) << i;
    ASSERT_NEAR(means, volume, close * (length + 1.0)) << i;
    ASSERT_NEAR(curve, volume, close * (length + 1.0)) << i;
    ASSERT_NEAR(integral, volume, close * (length + 1.0)) << i;
  }
}

TEST(TemporalProperties, MeansAreBoundedByExtremes) {
  testing::Random random;
  for (int i = 0; i < kCases; ++i) {
    const Series series = Generated(random, random.Chance(0.5), 2);
    const Interval part = Part(random, {series.Whole().begin, series.Whole().end - 2e-6});
    const double low = Answered(CurveMethod::Minimum, series, part);
    const double high = Answered(CurveMethod::Maximum, series, part);
    const double mean = Answered(TemporalMethod::Mean, series, part);
    ASSERT_LE(low, high) << i;
    ASSERT_GE(mean, low - Close(series)) << i;
    ASSERT_LE(mean, high + Close(series)) << i;
  }
}

TEST(TemporalProperties, NoValueLeavesTheIntervalBetweenItsNeighbours) {
  testing::Random random;
  for (int i = 0; i < kCases; ++i) {
    const Series series = Generated(random, false, 2);
    const double t = random.Uniform(series.Whole().begin, series.Whole().end);
    std::size_t row = 0;
    while (row + 2 < series.times.size() && series.times[row + 1].begin <= t) ++row;
    const auto [low, high] = std::minmax(series.values[row], series.values[row + 1]);
    const double close = 1e-12 * (std::abs(low) + std::abs(high));
    for (const TemporalMethod method :
         {TemporalMethod::Linear, TemporalMethod::Previous, TemporalMethod::Next, TemporalMethod::Nearest}) {
      const double found = Answered(method, series, {t, t});
      ASSERT_GE(found, low - close) << i;
      ASSERT_LE(found, high + close) << i;
    }
    const double found = Answered(CurveMethod::Cubic, series, {t, t});
    ASSERT_GE(found, low - close) << i;
    ASSERT_LE(found, high + close) << i;
  }
}

TEST(TemporalProperties, AStampWithinTheToleranceOfTheFirstOrLastRowHasItsValue) {
  testing::Random random;
  for (int i = 0; i < kCases; ++i) {
    const Series series = Generated(random, false, 2);
    const double off = random.Uniform(-0.9, 0.9) * kTimeTolerance.count;
    const double first = series.times.front().begin + off;
    const double last = series.times.back().begin + off;
    ASSERT_EQ(Answered(CurveMethod::Cubic, series, {first, first}), series.values.front()) << i << ": " << off;
    ASSERT_EQ(Answered(CurveMethod::Cubic, series, {last, last}), series.values.back()) << i << ": " << off;
  }
}

TEST(TemporalProperties, MonotoneMethodsAreMonotone) {
  testing::Random random;
  for (int i = 0; i < kCases; ++i) {
    Series series = Generated(random, false, 2);
    std::ranges::sort(series.values);
    const std::vector<double> times = Cuts(random, series.Whole());
    for (std::size_t k = 0; k + 1 < times.size(); ++k) {
      for (const TemporalMethod method :
           {TemporalMethod::Linear, TemporalMethod::Previous, TemporalMethod::Next, TemporalMethod::Nearest}) {
        ASSERT_LE(Answered(method, series, {times[k], times[k]}),
                  Answered(method, series, {times[k + 1], times[k + 1]}) + 1e-12)
            << i;
      }
      ASSERT_LE(Answered(CurveMethod::Cubic, series, {times[k], times[k]}),
                Answered(CurveMethod::Cubic, series, {times[k + 1], times[k + 1]}) + 1e-12)
          << i;
    }
  }
}

TEST(TemporalProperties, AmountsThatAreNotNegativeStaySo) {
  testing::Random random;
  for (int i = 0; i < kCases; ++i) {
    Series series = Generated(random, true);
    for (double& value : series.values) value = std::max(0.0, value);
    const Interval part = Part(random, {series.Whole().begin, series.Whole().end - 2e-6});
    ASSERT_GE(Answered(CurveMethod::Disaggregate, series, part), -Close(series)) << i;
    ASSERT_GE(Answered(TemporalMethod::Sum, series, part), 0.0) << i;
    ASSERT_GE(Answered(CurveMethod::Cubic, series, part), -Close(series)) << i;
  }
}

TEST(TemporalProperties, MissingValuesNeverLeak) {
  testing::Random random;
  constexpr double kSign = -9999.0;
  const auto check = [&](auto method, const Series& holes, const Series& marked, Interval question, int number) {
    const double found = Answered(method, holes, question);
    const double with_sign = Answered(method, marked, question, kSign);
    // NaN and a sign for "no value" say the same; neither becomes a number.
    ASSERT_EQ(std::isnan(found), with_sign == kSign) << number;
    if (std::isnan(found)) return;
    ASSERT_EQ(found, with_sign) << number;
    // Where there is an answer, no hole was needed for it: any number in its place gives the same. A curve reads the
    // slopes beside, if they are there, so it is only held to stay among its values.
    for (const double filling : {1e6, -3e7}) {
      Series other = holes;
      for (double& value : other.values) value = std::isnan(value) ? filling : value;
      if constexpr (std::is_same_v<decltype(method), TemporalMethod>) {
        ASSERT_EQ(Answered(method, other, question), found) << number;
      }
    }
    ASSERT_LT(std::abs(found), 1e4) << number;
  };
  for (int i = 0; i < kCases; ++i) {
    Series holes = Generated(random, random.Chance(0.5), 2);
    Series marked = holes;
    for (std::size_t row = 0; row < holes.values.size(); ++row) {
      if (!random.Chance(0.3)) continue;
      holes.values[row] = kNotANumber;
      marked.values[row] = kSign;
    }
    const Interval part = Part(random, {holes.Whole().begin, holes.Whole().end - 2e-6});
    const Interval stamp{part.begin, part.begin};
    for (const TemporalMethod method :
         {TemporalMethod::Linear, TemporalMethod::Previous, TemporalMethod::Next, TemporalMethod::Nearest}) {
      check(method, holes, marked, stamp, i);
    }
    for (const TemporalMethod method : {TemporalMethod::Linear, TemporalMethod::Mean}) {
      check(method, holes, marked, part, i);
    }
    check(CurveMethod::Cubic, holes, marked, stamp, i);
    for (const CurveMethod method : {CurveMethod::Cubic, CurveMethod::Minimum, CurveMethod::Maximum}) {
      check(method, holes, marked, part, i);
    }
    if (holes.spans) {
      check(TemporalMethod::Sum, holes, marked, part, i);
      check(CurveMethod::Disaggregate, holes, marked, part, i);
    }
  }
}

}  // namespace
}  // namespace openmi
