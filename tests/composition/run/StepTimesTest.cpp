#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "composition/report/RunReport.hpp"
#include "composition/threads/StepTimes.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

TEST(StepTimes, GivePercentilesToTwoPercent) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> long_tail(12.0, 2.0);
  StepTimes times;
  StepTimes other;
  std::vector<std::uint64_t> all;
  for (int i = 0; i < 20'000; ++i) {
    all.push_back(static_cast<std::uint64_t>(long_tail(random)));
    (i % 3 == 0 ? other : times).Add(all.back());
  }
  times.Add(other);
  std::ranges::sort(all);
  EXPECT_EQ(times.Count(), all.size());
  EXPECT_EQ(times.Longest(), all.back());
  for (const double part : {0.01, 0.5, 0.9, 0.99, 0.999}) {
    const auto exact = static_cast<double>(all[static_cast<std::size_t>(part * static_cast<double>(all.size())) - 1]);
    EXPECT_NEAR(times.Percentile(part), exact, 0.02 * exact) << part;
  }
  EXPECT_EQ(times.Percentile(1.0), std::min(times.Percentile(1.0), static_cast<double>(all.back())));
}

TEST(StepTimes, AreExactForShortOnesAndHoldTheLongest) {
  StepTimes times;
  EXPECT_EQ(times.Percentile(0.5), 0.0);
  for (std::uint64_t ticks = 0; ticks < 64; ++ticks) times.Add(ticks);
  EXPECT_EQ(times.Percentile(0.5), 31.0);
  times.Add(~std::uint64_t{0});
  EXPECT_EQ(times.Longest(), ~std::uint64_t{0});
  EXPECT_NEAR(times.Percentile(1.0), 18446744073709551615.0, 0.02 * 18446744073709551615.0);
}

TEST(StepTimes, OfEachComponentAreRecordedWhereAskedFor) {
  Made made(R"(
      <Component Id="rain" Type="test.Source" Assembly="here">
        <Argument Key="gives" Value="instant"/>
      </Component>
      <Component Id="s" Type="test.Sink" Assembly="here">
        <Argument Key="asks" Value="instant"/>
      </Component>
      <Link From="rain.out" To="s.in"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-11T00:00Z"/>
    )");
  ASSERT_EQ(made.Text(), "");
  RunOptions options;
  const Folder folder;
  options.folder = folder.Path();
  options.write_results = false;
  options.step_times = true;
  options.write_report = WriteRunReport;
  const RunRecord record = CompositionRun(*made.composition, made.problems, options).Run();
  ASSERT_EQ(record.timings.size(), 2U);
  for (const RecordedTiming& timing : record.timings) {
    ASSERT_TRUE(timing.steps) << timing.component;
    EXPECT_EQ(timing.updates, 240U);
    EXPECT_GT(timing.steps->median, 0.0);
    EXPECT_LE(timing.steps->median, timing.steps->percentile_99 * 1.02);
    EXPECT_LE(timing.steps->percentile_99, timing.steps->longest * 1.02);
    EXPECT_LE(timing.steps->median * 120.0, timing.seconds * 1.05) << "half of the steps take at least the median";
  }
  std::ifstream file(folder.Path() / "made.html");
  const std::string html((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_NE(html.find("99 %"), std::string::npos);
}

}  // namespace
}  // namespace openmi::testing
