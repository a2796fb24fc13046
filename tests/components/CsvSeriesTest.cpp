#include <unistd.h>

#include <clocale>
#include <cmath>

#include "openmi/sdk/Quantity.hpp"
#include "openmi/standard/IManageState.hpp"
#include "tests/components/SeriesFixture.hpp"
#include "tests/support/RealData.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kCsvSeries = "openmi.CsvSeries";
using CsvSeries = ReadyComponents;

std::string UnitCaption(const IBaseExchangeItem& item) {
  return dynamic_cast<const IQuantity&>(item.ValueDefinition()).Unit().Caption();
}

TEST_F(CsvSeries, GivesInstantsAtTheirStampsWithUnitsFromTheHeading) {
  Write("gauge.csv",
        "time,discharge (m3 s-1),level [m]\n2020-01-01T00:00Z,1,10\n2020-01-01T01:00Z,2,20\n2020-01-01T02:00Z,4,30\n");
  const LoadedComponent gauge = Ready(kCsvSeries, {{"file", "gauge.csv"}});
  EXPECT_THAT(OutputIds(gauge), ElementsAre("discharge", "level"));
  EXPECT_EQ(UnitCaption(Output(gauge, "discharge")), "m3 s-1");
  EXPECT_EQ(UnitCaption(Output(gauge, "level")), "m");
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(gauge, "discharge"), At("2020-01-01T00:00Z")), 1.0);
  EXPECT_EQ(probe.Value(Output(gauge, "level"), At("2020-01-01T02:00Z")), 30.0);
  EXPECT_THAT(messages_, IsEmpty());
  Driver(*gauge.component).UpdateToEnd();
  EXPECT_EQ(gauge.component->Status(), LinkableComponentStatus::Done);
}

TEST_F(CsvSeries, SpansBeginOrEndAtTheStampAsSaid) {
  Write("rain.csv", "time,rain\n2020-01-01 01:00:00,1\n2020-01-01 02:00:00,2\n2020-01-01 03:00:00,3\n");
  for (const bool at_end : {true, false}) {
    const LoadedComponent rain =
        Ready(kCsvSeries,
              {{"file", "rain.csv"}, {"unit", "mm"}, {"utc-offset", "UTC"}, {"stamps", at_end ? "end" : "begin"}});
    ProbeInput probe;
    const Stamp two = At("2020-01-01T02:00Z");
    EXPECT_EQ(probe.Value(Output(rain, "rain"), two - Hours(1), two), at_end ? 2.0 : 1.0);
    EXPECT_EQ(probe.Value(Output(rain, "rain"), two, two + Hours(1)), at_end ? 3.0 : 2.0);
    const Stamp begin = At(at_end ? "2020-01-01T00:00Z" : "2020-01-01T01:00Z");
    const ITime& horizon = Output(rain, "rain").TimeSet()->TimeHorizon();
    EXPECT_TRUE(SameTime(Stamp{horizon.StampAsModifiedJulianDay()}, begin));
    EXPECT_TRUE(SameTime(EndOf(horizon), begin + Hours(3)));
  }
}

TEST_F(CsvSeries, RefusesStampsWithoutAZoneUntilOneIsSaid) {
  Write("rain.csv", "time,rain\n2015-12-01 00:00:00,0\n2015-12-01 01:00:00,1\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "rain.csv"}, {"unit", "mm"}}),
              AllOf(HasSubstr("rain.csv:2"), HasSubstr("utc-offset"), HasSubstr("2015-12-01 00:00:00")));
  for (const auto& [offset, utc] : std::vector<std::pair<std::string, std::string>>{{"+00:00", "2015-12-01T01:00Z"},
                                                                                    {"Z", "2015-12-01T01:00Z"},
                                                                                    {"UTC", "2015-12-01T01:00Z"},
                                                                                    {"-05:00", "2015-12-01T06:00Z"},
                                                                                    {"+0530", "2015-11-30T19:30Z"}}) {
    const LoadedComponent rain = Ready(kCsvSeries, {{"file", "rain.csv"}, {"unit", "mm"}, {"utc-offset", offset}});
    ProbeInput probe;
    EXPECT_EQ(probe.Value(Output(rain, "rain"), At(utc)), 1.0) << offset;
  }
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "rain.csv"}, {"unit", "mm"}, {"utc-offset", "Berlin"}}),
              AllOf(HasSubstr("utc-offset"), HasSubstr("Berlin"), HasSubstr("-05:00")));
}

TEST_F(CsvSeries, AZoneInTheStampWinsOverTheArgument) {
  Write("rain.csv", "time,rain\n2015-12-01T00:00:00+01:00,5\n2015-12-01T01:00:00+01:00,6\n");
  const LoadedComponent rain = Ready(kCsvSeries, {{"file", "rain.csv"}, {"unit", "mm"}, {"utc-offset", "-05:00"}});
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(rain, "rain"), At("2015-12-01T00:00Z")), 6.0);
}

TEST_F(CsvSeries, RefusesAColumnWithoutUnit) {
  Write("rain.csv", "time,rain\n2015-12-01T00:00Z,0\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "rain.csv"}}), AllOf(HasSubstr("unit of 'rain'"), HasSubstr("[m3 s-1]")));
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "rain.csv"}, {"unit", "furlongs per fish"}}), HasSubstr("furlongs"));
}

