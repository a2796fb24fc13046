// Known answers on the globe, between reference systems, and of weights out of files.

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "adaptors/kernels/EqualArea.hpp"
#include "adaptors/kernels/PolygonWeights.hpp"
#include "adaptors/space/Geometry.hpp"
#include "adaptors/space/SpatialAdaptor.hpp"
#include "adaptors/space/WeightFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/adaptors/Random.hpp"
#include "tests/adaptors/SpaceQuestions.hpp"
#include "timespace/elements/ElementCopies.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {
namespace {

using namespace openmi::testing;  // NOLINT: the whole vocabulary of chains
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Rings = std::vector<std::vector<ElementVertex>>;

std::shared_ptr<ElementSet> Globe(const Rings& rings) {
  ElementSetBuilder builder("globe", ElementType::Polygon, kWgs84Wkt);
  for (std::size_t i = 0; i < rings.size(); ++i) builder.AddPolygon("c" + std::to_string(i), rings[i]);
  return std::make_shared<ElementSet>(builder.Build());
}
std::vector<ElementVertex> Cell(double west, double south, double east, double north) {
  return {{west, south}, {east, south}, {east, north}, {west, north}};
}
/// All cells of a grid round the globe, rows from the south.
Rings Grid(int columns, int rows, double first) {
  Rings cells;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      const double width = 360.0 / columns, height = 180.0 / rows;
      cells.push_back(Cell(first + i * width, -90 + j * height, first + (i + 1) * width, -90 + (j + 1) * height));
    }
  }
  return cells;
}
const Rings kQuarters{Cell(0, 0, 90, 90), Cell(90, 0, 180, 90), Cell(180, 0, 270, 90), Cell(270, 0, 360, 90)};

std::string Utm17() {
  return ReferenceSystemNamed("EPSG:32617");
}
std::shared_ptr<ElementSet> InUtm(const std::vector<ElementVertex>& places) {
  return PointSet(places, Utm17().c_str(), false);
}

std::string File(const std::string& name) {
  return (std::filesystem::path(::testing::TempDir()) / (std::to_string(::getpid()) + name)).string();
}

std::shared_ptr<ElementSet> DegreeLines(const std::vector<std::vector<ElementVertex>>& lines) {
  ElementSetBuilder builder("lines", ElementType::PolyLine, kWgs84Wkt);
  for (std::size_t i = 0; i < lines.size(); ++i) builder.AddPolyLine("l" + std::to_string(i), lines[i]);
  return std::make_shared<ElementSet>(builder.Build());
}
/// A cell with a hole, and what fills the hole, across the date line.
std::shared_ptr<ElementSet> Frame() {
  ElementSetBuilder builder("frame", ElementType::Polygon, kWgs84Wkt);
  const std::vector<ElementVertex> inner = Cell(175, -10, 185, 10);
  builder.AddPolygon("frame", std::vector<ElementSetBuilder::Part>{{Cell(170, -20, 190, 20), {inner}}});
  builder.AddPolygon("inner", inner);
  return std::make_shared<ElementSet>(builder.Build());
}

/// The chord of an angle in degrees, on a sphere of radius 1.
double Chord(double angle) {
  return 2.0 * std::sin(0.5 * angle * std::numbers::pi / 180.0);
}
// Ordinary kriging of two sources 60 degrees apart, 20 from the first: the equations solved by hand, with a variogram
// that grows to 1 over the radius of the earth, which is the chord of 60 degrees.
const Settings kByChord{{"model", "linear"}, {"sill", "1"}, {"range", "6371008.7714"}};
const double kSpherePart = 0.5 + 0.5 * (Chord(40) - Chord(20));
const double kSphereVariance = kSpherePart * Chord(20) + (1 - kSpherePart) * Chord(40) + Chord(20) - (1 - kSpherePart);

double Cubed(double angle) {
  return std::pow(Chord(angle), 3.0);
}
// Lengths in radians of 2 degrees along the great circle between two places at 60 N, and of 1 degree of a meridian.
const double kAcross = 2.0 * std::asin(0.5 * std::sin(std::numbers::pi / 180.0));
const double kUp = std::numbers::pi / 180.0;

