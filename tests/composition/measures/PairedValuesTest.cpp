#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "composition/measures/PairedValues.hpp"
#include "composition/measures/WindowMeasures.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(PairUp, LeavesOutAndCountsPairsWithAMissingValue) {
  const std::vector<double> times{1, 2, 3, 4, 5};
  const std::vector<double> observed{10, NAN, 30, 40, NAN};
  const std::vector<double> simulated{11, 21, NAN, 41, NAN};
  const PairedValues pairs = PairUp(times, observed, simulated);
  EXPECT_THAT(pairs.times, ElementsAre(1, 4));
  EXPECT_THAT(pairs.observed, ElementsAre(10, 40));
  EXPECT_THAT(pairs.simulated, ElementsAre(11, 41));
  EXPECT_EQ(pairs.missing, 3u);
}

TEST(PairUp, TakesAnInfiniteValueForMissing) {
  const std::vector<double> times{1, 2};
  const std::vector<double> observed{10, 20};
  const std::vector<double> simulated{std::numeric_limits<double>::infinity(), 21};
  EXPECT_EQ(PairUp(times, observed, simulated).missing, 1u);
}

TEST(PairUp, GivesTheValueOnTheBorderToTheEarlierWindowOnly) {
  const std::vector<double> times{57000.0, 57001.0, 57002.0, 57003.0};
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_THAT(PairUp(times, values, values, {"calibration", 57000.0, 57002.0}).observed, ElementsAre(2, 3));
  EXPECT_THAT(PairUp(times, values, values, {"validation", 57002.0, 57003.0}).observed, ElementsAre(4));
}

TEST(PairUp, TakesTimesWithinTwoMicrosecondsForEqual) {
  const double microsecond = 1e-6 / 86400.0;
  const std::vector<double> times{57001.0 + microsecond, 57002.0 + microsecond};
  const std::vector<double> values{1, 2};
  EXPECT_THAT(PairUp(times, values, values, {"", 57001.0, 57002.0}).observed, ElementsAre(2));
}

TEST(PairUp, SaysHowManyValuesItFound) {
  const std::vector<double> two{1, 2};
  const std::vector<double> three{1, 2, 3};
  EXPECT_THAT([&] { PairUp(two, two, three); },
              ThrowsMessage<RangeError>(AllOf(HasSubstr("2 times"), HasSubstr("3 simulated"))));
}

TEST(ComputeMeasures, AnswersForEachWindowInOrder) {
  const std::vector<double> times{1, 2, 3, 4, 5, 6, 7};
  const std::vector<double> observed{1, 2, 3, 4, 9, NAN, 7};
  const std::vector<double> simulated{1, 2, 3, 6, 9, 8, 7};
  const std::vector<MeasureWindow> windows{{"calibration", 0, 4}, {"validation", 4, 7}, {"nothing", 8, 9}};
  const auto measures = ComputeMeasures(times, observed, simulated, windows);
  ASSERT_EQ(measures.size(), 3u);
  EXPECT_EQ(measures[0].window.label, "calibration");
  EXPECT_EQ(measures[0].pairs, 4u);
  EXPECT_NEAR(measures[0].nash_sutcliffe, 0.2, 1e-15);
  EXPECT_NEAR(measures[0].kling_gupta.bias, 1.2, 1e-15);
  EXPECT_NEAR(measures[0].volume_error, 0.2, 1e-15);
  EXPECT_EQ(measures[1].pairs, 2u);
  EXPECT_EQ(measures[1].missing, 1u);
  EXPECT_EQ(measures[1].nash_sutcliffe, 1.0);
  EXPECT_EQ(measures[2].pairs, 0u);
  EXPECT_TRUE(std::isnan(measures[2].nash_sutcliffe));
  EXPECT_TRUE(std::isnan(measures[2].peak.size));
}

}  // namespace
}  // namespace openmi
