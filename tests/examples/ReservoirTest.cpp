#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "examples/river-basin/numerics/RatingCurve.hpp"
#include "examples/river-basin/numerics/Reservoir.hpp"
#include "openmi/sdk/Error.hpp"

namespace riverbasin {
namespace {

constexpr double kReservoirHour = 3600.0;

ReservoirGeometry Lake() {
  return {.bottom = 100.0,
          .volume_factor = 20'000.0,
          .volume_exponent = 2.0,
          .outlet_level = 101.0,
          .outlet_area = 0.8,
          .outlet_coefficient = 0.6,
          .crest_level = 106.0,
          .crest_length = 15.0,
          .crest_coefficient = 1.7};
}

TEST(Reservoir, SettlesWhereTheReleaseEqualsTheInflow) {
  Reservoir lake(Lake(), 102.0, kReservoirHour);
  for (int step = 0; step < 5000; ++step) lake.Step(4.0, 0.0);
  // 4 = 0.6 * 0.8 * sqrt(2 g h), below the crest
  const double head = std::pow(4.0 / (0.6 * 0.8), 2.0) / (2.0 * 9.80665);
  EXPECT_NEAR(lake.Level(), 101.0 + head, 1e-9);
  EXPECT_NEAR(lake.Step(4.0, 0.0), 4.0, 1e-9);
}

TEST(Reservoir, SpillsOnlyAboveItsCrest) {
  const Reservoir lake(Lake(), 102.0, kReservoirHour);
  const auto outlet = [](double level) { return 0.6 * 0.8 * std::sqrt(2.0 * 9.80665 * (level - 101.0)); };
  EXPECT_DOUBLE_EQ(lake.Release(100.5), 0.0);
  EXPECT_DOUBLE_EQ(lake.Release(106.0), outlet(106.0));
  EXPECT_NEAR(lake.Release(107.0), outlet(107.0) + 1.7 * 15.0, 1e-12);
}

TEST(Reservoir, ClosesItsBalanceEvenWhenItRunsDry) {
  Reservoir lake(Lake(), 103.0, kReservoirHour);
  const double start = lake.Storage();
  for (int step = 0; step < 3000; ++step) {
    const double inflow = step % 500 < 20 ? 30.0 : 0.0;
    lake.Step(inflow, 5e-7);
    ASSERT_GE(lake.Storage(), 0.0);
  }
  EXPECT_GT(lake.CumulativeLoss(), 0.0);
  const double residual =
      start + lake.CumulativeInflow() - lake.CumulativeRelease() - lake.CumulativeLoss() - lake.Storage();
  EXPECT_NEAR(residual / lake.CumulativeInflow(), 0.0, 1e-12);
}

TEST(Reservoir, NamesTheArgumentThatIsOutOfRange) {
  ReservoirGeometry upside_down = Lake();
  upside_down.crest_level = 100.5;
  try {
    Reservoir(upside_down, 102.0, kReservoirHour);
    FAIL();
  } catch (const openmi::ArgumentError& error) {
    EXPECT_THAT(error.what(), ::testing::AllOf(::testing::HasSubstr("crest level"), ::testing::HasSubstr("100.5")));
  }
}

TEST(RatingCurve, InvertsThePowerLaw) {
  const RatingCurve curve{.factor = 8.0, .exponent = 1.5, .zero = 0.2};
  EXPECT_NEAR(8.0 * std::pow(curve.Stage(27.0) - 0.2, 1.5), 27.0, 1e-12);
  EXPECT_DOUBLE_EQ(curve.Stage(0.0), 0.2);
}

}  // namespace
}  // namespace riverbasin
