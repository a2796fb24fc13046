// How long workers compute and for whom they wait, at times that the test names.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "composition/isolation/WorkerTimes.hpp"
#include "tests/timespace/MallocCount.hpp"

namespace openmi::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pointwise;

constexpr double kHair = 1e-9;

/// Three workers, of which b and c are one party.
class Times : public ::testing::Test {
 protected:
  Times() { times_.Start(begin_); }
  WorkerTimes::Clock::time_point At(double seconds) const {
    return begin_ + std::chrono::duration_cast<WorkerTimes::Clock::duration>(std::chrono::duration<double>(seconds));
  }
  /// Computing, for the run, for others, for a, for b and c.
  std::vector<double> Sums(std::size_t worker) const {
    std::vector<double> sums(WorkerTimes::kParties + times_.Parties().size());
    const std::vector<double> times = times_.TimesOf(worker);
    for (std::size_t i = 0; i < times.size(); ++i) sums[i % sums.size()] += times[i];
    return sums;
  }
  void ExpectSums(std::size_t worker, const std::vector<double>& expected) const {
    EXPECT_THAT(Sums(worker), Pointwise(DoubleNear(kHair), expected)) << worker;
  }
  WorkerTimes times_;
  std::size_t a_ = times_.Add("upland");
  std::size_t b_ = times_.Add("plate");
  std::size_t c_ = times_.Add("plate");
  WorkerTimes::Clock::time_point begin_ = WorkerTimes::Clock::now();
};

TEST_F(Times, AWorkerWaitsForThoseThatCompute) {
  EXPECT_THAT(times_.Parties(), ElementsAre("upland", "plate"));
  times_.Begin(a_, At(1.0));  // until then all wait for the run
  times_.Begin(b_, At(3.0));
  times_.End(a_, At(4.0));  // for one second a and the party of b computed
  times_.End(b_, At(6.0));
  times_.Stop(At(6.5));
  ExpectSums(a_, {3.0, 1.5, 0.0, 0.0, 2.0});
  ExpectSums(b_, {3.0, 1.5, 0.0, 2.0, 0.0});
  ExpectSums(c_, {0.0, 1.5, 0.0, 2.5, 2.5});
}

TEST_F(Times, WhatAWorkerDidNotComputeIsTimeOfTheRun) {
  times_.Begin(a_, At(1.0));
  times_.End(a_, At(9.0));
  times_.Correct(a_, 2.0, {});  // the run took the reply late
  times_.Stop(At(10.0));
  ExpectSums(a_, {2.0, 8.0, 0.0, 0.0, 0.0});
  ExpectSums(b_, {0.0, 8.0, 0.0, 2.0, 0.0});
  const std::vector<double> of_a = times_.TimesOf(a_);
  const std::size_t columns = of_a.size() / times_.Bins();
  for (std::size_t bin = 0; bin < times_.Bins(); ++bin) {  // it computed at the start of these 8 s
    const double begin = static_cast<double>(bin) * times_.BinSeconds();
    const double most = begin > 3.0 + kHair ? 0.0 : times_.BinSeconds();
    EXPECT_LE(of_a[bin * columns], most + kHair) << begin;
  }
}

TEST_F(Times, RowsOfAnotherWorkerAreWaitedFor) {
  times_.Begin(a_, At(1.0));
  times_.End(a_, At(5.0));
  const WorkerTimes::Wait wait{b_, 3.0};
  times_.Correct(a_, 1.0, std::span(&wait, 1));
  times_.Stop(At(5.0));
  ExpectSums(a_, {1.0, 1.0, 0.0, 0.0, 3.0});
}

TEST_F(Times, EachBinIsFullAndNothingIsAllocatedInAStep) {
  double now = 0.0;
  const auto step = [&](double seconds) {
    for (const std::size_t worker : {a_, b_, c_}) {
      times_.Begin(worker, At(now));
      now += seconds;
      times_.End(worker, At(now));
      times_.Correct(worker, 0.7 * seconds, {});
    }
  };
  step(0.001);
  const std::uint64_t before = test::MallocCount();
  for (int i = 0; i < 20'000; ++i) step(0.01 + 0.0001 * (i % 7));
  EXPECT_EQ(test::MallocCount(), before);
  times_.Stop(At(now));
  const std::size_t bins = times_.Bins();
  EXPECT_LE(bins, WorkerTimes::kBins);
  EXPECT_GE(bins, WorkerTimes::kBins / 2);
  for (const std::size_t worker : {a_, b_, c_}) {
    const std::vector<double> times = times_.TimesOf(worker);
    const auto columns = static_cast<std::ptrdiff_t>(times.size() / bins);
    for (std::size_t bin = 0; bin + 1 < bins; ++bin) {
      const auto begin = times.begin() + static_cast<std::ptrdiff_t>(bin) * columns;
      EXPECT_NEAR(std::accumulate(begin, begin + columns, 0.0), times_.BinSeconds(), 1e-6 * times_.BinSeconds());
    }
    EXPECT_THAT(times, Each(::testing::Ge(-kHair)));
    EXPECT_NEAR(std::accumulate(times.begin(), times.end(), 0.0), now, 1e-6 * now);
  }
}

TEST_F(Times, AWorkerThatComesLaterWaitsFromThenOn) {
  times_.Begin(a_, At(0.0));
  const std::size_t late = times_.Add("later");
  times_.Stop(At(3600.0));
  const std::vector<double> sums = Sums(late);
  EXPECT_NEAR(std::accumulate(sums.begin(), sums.end(), 0.0), 3600.0, 60.0);
  EXPECT_EQ(times_.Parties().size(), 2U) << "it has no column: others wait for it as one of the others";
}

}  // namespace
}  // namespace openmi::testing
