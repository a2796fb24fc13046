#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nettle/base64.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "Markup.hpp"
#include "composition/report/SvgElementPlots.hpp"
#include "composition/report/SvgLinePlots.hpp"
#include "composition/report/SvgMap.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::vector<double> kTimes{57357.0, 57358.0, 57359.0, 57360.0, 57361.0};
const std::vector<double> kValues{1.0, 4.0, NAN, 2.0, 3.0};

std::size_t Moves(const std::string& path) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), 'M'));
}

TEST(LinePlot, BreaksTheLineAtAMissingValue) {
  const std::string svg = LinePlotSvg({"m", {{"level", kTimes, kValues}}, {}});
  ExpectWellFormed(svg);
  EXPECT_EQ(Moves(TextOf(svg, "//path[@class='l s0']/@d")), 2u);
}

TEST(LinePlot, DrawsStepsOverTheSpanThatEndsAtEachTime) {
  const std::vector<double> times{57357.0, 57358.0};
  const std::vector<double> values{0.0, 10.0};
  const std::string line = LinePlotSvg({"m", {{"a", times, values, PlotShape::Line}}, {}});
  const std::string step = LinePlotSvg({"m", {{"a", times, values, PlotShape::Step}}, {}});
  const auto lines = [](const std::string& svg) {
    const std::string path = TextOf(svg, "//path[@class='l s0']/@d");
    return std::count(path.begin(), path.end(), 'L');
  };
  EXPECT_EQ(lines(line), 1);
  EXPECT_EQ(lines(step), 2);
}

/// The places of a path, one for each M and L.
std::vector<std::pair<double, double>> PointsOf(const std::string& path) {
  std::vector<std::pair<double, double>> points;
  const char* at = path.c_str();
  while (*at != '\0') {
    while (*at != '\0' && *at != 'M' && *at != 'L') ++at;
    if (*at == '\0') break;
    char* after = nullptr;
    const double x = std::strtod(at + 1, &after);
    const double y = std::strtod(after, &after);
    points.emplace_back(x, y);
    at = after;
  }
  return points;
}

TEST(LinePlot, DrawsEachSpanFromItsBeginAndLeavesGapsBetweenThemOpen) {
  // 9 over the first day, 1 over the second, nothing over the third, 8 over the fourth.
  const std::vector<double> begins{57357.0, 57358.0, 57360.0};
  const std::vector<double> ends{57358.0, 57359.0, 57361.0};
  const std::vector<double> values{9.0, 1.0, 8.0};
  const std::string svg = LinePlotSvg({"m", {{"a", ends, values, PlotShape::Step, "l s0", begins}}, {}});
  ExpectWellFormed(svg);
  const std::string path = TextOf(svg, "//path[@class='l s0']/@d");
  EXPECT_EQ(Moves(path), 2u);
  const auto points = PointsOf(path);
  ASSERT_EQ(points.size(), 6u) << path;
  const double day = (points.back().first - points.front().first) / 4.0;
  const double left = points.front().first;
  const std::vector<double> places{0.0, 1.0, 1.0, 2.0, 3.0, 4.0};
  for (std::size_t i = 0; i < places.size(); ++i) EXPECT_NEAR(points[i].first, left + places[i] * day, 0.11) << i;
  EXPECT_EQ(points[0].second, points[1].second);
  EXPECT_EQ(points[4].second, points[5].second);
}

