// The example of keeping states: what it prints, held to the pond's own formula.

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "openmi/omi/SafeProbe.hpp"

namespace {

double RainAt(int hour) {
  return 5.0 * std::exp(-0.25 * (hour - 4) * (hour - 4));
}

TEST(Forecast, LevelsAreThoseOfARunWithoutForecastsAndForecastsThoseOfTheLastRain) {
  const openmi::ChildResult result = openmi::RunInChild({OPENMI_BINARY_DIR "/examples/forecast/forecast"}, {});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::vector<double> levels;
  std::vector<double> forecasts;
  double level = 40.0;
  for (int hour = 0; hour < 12; ++hour) {
    level = (level + 12.0 * RainAt(hour)) * 0.9;
    levels.push_back(level);
    double ahead = level;
    for (int step = 0; step < 3; ++step) ahead = (ahead + 12.0 * RainAt(hour)) * 0.9;
    forecasts.push_back(ahead);
  }
  std::istringstream text(result.out);
  std::string line;
  std::getline(text, line);
  for (std::size_t expected = 3; expected < levels.size(); ++expected) {
    std::size_t hour = 0;
    double now = 0.0;
    double before = 0.0;
    ASSERT_TRUE(text >> hour >> now >> before) << result.out;
    EXPECT_EQ(hour, expected);
    EXPECT_NEAR(now, levels[hour], 0.051);
    EXPECT_NEAR(before, forecasts[hour - 3], 0.051);
  }
}

}  // namespace