const KnownAnswers kSphereRows{
    {"inverse-distance",
     "30 and 60 degrees of great circles, power 2: as 4 to 1",
     {2},
     1e-13,
     [] {
       return Ask({1, 6}, Degrees({{30, 0}, {0, 60}}), "inverse-distance", Degrees({{0, 0}}));
     }},
    {"inverse-distance",
     "2 and 4 degrees across the date line",
     {2},
     1e-12,
     [] {
       return Ask({1, 6}, Degrees({{177, 0}, {-177, 0}}), "inverse-distance", Degrees({{179, 0}}));
     }},
    {"kriging",
     "two sources on the equator and two targets between them, by chords",
     {2 - kSpherePart, 1 + kSpherePart},
     1e-14,
     [] {
       return Ask({1, 2}, Degrees({{0, 0}, {60, 0}}), "kriging", Degrees({{20, 0}, {40, 0}}), kByChord);
     }},
    {"kriging",
     "across the date line",
     {2 - kSpherePart},
     1e-13,
     [] {
       return Ask({1, 2}, Degrees({{170, 0}, {-130, 0}}), "kriging", Degrees({{-170, 0}}), kByChord);
     }},
    {"kriging-variance",
     "across the date line",
     {kSphereVariance},
     1e-13,
     [] {
       return Ask({1, 2}, Degrees({{170, 0}, {-130, 0}}), "kriging-variance", Degrees({{-170, 0}}), kByChord);
     }},
    {"radial-basis",
     "1, -1, 1, -1 round the equator have no linear part: cubes of chords, 30 degrees from the first across the date "
     "line",
     {(Cubed(30) - Cubed(60) + Cubed(150) - Cubed(120)) / (Cubed(180) - 2 * Cubed(90))},
     1e-13,
     [] {
       return Ask({1, -1, 1, -1}, Degrees({{170, 0}, {-100, 0}, {-10, 0}, {80, 0}}), "radial-basis",
                  Degrees({{-160, 0}}), {{"function", "cubic"}});
     }},
    {"lines-in-polygon-mean",
     "10 of 20 degrees of the equator, across the date line, and 9 of 12 of a meridian",
     {10},
     1e-13,
     [] {
       return Ask({1, 20}, DegreeLines({{{170, 0}, {-170, 0}}, {{178, -4}, {178, 8}}}), "lines-in-polygon-mean",
                  Globe({Cell(175, -5, 185, 5)}));
     }},
    {"lines-in-polygon-mean",
     "degrees of longitude are short at 60 N",
     {(kAcross + 2 * kUp) / (kAcross + kUp)},
     1e-13,
     [] {
       return Ask({1, 2}, DegreeLines({{{10, 60}, {12, 60}}, {{11, 59.5}, {11, 60.5}}}), "lines-in-polygon-mean",
                  Globe({Cell(9, 59, 13, 61)}));
     }},
    {"lines-in-polygon-sum",
     "a half of what is on the equator, and three quarters of what is on the meridian",
     {3 + 6},
     1e-13,
     [] {
       return Ask({6, 8}, DegreeLines({{{170, 0}, {-170, 0}}, {{178, -4}, {178, 8}}}), "lines-in-polygon-sum",
                  Globe({Cell(175, -5, 185, 5)}), {}, "m3 s-1");
     }},
    {"area-weighted-mean",
     "within the hole of a cell, half in it, a third in it",
     {5, 3, (2 * 5 + 4 * 1) / 6.0},
     1e-12,
     [] {
       return Ask({1, 5}, Frame(), "area-weighted-mean",
                  Globe({Cell(176, -5, 184, 5), Cell(172, -5, 178, 5), Cell(-177, -5, -171, 5)}));
     }},
    {"area-weighted-mean",
     "a target with a hole has nothing of what fills it",
     {1, 5},
     1e-13,
     [] {
       return Ask({1, 5}, Frame(), "area-weighted-mean", Frame());
     }},
    {"area-weighted-mean",
     "a cell across the date line has a half of each side",
     {2.5},
     1e-12,
     [] {
       return Ask({1, 2, 3, 4}, Globe(kQuarters), "area-weighted-mean", Globe({Cell(170, 10, 190, 20)}));
     }},
    {"area-weighted-mean",
     "a cell across the edge of a global plane, wherever that lies",
     {2.5, 2.5, 1.5, 3.5},
     1e-12,
     [] {
       return Ask({1, 2, 3, 4}, Globe(kQuarters), "area-weighted-mean",
                  Globe({Cell(-10, 10, 10, 20), Cell(170, 10, 190, 20), Cell(80, 0, 100, 90), Cell(-100, 0, -80, 90)}));
     }},
    {"area-weighted-mean",
     "a ring about the pole takes a quarter of each",
     {2.5},
     1e-12,
     [] {
       return Ask({1, 2, 3, 4}, Globe(kQuarters), "area-weighted-mean",
                  Globe({{{0, 50},
                          {30, 70},
                          {60, 70},
                          {90, 50},
                          {120, 70},
                          {150, 70},
                          {180, 50},
                          {210, 70},
                          {240, 70},
                          {270, 50},
                          {300, 70},
                          {330, 70}}}));
     }},
    {"area-weighted-mean",
     "a triangle up to the pole is bounded by meridians",
     {1.5},
     1e-12,
     [] {
       return Ask({1, 2, 3, 4}, Globe(kQuarters), "area-weighted-mean", Globe({{{45, 30}, {135, 30}, {0, 90}}}));
     }},
    {"area-weighted-second-order", "a constant stays one over the edge of the plane", std::vector<double>(24 * 12, 7.0),
     1e-13,
     [] {
       return Ask(std::vector<double>(36 * 18, 7.0), Globe(Grid(36, 18, 0)), "area-weighted-second-order",
                  Globe(Grid(24, 12, -180)));
     }},
    {"nearest",
     "longitude and latitude to UTM: the central meridian, and 0.9996 of the meridian's arc to 45 N",
     {1, 2},
     0,
     [] {
       return Ask({1, 2}, Degrees({{-81, 0}, {-81, 45}}), "nearest", InUtm({{500000, 0}, {500000, 4982950.4}}),
                  {{"radius", "0.1"}});
     }},
    {"nearest",
     "UTM to longitude and latitude",
     {2, 1},
     0,
     [] {
       return Ask({1, 2}, InUtm({{500000, 0}, {500000, 4982950.4}}), "nearest", Degrees({{-81, 45}, {-81, 0}}),
                  {{"radius", "0.1"}});
     }},
    {"by-id",
     "asks for no common reference system",
     {1},
     0,
     [] {
       return Ask({1}, Degrees({{-81, 45}}), "by-id", Points({{7, 7}}));
     }},
    {"weights-from-file",
     "weights written by hand: t0 = (s0 + 3 s1) / 4, t1 = s2",
     {5.5, 9},
     1e-15,
     [] {
       WeightFile file;
       file.weights = SparseRows(3);
       file.weights.AddRow(std::vector<SparseRows::Entry>{{0, 0.25}, {1, 0.75}});
       file.weights.AddRow(std::vector<SparseRows::Entry>{{2, 1.0}});
       const std::string path = File("weights.nc");
       WriteWeightFile(path, file, WeightFileForm::Scrip);
       std::vector<double> answer =
           Ask({4, 6, 9}, Ids({"a", "b", "c"}), "weights-from-file", Ids({"x", "y"}), {{"file", path}});
       std::filesystem::remove(path);
       return answer;
     }},
};

