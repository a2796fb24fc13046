// Grids as element sets. No grid is square, so that x and y cannot be exchanged.

#include "tests/bmi-bridge/BmiFixture.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi::bmi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The elements of x0 on a grid.
class Grid {
 public:
  explicit Grid(const std::string& grid, const Bench::Arguments& arguments = {}) : bench("grid " + grid, arguments) {
    bench.driver.Initialize();
    set = dynamic_cast<const ElementSet*>(bench.Output().SpatialDefinition());
  }
  std::vector<std::pair<double, double>> Vertices(int element) const {
    std::vector<std::pair<double, double>> vertices;
    for (int i = 0; i < set->GetVertexCount(element); ++i) {
      vertices.emplace_back(set->GetVertexXCoordinate(element, i), set->GetVertexYCoordinate(element, i));
    }
    return vertices;
  }
  OddBench bench;
  const ElementSet* set = nullptr;
};
using At = std::pair<double, double>;

TEST(Grid, AScalarHasNoPlace) {
  Grid grid("scalar none");
  EXPECT_EQ(grid.bench.Output().SpatialDefinition(), nullptr);
  EXPECT_EQ(grid.bench.Output().ElementCount(), 1u);
}

TEST(Grid, PointsAndNodesArePoints) {
  for (const char* type : {"points node", "unstructured node", "vector node"}) {
    const Grid grid(type);
    ASSERT_NE(grid.set, nullptr) << type;
    EXPECT_EQ(grid.set->ElementType(), ElementType::Point);
    ASSERT_EQ(grid.set->ElementCount(), 6);
    EXPECT_THAT(grid.Vertices(5), ElementsAre(At(4, 2)));
    EXPECT_EQ(grid.set->IdOf(5), "5");
  }
}

TEST(Grid, UniformNodesBeginAtTheOrigin) {
  const Grid grid("uniform_rectilinear node", {{"elements-system", "EPSG:32632"}});
  ASSERT_EQ(grid.set->ElementCount(), 12);
  // shape [3, 4], spacing [10, 2], origin [500, 100]: y first
  EXPECT_THAT(grid.Vertices(0), ElementsAre(At(100, 500)));
  EXPECT_THAT(grid.Vertices(3), ElementsAre(At(106, 500)));
  EXPECT_THAT(grid.Vertices(4), ElementsAre(At(100, 510)));
  EXPECT_THAT(grid.set->SpatialReferenceSystemWkt(), HasSubstr("32N"));
}

TEST(Grid, UniformCellsAreQuadrangles) {
  const Grid grid("uniform_rectilinear face");
  EXPECT_EQ(grid.set->ElementType(), ElementType::Polygon);
  ASSERT_EQ(grid.set->ElementCount(), 6);
  EXPECT_THAT(grid.Vertices(5), ElementsAre(At(104, 510), At(106, 510), At(106, 520), At(104, 520)));
  EXPECT_EQ(grid.set->SpatialReferenceSystemWkt(), kLocalMetresWkt);
}

TEST(Grid, RectilinearAxesAreCrossed) {
  const Grid nodes("rectilinear node");
  EXPECT_THAT(nodes.Vertices(7), ElementsAre(At(9, -1)));
  const Grid cells("rectilinear face");
  EXPECT_EQ(cells.set->FlippedCount(), 6) << "y runs downwards: the rings were turned round";
}

TEST(Grid, StructuredQuadrilateralsHaveCoordinatesOfTheirOwn) {
  const Grid nodes("structured_quadrilateral node");
  EXPECT_THAT(nodes.Vertices(6), ElementsAre(At(2.5, 1)));
  const Grid cells("structured_quadrilateral face");
  EXPECT_THAT(cells.Vertices(0), ElementsAre(At(0, 0), At(1, 0), At(1.5, 1), At(0.5, 1)));
}

TEST(Grid, VectorsAndUnstructuredGridsHaveLinesAndPolygons) {
  const Grid line("vector edge");
  EXPECT_EQ(line.set->ElementType(), ElementType::PolyLine);
  EXPECT_EQ(line.set->ElementCount(), 5);
  const Grid edges("unstructured edge");
  ASSERT_EQ(edges.set->ElementCount(), 3);
  EXPECT_THAT(edges.Vertices(1), ElementsAre(At(2, 0), At(2, 1)));
  const Grid faces("unstructured face");
  EXPECT_EQ(faces.set->ElementType(), ElementType::Polygon);
  ASSERT_EQ(faces.set->ElementCount(), 2);
  EXPECT_THAT(faces.Vertices(0), ElementsAre(At(0, 0), At(2, 0), At(2, 1), At(0, 1)));
  EXPECT_THAT(faces.Vertices(1), ElementsAre(At(2, 0), At(4, 0), At(2, 1)));
}

