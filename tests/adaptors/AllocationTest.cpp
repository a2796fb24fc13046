#include <gtest/gtest.h>

#include <vector>

#include "adaptors/kernels/PolygonClip.hpp"
#include "adaptors/kernels/SparseRows.hpp"
#include "adaptors/kernels/TemporalMath.hpp"
#include "tests/timespace/MallocCount.hpp"

namespace openmi {
namespace {

using test::MallocCount;

class SteadyState : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::MallocIsCounted()) GTEST_SKIP() << "a sanitizer has malloc for itself";
  }
};

TEST_F(SteadyState, TheCounterCounts) {
  const std::uint64_t before = MallocCount();
  ::operator delete(::operator new(8));
  EXPECT_GE(MallocCount() - before, 1U);
}

TEST_F(SteadyState, AnswersInTimeAllocateNothing) {
  const std::vector<std::vector<double>> rows(300, std::vector<double>(50, 1.0));
  std::vector<double> out(50);
  for (const TemporalMethod method : {TemporalMethod::Linear, TemporalMethod::Nearest, TemporalMethod::Sum}) {
    for (const bool spans : {false, true}) {
      TemporalWeights weights({.method = method, .relaxation = 0.5});
      const auto at = [&](std::size_t i) {
        return Interval{static_cast<double>(i), static_cast<double>(i) + (spans ? 1.0 : 0.0)};
      };
      const auto row = [&](std::size_t i) { return std::span<const double>(rows[i]); };
      std::uint64_t after_first = 0;
      for (int step = 0; step < 320; ++step) {
        const double begin = -5.25 + step;
        ApplyAnswer(weights.Answer({at, rows.size(), spans}, {begin, begin + 3.5}), row, out);
        if (method != TemporalMethod::Sum) {
          ApplyAnswer(weights.Answer({at, rows.size(), spans}, {begin, begin}), row, out);
        }
        if (step == 10) after_first = MallocCount();
      }
      EXPECT_EQ(MallocCount() - after_first, 0U);
    }
  }
}

TEST_F(SteadyState, ApplyingWeightsAllocatesNothing) {
  SparseRows rows(3);
  rows.AddRow(std::vector<SparseRows::Entry>{{0, 0.5}, {2, 0.5}});
  rows.AddRow({});
  const std::vector<double> source{1.0, 2.0, 3.0};
  std::vector<double> target(2);
  const std::uint64_t before = MallocCount();
  rows.Apply(source, target);
  rows.Apply(source, target, {.missing = -999.0, .sources = MissingSources::Renormalise});
  EXPECT_EQ(MallocCount() - before, 0U);
}

TEST_F(SteadyState, OverlapsOfTheSameKindAllocateNothing) {
  Polygons polygons;
  polygons.Add(std::vector<Point>{{0, 0}, {4, 0}, {4, 4}, {2, 1}});
  polygons.Add(std::vector<Point>{{1, 0}, {5, 0}, {5, 4}, {3, 1}});
  polygons.Add(std::vector<Point>{{0, 0}, {4, 0}, {4, 4}, {0, 4}});
  PreparedPolygon a, b;
  OverlapFinder finder;
  std::uint64_t after_first = 0;
  for (int step = 0; step < 50; ++step) {
    for (std::size_t i = 0; i < 3; ++i) {
      a.Prepare(polygons.View(), i);
      b.Prepare(polygons.View(), 2);
      EXPECT_GT(finder.Area(a, b), 0.0);
    }
    if (step == 0) after_first = MallocCount();
  }
  EXPECT_EQ(MallocCount() - after_first, 0U);
}

}  // namespace
}  // namespace openmi
