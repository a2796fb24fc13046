#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "DemoReport.hpp"
#include "Markup.hpp"
#include "composition/report/GraphLayout.hpp"
#include "composition/report/GraphSvg.hpp"
#include "composition/report/RunReport.hpp"
#include "composition/report/SvgTheme.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IIcon.hpp"
#include "timespace/SteppingComponent.hpp"

namespace openmi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

LayoutEdge Edge(std::size_t from, std::size_t to, LayoutSize label = {}) {
  LayoutEdge edge;
  edge.from = from;
  edge.to = to;
  edge.label = label;
  return edge;
}

TEST(GraphRanks, FollowTheLongestPath) {
  const GraphRanks ranks = RankGraph(4, {Edge(0, 1), Edge(1, 2), Edge(0, 2), Edge(2, 3)});
  EXPECT_THAT(ranks.rank, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(ranks.is_backward, ElementsAre(false, false, false, false));
}

TEST(GraphRanks, DrawBackWhatClosesALoop) {
  const GraphRanks ranks = RankGraph(3, {Edge(0, 1), Edge(1, 2), Edge(2, 1), Edge(1, 1)});
  EXPECT_THAT(ranks.is_backward, ElementsAre(false, false, true, true));
  EXPECT_THAT(ranks.rank, ElementsAre(0, 1, 2));
}

TEST(GraphRanks, PutASourceJustBeforeItsConsumer) {
  EXPECT_THAT(RankGraph(4, {Edge(0, 1), Edge(1, 2), Edge(3, 2)}).rank, ElementsAre(0, 1, 2, 1));
}

TEST(GraphRanks, OfALongChainNeedNoDeepStack) {
  std::vector<LayoutEdge> edges;
  constexpr std::size_t count = 200000;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    edges.push_back(Edge(i, i + 1));
  }
  EXPECT_EQ(RankGraph(count, edges).rank.back(), count - 1);
}

/// Whether two things of a layout lie on one another.
bool Overlap(const LayoutVertex& a, const LayoutVertex& b) {
  return std::abs(a.along - b.along) < 0.5 * (a.size.along + b.size.along) - 1e-6 &&
         std::abs(a.across - b.across) < 0.5 * (a.size.across + b.size.across) - 1e-6;
}

void ExpectNothingOverlaps(const GraphLayout& layout) {
  for (std::size_t i = 0; i < layout.vertices.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      EXPECT_FALSE(Overlap(layout.vertices[i], layout.vertices[k])) << i << " and " << k;
    }
  }
}

TEST(GraphLayout, LetsNothingOverlap) {
  const std::vector<LayoutSize> boxes(12, {120.0, 60.0});
  std::vector<LayoutEdge> edges;
  for (std::size_t from = 0; from < boxes.size(); ++from) {
    for (const std::size_t step : {1u, 3u, 4u, 7u}) {
      edges.push_back(
          Edge(from, (from * 5 + step) % boxes.size(), {90.0, 20.0 + 16.0 * static_cast<double>(step % 3)}));
    }
  }
  ExpectNothingOverlaps(LayOutGraph(boxes, edges));
}

TEST(GraphLayout, UntanglesWhatNeedNotCross) {
  // Two rows, given so that the order of declaration would cross them.
  const std::vector<LayoutSize> boxes(6, {100.0, 40.0});
  const GraphLayout layout = LayOutGraph(boxes, {Edge(0, 3), Edge(1, 2), Edge(3, 4), Edge(2, 5)});
  EXPECT_EQ(layout.crossings, 0u);
  EXPECT_LT(
      (layout.vertices[0].across - layout.vertices[1].across) * (layout.vertices[2].across - layout.vertices[3].across),
      0.0);
}

TEST(GraphLayout, KeepsAChainStraight) {
  const std::vector<LayoutSize> boxes{{100.0, 40.0}, {100.0, 80.0}, {100.0, 60.0}};
  const GraphLayout layout = LayOutGraph(boxes, {Edge(0, 1), Edge(1, 2)});
  EXPECT_NEAR(layout.vertices[0].across, layout.vertices[1].across, 0.5);
  EXPECT_NEAR(layout.vertices[1].across, layout.vertices[2].across, 0.5);
  EXPECT_LT(layout.vertices[0].along, layout.vertices[1].along);
}

TEST(GraphLayout, GoesOnInFurtherRowsWhereItIsTooLong) {
  const std::vector<LayoutSize> boxes(9, {100.0, 40.0});
  std::vector<LayoutEdge> edges;
  for (std::size_t i = 0; i + 1 < boxes.size(); ++i) {
    edges.push_back(Edge(i, i + 1, {60.0, 20.0}));
  }
  LayoutSpacing spacing;
  spacing.longest = 800.0;
  const GraphLayout layout = LayOutGraph(boxes, edges, spacing);
  std::vector<std::size_t> rows;
  for (std::size_t box = 0; box < boxes.size(); ++box) {
    rows.push_back(layout.row_of_layer[layout.vertices[box].layer]);
  }
  EXPECT_THAT(rows, ElementsAre(0, 0, 0, 1, 1, 1, 2, 2, 2));
}

