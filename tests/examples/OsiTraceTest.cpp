#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "composition/model/CompositionFile.hpp"
#include "composition/run/CompositionRun.hpp"
#include "fmi-bridge/osmp/trace/TraceSummary.hpp"

namespace {

using namespace openmi;

const RecordedSeries& SeriesOf(const RunRecord& record, const std::string& item) {
  const auto found =
      std::ranges::find(record.series, item, [](const auto& series) { return series.spec->item.Text(); });
  if (found == record.series.end()) throw std::runtime_error("nobody observed " + item);
  return *found;
}

// What examples/osi-trace/README.md says.
TEST(OsiTraceExample, ShowsBothVehiclesWhereTheTraceHasThem) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "osi-trace-example";
  std::filesystem::create_directories(folder);
  const std::string trace = (folder / "overtaking_gt.osi").string();
  ASSERT_EQ(std::system((OPENMI_BINARY_DIR "/examples/osi-trace/write_overtaking " + trace).c_str()), 0);

  const osi::TraceSummary summary = osi::Summarize(trace);
  EXPECT_EQ(summary.type, "GroundTruth");
  EXPECT_EQ(summary.messages, 501U);
  EXPECT_EQ(summary.tracks.size(), 2U);
  EXPECT_EQ(summary.outlines.size(), 3U);
  EXPECT_EQ(summary.problem, "");

  Problems problems;
  CompositionFile file = ReadCompositionFile(OPENMI_SOURCE_DIR "/examples/osi-trace/overtaking.xml", problems);
  ThrowIfErrors(problems);
  Composition composition(std::move(file), {{"trace", trace}});
  composition.Load(problems);
  composition.Connect(problems);
  composition.Validate(problems);
  ThrowIfErrors(problems);
  RunOptions options;
  options.write_results = options.write_report = false;
  const RunRecord record = CompositionRun(composition, problems, options).Run();
  ThrowIfErrors(record.problems);

  const RecordedSeries& x = SeriesOf(record, "cars.x");
  const RecordedSeries& again = SeriesOf(record, "check.x");
  ASSERT_EQ(x.times.size(), 501U);
  ASSERT_EQ(again.times.size(), 501U);
  for (std::size_t row = 1; row < 501; ++row) {
    const double t = 0.02 * static_cast<double>(row);
    EXPECT_NEAR(x.values[2 * row], 30.0 * t, 1e-9);
    EXPECT_NEAR(x.values[2 * row + 1], 75.0 + 15.0 * t, 1e-9);
    EXPECT_EQ(again.values[2 * row], x.values[2 * row + 1]);
    EXPECT_EQ(again.values[2 * row + 1], x.values[2 * row]);
  }
  EXPECT_NEAR(x.values[500], 150.0, 1e-9);
  EXPECT_NEAR(x.values[501], 150.0, 1e-9);
  std::filesystem::remove_all(folder);
}

}  // namespace
