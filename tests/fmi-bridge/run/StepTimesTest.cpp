#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "fmi-bridge/fmi/component/StepTimes.hpp"
#include "fmi-bridge/fmi/run/StepEnds.hpp"

namespace openmi::fmi {
namespace {

// An FMU adds the length of a step to its start, and answers a sum above its stop time with Error.
TEST(FmuStepTimes, NoStepEndsAfterTheEndOfTheRun) {
  struct Case {
    double begin, step, run;
    std::int64_t steps;  // whole ones, and a part of one where the run is longer
  };
  constexpr Case cases[] = {{0.0, 0.02, 0.3, 15},    {0.0, 0.1, 0.7, 7},         {1e6, 0.01, 0.07, 7},
                            {-1e6, 0.01, 0.07, 7},   {0.01185, 1.0, 0.28815, 0}, {0.1, 0.1, 0.75, 7},
                            {1234567.1, 0.3, 1.0, 3}};
  for (const Case& c : cases) {
    SCOPED_TRACE(fmt::format("from {} in steps of {}, {} long", c.begin, c.step, c.run));
    StepTimes times;
    times.Start(c.begin, Seconds(c.step));
    const double end = times.EndOf(Seconds(c.run), false);
    EXPECT_NEAR(end, c.begin + c.run, 4e-10);
    const std::int64_t step_ticks = std::llround(c.step * 1e9);
    for (std::int64_t n = 0; n < c.steps; ++n) {
      times.Find(n * step_ticks, true, {});
      EXPECT_EQ(times.Length(), c.step);
      EXPECT_LE(times.From() + times.Length(), end) << n;
    }
    if (static_cast<double>(c.steps) * c.step > c.run - 1e-9) continue;
    times.Find(c.steps * step_ticks, false, Seconds(c.run));
    EXPECT_LE(times.From() + times.Length(), end);
    EXPECT_GE(times.From() + times.Length(), end - 4e-10);
    EXPECT_EQ(times.EndOf(Seconds(c.run), true), times.At((c.steps + 1) * step_ticks)) << "the last step is whole";
  }
}

TEST(FmuStepTimes, ALengthToATimeDoesNotEndAfterIt) {
  EXPECT_GT(0.01185 + (0.3 - 0.01185), 0.3) << "a case that tries nothing";
  EXPECT_LE(0.01185 + LengthUntil(0.01185, 0.3), 0.3);
  EXPECT_EQ(LengthUntil(0.25, 0.75), 0.5);
  for (int n = 1; n < 100'000; ++n) {
    const double from = 1.0 / n, end = 1.0 + 1.0 / (n + 7.0);
    ASSERT_LE(from + LengthUntil(from, end), end) << n;
    ASSERT_LE(-end + LengthUntil(-end, -from), -from) << n;
  }
}

}  // namespace
}  // namespace openmi::fmi
