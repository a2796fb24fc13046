#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "adaptors/kernels/TemporalMath.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/adaptors/Random.hpp"
#include "tests/support/Epsilon.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Rows of one element each.
struct History {
  std::vector<Interval> times;
  std::vector<double> values;
  bool spans;

  auto At() const {
    return [this](std::size_t i) { return times[i]; };
  }

  TemporalAnswer Weights(TemporalWeights& weights, Interval question) const {
    const auto at = At();
    return weights.Answer({at, times.size(), spans}, question);
  }

  double Ask(TemporalWeights& weights, Interval question) const {
    const TemporalAnswer answer = Weights(weights, question);
    double out = 0.0;
    ApplyAnswer(answer, [this](std::size_t i) { return std::span<const double>(&values[i], 1); }, {&out, 1});
    return out;
  }

  double Ask(TemporalOptions options, Interval question) const {
    TemporalWeights weights(options);
    return Ask(weights, question);
  }
  double Ask(double relaxation, double begin, double end) const {
    return Ask({.relaxation = relaxation}, {begin, end});
  }
  double Ask(double relaxation, double stamp) const { return Ask(relaxation, stamp, stamp); }
};

History Stamps(std::vector<double> times, std::vector<double> values) {
  History history{{}, std::move(values), false};
  for (double t : times) history.times.push_back({t, t});
  return history;
}

History Spans(std::vector<double> edges, std::vector<double> values) {
  History history{{}, std::move(values), true};
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) history.times.push_back({edges[i], edges[i + 1]});
  return history;
}

// The vectors of the reference buffer's own tests. Values up to 20 from a handful of operations: 1e-14 is 3 ulp.
constexpr double kTolerance = 1e-14;

TEST(TemporalReferenceVectors, TwoSpansExtrapolated) {
  const History history = Spans({10, 12, 14}, {11, 13});
  const struct {
    double begin, end, linear, hold;
  } cases[] = {{7, 8, 7.5, 11}, {9, 10, 9.5, 11}, {14, 15, 14.5, 13}, {16, 17, 16.5, 13}};
  for (const auto& c : cases) {
    for (double r : {0.0, 0.25, 0.5, 1.0}) {
      EXPECT_NEAR(history.Ask(r, c.begin, c.end), (1 - r) * c.linear + r * c.hold, kTolerance) << c.begin << " r " << r;
    }
  }
}

TEST(TemporalReferenceVectors, TwoUnequalSpansExtrapolated) {
  const History history = Spans({10, 12, 16}, {11, 14});
  EXPECT_NEAR(history.Ask(0.0, 7, 8), 7.5, kTolerance);
  EXPECT_NEAR(history.Ask(0.0, 18, 19), 18.5, kTolerance);
}

TEST(TemporalReferenceVectors, SixSpans) {
  const History history = Spans({10, 12, 14, 16, 22, 30, 32}, {1, 2, 3, 4, 5, 6});
  EXPECT_NEAR(history.Ask(1.0, 9, 13), 1.25, kTolerance);
  EXPECT_NEAR(history.Ask(1.0, 12, 16), 2.5, kTolerance);
  EXPECT_NEAR(history.Ask(1.0, 28, 36), 5.75, kTolerance);
  EXPECT_NEAR(history.Ask(0.0, 7, 8), -0.75, kTolerance);
  EXPECT_NEAR(history.Ask(0.0, 9, 11), 0.625, kTolerance);
  EXPECT_NEAR(history.Ask(0.0, 31, 33), 6.15, kTolerance);
}

TEST(TemporalReferenceVectors, StampsAskedASpan) {
  const History history = Stamps({2, 4, 7, 11, 13, 15}, {2, 4, 4, 6, 4, 3});
  EXPECT_NEAR(history.Ask(1.0, 3, 3.5), 3.25, kTolerance);
  EXPECT_NEAR(history.Ask(1.0, 3, 9), 24.5 / 6, kTolerance);
  EXPECT_NEAR(history.Ask(1.0, 3, 14), 49.25 / 11, kTolerance);
  EXPECT_NEAR(history.Ask(1.0, 13, 17), 3.25, kTolerance);
  EXPECT_NEAR(history.Ask(0.0, 13, 17), 3.0, kTolerance);
  EXPECT_NEAR(history.Ask(1.0, 1, 5), 3.0, kTolerance);
}

