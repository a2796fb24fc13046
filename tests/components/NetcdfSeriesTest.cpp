#include <netcdf.h>

#include <cmath>
#include <stdexcept>

#include "openmi/sdk/Quantity.hpp"
#include "tests/components/SeriesFixture.hpp"
#include "tests/support/RealData.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kNetcdfSeries = "openmi.NetcdfSeries";

class NetcdfSeries : public ReadyComponents {
 protected:
  static void Must(int status) {
    if (status != NC_NOERR) throw std::runtime_error(nc_strerror(status));
  }
  static void Text(int file, int variable, const char* name, const std::string& text) {
    Must(nc_put_att_text(file, variable, name, text.size(), text.c_str()));
  }
  /// Three times, two elements: rain[time, station] packed in shorts, level[station, time], temperature[time].
  void WriteFile(const std::string& name, const std::string& units = "hours since 2020-01-01 00:00:00",
                 const std::string& calendar = "standard") const {
    int file = 0, time_dim = 0, station_dim = 0, time = 0, ids = 0, rain = 0, level = 0, temperature = 0;
    int longitude = 0, latitude = 0;
    Must(nc_create((folder_ / name).c_str(), NC_NETCDF4 | NC_CLOBBER, &file));
    Must(nc_def_dim(file, "time", 3, &time_dim));
    Must(nc_def_dim(file, "station", 2, &station_dim));
    const int by_time[] = {time_dim, station_dim};
    const int by_station[] = {station_dim, time_dim};
    Must(nc_def_var(file, "time", NC_DOUBLE, 1, &time_dim, &time));
    if (!units.empty()) Text(file, time, "units", units);
    Text(file, time, "calendar", calendar);
    Must(nc_def_var(file, "station_id", NC_STRING, 1, &station_dim, &ids));
    Text(file, ids, "cf_role", "timeseries_id");
    Must(nc_def_var(file, "rain", NC_SHORT, 2, by_time, &rain));
    Text(file, rain, "units", "mm h-1");
    Text(file, rain, "long_name", "precipitation");
    const short fill = -1;
    const double scale = 0.5, offset = 10.0;
    Must(nc_put_att_short(file, rain, "_FillValue", NC_SHORT, 1, &fill));
    Must(nc_put_att_double(file, rain, "scale_factor", NC_DOUBLE, 1, &scale));
    Must(nc_put_att_double(file, rain, "add_offset", NC_DOUBLE, 1, &offset));
    Must(nc_def_var(file, "level", NC_FLOAT, 2, by_station, &level));
    const float missing = -999.0F;
    Must(nc_put_att_float(file, level, "missing_value", NC_FLOAT, 1, &missing));
    Must(nc_def_var(file, "temperature", NC_DOUBLE, 1, &time_dim, &temperature));
    Text(file, temperature, "units", "degC");
    Must(nc_def_var(file, "x", NC_DOUBLE, 1, &station_dim, &longitude));
    Text(file, longitude, "standard_name", "longitude");
    Must(nc_def_var(file, "y", NC_DOUBLE, 1, &station_dim, &latitude));
    Text(file, latitude, "units", "degrees_north");
    Must(nc_enddef(file));
    const double times[] = {0, 1, 2};
    const char* names[] = {"west", "east"};
    const short rains[] = {0, 1, 2, fill, 4, 5};
    const float levels[] = {1, 2, 3, 4, missing, 6};
    const double temperatures[] = {20, 21, 22};
    Must(nc_put_var_double(file, time, times));
    Must(nc_put_var_string(file, ids, names));
    Must(nc_put_var_short(file, rain, rains));
    Must(nc_put_var_float(file, level, levels));
    Must(nc_put_var_double(file, temperature, temperatures));
    const double longitudes[] = {-80.5, -80.25}, latitudes[] = {35.5, 35.25};
    Must(nc_put_var_double(file, longitude, longitudes));
    Must(nc_put_var_double(file, latitude, latitudes));
    Must(nc_close(file));
  }
  /// Three rows of `rain` in mm by time with bounds, in hours; the times are their ends.
  void WriteSpans(const std::string& name, const std::string& method, const std::vector<double>& bounds,
                  const std::vector<double>& values = {10, 20, 30}) const {
    int file = 0, time = 0, both = 0, rain = 0;
    int dims[2] = {};
    Must(nc_create((folder_ / name).c_str(), NC_NETCDF4 | NC_CLOBBER, &file));
    Must(nc_def_dim(file, "time", 3, &dims[0]));
    Must(nc_def_dim(file, "nv", 2, &dims[1]));
    Must(nc_def_var(file, "time", NC_DOUBLE, 1, dims, &time));
    Text(file, time, "units", "hours since 2020-01-01 00:00:00");
    Text(file, time, "bounds", "time_bnds");
    Must(nc_def_var(file, "time_bnds", NC_DOUBLE, 2, dims, &both));
    Must(nc_def_var(file, "rain", NC_DOUBLE, 1, dims, &rain));
    Text(file, rain, "units", "mm");
    if (!method.empty()) Text(file, rain, "cell_methods", method);
    Must(nc_enddef(file));
    const std::vector<double> ends{bounds[1], bounds[3], bounds[5]};
    Must(nc_put_var_double(file, time, ends.data()));
    Must(nc_put_var_double(file, both, bounds.data()));
    Must(nc_put_var_double(file, rain, values.data()));
    Must(nc_close(file));
  }
  const Stamp begin_ = At("2020-01-01T00:00Z");
};

