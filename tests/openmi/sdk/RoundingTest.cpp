#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "openmi/sdk/Unit.hpp"

namespace openmi {
namespace {

TEST(ExactNear, RemovesLastDigitNoise) {
  EXPECT_EQ(ExactNear(0.0010000000000000002), 0.001);
  EXPECT_EQ(ExactNear(2.7777777777777776e-07), 1.0 / 3600000.0);
  EXPECT_EQ(ExactNear(0.028316846592000004), 0.028316846592);
  EXPECT_EQ(ExactNear(-std::nextafter(5.0 / 9.0, 1.0)), -5.0 / 9.0);
  const double cubic_foot_a_day = 2048383.0 / 6250000000000.0;
  EXPECT_EQ(ExactNear(std::nextafter(cubic_foot_a_day, 1.0)), cubic_foot_a_day);
}

TEST(ExactNear, LeavesWhatIsNoSimpleNumber) {
  for (const double value : {std::numbers::pi / 180.0, std::numbers::e, 6894.757293168359, 1.2345678901234567e-5}) {
    EXPECT_NEAR(ExactNear(value), value, 4.0 * std::numeric_limits<double>::epsilon() * value);
  }
  EXPECT_EQ(ExactNear(0.0), 0.0);
  EXPECT_TRUE(std::isinf(ExactNear(std::numeric_limits<double>::infinity())));
}

TEST(ExactNear, NeverMovesFartherThanFourUnitsInTheLastPlace) {
  std::mt19937_64 random(20260101);
  std::uniform_real_distribution<double> exponent(-30.0, 30.0);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::pow(10.0, exponent(random));
    ASSERT_NEAR(ExactNear(value) / value, 1.0, 5.0 * std::numeric_limits<double>::epsilon()) << value;
  }
}

TEST(ExactNear, UsesTheUncertaintyGiven) {
  EXPECT_EQ(ExactNear(31.999999999999943, 2e-13), 32.0);
  EXPECT_EQ(ExactNear(1e-14, 2e-13), 0.0);
}

}  // namespace
}  // namespace openmi
