// A whole run, killed: whatever it had told before is in both of its files.
#include <gmock/gmock.h>

#include <chrono>
#include <random>
#include <thread>

#include "ChildProcess.hpp"
#include "ResultsFixture.hpp"
#include "composition/check/CheckComposition.hpp"
#include "composition/model/CompositionReader.hpp"
#include "composition/results/CompareResults.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/results/ReadResults.hpp"
#include "composition/run/CompositionRun.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

using KillRunTest = ResultsTest;

constexpr int kHours = 60'000;
const double kBegin = ParseIsoTime("2000-01-01T00:00Z").mjd;

/// Throws unless the run reaches its end. Tells the time reached after every pass.
void RunIt(const std::filesystem::path& file, const std::filesystem::path& results, ChildProcess::Reporter& reporter) {
  Problems problems;
  Composition composition(ReadCompositionFile(file, problems));
  composition.Load(problems);
  composition.Connect(problems);
  CheckComposition(composition, problems);
  for (const Problem& problem : problems) {
    if (problem.severity == Problem::Error) throw std::runtime_error(FormatProblem(problem));
  }
  RunOptions options;
  options.folder = results;
  options.progress_seconds = 0.0;
  options.progress = [&](const RunProgress& progress) { reporter.Report(progress.now.mjd); };
  if (!CompositionRun(composition, problems, options).Run().is_complete) throw std::runtime_error("not complete");
}

/// Every row of the whole run up to `told` is there, and none is wrong.
void ExpectEveryRow(const ResultTable& table, double told) {
  ASSERT_EQ(table.series.size(), 2u);
  const ResultRows& hourly = table.series[0];
  const auto hours = static_cast<std::size_t>(std::floor((told - kBegin) * 24.0 + 1e-6));
  ASSERT_GE(hourly.ends.size(), hours);
  const double first = std::round((hourly.ends.front() - kBegin) * 24.0);
  for (std::size_t i = 0; i < hourly.ends.size(); ++i) {
    ASSERT_NEAR(hourly.ends[i], kBegin + (first + static_cast<double>(i)) / 24.0, 1e-10);
    ASSERT_EQ(hourly.values[i], 0.5 * (first + static_cast<double>(i)));
  }
  ASSERT_GE(hourly.ends.back(), told - 1e-10);
  const ResultRows& daily = table.series[1];
  ASSERT_GE(daily.ends.size(), hours / 24);
  for (std::size_t i = 0; i < daily.ends.size(); ++i) {
    ASSERT_NEAR(daily.ends[i], kBegin + static_cast<double>(i + 1), 1e-10);
    // The largest of a day is the one at its end.
    ASSERT_EQ(daily.values[i], 12.0 * static_cast<double>(i + 1));
  }
}

TEST_F(KillRunTest, LosesNothingOfWhatItTold) {
  std::string rows = "time,level (m)\n";
  for (int hour = 0; hour <= kHours; ++hour) {
    rows += FormatIsoTime(Stamp{kBegin + hour / 24.0}) + "," + std::to_string(hour / 2) +
            (hour % 2 == 0 ? ".0" : ".5") + "\n";
  }
  WriteText(In("series.csv"), rows);
  WriteText(In("killed.xml"), R"(<Composition xmlns="urn:openmi2:composition:1" Id="killed">
  <Component Id="s" Type="openmi.CsvSeries" Assembly="openmi-components">
    <Argument Key="file" Value="series.csv"/>
  </Component>
  <Observe Item="s.level"/>
  <Observe Id="highest" Item="s.level" Every="P1D" As="maximum"/>
  <Run From="2000-01-01T00:00Z" To="2006-11-05T00:00Z" Trigger="s"/>
</Composition>
)");
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> micros(0, 60'000);
  int killed = 0;
  std::uint64_t reported_hours = 0;
  for (int kill = 0; kill < 50; ++kill) {
    const auto results = In("r" + std::to_string(kill));
    ChildProcess child([&](ChildProcess::Reporter& reporter) { RunIt(In("killed.xml"), results, reporter); });
    double told = child.Next().value_or(0.0);
    ASSERT_GE(told, kBegin) << "the run did not begin";
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(micros(random));
    // On a slow machine, too, until some rows were confirmed.
    while (std::chrono::steady_clock::now() < end || told < kBegin + 200.0 / 24.0) {
      const auto next = child.Next();
      if (!next) break;
      told = *next;
    }
    child.Kill();
    while (const auto next = child.Next()) told = *next;
    const auto netcdf = results / "killed.nc";
    if (std::filesystem::exists(JournalOf(netcdf))) ++killed;
    reported_hours += static_cast<std::uint64_t>((told - kBegin) * 24.0);
    {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", kill " << kill << ", told "
                                      << FormatIsoTime(Stamp{told}));
      const ResultTable csv = ReadResults(results / "killed.csv");
      const ResultTable table = ReadResults(netcdf);
      ExpectEveryRow(csv, told);
      ExpectEveryRow(table, told);
      EXPECT_FALSE(std::filesystem::exists(JournalOf(netcdf)));
    }
    if (HasFatalFailure() || HasNonfatalFailure()) return;
    std::filesystem::remove_all(results);
  }
  EXPECT_GT(killed, 25) << "most must have been at work, else little was tested";
  EXPECT_GT(reported_hours, 5'000u) << "many rows must have been confirmed";
}

}  // namespace
}  // namespace openmi