TEST_F(CsvSeries, ReadsSelectedColumnsUnderOtherNames) {
  Write("f.csv", "time,APCP_surface,TMP,precip_rate\n2015-12-01T00:00Z,1,280,3\n2015-12-01T01:00Z,4,281,6\n");
  const LoadedComponent forcing = Ready(
      kCsvSeries, {{"file", "f.csv"}, {"columns", "APCP_surface=precipitation[mm], 4=rate[m s-1]"}, {"unit", "K"}});
  EXPECT_THAT(OutputIds(forcing), ElementsAre("precipitation", "rate"));
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(forcing, "rate"), At("2015-12-01T01:00Z")), 6.0);
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "f.csv"}, {"columns", "APCP_surfaces"}, {"unit", "mm"}}),
              HasSubstr("did you mean 'APCP_surface'?"));
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "f.csv"}, {"columns", "TMP[K"}}),
              AllOf(HasSubstr("columns"), HasSubstr("]")));
}

TEST_F(CsvSeries, ColumnsBecomeElementsOfOneItem) {
  Write("cells.csv", "time,b,a\n2020-01-01T00:00Z,1,2\n2020-01-01T01:00Z,3,4\n");
  const LoadedComponent cells =
      Ready(kCsvSeries, {{"file", "cells.csv"}, {"unit", "mm"}, {"elements-from-columns", "true"}, {"item", "rain"}});
  EXPECT_THAT(OutputIds(cells), ElementsAre("rain"));
  EXPECT_THAT(ElementIds(Output(cells, "rain")), ElementsAre("b", "a"));
  ProbeInput probe;
  EXPECT_THAT(probe.Row(Output(cells, "rain"), At("2020-01-01T01:00Z")), ElementsAre(3.0, 4.0));
}

TEST_F(CsvSeries, ElementsTakeTheOrderOfTheirFileAndAreMatchedById) {
  Write("cells.csv", "time,b,a\n2020-01-01T00:00Z,1,2\n2020-01-01T01:00Z,3,4\n");
  Write("cells.geojson", R"({"type":"FeatureCollection","features":[
    {"type":"Feature","id":"a","properties":{"areasqkm":2.5},"geometry":{"type":"Polygon","coordinates":
      [[[0,0],[1,0],[1,1],[0,0]]]}},
    {"type":"Feature","id":"b","properties":{"areasqkm":1.5},"geometry":{"type":"Polygon","coordinates":
      [[[1,0],[2,0],[2,1],[1,0]]]}}]})");
  const Settings settings = {
      {"file", "cells.csv"}, {"columns", "a=rain@a[mm],b=rain@b[mm]"}, {"elements-file", "cells.geojson"}};
  const LoadedComponent cells = Ready(kCsvSeries, settings);
  EXPECT_THAT(ElementIds(Output(cells, "rain")), ElementsAre("a", "b"));
  ProbeInput probe;
  EXPECT_THAT(probe.Row(Output(cells, "rain"), At("2020-01-01T01:00Z")), ElementsAre(4.0, 3.0));
  const auto& where = dynamic_cast<const IElementSet&>(*Output(cells, "rain").SpatialDefinition());
  EXPECT_EQ(where.ElementType(), ElementType::Polygon);
  EXPECT_EQ(where.GetVertexXCoordinate(1, 0), 1.0);
  EXPECT_THAT(
      Refusal(kCsvSeries, {{"file", "cells.csv"}, {"columns", "a=rain@aa[mm]"}, {"elements-file", "cells.geojson"}}),
      AllOf(HasSubstr("cells.geojson"), HasSubstr("'aa'"), HasSubstr("there are: a, b")));
}

TEST_F(CsvSeries, ReadsTheResultsOfARun) {
  Write("run.csv",
        "# OpenMI results, form 1. Times are UTC; a mean, sum, minimum or maximum stands at the end of its span.\n"
        "# NaN: the value is missing. Empty: nothing was observed at that time.\n"
        "# series: id=\"creek.discharge\" kind=\"instant\" unit=\"m3 s-1\" elements=\"2\"\n"
        "time,creek.discharge[fp-27] (m3 s-1),creek.discharge[fp-52] (m3 s-1),reservoir.storage (m3)\n"
        "2015-12-01T01:00:00Z,1.1,0.2,\n2015-12-01T02:00:00Z,2.1,NaN,\n2015-12-01T03:00:00Z,3.1,0.2,1e+09\n");
  const LoadedComponent run = Ready(kCsvSeries, {{"file", "run.csv"}});
  EXPECT_THAT(OutputIds(run), ElementsAre("creek.discharge", "reservoir.storage"));
  EXPECT_THAT(ElementIds(Output(run, "creek.discharge")), ElementsAre("fp-27", "fp-52"));
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(run, "creek.discharge"), At("2015-12-01T01:00Z"), 1), 0.2);
  EXPECT_EQ(probe.Value(Output(run, "reservoir.storage"), At("2015-12-01T03:00Z")), 1e9);
}

TEST_F(CsvSeries, FillsGapsOfARegularSeriesWithMissingValuesAndSaysSo) {
  Write("q.csv",
        "time,q (m3 s-1)\n2020-01-01T00:00Z,1\n2020-01-01T01:00Z,2\n2020-01-01T05:00Z,6\n2020-01-01T06:00Z,7\n");
  const LoadedComponent gauge = Ready(kCsvSeries, {{"file", "q.csv"}});
  EXPECT_THAT(messages_, ElementsAre(AllOf(HasSubstr("q.csv"), HasSubstr("3 rows are missing"), HasSubstr("line 3"),
                                           HasSubstr("2020-01-01T05:00:00Z (line 4)"))));
  ProbeInput probe;
  EXPECT_TRUE(std::isnan(probe.Value(Output(gauge, "q"), At("2020-01-01T03:00Z"))));
  EXPECT_EQ(probe.Value(Output(gauge, "q"), At("2020-01-01T05:00Z")), 6.0);
}

