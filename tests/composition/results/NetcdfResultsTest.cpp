#include <gmock/gmock.h>
#include <netcdf.h>

#include "OpenedNetcdf.hpp"
#include "ResultsFixture.hpp"
#include "composition/results/JournalReader.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/support/SameBits.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::NanSensitiveDoubleEq;
using testing::ThrowsMessage;

using NetcdfResultsTest = ResultsTest;

using Opened = OpenedNetcdf;

TEST_F(NetcdfResultsTest, FollowsTheConventions) {
  NetcdfResults results(In("a.nc"), Info(), {Discharge(), Storage()});
  for (int hour = 1; hour <= 6; ++hour) results.Append(0, Hour(hour), Hour(hour), std::vector{hour + 0.5, kNaN});
  for (int hour = 3; hour <= 6; hour += 3) results.Append(1, Hour(hour - 3), Hour(hour), std::vector{1.0 * hour});
  results.Close();

  const Opened file(In("a.nc"));
  EXPECT_EQ(file.Text("", "Conventions"), "CF-1.8");
  EXPECT_EQ(file.Text("", "title"), "upper-creek");
  EXPECT_EQ(file.Text("", "source"), "openmi 0.2.0");
  EXPECT_EQ(file.Text("", "history"), "2026-01-31T12:00:00Z openmi run");
  EXPECT_EQ(file.Text("", "featureType"), "(none)") << "the storage has no place";
  EXPECT_EQ(file.Text("time", "units"), "seconds since 2015-12-01 00:00:00");
  EXPECT_EQ(file.Text("time", "calendar"), "standard");
  EXPECT_EQ(file.Text("time", "standard_name"), "time");
  EXPECT_EQ(file.Text("time", "axis"), "T");
  EXPECT_EQ(file.Text("time", "bounds"), "(none)");
  EXPECT_THAT(file.Numbers("time"), ElementsAre(3600, 7200, 10800, 14400, 18000, 21600));
  EXPECT_EQ(file.Text("time_2", "bounds"), "time_2_bnds");
  EXPECT_THAT(file.Numbers("time_2"), ElementsAre(10800, 21600));
  EXPECT_THAT(file.Numbers("time_2_bnds"), ElementsAre(0, 10800, 10800, 21600));

  EXPECT_EQ(file.Text("discharge", "units"), "m3 s-1");
  EXPECT_EQ(file.Text("discharge", "long_name"), "Discharge");
  EXPECT_EQ(file.Text("discharge", "cell_methods"), "time: point");
  EXPECT_EQ(file.Text("discharge", "coordinates"), "element lat lon");
  EXPECT_EQ(file.Text("discharge", "id"), "creek.discharge");
  EXPECT_EQ(file.Text("discharge", "station"), "Sugar \"Creek\"");
  EXPECT_EQ(file.Text("storage", "cell_methods"), "time_2: mean");
  EXPECT_EQ(file.Text("storage", "coordinates"), "(none)");
  EXPECT_EQ(file.Text("lon", "units"), "degrees_east");
  EXPECT_EQ(file.Text("lat", "standard_name"), "latitude");
  EXPECT_THAT(file.Numbers("lon"), ElementsAre(-80.75, -80.5));
  EXPECT_EQ(file.Length("element"), 2u);
  const auto values = file.Numbers("discharge");
  EXPECT_EQ(values[10], 6.5);
  EXPECT_TRUE(std::isnan(values[11]));
  char id[5] = {};
  const std::size_t start[] = {1, 0};
  const std::size_t count[] = {1, 5};
  nc_get_vara_text(file.Id(), file.Variable("element"), start, count, id);
  EXPECT_EQ(std::string(id, 5), "fp-52");
  int format = 0;
  nc_inq_format(file.Id(), &format);
  EXPECT_EQ(format, NC_FORMAT_64BIT_OFFSET);
  EXPECT_FALSE(std::filesystem::exists(JournalOf(In("a.nc"))));
}

TEST_F(NetcdfResultsTest, IsAFileOfTimeSeriesWhereAllStandsAtPoints) {
  NetcdfResults(In("a.nc"), {}, {Discharge()}).Close();
  const Opened file(In("a.nc"));
  EXPECT_EQ(file.Text("", "featureType"), "timeSeries");
  EXPECT_EQ(file.Text("element", "cf_role"), "timeseries_id");
}