TEST(Globe, KeepsItsAreaBetweenGridsWithOtherEdges) {
  const auto source = Globe(Grid(36, 18, 0)), target = Globe(Grid(24, 12, -187.5));
  const PolygonPair pair = InOnePlane("test", *source, *target);
  PolygonOverlaps overlaps = FindOverlaps(pair.source.View(), pair.target.View());
  const SparseRows areas = WithoutCopies(std::move(overlaps.areas), pair);
  ASSERT_EQ(areas.Columns(), 36U * 18);
  const std::vector<double> taken = areas.ColumnSums(), given = areas.RowSums();
  for (std::size_t s = 0; s < taken.size(); ++s) EXPECT_NEAR(taken[s] / overlaps.source_areas[s], 1.0, 1e-12) << s;
  for (std::size_t t = 0; t < given.size(); ++t) EXPECT_NEAR(given[t] / overlaps.target_areas[t], 1.0, 1e-12) << t;
  double all = 0;
  for (const double area : taken) all += area;
  EXPECT_NEAR(all / 510065621724088.5, 1.0, 1e-12);  // of WGS 84: 2 pi a^2 (1 + (1 - e2) artanh(e) / e)
}

TEST(ReferenceSystems, OneIsKnownByWhatItMeansAndTransformedKeepingWhatElements) {
  EXPECT_TRUE(
      IsOneReferenceSystem(Utm17(), ReferenceSystemNamed("+proj=utm +zone=17 +datum=WGS84 +units=m +type=crs")));
  EXPECT_TRUE(IsOneReferenceSystem(kWgs84Wkt, "GEOGCS[\"nobody knows\"]"));
  EXPECT_FALSE(IsOneReferenceSystem(kWgs84Wkt, Utm17()));
  EXPECT_FALSE(IsOneReferenceSystem(kLocalMetresWkt, Utm17()));
  auto set = Degrees({{-81, 0}, {-81, 45}});
  set->SetAttribute("depth", "m", {3, 4});
  const ElementSet moved = InReferenceSystem(*set, Utm17());
  EXPECT_THAT(moved.X(), Each(DoubleNear(500000, 1e-6)));
  EXPECT_THAT(moved.Y(), ElementsAre(DoubleNear(0, 1e-6), DoubleNear(4982950.400, 1e-3)));
  EXPECT_EQ(moved.IdOf(1), "p1");
  EXPECT_THAT(moved.Attribute("depth")->values, ElementsAre(3, 4));
  EXPECT_THAT([&] { InReferenceSystem(*set, kLocalMetresWkt); }, ThrowsMessage<LinkError>(HasSubstr("'points'")));
}