TEST_F(CsvSeries, TakesAFewRowsAtOtherDistancesAsTheyAre) {
  const std::string rows = "time,q (1)\n2020-01-01T00:00:00Z,1\n2020-01-01T00:00:00.5Z,2\n2020-01-01T00:00:02Z,5\n";
  Write("three.csv", rows);
  const LoadedComponent three = Ready(kCsvSeries, {{"file", "three.csv"}});
  EXPECT_THAT(messages_, IsEmpty());
  Write("four.csv", rows + "2020-01-01T00:00:02.5Z,6\n");
  Ready(kCsvSeries, {{"file", "four.csv"}});
  EXPECT_THAT(messages_, ElementsAre(AllOf(HasSubstr("2 rows are missing"), HasSubstr("set step to none"))));
  messages_.clear();
  const LoadedComponent four = Ready(kCsvSeries, {{"file", "four.csv"}, {"step", "none"}});
  EXPECT_THAT(messages_, IsEmpty());
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(four, "q"), At("2020-01-01T00:00:02Z")), 5.0);
}

TEST_F(CsvSeries, FindsTheStepThatHalfOfTheDistancesAre) {
  Write("q.csv",
        "time,q (1)\n2020-01-01T00:00Z,1\n2020-01-01T01:00Z,2\n2020-01-01T03:00Z,4\n2020-01-01T04:00Z,5\n"
        "2020-01-01T06:00Z,7\n");
  const LoadedComponent gauge = Ready(kCsvSeries, {{"file", "q.csv"}});
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("1 row is missing"), HasSubstr("1 row is missing")));
  ProbeInput probe;
  EXPECT_TRUE(std::isnan(probe.Value(Output(gauge, "q"), At("2020-01-01T02:00Z"))));
}

TEST_F(CsvSeries, LeavesAnIrregularSeriesAsItIs) {
  Write("q.csv", "time,q (m3 s-1)\n2020-01-01T00:00Z,1\n2020-01-01T00:17Z,2\n2020-01-01T05:00Z,6\n");
  const LoadedComponent gauge = Ready(kCsvSeries, {{"file", "q.csv"}, {"stamps", "begin"}});
  EXPECT_THAT(messages_, IsEmpty());
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(gauge, "q"), At("2020-01-01T00:17Z"), At("2020-01-01T05:00Z")), 2.0);
}

TEST_F(CsvSeries, RefusesRowsOutOfOrderOrDoubledWithTheirLines) {
  Write("a.csv", "# a comment\ntime,q (1)\n2020-01-01T00:00Z,1\n2020-01-01T02:00Z,2\n\n2020-01-01T01:00Z,6\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "a.csv"}}),
              AllOf(HasSubstr("a.csv:6"), HasSubstr("line 4"), HasSubstr("sort the rows")));
  Write("b.csv", "time,q (1)\n2020-01-01T00:00Z,1\n2020-01-01T01:00Z,2\n2020-01-01T01:00Z,2\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "b.csv"}}),
              AllOf(HasSubstr("b.csv:4"), HasSubstr("again"), HasSubstr("line 3"), HasSubstr("keep one")));
}

TEST_F(CsvSeries, SaysFileLineAndColumnOfWhatCannotBeRead) {
  Write("a.csv", "time,q (1),w (1)\n2020-01-01T00:00Z,1,2\n2020-01-01T01:00Z,2,wet\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "a.csv"}}),
              AllOf(HasSubstr("a.csv:3"), HasSubstr("column 3 ('w (1)')"), HasSubstr("expected a number"),
                    HasSubstr("'wet'"), HasSubstr("missing-values")));
  Write("b.csv", "time,q (1),w (1)\n2020-01-01T00:00Z,1,2\n2020-01-01T01:00Z,2\n2020-01-01T02:00Z,1,2\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "b.csv"}}),
              AllOf(HasSubstr("b.csv:3"), HasSubstr("expected 3 cells, found 2")));
  Write("c.csv", "time,q (1)\n2020-01-01T00:00Z,1\n01.02.2020,2\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "c.csv"}}),
              AllOf(HasSubstr("c.csv:3"), HasSubstr("ISO 8601"), HasSubstr("01.02.2020")));
  Write("d.csv", "time,q (1)\n2020-01-01T00:00Z,\"1\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "d.csv"}}), AllOf(HasSubstr("d.csv:2"), HasSubstr("closing quote")));
  Write("e.csv", "");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "e.csv"}}), HasSubstr("expected rows, found none"));
  Write("f.csv", "time,q (1)\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "f.csv"}}),
              HasSubstr("f.csv:1: expected rows below the heading, found none; give a series with values"));
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "f.csv"}, {"header-lines", "1"}}),
              AllOf(HasSubstr("expected rows below 1 header lines"), HasSubstr("header-lines")));
}

TEST_F(CsvSeries, SaysWhyAFileCannotBeOpened) {
  EXPECT_THAT(
      Refusal(kCsvSeries, {{"file", "none.csv"}}),
      AllOf(HasSubstr("none.csv"), HasSubstr("found no file 'none.csv' in the folder '" + folder_.string() + "'")));
  Write("gauges.csv", "time,q (1)\n2020-01-01T00:00Z,1\n2020-01-02T00:00Z,2\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "gages.csv"}}), HasSubstr("did you mean 'gauges.csv'?"));
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "data/gauges.csv"}}),
              HasSubstr("found no folder '" + (folder_ / "data").string() + "' to look in"));
  std::filesystem::create_directory(folder_ / "dir.csv");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "dir.csv"}}),
              AllOf(HasSubstr("expected a table, found a folder"), HasSubstr("name a file in it")));
  std::filesystem::create_symlink("loop.csv", folder_ / "loop.csv");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "loop.csv"}}),
              HasSubstr("expected a table, found one that cannot be read: Too many levels of symbolic links"));
  std::filesystem::permissions(folder_ / "gauges.csv", std::filesystem::perms::none);
  const uid_t user = ::geteuid();
  if (user == 0) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  const std::string denied = Refusal(kCsvSeries, {{"file", "gauges.csv"}});
  if (user == 0) {
    ASSERT_EQ(::seteuid(user), 0);
  }
  EXPECT_THAT(denied, AllOf(HasSubstr("gauges.csv"), HasSubstr("permission denied")));
}

