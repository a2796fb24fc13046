#include <gmock/gmock.h>

#include <clocale>

#include "ResultsFixture.hpp"
#include "composition/results/CsvResults.hpp"
#include "composition/results/CsvText.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::NanSensitiveDoubleEq;
using testing::StartsWith;
using testing::ThrowsMessage;

using CsvResultsTest = ResultsTest;

std::string RowsOf(const std::string& text) {
  return text.substr(text.find("\ntime") + 1);
}

TEST_F(CsvResultsTest, WritesOneTableForAllSeries) {
  CsvResults csv(In("a.csv"), Info(), {Discharge(), Storage()});
  for (int hour = 1; hour <= 3; ++hour) {
    csv.Append(0, Hour(hour), Hour(hour), std::vector{hour + 0.1, hour == 2 ? kNaN : -1e-30});
  }
  csv.Append(1, Hour(0), Hour(3), std::vector{1e9});
  csv.Close();
  EXPECT_EQ(TextOf(In("a.csv")),
            "# OpenMI results, form 1. Times are UTC; a mean, sum, minimum or maximum stands at the end of its span.\n"
            "# NaN: the value is missing. Empty: nothing was observed at that time.\n"
            "# title: upper-creek\n"
            "# source: openmi 0.2.0\n"
            "# history: 2026-01-31T12:00:00Z openmi run\n"
            "# comment: c\n"
            "# series: id=\"creek.discharge\" kind=\"instant\" unit=\"m3 s-1\" elements=\"2\" caption=\"Discharge\" "
            "quantity=\"volume flux\" comment=\"the reach fp-52 is invented\" +station=\"Sugar \\\"Creek\\\"\"\n"
            "# lon: -80.75 -80.5\n"
            "# lat: 35.25 35.125\n"
            "# series: id=\"reservoir.storage\" kind=\"mean\" span=\"PT3H\" unit=\"m3\" elements=\"0\"\n"
            "time,creek.discharge[fp-27] (m3 s-1),creek.discharge[fp-52] (m3 s-1),reservoir.storage (m3)\n"
            "2015-12-01T01:00:00Z,1.1,-1e-30,\n"
            "2015-12-01T02:00:00Z,2.1,NaN,\n"
            "2015-12-01T03:00:00Z,3.1,-1e-30,1e+09\n");
}

TEST_F(CsvResultsTest, HoldsACommittedRowBeforeItIsClosed) {
  CsvResults csv(In("a.csv"), {}, {Storage()});
  csv.Append(0, Hour(0), Hour(3), std::vector{1.0});
  csv.Append(0, Hour(3), Hour(6), std::vector{2.0});
  csv.Commit(Hour(3));
  EXPECT_EQ(RowsOf(TextOf(In("a.csv"))), "time,reservoir.storage (m3)\n2015-12-01T03:00:00Z,1\n");
}

TEST_F(CsvResultsTest, PutsSeriesThatAreAheadOfEachOtherInOneRow) {
  CsvResults csv(In("a.csv"), {}, {Discharge(), Storage()});
  for (int hour = 1; hour <= 6; ++hour) csv.Append(0, Hour(hour), Hour(hour), std::vector{1.0 * hour, 0.0});
  csv.Append(1, Hour(0), Hour(3) + 1e-11, std::vector{7.0});  // the same time, within 2 microseconds
  csv.Commit(Hour(3));
  csv.Append(1, Hour(3), Hour(6), std::vector{8.0});
  csv.Close();
  EXPECT_THAT(RowsOf(TextOf(In("a.csv"))), AllOf(HasSubstr("\n2015-12-01T03:00:00Z,3,0,7\n2015-12-01T04:00:00Z,4,0,\n"),
                                                 HasSubstr("\n2015-12-01T06:00:00Z,6,0,8\n")));
}