TEST(Grid, WhatAGridDoesNotDescribeIsNumbered) {
  const struct {
    const char* lines;
    const char* reason;
  } cases[] = {{"grid points node\nfail get_grid_x", "get_grid_x gives no value"},
               {"grid points node\nnull get_grid_x", "get_grid_x gives no value"},
               {"grid uniform_rectilinear node\nfail get_grid_shape", "get_grid_shape gives no value"},
               {"grid uniform_rectilinear edge", "edges of grids of type uniform_rectilinear"},
               {"grid unstructured face\nfail get_grid_nodes_per_face", "get_grid_nodes_per_face gives no value"},
               {"grid rectilinear_corners node", "more than the 4 coordinates of its shape"},
               {"grid hexagons node", "none that BMI names"},
               {"grid points node\nfail get_grid_type", "get_grid_type gives no value"}};
  for (const auto& [lines, reason] : cases) {
    OddBench bench(lines);
    ASSERT_EQ(bench.Problem(), "") << lines;
    EXPECT_THAT(bench.Messages(), HasSubstr(reason)) << lines;
    const auto* const set = dynamic_cast<const ElementSet*>(bench.Output().SpatialDefinition());
    if (bench.Output().ElementCount() > 1) {
      ASSERT_NE(set, nullptr) << lines;
      EXPECT_EQ(set->ElementType(), ElementType::IdBased) << lines;
    }
    bench.driver.Prepare();
    bench.driver.Update();
    EXPECT_EQ(bench.Row()[0], 60.0) << lines;
  }
}

// x grows by half a metre in each second.
TEST(Grid, ThatMovesRaisesTheVersionOfItsElements) {
  for (const char* place : {"points node", "unstructured edge", "unstructured face"}) {
    for (const char* moving : {"true", "false"}) {
      OddBench bench(std::string("drift 0.5\nstep 2\ngrid ") + place, {{"moving-grids", moving}});
      bench.driver.Initialize();
      const auto& set = dynamic_cast<const ElementSet&>(*bench.Output().SpatialDefinition());
      const double before = set.GetVertexXCoordinate(1, 0);
      const int version = set.Version();
      ASSERT_TRUE(bench.driver.Validate()) << bench.Messages();
      bench.driver.Prepare();
      EXPECT_EQ(set.Version(), version) << "nothing has moved yet";
      bench.driver.Update();
      bench.driver.Update();
      const bool follows = std::string(moving) == "true";
      EXPECT_EQ(bench.Output().SpatialDefinition(), &set);
      EXPECT_EQ(set.Version() - version, follows ? 2 : 0) << place;
      EXPECT_EQ(set.GetVertexXCoordinate(1, 0) - before, follows ? 2.0 : 0.0) << place;
    }
  }
}

TEST(Grid, ThatStandsStillKeepsItsVersion) {
  OddBench bench("step 2\ngrid points node", {{"moving-grids", "true"}});
  bench.driver.Initialize();
  bench.driver.Validate();
  bench.driver.Prepare();
  bench.driver.Update();
  EXPECT_EQ(dynamic_cast<const ElementSet&>(*bench.Output().SpatialDefinition()).Version(), 0);
}

TEST(Grid, ThatFallsApartWhileItMovesFailsWithItsReason) {
  OddBench bench("drift 1e308\nstep 1000\ngrid points node", {{"moving-grids", "true"}});
  bench.driver.Initialize();
  bench.driver.Validate();
  bench.driver.Prepare();
  try {
    bench.driver.Update();
    FAIL() << "infinite coordinates";
  } catch (const ModelError& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("a grid that moves"));
  }
}

TEST(Grid, AReferenceSystemThatIsNoneIsRefused) {
  OddBench bench("", {{"elements-system", "EPSG:nothing"}});
  EXPECT_THAT(bench.Problem(), HasSubstr("EPSG:nothing"));
}

}  // namespace
}  // namespace openmi::bmi