TEST_F(CsvSeries, SaysWhatAFileIsThatIsNoText) {
  Write("a.csv", "\x1F\x8B\x08 packed");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "a.csv"}}), AllOf(HasSubstr("gzip"), HasSubstr("gunzip")));
  Write("b.csv", "PK\x03\x04 sheet");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "b.csv"}}), AllOf(HasSubstr(".xlsx"), HasSubstr("save the sheet as CSV")));
  Write("c.csv", std::string("\xFF\xFEt\0i\0m\0e\0", 10));
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "c.csv"}}), AllOf(HasSubstr("UTF-16"), HasSubstr("UTF-8")));
  Write("d.csv", "CDF\x01 file");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "d.csv"}}), HasSubstr("openmi.NetcdfSeries"));
  Write("e.csv", std::string("time,q\n\0\1\2", 10));
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "e.csv"}}), HasSubstr("a binary file"));
}

TEST_F(CsvSeries, NamesTheEncodingOfAHeadingThatIsNotUtf8) {
  Write("q.csv", "time,Abflu\xDF (m3 s-1)\n2020-01-01T00:00Z,1\n2020-01-02T00:00Z,2\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "q.csv"}}),
              AllOf(HasSubstr("q.csv:1"), HasSubstr("expected text in UTF-8, found the byte 0xDF in 'Abflu? (m3 s-1)'"),
                    HasSubstr("Latin-1")));
}

TEST_F(CsvSeries, NamesDecimalCommasBetweenCommas) {
  const std::string head = "time,q (m3 s-1),level (m)\n";
  // A missing value makes the rows uneven.
  Write("a.csv", head + "2020-01-01T00:00Z,1,5,10,25\n2020-01-02T00:00Z,NA,10,5\n2020-01-03T00:00Z,2,5,11,0\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "a.csv"}}),
              AllOf(HasSubstr("decimal comma"), HasSubstr("';' between the cells")));
  Write("b.csv", head + "2020-01-01T00:00Z,1,5,10,25\n2020-01-02T00:00Z,-2,5,11,0\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "b.csv"}}),
              AllOf(HasSubstr("b.csv:1"), HasSubstr("decimal comma"), HasSubstr("';' between the cells")));
  // The last row without a fraction: its width is that of the heading.
  Write("c.csv", head + "2020-01-01T00:00Z,1,5,10,25\n2020-01-02T00:00Z,2,11\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "c.csv"}}), AllOf(HasSubstr("c.csv:2"), HasSubstr("decimal comma")));
  Write("d.csv", head + "2020-01-01T00:00Z,\"1,5\",10\n2020-01-02T00:00Z,2,11\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "d.csv"}}), AllOf(HasSubstr("'1,5'"), HasSubstr("argument decimal")));
  // A row that is wrong in another way is not taken for one.
  Write("e.csv", head + "2020-01-01T00:00Z,1,2\n2020-01-02T00:00Z,1,2,wet\n2020-01-03T00:00Z,1,2\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "e.csv"}}),
              AllOf(HasSubstr("e.csv:3"), HasSubstr("expected 3 cells, found 4"), HasSubstr("take out the cells"),
                    Not(HasSubstr("decimal comma"))));
}

TEST_F(CsvSeries, ReadsTimesOfAnotherForm) {
  struct Form {
    const char* format;
    const char* first;
    const char* second;
  };
  for (const Form& form : {Form{"%Y/%m/%d %H:%M:%S", "2015/12/01 00:00:00", "2015/12/01 13:30:00"},
                           Form{"%d.%m.%Y %H:%M", "01.12.2015 00:00", "1.12.2015 13:30"},
                           Form{"%m/%d/%Y %I:%M %p", "12/01/2015 12:00 AM", "12/1/2015 1:30 PM"},
                           Form{"%d %b %y %H:%M", "01 Dec 15 00:00", "01 dec 15 13:30"},
                           Form{"%Y-%j %H:%M", "2015-335 00:00", "2015-335 13:30"}}) {
    Write("q.csv", std::string("time,q (1)\n") + form.first + ",1\n" + form.second + ",2\n");
    const LoadedComponent series =
        Ready(kCsvSeries, {{"file", "q.csv"}, {"time-format", form.format}, {"utc-offset", "+01:00"}});
    ProbeInput probe;
    EXPECT_EQ(probe.Value(Output(series, "q"), At("2015-11-30T23:00Z")), 1.0) << form.format;
    EXPECT_EQ(probe.Value(Output(series, "q"), At("2015-12-01T12:30Z")), 2.0) << form.format;
  }
  // Without a heading, and with the date in a cell of its own.
  Write("q.txt", "01.12.2015 00:00 1\n01.12.2015 24:00 2\n");
  const LoadedComponent series = Ready(
      kCsvSeries, {{"file", "q.txt"}, {"time-format", "%d.%m.%Y %H:%M"}, {"utc-offset", "Z"}, {"columns", "3=q[1]"}});
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(series, "q"), At("2015-12-01T00:00Z")), 1.0);
  EXPECT_EQ(probe.Value(Output(series, "q"), At("2015-12-02T00:00Z")), 2.0);
}

