#include <gmock/gmock.h>

#include "ResultsFixture.hpp"
#include "composition/results/CompareResults.hpp"
#include "composition/results/ReadResults.hpp"

namespace openmi {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::NanSensitiveDoubleEq;

const std::filesystem::path kData = std::filesystem::path(OPENMI_SOURCE_DIR) / "tests/composition/results/data";

/// Files of every form that was ever written stay in the tree and are read for ever.
class OldFilesTest : public testing::TestWithParam<const char*> {};

TEST_P(OldFilesTest, AreReadForEver) {
  const ResultTable table = ReadResults(kData / GetParam());
  EXPECT_EQ(table.info.title, "upper-creek");
  EXPECT_EQ(table.info.source, "form 1");
  EXPECT_FALSE(table.was_cut);
  ASSERT_EQ(table.series.size(), 2u);
  const ResultRows& discharge = table.series[0];
  EXPECT_EQ(discharge.series.id, "creek.discharge");
  EXPECT_EQ(discharge.series.caption, "Discharge");
  EXPECT_EQ(discharge.series.quantity, "volume flux");
  EXPECT_EQ(discharge.series.unit, "m3 s-1");
  EXPECT_EQ(discharge.series.kind, ResultKind::Instant);
  EXPECT_EQ(discharge.series.elements, Discharge().elements);
  EXPECT_EQ(discharge.series.x, Discharge().x);
  EXPECT_TRUE(discharge.series.is_longitude_latitude);
  EXPECT_EQ(discharge.series.attributes, Discharge().attributes);
  ASSERT_EQ(discharge.ends.size(), 6u);
  for (int hour = 1; hour <= 6; ++hour) {
    const auto row = static_cast<std::size_t>(hour - 1);
    EXPECT_NEAR(discharge.ends[row], Hour(hour), 1e-11);
    EXPECT_EQ(discharge.Row(row)[0], hour + 0.1);
    EXPECT_THAT(discharge.Row(row)[1], NanSensitiveDoubleEq(hour == 5 ? kNaN : hour / 3.0));
  }
  const ResultRows& storage = table.series[1];
  EXPECT_EQ(storage.series.kind, ResultKind::Mean);
  EXPECT_EQ(storage.series.span, Days{0.125});
  EXPECT_THAT(storage.values, ElementsAre(1e9, NanSensitiveDoubleEq(kNaN)));
  EXPECT_NEAR(storage.begins[1], Hour(3), 1e-11);
  EXPECT_THAT(CompareResults(table, ReadResults(kData / "form-1.csv"), 0.0, 0.0), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Forms, OldFilesTest, testing::Values("form-1.csv", "form-1.nc", "form-1.journal"));

}  // namespace
}  // namespace openmi
