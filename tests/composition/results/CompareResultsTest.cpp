#include <gmock/gmock.h>

#include "ResultsFixture.hpp"
#include "composition/results/CompareResults.hpp"
#include "composition/results/ReadResults.hpp"

namespace openmi {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = ResultDifference::Kind;
using CompareFiles = ResultsTest;

ResultTable Table() {
  ResultTable table;
  ResultRows rows;
  rows.series = Discharge();
  for (int hour = 0; hour < 4; ++hour) {
    rows.begins.push_back(Hour(hour));
    rows.ends.push_back(Hour(hour));
    rows.values.push_back(10.0 + hour);
    rows.values.push_back(hour == 2 ? kNaN : 20.0 + hour);
  }
  table.series.push_back(rows);
  return table;
}

std::vector<ResultDifference> Compare(const ResultTable& a, const ResultTable& b) {
  return CompareResults(a, b, 0, 0);
}

TEST(CompareResults, FindsNothingWhereNothingDiffers) {
  ResultTable other = Table();
  other.info.title = "another run";
  other.series[0].series.caption = "another caption";
  for (double& end : other.series[0].ends) end += 1e-11;  // a microsecond
  EXPECT_THAT(Compare(Table(), other), IsEmpty()) << "missing equals missing, captions do not count";
  EXPECT_THAT(Compare({}, {}), IsEmpty());
}

TEST(CompareResults, ToleratesWhatItIsTold) {
  ResultTable other = Table();
  other.series[0].values[0] = 10.001;
  EXPECT_THAT(CompareResults(Table(), other, 1e-4, 0), IsEmpty());
  EXPECT_THAT(CompareResults(Table(), other, 0.9e-4, 0), SizeIs(1));
  EXPECT_THAT(CompareResults(Table(), other, 0, 0.0011), IsEmpty());
  EXPECT_THAT(CompareResults(Table(), other, 0, 0.0009), SizeIs(1));
  EXPECT_THAT(CompareResults(Table(), other, 0.5e-4, 0.0005), IsEmpty()) << "they add";
}

TEST(CompareResults, TakesValuesBetweenRowsFromStraightLines) {
  ResultTable coarse = Table();
  const std::vector<double> times = {Hour(-1), Hour(0), Hour(0) + 0.25 / 24.0, Hour(2), Hour(2) + 0.5 / 24.0, Hour(4)};
  const ResultRows at = AtTimes(coarse.series[0], times);
  EXPECT_THAT(at.ends, ElementsAre(times[1], times[2], times[3], times[4])) << "within the period only";
  EXPECT_EQ(at.Row(0)[0], 10.0);
  EXPECT_NEAR(at.Row(1)[0], 10.25, 1e-6);
  EXPECT_EQ(at.Row(2)[0], 12.0);
  EXPECT_NEAR(at.Row(3)[0], 12.5, 1e-6);
  EXPECT_TRUE(std::isnan(at.Row(3)[1])) << "a neighbour is missing";
  coarse.series[0].series.kind = ResultKind::Mean;
  EXPECT_EQ(AtTimes(coarse.series[0], times).ends, coarse.series[0].ends);
}

TEST_F(CompareFiles, ALineLeadsToTheFirstRowOfAnEventAndNotAcrossEmptyCells) {
  WriteText(In("b.csv"), "time,x,y\n0,0,1\n1,0,\n1,10,\n2,10,3\n");
  const ResultTable table = ReadResults(In("b.csv"));
  std::vector<double> times;
  for (const double second : {0.0, 0.5, 1.0, 1.5, 2.0}) times.push_back((kZeroOfSeconds + Seconds(second)).mjd);
  EXPECT_THAT(AtTimes(table.series[0], times).values, ElementsAre(0.0, 0.0, 10.0, 10.0, 10.0));
  EXPECT_THAT(AtTimes(table.series[1], times).values,
              ElementsAre(1.0, testing::IsNan(), testing::IsNan(), testing::IsNan(), 3.0));
  EXPECT_THAT(table.series[0].ends, SizeIs(3)) << "the last row of an event counts";
}

TEST(CompareResults, NamesTheFirstAndTheLargestDifference) {
  ResultTable other = Table();
  other.series[0].values[1 * 2] = 11.5;
  other.series[0].values[2 * 2] = 15.0;
  other.series[0].values[3 * 2] = 12.0;
  const auto found = Compare(Table(), other);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].kind, Kind::Value);
  EXPECT_EQ(found[0].count, 3u);
  EXPECT_EQ(found[0].first.mjd, Hour(1));
  EXPECT_EQ(found[0].largest.mjd, Hour(2));
  EXPECT_EQ(found[0].Text(),
            "creek.discharge[fp-27]: 3 of 4 values differ; first at 2015-12-01T01:00:00Z: 11 against 11.5; largest at "
            "2015-12-01T02:00:00Z: 12 against 15");
}