TEST_F(CsvSeries, TheFirstRowInAGivenTimeFormatIsNoHeading) {
  struct Form {
    const char* format;
    const char* rows;
    const char* column;
  };
  for (const Form& form :
       {Form{"%m/%d/%y", "12/01/15,1\n12/02/15,2\n", "2"}, Form{"%d %b %y", "01 Dec 15,1\n02 Dec 15,2\n", "2"},
        Form{"%m/%d/%y %H:%M", "12/01/15,00:00,1\n12/01/15,24:00,2\n", "3"},
        Form{"%m-%d-%y  %I:%M %p", "12-01-15,12:00 AM,1\n12-02-15,12:00 AM,2\n", "3"}}) {
    Write("q.csv", form.rows);
    const LoadedComponent series = Ready(kCsvSeries, {{"file", "q.csv"},
                                                      {"time-format", form.format},
                                                      {"utc-offset", "Z"},
                                                      {"columns", std::string(form.column) + "=q[1]"}});
    ProbeInput probe;
    EXPECT_EQ(probe.Value(Output(series, "q"), At("2015-12-01T00:00Z")), 1.0) << form.format;
    EXPECT_EQ(probe.Value(Output(series, "q"), At("2015-12-02T00:00Z")), 2.0) << form.format;
  }
}

TEST_F(CsvSeries, SeveralBlanksInATimeFormatStandForAnyNumber) {
  Write("q.csv", "time,q (1)\n2015-335 00:00,1\n2015-336   00:00,2\n");
  const LoadedComponent series =
      Ready(kCsvSeries, {{"file", "q.csv"}, {"time-format", "%Y-%j  %H:%M"}, {"utc-offset", "Z"}});
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(series, "q"), At("2015-12-02T00:00Z")), 2.0);
}

TEST_F(CsvSeries, ProposesTheFormatOfTimesThatAreNotIso) {
  const auto refusal = [this](const std::string& time, const std::string& format) {
    Write("q.csv", "time,q (1)\n" + time + ",1\n" + time + ",2\n");
    return Refusal(kCsvSeries, {{"file", "q.csv"}, {"time-format", format}, {"utc-offset", "Z"}});
  };
  EXPECT_THAT(refusal("2015/12/01 00:00:00", ""),
              AllOf(HasSubstr("q.csv:2"), HasSubstr("time-format: %Y/%m/%d %H:%M:%S")));
  EXPECT_THAT(refusal("24.12.2015 06:00", ""), HasSubstr("time-format: %d.%m.%Y %H:%M"));
  EXPECT_THAT(refusal("02/01/2015", ""), HasSubstr("%d/%m/%Y or %m/%d/%Y"));
  EXPECT_THAT(refusal("12/24/2015", ""), AllOf(HasSubstr("%m/%d/%Y"), Not(HasSubstr("%d/%m/%Y"))));
  EXPECT_THAT(refusal("24.12.2015", "%d/%m/%Y"),
              AllOf(HasSubstr("expected a time of the form '%d/%m/%Y', found '24.12.2015'"), HasSubstr("time-format")));
  EXPECT_THAT(refusal("30/02/2015", "%d/%m/%Y"), HasSubstr("expected a day that the calendar has, found '30/02/2015'"));
  EXPECT_THAT(refusal("24.12.2015", "%d.%q"), AllOf(HasSubstr("time-format"), HasSubstr("'%q'")));
  EXPECT_THAT(refusal("24.12.2015", "%d.%m"), HasSubstr("expected a year, a month and a day"));
  Write("q.csv", "time,q (1)\n24.12.2015,1\n25.12.2015,2\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "q.csv"}, {"time-format", "%d.%m.%Y"}}), HasSubstr("utc-offset"));
}

TEST_F(CsvSeries, RefusesAHeadingThatDoesNotFitItsRows) {
  for (const char* heading : {"time,flow (m3 s-1)", "time,flow (m3 s-1),level (m),stage (m)", "Sugar Creek"}) {
    Write("q.csv", std::string(heading) + "\n2020-01-01T00:00Z,1,2\n2020-01-02T00:00Z,3,4\n");
    EXPECT_THAT(Refusal(kCsvSeries, {{"file", "q.csv"}, {"unit", "m"}}),
                AllOf(HasSubstr("q.csv:1"), HasSubstr("expected a heading of 3 cells, as the rows have, found one of"),
                      HasSubstr("header-lines=1")))
        << heading;
  }
  // Told to pass over it, columns go by their numbers; what looks like a heading is said not to be taken for one.
  Write("q.csv", "time,flow (m3 s-1)\n2020-01-01T00:00Z,1,2\n2020-01-02T00:00Z,3,4\n");
  const LoadedComponent series =
      Ready(kCsvSeries, {{"file", "q.csv"}, {"header-lines", "1"}, {"columns", "2=flow[m3 s-1]"}});
  EXPECT_THAT(OutputIds(series), ElementsAre("flow"));
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("line 1 has 2 cells and the rows have 3: it is not taken for a "
                                               "heading")));
}

TEST_F(CsvSeries, CountsTheValuesThatAreMissingInItsRows) {
  Write("q.csv", "time,a (m),b (m)\n2020-01-01T00:00Z,1,2\n2020-01-02T00:00Z,,4\n2020-01-03T00:00Z,NA,5\n");
  Ready(kCsvSeries, {{"file", "q.csv"}});
  EXPECT_THAT(messages_, ElementsAre(AllOf(HasSubstr("q.csv"), HasSubstr("a: 2 of 3 values are missing, the first in "
                                                                         "line 3"))));
}