/// Numbers as the script of the page reads them.
template <class Number>
std::vector<Number> Decoded(const std::string& base64) {
  std::vector<std::uint8_t> bytes(BASE64_DECODE_LENGTH(base64.size()));
  base64_decode_ctx context;
  base64_decode_init(&context);
  std::size_t length = bytes.size();
  EXPECT_TRUE(base64_decode_update(&context, &length, bytes.data(), base64.size(), base64.c_str()));
  std::vector<Number> numbers(length / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

TEST(PlotData, ThinsOutALongLineToItsSmallestAndLargestValues) {
  std::vector<double> times;
  std::vector<double> values;
  for (int i = 0; i < 100'000; ++i) {
    times.push_back(57357.0 + i / 24.0);
    values.push_back(i == 54'321 ? 100.0 : i % 2);
  }
  PlotStyle style;
  style.points = 1000;
  const std::string svg = LinePlotSvg({"m", {{"a", times, values}}, {}}, style);
  const nlohmann::json line = nlohmann::json::parse(TextOf(svg, "/svg/@data-plot"))["lines"][0];
  EXPECT_EQ(line["of"], 100'000);
  const auto rows = Decoded<std::uint32_t>(line["rows"]);
  const auto kept = Decoded<float>(line["v"]);
  ASSERT_EQ(rows.size(), kept.size());
  EXPECT_LE(rows.size(), 1000u);
  const auto peak = std::ranges::find(rows, 54'321u);
  ASSERT_NE(peak, rows.end());
  EXPECT_EQ(kept[static_cast<std::size_t>(peak - rows.begin())], 100.0F);
  EXPECT_EQ(line["every"], 3600);
}

TEST(PlotData, HasTimesAndStartsOfSpansThatFollowNoStep) {
  const std::vector<double> ends{57357.0, 57357.5, 57359.0};
  const std::vector<double> begins{57356.0, 57357.0, 57358.0};
  const std::vector<double> values{1.0, 2.0, 3.0};
  const std::string svg = LinePlotSvg({"m", {{"a", ends, values, PlotShape::Step, "l s0", begins}}, {}});
  const nlohmann::json line = nlohmann::json::parse(TextOf(svg, "/svg/@data-plot"))["lines"][0];
  EXPECT_EQ(Decoded<double>(line["t"]), (std::vector<double>{86400.0, 129600.0, 259200.0}));
  EXPECT_EQ(Decoded<double>(line["b"]), (std::vector<double>{0.0, 86400.0, 172800.0}));
}

TEST(LinePlot, ShadesSpansAndCarriesValuesForTheReadOut) {
  const std::string svg = LinePlotSvg({"m3 s-1", {{"flow \"a\"", kTimes, kValues}}, {{57357.0, 57358.5, "warm-up"}}});
  ExpectWellFormed(svg);
  EXPECT_EQ(CountNodes(svg, "//rect[@class='warm']"), 1u);
  EXPECT_EQ(CountNodes(svg, "//text[.='warm-up']"), 1u);
  const std::string data = TextOf(svg, "/svg/@data-plot");
  const nlohmann::json read = nlohmann::json::parse(data);
  EXPECT_EQ(read["spans"][0]["n"], "warm-up");
  EXPECT_EQ(read["spans"][0]["to"], 1.5 * 86400.0);
  const nlohmann::json& line = read["lines"][0];
  EXPECT_EQ(line["n"], "flow \"a\"");
  EXPECT_EQ(line["first"], 0);
  EXPECT_EQ(line["every"], 86400);
  EXPECT_EQ(line.count("of"), 0u) << "no value is left out";
  const std::vector<float> values = Decoded<float>(line["v"]);
  ASSERT_EQ(values.size(), 5u);
  EXPECT_EQ(values[1], 4.0F);
  EXPECT_TRUE(std::isnan(values[2])) << "a gap stays a gap";
}

TEST(LinePlot, SaysThatThereIsNothing) {
  const std::vector<double> nothing(kTimes.size(), NAN);
  for (const std::string& svg : {LinePlotSvg({"m", {}, {}}), LinePlotSvg({"m", {{"a", kTimes, nothing}}, {}})}) {
    ExpectWellFormed(svg);
    EXPECT_THAT(TextOf(svg, "//text"), HasSubstr("no values"));
  }
}

TEST(LinePlot, DrawsASingleValue) {
  const std::vector<double> time{57357.0};
  const std::vector<double> value{3.0};
  const std::string svg = LinePlotSvg({"m", {{"a", time, value}}, {}});
  ExpectWellFormed(svg);
  EXPECT_EQ(CountNodes(svg, "//path[@class='l s0']"), 1u);
}

TEST(LinePlot, AsAFileBringsItsColoursAndTitle) {
  PlotStyle style{.use = SvgUse::Standalone, .title = "Level of <the> lake"};
  std::vector<double> other = kValues;
  other[0] = 2.0;
  const std::string svg = LinePlotSvg({"m", {{"simulated", kTimes, kValues}, {"other", kTimes, other}}, {}}, style);
  std::ofstream(std::filesystem::path(OPENMI_BINARY_DIR) / "tests" / "lines.svg") << svg;
  ExpectWellFormed(svg);
  EXPECT_THAT(svg, testing::StartsWith("<?xml"));
  EXPECT_THAT(TextOf(svg, "//style"), HasSubstr("prefers-color-scheme:dark"));
  EXPECT_EQ(CountNodes(svg, "//text[.='Level of <the> lake']"), 1u);
  EXPECT_EQ(CountNodes(svg, "//text[.='other']"), 1u);
}

TEST(LinePlot, OverSecondsHasNoDates) {
  const std::vector<double> seconds{0.0, 1.0, 2.0, 3.0, 4.0};
  PlotStyle style{.title = "h [m]", .in_seconds = true};
  const std::string svg = LinePlotSvg({"m", {{"h", seconds, kValues}}, {}}, style);
  ExpectWellFormed(svg);
  EXPECT_GE(CountNodes(svg, "//text[.='3' or .='3.0']"), 1u) << svg;
  EXPECT_EQ(CountNodes(svg, "//text[.='s']"), 1u);
  EXPECT_EQ(CountNodes(svg, "//text[contains(., ':') or contains(., '-')]"), 0u);
  EXPECT_EQ(CountNodes(svg, "//text[starts-with(., 'h')]"), 1u) << "the title names the line, no legend repeats it";
  EXPECT_THAT(svg, Not(HasSubstr("data-plot")));
}

TEST(Residuals, AreFilledOnBothSidesOfZero) {
  const std::vector<double> residuals{1.0, -2.0, NAN, 0.5, -0.1};
  const std::string svg = ResidualPlotSvg({"r", kTimes, residuals}, "m", {});
  ExpectWellFormed(svg);
  EXPECT_EQ(Moves(TextOf(svg, "//path[@class='over']/@d")), 2u);
  EXPECT_EQ(Moves(TextOf(svg, "//path[@class='under']/@d")), 2u);
}

ElementPlot ManyElements(std::size_t elements, const std::vector<double>& times, std::vector<double>& values) {
  values.clear();
  ElementPlot plot;
  for (std::size_t element = 0; element < elements; ++element) {
    plot.elements.push_back("e" + std::to_string(element));
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (std::size_t element = 0; element < elements; ++element) {
      values.push_back(static_cast<double>(element) + 0.1 * static_cast<double>(i));
    }
  }
  plot.unit = "m";
  plot.times = times;
  plot.values = values;
  return plot;
}

TEST(ElementColours, AreTheSameInAllPlotsAndDifferInOne) {
  ElementColours colours;
  EXPECT_EQ(colours.Of(std::vector<std::string>{"f1", "f2"}), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(colours.Of(std::vector<std::string>{"leader", "f1", "f2"}), (std::vector<std::size_t>{2, 0, 1}));
  EXPECT_EQ(colours.Of(std::vector<std::string>{"leader"}), (std::vector<std::size_t>{2}));
  // More elements than colours: those of one plot differ all the same.
  for (int plot = 0; plot < 10; ++plot) {
    std::vector<std::string> elements{"leader"};
    for (int i = 0; i < 6; ++i) elements.push_back("e" + std::to_string(6 * plot + i));
    const std::vector<std::size_t> found = colours.Of(elements);
    EXPECT_EQ(std::set<std::size_t>(found.begin(), found.end()).size(), elements.size());
    EXPECT_EQ(found[0], 2u);
  }
  std::vector<double> values;
  ElementPlot plot = ManyElements(2, kTimes, values);
  plot.colours = {1, 0};
  const std::string svg = ElementPlotSvg(plot);
  EXPECT_LT(svg.find("class=\"l s1\""), svg.find("class=\"l s0\""));
}

TEST(ElementPlot, DrawsALineForEachOfAFewElements) {
  std::vector<double> values;
  const std::string svg = ElementPlotSvg(ManyElements(5, kTimes, values));
  ExpectWellFormed(svg);
  EXPECT_EQ(CountNodes(svg, "//path[starts-with(@class, 'l s')]"), 5u);
}

TEST(ElementPlot, DrawsABandAndHighlightsForManyElements) {
  std::vector<double> values;
  ElementPlot plot = ManyElements(41, kTimes, values);
  plot.highlighted = {40, 3};
  const std::string svg = ElementPlotSvg(plot);
  ExpectWellFormed(svg);
  EXPECT_EQ(CountNodes(svg, "//path[@class='range'] | //path[@class='quart']"), 2u);
  EXPECT_EQ(CountNodes(svg, "//path[starts-with(@class, 'l s')]"), 3u);  // two elements and the median
  const std::string data = TextOf(svg, "/svg/@data-plot");
  const nlohmann::json lines = nlohmann::json::parse(data)["lines"];
  ASSERT_EQ(lines.size(), 7u) << "the edges of two bands, the median and two elements";
  EXPECT_EQ(lines[0]["c"], "range");
  EXPECT_EQ(lines[3]["c"], "quart");
  EXPECT_EQ(lines[2]["n"], "median");
  EXPECT_EQ(Decoded<float>(lines[2]["v"]), (std::vector<float>{20.0F, 20.1F, 20.2F, 20.3F, 20.4F}));
}

TEST(ElementPlot, ABandOfValuesOverSpansHasStepsAndNoSlopes) {
  std::vector<double> values;
  ElementPlot plot = ManyElements(41, kTimes, values);
  const auto corners = [&plot](const char* css_class) {
    const std::string svg = ElementPlotSvg(plot);
    const std::string path = TextOf(svg, "//path[@class='" + std::string(css_class) + "']/@d");
    return std::count(path.begin(), path.end(), 'L');
  };
  EXPECT_EQ(corners("range"), 4 + 5) << "there along the upper edge and back along the lower one";
  EXPECT_EQ(corners("l s0"), 4);
  plot.shape = PlotShape::Step;
  EXPECT_EQ(corners("range"), 8 + 9);
  EXPECT_EQ(corners("quart"), 8 + 9);
  EXPECT_EQ(corners("l s0"), 8);
}

TEST(ElementPlot, ABandOfSpansBeginsWhereTheFirstSpanDoes) {
  std::vector<double> values;
  ElementPlot plot = ManyElements(41, kTimes, values);
  plot.shape = PlotShape::Step;
  std::vector<double> begins = kTimes;
  for (double& begin : begins) begin -= 1.0;
  plot.begins = begins;
  const auto points = PointsOf(TextOf(ElementPlotSvg(plot), "//path[@class='range']/@d"));
  ASSERT_EQ(points.size(), 20u) << "ten corners there and ten back";
  const double day = (points[9].first - points[0].first) / 5.0;
  EXPECT_NEAR(points[1].first - points[0].first, day, 0.11);
}

TEST(HeatMap, GivesEachSpanItsOwnDay) {
  // Two of thirty elements differ on one day: the columns are as many as the days, and the axis begins with the first.
  std::vector<double> values;
  ElementPlot plot = ManyElements(30, kTimes, values);
  const std::string instants = HeatMapSvg(plot);
  plot.shape = PlotShape::Step;
  std::vector<double> begins = kTimes;
  for (double& begin : begins) begin -= 1.0;
  plot.begins = begins;
  const std::string spans = HeatMapSvg(plot);
  // The image is the same five columns; what differs is where the days stand below it: half a day to the left for
  // instants, which lie in the middle of their columns.
  EXPECT_EQ(TextOf(instants, "//image/@href"), TextOf(spans, "//image/@href"));
  const auto place = [](const std::string& svg) {
    return std::stod(TextOf(svg, "//text[contains(., '12-03') or contains(., '3 Dec') or . = '3']/@x"));
  };
  const double width = std::stod(TextOf(spans, "//image/@width"));
  const double left = std::stod(TextOf(spans, "//image/@x"));
  EXPECT_NEAR(place(spans), left + width * 3.0 / 5.0, 0.6);
  EXPECT_NEAR(place(instants), left + width * 2.5 / 5.0, 0.6);
}

TEST(ElementPlot, RefusesValuesThatAreNotTimesByElements) {
  std::vector<double> values;
  ElementPlot plot = ManyElements(3, kTimes, values);
  plot.elements.pop_back();
  for (const auto draw : {ElementPlotSvg, HeatMapSvg}) {
    EXPECT_THAT([&] { draw(plot, {}); },
                testing::ThrowsMessage<RangeError>(AllOf(HasSubstr("5 times x 2 elements"), HasSubstr("found 15"))));
  }
}

TEST(HeatMap, IsOneImageWithAColourBar) {
  std::vector<double> values;
  const std::string svg = HeatMapSvg(ManyElements(30, kTimes, values));
  ExpectWellFormed(svg);
  EXPECT_EQ(CountNodes(svg, "//image"), 1u);
  EXPECT_EQ(CountNodes(svg, "//rect[starts-with(@fill, '#')]"), 64u);
  EXPECT_THAT(TextOf(svg, "//text"), HasSubstr("e28"));
}

TEST(Highlights, AreTheLargestTheMiddleAndTheSmallest) {
  const std::vector<double> values{5, 1, NAN, 9, 3, 5, 1, NAN, 9, 3};
  EXPECT_THAT(ChooseHighlights(5, values), testing::ElementsAre(3, 0, 1));
}

TEST(Hydrograph, HangsRainFromTheTop) {
  Hydrograph hydrograph;
  const std::vector<double> rain{0.0, 4.0, 2.0, NAN, 0.0};
  hydrograph.rain = {"rain", kTimes, rain};
  hydrograph.rain_unit = "mm h-1";
  hydrograph.flows = {{"simulated", kTimes, kValues}};
  hydrograph.observed = {"observed", kTimes, kValues};
  hydrograph.flow_unit = "m3 s-1";
  hydrograph.spans = {{57357.0, 57358.0, "warm-up"}};
  const std::string svg = HydrographSvg(hydrograph);
  ExpectWellFormed(svg);
  EXPECT_EQ(CountNodes(svg, "//path[@class='rain']"), 1u);
  EXPECT_EQ(CountNodes(svg, "//path[@class='nodata']"), 1u);  // the hour without a value
  EXPECT_EQ(CountNodes(svg, "//path[@class='obs']"), 1u);
  EXPECT_EQ(CountNodes(svg, "//rect[@class='warm']"), 2u);
}

TEST(Hydrograph, StandsWithoutRainOrObservation) {
  Hydrograph hydrograph;
  hydrograph.flows = {{"simulated", kTimes, kValues}};
  const std::string svg = HydrographSvg(hydrograph);
  ExpectWellFormed(svg);
  EXPECT_EQ(CountNodes(svg, "//path[@class='rain'] | //path[@class='obs']"), 0u);
}

TEST(FlowDurationPlot, LeavesOutWhatALogarithmCannotShow) {
  const std::vector<double> values{4.0, 2.0, 0.0, -1.0};
  const std::string svg = FlowDurationSvg({{"flow", ComputeFlowDuration(values), {}}}, "m3 s-1");
  ExpectWellFormed(svg);
  EXPECT_THAT(TextOf(svg, "//text"), HasSubstr("2 values not above zero are not drawn"));
}

ElementMap SmallMap() {
  ElementMap map{"depth", "m", true, 1.0, {}};
  map.elements.push_back({"hole<>",
                          MapShape::Polygon,
                          {{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 0}}, {{0.4, 0.4}, {0.6, 0.4}, {0.6, 0.6}}},
                          1.0,
                          false});
  map.elements.push_back({"river", MapShape::Line, {{{0, 0}, {2, 1}}}, 2.0, true});
  map.elements.push_back({"gauge", MapShape::Point, {{{2, 1}}}, NAN, false});
  return map;
}

TEST(Map, DrawsPolygonsWithHolesLinesAndPoints) {
  const std::string svg = MapSvg(SmallMap());
  ExpectWellFormed(svg);
  EXPECT_EQ(Moves(TextOf(svg, "//path[@fill-rule='evenodd']/@d")), 2u);
  EXPECT_EQ(TextOf(svg, "//path[@fill-rule='evenodd']/@fill"), "#440154");
  EXPECT_EQ(TextOf(svg, "//path[@class='river invented']/@stroke"), "#fde725");
  EXPECT_EQ(CountNodes(svg, "//circle[@class='elem nodata']"), 1u);
  EXPECT_THAT(TextOf(svg, "//title"),
              AllOf(HasSubstr("hole<>: 1 m"), HasSubstr("river: 2 m (invented)"), HasSubstr("gauge: no value")));
}

TEST(Map, StatesItsScale) {
  EXPECT_THAT(TextOf(MapSvg(SmallMap()), "//text"), HasSubstr("20\xE2\x80\x89km"));
}

TEST(Map, HasCoordinatesAndAnArrowToTheNorth) {
  const std::string texts = TextOf(MapSvg(SmallMap()), "//text");
  EXPECT_THAT(texts, AllOf(HasSubstr("1\xC2\xB0 E"), HasSubstr("0.5\xC2\xB0 N"), HasSubstr("N")));
  EXPECT_EQ(CountNodes(MapSvg(SmallMap()), "//path[@class='north']"), 1u);
  ElementMap west = SmallMap();
  for (MapElement& element : west.elements) {
    for (auto& part : element.parts) {
      for (MapPoint& point : part) point = {point.x - 80.0, point.y - 40.0};
    }
  }
  EXPECT_THAT(TextOf(MapSvg(west), "//text"), AllOf(HasSubstr("79\xC2\xB0 W"), HasSubstr("39.5\xC2\xB0 S"),
                                                    Not(HasSubstr("-")), Not(HasSubstr("\xE2\x88\x92"))));
  ElementMap planar = SmallMap();
  planar.is_geographic = false;
  for (MapElement& element : planar.elements) {
    for (auto& part : element.parts) {
      for (MapPoint& point : part) point = {500'000.0 + 1000.0 * point.x, 3.9e6 + 1000.0 * point.y};
    }
  }
  EXPECT_THAT(TextOf(MapSvg(planar), "//text"), AllOf(HasSubstr("501000"), HasSubstr("3900500"), Not(HasSubstr("E"))));
}

TEST(Map, DrawsOtherItemsForOrientation) {
  ElementMap map{"level", "m", true, 1.0, {}};
  map.elements.push_back({"gauge", MapShape::Point, {{{0.5, 0.5}}}, 3.0, false});
  map.context = SmallMap().elements;
  const std::string svg = MapSvg(map);
  ExpectWellFormed(svg);
  EXPECT_EQ(CountNodes(svg, "//path[@class='context']"), 1u);
  EXPECT_EQ(CountNodes(svg, "//path[@class='context line']"), 1u);
  EXPECT_EQ(CountNodes(svg, "//circle[@class='context']"), 1u);
  EXPECT_EQ(CountNodes(svg, "//circle[@class='elem']"), 1u);
  EXPECT_THAT(TextOf(svg, "//text"), Not(HasSubstr("no value")));  // it has none to have
}

TEST(Map, DashesWhatIsInventedOnlyBesideWhatIsNot) {
  ElementMap map = SmallMap();
  for (MapElement& element : map.elements) element.is_invented = true;
  const std::string svg = MapSvg(map);
  EXPECT_EQ(CountNodes(svg, "//path[@class='river']"), 1u);
  EXPECT_THAT(svg, Not(HasSubstr("invented")));
}

TEST(Map, DoesNotStretchItsColoursOverADifferenceThatMeansNothing) {
  ElementMap map{"temperature", "K", true, 1.0, {}};
  map.elements.push_back({"a", MapShape::Point, {{{0, 0}}}, 294.29, false});
  map.elements.push_back({"b", MapShape::Point, {{{1, 1}}}, 294.32, false});
  const std::string near = MapSvg(map);
  EXPECT_EQ(CountNodes(near, "//circle[@fill='#440154'] | //circle[@fill='#fde725']"), 0u);  // no end of the scale
  map.elements[1].value = 295.32;
  const std::string apart = MapSvg(map);
  EXPECT_EQ(CountNodes(apart, "//circle[@fill='#440154']"), 1u);
  EXPECT_EQ(CountNodes(apart, "//circle[@fill='#fde725']"), 1u);
}

TEST(Map, OfOnePointOrNothingIsStillAPicture) {
  ElementMap map;
  ExpectWellFormed(MapSvg(map));
  map.elements.push_back({"gauge", MapShape::Point, {{{7, 7}}}, 3.0, false});
  const std::string svg = MapSvg(map);
  ExpectWellFormed(svg);
  EXPECT_EQ(CountNodes(svg, "//circle"), 1u);
}

}  // namespace
}  // namespace openmi
