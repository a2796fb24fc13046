#include <gmock/gmock.h>

#include "PlacesFixture.hpp"
#include "composition/results/MeshTopology.hpp"

namespace openmi {
namespace {

using testing::ElementsAre;

ElementSet Polygons(const std::vector<std::vector<ElementVertex>>& rings) {
  ElementSetBuilder builder("polygons", ElementType::Polygon, kLocalMetresWkt);
  for (std::size_t i = 0; i < rings.size(); ++i) builder.AddPolygon(std::to_string(i), rings[i]);
  return builder.Build();
}

TEST(MeshTopology, NumbersNodesAsTheyOccurOrAsThePointsDo) {
  const auto mesh = MeshOf(Faces());
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->most, 4u);
  EXPECT_THAT(mesh->nodes, ElementsAre(0, 1, 2, 3, 1, 4, 5, 2, 3, 2, 6, -1));
  const ElementSet nodes = Nodes();
  const auto same = MeshOf(Faces(), &nodes);
  ASSERT_TRUE(same);
  EXPECT_THAT(same->nodes, ElementsAre(1, 3, 7, 4, 3, 2, 6, 7, 4, 7, 0, -1));
  EXPECT_EQ(same->x.size(), 8u) << "also the node that no face uses";
}

TEST(MeshTopology, PointsThatLackACornerAreNotItsNodes) {
  const ElementSet few =
      ElementSet::Points("points", kLocalMetresWkt, {}, std::vector{0.0, 1.0}, std::vector{0.0, 0.0});
  EXPECT_FALSE(MeshOf(Faces(), &few));
  const ElementSet twice =
      ElementSet::Points("points", kLocalMetresWkt, {}, std::vector{0.0, 0.0}, std::vector{0.0, 0.0});
  EXPECT_FALSE(MeshOf(Faces(), &twice));
}

TEST(MeshTopology, PolygonsThatShareNoEdgeAreNone) {
  EXPECT_FALSE(MeshOf(Polygons({{{0, 0}, {1, 0}, {0, 1}}, {{5, 5}, {6, 5}, {5, 6}}})));
  EXPECT_FALSE(MeshOf(Polygons({{{0, 0}, {1, 0}, {0, 1}}, {{0, 0}, {-1, 0}, {0, -1}}}))) << "a corner only";
  EXPECT_FALSE(MeshOf(Polygons({{{0, 0}, {1, 0}, {0, 1}}}))) << "one face";
}

TEST(MeshTopology, PolygonsThatOverlapAreNone) {
  EXPECT_FALSE(MeshOf(Polygons({{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 0}, {0, 1}}}))) << "on one side of an edge";
}

TEST(MeshTopology, ShapesOfManyCornersOrWithHolesAreNone) {
  std::vector<ElementVertex> left, right;
  for (int i = 0; i <= 12; ++i) left.push_back({0, static_cast<double>(i)});
  for (int i = 12; i >= 0; --i) right.push_back({0, static_cast<double>(i)});
  left.push_back({-1, 6});
  right.push_back({1, 6});
  EXPECT_FALSE(MeshOf(Polygons({left, right})));
  EXPECT_FALSE(MeshOf(Catchments()));
  EXPECT_FALSE(MeshOf(Reaches()));
}

}  // namespace
}  // namespace openmi