TEST_F(NetcdfSeries, ReadsCfWithPackedValuesUnitsAndIds) {
  WriteFile("s.nc");
  const LoadedComponent series = Ready(kNetcdfSeries, {{"file", "s.nc"}, {"unit", "m"}});
  EXPECT_THAT(OutputIds(series), ElementsAre("rain", "level", "temperature"));
  ITimeSpaceOutput& rain = Output(series, "rain");
  EXPECT_THAT(ElementIds(rain), ElementsAre("west", "east"));
  EXPECT_EQ(dynamic_cast<const IQuantity&>(rain.ValueDefinition()).Unit().Caption(), "mm h-1");
  EXPECT_EQ(rain.ValueDefinition().Caption(), "precipitation");
  ProbeInput probe;
  EXPECT_THAT(probe.Row(rain, begin_), ElementsAre(10.0, 10.5));
  EXPECT_THAT(probe.Row(rain, begin_ + Hours(1)), ElementsAre(11.0, ::testing::IsNan()));
  EXPECT_THAT(probe.Row(Output(series, "level"), begin_ + Hours(1)), ElementsAre(2.0, ::testing::IsNan()));
  EXPECT_EQ(Output(series, "temperature").SpatialDefinition(), nullptr);
  EXPECT_EQ(probe.Value(Output(series, "temperature"), begin_ + Hours(2)), 22.0);
}

TEST_F(NetcdfSeries, ElementsWithLongitudeAndLatitudeArePoints) {
  WriteFile("s.nc");
  const LoadedComponent series = Ready(kNetcdfSeries, {{"file", "s.nc"}, {"columns", "rain"}});
  const auto& where = dynamic_cast<const IElementSet&>(*Output(series, "rain").SpatialDefinition());
  EXPECT_EQ(where.ElementType(), ElementType::Point);
  EXPECT_EQ(where.GetVertexXCoordinate(0, 0), -80.5);
  EXPECT_EQ(where.GetVertexYCoordinate(1, 0), 35.25);
}

TEST_F(NetcdfSeries, ReadsWhatIsAskedForUnderOtherNames) {
  WriteFile("s.nc");
  const LoadedComponent series =
      Ready(kNetcdfSeries, {{"file", "s.nc"}, {"columns", "level=stage[m],rain=gauge@east"}, {"stamps", "end"}});
  EXPECT_THAT(OutputIds(series), ElementsAre("stage", "gauge"));
  EXPECT_THAT(ElementIds(Output(series, "gauge")), ElementsAre("east"));
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(series, "gauge"), begin_ + Hours(1), begin_ + Hours(2)), 12.5);
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "s.nc"}, {"columns", "levle[m]"}}), HasSubstr("did you mean 'level'?"));
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "s.nc"}, {"columns", "level"}}), HasSubstr("unit of 'level'"));
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "s.nc"}, {"columns", "rain=r@easst"}}),
              HasSubstr("did you mean 'east'?"));
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "s.nc"}, {"columns", "station_id[1]"}}), HasSubstr("to be numbers"));
}

