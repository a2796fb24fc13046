// Known answers of the adaptors that interpolate between elements.

#include <cmath>
#include <limits>

#include "tests/adaptors/SpaceQuestions.hpp"

namespace openmi {
namespace {

using namespace openmi::testing;  // NOLINT: the whole vocabulary of chains

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Values of 1 + 2x - 3y at places.
std::vector<double> Linear(const std::vector<ElementVertex>& places) {
  std::vector<double> values;
  for (const ElementVertex& p : places) values.push_back(1 + 2 * p.x - 3 * p.y);
  return values;
}

/// Places without a pattern in the unit square.
std::vector<ElementVertex> Scattered(int count) {
  std::vector<ElementVertex> places;
  for (int i = 1; i <= count; ++i) {
    places.push_back({std::fmod(i * 0.7548776662466927, 1.0), std::fmod(i * 0.5698402909980532, 1.0)});
  }
  return places;
}
const std::vector<ElementVertex> kWanted{{0.3, 0.4}, {0.55, 0.71}, {1.2, 0.5}};

std::vector<double> AskLinear(const std::string& id, int count, const Settings& settings = {}) {
  const std::vector<ElementVertex> places = Scattered(count);
  return Ask(Linear(places), Points(places), id, Points(kWanted), settings);
}

// The spherical variogram of sill 2 and range 10 at distances 1, 3 and 4.
constexpr double kGamma1 = 2 * (1.5 * 0.1 - 0.5 * 0.001);
constexpr double kGamma3 = 2 * (1.5 * 0.3 - 0.5 * 0.027);
constexpr double kGamma4 = 2 * (1.5 * 0.4 - 0.5 * 0.064);
// Ordinary kriging of two sources 4 apart, 1 from the first: the equations solved by hand.
constexpr double kPart = 0.5 + (kGamma3 - kGamma1) / (2 * kGamma4);
constexpr double kVariance = kPart * kGamma1 + (1 - kPart) * kGamma3 + kGamma1 - (1 - kPart) * kGamma4;
const Settings kVariogram{{"model", "spherical"}, {"sill", "2"}, {"range", "10"}};

const KnownAnswers kInterpolationRows{
    {"nearest",
     "2 degrees of longitude are nearer than 1.5 of latitude at 60 N",
     {1},
     0,
     [] {
       return Ask({1, 2}, Degrees({{2, 60}, {0, 61.5}}), "nearest", Degrees({{0, 60}}));
     }},
    {"nearest",
     "across the date line",
     {2},
     0,
     [] {
       return Ask({1, 2}, Degrees({{175, 0}, {-179, 0}}), "nearest", Degrees({{179, 0}}));
     }},
    {"nearest",
     "Z counts where both have it",
     {2},
     0,
     [] {
       return Ask({1, 2}, PointsZ({{0, 0, 9}, {3, 0, 1}}), "nearest", PointsZ({{0, 0, 0}}));
     }},
    {"nearest",
     "openmi2: points to polylines",
     {20, 30},
     1e-12,
     [] {
       return Ask({10, 20, 30, 40}, Points({{0, 15}, {5, 15}, {0, 10}, {10, 10}}), "nearest",
                  Lines({{{0, 20}, {0, 0}}, {{0, 10}, {0, 0}}}));
     }},
    {"inverse-distance",
     "openmi2: M[0,0]",
     {0.56310461156889},
     1e-13,
     [] {
       return Ask({1, 0, 0, 0}, Points({{0, 100}, {0, 0}, {100, 0}, {100, 100}}), "inverse-distance", Points({{0, 75}}),
                  {{"power", "1"}, {"neighbours", "0"}});
     }},
    {"inverse-distance",
     "openmi2: polylines to a point",
     {0.585786437626905},
     1e-14,
     [] {
       return Ask({1, 0}, Lines({{{0, 20}, {0, 0}}, {{0, 10}, {0, 0}}}), "inverse-distance", Points({{5, 15}}),
                  {{"power", "1"}, {"neighbours", "0"}});
     }},
    {"inverse-distance",
     "1/4 and 1/9 by hand; a source 10 away is beyond the radius",
     {(9.0 * 1 + 4 * 2) / 13},
     1e-14,
     [] {
       return Ask({1, 2, 100}, Points({{2, 0}, {-3, 0}, {0, 10}}), "inverse-distance", Points({{0, 0}}),
                  {{"radius", "5"}});
     }},
    {"inverse-distance",
     "in space: distances 1 and 2, power 1",
     {(2.0 * 6 + 3) / 3},
     1e-14,
     [] {
       return Ask({6, 3}, PointsZ({{0, 0, 1}, {0, 2, 0}}), "inverse-distance", PointsZ({{0, 0, 0}}), {{"power", "1"}});
     }},
    {"bilinear",
     "x y between the centres of four cells",
     {0.75 * 1.25, 1.0},
     1e-14,
     [] {
       return Ask({0.25, 0.75, 0.75, 2.25},
                  Boxes({{"a", 0, 0, 1, 1}, {"b", 1, 0, 2, 1}, {"c", 0, 1, 1, 2}, {"d", 1, 1, 2, 2}}), "bilinear",
                  Points({{0.75, 1.25}, {1, 1}}));
     }},
    {"bilinear",
     "x y between points of a grid",
     {0.5, 6},
     1e-14,
     [] {
       return Ask({0, 0, 0, 0, 1, 4, 0, 3, 12},
                  Points({{0, 0}, {1, 0}, {4, 0}, {0, 1}, {1, 1}, {4, 1}, {0, 3}, {1, 3}, {4, 3}}), "bilinear",
                  Points({{0.5, 1}, {3, 2}}));
     }},
    {"barycentric",
     "1 + x + 3 y in a triangle; outside of it nothing",
     {2.75, kNone},
     1e-14,
     [] {
       return Ask({1, 2, 4}, Points({{0, 0}, {1, 0}, {0, 1}}), "barycentric", Points({{0.25, 0.5}, {1, 1}}),
                  {{"uncovered", "missing"}});
     }},
    {"moving-least-squares", "a linear function, also beyond the sources", Linear(kWanted), 1e-12,
     [] { return AskLinear("moving-least-squares", 40); }},
    {"radial-basis", "a linear function, also beyond the sources", Linear(kWanted), 1e-11,
     [] { return AskLinear("radial-basis", 40); }},
    {"radial-basis", "compact support", Linear(kWanted), 1e-11,
     [] {
       return AskLinear("radial-basis", 40, {{"function", "wendland-c2"}, {"scale", "0.5"}});
     }},
    {"radial-basis",
     "values at the sources themselves",
     {5, -1},
     1e-12,
     [] {
       return Ask({5, -1, 2, 7}, Points({{0, 0}, {1, 0}, {0, 1}, {2, 2}}), "radial-basis", Points({{0, 0}, {1, 0}}),
                  {{"function", "multiquadric"}});
     }},
    {"radial-basis-patches", "a linear function over several patches", Linear(kWanted), 1e-10,
     [] {
       return AskLinear("radial-basis-patches", 300, {{"per-patch", "30"}});
     }},
    {"kriging",
     "two sources, solved by hand",
     {kPart * 10 + (1 - kPart) * 30},
     1e-12,
     [] {
       return Ask({10, 30}, Points({{0, 0}, {4, 0}}), "kriging", Points({{1, 0}}), kVariogram);
     }},
    {"kriging",
     "a source itself; half-way half of each; two sources at one place share it",
     {10, 20},
     1e-12,
     [] {
       return Ask({5, 15, 30}, Points({{0, 0}, {0, 0}, {4, 0}}), "kriging", Points({{0, 0}, {2, 0}}), kVariogram);
     }},
    {"kriging-variance",
     "two sources, solved by hand; none at a source",
     {kVariance, 0},
     1e-12,
     [] {
       return Ask({10, 30}, Points({{0, 0}, {4, 0}}), "kriging-variance", Points({{1, 0}, {4, 0}}), kVariogram);
     }},
    {"nearest-target-mean",
     "two sources each go to the first target, one to the second",
     {3, 9},
     1e-14,
     [] {
       return Ask({2, 4, 9}, Points({{0, 0}, {1, 0}, {9, 0}}), "nearest-target-mean", Points({{0, 1}, {8, 0}}));
     }},
    {"nearest-target-sum",
     "a source half-way is shared",
     {2 + 4.5, 4.5},
     1e-14,
     [] {
       return Ask({2, 9}, Points({{0, 0}, {4, 0}}), "nearest-target-sum", Points({{0, 0}, {8, 0}}));
     }},
};

// What becomes of targets without a source: a row of five cells, of which the first two are covered.
const std::vector<TestBox> kCells{
    {"a", 0, 0, 1, 1}, {"b", 1, 0, 2, 1}, {"c", 2, 0, 3, 1}, {"d", 3, 0, 4, 1}, {"e", 4, 0, 5, 1}};
const KnownAnswers kUncovered{
    {"area-weighted-mean",
     "creep: from neighbour to neighbour",
     {3, 8, 8, 8, 8},
     1e-14,
     [] {
       return Ask({3, 8}, Boxes({{"s", 0, 0, 1, 1}, {"t", 1, 0, 2, 1}}), "area-weighted-mean", Boxes(kCells),
                  {{"uncovered", "creep"}});
     }},
    {"area-weighted-mean",
     "creep: the mean of two neighbours",
     {3, 5.5, 8},
     1e-14,
     [] {
       return Ask({3, 8}, Boxes({{"s", 0, 0, 1, 1}, {"t", 2, 0, 3, 1}}), "area-weighted-mean",
                  Boxes({kCells[0], kCells[1], kCells[2]}), {{"uncovered", "creep"}});
     }},
    {"area-weighted-mean",
     "nearest; half-way both share",
     {3, 3, 5.5, 8, 8},
     1e-14,
     [] {
       return Ask({3, 8}, Boxes({{"s", 0, 0, 1, 1}, {"t", 4, 0, 5, 1}}), "area-weighted-mean", Boxes(kCells),
                  {{"uncovered", "nearest"}});
     }},
    {"area-weighted-mean",
     "fill",
     {3, -1},
     1e-14,
     [] {
       return Ask({3}, Boxes({{"s", 0, 0, 1, 1}}), "area-weighted-mean", Boxes({kCells[0], kCells[1]}),
                  {{"uncovered", "fill"}, {"fill", "-1"}});
     }},
    {"area-weighted-mean",
     "a source that is masked gives nothing, a target that is masked stays missing",
     {8, kNone},
     1e-14,
     [] {
       auto from = Boxes({{"s", 0, 0, 1, 1}, {"t", 1, 0, 2, 1}});
       from->SetAttribute("wet", "1", {0, 1});
       auto to = Boxes({{"u", 0, 0, 2, 1}, {"v", 1, 0, 2, 1}});
       to->SetAttribute("active", "1", {1, 0});
       return Ask({3, 8}, from, "area-weighted-mean", to, {{"source-mask", "wet"}, {"target-mask", "active"}});
     }},
};

}  // namespace
}  // namespace openmi