TEST(CompareResults, CountsAValueAgainstAMissingOneAsTheLargest) {
  ResultTable other = Table();
  other.series[0].values[1] = 1e300;
  other.series[0].values[7] = kNaN;
  const auto found = CompareResults(Table(), other, 0.9, 1e9);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].element, "fp-52");
  EXPECT_EQ(found[0].count, 2u);
  EXPECT_EQ(found[0].largest.mjd, Hour(3));
}

TEST(CompareResults, DoesNotTolerateInfinities) {
  ResultTable a = Table();
  ResultTable b = Table();
  a.series[0].values[0] = b.series[0].values[0] = std::numeric_limits<double>::infinity();
  EXPECT_THAT(CompareResults(a, b, 1, 1), IsEmpty());
  b.series[0].values[0] = -b.series[0].values[0];
  EXPECT_THAT(CompareResults(a, b, 1, 1), SizeIs(1));
  b.series[0].values[0] = 1.0;
  EXPECT_THAT(CompareResults(a, b, 1, 1), SizeIs(1));
}

TEST(CompareResults, MatchesElementsByIdAndNotByOrder) {
  ResultTable other = Table();
  other.series[0].series.elements = {"fp-52", "fp-99"};
  for (std::size_t row = 0; row < 4; ++row) {
    other.series[0].values[2 * row] = Table().series[0].values[2 * row + 1];
  }
  const auto found = Compare(Table(), other);
  ASSERT_THAT(found, SizeIs(2)) << "fp-52 agrees";
  EXPECT_EQ(found[0].Text(), "creek.discharge[fp-27]: only in the first file");
  EXPECT_EQ(found[1].Text(), "creek.discharge[fp-99]: only in the second file");
}

TEST(CompareResults, TellsTimesThatOnlyOneHas) {
  ResultTable other = Table();
  ResultRows& rows = other.series[0];
  rows.begins = rows.ends = {Hour(1), Hour(3), Hour(7)};
  rows.values = {11, 21, 13, 23, 0, 0};
  const auto found = Compare(Table(), other);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].Text(), "creek.discharge: 2 of 4 times only in the first file, the first 2015-12-01T00:00:00Z");
  EXPECT_EQ(found[1].Text(), "creek.discharge: 1 of 3 times only in the second file, the first 2015-12-01T07:00:00Z");
}

TEST(CompareResults, TellsSeriesUnitsAndKinds) {
  ResultTable a = Table();
  ResultTable b = Table();
  b.series[0].series.unit = "ft3 s-1";
  b.series[0].series.kind = ResultKind::Mean;
  a.series.push_back({.series = Storage()});
  std::vector<std::string> texts;
  for (const auto& difference : Compare(a, b)) texts.push_back(difference.Text());
  for (const auto& difference : Compare(b, a)) texts.push_back(difference.Text());
  EXPECT_THAT(
      texts,
      ElementsAre("creek.discharge: unit 'm3 s-1' against 'ft3 s-1'", "creek.discharge: instant against mean",
                  "reservoir.storage: only in the first file", "creek.discharge: unit 'ft3 s-1' against 'm3 s-1'",
                  "creek.discharge: mean against instant", "reservoir.storage: only in the second file"));
}

TEST(CompareResults, NumbersWithoutUnitHaveTheUnitOne) {
  ResultTable a = Table();
  ResultTable b = Table();
  a.series[0].series.unit = "1";
  b.series[0].series.unit = "";
  EXPECT_THAT(Compare(a, b), SizeIs(0));
  b.series[0].series.unit = "%";
  EXPECT_THAT(Compare(a, b), SizeIs(1));
}

}  // namespace
}  // namespace openmi
