#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <locale>
#include <nlohmann/json.hpp>

#include "DemoReport.hpp"
#include "Markup.hpp"
#include "composition/report/HtmlSections.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::filesystem::path Folder() {
  const std::filesystem::path folder = std::filesystem::path(OPENMI_BINARY_DIR) / "tests" / "report";
  std::filesystem::create_directories(folder);
  return folder;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A page is too long to be printed where an assertion fails.
bool Holds(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

TEST(HtmlReport, WritesOneWellFormedPageWithEverySection) {
  const auto path = Folder() / "demo.html";
  WriteHtmlReport(DemoReport(), path);
  const std::string page = ReadFile(path);
  const MarkupCheck check = CheckMarkup(page);
  ASSERT_TRUE(check.is_well_formed) << check.problem;
  EXPECT_EQ(CountNodes(page, "//nav//a"), 10u);
  EXPECT_EQ(CountNodes(page, "//main/section"), 10u);
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".part"));
}

TEST(HtmlReport, LinksEachSectionFromTheNavigation) {
  const std::string page = HtmlReport(DemoReport());
  for (const std::string id : {"notes", "diagram", "observations", "hydrographs", "maps", "items", "balances",
                               "processes", "run", "provenance"}) {
    EXPECT_EQ(CountNodes(page, "//main/section[@id='" + id + "']"), 1u) << id;
    EXPECT_EQ(CountNodes(page, "//nav//a[@href='#" + id + "']"), 1u) << id;
  }
}