TEST_F(CsvSeries, KnowsWhatStandsForAMissingValue) {
  Write("q.csv",
        "time,q (1)\n2020-01-01T00:00Z,NA\n2020-01-01T01:00Z,\n2020-01-01T02:00Z,-999.0\n2020-01-01T03:00Z,nan\n"
        "2020-01-01T04:00Z,-99\n");
  const LoadedComponent gauge = Ready(kCsvSeries, {{"file", "q.csv"}, {"missing-values", "NA, nan, -999"}});
  ProbeInput probe;
  for (int hour = 0; hour < 4; ++hour) {
    EXPECT_TRUE(std::isnan(probe.Value(Output(gauge, "q"), At("2020-01-01T00:00Z") + Hours(hour)))) << hour;
  }
  EXPECT_EQ(probe.Value(Output(gauge, "q"), At("2020-01-01T04:00Z")), -99.0);
}

TEST_F(CsvSeries, RefusesWhatIsNotFiniteUnlessItIsNamed) {
  Write("s.csv", "time,q (m)\n2020-01-01T00:00Z,1\n2020-01-01T01:00Z,inf\n2020-01-01T02:00Z,-Infinity\n");
  EXPECT_THAT(
      Refusal(kCsvSeries, {{"file", "s.csv"}}),
      AllOf(HasSubstr("s.csv:3"), HasSubstr("expected a finite number, found 'inf'"), HasSubstr("missing-values")));
  const LoadedComponent series = Ready(kCsvSeries, {{"file", "s.csv"}, {"missing-values", "inf, -Infinity"}});
  EXPECT_THAT(messages_, Contains(HasSubstr("2 of 3 values are missing")));
}

TEST_F(CsvSeries, ReportsNumbersThatStandForNoValueInManyFiles) {
  const std::string head = "time,q (mm)\n2020-01-01T00:00Z,1\n";
  Write("s.csv", head + "2020-01-01T01:00Z,-9999\n2020-01-01T02:00Z,0\n2020-01-01T03:00Z,-9999.0\n");
  Ready(kCsvSeries, {{"file", "s.csv"}});
  EXPECT_THAT(messages_, Contains(AllOf(HasSubstr("s.csv"), HasSubstr("2 of 4 values are -9999, the first in line 3"),
                                        HasSubstr("add -9999 to the argument missing-values"))));
  Ready(kCsvSeries, {{"file", "s.csv"}, {"missing-values", "-9999"}});
  EXPECT_THAT(messages_, Not(Contains(HasSubstr("-9999"))));
  EXPECT_THAT(messages_, Contains(HasSubstr("2 of 4 values are missing")));
  Write("s.csv", head + "2020-01-01T01:00Z,-999\n");
  Ready(kCsvSeries, {{"file", "s.csv"}});
  EXPECT_THAT(messages_, Contains(HasSubstr("1 of 2 values is -999")));
  // Values about it: a depth below a datum, and no sign.
  Write("s.csv", "time,q (m)\n2020-01-01T00:00Z,-998\n2020-01-01T01:00Z,-999\n2020-01-01T02:00Z,-997\n");
  Ready(kCsvSeries, {{"file", "s.csv"}});
  EXPECT_THAT(messages_, Not(Contains(HasSubstr("-999"))));
}

TEST_F(CsvSeries, ReadsSemicolonsDecimalCommasTabsQuotesAndCarriageReturns) {
  Write("a.csv", "\xEF\xBB\xBFtime;\"q (m3 s-1)\"\r\n2020-01-01 00:00;1,5\r\n2020-01-01 01:00;2,25\r\n");
  const LoadedComponent a = Ready(kCsvSeries, {{"file", "a.csv"}, {"utc-offset", "+00:00"}});
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(a, "q"), At("2020-01-01T01:00Z")), 2.25);
  Write("b.csv", "time\tq (1)\n2020-01-01T00:00Z\t\"1.5\"\n2020-01-01T01:00Z\t2\n");
  const LoadedComponent b = Ready(kCsvSeries, {{"file", "b.csv"}});
  EXPECT_EQ(probe.Value(Output(b, "q"), At("2020-01-01T00:00Z")), 1.5);
  Write("c.csv", "time;q (1)\n2020-01-01T00:00Z;1,5\n2020-01-01T01:00Z;2.5\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "c.csv"}}),
              AllOf(HasSubstr("c.csv:3"), HasSubstr("2.5"), HasSubstr("decimal")));
}

TEST_F(CsvSeries, ReadsTheSameUnderADecimalCommaLocale) {
  Write("q.csv", "time,q (1)\n2020-01-01T00:00Z,1.5\n2020-01-01T01:00Z,2.5e-3\n");
  ASSERT_NE(std::setlocale(LC_ALL, "de_DE.UTF-8"), nullptr);
  const LoadedComponent gauge = Ready(kCsvSeries, {{"file", "q.csv"}});
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(gauge, "q"), At("2020-01-01T01:00Z")), 2.5e-3);
  std::setlocale(LC_ALL, "C");
}

TEST_F(CsvSeries, ReadsNumericTimesSinceADate) {
  Write("q.csv", "t,q (1)\n0,1\n1.5,2\n3,3\n");
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "q.csv"}}), HasSubstr("time"));
  const LoadedComponent gauge =
      Ready(kCsvSeries, {{"file", "q.csv"}, {"time-units", "hours since 2020-01-01 00:00:00Z"}});
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(gauge, "q"), At("2020-01-01T01:30Z")), 2.0);
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "q.csv"}, {"time-units", "months since 2020-01-01"}}),
              AllOf(HasSubstr("time-units"), HasSubstr("months")));
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "q.csv"}, {"time-units", "h"}}), HasSubstr("epoch"));
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "q.csv"}, {"time-units", "h"}, {"epoch", "2020-01-01"}}),
              HasSubstr("utc-offset"));
}

