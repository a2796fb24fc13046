#include <gmock/gmock.h>

#include "PlacesFixture.hpp"
#include "composition/results/CompareResults.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/results/ReadResults.hpp"

namespace openmi {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::NanSensitiveDoubleEq;
using testing::StartsWith;

const std::filesystem::path kData = std::filesystem::path(OPENMI_SOURCE_DIR) / "tests/composition/results/data";

/// Files of every form that was ever written stay in the tree and are read for ever.
class OldFilesTest : public testing::TestWithParam<const char*> {};

TEST_P(OldFilesTest, AreReadForEver) {
  ResultTable table = ReadResults(kData / GetParam());
  EXPECT_EQ(table.info.title, "upper-creek");
  EXPECT_THAT(table.info.source, StartsWith("form "));
  EXPECT_FALSE(table.was_cut);
  ASSERT_GE(table.series.size(), 2u);
  table.series.resize(2);
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

INSTANTIATE_TEST_SUITE_P(Forms, OldFilesTest,
                         testing::Values("form-1.csv", "form-1.nc", "form-1.journal", "form-2.nc", "form-3.journal"));

class FilesWithPlacesTest : public testing::TestWithParam<const char*> {};

TEST_P(FilesWithPlacesTest, AreReadForEver) {
  const ResultTable table = ReadResults(kData / GetParam());
  ASSERT_EQ(table.series.size(), 3u);
  EXPECT_EQ(table.series[0].series.elements_caption, "gauges");
  EXPECT_EQ(table.series[0].series.places->ElementType(), ElementType::Point);
  EXPECT_EQ(table.series[2].series.elements_caption, "Sub-catchments");
  ExpectSame(*table.series[2].series.places, Catchments());
  EXPECT_THAT(table.series[2].values, ElementsAre(1.0, 2.0, 3.0));
}

INSTANTIATE_TEST_SUITE_P(Forms, FilesWithPlacesTest, testing::Values("form-2.nc", "form-3.journal"));

using OldJournalTest = ResultsTest;

TEST_F(OldJournalTest, OfTheSecondVersionIsReadAndContinued) {
  std::string bytes = TextOf(kData / "form-1.journal");
  ASSERT_EQ(bytes[7], 1);
  bytes[7] = 2;  // which had notes besides
  WriteText(In("a.nc.journal"), bytes);
  std::vector<ResultSeries> series;
  for (const ResultRows& rows : ReadResults(In("a.nc.journal")).series) series.push_back(rows.series);
  ASSERT_EQ(series.size(), 2u);
  // The run that goes on knows the places, which the old journal has not.
  series[0].elements_caption = "gauges";
  series[0].places = std::make_shared<const ElementSet>(
      ElementSet::Points("gauges", kWgs84Wkt, series[0].elements, series[0].x, series[0].y));
  auto results = NetcdfResults::Reopen(In("a.nc"), series, bytes.size());
  results->Append(0, Hour(7), Hour(7), std::vector{7.5, 7.25});
  results->Close();
  const ResultTable table = ReadResults(In("a.nc"));
  ASSERT_EQ(table.series[0].ends.size(), 7u);
  EXPECT_EQ(table.series[0].Row(6)[1], 7.25);
  EXPECT_EQ(table.series[0].series.places, nullptr);
}

}  // namespace
}  // namespace openmi
