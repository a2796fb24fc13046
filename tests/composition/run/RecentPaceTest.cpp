#include <gtest/gtest.h>

#include <cmath>

#include "composition/run/RecentPace.hpp"

namespace openmi::testing {
namespace {

/// A day of run from MJD 0 on, `fraction` of it done after `seconds`.
RunProgress Progress(double fraction, double seconds) {
  return {.from = {0.0}, .to = {1.0}, .now = {fraction}, .wall_seconds = seconds};
}

TEST(RecentPace, KnowsNothingBeforeSomethingIsDone) {
  RecentPace pace;
  pace.Add(Progress(0.0, 3.0));
  EXPECT_EQ(pace.RealTimeFactor(), 0.0);
  EXPECT_TRUE(std::isinf(pace.SecondsLeft()));
}

TEST(RecentPace, CountsFromWhereAResumedRunGoesOn) {
  RecentPace pace;
  for (int second = 0; second <= 10; ++second) pace.Add(Progress(0.41 + 0.02 * second, second));
  // 0.39 are left at 0.02 a second; what the checkpoint held came for nothing.
  EXPECT_NEAR(pace.SecondsLeft(), 19.5, 1e-6);
  EXPECT_NEAR(pace.RealTimeFactor(), 0.02 * 86400.0, 1e-6);
}

TEST(RecentPace, KnowsNothingOfAResumedRunByItsFirstProgress) {
  RecentPace pace;
  pace.Add(Progress(0.41, 2.0));
  EXPECT_EQ(pace.RealTimeFactor(), 0.0);
  EXPECT_TRUE(std::isinf(pace.SecondsLeft()));
  pace.Add(Progress(0.43, 3.0));
  EXPECT_NEAR(pace.RealTimeFactor(), 0.02 * 86400.0, 1e-6);
  EXPECT_NEAR(pace.SecondsLeft(), 28.5, 1e-6);
}

TEST(RecentPace, GoesByTheLatestQuarterWhereARunBecomesSlower) {
  RecentPace pace;
  double done = 0.0;
  // Twice as fast in the first 60 of 100 s as since then.
  for (int second = 0; second < 100; ++second) pace.Add(Progress(done += second < 60 ? 0.008 : 0.004, second));
  EXPECT_NEAR(pace.SecondsLeft(), (1.0 - done) / 0.004, 1.0);
}

TEST(RecentPace, LooksAtTheLatestQuarterHoweverOftenItIsAsked) {
  RecentPace pace;
  double done = 0.0;
  for (int i = 0; i < 200'000; ++i) pace.Add(Progress(done += i < 100'000 ? 6e-6 : 1e-6, i * 1e-3));
  EXPECT_NEAR(pace.SecondsLeft(), (1.0 - done) / 1e-3, 0.02 * (1.0 - done) / 1e-3);
}

}  // namespace
}  // namespace openmi::testing