TEST_F(NetcdfResultsTest, SharesDimensionsWhereTimesAndElementsAreTheSame) {
  ResultSeries second = Discharge();
  second.id = "creek.depth";
  second.unit = "";
  ResultSeries mean = Discharge();
  mean.id = "creek-discharge";
  mean.kind = ResultKind::Maximum;
  {
    NetcdfResults results(In("a.nc"), {}, {Discharge(), second, mean});
    for (int hour = 1; hour <= 2; ++hour) {
      for (std::size_t i = 0; i < 3; ++i) {
        results.Append(i, i == 2 ? Hour(hour - 1) : Hour(hour), Hour(hour), std::vector{1.0 * hour, 0.0});
      }
    }
  }
  const Opened file(In("a.nc"));
  int dimensions = 0;
  int variables = 0;
  nc_inq(file.Id(), &dimensions, &variables, nullptr, nullptr);
  EXPECT_EQ(dimensions, 5) << "time, time_2, element, its id's length, bounds";
  EXPECT_EQ(variables, 9) << "2 times, 1 bounds, id, lon, lat, 3 of data";
  EXPECT_EQ(file.Text("depth", "units"), "1");
  EXPECT_EQ(file.Text("discharge", "id"), "creek.discharge");
  EXPECT_EQ(file.Text("creek_discharge", "id"), "creek-discharge");
  EXPECT_EQ(file.Text("creek_discharge", "cell_methods"), "time_2: maximum");
}

TEST_F(NetcdfResultsTest, ReadsBackEverythingItWrote) {
  ResultSeries storage = Storage();
  storage.missing = -9999.0;
  storage.kind = ResultKind::Sum;
  std::vector<double> values;
  {
    NetcdfResults results(In("a.nc"), Info(), {Discharge(), storage});
    for (int i = 0; i < 3000; ++i) {
      const double time = kDecember + i / 1440.0 + 0.000123 / 86400;
      values.push_back(std::sin(i) * 1e-300);
      values.push_back(i % 7 == 0 ? kNaN : std::exp(i % 700));
      results.Append(0, time, time, std::span(values).last(2));
      if (i % 3 == 0) results.Append(1, time - 0.125, time, std::vector{i % 2 == 0 ? kNaN : -9999.0 + i});
      results.Commit(time);
    }
  }
  const ResultTable table = ReadResults(In("a.nc"));
  EXPECT_EQ(table.info.title, "upper-creek");
  EXPECT_EQ(table.info.comment, "c");
  ASSERT_EQ(table.series.size(), 2u);
  ExpectDischarge(table.series[0].series);
  ASSERT_EQ(table.series[0].values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_THAT(table.series[0].values[i], NanSensitiveDoubleEq(values[i])) << i;
  }
  EXPECT_EQ(FormatIsoTime(Stamp{table.series[0].ends[61]}), "2015-12-01T01:01:00.000123Z");
  EXPECT_EQ(table.series[1].series.kind, ResultKind::Sum);
  EXPECT_EQ(table.series[1].series.missing, -9999.0);
  EXPECT_EQ(table.series[1].series.span, Days{0.125});
  EXPECT_EQ(table.series[1].ends.size(), 1000u);
  EXPECT_TRUE(std::isnan(table.series[1].values[2]));
  EXPECT_EQ(table.series[1].values[3], -9990.0);
}

TEST_F(NetcdfResultsTest, KeepsNotesAlsoThroughAJournalThatIsLeft) {
  {
    NetcdfResults results(In("a.nc"), Info(), {Storage()});
    results.Append(0, Hour(0), Hour(3), std::vector{5.0});
    results.Note("tank.inflow overridden with 7");
    results.Append(0, Hour(3), Hour(6), std::vector{6.0});
    results.Note("tank.inflow freed");
    results.Commit(Hour(6));
    EXPECT_THAT(JournalReader(JournalOf(In("a.nc"))).Info().notes,
                ElementsAre("tank.inflow overridden with 7", "tank.inflow freed"));
  }
  const ResultTable table = ReadResults(In("a.nc"));
  EXPECT_THAT(table.info.notes, ElementsAre("tank.inflow overridden with 7", "tank.inflow freed"));
  EXPECT_THAT(table.series.at(0).values, ElementsAre(5.0, 6.0));
  EXPECT_EQ(Opened(In("a.nc")).Text("", "notes"), "tank.inflow overridden with 7\ntank.inflow freed");
}

TEST_F(NetcdfResultsTest, TakesSeriesWithoutRowsAndRunsWithoutSeries) {
  NetcdfResults(In("a.nc"), {}, {Discharge(), Storage()}).Close();
  const ResultTable table = ReadResults(In("a.nc"));
  ASSERT_EQ(table.series.size(), 2u);
  EXPECT_THAT(table.series[0].ends, IsEmpty());
  EXPECT_EQ(table.series[0].series.elements.size(), 2u);
  NetcdfResults(In("b.nc"), {}, {}).Close();
  EXPECT_TRUE(std::filesystem::exists(In("b.nc")));
}

