#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "components/CellNumber.hpp"
#include "components/ColumnSpec.hpp"
#include "components/SeriesTimes.hpp"
#include "components/TimeReference.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/timespace/MallocCount.hpp"
#include "timespace/files/TextTable.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(ColumnSpec, ReadsNamesItemsElementsAndUnits) {
  const std::vector<ColumnSpec> columns = ParseColumns(R"(a, b=x[mm h-1] ,"c, d"=y@e[m3 s-1],"f")");
  ASSERT_EQ(columns.size(), 4u);
  EXPECT_EQ(columns[0].item, "a");
  EXPECT_FALSE(columns[0].has_unit);
  EXPECT_EQ(columns[1].source, "b");
  EXPECT_EQ(columns[1].unit, "mm h-1");
  EXPECT_EQ(columns[2].source, "c, d");
  EXPECT_EQ(columns[2].item, "y");
  EXPECT_EQ(columns[2].element, "e");
  EXPECT_EQ(columns[3].item, "f");
  for (const char* wrong : {"a=", "a[m", "\"a", "a b=c]d,,", "=a"}) {
    EXPECT_THROW(ParseColumns(wrong), FormatError) << wrong;
  }
}

TEST(ColumnSpec, ReadsHeadings) {
  EXPECT_EQ(ParseHeading("creek.discharge (m3 s-1)").item, "creek.discharge");
  EXPECT_EQ(ParseHeading("creek.discharge (m3 s-1)").unit, "m3 s-1");
  EXPECT_EQ(ParseHeading("level [m]").unit, "m");
  EXPECT_EQ(ParseHeading("level [m]").element, "");
  const ColumnSpec result = ParseHeading("creek.discharge[fp-27] (m3 s-1)");
  EXPECT_EQ(result.source, "creek.discharge[fp-27]");
  EXPECT_EQ(result.item, "creek.discharge");
  EXPECT_EQ(result.element, "fp-27");
  EXPECT_EQ(result.unit, "m3 s-1");
  EXPECT_EQ(ParseHeading("(m)").unit, "");
  EXPECT_EQ(ParseHeading("level").unit, "");
}

TEST(CellNumber, TellsNumbersMissingValuesAndOther) {
  CellNumber cells({"NA", "-9999"});
  EXPECT_EQ(*cells.Read("+3.5"), 3.5);
  EXPECT_EQ(*cells.Read("-1e-3"), -1e-3);
  EXPECT_TRUE(std::isnan(*cells.Read("NA")));
  EXPECT_TRUE(std::isnan(*cells.Read("-9.999e3")));
  EXPECT_FALSE(cells.Read("1,5"));
  EXPECT_FALSE(cells.Read("+-1"));
  EXPECT_FALSE(cells.Read("3 m"));
  EXPECT_FALSE(cells.Read("n/a"));
  EXPECT_FALSE(CellNumber({}, DecimalMark::Unknown).Read("1.000,5"));
}

TEST(TimeReference, ReadsWhatCfWrites) {
  EXPECT_EQ(TimeReference::Parse("days since 2000-01-01", "").At(1.5).mjd, 51545.5);
  EXPECT_EQ(TimeReference::Parse("hours since 1970-1-1 0:0:0", "").At(12).mjd, 40587.5);
  EXPECT_EQ(TimeReference::Parse("seconds since 1970-01-01T00:00:00Z", "").At(86400).mjd, 40588.0);
  EXPECT_EQ(TimeReference::Parse("minutes since 2000-01-01 06:00:00 +06:00", "").At(0).mjd, 51544.0);
  EXPECT_EQ(TimeReference::Parse("Hours since 2000-01-01 00:00:00 UTC", "").At(24).mjd, 51545.0);
  EXPECT_EQ(TimeReference::Parse("seconds since 2000-01-01 00:00:00.0", "").At(0).mjd, 51544.0);
  EXPECT_EQ(TimeReference::Parse("ns", "1970-01-01T00:00Z").At(1448928000e9).mjd,
            ParseIsoTime("2015-12-01T00:00Z").mjd);
  for (const char* wrong :
       {"months since 2000-01-01", "fortnights since 2000-01-01", "days since yesterday", "days since "}) {
    EXPECT_THROW(TimeReference::Parse(wrong, ""), FormatError) << wrong;
  }
  EXPECT_THAT([] { TimeReference::Parse("ns", ""); }, ThrowsMessage<FormatError>(HasSubstr("epoch")));
}