TEST(TemporalReferenceVectors, StampsAskedAStamp) {
  const History history = Stamps({10, 13}, {11, 5});
  EXPECT_NEAR(history.Ask(0.0, 9), 13.0, kTolerance);
  EXPECT_NEAR(history.Ask(0.0, 14), 3.0, kTolerance);
  EXPECT_EQ(history.Ask(1.0, 9), 11.0);
  EXPECT_EQ(history.Ask(1.0, 14), 5.0);
  EXPECT_NEAR(history.Ask(1.0, 11), 9.0, kTolerance);
}

TEST(TemporalReferenceVectors, AStampOnABoundaryTakesTheSpanThatEndsThere) {
  const History history = Spans({10, 13, 16, 20}, {5, 7, 9});
  EXPECT_EQ(history.Ask(1.0, 10), 5.0);  // no span ends there: the one that begins
  EXPECT_EQ(history.Ask(1.0, 12), 5.0);
  EXPECT_EQ(history.Ask(1.0, 13), 5.0);
  EXPECT_EQ(history.Ask(1.0, 16), 7.0);  // as the reference, which answers 7 at 13 too: one rule, not two
  EXPECT_EQ(history.Ask(1.0, 20), 9.0);
}

TEST(TemporalWeights, SpansAskedAStampOutside) {
  const History history = Spans({10, 13, 16, 20}, {5, 7, 9});
  // before: x0 + w (x0 - x1) (t - b0) / (b0 - b1); after: xN + w (xN - xM) (t - eN) / (eN - eM)
  EXPECT_NEAR(history.Ask(0.0, 7), 3.0, kTolerance);
  EXPECT_NEAR(history.Ask(0.5, 7), 4.0, kTolerance);
  EXPECT_EQ(history.Ask(1.0, 7), 5.0);
  EXPECT_NEAR(history.Ask(0.0, 24), 11.0, kTolerance);
  EXPECT_EQ(history.Ask(1.0, 24), 9.0);
}

TEST(TemporalWeights, ASingleRowIsItsOwnExtrapolation) {
  for (const History& history : {Stamps({10}, {4}), Spans({10, 11}, {4})}) {
    for (const Interval question :
         {Interval{10, 10}, {3, 3}, {30, 30}, {8, 9}, {9, 10.5}, {10.25, 12}, {9, 12}, {20, 21}}) {
      EXPECT_EQ(history.Ask(0.0, question.begin, question.end), 4.0) << question.begin << ' ' << question.end;
    }
  }
}

TEST(TemporalWeights, StampsLongBeforeAndAfterFollowTheLineAtTheMiddle) {
  const History history = Stamps({10, 12, 13}, {1, 3, 9});
  EXPECT_NEAR(history.Ask(0.0, 4, 8), 1 - 4.0, kTolerance);
  EXPECT_NEAR(history.Ask(0.0, 14, 18), 9 + 6 * 3.0, 2 * kTolerance);
  EXPECT_NEAR(history.Ask(0.25, 4, 8), 1 - 0.75 * 4.0, kTolerance);
}

TEST(TemporalWeights, AQuestionInsideOneSpanIsThatRowAlone) {
  const History history = Spans({10, 13, 16, 20}, {5, 7, 9});
  TemporalWeights weights;
  const TemporalAnswer answer = history.Weights(weights, {13.1, 15.7});
  ASSERT_EQ(answer.weights.size(), 1U);
  EXPECT_EQ(answer.weights[0], (RowWeight{1, 1.0}));
  EXPECT_FALSE(answer.extrapolated);
}