TEST_F(CsvResultsTest, PutsLateRowsInOrderWhenItIsClosed) {
  CsvResults csv(In("a.csv"), Info(), {Discharge(), Storage()});
  for (int hour = 1; hour <= 4; ++hour) csv.Append(0, Hour(hour), Hour(hour), std::vector{1.0 * hour, kNaN});
  csv.Commit(Hour(4));
  csv.Append(1, Hour(0), Hour(3), std::vector{7.0});
  csv.Commit(Hour(4));
  EXPECT_THAT(TextOf(In("a.csv")), testing::EndsWith("T04:00:00Z,4,NaN,\n2015-12-01T03:00:00Z,,,7\n"));
  EXPECT_THAT(ReadResults(In("a.csv")).series[1].values, ElementsAre(7.0));
  csv.Append(0, Hour(2), Hour(2), std::vector{2.5, 2.5});  // takes the place of an earlier one
  csv.Close();
  EXPECT_EQ(RowsOf(TextOf(In("a.csv"))).substr(RowsOf(TextOf(In("a.csv"))).find('\n') + 1),
            "2015-12-01T01:00:00Z,1,NaN,\n2015-12-01T02:00:00Z,2.5,2.5,\n2015-12-01T03:00:00Z,3,NaN,7\n"
            "2015-12-01T04:00:00Z,4,NaN,\n");
  EXPECT_THAT(TextOf(In("a.csv")), HasSubstr("# title: upper-creek\n"));
  EXPECT_FALSE(std::filesystem::exists(In("a.csv.part")));
}

TEST_F(CsvResultsTest, WritesTheMissingValueOfASeriesAsNaN) {
  ResultSeries series = Storage();
  series.missing = -9999.0;
  CsvResults csv(In("a.csv"), {}, {series});
  csv.Append(0, Hour(0), Hour(3), std::vector{-9999.0});
  csv.Close();
  EXPECT_THAT(TextOf(In("a.csv")), testing::EndsWith("T03:00:00Z,NaN\n"));
}

TEST_F(CsvResultsTest, QuotesIdsAndKeepsControlCharactersOut) {
  ResultSeries series = Discharge();
  series.id = "a,b";
  series.caption = "two\nlines\x1b[31m";
  series.elements = {"say \"hi\"", "#1"};
  CsvResults(In("a.csv"), {.title = "x\n2015,1"}, {series}).Close();
  const std::string text = TextOf(In("a.csv"));
  EXPECT_THAT(text, HasSubstr("time,\"a,b[say \"\"hi\"\"] (m3 s-1)\",\"a,b[#1] (m3 s-1)\"\n"));
  EXPECT_THAT(text, HasSubstr("caption=\"two\\u000alines\\u001b[31m\""));
  EXPECT_THAT(text, HasSubstr("# title: x 2015,1\n"));
  const ResultSeries read = ReadResults(In("a.csv")).series.at(0).series;
  EXPECT_EQ(read.id, "a,b");
  EXPECT_EQ(read.caption, "two\nlines\x1b[31m");
  EXPECT_THAT(read.elements, ElementsAre("say \"hi\"", "#1"));
}

TEST_F(CsvResultsTest, ReadsBackEverythingItWrote) {
  std::vector<double> values;
  {
    CsvResults csv(In("a.csv"), Info(), {Discharge(), Storage()});
    for (int i = 0; i < 500; ++i) {
      const std::vector<double> row = {std::sin(i) * 1e-300, i % 7 == 0 ? kNaN : std::exp(i % 700)};
      values.insert(values.end(), row.begin(), row.end());
      csv.Append(0, Hour(i), Hour(i), row);
      if (i > 0 && i % 3 == 0) csv.Append(1, Hour(i - 3), Hour(i), std::vector{i / 3.0});
      csv.Commit(Hour(i));
    }
  }
  const ResultTable table = ReadResults(In("a.csv"));
  EXPECT_EQ(table.info.title, "upper-creek");
  EXPECT_EQ(table.info.history, "2026-01-31T12:00:00Z openmi run");
  EXPECT_FALSE(table.was_cut);
  ASSERT_EQ(table.series.size(), 2u);
  ExpectDischarge(table.series[0].series);
  ASSERT_EQ(table.series[0].values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_THAT(table.series[0].values[i], NanSensitiveDoubleEq(values[i])) << i;
    if (std::isnan(values[i])) continue;
    ASSERT_EQ(table.series[0].values[i], values[i]) << "to the last bit, " << i;
  }
  EXPECT_EQ(table.series[1].series.kind, ResultKind::Mean);
  EXPECT_EQ(table.series[1].series.span, Days{0.125});
  EXPECT_EQ(table.series[1].ends.size(), 166u);
  EXPECT_DOUBLE_EQ(table.series[1].begins[1], Hour(3));
}