TEST(TimeReference, ReadsZones) {
  EXPECT_EQ(ParseUtcOffset("Z"), 0.0);
  EXPECT_EQ(ParseUtcOffset(" utc "), 0.0);
  EXPECT_EQ(ParseUtcOffset("-05:00"), -5.0);
  EXPECT_EQ(ParseUtcOffset("+0530"), 5.5);
  EXPECT_EQ(ParseUtcOffset("+1"), 1.0);
  for (const char* wrong : {"", "5", "+25:00", "+05:61", "CET", "+", "+1:2:3", "+123"}) {
    EXPECT_THROW(ParseUtcOffset(wrong), FormatError) << wrong;
  }
}

std::vector<SeriesStamp> HourlyFrom(Stamp begin, const std::vector<int>& hours) {
  std::vector<SeriesStamp> stamps;
  int line = 1;
  for (const int hour : hours) stamps.push_back({begin + Hours(hour), ++line});
  return stamps;
}

TEST(SeriesTimes, FindsItsRowsFarOutsideTheData) {
  const Stamp begin{57357.0};
  const SeriesTimes times(StampMeaning::Instant, HourlyFrom(begin, {0, 1, 2, 5}), {}, "x.csv");
  EXPECT_EQ(times.Count(), 6);
  EXPECT_EQ(times.Source(3), -1);
  EXPECT_EQ(times.Source(5), 3);
  EXPECT_EQ(times.Source(-1), -1);
  EXPECT_EQ(times.Source(6), -1);
  EXPECT_NEAR(times.Step()->count * 24.0, 1.0, 1e-12);
  for (const int hour : {-100000, -1000, -3, -1, 0, 1, 4, 5, 6, 7, 1000, 100000}) {
    EXPECT_EQ(times.FirstAfter(begin + Hours(hour)), hour + 1) << hour;
    EXPECT_EQ(times.FirstAfter(begin + Hours(hour) + Hours(0.5)), hour + 1) << hour;
    EXPECT_TRUE(SameTime(times.At(hour), begin + Hours(hour))) << hour;
  }
}

TEST(SeriesTimes, RowsFollowEachOtherWhateverTheStampsMean) {
  std::mt19937 random(20151201);
  std::vector<SeriesStamp> stamps;
  Stamp at{57357.0};
  for (int i = 0; i < 200; ++i) {
    at = at + Seconds(std::uniform_int_distribution<int>(1, 7200)(random));
    stamps.push_back({at, i + 2});
  }
  for (const StampMeaning meaning : {StampMeaning::Instant, StampMeaning::Begin, StampMeaning::End}) {
    const SeriesTimes times(meaning, stamps, {}, "x.csv");
    for (std::int64_t row = -5; row < times.Count() + 5; ++row) {
      EXPECT_TRUE(Before(times.At(row), times.At(row + 1)));
      EXPECT_EQ(times.FirstAfter(times.At(row)), row + 1);
      if (times.Source(row) < 0) continue;
      const Stamp stamp = stamps[static_cast<std::size_t>(times.Source(row))].stamp;
      EXPECT_TRUE(SameTime(stamp, meaning == StampMeaning::Begin ? times.At(row - 1) : times.At(row)));
    }
  }
}

TEST(SeriesTimes, FullHoursStayFullHoursOutsideTheData) {
  std::vector<SeriesStamp> stamps;
  for (int i = 0; i < 719; ++i) stamps.push_back({ParseIsoTime("2015-12-01T01:00Z") + Hours(i), i + 2});
  const SeriesTimes times(StampMeaning::End, stamps, {}, "x.csv");
  EXPECT_EQ(times.At(719).mjd, ParseIsoTime("2015-12-31T00:00Z").mjd);
  EXPECT_EQ(times.At(719 + 24 * 366).mjd, ParseIsoTime("2016-12-31T00:00Z").mjd);
  EXPECT_EQ(times.At(-1).mjd, ParseIsoTime("2015-12-01T00:00Z").mjd);
  EXPECT_EQ(times.At(-25).mjd, ParseIsoTime("2015-11-30T00:00Z").mjd);
}