TEST(GraphLayout, IsQuickForTenThousandComponents) {
  const std::vector<LayoutSize> boxes(10000, {80.0, 26.0});
  std::vector<LayoutEdge> edges;
  for (std::size_t i = 1; i < boxes.size(); ++i) {
    edges.push_back(Edge((i - 1) / 2, i));
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(LayOutGraph(boxes, edges).routes.size(), edges.size());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(GraphSvg, ShowsComponentsItemsAdaptorsAndLoops) {
  const GraphModel model = DemoReport().graph;
  const std::string svg = GraphSvg(model);
  ASSERT_TRUE(CheckMarkup(svg).is_well_formed) << CheckMarkup(svg).problem;
  EXPECT_EQ(CountNodes(svg, "//rect[starts-with(@class, 'box')]"), model.nodes.size());
  EXPECT_EQ(CountNodes(svg, "//path[@class='link']"), 6u);
  EXPECT_EQ(CountNodes(svg, "//path[@class='loop']"), 1u);
  EXPECT_EQ(CountNodes(svg, "//rect[@class='chip']"), 6u);
  for (const std::string text : {"reservoir", "lateral-inflow", "soil-moisture", "area-weighted", "mean-over-span"}) {
    EXPECT_EQ(CountNodes(svg, "//text[.='" + text + "']"), 1u) << text;
  }
  EXPECT_THAT(TextOf(svg, "//title"), HasSubstr("reservoir.level \xE2\x86\x92 creek.downstream-level\nthrough "
                                                "previous-in-time\nthis link closes a loop"));
}

TEST(GraphSvg, AddsWhatOnlyALinkNames) {
  GraphModel model;
  model.links = {{"a", "out", "b", "in", {}}};
  const std::string svg = GraphSvg(model);
  EXPECT_EQ(CountNodes(svg, "//rect[@class='box']"), 2u);
  EXPECT_EQ(CountNodes(svg, "//text[.='out']"), 1u);
}

class Pictured final : public SteppingComponent, public IIcon {
 public:
  Pictured() : SteppingComponent("pictured") {}
  std::string Icon() const override {
    if (icon == "fails") throw FileError({}, "expected a file, found none");
    if (icon == "fails otherwise") throw std::runtime_error("no file");
    if (icon == "fails oddly") throw 7;
    return icon;
  }
  std::string icon;

 private:
  void Step(Stamp, Stamp) override {}
};

TEST(IconAddress, IsThatOfAPictureThatIsFitToBeShown) {
  Pictured component;
  EXPECT_EQ(IconAddress(component), "");
  component.icon = "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"2\" height=\"2\"/></svg>";
  EXPECT_EQ(IconAddress(component), "data:image/svg+xml;base64," + EncodeBase64(component.icon));
  for (const char* icon :
       {"<html/>", "javascript:alert(1)", "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>",
        "fails", "fails otherwise", "fails oddly", "\x89PNG\r\n\x1A\n"}) {
    component.icon = icon;
    EXPECT_EQ(IconAddress(component), "") << icon;
  }
}

TEST(GraphSvg, HasEachIconOnceAsAnImage) {
  GraphModel model;
  for (const char* id : {"a", "b", "c", "d"}) model.nodes.emplace_back().id = id;
  model.nodes[0].icon = model.nodes[1].icon = "data:image/png;base64,AAAA";
  model.nodes[2].icon = "data:image/svg+xml;base64,BBBB";
  const std::string svg = GraphSvg(model);
  EXPECT_TRUE(CheckMarkup(svg).is_well_formed);
  EXPECT_EQ(CountNodes(svg, "//image"), 2U);
  EXPECT_EQ(CountNodes(svg, "//image[@href='data:image/png;base64,AAAA']"), 1U);
  EXPECT_EQ(CountNodes(svg, "//use"), 3U);
  EXPECT_EQ(CountNodes(GraphSvg(model, {.most_detailed = 3}), "//image"), 0U) << "boxes of one line";
}

TEST(GraphSvg, DrawsALinkFromAComponentToItself) {
  GraphModel model;
  model.links = {{"a", "out", "a", "in", {"delay"}}};
  const std::string svg = GraphSvg(model);
  ASSERT_TRUE(CheckMarkup(svg).is_well_formed);
  EXPECT_EQ(CountNodes(svg, "//path[@class='loop']"), 1u);
  EXPECT_EQ(CountNodes(svg, "//rect[@class='chip']"), 1u);
}

TEST(GraphSvg, OfAHundredComponentsIsNoWiderThanAPage) {
  const std::string svg = GraphSvg(CombGraph(100), {.use = SvgUse::Standalone});
  std::ofstream(std::filesystem::path(OPENMI_BINARY_DIR) / "tests" / "comb.svg") << svg;
  ASSERT_TRUE(CheckMarkup(svg).is_well_formed);
  EXPECT_EQ(CountNodes(svg, "//rect[@class='box']"), 100u);
  EXPECT_LT(std::stod(TextOf(svg, "/svg/@width")), 1200.0);
  EXPECT_EQ(CountNodes(svg, "//circle[@class='chip']"), 30u);
}

TEST(GraphSvg, KeepsTwelveComponentsWithManyLinksApart) {
  GraphModel model;
  const auto link = [&](const std::string& from, const std::string& out, const std::string& to, const std::string& in,
                        std::vector<std::string> adaptors) {
    model.links.push_back({from, out, to, in, std::move(adaptors)});
  };
  for (const std::string catchment : {"north", "middle", "south"}) {
    link("weather", "precipitation", catchment, "rain", {"area-weighted", "mean-over-span"});
    link("weather", "temperature", catchment, "temperature", {"nearest"});
    link("plants", "evaporation", catchment, "evaporation", {});
    link(catchment, "runoff", "river", catchment + "-inflow", {"times-element-area"});
    link(catchment, "recharge", "groundwater", "recharge-" + catchment, {"identity-by-id", "sum-over-span"});
  }
  link("groundwater", "baseflow", "river", "baseflow", {"linear-in-time"});
  link("river", "stage", "groundwater", "river-stage", {"nearest"});
  link("river", "discharge", "reservoir", "inflow", {});
  link("reservoir", "level", "river", "backwater", {"previous-in-time"});
  link("reservoir", "release", "town", "supply", {"unit-conversion"});
  link("town", "demand", "reservoir", "demand", {});
  link("reservoir", "release", "estuary", "freshwater", {"linear-in-time"});
  link("tide", "level", "estuary", "sea-level", {"linear-in-time"});
  link("estuary", "salinity", "recorder", "salinity", {});
  link("river", "discharge", "recorder", "discharge", {"mean-over-span"});
  const std::string svg = GraphSvg(model, {.use = SvgUse::Standalone});
  std::ofstream(std::filesystem::path(OPENMI_BINARY_DIR) / "tests" / "twelve.svg") << svg;
  ASSERT_TRUE(CheckMarkup(svg).is_well_formed);
  EXPECT_EQ(CountNodes(svg, "//rect[@class='box']"), 12u);
  EXPECT_EQ(CountNodes(svg, "//path[@class='loop']"), 3u);
}

TEST(GraphSvg, OfTenThousandComponentsTakesSeconds) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string svg = GraphSvg(CombGraph(10000));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_EQ(CountNodes(svg, "//rect[@class='box']"), 10000u);
}

TEST(GraphSvg, OfNothingIsAnEmptyPicture) {
  EXPECT_TRUE(CheckMarkup(GraphSvg({})).is_well_formed);
}

TEST(GraphSvg, EscapesHostileNames) {
  GraphModel model;
  model.nodes = {{"<script>\"&'", "]]>", {}, {{"<b>", "&\x07"}}, false, false}};
  model.links = {{"<script>\"&'", "<b>", "</svg>", "\xFFin", {"<adaptor>"}}};
  for (const SvgUse use : {SvgUse::Inline, SvgUse::Standalone}) {
    const std::string svg = GraphSvg(model, {.use = use});
    ASSERT_TRUE(CheckMarkup(svg).is_well_formed) << CheckMarkup(svg).problem;
    EXPECT_EQ(CountNodes(svg, "//script | //b | //adaptor"), 0u);
    EXPECT_EQ(CountNodes(svg, "//text[.='</svg>']"), 1u);
  }
}

TEST(GraphDot, WritesNodesWithPortsAndLinks) {
  const std::string dot = GraphDot(DemoReport().graph);
  EXPECT_THAT(dot, HasSubstr("digraph \"river basin\" {"));
  EXPECT_THAT(dot, HasSubstr("n3 [label=\"{{<i0> lateral-inflow|<i1> downstream-level}|creek|{<o0> discharge|<o1> "
                             "storage}}\"];"));
  EXPECT_THAT(dot, HasSubstr("n0:o0 -> n2:i0 [label=\"area-weighted > mean-over-span\"];"));
}

TEST(GraphDot, QuotesHostileNames) {
  GraphModel model;
  model.title = "a\"b\\";
  model.nodes = {{"x|{y}<z>\"\n", "", {}, {}, false, false}};
  const std::string dot = GraphDot(model);
  EXPECT_THAT(dot, HasSubstr("digraph \"a\\\"b\\\\\" {"));
  EXPECT_THAT(dot, HasSubstr("|x\\|\\{y\\}\\<z\\>\\\"|"));
  EXPECT_THAT(dot, Not(HasSubstr("\"\n\"")));
}

}  // namespace
}  // namespace openmi