TEST(TemporalWeights, RelaxationMixesHoldAndLine) {
  openmi::testing::Random random;
  for (int round = 0; round < 10000; ++round) {
    const bool spans = random.Chance(0.5);
    const double t0 = random.Uniform(-5, 5), t1 = t0 + random.Uniform(0.1, 3), t2 = t1 + random.Uniform(0.1, 3);
    const std::vector<double> x{random.Uniform(-9, 9), random.Uniform(-9, 9), random.Uniform(-9, 9)};
    const History history = spans ? Spans({t0, t1, t2}, {x[0], x[1]}) : Stamps({t0, t1, t2}, x);
    const double b = random.Uniform(-12, 12), e = random.Chance(0.3) ? b : b + random.Uniform(0.01, 20);
    const double r = random.Uniform(0, 1);
    // Steps of 0.1 carry a line up to 150 steps out: values to 3e3, a few ulp of that.
    EXPECT_NEAR(history.Ask(r, b, e), r * history.Ask(1.0, b, e) + (1 - r) * history.Ask(0.0, b, e),
                3e3 * 16 * kEpsilon);
  }
}

TEST(TemporalWeights, LinearIsExactForALinearHydrograph) {
  openmi::testing::Random random;
  for (int round = 0; round < 10000; ++round) {
    const auto line = [a = random.Uniform(-3, 3), b = random.Uniform(-3, 3)](double t) { return a + b * t; };
    std::vector<double> times{random.Uniform(-10, 10)}, values;
    while (times.size() < 2 + random.Index(12)) times.push_back(times.back() + random.Uniform(0.1, 2));
    if (times.size() < 2) times.push_back(times.back() + 1.0);
    for (double t : times) values.push_back(line(t));
    const History history = Stamps(times, values);
    const double b = random.Uniform(-30, 50), e = random.Chance(0.3) ? b : b + random.Uniform(0.01, 30);
    // Times and values below 300; weights below 600 where a line of step 0.1 is carried 60 days out.
    EXPECT_NEAR(history.Ask(0.0, b, e), line(0.5 * (b + e)), 300 * 600 * 4 * kEpsilon);
  }
}

TEST(TemporalWeights, SpansOfEqualLengthAreExactForALinearHydrograph) {
  const auto line = [](double t) { return 2.0 - 0.5 * t; };
  std::vector<double> edges{0}, values;
  for (int i = 0; i < 6; ++i) {
    edges.push_back(edges.back() + 2.0);
    values.push_back(line(edges.back() - 1.0));
  }
  const History history = Spans(edges, values);
  EXPECT_NEAR(history.Ask(0.0, -3, -1), line(-2.0), kTolerance);
  EXPECT_NEAR(history.Ask(0.0, 2, 8), line(5.0), kTolerance);
  EXPECT_NEAR(history.Ask(0.0, 13, 19), line(16.0), kTolerance);
  EXPECT_NEAR(history.Ask(0.0, -4, 16), line(6.0), kTolerance);
}

TEST(TemporalWeights, MeansInsideTheHistoryLieBetweenTheExtremesAndWeightsSumToOne) {
  openmi::testing::Random random;
  const TemporalMethod methods[] = {TemporalMethod::Linear, TemporalMethod::Previous, TemporalMethod::Next,
                                    TemporalMethod::Nearest, TemporalMethod::Mean};
  for (int round = 0; round < 10000; ++round) {
    const std::size_t count = 2 + random.Index(20);
    std::vector<double> edges{57357.0 + random.Uniform(0, 1)}, values;
    while (edges.size() < count) edges.push_back(edges.back() + random.Uniform(1e-3, 1));
    const bool spans = random.Chance(0.5);
    for (std::size_t i = 0; i + (spans ? 1 : 0) < count; ++i) values.push_back(random.Uniform(-1, 1));
    const History history = spans ? Spans(edges, values) : Stamps(edges, values);
    const double b = random.Uniform(edges.front(), edges.back()), e = random.Uniform(b, edges.back());
    TemporalWeights weights({.method = methods[random.Index(5)], .outside = OutsidePolicy::Throw});
    const TemporalAnswer answer = history.Weights(weights, {b, e});
    double total = 0.0;
    for (const RowWeight& term : answer.weights) {
      EXPECT_GT(term.weight, 0.0);
      total += term.weight;
    }
    // Lengths are differences of exact doubles; one rounding each for cut, division and sum.
    const double bound = 3 * static_cast<double>(count + 1) * kEpsilon;
    EXPECT_NEAR(total, 1.0, bound);
    const double value = history.Ask(weights, {b, e});
    EXPECT_LE(value, *std::max_element(values.begin(), values.end()) + bound);
    EXPECT_GE(value, *std::min_element(values.begin(), values.end()) - bound);
  }
}