TEST_F(CsvSeries, ReadsADateAndATimeInTwoCells) {
  Write("q.txt", "day clock q\n2020-01-01 00:00 1\n2020-01-01 01:00 2\n");
  const LoadedComponent gauge = Ready(kCsvSeries, {{"file", "q.txt"}, {"unit", "1"}, {"utc-offset", "Z"}});
  EXPECT_THAT(OutputIds(gauge), ElementsAre("q"));
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(gauge, "q"), At("2020-01-01T01:00Z")), 2.0);
  Write("s.csv", "q,day,clock\n1,2020-01-01,00:00\n2,2020-01-01,01:00\n");
  const LoadedComponent other =
      Ready(kCsvSeries, {{"file", "s.csv"}, {"unit", "1"}, {"utc-offset", "Z"}, {"time-column", "day+clock"}});
  EXPECT_EQ(probe.Value(Output(other, "q"), At("2020-01-01T01:00Z")), 2.0);
}

TEST_F(CsvSeries, CountsRowsWithoutTimesFromAStart) {
  Write("inputs.dat", "2  1.0\r\n .0000000  .0000619 1\r\n .0010000  .0000647 2\r\n   .0020000  .0000560 3\r\n");
  const Settings settings = {{"file", "inputs.dat"},
                             {"start", "2000-01-01T00:00Z"},
                             {"step", "PT1H"},
                             {"stamps", "begin"},
                             {"columns", "1=rain[m],2=evaporation[m]"}};
  const LoadedComponent series = Ready(kCsvSeries, settings);
  EXPECT_THAT(messages_, ElementsAre(AllOf(HasSubstr("header says 2 rows, 3 are there"), HasSubstr("all are used"))));
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(series, "rain"), At("2000-01-01T02:00Z"), At("2000-01-01T03:00Z")), 0.002);
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "inputs.dat"}, {"start", "2000-01-01T00:00Z"}, {"unit", "m"}}),
              HasSubstr("step"));
  EXPECT_THAT(
      Refusal(kCsvSeries, {{"file", "inputs.dat"}, {"start", "2000-01-01T00:00"}, {"step", "PT1H"}, {"unit", "m"}}),
      AllOf(HasSubstr("start"), HasSubstr("zone")));
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "inputs.dat"}, {"time-column", "none"}, {"unit", "m"}}),
              HasSubstr("start"));
}

TEST_F(CsvSeries, RefusesAStepThatIsNone) {
  Write("q.csv", "time,q (1)\n2020-01-01T00:00Z,1\n2020-01-01T01:00Z,2\n");
  for (const char* step : {"PT0S", "1 us", "hourly", "-1 h", "P1M"}) {
    EXPECT_THAT(Refusal(kCsvSeries, {{"file", "q.csv"}, {"step", step}}), HasSubstr("csv-series.step")) << step;
  }
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "q.csv"}, {"step", "PT45M"}}),
              AllOf(HasSubstr("q.csv:3"), HasSubstr("PT45M")));
  EXPECT_THAT(Refusal(kCsvSeries, {{"file", "q.csv"}, {"step", "PT30M"}}), HasSubstr("not refused"));
}

TEST_F(CsvSeries, GoesOnWithMissingValuesOutsideItsRows) {
  Write("q.csv", "time,q (1)\n2020-01-01T06:00Z,1\n2020-01-01T07:00Z,2\n");
  const LoadedComponent gauge =
      Ready(kCsvSeries, {{"file", "q.csv"}, {"start-time", "2020-01-01T03:00Z"}, {"end-time", "2020-01-01T10:00Z"}});
  ProbeInput probe;
  probe.PromiseNothingBefore(At("2020-01-01T03:00Z"));
  ITimeSpaceOutput& output = Output(gauge, "q");
  output.AddConsumer(probe);
  std::vector<double> values;
  for (int hour = 3; hour <= 10; ++hour) values.push_back(probe.Value(output, At("2020-01-01T00:00Z") + Hours(hour)));
  EXPECT_THAT(values, ElementsAre(::testing::IsNan(), ::testing::IsNan(), ::testing::IsNan(), 1.0, 2.0,
                                  ::testing::IsNan(), ::testing::IsNan(), ::testing::IsNan()));
  EXPECT_EQ(gauge.component->Status(), LinkableComponentStatus::Done);
  EXPECT_TRUE(SameTime(EndOf(output.TimeSet()->TimeHorizon()), At("2020-01-01T07:00Z")));
}

TEST_F(CsvSeries, SpansAcrossTheEndsOfTheRunAreGivenWhole) {
  Write("q.csv", "time,q (1)\n2020-01-01T00:00Z,1\n2020-01-01T01:00Z,2\n2020-01-01T02:00Z,3\n");
  const LoadedComponent gauge = Ready(
      kCsvSeries,
      {{"file", "q.csv"}, {"stamps", "begin"}, {"start-time", "2020-01-01T00:30Z"}, {"end-time", "2020-01-01T01:30Z"}});
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(gauge, "q"), At("2020-01-01T00:00Z"), At("2020-01-01T01:00Z")), 1.0);
  EXPECT_EQ(probe.Value(Output(gauge, "q"), At("2020-01-01T01:00Z"), At("2020-01-01T02:00Z")), 2.0);
  EXPECT_EQ(gauge.component->Status(), LinkableComponentStatus::Done);
}

TEST_F(CsvSeries, AnInstantBeforeTheRunIsThereToInterpolateFrom) {
  Write("q.csv", "time,q (1)\n2020-01-01T00:00Z,1\n2020-01-01T06:00Z,2\n2020-01-01T12:00Z,3\n");
  const LoadedComponent gauge =
      Ready(kCsvSeries, {{"file", "q.csv"}, {"start-time", "2020-01-01T08:00Z"}, {"end-time", "2020-01-01T09:00Z"}});
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(gauge, "q"), At("2020-01-01T06:00Z")), 2.0);
  EXPECT_EQ(probe.Value(Output(gauge, "q"), At("2020-01-01T12:00Z")), 3.0);
}