TEST_F(NetcdfSeries, GivesSeriesOfARunTheNamesThatTheyWereWrittenWith) {
  int file = 0, time_dim = 0, time = 0;
  Must(nc_create((folder_ / "run.nc").c_str(), NC_CLOBBER, &file));
  Must(nc_def_dim(file, "time", 2, &time_dim));
  Must(nc_def_var(file, "time", NC_DOUBLE, 1, &time_dim, &time));
  Text(file, time, "units", "hours since 2020-01-01 00:00:00");
  std::vector<int> numbers;
  const std::pair<const char*, const char*> variables[] = {{"creek_discharge", "creek.discharge"},
                                                           {"creek_discharge_2", "creek discharge"},
                                                           {"v_2nd_level", "2nd.level"},
                                                           {"stage", "gauge.stage"},
                                                           {"rain", "r"}};  // of others: means something else
  for (const auto& [name, id] : variables) {
    Must(nc_def_var(file, name, NC_DOUBLE, 1, &time_dim, &numbers.emplace_back()));
    Text(file, numbers.back(), "units", "m");
    Text(file, numbers.back(), "id", id);
  }
  Must(nc_enddef(file));
  const double times[] = {0, 1};
  Must(nc_put_var_double(file, time, times));
  for (const int number : numbers) {
    const double values[] = {10.0 * number, 10.0 * number + 1.0};
    Must(nc_put_var_double(file, number, values));
  }
  Must(nc_close(file));
  EXPECT_THAT(OutputIds(Ready(kNetcdfSeries, {{"file", "run.nc"}})),
              ElementsAre("creek.discharge", "creek discharge", "2nd.level", "gauge.stage", "rain"));
  const LoadedComponent some =
      Ready(kNetcdfSeries, {{"file", "run.nc"}, {"columns", "creek discharge,2nd.level=level,creek_discharge"}});
  EXPECT_THAT(OutputIds(some), ElementsAre("creek discharge", "level", "creek_discharge"));
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(some, "creek discharge"), begin_), 20.0);
  EXPECT_EQ(probe.Value(Output(some, "creek_discharge"), begin_), 10.0) << "by the name of the variable";
}

TEST_F(NetcdfSeries, RefusesTimesWithoutUnitsOrDateAndReadsThemWhenTold) {
  WriteFile("s.nc", "");
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "s.nc"}, {"unit", "m"}}),
              AllOf(HasSubstr("'time'"), HasSubstr("no units"), HasSubstr("time-units"), HasSubstr("epoch")));
  WriteFile("t.nc", "h");
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "t.nc"}, {"unit", "m"}}), AllOf(HasSubstr("epoch"), HasSubstr("'h'")));
  const LoadedComponent series =
      Ready(kNetcdfSeries, {{"file", "t.nc"}, {"unit", "m"}, {"epoch", "2020-01-01T00:00Z"}});
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(series, "temperature"), begin_ + Hours(1)), 21.0);
  WriteFile("u.nc", "days since 2020-01-01", "360_day");
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "u.nc"}, {"unit", "m"}}),
              AllOf(HasSubstr("360_day"), HasSubstr("Gregorian")));
}

TEST_F(NetcdfSeries, ValuesOverSpansKeepTheirSpans) {
  // As the results of a run are: stamps at the ends of spans, of an hour first and then of two.
  WriteSpans("sum.nc", "time: sum", {0, 1, 1, 3, 3, 5});
  const LoadedComponent sums = Ready(kNetcdfSeries, {{"file", "sum.nc"}});
  ITimeSpaceOutput& rain = Output(sums, "rain");
  EXPECT_TRUE(rain.TimeSet()->HasDurations());
  ProbeInput probe;
  EXPECT_EQ(probe.Value(rain, begin_, begin_ + Hours(1)), 10.0);
  EXPECT_EQ(probe.Value(rain, begin_ + Hours(1), begin_ + Hours(3)), 20.0);
  EXPECT_EQ(probe.Value(rain, begin_ + Hours(3), begin_ + Hours(5)), 30.0);

  WriteSpans("point.nc", "time: point", {0, 1, 1, 3, 3, 5});
  EXPECT_FALSE(Output(Ready(kNetcdfSeries, {{"file", "point.nc"}}), "rain").TimeSet()->HasDurations());
  // What the composition says goes before what the file says.
  EXPECT_FALSE(
      Output(Ready(kNetcdfSeries, {{"file", "sum.nc"}, {"stamps", "instant"}}), "rain").TimeSet()->HasDurations());
  WriteSpans("open.nc", "", {0, 1, 1, 3, 3, 5});
  EXPECT_FALSE(Output(Ready(kNetcdfSeries, {{"file", "open.nc"}}), "rain").TimeSet()->HasDurations());
  EXPECT_THAT(messages_, Contains(AllOf(HasSubstr("'rain' has time bounds and no cell_methods"), HasSubstr("stamps"))));
  WriteSpans("over.nc", "area: mean time: mean", {0, 1, 0, 3, 3, 5});
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "over.nc"}}),
              AllOf(HasSubstr("spans that follow each other"), HasSubstr("row 2")));
}

TEST_F(NetcdfSeries, GapsBetweenEqualSpansAreMissing) {
  WriteSpans("gap.nc", "time: mean", {0, 1, 1, 2, 3, 4});
  const LoadedComponent means = Ready(kNetcdfSeries, {{"file", "gap.nc"}});
  EXPECT_THAT(messages_, Contains(AllOf(HasSubstr("1 row is missing between"), Not(HasSubstr("none")))));
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "gap.nc"}, {"step", "none"}}),
              AllOf(HasSubstr("netcdf-series.step"), HasSubstr("the spans say which rows are absent")));
  ProbeInput probe;
  EXPECT_TRUE(std::isnan(probe.Value(Output(means, "rain"), begin_ + Hours(2), begin_ + Hours(3))));
  EXPECT_EQ(probe.Value(Output(means, "rain"), begin_ + Hours(3), begin_ + Hours(4)), 30.0);
}

