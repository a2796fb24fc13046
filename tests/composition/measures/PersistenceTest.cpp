#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "composition/measures/Persistence.hpp"
#include "composition/measures/WindowMeasures.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/support/RealData.hpp"

namespace openmi {
namespace {

const std::vector<double> kDays{57000, 57001, 57002, 57003, 57004, 57005};
const std::vector<double> kValues{1, 2, 4, NAN, 8, 9};

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

TEST(Persistence, StandsBesideAnEfficiencyOfTheSamePairs) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> times{0, 1, 2, 3, 4, 5};
  const std::vector<double> observed{1, 2, 4, 3, 9, 5};
  const std::vector<double> simulated{1, 2, 5, 3, gap, 5};  // the peak is missing
  const std::vector<MeasureWindow> windows{{"from the second", 0.5, 5.0}};
  const WindowMeasures one = ComputeMeasures(times, observed, simulated, windows).front();
  EXPECT_EQ(one.pairs, 4U);
  EXPECT_EQ(one.persistence.pairs, 4U);
  // Of 2, 4, 3, 5 (mean 3.5) by 1, 2, 4, 9: 1 - (1 + 4 + 1 + 16) / 5
  EXPECT_NEAR(one.persistence.efficiency, 1.0 - 22.0 / 5.0, 1e-12);
}

// The observed discharge of the TOPMODEL example, hourly, CRLF; its header counts 950 of 1430 rows.
TEST(Persistence, OfTheRealDischargeIsTheKnownBar) {
  std::ifstream file(RealData() / "topmodel/inputs.dat");
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  std::vector<double> times;
  std::vector<double> discharge;
  double rain = 0.0;
  double evaporation = 0.0;
  double flow = 0.0;
  while (file >> rain >> evaporation >> flow) {
    discharge.push_back(flow);
    times.push_back(57000.0 + static_cast<double>(times.size() + 1) / 24.0);  // row 1 ends an hour after the begin
  }
  ASSERT_EQ(discharge.size(), 1430u);
  const MeasureWindow validation{"validation", 57000.0 + 633.0 / 24.0, 57000.0 + 950.0 / 24.0};
  const Persistence result = PersistenceEfficiency(times, discharge, validation);
  EXPECT_EQ(result.pairs, 317u);
  EXPECT_NEAR(result.efficiency, 0.7463894545, 1e-9);
}

}  // namespace
}  // namespace openmi
