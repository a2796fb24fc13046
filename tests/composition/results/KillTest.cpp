#include <gmock/gmock.h>

#include <chrono>
#include <random>
#include <thread>

#include "ChildProcess.hpp"
#include "ResultsFixture.hpp"
#include "composition/results/CsvResults.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/results/ReadResults.hpp"

namespace openmi {
namespace {

using KillTest = ResultsTest;

constexpr double kStep = 1.0 / 1440.0;

ResultSeries Wide() {
  ResultSeries series = Discharge();
  series.elements.clear();
  series.x.clear();
  series.y.clear();
  for (int i = 0; i < 300; ++i) series.elements.push_back("e" + std::to_string(i));
  return series;
}

double ValueAt(int step, std::size_t element) {
  return step * 1.1 + static_cast<double>(element) / 7.0;
}

/// Writes until it is killed; tells each step that both writers have committed.
void WriteForEver(const std::filesystem::path& csv_path, const std::filesystem::path& netcdf_path,
                  ChildProcess::Reporter& reporter) {
  const std::vector<ResultSeries> series = {Wide(), Storage()};
  CsvResults csv(csv_path, Info(), series);
  NetcdfResults netcdf(netcdf_path, Info(), series);
  std::vector<double> row(series[0].Width());
  for (int step = 1;; ++step) {
    const double end = kDecember + step * kStep;
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = ValueAt(step, i);
    for (IResultWriter* writer : {static_cast<IResultWriter*>(&csv), static_cast<IResultWriter*>(&netcdf)}) {
      writer->Append(0, end, end, row);
      if (step % 3 == 0) writer->Append(1, end - 3 * kStep, end, std::vector{1.0 * step});
      writer->Commit(end);
    }
    reporter.Report(step);
  }
}

void ExpectEveryRow(const ResultTable& table, int last_step) {
  ASSERT_EQ(table.series.size(), 2u);
  const ResultRows& wide = table.series[0];
  ASSERT_GE(wide.ends.size(), static_cast<std::size_t>(last_step));
  ASSERT_LE(wide.ends.size(), static_cast<std::size_t>(last_step) + 1) << "what was not told can be one row at most";
  for (int step = 1; step <= last_step; ++step) {
    const auto index = static_cast<std::size_t>(step - 1);
    ASSERT_NEAR(wide.ends[index], kDecember + step * kStep, 1e-11);
    for (std::size_t i = 0; i < wide.series.Width(); ++i) ASSERT_EQ(wide.Row(index)[i], ValueAt(step, i));
  }
  const ResultRows& storage = table.series[1];
  ASSERT_GE(storage.values.size(), static_cast<std::size_t>(last_step / 3));
  for (std::size_t i = 0; i < storage.values.size(); ++i)
    ASSERT_EQ(storage.values[i], 3.0 * static_cast<double>(i + 1));
}

TEST_F(KillTest, EveryStepThatWasToldIsInBothFiles) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> micros(0, 30'000);
  int total = 0;
  for (int kill = 0; kill < 50; ++kill) {
    const auto csv = In(std::to_string(kill) + ".csv");
    const auto netcdf = In(std::to_string(kill) + ".nc");
    ChildProcess child([&](ChildProcess::Reporter& reporter) { WriteForEver(csv, netcdf, reporter); });
    int last_step = static_cast<int>(child.Next().value_or(0.0));  // so that it has begun
    ASSERT_EQ(last_step, 1);
    std::this_thread::sleep_for(std::chrono::microseconds(micros(random)));
    for (int i = 0; i < 20; ++i) last_step = static_cast<int>(child.Next().value_or(0.0));  // on a slow machine, too
    ASSERT_GE(last_step, 20);
    child.Kill();
    while (const auto step = child.Next()) last_step = static_cast<int>(*step);
    total += last_step;
    {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", kill " << kill << ", last step told " << last_step);
      ExpectEveryRow(ReadResults(csv), last_step);
      EXPECT_FALSE(std::filesystem::exists(netcdf));
      ExpectEveryRow(ReadResults(netcdf), last_step);  // rebuilds
      EXPECT_TRUE(std::filesystem::exists(netcdf));
      EXPECT_FALSE(std::filesystem::exists(JournalOf(netcdf)));
      ExpectEveryRow(ReadResults(netcdf), last_step);
    }
    if (HasFatalFailure() || HasNonfatalFailure()) return;
    std::filesystem::remove(csv);
    std::filesystem::remove(netcdf);
  }
  EXPECT_GT(total, 500) << "the children must have been at work, else nothing was tested";
}

TEST_F(KillTest, NetcdfFileIsWholeOrNotThereWhenKilledWhileItIsMade) {
  std::mt19937 random(11);
  std::uniform_int_distribution<int> micros(0, 12'000);
  constexpr int kSteps = 1000;
  int unfinished = 0;
  for (int kill = 0; kill < 20; ++kill) {
    const auto netcdf = In(std::to_string(kill) + ".nc");
    ChildProcess child([&](ChildProcess::Reporter& reporter) {
      NetcdfResults results(netcdf, Info(), {Wide()});
      std::vector<double> row(300);
      for (int step = 1; step <= kSteps; ++step) {
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = ValueAt(step, i);
        results.Append(0, kDecember + step * kStep, kDecember + step * kStep, row);
      }
      results.Commit(1e9);
      reporter.Report(1);
      results.Close();
    });
    ASSERT_EQ(child.Next(), 1.0);
    std::this_thread::sleep_for(std::chrono::microseconds(micros(random)));
    child.Kill();
    if (std::filesystem::exists(JournalOf(netcdf))) ++unfinished;
    const ResultTable table = ReadResults(netcdf);
    ASSERT_EQ(table.series.at(0).ends.size(), static_cast<std::size_t>(kSteps)) << kill;
    ASSERT_EQ(table.series[0].values.back(), ValueAt(kSteps, 299));
    std::filesystem::remove(netcdf);
  }
  RecordProperty("killed_while_it_was_made", unfinished);
}

}  // namespace
}  // namespace openmi
