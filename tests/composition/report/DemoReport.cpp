#include "DemoReport.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "composition/report/ReportNumbers.hpp"

namespace openmi {
namespace {

constexpr double kFrom = 57357.0;  // 2015-12-01
constexpr std::size_t kHours = 720;

std::vector<double> Times() {
  std::vector<double> times;
  for (std::size_t hour = 1; hour <= kHours; ++hour) {
    times.push_back(kFrom + static_cast<double>(hour) / 24.0);
  }
  return times;
}

/// Storms of a few hours every few days, mm/h.
std::vector<double> Rain(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<double> rain(kHours, 0.0);
  for (std::size_t start = 20; start < kHours; start += static_cast<std::size_t>(40 + 110 * uniform(random))) {
    const double size = 1.0 + 7.0 * uniform(random);
    const auto length = static_cast<std::size_t>(5 + 18 * uniform(random));
    for (std::size_t i = 0; i < length && start + i < kHours; ++i) {
      rain[start + i] = size * std::sin(3.1 * static_cast<double>(i + 1) / static_cast<double>(length + 1)) *
                        (0.5 + 0.5 * uniform(random));
    }
  }
  return rain;
}

/// Two linear reservoirs, m3/s from mm/h over `area` km2.
std::vector<double> Flow(const std::vector<double>& rain, double area, double fast, double slow) {
  std::vector<double> flow;
  double quick_store = 0.0;
  double slow_store = 25.0;
  for (const double depth : rain) {
    quick_store += 0.55 * depth;
    slow_store += 0.25 * depth;
    const double quick = quick_store / fast;
    const double base = slow_store / slow;
    quick_store -= quick;
    slow_store -= base;
    flow.push_back((quick + base) * area / 3.6);
  }
  return flow;
}

MapElement Catchment(const std::string& id, double x, double y, double size, double value) {
  MapElement element{id, MapShape::Polygon, {{}}, value, false};
  for (int i = 40; i >= 0; --i) {  // clockwise, as such files often are
    const double angle = 6.283185307179586 * i / 40.0;
    const double radius = size * (1.0 + 0.22 * std::sin(3.0 * angle + x * 40.0) + 0.09 * std::cos(7.0 * angle));
    element.parts[0].push_back({x + radius * std::cos(angle), y + 0.85 * radius * std::sin(angle)});
  }
  return element;
}

GraphModel BasinGraph() {
  GraphModel graph;
  graph.title = "river basin";
  graph.nodes = {
      {"rain", "time series from NetCDF", {}, {{"precipitation", "mm h-1"}, {"temperature", "K"}}, false, false},
      {"evaporation", "time series from CSV", {}, {{"potential", "mm d-1"}}, false, false},
      {"runoff",
       "rainfall-runoff, three catchments",
       {{"precipitation", "mm h-1"}, {"evaporation", "mm h-1"}},
       {{"runoff-depth", "mm h-1"}, {"storage", "mm"}, {"soil-moisture", "1"}},
       false,
       false},
      {"creek",
       "Muskingum-Cunge routing",
       {{"lateral-inflow", "m3 s-1"}, {"downstream-level", "m"}},
       {{"discharge", "m3 s-1"}, {"storage", "m3"}},
       false,
       false},
      {"lower-reach", "Muskingum-Cunge routing", {{"inflow", "m3 s-1"}}, {{"discharge", "m3 s-1"}}, true, false},
      {"reservoir",
       "level pool",
       {{"inflow", "m3 s-1"}, {"demand", "m3 s-1"}},
       {{"level", "m"}, {"release", "m3 s-1"}, {"storage", "m3"}},
       true,
       false},
      {"gauge", "recorder", {{"simulated", "m3 s-1"}}, {}, true, true},
  };
  graph.links = {{"rain", "precipitation", "runoff", "precipitation", {"area-weighted", "mean-over-span"}},
                 {"evaporation", "potential", "runoff", "evaporation", {"unit-conversion", "linear-in-time"}},
                 {"runoff", "runoff-depth", "creek", "lateral-inflow", {"times-element-area"}},
                 {"creek", "discharge", "lower-reach", "inflow", {"sum-over-elements"}},
                 {"lower-reach", "discharge", "reservoir", "inflow", {}},
                 {"reservoir", "level", "creek", "downstream-level", {"previous-in-time"}},
                 {"reservoir", "release", "gauge", "simulated", {"linear-in-time"}}};
  return graph;
}

void AddSeries(ReportModel& model, const std::vector<double>& times, const std::vector<double>& rain) {
  model.series.push_back(
      {"rain.precipitation", "rain over the hour", "mm h-1", "mean over 1 h", {}, times, {}, {}, PlotShape::Step});
  ReportSeries& depth = model.series.back();
  depth.elements = {{"cat-27", false}, {"cat-52", false}, {"cat-67", false}};
  for (const double value : rain) {
    depth.values.insert(depth.values.end(), {value, value * 0.93 + 0.02 * (value > 0.0 ? 1.0 : 0.0), value * 1.08});
  }
  model.series.push_back(
      {"creek.discharge", "flow at the end of each reach", "m3 s-1", "instant", {}, times, {}, {}, PlotShape::Line});
  ReportSeries& reaches = model.series.back();
  constexpr std::size_t count = 24;
  std::vector<std::vector<double>> flows;
  for (std::size_t i = 0; i < count; ++i) {
    reaches.elements.push_back({"fp-" + std::to_string(100 + i), i >= 22});
    flows.push_back(Flow(rain, 4.0 + 2.3 * static_cast<double>(i), 8.0 + 1.4 * static_cast<double>(i), 260.0));
  }
  for (std::size_t hour = 0; hour < kHours; ++hour) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_gap = i == 5 && hour > 300 && hour < 345;
      reaches.values.push_back(is_gap ? NAN : flows[i][hour]);
    }
  }
  model.series.push_back({"reservoir.level", "", "m", "instant", {{"", true}}, times, {}, {}, PlotShape::Line});
  double level = 12.0;
  for (std::size_t hour = 0; hour < kHours; ++hour) {
    level += 0.0016 * (flows[23][hour] - 0.55 * (level - 9.0) * 2.0);
    model.series.back().values.push_back(level);
  }
}

}  // namespace