TEST_F(NetcdfResultsTest, KeepsTheLaterOfTwoRowsAtOneTime) {
  {
    NetcdfResults results(In("a.nc"), {}, {Storage()});
    double value = 0.0;
    for (const int hour : {3, 9, 6, 9, 3}) {
      results.Append(0, Hour(hour - 3), Hour(hour), std::vector{value += 1.0});
    }
  }
  const ResultTable table = ReadResults(In("a.nc"));
  EXPECT_THAT(table.series[0].ends, ElementsAre(Hour(3), Hour(6), Hour(9)));
  EXPECT_THAT(table.series[0].values, ElementsAre(5.0, 3.0, 4.0));
}

TEST_F(NetcdfResultsTest, ReadsARunThatGoesOnWithoutTouchingIt) {
  NetcdfResults results(In("a.nc"), Info(), {Storage()});
  results.Append(0, Hour(0), Hour(3), std::vector{1.0});
  results.Commit(Hour(3));
  EXPECT_FALSE(RebuildFromJournal(In("a.nc"))) << "it is being written";
  EXPECT_THAT(ReadResults(In("a.nc")).series.at(0).values, ElementsAre(1.0));
  EXPECT_TRUE(std::filesystem::exists(JournalOf(In("a.nc"))));
  results.Append(0, Hour(3), Hour(6), std::vector{2.0});
  results.Close();
  EXPECT_THAT(ReadResults(In("a.nc")).series.at(0).values, ElementsAre(1.0, 2.0));
}

TEST_F(NetcdfResultsTest, RebuildsFromAJournalCutAnywhere) {
  const std::filesystem::path journal = In("whole.journal");
  std::vector<std::uintmax_t> sizes;
  {
    NetcdfResults results(In("a.nc"), Info(), {Discharge(), Storage()});
    sizes.push_back(std::filesystem::file_size(JournalOf(In("a.nc"))));
    for (int i = 1; i <= 4; ++i) {
      results.Append(0, Hour(i), Hour(i), std::vector{1.0 * i, 2.0 * i});
      results.Commit(Hour(i));
      sizes.push_back(std::filesystem::file_size(JournalOf(In("a.nc"))));
    }
    std::filesystem::copy_file(JournalOf(In("a.nc")), journal);
  }
  const std::string whole = TextOf(journal);
  for (std::size_t length = 0; length <= whole.size(); length += length < sizes.front() ? 7 : 1) {
    WriteText(JournalOf(In("b.nc")), whole.substr(0, length));
    const bool is_begun = length >= sizes.front();
    ASSERT_EQ(RebuildFromJournal(In("b.nc")), is_begun) << length;
    ASSERT_FALSE(std::filesystem::exists(JournalOf(In("b.nc"))));
    if (!is_begun) continue;
    const ResultTable table = ReadResults(In("b.nc"));
    std::size_t rows = 0;
    while (rows + 1 < sizes.size() && sizes[rows + 1] <= length) ++rows;
    ASSERT_EQ(table.series.at(0).ends.size(), rows) << length;
    if (rows == 0) continue;
    EXPECT_EQ(table.series[0].values.back(), 2.0 * static_cast<double>(rows));
  }
}

TEST_F(NetcdfResultsTest, StopsAtABlockThatWasDamaged) {
  {
    NetcdfResults results(In("a.nc"), Info(), {Storage()});
    for (int i = 1; i <= 4; ++i) results.Append(0, Hour(3 * i - 3), Hour(3 * i), std::vector{1.0 * i});
    results.Commit(Hour(12));
    std::filesystem::copy_file(JournalOf(In("a.nc")), In("b.nc.journal"));
  }
  std::string bytes = TextOf(In("b.nc.journal"));
  bytes[bytes.size() - 49] = static_cast<char>(bytes[bytes.size() - 49] ^ 1);  // in the last row but one
  WriteText(In("b.nc.journal"), bytes);
  const JournalReader reader(In("b.nc.journal"));
  EXPECT_TRUE(reader.IsCut());
  EXPECT_THAT(ReadResults(In("b.nc.journal")).series.at(0).values, ElementsAre(1.0, 2.0));
}