TEST(ReferenceSystems, ATransformationIsSaidAndAnImpossibleOneRefused) {
  Chain chain(Twice({3}), "mm", Degrees({{-81, 45}}));
  ProbeInput target("t", "mm", InUtm({{500000, 4982950}}));
  chain.Add("nearest", &target);
  auto& adaptor = dynamic_cast<SpatialAdaptor&>(chain.Last());
  adaptor.Check();
  EXPECT_THAT(adaptor.Notes(), Contains(HasSubstr("was transformed to the reference system of 'points'")));

  Chain nowhere(Twice({3}), "mm", Degrees({{-81, 45}}));
  ProbeInput flume("t", "mm", Points({{0, 0}}));
  nowhere.Add("nearest", &flume);
  EXPECT_THAT([&] { dynamic_cast<SpatialAdaptor&>(nowhere.Last()).Check(); },
              ThrowsMessage<LinkError>(HasSubstr("expected a reference system that 'points' can be transformed to")));
}

TEST(WeightsFromFile, AreTakenWhereTheyFitAndThoseMadeAreWritten) {
  const std::string path = File("made.nc");
  const auto from = Boxes({{"a", 0, 0, 2, 1}, {"b", 2, 0, 3, 1}}), to = Boxes({{"t", 0, 0, 3, 1}});
  EXPECT_THAT(Ask({3, 6}, from, "area-weighted-mean", to, {{"write-weights", path}}),
              ElementsAre(DoubleNear(4, 1e-15)));
  EXPECT_THAT(Ask({3, 6}, from, "weights-from-file", to, {{"file", path}}), ElementsAre(DoubleNear(4, 1e-15)));
  EXPECT_THAT(
      [&] {
        Ask({3, 6, 9}, Ids({"a", "b", "c"}), "weights-from-file", to, {{"file", path}});
      },
      ThrowsMessage<LinkError>(HasSubstr("expected weights from 3 to 1 elements, found 2 to 1")));
  EXPECT_THAT(
      [&] {
        Ask({3, 6}, from, "weights-from-file", to);
      },
      ThrowsMessage<LinkError>(HasSubstr("set the argument 'file'")));
  std::filesystem::remove(path);
}