TEST_F(CsvResultsTest, KeepsNotesWhereTheyCameAlsoWhenRowsArePutInOrder) {
  for (const bool is_late : {false, true}) {
    const auto file = In(is_late ? "late.csv" : "a.csv");
    {
      CsvResults csv(file, Info(), {Storage()});
      csv.Append(0, Hour(0), Hour(3), std::vector{5.0});
      csv.Commit(Hour(3));
      csv.Note("tank.inflow overridden\nwith 7");
      if (is_late) csv.Append(0, Hour(-3), Hour(0), std::vector{4.0});
      csv.Append(0, Hour(3), Hour(6), std::vector{6.0});
    }
    const ResultTable table = ReadResults(file);
    EXPECT_THAT(table.info.notes, testing::ElementsAre("tank.inflow overridden with 7"));
    EXPECT_EQ(table.series.at(0).ends.size(), is_late ? 3U : 2U);
  }
}

TEST_F(CsvResultsTest, DropsARowThatWasCut) {
  {
    CsvResults csv(In("a.csv"), {}, {Discharge()});
    csv.Append(0, Hour(1), Hour(1), std::vector{1.0, 2.0});
    csv.Append(0, Hour(2), Hour(2), std::vector{12.5, 13.5});
  }
  const std::string text = TextOf(In("a.csv"));
  for (std::size_t length = 0; length < text.size(); ++length) {
    WriteText(In("cut.csv"), text.substr(0, length));
    if (length < kCsvMark.size()) continue;  // not even the first words
    const ResultTable table = ReadResults(In("cut.csv"));
    const std::size_t rows = table.series.empty() ? 0 : table.series[0].ends.size();
    const std::size_t second = text.find("2015-12-01T02");
    const std::size_t expected = length < second ? 0 : 1;
    ASSERT_EQ(rows, expected) << length;
    EXPECT_EQ(table.was_cut, text[length - 1] != '\n' || table.series.empty()) << length;
  }
}

