// Rows are cut out of copies of the real data: what is missing is said, stays missing, and is nowhere taken for 0.

#include <gmock/gmock.h>
#include <stdlib.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "composition/check/CheckComposition.hpp"
#include "composition/measures/WindowMeasures.hpp"
#include "composition/report/RunReport.hpp"
#include "tests/examples/RiverBasinRun.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/files/GeoJson.hpp"
#include "timespace/times/Iso8601.hpp"

namespace riverbasin {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsNan;
using ::testing::Not;

constexpr std::size_t kHours = 720;
const std::vector<std::string> kCatchments = {"cat-27", "cat-52", "cat-67"};
const std::string kRainLink = "rain.precipitation -> runoff.precipitation";

/// The amounts of the three catchments out of their own files, one table.
struct Forcing {
  std::vector<std::string> stamps;
  std::vector<std::vector<double>> amounts;  // mm over the hour that ends at the stamp; shape [hours][catchments]
};

Forcing ReadForcing() {
  Forcing forcing;
  forcing.amounts.resize(kHours);
  for (const std::string& id : kCatchments) {
    std::ifstream file(RealData() / "basin" / ("forcing_" + id + ".csv"));
    std::string line;
    std::getline(file, line);
    for (std::size_t i = 0; i < kHours && std::getline(file, line); ++i) {
      std::istringstream cells(line);
      std::string stamp, amount;
      std::getline(cells, stamp, ',');
      std::getline(cells, amount, ',');
      if (forcing.stamps.size() <= i) forcing.stamps.push_back(stamp);
      forcing.amounts[i].push_back(std::stod(amount));
    }
  }
  return forcing;
}

/// As a table; rows for which `is_cut` says so are left out, cells for which `is_empty` says so are empty.
std::string Table(const Forcing& forcing, const std::function<bool(std::size_t)>& is_cut,
                  const std::function<bool(std::size_t, std::size_t)>& is_empty) {
  std::ostringstream table;
  table.precision(17);
  table << "time";
  for (const std::string& id : kCatchments) table << "," << id;
  table << "\n";
  for (std::size_t hour = 0; hour < kHours; ++hour) {
    if (is_cut(hour)) continue;
    table << forcing.stamps[hour];
    for (std::size_t i = 0; i < kCatchments.size(); ++i) {
      table << ",";
      if (!is_empty(hour, i)) table << forcing.amounts[hour][i];
    }
    table << "\n";
  }
  return table.str();
}

/// The basin with its rain out of a table instead of the NetCDF file.
CompositionFile BasinWithRainFrom(const std::string& path) {
  CompositionFile file = Read("basin.xml");
  for (openmi::ComponentSpec& component : file.components) {
    if (component.id != "rain") continue;
    component.type = "openmi.CsvSeries";
    std::string columns;
    for (const std::string& id : kCatchments)
      columns += (columns.empty() ? "" : ",") + id + "=precipitation@" + id + "[mm]";
    component.arguments = {{.key = "file", .value = path},
                           {.key = "columns", .value = columns},
                           {.key = "utc-offset", .value = "+00:00"},
                           {.key = "stamps", .value = "end"}};
  }
  return file;
}

/// Square metres by catchment.
std::map<std::string, double> Areas() {
  const openmi::GeoJsonFile file = openmi::ReadGeoJson((RealData() / "basin/catchment_data.geojson").string());
  std::map<std::string, double> areas;
  for (const openmi::GeoJsonFeature& feature : file.features)
    areas[feature.id] = file.Number(feature, "areasqkm") * 1e6;
  return areas;
}

std::size_t CountMissing(const std::vector<double>& values, std::size_t from, std::size_t to) {
  return static_cast<std::size_t>(std::count_if(values.begin() + static_cast<std::ptrdiff_t>(from),
                                                values.begin() + static_cast<std::ptrdiff_t>(to),
                                                [](double value) { return std::isnan(value); }));
}

TEST(Gaps, ACopyWithoutAnyGivesTheSameWater) {
  const ScratchFolder folder("gaps");
  const std::string path =
      folder.Write("rain.csv", Table(
                                   ReadForcing(), [](auto) { return false; }, [](auto, auto) { return false; }));
  const Outcome outcome = RunIt(BasinWithRainFrom(path));
  EXPECT_NEAR(outcome.Link(kRainLink).arrived, 11'942'541.14, 0.5);
  EXPECT_EQ(outcome.Link(kRainLink).missing, 0u);
  EXPECT_THAT(TextOf(outcome.problems, Problem::Note), Not(HasSubstr("missing")));
}

TEST(Gaps, RowsCutOutOfTheRainAreSaidLeftOutAndNeverDry) {
  const ScratchFolder folder("gaps");
  const Forcing forcing = ReadForcing();
  // Six hours of rain, and what it would do to the volume to take them for dry ones.
  std::size_t first = 400;
  while (forcing.amounts[first][0] < 0.5 || forcing.amounts[first + 5][0] < 0.1) ++first;
  const auto is_cut = [first](std::size_t hour) { return hour >= first && hour < first + 6; };
  const std::string path = folder.Write("rain.csv", Table(forcing, is_cut, [](auto, auto) { return false; }));
  const Outcome outcome = RunIt(BasinWithRainFrom(path));

  EXPECT_THAT(
      TextOf(outcome.problems, Problem::Note),
      AllOf(HasSubstr("rain.csv"),
            HasSubstr("6 rows are missing between " + std::string(forcing.stamps[first - 1]).replace(10, 1, "T")),
            HasSubstr("(line " + std::to_string(first + 1) + ")"), HasSubstr("missing values fill the gap")));

  double cut = 0.0;
  const std::map<std::string, double> areas = Areas();
  for (std::size_t hour = first; hour < first + 6; ++hour) {
    for (std::size_t i = 0; i < 3; ++i) cut += forcing.amounts[hour][i] * 1e-3 * areas.at(kCatchments[i]);
  }
  ASSERT_GT(cut, 10'000.0);
  const openmi::LinkBalanceFigures& rain = outcome.Link(kRainLink);
  EXPECT_NEAR(rain.arrived, 11'942'541.14 - cut, 0.5);
  EXPECT_LE(std::abs(rain.relative_difference), 1e-9);
  EXPECT_EQ(rain.missing, 2u * 6u * 3u) << "on either side of the link";

  const openmi::RecordedSeries& mean = outcome.Series("rain");
  ASSERT_EQ(mean.values.size(), kHours);
  EXPECT_EQ(CountMissing(mean.values, 0, first), 0u);
  EXPECT_EQ(CountMissing(mean.values, first, first + 6), 6u);
  EXPECT_EQ(CountMissing(mean.values, first + 6, kHours), 0u);
  // Without its rain a catchment has no state: what runs off it from then on is not known, nor anything downstream.
  for (const char* id : {"runoff", "discharge", "level", "release", "stage"}) {
    const openmi::RecordedSeries& series = outcome.Series(id);
    const std::size_t width = series.series.Width();
    const std::size_t begin =
        static_cast<std::size_t>(std::upper_bound(series.times.begin(), series.times.end(),
                                                  mean.times[first - 1] + openmi::kTimeTolerance.count) -
                                 series.times.begin());
    ASSERT_GT(begin, 0u) << id;
    EXPECT_EQ(CountMissing(series.values, 0, (begin - 1) * width), 0u) << id;
    EXPECT_EQ(CountMissing(series.values, (begin + 1) * width, series.values.size()),
              series.values.size() - (begin + 1) * width)
        << id;
  }
  for (const char* id : {"runoff", "creek", "reservoir"}) {
    EXPECT_TRUE(std::isnan(outcome.Component(id).residual)) << id << ": what is not known does not close";
  }
  // The report is of the components before they are finished.
  Outcome reported;
  reported.composition =
      std::make_unique<openmi::Composition>(BasinWithRainFrom(path), openmi::Variables{{"data", RealData().string()}});
  reported.composition->Load(reported.problems);
  reported.composition->Connect(reported.problems);
  openmi::CheckComposition(*reported.composition, reported.problems);
  openmi::RunOptions options;
  options.folder = folder.Path() / "out";
  options.write_results = false;
  options.write_report = openmi::WriteRunReport;
  reported.record = openmi::CompositionRun(*reported.composition, reported.problems, options).Run();
  std::ifstream page(folder.Path() / "out" / "basin.html");
  const std::string html{std::istreambuf_iterator<char>(page), {}};
  EXPECT_THAT(html, AllOf(HasSubstr("largest component residual"), HasSubstr("3 of 3 not known")));
}

TEST(Gaps, AnEmptyCellIsMissingInItsCatchmentOnly) {
  const ScratchFolder folder("gaps");
  const auto is_empty = [](std::size_t hour, std::size_t catchment) { return hour == 500 && catchment == 1; };
  const std::string path = folder.Write("rain.csv", Table(
                                                        ReadForcing(), [](auto) { return false; }, is_empty));
  const Outcome outcome = RunIt(BasinWithRainFrom(path));
  EXPECT_THAT(TextOf(outcome.problems, Problem::Note),
              AllOf(HasSubstr("precipitation: 1 of 2160 values is missing, the first in line 502"),
                    Not(HasSubstr("rows are missing"))));
  EXPECT_EQ(outcome.Link(kRainLink).missing, 2u);
  const openmi::RecordedSeries& runoff = outcome.Series("runoff");
  for (std::size_t i = 0; i < 3; ++i) {
    std::size_t missing = 0;
    for (std::size_t hour = 0; hour < kHours; ++hour) missing += std::isnan(runoff.values[hour * 3 + i]) ? 1 : 0;
    EXPECT_EQ(missing, runoff.series.elements[i] == "cat-52" ? kHours - 500 : 0u) << runoff.series.elements[i];
  }
  EXPECT_EQ(CountMissing(outcome.Series("rain").values, 0, kHours), 1u) << "the mean of all in that hour";
}

TEST(Gaps, ObservationsCutOutAreLeftOutOfTheMeasuresAndCounted) {
  const Outcome whole = RunIt(Read("topmodel.xml"));
  // The observations in a table of their own, with the times that the run gives them, a day and an hour cut out.
  const auto is_cut = [](std::size_t row) { return (row >= 200 && row < 224) || row == 700; };
  std::ifstream inputs(RealData() / "topmodel/inputs.dat");
  std::string line;
  std::getline(inputs, line);
  std::string table = "time,observed-discharge (m h-1)\n";
  const double start = openmi::ParseIsoTime("2001-01-01T00:00Z").mjd;
  for (std::size_t row = 0; std::getline(inputs, line); ++row) {
    std::istringstream cells(line);
    std::string rain, evaporation, discharge;
    cells >> rain >> evaporation >> discharge;
    if (!is_cut(row))
      table += openmi::FormatIsoTime(openmi::Stamp{start + static_cast<double>(row) / 24.0}) + "," + discharge + "\n";
  }
  const ScratchFolder folder("gaps");
  CompositionFile file = Read("topmodel.xml");
  openmi::ComponentSpec gauge;
  gauge.id = "gauge";
  gauge.type = "openmi.CsvSeries";
  gauge.assembly = "openmi-components";
  gauge.arguments = {{.key = "file", .value = folder.Write("gauge.csv", table)},
                     {.key = "columns", .value = "observed-discharge=observed-discharge@pyungkwang[m h-1]"},
                     {.key = "stamps", .value = "begin"}};
  file.components.push_back(gauge);
  for (openmi::CompareSpec& compare : file.compares) compare.observed = {"gauge", "observed-discharge"};
  const Outcome outcome = RunIt(file);

  EXPECT_THAT(TextOf(outcome.problems, Problem::Note),
              AllOf(HasSubstr("24 rows are missing between"), HasSubstr("1 row is missing between")));
  ASSERT_EQ(outcome.record.comparisons.size(), 1u);
  const openmi::RecordedComparison& cut = outcome.record.comparisons[0];
  const openmi::RecordedComparison& all = whole.record.comparisons[0];
  EXPECT_EQ(cut.simulated, all.simulated) << "the model never saw the observations";
  std::vector<openmi::MeasureWindow> windows;
  for (const openmi::WindowSpec& window : cut.spec->windows)
    windows.push_back({window.label, window.from->mjd, window.to->mjd});
  const auto measures = openmi::ComputeMeasures(cut.times, cut.observed, cut.simulated, windows);
  EXPECT_EQ(measures[0].pairs, 633u - 24u);
  EXPECT_EQ(measures[0].missing, 24u);
  EXPECT_EQ(measures[1].pairs, 317u - 1u);
  EXPECT_EQ(measures[1].missing, 1u);
  EXPECT_EQ(measures[2].missing, 0u);
  // By hand, of the pairs that are left.
  double mean = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < 633; ++i) {
    EXPECT_EQ(std::isnan(cut.observed[i]), is_cut(i)) << i;
    if (is_cut(i)) continue;
    EXPECT_EQ(cut.observed[i], all.observed[i]) << i;
    mean += all.observed[i];
    count += 1.0;
  }
  mean /= count;
  double errors = 0.0;
  double spread = 0.0;
  for (std::size_t i = 0; i < 633; ++i) {
    if (is_cut(i)) continue;
    errors += std::pow(all.simulated[i] - all.observed[i], 2);
    spread += std::pow(all.observed[i] - mean, 2);
  }
  EXPECT_NEAR(measures[0].nash_sutcliffe, 1.0 - errors / spread, 1e-12);
}

}  // namespace
}  // namespace riverbasin
