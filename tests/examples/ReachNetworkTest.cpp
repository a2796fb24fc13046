#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "examples/river-basin/numerics/ReachNetwork.hpp"
#include "openmi/sdk/Error.hpp"

namespace riverbasin {
namespace {

using ::testing::HasSubstr;

constexpr double kReachHour = 3600.0;

ReachDescription Reach(const char* id, const char* downstream) {
  return {id, downstream, {4000.0, 0.003, 8.0, 0.04, 6.0}};
}

TEST(ReachNetwork, RoutesFromTheHeadwatersDownInWhateverOrderTheyAreGiven) {
  ReachNetwork sorted({Reach("a", "c"), Reach("b", "c"), Reach("c", "sea")}, kReachHour);
  ReachNetwork shuffled({Reach("c", "sea"), Reach("b", "c"), Reach("a", "c")}, kReachHour);
  std::array<double, 3> one{};
  std::array<double, 3> other{};
  for (int step = 0; step < 50; ++step) {
    const double pulse = step < 5 ? 10.0 : 1.0;
    sorted.Step(std::array{pulse, 2.0, 0.5}, {}, one);
    shuffled.Step(std::array{0.5, 2.0, pulse}, {}, other);
    EXPECT_DOUBLE_EQ(one[0], other[2]);
    EXPECT_DOUBLE_EQ(one[2], other[0]);
  }
  ASSERT_EQ(sorted.Outlets().size(), 1u);
  EXPECT_EQ(sorted.Description(sorted.Outlets()[0]).id, "c");
}

TEST(ReachNetwork, ClosesItsBalance) {
  ReachNetwork network({Reach("a", "c"), Reach("b", "c"), Reach("c", "d"), Reach("d", "")}, kReachHour);
  network.StartSteady(std::array{1.0, 1.0, 1.0, 1.0});
  const double start = network.Storage();
  std::array<double, 4> out{};
  for (int step = 0; step < 720; ++step) {
    const double flow = 3.0 + 2.0 * std::sin(0.05 * step);
    network.Step(std::array{flow, 0.5 * flow, 0.0, 1.0}, {0.3 + 0.2 * std::sin(0.01 * step)}, out);
  }
  const double residual = start + network.CumulativeInflow() - network.CumulativeOutflow() - network.Storage();
  EXPECT_NEAR(residual / network.CumulativeInflow(), 0.0, 1e-12);
}

TEST(ReachNetwork, StartsSteady) {
  ReachNetwork network({Reach("a", "c"), Reach("b", "c"), Reach("c", "")}, kReachHour);
  const std::array lateral{1.0, 2.0, 0.5};
  network.StartSteady(lateral);
  std::array<double, 3> out{};
  network.Step(lateral, {}, out);
  EXPECT_NEAR(out[0], 1.0, 1e-12);
  EXPECT_NEAR(out[2], 3.5, 1e-12);
}

TEST(ReachNetwork, RefusesLoopsAndDoubleIdsByName) {
  try {
    ReachNetwork({Reach("a", "b"), Reach("b", "a")}, kReachHour);
    FAIL();
  } catch (const openmi::FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'a' on a loop"));
  }
  try {
    ReachNetwork({Reach("a", ""), Reach("a", "")}, kReachHour);
    FAIL();
  } catch (const openmi::FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'a' twice"));
  }
}

}  // namespace
}  // namespace riverbasin