TEST(TemporalSum, SpansThatCutTheHistoryAnyWhereKeepItsTotal) {
  openmi::testing::Random random;
  for (int round = 0; round < 10000; ++round) {
    std::vector<double> edges{57357.0}, amounts;
    double total = 0.0;
    const std::size_t count = 1 + random.Index(30);
    for (std::size_t i = 0; i < count; ++i) {
      edges.push_back(edges.back() + random.Uniform(1e-3, 1));
      amounts.push_back(random.Uniform(0, 5));
      total += amounts.back();
    }
    const History history = Spans(edges, amounts);
    std::vector<double> cuts{edges.front(), edges.back()};
    for (std::size_t i = random.Index(20); i > 0; --i) cuts.push_back(random.Uniform(edges.front(), edges.back()));
    std::sort(cuts.begin(), cuts.end());
    TemporalWeights weights({.method = TemporalMethod::Sum, .outside = OutsidePolicy::Throw});
    double sum = 0.0;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      if (cuts[i + 1] > cuts[i]) sum += history.Ask(weights, {cuts[i], cuts[i + 1]});
    }
    EXPECT_NEAR(sum, total, 4 * static_cast<double>(count + cuts.size()) * kEpsilon * total);
  }
}

TEST(TemporalSum, WholeSpansAreAddedExactlyAndPartsProRata) {
  const History history = Spans({10, 12, 16}, {6, 20});
  const TemporalOptions sum{.method = TemporalMethod::Sum};
  EXPECT_EQ(history.Ask(sum, {10, 16}), 26.0);
  EXPECT_EQ(history.Ask(sum, {10, 12}), 6.0);
  EXPECT_EQ(history.Ask(sum, {11, 13}), 8.0);
  EXPECT_EQ(history.Ask(sum, {15, 18}), 15.0);  // outside, the last rate of 5 a day goes on
  // r = 0: the rates 3 and 5 lie 3 days apart, so that the line is at 5 + 2 * (0.5 (16 + 18) - 14) / 3 = 7 a day
  EXPECT_NEAR(history.Ask({.method = TemporalMethod::Sum, .relaxation = 0.0}, {16, 18}), 14.0, 2 * kTolerance);
}

TEST(TemporalSum, StampedAmountsAreCountedOnce) {
  const History history = Stamps({1, 2, 3, 4}, {10, 20, 30, 40});
  const TemporalOptions at_begin{.method = TemporalMethod::Sum};
  const TemporalOptions at_end{.method = TemporalMethod::Sum, .amounts_at_end = true};
  EXPECT_EQ(history.Ask(at_begin, {1, 3}), 30.0);
  EXPECT_EQ(history.Ask(at_end, {1, 3}), 50.0);
  EXPECT_EQ(history.Ask(at_begin, {2.25, 2.75}), 0.0);
  EXPECT_EQ(history.Ask(at_begin, {1, 4}) + history.Ask(at_begin, {4, 5}), 100.0);
  EXPECT_EQ(history.Ask(at_end, {0, 1}) + history.Ask(at_end, {1, 4}), 100.0);
}

