#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "composition/measures/CumulativeVolume.hpp"
#include "composition/measures/FlowDuration.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using testing::ElementsAre;

TEST(FlowDuration, RanksFromTheLargestWithoutMissingValues) {
  const std::vector<double> values{2, NAN, 8, 4};
  const FlowDuration curve = ComputeFlowDuration(values);
  EXPECT_THAT(curve.values, ElementsAre(8, 4, 2));
  EXPECT_THAT(curve.exceedance, ElementsAre(0.25, 0.5, 0.75));
}

TEST(FlowDuration, OfNothingIsEmpty) {
  EXPECT_TRUE(ComputeFlowDuration({}).values.empty());
}

const std::vector<double> kTimes{10.0, 10.25, 10.75};  // spans of a quarter and of half a day
const std::vector<double> kRates{2.0, 4.0, 1.0};

TEST(CumulativeVolume, FillsTheSpanThatEndsAtEachTime) {
  EXPECT_THAT(AccumulateVolume(kTimes, kRates).volumes, ElementsAre(0.0, 86400.0, 129600.0));
}

TEST(CumulativeVolume, CountsTheFirstValueWhenItsSpanIsKnown) {
  EXPECT_THAT(AccumulateVolume(kTimes, kRates, VolumeRule::Span, 9.5).volumes,
              ElementsAre(86400.0, 172800.0, 216000.0));
}

TEST(CumulativeVolume, DrawsStraightLinesBetweenInstants) {
  EXPECT_THAT(AccumulateVolume(kTimes, kRates, VolumeRule::Trapezoid).volumes, ElementsAre(0.0, 64800.0, 172800.0));
}

TEST(CumulativeVolume, ScalesRatesPerHour) {
  EXPECT_THAT(AccumulateVolume(kTimes, kRates, VolumeRule::Span, NAN, 1.0 / 3600.0).volumes,
              ElementsAre(0.0, testing::DoubleEq(24.0), testing::DoubleEq(36.0)));
}

TEST(CumulativeVolume, AddsNothingForAMissingValueAndCountsIt) {
  const std::vector<double> gap{2.0, NAN, 1.0};
  const CumulativeVolume span = AccumulateVolume(kTimes, gap);
  EXPECT_THAT(span.volumes, ElementsAre(0.0, 0.0, 43200.0));
  EXPECT_EQ(span.missing, 1u);
  EXPECT_THAT(AccumulateVolume(kTimes, gap, VolumeRule::Trapezoid).volumes, ElementsAre(0.0, 0.0, 0.0));
}

TEST(CumulativeVolume, RefusesListsOfDifferentLength) {
  const std::vector<double> two{1, 2};
  EXPECT_THAT([&] { AccumulateVolume(kTimes, two); },
              testing::ThrowsMessage<RangeError>(testing::HasSubstr("3 times and 2 values")));
}

}  // namespace
}  // namespace openmi