ReportModel DemoReport() {
  ReportModel model;
  const std::vector<double> times = Times();
  const std::vector<double> rain = Rain(11);
  model.title = "River basin, December 2015";
  model.subtitle = "Rain over three headwaters, their runoff, the creek below them and a reservoir that answers back";
  model.description =
      "Made-up data: this page shows what a report looks like. The lower reach, the reservoir and the gauge are "
      "invented.";
  model.created = "2026-01-05T09:12Z";
  model.from = kFrom;
  model.to = kFrom + 30.0;
  model.warm_up_until = kFrom + 4.0;
  model.wall_seconds = 0.412;
  model.key_figures = {{"Largest link difference", "3.1 \xC3\x97 10\xE2\x81\xBB\xC2\xB9\xC2\xB3", "",
                        "7 of 7 links closed", ReportTone::Good},
                       {"Largest component residual", "8.8 \xC3\x97 10\xE2\x81\xBB\xC2\xB9\xC2\xB2", "",
                        "4 of 5 components closed", ReportTone::Warning},
                       {"Efficiency at the station", "0.92", "", "NSE, validation", ReportTone::Good},
                       {"Largest discharge", "41.7", "m3 s-1", "fp-123, 2015-12-23T05:00Z", ReportTone::Neutral},
                       {"Rain in the month", "215.7", "mm", "11 942 541 m\xC2\xB3", ReportTone::Neutral}};
  model.messages = {
      {ReportTone::Warning, "rain.precipitation", "ends an hour before the run: the last hour is missing"},
      {ReportTone::Bad, "routing", "the balance does not close: 0.31 % of the inflow is lost"},
      {ReportTone::Neutral, "basin.xml:12", "evaporation.potential: mm d-1 becomes mm h-1 (conversion inserted)"}};
  model.graph = BasinGraph();

  ReportComparison comparison;
  comparison.station = "Headwater station";
  comparison.simulated_item = "runoff.discharge";
  comparison.observed_item = "observed.discharge";
  comparison.unit = "m3 s-1";
  comparison.volume_unit = "m3";
  comparison.times = times;
  comparison.simulated = Flow(rain, 18.9, 13.0, 300.0);
  comparison.observed = Flow(rain, 18.2, 11.0, 260.0);
  std::mt19937 random(5);
  std::normal_distribution<double> noise(1.0, 0.05);
  for (std::size_t i = 0; i < kHours; ++i) {
    comparison.observed[i] *= noise(random);
    if (i > 420 && i < 436) {
      comparison.observed[i] = NAN;
    }
  }
  comparison.rain = {"rain, cat-27", "mm h-1", times, rain};
  const std::vector<MeasureWindow> windows{{"calibration", kFrom + 4.0, kFrom + 18.0},
                                           {"validation", kFrom + 18.0, kFrom + 30.0}};
  comparison.windows = ComputeMeasures(comparison.times, comparison.observed, comparison.simulated, windows);
  model.comparisons.push_back(comparison);

  ReportHydrograph hydrograph{"Gauge below the reservoir", comparison.rain, {}, true};
  hydrograph.flows = {{"release", "m3 s-1", times, Flow(rain, 55.0, 60.0, 300.0)},
                      {"inflow", "m3 s-1", times, Flow(rain, 55.0, 22.0, 300.0)}};
  model.hydrographs.push_back(hydrograph);
  AddSeries(model, times, rain);

  model.link_balances = {{"rain.precipitation", "runoff.precipitation", "area-weighted, mean-over-span", "m3",
                          11942541.25, 11942541.25, 0.0, ""},
                         {"runoff.runoff-depth", "creek.lateral-inflow", "times-element-area", "m3", 8210334.507,
                          8210334.507, 3.1e-13, ""},
                         {"creek.discharge", "lower-reach.inflow", "sum-over-elements", "m3", 8011502.11, 7986666.45,
                          -3.1e-3, "a leak was put here on purpose"},
                         {"reservoir.level", "creek.downstream-level", "previous-in-time", "m", kUnknown, kUnknown,
                          kUnknown, "a level is no flux"}};
  model.component_balances = {
      {"runoff", 55.36e6, 1.2e6, 11942541.25, 8210334.507, 1811002.2, 3121204.543, 1.1e-7, 4.2e-9, kFrom + 22.2,
       9.2e-15, ""},
      {"creek", kUnknown, 41200.0, 8210334.507, 8011502.11, 0.0, 240032.397, -3.0e-8, 2.0e-9, kFrom + 9.0, 3.7e-15, ""},
      {"routing", kUnknown, 100.0, 8011502.11, 7986666.45, 0.0, 100.0, 24835.66, 812.3, kFrom + 22.25, 3.1e-3,
       "leaks"}};

  ElementMap map{"Largest runoff of each catchment", "mm h-1", true, 1.0, {}};
  map.elements = {Catchment("cat-27", -80.86, 35.21, 0.021, 3.4), Catchment("cat-52", -80.79, 35.18, 0.024, 2.1),
                  Catchment("cat-67", -80.83, 35.14, 0.018, 4.7)};
  map.elements[1].parts.push_back({{-80.792, 35.181}, {-80.788, 35.181}, {-80.788, 35.184}, {-80.792, 35.184}});
  map.elements.push_back({"fp-27",
                          MapShape::Line,
                          {{{-80.86, 35.215}, {-80.85, 35.20}, {-80.836, 35.19}, {-80.82, 35.172}, {-80.80, 35.16}}},
                          2.9,
                          false});
  map.elements.push_back(
      {"lower-reach", MapShape::Line, {{{-80.80, 35.16}, {-80.78, 35.145}, {-80.755, 35.14}}}, 4.1, true});
  map.elements.push_back({"gauge", MapShape::Point, {{{-80.755, 35.14}}}, NAN, true});
  model.maps.push_back(map);

  model.settings = {{"period", "2015-12-01T00:00Z to 2015-12-31T00:00Z"},
                    {"warm-up", "P4D"},
                    {"trigger", "gauge"},
                    {"mode", "pull"},
                    {"loops", "creek \xE2\x86\x92 lower-reach \xE2\x86\x92 reservoir \xE2\x86\x92 creek: best value"}};
  model.timings = {{"rain", 0.021, 720},   {"evaporation", 0.003, 30},   {"runoff", 0.201, 720},
                   {"creek", 0.093, 8640}, {"lower-reach", 0.041, 8640}, {"reservoir", 0.012, 720},
                   {"gauge", 0.004, 720}};
  // Two groups: upland computes 40 % of the time while lowland waits, and the other way round.
  model.workers.columns = {"computing", "the run", "others", "upland", "lowland"};
  model.workers.bins = 100;
  model.workers.bin_seconds = 0.004;
  RecordedWorkers::Worker upland;
  upland.figures = {.key = "group upland",
                    .name = "upland",
                    .group = "upland",
                    .placed = "node1",
                    .components = "rain, runoff",
                    .host = "node1",
                    .process = 815,
                    .messages_to = 40'000,
                    .messages_from = 60'000};
  upland.figures.paths = {{.to = 1, .is_network = true, .rows = 720, .bytes = 1'200'000}};
  RecordedWorkers::Worker lowland;
  lowland.figures = {.key = "group lowland",
                     .name = "lowland",
                     .group = "lowland",
                     .placed = "node2",
                     .components = "creek, reservoir",
                     .host = "cluster-2",
                     .process = 4711,
                     .messages_to = 40'000,
                     .messages_from = 60'000,
                     .rows_from = 900'000};
  for (std::size_t bin = 0; bin < model.workers.bins; ++bin) {
    for (const double share : {0.4, 0.1, 0.0, 0.0, 0.5}) upland.times.push_back(share * 0.004);
    for (const double share : {0.6, 0.0, 0.0, 0.4, 0.0}) lowland.times.push_back(share * 0.004);
  }
  model.workers.workers = {upland, lowland};
  model.versions = {{"openmi", "0.2.0"}, {"libxml2", "2.9.14"}, {"NetCDF", "4.9.0"}, {"UDUNITS-2", "2.2.28"}};
  const std::string hash = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  model.files = {{"basin.xml", "composition", hash, 4182.0},
                 {"rain.omi", "OMI file", hash, 911.0},
                 {"librunoff.so", "library", hash, 82344.0},
                 {"forcing_3cats.nc", "input", hash, 334236.0}};
  model.arguments = {{"rain", "file", "forcing_3cats.nc", "", "composition"},
                     {"rain", "utc-offset", "+00:00", "", "OMI file"},
                     {"runoff", "k-quick", "13", "h", "composition"},
                     {"runoff", "k-slow", "300", "h", "default"},
                     {"reservoir", "volume-curve", "curve.csv", "", "OMI file"}};
  return model;
}

ReportModel BigReport(std::size_t points, std::size_t elements) {
  ReportModel model;
  model.title = "Many values";
  ReportSeries series;
  series.item = "model.value";
  series.unit = "m";
  for (std::size_t element = 0; element < elements; ++element) {
    series.elements.push_back({"e" + std::to_string(element), false});
  }
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0.0, 1.0);
  for (std::size_t i = 0; i < points; ++i) {
    series.times.push_back(kFrom + static_cast<double>(i) / 1440.0);
    for (std::size_t element = 0; element < elements; ++element) {
      series.values.push_back(std::sin(0.0005 * static_cast<double>(i)) * (1.0 + static_cast<double>(element)) +
                              0.1 * noise(random));
    }
  }
  model.series.push_back(std::move(series));
  return model;
}

GraphModel CombGraph(std::size_t count) {
  GraphModel graph;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i / 10;
    const std::size_t place = i % 10;
    const std::string id = "reach-" + std::to_string(row) + "-" + std::to_string(place);
    graph.nodes.push_back({id, "routing", {{"inflow", "m3 s-1"}}, {{"outflow", "m3 s-1"}}, false, false});
    if (place > 0) {
      graph.links.push_back({"reach-" + std::to_string(row) + "-" + std::to_string(place - 1), "outflow", id, "inflow",
                             place % 3 == 0 ? std::vector<std::string>{"linear-in-time"} : std::vector<std::string>{}});
    }
    if (place == 9 && row > 0) {
      graph.links.push_back({id, "outflow", "reach-" + std::to_string(row - 1) + "-9", "inflow", {}});
    }
  }
  return graph;
}

}  // namespace openmi