TEST(TemporalSteps, PreviousNextAndNearestAtStamps) {
  const History history = Stamps({10, 12, 16}, {1, 2, 3});
  const auto ask = [&](TemporalMethod method, double t) { return history.Ask({.method = method}, {t, t}); };
  EXPECT_EQ(ask(TemporalMethod::Previous, 10), 1);
  EXPECT_EQ(ask(TemporalMethod::Previous, 11.9), 1);
  EXPECT_EQ(ask(TemporalMethod::Previous, 12), 2);
  EXPECT_EQ(ask(TemporalMethod::Previous, 15), 2);
  EXPECT_EQ(ask(TemporalMethod::Previous, 99), 3);
  EXPECT_EQ(ask(TemporalMethod::Previous, 3), 1);
  EXPECT_EQ(ask(TemporalMethod::Next, 10), 1);
  EXPECT_EQ(ask(TemporalMethod::Next, 10.1), 2);
  EXPECT_EQ(ask(TemporalMethod::Next, 12), 2);
  EXPECT_EQ(ask(TemporalMethod::Next, 12.1), 3);
  EXPECT_EQ(ask(TemporalMethod::Nearest, 10.9), 1);
  EXPECT_EQ(ask(TemporalMethod::Nearest, 11), 2);
  EXPECT_EQ(ask(TemporalMethod::Nearest, 13.9), 2);
  EXPECT_EQ(ask(TemporalMethod::Nearest, 14), 3);
}

TEST(TemporalSteps, ASpanGetsTheMeanOfTheSteps) {
  const History history = Stamps({10, 12, 16}, {1, 2, 3});
  const auto ask = [&](TemporalMethod method, double b, double e) { return history.Ask({.method = method}, {b, e}); };
  EXPECT_NEAR(ask(TemporalMethod::Previous, 11, 14), (1 * 1 + 2 * 2) / 3.0, kTolerance);
  EXPECT_NEAR(ask(TemporalMethod::Next, 11, 14), (1 * 2 + 2 * 3) / 3.0, kTolerance);
  EXPECT_NEAR(ask(TemporalMethod::Nearest, 10.5, 15), (0.5 * 1 + 3 * 2 + 1 * 3) / 4.5, kTolerance);
  EXPECT_NEAR(ask(TemporalMethod::Previous, 15, 18), (1 * 2 + 2 * 3) / 3.0, kTolerance);
}

TEST(TemporalWeights, AMissingNeighbourDoesNotSpoilAKnownStamp) {
  const History history = Stamps({10, 12, 16}, {1, kNotANumber, 3});
  EXPECT_EQ(history.Ask(1.0, 10), 1.0);
  EXPECT_EQ(history.Ask(1.0, 16), 3.0);
  EXPECT_TRUE(std::isnan(history.Ask(1.0, 12)));
  EXPECT_TRUE(std::isnan(history.Ask(1.0, 11)));
  EXPECT_EQ(history.Ask(1.0, 17), 3.0);
  EXPECT_TRUE(std::isnan(history.Ask(0.5, 17)));
  EXPECT_TRUE(std::isnan(history.Ask(1.0, 10, 11)));
}

TEST(TemporalWeights, AMissingSpanSpoilsOnlyWhatItOverlaps) {
  const History history = Spans({10, 12, 14, 16}, {1, kNotANumber, 3});
  EXPECT_EQ(history.Ask(1.0, 10, 12), 1.0);
  EXPECT_EQ(history.Ask(1.0, 14, 16), 3.0);
  EXPECT_TRUE(std::isnan(history.Ask(1.0, 11, 12.5)));
}

TEST(TemporalWeights, AHoleBetweenSpansIsMissingAndNeverZero) {
  const History history{{{10, 12}, {14, 16}}, {1, 3}, true};
  TemporalWeights weights;
  EXPECT_TRUE(history.Weights(weights, {11, 15}).missing);
  EXPECT_TRUE(history.Weights(weights, {13, 13}).missing);
  EXPECT_EQ(history.Ask(weights, {12, 12}), 1.0);  // the span that ends there
  EXPECT_EQ(history.Ask(weights, {14, 14}), 3.0);  // none ends there: the one that begins
  for (const TemporalMethod method : {TemporalMethod::Previous, TemporalMethod::Next, TemporalMethod::Nearest}) {
    EXPECT_EQ(history.Ask({.method = method}, {12, 12}), 1.0);
    EXPECT_EQ(history.Ask({.method = method}, {14, 14}), 3.0);
  }
  EXPECT_TRUE(history.Weights(weights, {12.5, 13.5}).missing);
  EXPECT_EQ(history.Ask(weights, {10, 12}), 1.0);
  EXPECT_EQ(history.Ask(weights, {14, 16}), 3.0);
  EXPECT_EQ(history.Ask({.method = TemporalMethod::Previous}, {13, 13}), 1.0);
  EXPECT_EQ(history.Ask({.method = TemporalMethod::Nearest}, {13.5, 13.5}), 3.0);
  EXPECT_TRUE(std::isnan(history.Ask({.method = TemporalMethod::Sum}, {11, 15})));
}

