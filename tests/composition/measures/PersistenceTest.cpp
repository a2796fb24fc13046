#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "composition/measures/Persistence.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> kDays{57000, 57001, 57002, 57003, 57004, 57005};
const std::vector<double> kValues{1, 2, 4, kMissing, 8, 9};

TEST(Persistence, EqualsTheNumberWorkedOutByHand) {
  // Forecasts 1, 2, 8 of 2, 4, 9: squared errors 1 + 4 + 1, squares around the mean 5: 9 + 1 + 16.
  const Persistence result = PersistenceEfficiency(kDays, kValues);
  EXPECT_NEAR(result.efficiency, 1.0 - 6.0 / 26.0, 1e-15);
  EXPECT_EQ(result.pairs, 3u);
  EXPECT_EQ(result.missing, 3u);  // nothing before the first, the gap itself, and the day after it
}

TEST(Persistence, MayLookBackBeforeItsWindow) {
  const Persistence result = PersistenceEfficiency(kDays, kValues, {"first days", 57000, 57002});
  // Forecasts 1, 2 of 2, 4: squared errors 5, squares around the mean 2.
  EXPECT_NEAR(result.efficiency, 1.0 - 5.0 / 2.0, 1e-15);
  EXPECT_EQ(result.missing, 0u);
}

TEST(Persistence, FindsTheHourADayAgoInSpiteOfRounding) {
  std::vector<double> times;
  std::vector<double> values;
  for (int hour = 0; hour < 1000; ++hour) {
    times.push_back(57357.0 + hour / 24.0);
    values.push_back(std::sin(hour * 0.3));
  }
  EXPECT_EQ(PersistenceEfficiency(times, values).pairs, 976u);
  EXPECT_EQ(PersistenceEfficiency(times, values, {}, 7.0).pairs, 993u);
}

TEST(Persistence, DoesNotInterpolate) {
  EXPECT_EQ(PersistenceEfficiency(kDays, kValues, {}, 12.0).pairs, 0u);
}

TEST(Persistence, RefusesToLookIntoTheFuture) {
  EXPECT_THAT([] { PersistenceEfficiency(kDays, kValues, {}, -24.0); },
              testing::ThrowsMessage<RangeError>(testing::HasSubstr("found -24")));
}

}  // namespace
}  // namespace openmi