TEST(SeriesTimes, AskForAStepWhereTheFileHasNone) {
  const std::vector<SeriesStamp> one = {{Stamp{57357.0}, 2}};
  EXPECT_THAT([&] { SeriesTimes(StampMeaning::End, one, {}, "x.csv"); }, ThrowsMessage<FormatError>(HasSubstr("step")));
  EXPECT_TRUE(SameTime(SeriesTimes(StampMeaning::End, one, Hours(2), "x.csv").Begin(), Stamp{57357.0} - Hours(2)));
  EXPECT_THAT(
      [] {
        SeriesTimes(StampMeaning::Instant, HourlyFrom(Stamp{57357.0}, {0, 1, 3}), Hours(2), "x.csv");
      },
      ThrowsMessage<FormatError>(HasSubstr("x.csv:3")));
  EXPECT_THAT(
      [] {
        SeriesTimes(StampMeaning::Instant, HourlyFrom(Stamp{57357.0}, {0, 1'000'000}), Seconds(1), "x.csv");
      },
      ThrowsMessage<FormatError>(HasSubstr("argument step")));
}

TEST(SeriesTimes, RefusesTimesBeyondAnyCalendar) {
  for (const double day : {9.96920996838687e36, -1e9, std::numeric_limits<double>::quiet_NaN()}) {
    const std::vector<SeriesStamp> stamps = {{Stamp{57357.0}, 2}, {Stamp{day}, 3}};
    EXPECT_THAT([&] { SeriesTimes(StampMeaning::Instant, stamps, {}, "x.csv"); },
                ThrowsMessage<FormatError>(HasSubstr("x.csv:3")));
  }
}

TEST(SeriesTimes, StampsRoundedToMillisecondsStayRegular) {
  std::vector<SeriesStamp> stamps;
  for (int i = 0; i < 5000; ++i) stamps.push_back({Stamp{57357.0} + Seconds(i * 0.25), i + 2});
  const SeriesTimes times(StampMeaning::End, stamps, {}, "x.csv");
  ASSERT_TRUE(times.Step());
  EXPECT_NEAR(ToSeconds(*times.Step()), 0.25, 1e-9);
  EXPECT_EQ(times.Count(), 5000);
}

TEST(TextTable, QuotesWhatHasToBeQuoted) {
  EXPECT_EQ(CsvCell("plain"), "plain");
  EXPECT_EQ(CsvCell("a,\"b\"\n"), "\"a,\"\"b\"\" \"");
}

TEST(TextTable, WhateverIsInAFileIsReadOrRefused) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("openmi-table-" + std::to_string(::getpid()) + ".csv")).string();
  const std::string good =
      "# c\ntime;\"q \"\"a\"\" (m3 s-1)\"\t, 2\r\n2020-01-01 00:00,1.5;-9 NA\n\n2020-01-01T01:00Z,2\n";
  std::mt19937 random(20240301);
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (int change = 0; change < 6; ++change) {
      const auto at = static_cast<std::size_t>(random()) % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 9);
          break;
        default:
          text.insert(at, std::string(random() % 4, "\",; \t\n#."[random() % 8]));
      }
      if (text.empty()) text = good;
    }
    std::ofstream(path, std::ios::binary) << text;
    try {
      TextTable table(path);
      for (std::size_t line = 0; line < table.Count(); ++line) EXPECT_FALSE(table.Cells(line).empty());
    } catch (const FormatError& error) {
      EXPECT_GT(error.Place().line, 0) << text;
    }
  }
  std::filesystem::remove(path);
}

TEST(TextTable, ALongTableIsNotKeptInPieces) {
  if (!test::MallocIsCounted()) GTEST_SKIP() << "a sanitizer has malloc for itself";
  const std::string path =
      (std::filesystem::temp_directory_path() / ("openmi-long-" + std::to_string(::getpid()) + ".csv")).string();
  constexpr int kLines = 20'000;
  std::ofstream file(path, std::ios::binary);
  for (int i = 0; i < kLines; ++i) file << "2020-01-01T00:00:00.000Z,1.25,a cell that is longer than most\r\n";
  file.close();
  const std::uint64_t before = test::MallocCount();
  TextTable table(path);
  ASSERT_EQ(table.Count(), static_cast<std::size_t>(kLines));
  for (std::size_t line = 0; line < table.Count(); ++line) ASSERT_EQ(table.Cells(line).size(), 3U);
  EXPECT_LT(test::MallocCount() - before, 100U);
  EXPECT_EQ(table.Cells(7)[2], "a cell that is longer than most");
  EXPECT_EQ(table.LineNumber(7), 8);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace openmi