TEST(HtmlReport, ShowsWhoWaitedForWhom) {
  const ReportModel model = DemoReport();
  const std::string page = HtmlReport(model);
  const std::string table = TextOf(page, "//table[@class='processes']");
  EXPECT_THAT(table, AllOf(HasSubstr("lowland (creek, reservoir)"), HasSubstr("node2"), HasSubstr("4711"),
                           HasSubstr("upland 160"), HasSubstr("1.2\xE2\x80\x89MB")));
  EXPECT_EQ(CountNodes(page, "//section[@id='processes']//*[local-name()='svg'][@data-waits]"), 1u);
  EXPECT_THAT(TextOf(page, "//section[@id='processes']//details"), HasSubstr("computing 60"));
  ReportModel many = model;
  for (std::size_t i = 0; i < 300; ++i) many.workers.workers.push_back(many.workers.workers[0]);
  const std::string crowded = HtmlReport(many);
  EXPECT_TRUE(Holds(crowded, "The first 24 of 302 processes are drawn."));
  EXPECT_TRUE(Holds(crowded, "The first 200 of 302 processes are listed."));
  EXPECT_LT(crowded.size(), page.size() + 600'000);
}

TEST(HtmlReport, NeedsNothingButItself) {
  const std::string page = HtmlReport(DemoReport());
  EXPECT_EQ(CountNodes(page, "//link | //script[@src] | //img | //iframe | //object"), 0u);
  EXPECT_EQ(CountNodes(page, "//image[not(starts-with(@href, 'data:image/png;base64,'))]"), 0u);
  EXPECT_THAT(TextOf(page, "//style"), AllOf(Not(HasSubstr("url(")), Not(HasSubstr("@import"))));
}

TEST(HtmlReport, StatesMeasuresPerWindow) {
  const ReportModel model = DemoReport();
  const std::string page = HtmlReport(model);
  const std::string table = TextOf(page, "//table[@class='stations']");
  EXPECT_THAT(table, AllOf(HasSubstr("calibration"), HasSubstr("validation"), HasSubstr("2015-12-19")));
  EXPECT_THAT(table, HasSubstr("11 missing"));
}

TEST(HtmlReport, StatesNoEfficiencyWithoutObservation) {
  ReportModel model;
  model.title = "ungauged";
  ReportComparison comparison;
  comparison.station = "nowhere";
  comparison.unit = "m3 s-1";
  comparison.times = {57000.0, 57001.0, 57002.0};
  comparison.simulated = {1.0, 2.0, 3.0};
  comparison.observed = {kUnknown, kUnknown, kUnknown};
  const std::vector<MeasureWindow> windows{{.label = "all"}};
  comparison.windows = ComputeMeasures(comparison.times, comparison.observed, comparison.simulated, windows);
  model.comparisons.push_back(comparison);
  const std::string page = HtmlReport(model);
  ASSERT_TRUE(CheckMarkup(page).is_well_formed);
  EXPECT_THAT(TextOf(page, "//table[@class='stations']//tbody"), HasSubstr("no observation"));
  EXPECT_EQ(CountNodes(page, "//table[@class='stations']//tbody//b"), 0u);
  EXPECT_THAT(TextOf(page, "//section"), HasSubstr("so no efficiency is stated"));
  EXPECT_EQ(CountNodes(page, "//figure"), 1u);  // the hydrograph; no residuals, duration or volumes
}

TEST(HtmlReport, MarksWhatIsInvented) {
  const std::string page = HtmlReport(DemoReport());
  const std::string invented = "//*[contains(@class, 'badge invented')]";
  EXPECT_GE(CountNodes(page, "//section[@id='items']" + invented), 2u);
  EXPECT_EQ(CountNodes(page, "//section[@id='hydrographs']" + invented), 1u);
  EXPECT_GE(CountNodes(page, "//section[@id='diagram']//rect[@class='box invented']"), 3u);
  EXPECT_EQ(CountNodes(page, "//section[@id='diagram']//div[@class='scroll whole']"), 1u) << "nothing is cut off";
  EXPECT_THAT(TextOf(page, "//section[@id='maps']//title"), HasSubstr("(invented)"));
}

/// An item of one value over two times.
ReportSeries OneValue(const std::string& item, double first, bool is_invented = false) {
  ReportSeries series;
  series.item = item;
  series.unit = "m3 s-1";
  series.as = "instant";
  series.elements = {{"", is_invented}};
  series.times = {57357.0, 57358.0};
  series.values = {first, first + 1.0};
  return series;
}

TEST(HtmlReport, SaysOfAnItemOnceThatItIsInvented) {
  ReportModel model;
  ReportSeries series = OneValue("creek.discharge", 1.0);
  series.elements.clear();
  series.values.clear();
  for (int i = 0; i < 30; ++i) series.elements.push_back({"cell-" + std::to_string(i), true});
  series.values.assign(60, 1.0);
  model.series.push_back(series);
  const std::string page = HtmlReport(model);
  EXPECT_EQ(CountNodes(page, "//section[@id='items']//*[text()='invented']"), 1u);
  EXPECT_FALSE(Holds(page, "(invented)"));
}

TEST(HtmlReport, DrawsAHydrographOnce) {
  ReportModel model;
  model.series.push_back(OneValue("creek.discharge", 1.0));
  ReportHydrograph hydrograph;
  hydrograph.title = "creek.discharge";
  hydrograph.flows.push_back({"creek.discharge", "m3 s-1", {57357.0, 57358.0}, {1.0, 2.0}});
  model.hydrographs.push_back(hydrograph);
  const std::string page = HtmlReport(model);
  EXPECT_EQ(CountNodes(page, "//section[@id='hydrographs']//svg"), 1u);
  EXPECT_EQ(CountNodes(page, "//section[@id='items']//svg"), 0u);
  EXPECT_THAT(TextOf(page, "//section[@id='items']"), HasSubstr("Drawn under Hydrographs."));
  EXPECT_EQ(CountNodes(page, "//section[@id='items']//tbody/tr"), 1u);
}

TEST(HtmlReport, DrawsTheSameItemOfManyComponentsTogether) {
  ReportModel model;
  for (int i = 0; i < 40; ++i) model.series.push_back(OneValue("reach-" + std::to_string(i) + ".q", i, i == 3));
  model.series.push_back(OneValue("lake.q", 5.0));
  model.series.back().unit = "l s-1";
  model.series.push_back(OneValue("lake.level", 5.0));
  const std::string page = HtmlReport(model);
  EXPECT_EQ(CountNodes(page, "//section[@id='items']//figure"), 3u);
  const std::string titles = TextOf(page, "//section[@id='items']//figcaption/b");
  EXPECT_THAT(titles, AllOf(HasSubstr("q of 40 components"), HasSubstr("lake.q"), HasSubstr("lake.level")));
  const std::string table = TextOf(page, "(//section[@id='items']//figure)[1]//table");
  EXPECT_THAT(table, AllOf(HasSubstr("reach-0"), HasSubstr("all 40")));
  EXPECT_THAT(table, HasSubstr("39"));
}

TEST(HtmlReport, LinksTheFilesWithAllValues) {
  ReportModel model;
  model.results = {{"CSV", "upper creek.csv"}, {"NetCDF", "data/javascript:x.nc"}};
  const std::string page = HtmlReport(model);
  ASSERT_TRUE(CheckMarkup(page).is_well_formed);
  EXPECT_EQ(TextOf(page, "//header//a[1]/@href"), "upper%20creek.csv");
  EXPECT_EQ(TextOf(page, "//header//a[2]/@href"), "data/javascript%3Ax.nc");
  EXPECT_EQ(TextOf(page, "//header//a[2]"), "NetCDF");
  EXPECT_EQ(CountNodes(HtmlReport(ReportModel()), "//header//a"), 0u);
}

TEST(HtmlReport, MarksABalanceThatDoesNotClose) {
  const std::string page = HtmlReport(DemoReport());
  EXPECT_EQ(CountNodes(page, "//section[@id='balances']//span[@class='badge fail']"), 2u);
  EXPECT_EQ(CountNodes(page, "//section[@id='balances']//span[@class='badge ok']"), 4u);
  // 11 942 541 m3 over 55.36 km2
  EXPECT_THAT(TextOf(page, "//section[@id='balances']"), HasSubstr("215.725\xE2\x80\x89mm"));
}

TEST(HtmlReport, StatesExtremesWithTimesAndCountsMissingValues) {
  ReportModel model;
  ReportSeries series;
  series.item = "creek.level";
  series.unit = "m";
  series.elements = {{"a", false}};
  series.times = {57357.0, 57357.25, 57357.5, 57357.75};
  series.values = {2.0, kUnknown, 0.5, 8.0};
  model.series.push_back(series);
  const std::string row = TextOf(HtmlReport(model), "//section[@id='items']//tbody/tr");
  EXPECT_EQ(row, "a0.52015-12-01T12:00Z3.582015-12-01T18:00Z31");  // smallest, mean, largest, values, missing
}

TEST(HtmlReport, RefusesASeriesThatIsNotTimesByElements) {
  ReportModel model;
  ReportSeries series;
  series.item = "creek.level";
  series.elements = {{"a", false}, {"b", false}};
  series.times = {57357.0};
  series.values = {2.0};
  model.series.push_back(series);
  EXPECT_THAT([&] { HtmlReport(model); },
              testing::ThrowsMessage<RangeError>(AllOf(HasSubstr("creek.level"), HasSubstr("1 times x 2 elements"))));
}

TEST(HtmlReport, RefusesAComparisonOfDifferentLengths) {
  ReportModel model = DemoReport();
  model.comparisons[0].observed.pop_back();
  EXPECT_THAT([&] { HtmlReport(model); },
              testing::ThrowsMessage<RangeError>(AllOf(HasSubstr("runoff.discharge"), HasSubstr("719 observed"))));
}

TEST(HtmlReport, EscapesHostileTextEverywhere) {
  const std::string evil = "<script>alert('x')</script>\"&]]>\x01\x1B[31m\xFF";
  ReportModel model = DemoReport();
  model.title = model.subtitle = model.description = model.created = evil;
  for (auto& figure : model.key_figures) {
    figure = {evil, evil, evil, evil, ReportTone::Good};
  }
  for (auto& message : model.messages) {
    message.place = message.text = evil;
  }
  for (auto& node : model.graph.nodes) {
    node.caption = evil;
    for (auto& item : node.inputs) {
      item.unit = evil;
    }
  }
  for (auto& link : model.graph.links) {
    link.adaptors.push_back(evil);
    link.from_item = evil;
    link.to_component = evil;
  }
  for (auto& comparison : model.comparisons) {
    comparison.station = comparison.simulated_item = comparison.observed_item = comparison.unit = evil;
    comparison.rain.label = comparison.rain.unit = comparison.volume_unit = evil;
    comparison.windows[0].window.label = evil;
  }
  for (auto& hydrograph : model.hydrographs) {
    hydrograph.title = hydrograph.flows[0].label = hydrograph.flows[0].unit = evil;
  }
  for (auto& series : model.series) {
    series.item = series.caption = series.unit = series.as = series.elements[0].id = evil;
  }
  for (auto& map : model.maps) {
    map.title = map.unit = map.elements[0].id = evil;
  }
  for (auto& balance : model.link_balances) {
    balance.from = balance.to = balance.adaptors = balance.unit = balance.note = evil;
  }
  for (auto& balance : model.component_balances) {
    balance.component = balance.note = evil;
  }
  model.settings.emplace_back(evil, evil);
  model.versions.emplace_back(evil, evil);
  model.timings.push_back({evil, 1.0, 1});
  for (std::string& column : model.workers.columns) column = evil;
  for (RecordedWorkers::Worker& worker : model.workers.workers) {
    for (std::string* text :
         {&worker.figures.name, &worker.figures.components, &worker.figures.placed, &worker.figures.host}) {
      *text = evil;
    }
  }
  model.files.push_back({evil, evil, evil, 1.0});
  model.arguments.push_back({evil, evil, evil, evil, evil});
  const std::string page = HtmlReport(model);
  const MarkupCheck check = CheckMarkup(page);
  ASSERT_TRUE(check.is_well_formed) << check.problem;
  EXPECT_EQ(CountNodes(page, "//script"), 1u);  // ours
  EXPECT_FALSE(Holds(page, "alert('x')"));
  EXPECT_FALSE(Holds(page, "\x1B"));
  EXPECT_FALSE(Holds(page, "\xFF"));
  EXPECT_THAT(TextOf(page, "//h1"), HasSubstr("<script>alert('x')</script>\"&]]>[31m\xEF\xBF\xBD"));
}

TEST(HtmlReport, OfManyPointsStaysSmall) {
  const std::string page = HtmlReport(BigReport(100000, 5));
  EXPECT_LT(page.size(), 2'000'000u) << "40 000 points of each line, for zooming";
  EXPECT_TRUE(CheckMarkup(page).is_well_formed);
}

TEST(HtmlReport, OfFortyLongSeriesIsOfAFewMegabytes) {
  ReportModel model = BigReport(100'000, 1);
  const ReportSeries one = model.series[0];
  model.series.resize(1);
  for (int i = 1; i < 40; ++i) {
    model.series.push_back(one);
    model.series.back().item = "component-" + std::to_string(i) + ".item-" + std::to_string(i);
  }
  EXPECT_LT(HtmlReport(model).size(), 6'000'000u);
}

TEST(HtmlReport, ListsWhatADiagramCannotShow) {
  ReportModel model;
  for (int i = 0; i < 2000; ++i) model.graph.nodes.emplace_back().id = "c-" + std::to_string(i);
  model.graph.links.push_back({"c-0", "flow", "c-1999", "inflow", {"<mean>"}});
  const std::string page = HtmlReport(model);
  EXPECT_TRUE(CheckMarkup(page).is_well_formed);
  EXPECT_EQ(CountNodes(page, "//table[@class='search']"), 2u);
  EXPECT_EQ(TextOf(page, "//details[2]//tbody//td[2]"), "<mean>");
}

TEST(HtmlReport, OfAMapHasTheValuesOverTime) {
  ReportModel model;
  ElementMap map{.title = "largest level", .unit = "m"};
  for (const double x : {0.0, 1.0}) {
    map.elements.push_back(
        {.id = x == 0.0 ? "west" : "east", .shape = MapShape::Point, .parts = {{{x, 0.0}}}, .value = x});
  }
  map.frames = {{57357.0, 57358.0}, {0.5, NAN, 1.5, 3.0}};
  model.maps.push_back(map);
  const std::string page = HtmlReport(model);
  const nlohmann::json data = nlohmann::json::parse(TextOf(page, "//svg/@data-map"));
  EXPECT_EQ(data["n"], (std::vector<std::string>{"west", "east"}));
  EXPECT_EQ(data["low"], 0.5);
  EXPECT_EQ(data["high"], 3.0);
  EXPECT_EQ(CountNodes(page, "//g[@data-e]"), 2u);
}

TEST(HtmlReport, OfManyItemsAndElementsStaysBelowFiveMegabytes) {
  ReportModel model = BigReport(3000, 40);
  const ReportSeries one = model.series[0];
  for (int i = 0; i < 160; ++i) {
    model.series.push_back(one);
  }
  const std::string page = HtmlReport(model);
  EXPECT_LT(page.size(), 5'000'000u);
  EXPECT_TRUE(Holds(page, "more items than a report can show"));
}

TEST(HtmlReport, OfNothingIsStillAPage) {
  const std::string page = HtmlReport({});
  EXPECT_TRUE(CheckMarkup(page).is_well_formed);
  EXPECT_EQ(CountNodes(page, "//section"), 0u);
}

TEST(HtmlReport, SaysThatTheRunBrokeOff) {
  ReportModel model;
  model.is_complete = false;
  EXPECT_THAT(TextOf(HtmlReport(model), "//header"), HasSubstr("run ended early"));
}

struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(HtmlReport, IsTheSameUnderADecimalComma) {
  const std::string page = HtmlReport(DemoReport());
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // for the C library too, where the machine has it
  const std::string again = HtmlReport(DemoReport());
  std::locale::global(before);
  std::setlocale(LC_ALL, "C");
  EXPECT_TRUE(page == again);
}

TEST(WriteHtmlReport, NamesTheFileThatCannotBeWritten) {
  EXPECT_THAT([] { WriteHtmlReport({}, "/nonexistent/folder/report.html"); },
              testing::ThrowsMessage<FileError>(
                  AllOf(HasSubstr("/nonexistent/folder/report.html"), HasSubstr("No such file or directory"))));
}

TEST(WriteHtmlReport, ReplacesAnEarlierReport) {
  const auto path = Folder() / "replaced.html";
  ReportModel model;
  model.title = "of yesterday";
  WriteHtmlReport(model, path);
  model.title = "of today";
  WriteHtmlReport(model, path);
  EXPECT_TRUE(Holds(ReadFile(path), "<h1>of today"));
  EXPECT_FALSE(Holds(ReadFile(path), "of yesterday"));
}

}  // namespace
}  // namespace openmi
