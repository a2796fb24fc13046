#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/osmp/schema/Schema.hpp"
#include "fmi-bridge/osmp/trace/TraceSummary.hpp"
#include "openmi/omi/SafeProbe.hpp"
#include "tests/support/RunChecked.hpp"

namespace {

using namespace openmi;
using ::testing::AllOf;
using ::testing::HasSubstr;

const RecordedSeries& SeriesOf(const RunRecord& record, const std::string& item) {
  const auto found =
      std::ranges::find(record.series, item, [](const auto& series) { return series.spec->item.Text(); });
  if (found == record.series.end()) throw std::runtime_error("nobody observed " + item);
  return *found;
}

/// A trace of the example in a folder of its own.
class OsiTraceExample : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("osi-example-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    trace_ = (folder_ / "overtaking_gt.osi").string();
    ASSERT_EQ(RunInChild({OPENMI_BINARY_DIR "/examples/osi-trace/write_overtaking", trace_}).exit_code, 0);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  static ChildResult Openmi(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), OPENMI_BINARY_DIR "/bin/openmi");
    return RunInChild(arguments);
  }
  std::string TextOf(const std::string& name) const {
    std::ifstream stream(folder_ / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::filesystem::path folder_;
  std::string trace_;
};

// What examples/osi-trace/README.md says.
TEST_F(OsiTraceExample, ShowsBothVehiclesWhereTheTraceHasThem) {
  const osi::TraceSummary summary = osi::Summarize(trace_);
  EXPECT_EQ(summary.type, "GroundTruth");
  EXPECT_EQ(summary.messages, 501U);
  EXPECT_EQ(summary.tracks.size(), 2U);
  EXPECT_EQ(summary.outlines.size(), 3U);
  EXPECT_EQ(summary.problem, "");

  Problems problems;
  CompositionFile file = ReadCompositionFile(OPENMI_SOURCE_DIR "/examples/osi-trace/overtaking.xml", problems);
  ThrowIfErrors(problems);
  Composition composition(std::move(file), {{"trace", trace_}});
  const RunRecord record = test::RunChecked(composition);
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
}

TEST_F(OsiTraceExample, TheCommandSaysWhatTheTraceHoldsAndDrawsIt) {
  const ChildResult result = Openmi({"osmp", "trace", trace_, "--plot", (folder_ / "overtaking.svg").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("501 GroundTruth"), HasSubstr("0.000000000 to 10.000000000 s"), HasSubstr("3.8.0 (501)"),
                    HasSubstr("2 moving"), HasSubstr("3 stationary"), HasSubstr("vehicle")));
  EXPECT_THAT(TextOf("overtaking.svg"), AllOf(HasSubstr("<svg"), HasSubstr("track of 10")));
  EXPECT_THAT(Openmi({"osmp", "trace", trace_, "--json"}).out, HasSubstr("\"mostObjects\": 2"));

  std::filesystem::resize_file(trace_, std::filesystem::file_size(trace_) - 1);
  const ChildResult cut = Openmi({"osmp", "trace", trace_});
  EXPECT_EQ(cut.exit_code, 4);
  EXPECT_THAT(cut.out, HasSubstr("500 GroundTruth"));
  EXPECT_THAT(cut.err, AllOf(HasSubstr("message 501"), HasSubstr("cut off")));
}

TEST_F(OsiTraceExample, TheCommandMakesATableOfARelease) {
  std::ofstream(folder_ / "osi_all.proto") << osi::Schema::Subset().Proto();
  const std::string table = (folder_ / "mine.osi-table").string();
  const ChildResult result = Openmi({"osmp", "schema", folder_.string(), "-o", table});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(osi::Schema::Load(table).MessageNames(), osi::Schema::Subset().MessageNames());
  EXPECT_EQ(Openmi({"osmp", "schema"}).out, osi::Schema::SubsetText());
  std::ofstream(folder_ / "osi_all.proto") << "syntax = \"proto2\"; message A { optional B b = 1; }";
  const ChildResult broken = Openmi({"osmp", "schema", folder_.string()});
  EXPECT_EQ(broken.exit_code, 4);
  EXPECT_THAT(broken.err, HasSubstr("osi_all.proto:1"));
}

}  // namespace
