#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "examples/river-basin/numerics/MuskingumReach.hpp"
#include "openmi/sdk/Error.hpp"

namespace riverbasin {
namespace {

constexpr double kHour = 3600.0;

TEST(CungeParameters, TravelTimeIsLengthOverFiveThirdsOfManningsVelocity) {
  const ReachGeometry reach{5000.0, 0.0025, 10.0, 0.04, 8.0};
  const double depth = std::pow(0.8 * 0.04 / 0.05, 0.6);
  const double velocity = std::pow(depth, 2.0 / 3.0) * 0.05 / 0.04;  // Manning: h^(2/3) sqrt(slope) / n
  EXPECT_NEAR(CungeParameters(reach).travel_time, 5000.0 / (5.0 / 3.0 * velocity), 1e-9);
  EXPECT_LT(CungeParameters(reach).weight, 0.5);
}

TEST(CungeParameters, NamesTheValueThatIsNotAboveZero) {
  try {
    CungeParameters({5000.0, -0.001, 10.0, 0.04, 8.0});
    FAIL();
  } catch (const openmi::ArgumentError& error) {
    EXPECT_THAT(error.what(), ::testing::AllOf(::testing::HasSubstr("slope"), ::testing::HasSubstr("-0.001")));
  }
}

TEST(MuskingumReach, SubdividesTheHourUntilTheStepLimitHolds) {
  const MuskingumParameters half_hour{1800.0, 0.3};  // limits 1080 s and 2520 s: an hour is too long
  const MuskingumReach reach(half_hour, 50'000.0, kHour);
  EXPECT_GT(kHour, 2.0 * 1800.0 * 0.7);
  EXPECT_EQ(reach.SubSteps(), 2);
  EXPECT_EQ(reach.Segments(), 1);
}

TEST(MuskingumReach, CutsASlowReachIntoPieces) {
  const MuskingumParameters ten_hours{36'000.0, 0.4};  // 2 K X = 8 h: an hour is too short for one piece
  const MuskingumReach reach(ten_hours, 50'000.0, kHour);
  const double piece = 36'000.0 / reach.Segments();
  EXPECT_GE(kHour / reach.SubSteps(), 2.0 * piece * 0.4);
  EXPECT_LE(kHour / reach.SubSteps(), 2.0 * piece * 0.6);
}

TEST(MuskingumReach, WithinTheLimitsNoFlowIsEverNegative) {
  for (const double hours : {0.05, 0.3, 0.5, 0.9, 1.7, 6.0, 20.0}) {
    for (const double weight : {0.0, 0.1, 0.25, 0.4, 0.45}) {
      MuskingumReach reach({hours * kHour, weight}, 50'000.0, kHour);
      for (int step = 0; step < 200; ++step) {
        const double inflow = step == 3 ? 100.0 : 0.0;  // a pulse is the hardest
        EXPECT_GE(reach.Route(inflow, 0.0), -1e-12) << hours << " h, X " << weight;
        EXPECT_GE(reach.Storage(), -1e-6);
      }
    }
  }
}

TEST(MuskingumReach, SteadyFlowPassesUnchangedAndHoldsKTimesQ) {
  MuskingumReach reach({5400.0, 0.2}, 50'000.0, kHour);
  reach.StartSteady(12.5, 0.0);
  for (int step = 0; step < 100; ++step) EXPECT_NEAR(reach.Route(12.5, 0.0), 12.5, 1e-12);
  EXPECT_NEAR(reach.Storage(), 5400.0 * 12.5, 1e-7);
}

TEST(MuskingumReach, VolumeIsConservedWithAndWithoutTailwater) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> flow(0.0, 80.0);
  for (const double tail : {0.0, 0.4, 5.0}) {
    MuskingumReach reach({4000.0, 0.3}, 60'000.0, kHour);
    double in = 0.0;
    double out = 0.0;
    for (int step = 0; step < 2000; ++step) {
      const double inflow = flow(random);
      const double lateral = 0.1 * flow(random);
      in += (inflow + lateral) * kHour;
      out += reach.Route(inflow, lateral, {tail}) * kHour;
    }
    EXPECT_NEAR((in - out - reach.Storage()) / in, 0.0, 1e-12) << "tailwater " << tail;
  }
}

TEST(MuskingumReach, LinearReservoirConvergesToTheExactSolutionInSecondOrder) {
  // X = 0 and a constant inflow: O(t) = I (1 - exp(-t / K)), so S(t) = K I (1 - exp(-t / K)).
  const double travel_time = 4.0 * kHour;
  const auto error = [&](double step) {
    MuskingumReach reach({travel_time, 0.0}, 50'000.0, step);
    const int count = static_cast<int>(std::lround(8.0 * kHour / step));
    for (int i = 0; i < count; ++i) reach.Route(10.0, 0.0);
    return std::abs(reach.Storage() - travel_time * 10.0 * (1.0 - std::exp(-2.0)));
  };
  EXPECT_NEAR(error(1200.0) / error(600.0), 4.0, 0.02);
}

TEST(MuskingumReach, ALevelBelowThrottlesTheOutletAndTheWaterStays) {
  MuskingumReach freely({1800.0, 0.2}, 30'000.0, kHour);
  MuskingumReach throttled = freely;
  freely.StartSteady(20.0, 0.0);
  throttled.StartSteady(20.0, 0.0);
  const double depth = freely.OutletDepth();
  EXPECT_DOUBLE_EQ(throttled.Route(20.0, 0.0, {0.0}), freely.Route(20.0, 0.0));
  EXPECT_LT(throttled.Route(20.0, 0.0, {0.8 * depth}), freely.Route(20.0, 0.0));
  EXPECT_GT(throttled.Storage(), freely.Storage());
  MuskingumReach drowned({1800.0, 0.2}, 30'000.0, kHour);
  drowned.StartSteady(20.0, 0.0);
  EXPECT_NEAR(drowned.Route(0.0, 0.0, {100.0}), 0.0, 1e-12);
}

TEST(MuskingumReach, ASubmergedOutletSettlesInsteadOfOpeningAndShuttingInTurns) {
  MuskingumReach reach({3000.0, 0.4}, 70'000.0, kHour);
  reach.StartSteady(10.0, 0.0);
  double before = 10.0;
  for (int step = 0; step < 300; ++step) {
    const double flow = reach.Route(10.0, 0.0, {2.0});
    if (step > 50) {
      EXPECT_NEAR(flow, before, 0.05) << step;
    }
    before = flow;
  }
  EXPECT_NEAR(before, 10.0, 1e-6);
  EXPECT_GT(reach.OutletDepth(), 2.0);
}

}  // namespace
}  // namespace riverbasin