TEST_F(CsvSeries, RunsAgainAndGoesBackToAState) {
  Write("q.csv", "time,q (1)\n2020-01-01T00:00Z,1\n2020-01-01T01:00Z,2\n2020-01-01T02:00Z,3\n");
  const LoadedComponent gauge = Ready(kCsvSeries, {{"file", "q.csv"}});
  Driver driver(*gauge.component);
  driver.Update();
  auto& states = dynamic_cast<IManageState&>(*gauge.component);
  const IIdentifiable& kept = states.KeepCurrentState();
  driver.UpdateToEnd();
  states.RestoreState(kept);
  EXPECT_TRUE(SameTime(driver.Now(), At("2020-01-01T01:00Z")));
  driver.UpdateToEnd();
  driver.Finish();
  ASSERT_EQ(gauge.component->Status(), LinkableComponentStatus::Created);
  driver.Initialize();
  driver.Prepare();
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(gauge, "q"), At("2020-01-01T02:00Z")), 3.0);
}

TEST_F(CsvSeries, ReadsTheForcingOfABasin) {
  const LoadedComponent forcing = Ready(kCsvSeries, {{"file", (RealData() / "basin/forcing_cat-27.csv").string()},
                                                     {"columns", "APCP_surface=amount[mm],precip_rate=rate[m s-1]"},
                                                     {"utc-offset", "+00:00"},
                                                     {"stamps", "end"}});
  ProbeInput probe;
  Output(forcing, "amount").AddConsumer(probe);
  double sum = 0.0;
  const Stamp begin = At("2015-12-01T00:00Z");
  for (int hour = 0; hour < 720; ++hour) {
    sum += probe.Value(Output(forcing, "amount"), begin + Hours(hour - 1), begin + Hours(hour));
  }
  EXPECT_NEAR(sum, 215.7, 0.6);
  EXPECT_TRUE(SameTime(EndOf(Output(forcing, "amount").TimeSet()->TimeHorizon()), At("2015-12-30T23:00Z")));
}

TEST_F(CsvSeries, ReadsAllRowsOfTheTopmodelSeries) {
  const LoadedComponent series = Ready(kCsvSeries, {{"file", (RealData() / "topmodel/inputs.dat").string()},
                                                    {"columns", "1=rain[m],2=evaporation[m],3=discharge[m]"},
                                                    {"start", "2000-01-01T00:00Z"},
                                                    {"step", "PT1H"},
                                                    {"header-lines", "1"},
                                                    {"stamps", "begin"}});
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("header says 950 rows, 1430 are there")));
  const Stamp begin = At("2000-01-01T00:00Z");
  EXPECT_TRUE(SameTime(EndOf(Output(series, "rain").TimeSet()->TimeHorizon()), begin + Hours(1430)));
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(series, "discharge"), begin + Hours(1), begin + Hours(2)), 0.0000325);
}

TEST_F(CsvSeries, OfAListOfFilesHasAnElementForEach) {
  Write("a.csv", "time,rain,level\n2015-12-01 00:00:00,1,10\n2015-12-01 01:00:00,2,20\n");
  Write("b.csv", "time,rain,level\n2015-12-01 00:00:00,3,30\n2015-12-01 01:00:00,4,40\n");
  Write("list.csv", "id,file\ncat-1,a.csv\ncat-2,b.csv\n");
  const LoadedComponent series = Ready("openmi.CsvSeries", {{"file", "list.csv"},
                                                            {"file-is", "list"},
                                                            {"utc-offset", "UTC"},
                                                            {"columns", "level[m],rain[mm]"},
                                                            {"stamps", "begin"}});
  ITimeSpaceOutput& level = Output(series, "level");
  const auto& elements = dynamic_cast<const IElementSet&>(*level.SpatialDefinition());
  EXPECT_EQ(elements.GetElementId(1)->Id(), "cat-2");
  ProbeInput probe;
  level.AddConsumer(probe);
  EXPECT_THAT(probe.Row(level, At("2015-12-01T01:00Z"), At("2015-12-01T02:00Z")), ::testing::ElementsAre(20, 40));
  level.RemoveConsumer(probe);
  ITimeSpaceOutput& rain = Output(series, "rain");
  EXPECT_EQ(rain.SpatialDefinition()->ElementCount(), 2);
}

TEST_F(CsvSeries, OfAListOfFilesNeedsTheSameTimesInAll) {
  Write("a.csv", "time,rain\n2015-12-01 00:00:00,1\n2015-12-01 01:00:00,2\n");
  Write("b.csv", "time,rain\n2015-12-01 00:00:00,3\n2015-12-01 02:00:00,4\n");
  Write("list.csv", "id,file\ncat-1,a.csv\ncat-2,b.csv\n");
  const Settings settings = {{"file", "list.csv"}, {"file-is", "list"}, {"utc-offset", "UTC"}, {"unit", "mm"}};
  EXPECT_THAT(
      [&] { Ready("openmi.CsvSeries", settings); },
      ::testing::ThrowsMessage<FormatError>(AllOf(::testing::HasSubstr("b.csv"), ::testing::HasSubstr("times"))));
  Write("list.csv", "id,path\ncat-1,a.csv\n");
  EXPECT_THAT([&] { Ready("openmi.CsvSeries", settings); },
              ::testing::ThrowsMessage<FormatError>(::testing::HasSubstr("no column 'file'")));
}

}  // namespace
}  // namespace openmi::test