TEST_F(CsvResultsTest, TakesARowThatWasCutOutOfTheFile) {
  std::string whole;
  {
    CsvResults csv(In("a.csv"), {}, {Discharge()});
    csv.Append(0, Hour(1), Hour(1), std::vector{1.0, 2.0});
    csv.Commit(Hour(1));
    whole = TextOf(In("a.csv"));
    EXPECT_FALSE(RepairCsv(In("a.csv"))) << "a run is writing it";
  }
  const std::string long_row = "2015-12-01T02:00:00Z," + std::string(200'000, '1');
  for (const std::string& tail : {std::string("2"), std::string("2015-12-01T02:00:00Z,12."), long_row}) {
    WriteText(In("a.csv"), whole + tail);
    EXPECT_TRUE(ReadResults(In("a.csv")).was_cut);
    EXPECT_EQ(TextOf(In("a.csv")), whole) << tail.size();
    EXPECT_FALSE(ReadResults(In("a.csv")).was_cut);
  }
  WriteText(In("other.csv"), "time,a\n2015-12-01T02:00:00Z,12.");
  EXPECT_FALSE(RepairCsv(In("other.csv"))) << "others may end their files as they like";
  EXPECT_FALSE(RepairCsv(In("nowhere.csv")));
}

TEST_F(CsvResultsTest, ReadsTablesOfOthers) {
  WriteText(In("other.csv"),
            "\xEF\xBB\xBF"
            "date,flow (m3/s),\"level[a,b] (m)\",level[c] (m)\r\n2015-12-01,1,2,3\r\n2015-12-02T00:00+01:00,4,NA,\r\n"
            "2015-12-03,,,6");
  const ResultTable table = ReadResults(In("other.csv"));
  ASSERT_EQ(table.series.size(), 2u);
  EXPECT_EQ(table.series[0].series.id, "flow");
  EXPECT_EQ(table.series[0].series.unit, "m3/s");
  EXPECT_THAT(table.series[0].ends, ElementsAre(57357.0, 57358.0 - 1.0 / 24.0));
  EXPECT_THAT(table.series[1].series.elements, ElementsAre("a,b", "c"));
  EXPECT_THAT(table.series[1].values, ElementsAre(2.0, 3.0, NanSensitiveDoubleEq(kNaN), NanSensitiveDoubleEq(kNaN),
                                                  NanSensitiveDoubleEq(kNaN), 6.0));
}

TEST_F(CsvResultsTest, ReadsNumbersOfSecondsAsToolsOfFmiWriteThem) {
  WriteText(In("fmu.csv"), "\"time\",\"h\",\"open\",\"state\"\n0.0,1,True,\"a, b\"\n0.01,2,False,c\n2000,3,True,d\n");
  const ResultTable table = ReadResults(In("fmu.csv"));
  EXPECT_TRUE(table.in_seconds);
  EXPECT_THAT(table.texts, ElementsAre("state"));
  ASSERT_EQ(table.series.size(), 2u);
  EXPECT_EQ(table.series[1].series.id, "open");
  EXPECT_THAT(table.series[1].values, ElementsAre(1.0, 0.0, 1.0));
  const std::vector<double>& ends = table.series[0].ends;
  EXPECT_EQ(ends[0], 51544.0);  // 2000-01-01
  EXPECT_EQ(SecondsOf(ends[1]), 0.01);
  EXPECT_EQ(SecondsOf(ends[2]), 2000.0);
  WriteText(In("day.csv"), "time,h\n20151201,1\n");
  EXPECT_EQ(ReadResults(In("day.csv")).series[0].ends[0], 57357.0) << "a date";
  WriteText(In("year.csv"), "year,h\n2015,1\n");
  EXPECT_THROW(ReadResults(In("year.csv")), FormatError) << "no seconds";
}

TEST_F(CsvResultsTest, NamesLineAndColumnOfWhatItCannotRead) {
  const std::string head = "time,a (m),b (m)\n2015-12-01T00:00Z,1,2\n";
  const auto reading = [this](const std::string& text) {
    WriteText(In("bad.csv"), text);
    return [this] { ReadResults(In("bad.csv")); };
  };
  EXPECT_THAT(reading(head + "2015-12-01T01:00Z,1,x\x1b\n"),
              ThrowsMessage<FormatError>(
                  AllOf(HasSubstr("bad.csv:3"), HasSubstr("column 'b (m)': expected a number, found 'x '"))));
  EXPECT_THAT(
      reading(head + "2015-12-01T01:00Z,1\n"),
      ThrowsMessage<FormatError>(AllOf(HasSubstr("bad.csv:3"), HasSubstr("expected 3 cells"), HasSubstr("found 2"))));
  EXPECT_THAT(
      reading(head + "tomorrow,1,2\n"),
      ThrowsMessage<FormatError>(AllOf(HasSubstr("bad.csv:3"), HasSubstr("column 1"), HasSubstr("'tomorrow'"))));
  EXPECT_THAT(reading(head + "2015-12-01T01:00Z,\"1,2\n"), ThrowsMessage<FormatError>(HasSubstr("not closed")));
  EXPECT_THAT(reading("time,a\n0,1\nNaN,2\n"), ThrowsMessage<FormatError>(HasSubstr("expected a number of seconds")));
  EXPECT_THAT(reading("time;a\n0;1\n"),
              ThrowsMessage<FormatError>(HasSubstr("expected columns between commas, found ';' between them")));
  EXPECT_THAT(reading("time,a,a\n"), ThrowsMessage<FormatError>(HasSubstr("found 'a' twice")));
  EXPECT_THAT(reading("# series: kind=\"median\"\n"), ThrowsMessage<FormatError>(HasSubstr("found 'median'")));
  for (const char* no_results : {"a shopping list\n", "milk", "milk, eggs\n", "time,a (m)\n2015-12-01T00:00Z,\n"}) {
    EXPECT_THAT(reading(no_results),
                ThrowsMessage<FormatError>(AllOf(HasSubstr("bad.csv"), HasSubstr("expected rows of results"))))
        << no_results;
  }
  EXPECT_THAT(reading(""), ThrowsMessage<FormatError>(HasSubstr("expected a heading")));
  EXPECT_THAT([this] { ReadResults(In("nowhere.csv")); },
              ThrowsMessage<FileError>(AllOf(HasSubstr("nowhere.csv"), HasSubstr("there is no such file"))));
  EXPECT_THAT([this] { ReadResults(folder_); }, ThrowsMessage<FileError>(HasSubstr("found a folder")));
}

TEST_F(CsvResultsTest, KeepsItsDescriptionsWhereColumnsWereTakenOut) {
  {
    CsvResults csv(In("a.csv"), {}, {Discharge(), Storage()});
    csv.Append(1, Hour(0), Hour(3), std::vector{1.0});
  }
  std::string text = TextOf(In("a.csv"));
  text.replace(text.find("time,"), std::string::npos, "time,reservoir.storage (m3)\n2015-12-01T03:00Z,1\n");
  WriteText(In("a.csv"), text);
  const ResultTable table = ReadResults(In("a.csv"));
  ASSERT_EQ(table.series.size(), 1u);
  EXPECT_EQ(table.series[0].series.kind, ResultKind::Mean);
  EXPECT_EQ(table.series[0].series.span, Days{0.125});
}

TEST_F(CsvResultsTest, RefusesRowsThatDoNotFit) {
  CsvResults csv(In("a.csv"), {}, {Discharge()});
  const std::vector<double> two = {1, 2};
  EXPECT_THAT(
      [&] { csv.Append(0, Hour(1), Hour(1), std::vector{1.0}); },
      ThrowsMessage<RangeError>(AllOf(HasSubstr("creek.discharge"), HasSubstr("expected 2 values in a row, found 1"))));
  EXPECT_THAT([&] { csv.Append(1, Hour(1), Hour(1), two); }, ThrowsMessage<RangeError>(HasSubstr("one of 1 series")));
  EXPECT_THAT([&] { csv.Append(0, Hour(2), Hour(1), two); },
              ThrowsMessage<RangeError>(HasSubstr("2015-12-01T02:00:00Z")));
  EXPECT_THROW(csv.Append(0, kNaN, Hour(1), two), RangeError);
}

TEST_F(CsvResultsTest, RefusesSeriesThatCannotBeToldApart) {
  EXPECT_THAT(
      [this] {
        CsvResults(In("a.csv"), {}, {Storage(), Storage()});
      },
      ThrowsMessage<FormatError>(AllOf(HasSubstr("reservoir.storage"), HasSubstr("twice"))));
  ResultSeries wrong = Discharge();
  wrong.x.pop_back();
  EXPECT_THROW(CsvResults(In("a.csv"), {}, {wrong}), FormatError);
  EXPECT_THROW(CsvResults(In("a.csv"), {}, {ResultSeries{}}), FormatError);
  EXPECT_FALSE(std::filesystem::exists(In("a.csv"))) << "nothing is made before all is checked";
}

TEST_F(CsvResultsTest, IsTheSameUnderADecimalComma) {
  ASSERT_NE(std::setlocale(LC_ALL, "de_DE.UTF-8"), nullptr);
  CsvResults csv(In("a.csv"), {}, {Storage()});
  csv.Append(0, Hour(0), Hour(3), std::vector{1234567.5});
  csv.Close();
  const ResultTable table = ReadResults(In("a.csv"));
  std::setlocale(LC_ALL, "C");
  EXPECT_THAT(TextOf(In("a.csv")), HasSubstr(",1234567.5\n"));
  EXPECT_THAT(table.series[0].values, ElementsAre(1234567.5));
}

TEST(ResultTimeText, HidesTheRoundingOfStampsAndNothingElse) {
  EXPECT_EQ(ResultTimeText(std::nextafter(Hour(1), 0.0)), "2015-12-01T01:00:00Z");
  EXPECT_EQ(ResultTimeText(std::nextafter(kDecember, 0.0)), "2015-12-01T00:00:00Z") << "not the day before";
  EXPECT_EQ(ResultTimeText(std::nextafter(kDecember + 0.25e-3 * 1000 / 86400, 0.0)), "2015-12-01T00:00:00.25Z");
  EXPECT_EQ(ResultTimeText(kDecember + 10e-6 / 86400), "2015-12-01T00:00:00.00001Z");
}

TEST(CsvText, ReadsPairsBackWhateverTheyHold) {
  std::string line;
  AppendPair(line, "a", "x\"y\\z\t=\"");
  AppendPair(line, "b", "");
  EXPECT_THAT(ParsePairs(line), ElementsAre(std::pair<std::string, std::string>("a", "x\"y\\z\t=\""),
                                            std::pair<std::string, std::string>("b", "")));
  EXPECT_THAT(ParsePairs("a=\"cut"), IsEmpty());
  EXPECT_THAT(ParsePairs("a=\"cut\\u00"), IsEmpty());
}

}  // namespace
}  // namespace openmi