TEST_F(NetcdfResultsTest, RefusesWhatIsNoJournalAndWhatIsNoResult) {
  WriteText(JournalOf(In("a.nc")), "a shopping list");
  EXPECT_THAT([this] { RebuildFromJournal(In("a.nc")); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("a.nc.journal"), HasSubstr("found something else"))));
  EXPECT_TRUE(std::filesystem::exists(JournalOf(In("a.nc")))) << "nobody's file is removed";
  WriteText(In("b.nc"), "CDF\1 and nothing behind");
  EXPECT_THAT([this] { ReadResults(In("b.nc")); },
              ThrowsMessage<FileError>(AllOf(HasSubstr("b.nc"), HasSubstr("a NetCDF file that is damaged"))));
  EXPECT_FALSE(RebuildFromJournal(In("nowhere.nc")));
}

TEST_F(NetcdfResultsTest, ReadsFilesOfOthers) {
  // Elements before times, days, a packed variable, the place's name in an integer; none of it as we write it.
  int id = 0;
  ASSERT_EQ(nc_create(In("other.nc").c_str(), NC_NETCDF4, &id), NC_NOERR);
  int time = 0, station = 0, time_variable = 0, name = 0, flow = 0, scalar = 0;
  nc_def_dim(id, "time", NC_UNLIMITED, &time);
  nc_def_dim(id, "station", 2, &station);
  nc_def_var(id, "time", NC_INT, 1, &time, &time_variable);
  nc_put_att_text(id, time_variable, "units", 32, "hours since 2015-12-01 06:00 UTC");
  nc_def_var(id, "station", NC_INT, 1, &station, &name);
  const int both[] = {station, time};
  nc_def_var(id, "flow", NC_SHORT, 2, both, &flow);
  nc_put_att_text(id, flow, "units", 6, "m3 s-1");
  nc_put_att_text(id, flow, "cell_methods", 30, "area: sum time: minimum (x: 1)");
  const double scale = 0.5;
  const short fill = -1;
  nc_put_att_double(id, flow, "scale_factor", NC_DOUBLE, 1, &scale);
  nc_put_att_short(id, flow, "_FillValue", NC_SHORT, 1, &fill);
  nc_def_var(id, "version", NC_INT, 0, nullptr, &scalar);
  nc_enddef(id);
  const std::size_t zero[] = {0, 0};
  const std::size_t two_by_three[] = {2, 3};
  const std::size_t three = 3;
  const int hours[] = {0, 1, 2};
  const int names[] = {27, 52};
  const short flows[] = {2, 4, 6, 8, -1, 12};
  nc_put_vara_int(id, time_variable, zero, &three, hours);
  nc_put_var_int(id, name, names);
  nc_put_vara_short(id, flow, zero, two_by_three, flows);
  ASSERT_EQ(nc_close(id), NC_NOERR);

  const ResultTable table = ReadResults(In("other.nc"));
  ASSERT_EQ(table.series.size(), 1u);
  EXPECT_EQ(table.series[0].series.id, "flow");
  EXPECT_EQ(table.series[0].series.kind, ResultKind::Minimum);
  EXPECT_THAT(table.series[0].series.elements, ElementsAre("27", "52"));
  EXPECT_THAT(table.series[0].ends, ElementsAre(Hour(6), Hour(7), Hour(8)));
  EXPECT_THAT(table.series[0].values, ElementsAre(1.0, 4.0, 2.0, NanSensitiveDoubleEq(kNaN), 3.0, 6.0));
}

TEST_F(NetcdfResultsTest, RefusesCalendarsAndTimesItDoesNotKnow) {
  const auto make = [this](const std::string& units, const std::string& calendar) {
    int id = 0, time = 0, variable = 0;
    nc_create(In("other.nc").c_str(), NC_CLOBBER, &id);
    nc_def_dim(id, "time", 2, &time);
    nc_def_var(id, "time", NC_DOUBLE, 1, &time, &variable);
    nc_put_att_text(id, variable, "units", units.size(), units.c_str());
    nc_put_att_text(id, variable, "calendar", calendar.size(), calendar.c_str());
    nc_close(id);
    return [this] { ReadResults(In("other.nc")); };
  };
  EXPECT_THAT(make("days since 2015-12-01", "noleap"),
              ThrowsMessage<FormatError>(HasSubstr("found calendar 'noleap'")));
  EXPECT_THAT(make("months since 2015-12-01", "standard"),
              ThrowsMessage<FormatError>(HasSubstr("found 'months since 2015-12-01'")));
  EXPECT_THAT(make("days since yesterday", "standard"), ThrowsMessage<FormatError>(HasSubstr("since yesterday'")));
  EXPECT_THAT(make("metres", "standard"), ThrowsMessage<FormatError>(HasSubstr("found no time")));
}