TEST(ElementsFile, IsMappedToInThePlaceOfTheInputsAndAnAdaptorBehindMapsOn) {
  const std::string path = File("halves.wkt");
  std::ofstream(path)
      << "west; POLYGON((0 0, 1.5 0, 1.5 1, 0 1, 0 0))\neast; POLYGON((1.5 0, 3 0, 3 1, 1.5 1, 1.5 0))\n";
  Chain chain(Twice({3, 6}), "mm", Boxes({{"a", 0, 0, 2, 1}, {"b", 2, 0, 3, 1}}));
  ProbeInput target("t", "mm", Boxes({{"t", 0, 0, 2, 1}}));
  chain.Add("area-weighted-mean", &target).Set("elements-file", path).Set("elements-system", "local-metres");
  const auto& halves = dynamic_cast<const IElementSet&>(*chain.Output().SpatialDefinition());
  EXPECT_EQ(halves.GetElementId(1)->Id(), "east");
  chain.Add("area-weighted-mean", &target).Prepare();
  // Halves: 3 and (0.5 x 3 + 1 x 6) / 1.5 = 5; of the target 1.5 and 0.5.
  EXPECT_THAT(chain.Row(0), ElementsAre(DoubleNear((1.5 * 3 + 0.5 * 5) / 2, 1e-14)));

  Chain refused(Twice({3}), "mm", Boxes({{"a", 0, 0, 2, 1}}));
  refused.Add("nearest", &target).Set("elements-file", path + "x.wkt");
  EXPECT_THAT([&] { dynamic_cast<SpatialAdaptor&>(refused.Last()).Check(); },
              ThrowsMessage<FileError>(HasSubstr("halves.wktx.wkt")));
  std::filesystem::remove(path);
}

TEST(SecondOrderOnTheGlobe, TakesAnyPairOfGridsAndKeepsTotalsAndConstants) {
  Random random;
  struct Pair {
    int columns, rows, to_columns, to_rows;
    double first = 0.0, to_first = 0.0;
  };
  std::vector<Pair> pairs{{8, 4, 5, 3}, {4, 2, 5, 3}, {72, 36, 50, 31}};  // edges within a rounding of meridians
  const auto any = [&](int low, int high) {
    return low + static_cast<int>(random.Index(static_cast<std::size_t>(high - low + 1)));
  };
  for (int i = 0; i < 60; ++i) {
    Pair& pair = pairs.emplace_back(Pair{any(3, 36), any(2, 18), any(3, 36), any(2, 18)});
    if (random.Chance(0.3)) pair.first = random.Uniform(-180.0, 180.0);
    if (random.Chance(0.3)) pair.to_first = random.Uniform(-180.0, 180.0);
  }
  for (const Pair& pair : pairs) {
    SCOPED_TRACE(std::to_string(pair.columns) + "x" + std::to_string(pair.rows) + " from " +
                 std::to_string(pair.first) + " onto " + std::to_string(pair.to_columns) + "x" +
                 std::to_string(pair.to_rows) + " from " + std::to_string(pair.to_first));
    std::vector<double> values;
    double size = 0.0;
    for (int i = 0; i < pair.columns * pair.rows; ++i) values.push_back(random.Uniform(-1.0, 1.0));
    Chain chain(Twice(values), "mm h-1", Globe(Grid(pair.columns, pair.rows, pair.first)));
    ProbeInput target("t", "mm h-1", Globe(Grid(pair.to_columns, pair.to_rows, pair.to_first)));
    chain.Add("area-weighted-second-order", &target);
    const auto& adaptor = dynamic_cast<const SpatialAdaptor&>(chain.Last());
    const std::vector<double> mapped = chain.Prepare().Row(0);
    double given = 0.0, taken = 0.0;
    for (std::size_t s = 0; s < values.size(); ++s) {
      given += adaptor.CoveredSourceArea()[s] * values[s];
      size += adaptor.CoveredSourceArea()[s] * std::abs(values[s]);
    }
    for (std::size_t t = 0; t < mapped.size(); ++t) {
      taken += adaptor.CoveredTargetArea()[t] * mapped[t];
      double sum = 0.0;
      for (const double weight : adaptor.Weights().WeightsOf(t)) sum += weight;
      EXPECT_NEAR(sum, 1.0, 1e-12);
    }
    EXPECT_NEAR(taken, given, 1e-12 * size);
  }
}

TEST(Threads, GiveTheSameBits) {
  const auto source = Globe(Grid(36, 18, 0)), target = Globe(Grid(24, 12, -180));
  std::vector<double> values;
  for (int i = 0; i < 36 * 18; ++i) values.push_back(std::sin(0.1 * i));
  for (const char* id : {"area-weighted-mean", "area-weighted-second-order"}) {
    EXPECT_EQ(Ask(values, source, id, target, {{"threads", "3"}}), Ask(values, source, id, target));
  }
}

}  // namespace
}  // namespace openmi
