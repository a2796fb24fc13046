// Known answers of the adaptors between elements that lie in, on or along each other.

#include <cmath>

#include "tests/adaptors/SpaceQuestions.hpp"

namespace openmi {
namespace {

using namespace openmi::testing;  // NOLINT: the whole vocabulary of chains

const std::vector<TestBox> kTwo{{"a", 0, 0, 2, 1}, {"b", 2, 0, 3, 1}};
const std::vector<TestBox> kOther{{"t", 0, 0, 2.5, 1}, {"u", 2.5, 0, 4.5, 1}};

// The vectors of the reference mapper (openmi2).
const std::vector<TestBox> kSquares{{"A", 0, 10, 10, 20}, {"B", 10, 10, 20, 20}, {"C", 0, 0, 10, 10}};
const std::vector<ElementVertex> kPlaces{{5, 15}, {10, 15}, {15, 15}, {15, 5}};
const std::vector<TestBox> kPair{{"1", 1, 1, 3, 3}, {"2", 3, 1, 5, 3}};
const std::vector<std::vector<ElementVertex>> kLines{{{0, 2.5}, {2, 2.5}}, {{2, 2.5}, {4, 1.5}}};
const double kFirst = 1 / (1 + std::sqrt(1.25));

/// A cube of edge 1 with its lower corner at x = left.
std::shared_ptr<ElementSet> Cubes() {
  ElementSetBuilder builder("cubes", ElementType::Polyhedron, kLocalMetresWkt);
  for (const double left : {0.0, 1.0}) {
    std::vector<ElementVertex> corners;
    for (int i = 0; i < 8; ++i) corners.push_back({left + (i & 1), (i & 2) / 2.0, (i & 4) / 4.0});
    builder.AddPolyhedron(left == 0.0 ? "west" : "east", corners,
                          {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}});
  }
  return std::make_shared<ElementSet>(builder.Build());
}

std::shared_ptr<ElementSet> Gauges(const std::vector<double>& chainages) {
  ElementSetBuilder builder("gauges", ElementType::Point, kLocalMetresWkt);
  builder.WithM();
  for (std::size_t i = 0; i < chainages.size(); ++i) builder.AddPoint("g" + std::to_string(i), {0, 0, 0, chainages[i]});
  return std::make_shared<ElementSet>(builder.Build());
}
/// Reaches between chainages.
std::shared_ptr<ElementSet> Reaches(const std::vector<double>& ends) {
  std::vector<std::vector<ElementVertex>> lines;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    lines.push_back({{ends[i], 0, 0, ends[i]}, {ends[i + 1], 0, 0, ends[i + 1]}});
  return Lines(lines, true);
}

const KnownAnswers kSpaceRows{
    {"by-id",
     "ids by hand",
     {3, 1},
     0,
     [] {
       return Ask({1, 2, 3}, Ids({"a", "b", "c"}), "by-id", Ids({"c", "a"}));
     }},
    {"nearest",
     "equally near ones share",
     {1, 5, 3},
     0,
     [] {
       return Ask({1, 5}, Points({{0, 0}, {10, 0}}), "nearest", Points({{2, 1}, {9, 3}, {5, 7}}));
     }},
    {"area-weighted-mean",
     "common areas by hand",
     {4, 8},
     1e-12,
     [] {
       return Ask({3, 8}, Boxes(kTwo), "area-weighted-mean", Boxes(kOther));
     }},
    {"area-weighted-sum",
     "what is not covered counts as zero",
     {4, 2},
     1e-12,
     [] {
       return Ask({3, 8}, Boxes(kTwo), "area-weighted-sum", Boxes(kOther));
     }},
    {"area-weighted-distribute",
     "all of a and half of b; the other half of b",
     {3 + 4, 4},
     1e-12,
     [] {
       return Ask({3, 8}, Boxes(kTwo), "area-weighted-distribute", Boxes(kOther), {}, "m3 s-1");
     }},
    {"area-weighted-second-order",
     "means of x over the targets from means of x",
     {0.25, 1.0, 1.75, 2.5},
     1e-12,
     [] {
       return Ask({0.5, 1.5, 2.5}, Boxes({{"a", 0, 0, 1, 1}, {"b", 1, 0, 2, 1}, {"c", 2, 0, 3, 1}}),
                  "area-weighted-second-order",
                  Boxes({{"s", 0, 0, 0.5, 1}, {"t", 0.5, 0, 1.5, 1}, {"u", 1.5, 0, 2, 1}, {"v", 2, 0, 3, 1}}));
     }},
    {"times-element-area",
     "areas 2 and 1",
     {6, 8},
     1e-12,
     [] {
       Chain chain(Twice({3, 8}), "m", Boxes(kTwo));
       return chain.Add("times-element-area").Prepare().Row(0);
     }},
    {"points-in-polygon-mean",
     "openmi2: 5, 20, 0",
     {5, 20, 0},
     1e-14,
     [] {
       return Ask({0, 10, 20, 30}, Points(kPlaces), "points-in-polygon-mean", Boxes(kSquares), {{"uncovered", "fill"}});
     }},
    {"points-in-polygon-sum",
     "openmi2: a point on the edge of two squares counts once",
     {10, 20, 0},
     1e-14,
     [] {
       return Ask({0, 10, 20, 30}, Points(kPlaces), "points-in-polygon-sum", Boxes(kSquares), {{"uncovered", "fill"}});
     }},
    {"value-at",
     "inside; on the edge of two squares half of each; outside nothing",
     {10, 15, 20, -1},
     1e-14,
     [] {
       return Ask({10, 20, 30}, Boxes(kSquares), "value-at", Points(kPlaces), {{"uncovered", "fill"}, {"fill", "-1"}});
     }},
    {"value-at",
     "in one cube, in the other, between both, in none",
     {3, 8, 5.5, -1},
     1e-14,
     [] {
       return Ask({3, 8}, Cubes(), "value-at",
                  PointsZ({{0.5, 0.5, 0.5}, {1.9, 0.1, 0.2}, {1, 0.5, 0.25}, {0.5, 0.5, 2}}),
                  {{"uncovered", "fill"}, {"fill", "-1"}});
     }},
    {"nearest",
     "cubes stand at their middles",
     {3, 8},
     0,
     [] {
       return Ask({3, 8}, Cubes(), "nearest", PointsZ({{0.9, 0.5, 0.5}, {1.1, 0.5, 0.5}}));
     }},
    {"lines-in-polygon-mean",
     "openmi2: row 0 by lengths 1 and sqrt(1.25), row 1 = 0, 1",
     {kFirst, 0},
     1e-14,
     [] {
       return Ask({1, 0}, Lines(kLines), "lines-in-polygon-mean", Boxes(kPair));
     }},
    {"lines-in-polygon-sum",
     "openmi2: .5, .5 and 0, .5",
     {0.5 + 2 * 0.5, 2 * 0.5},
     1e-14,
     [] {
       return Ask({1, 2}, Lines(kLines), "lines-in-polygon-sum", Boxes(kPair), {}, "m3 s-1");
     }},
    {"lines-in-polygon-sum",
     "a line along the edge of two squares gives half to each",
     {3, 3},
     1e-14,
     [] {
       return Ask({6}, Lines({{{3, 1}, {3, 3}}}), "lines-in-polygon-sum", Boxes(kPair), {}, "m3 s-1");
     }},
    {"polygons-on-line-mean",
     "openmi2: 1, 0 and .5, .5",
     {4, 5},
     1e-14,
     [] {
       return Ask({4, 6}, Boxes(kPair), "polygons-on-line-mean", Lines(kLines));
     }},
    {"polygons-on-line-sum",
     "openmi2: .5, 0 and .5, .5",
     {2, 5},
     1e-14,
     [] {
       return Ask({4, 6}, Boxes(kPair), "polygons-on-line-sum", Lines(kLines));
     }},
    {"lines-on-line-mean",
     "3 and 1 long in common, whichever way they run",
     {(3.0 * 2 + 10) / 4},
     1e-14,
     [] {
       return Ask({2, 10}, Lines({{{0, 0}, {4, 0}}, {{6, 0}, {4, 0}}}), "lines-on-line-mean",
                  Lines({{{1, 0}, {5, 0}}}));
     }},
    {"lines-on-line-sum",
     "a quarter of the first, half of the second; turned round, the sign turns",
     {5, -5},
     1e-14,
     [] {
       return Ask({8, 6}, Lines({{{0, 0}, {4, 0}}, {{4, 0}, {6, 0}}}), "lines-on-line-sum",
                  Lines({{{3, 0}, {5, 0}}, {{5, 0}, {3, 0}}}), {}, "m3 s-1");
     }},
    {"along-m",
     "between the middles 5 and 20 of two reaches; in the first half of the first",
     {3 + 5 * 0.4, 3},
     1e-13,
     [] {
       return Ask({3, 8}, Reaches({0, 10, 30}), "along-m", Gauges({11, 2}));
     }},
    {"along-m",
     "means over 5 of the first and 10 of the second",
     {(5.0 * 3 + 10 * 8) / 15},
     1e-14,
     [] {
       return Ask({3, 8}, Reaches({0, 10, 30}), "along-m", Reaches({5, 20}), {{"give", "mean"}});
     }},
};

}  // namespace
}  // namespace openmi