/// How often this process asked the system for bytes of files; 0 where the system does not say.
std::uint64_t ReadCalls() {
  std::ifstream counts("/proc/self/io");
  for (std::string word; counts >> word;) {
    std::uint64_t count = 0;
    if (word == "syscr:" && counts >> count) return count;
  }
  return 0;
}

TEST_F(NetcdfResultsTest, TheJournalIsReadOnceHoweverManyRowsThereAre) {
  std::vector<ResultSeries> series(5);
  for (std::size_t i = 0; i < series.size(); ++i) series[i].id = "s" + std::to_string(i);
  NetcdfResults results(In("a.nc"), Info(), series);
  for (int row = 0; row < 4000; ++row) {
    for (std::size_t i = 0; i < series.size(); ++i) {
      results.Append(i, Hour(row), Hour(row), std::vector{100.0 * row + static_cast<double>(i)});
    }
    results.Commit(Hour(row));
  }
  const std::uint64_t before = ReadCalls();
  results.Close();
  if (before > 0) {
    EXPECT_LT(ReadCalls() - before, 200U);
  }
  const ResultTable table = ReadResults(In("a.nc"));
  ASSERT_EQ(table.series.size(), 5U);
  EXPECT_EQ(table.series[3].values[3999], 399'903.0);
}

TEST_F(NetcdfResultsTest, ACompressedFileHoldsTheSame) {
  const auto write = [this](const std::string& name, int compression, bool is_killed) {
    RunInfo info = Info();
    info.compression = compression;
    ResultSeries storage = Storage();
    storage.missing = -9999.0;
    auto results = std::make_unique<NetcdfResults>(In(name), info, std::vector{Discharge(), storage});
    for (int i = 0; i < 40'000; ++i) {
      const double time = kDecember + i / 1440.0;
      results->Append(0, time, time, std::vector{std::floor(i / 60.0), i % 7 == 0 ? kNaN : 0.25 * (i % 90)});
      if (i % 3 == 0) results->Append(1, time - 0.125, time, std::vector{i % 2 == 0 ? kNaN : 1.0 + i});
    }
    if (is_killed) {
      results->Commit(kDecember + 100.0);
      std::filesystem::copy_file(JournalOf(In(name)), JournalOf(In("killed.nc")));
    }
    results->Close();
  };
  write("plain.nc", 0, false);
  write("small.nc", 4, true);
  ASSERT_TRUE(RebuildFromJournal(In("killed.nc")));
  EXPECT_LT(std::filesystem::file_size(In("small.nc")), std::filesystem::file_size(In("plain.nc")) / 4);
  const ResultTable plain = ReadResults(In("plain.nc"));
  for (const char* name : {"small.nc", "killed.nc"}) {
    const Opened file(In(name));
    int form = 0;
    nc_inq_format(file.Id(), &form);
    EXPECT_EQ(form, NC_FORMAT_NETCDF4) << name;
    int level = 0, shuffles = 0, deflates = 0, storage = 0;
    std::array<std::size_t, 2> chunk{};
    nc_inq_var_deflate(file.Id(), file.Variable("discharge"), &shuffles, &deflates, &level);
    nc_inq_var_chunking(file.Id(), file.Variable("discharge"), &storage, chunk.data());
    EXPECT_EQ(level, 4);
    EXPECT_THAT(chunk, ElementsAre(32'768u, 2u));
    const ResultTable table = ReadResults(In(name));
    ASSERT_EQ(table.series.size(), plain.series.size());
    ExpectDischarge(table.series[0].series);
    for (std::size_t i = 0; i < plain.series.size(); ++i) {
      EXPECT_EQ(table.series[i].begins, plain.series[i].begins);
      EXPECT_EQ(table.series[i].ends, plain.series[i].ends);
      EXPECT_THAT(table.series[i].series.missing, NanSensitiveDoubleEq(plain.series[i].series.missing));
      EXPECT_EQ(table.series[i].series.attributes, plain.series[i].series.attributes);
      EXPECT_TRUE(SameBits(table.series[i].values, plain.series[i].values)) << name << ' ' << i;
    }
  }
  RunInfo info = Info();
  info.compression = 9;
  NetcdfResults(In("empty.nc"), info, {Discharge(), Storage()}).Close();
  EXPECT_EQ(ReadResults(In("empty.nc")).series.size(), 2U);
}

}  // namespace
}  // namespace openmi