TEST_F(NetcdfSeries, RefusesWhatIsNotFiniteAndReportsUndeclaredSigns) {
  WriteSpans("s.nc", "time: mean", {0, 1, 1, 2, 2, 3}, {1.0, HUGE_VAL, -9999.0});
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "s.nc"}}),
              AllOf(HasSubstr("expected finite numbers in 'rain', found inf in row 2"), HasSubstr("missing-values")));
  Ready(kNetcdfSeries, {{"file", "s.nc"}, {"missing-values", "inf"}});
  EXPECT_THAT(messages_, Contains(HasSubstr("1 of 3 values is -9999, the first in row 3")));
  Ready(kNetcdfSeries, {{"file", "s.nc"}, {"missing-values", "inf -9999"}});
  EXPECT_THAT(messages_, Contains(HasSubstr("2 of 3 values are missing")));
}

TEST_F(NetcdfSeries, RefusesWhatIsNoNetcdf) {
  Write("a.nc", "no such thing");
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "a.nc"}}),
              AllOf(HasSubstr("a.nc"), HasSubstr("expected a NetCDF file")));
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "none.nc"}}),
              HasSubstr("found no file 'none.nc' in the folder '" + folder_.string() + "'"));
  Write("b.nc", "\x1F\x8B packed");
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "b.nc"}}), HasSubstr("a compressed file (gzip)"));
}

TEST_F(NetcdfSeries, SaysThatAFileIsCutShort) {
  WriteFile("whole.nc");
  const std::string whole = ReadBack("whole.nc");
  for (const std::size_t kept : {whole.size() / 4, whole.size() * 3 / 4, whole.size() - 1}) {
    Write("cut.nc", whole.substr(0, kept));
    EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", "cut.nc"}}),
                AllOf(HasSubstr("cut.nc"), HasSubstr("cut short or damaged (" + std::to_string(kept) + " bytes"),
                      HasSubstr("get a whole copy")));
  }
}

TEST_F(NetcdfSeries, ReadsTheForcingOfABasinByIdInTheOrderOfItsPolygons) {
  const std::string basin = (RealData() / "basin/").string();
  EXPECT_THAT(Refusal(kNetcdfSeries, {{"file", basin + "forcing_3cats.nc"}, {"columns", "APCP_surface[mm]"}}),
              AllOf(HasSubstr("'Time'"), HasSubstr("epoch"), HasSubstr("1970-01-01")));
  const LoadedComponent forcing = Ready(kNetcdfSeries, {{"file", basin + "forcing_3cats.nc"},
                                                        {"columns", "APCP_surface=amount[mm]"},
                                                        {"time-units", "ns"},
                                                        {"epoch", "1970-01-01T00:00Z"},
                                                        {"stamps", "end"},
                                                        {"elements-file", basin + "catchment_data.geojson"}});
  ITimeSpaceOutput& amount = Output(forcing, "amount");
  EXPECT_THAT(ElementIds(amount), ElementsAre("cat-67", "cat-27", "cat-52"));
  // Each catchment's own file says the same.
  for (const char* id : {"cat-67", "cat-27", "cat-52"}) {
    const LoadedComponent single = Ready("openmi.CsvSeries", {{"file", basin + "forcing_" + id + ".csv"},
                                                              {"columns", "APCP_surface=amount[mm]"},
                                                              {"utc-offset", "+00:00"},
                                                              {"stamps", "end"}});
    const auto& elements = dynamic_cast<const IElementSet&>(*amount.SpatialDefinition());
    std::size_t element = 0;
    while (elements.GetElementId(static_cast<int>(element))->Id() != id) ++element;
    ProbeInput of_all, of_one;
    const Stamp begin = At("2015-12-01T00:00Z");
    const LoadedComponent all = Ready(kNetcdfSeries, {{"file", basin + "forcing_3cats.nc"},
                                                      {"columns", "APCP_surface=amount[mm]"},
                                                      {"time-units", "ns"},
                                                      {"epoch", "1970-01-01T00:00Z"},
                                                      {"stamps", "end"},
                                                      {"elements-file", basin + "catchment_data.geojson"}});
    for (int hour = 0; hour < 720; ++hour) {
      const Stamp end = begin + Hours(hour);
      ASSERT_NEAR(of_all.Value(Output(all, "amount"), end - Hours(1), end, element),
                  of_one.Value(Output(single, "amount"), end - Hours(1), end), 1e-5)
          << id << " at hour " << hour;
    }
  }
}

}  // namespace
}  // namespace openmi::test