TEST(TemporalWeights, RoundingBetweenSpansIsNoHole) {
  const double hour = 1.0 / 24.0;
  History history{{}, {}, true};
  for (int i = 0; i < 720; ++i) {
    const double begin = 57357.0 + i * hour;
    history.times.push_back({begin, begin + hour});  // begin plus duration, seldom the next begin to the last bit
    history.values.push_back(1.0);
  }
  TemporalWeights mean({.method = TemporalMethod::Mean, .outside = OutsidePolicy::Throw});
  EXPECT_NEAR(history.Ask(mean, {57357.0, 57387.0}), 1.0, 720 * kEpsilon);
  for (int i = 0; i < 720; ++i) {
    const TemporalAnswer answer = history.Weights(mean, {57357.0 + i * hour, 57357.0 + (i + 1) * hour});
    ASSERT_EQ(answer.weights.size(), 1U) << "a sliver of a neighbour got in at hour " << i;
    EXPECT_EQ(answer.weights[0], (RowWeight{static_cast<std::size_t>(i), 1.0}));
  }
}

TEST(TemporalWeights, TimesWithinTheToleranceAreEqual) {
  const History history = Stamps({57357.0, 57358.0}, {1.0, kNotANumber});
  const double microsecond = 1e-6 / 86400.0;
  EXPECT_EQ(history.Ask(1.0, 57357.0 + microsecond), 1.0);
  EXPECT_EQ(history.Ask({.outside = OutsidePolicy::Throw}, {57357.0 - microsecond, 57357.0 - microsecond}), 1.0);
  EXPECT_TRUE(std::isnan(history.Ask(1.0, 57357.0 + 10 * microsecond)));
}

TEST(TemporalWeights, OutsideIsExtrapolatedMissingOrRefused) {
  const History history = Stamps({10, 13}, {11, 5});
  TemporalWeights extrapolate;
  EXPECT_TRUE(history.Weights(extrapolate, {9, 11}).extrapolated);
  EXPECT_TRUE(std::isnan(history.Ask({.outside = OutsidePolicy::Missing}, {9, 11})));
  EXPECT_EQ(history.Ask({.outside = OutsidePolicy::Missing}, {10, 13}), 8.0);
  EXPECT_THAT(
      [&] {
        history.Ask({.outside = OutsidePolicy::Throw}, {12, 13.5});
      },
      ThrowsMessage<RangeError>(AllOf(HasSubstr("10 to 13"), HasSubstr("found 12 to 13.5"), HasSubstr("extrapolat"))));
}

TEST(TemporalWeights, NoRowsIsMissingOrRefused) {
  const History history = Stamps({}, {});
  EXPECT_TRUE(std::isnan(history.Ask(1.0, 5)));
  EXPECT_THAT(
      [&] {
        history.Ask({.outside = OutsidePolicy::Throw}, {5, 5});
      },
      ThrowsMessage<RangeError>(AllOf(HasSubstr("at least one row"), HasSubstr("initial value"))));
}

TEST(TemporalWeights, RefusesWhatHasNoMeaning) {
  const History history = Stamps({10, 13}, {11, 5});
  EXPECT_THAT([] { TemporalWeights({.relaxation = 1.5}); },
              ThrowsMessage<ArgumentError>(HasSubstr("0 to 1, found 1.5")));
  EXPECT_THAT([] { TemporalWeights({.relaxation = kNotANumber}); },
              ThrowsMessage<ArgumentError>(HasSubstr("found nan")));
  EXPECT_THAT([] { TemporalWeights({.tolerance = -1}); }, ThrowsMessage<ArgumentError>(HasSubstr("found -1")));
  EXPECT_THAT([&] { history.Ask(1.0, 12, 11); }, ThrowsMessage<ArgumentError>(HasSubstr("found 12 to 11")));
  EXPECT_THAT([&] { history.Ask(1.0, kNotANumber); }, ThrowsMessage<ArgumentError>(HasSubstr("finite")));
  EXPECT_THAT(
      [&] {
        history.Ask({.method = TemporalMethod::Mean}, {11, 11});
      },
      ThrowsMessage<ArgumentError>(AllOf(HasSubstr("mean"), HasSubstr("stamp 11"))));
}

// The place of the last answer is only a hint: any order of questions, on a history that grows and is trimmed, gives
// what a new object gives.
TEST(TemporalWeights, TheHintNeverChangesAnAnswer) {
  openmi::testing::Random random;
  const TemporalMethod methods[] = {TemporalMethod::Linear, TemporalMethod::Previous, TemporalMethod::Next,
                                    TemporalMethod::Nearest};
  for (int round = 0; round < 40; ++round) {
    const TemporalOptions options{.method = methods[round % 4], .relaxation = 0.5};
    const bool spans = random.Chance(0.5);
    TemporalWeights weights(options);
    History history{{}, {}, spans};
    double now = 0.0;
    for (int step = 0; step < 500; ++step) {
      if (history.times.size() < 2 || random.Chance(0.6)) {
        const double length = random.Uniform(0.1, 1);
        history.times.push_back(spans ? Interval{now, now + length} : Interval{now, now});
        history.values.push_back(random.Uniform(-1, 1));
        now += length;
      } else if (random.Chance(0.1)) {
        const auto cut = static_cast<std::ptrdiff_t>(random.Index(history.times.size() - 1));
        history.times.erase(history.times.begin(), history.times.begin() + cut);
        history.values.erase(history.values.begin(), history.values.begin() + cut);
      }
      const double b = random.Uniform(history.times.front().begin - 1, now + 1);
      const Interval question{b, random.Chance(0.5) ? b : b + random.Uniform(0.1, 5)};
      EXPECT_EQ(history.Ask(weights, question), history.Ask(options, question));
    }
  }
}

TEST(TemporalMath, MeansAndPartsOfWholeSecondsAreExact) {
  // An hour between two stamps near MJD 60000 is 3599.9999997 s as often as not.
  std::vector<double> edges, values;
  for (int i = 0; i <= 240; ++i) edges.push_back(60000.0 + i / 24.0);
  for (int i = 0; i < 240; ++i) values.push_back(8.0 * (i * 7 % 11));
  const History history = Spans(edges, values);
  for (int i = 0; i + 2 < 240; ++i) {
    const double quarter = 60000.0 + (i + 0.25) / 24.0;
    const std::size_t row = static_cast<std::size_t>(i);
    EXPECT_EQ(history.Ask({.method = TemporalMethod::Mean}, {edges[row], edges[row + 2]}),
              0.5 * (values[row] + values[row + 1]));
    EXPECT_NEAR(history.Ask({.method = TemporalMethod::Mean}, {quarter, edges[row + 2]}),
                (0.75 * values[row] + values[row + 1]) / 1.75, 4 * kEpsilon * 80.0)
        << i;
    EXPECT_EQ(history.Ask({.method = TemporalMethod::Sum}, {quarter, edges[row + 1]}), 0.75 * values[row]) << i;
  }
}

TEST(TemporalMath, PiecesAddUpWhereverASpanIsCut) {
  const History history = Spans({60000.0, 60000.5, 60001.0}, {6.0, 6.0});
  for (int i = 1; i < 500; ++i) {
    const double cut = 60000.0 + i * 0.00199947;  // no whole millisecond
    const auto sum = [&](double from, double to) { return history.Ask({.method = TemporalMethod::Sum}, {from, to}); };
    EXPECT_NEAR(sum(60000.0, cut) + sum(cut, 60001.0), 12.0, 16 * kEpsilon) << i;
    EXPECT_NEAR(history.Ask({.method = TemporalMethod::Mean}, {cut, 60001.0}), 6.0, 4 * kEpsilon) << i;
  }
}

}  // namespace
}  // namespace openmi
