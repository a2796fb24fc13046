#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {
namespace {

using Vertices = std::vector<ElementVertex>;

const Vertices kFourCorners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<std::vector<int>> kFourFaces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

/// Somebody else's element set: nothing but the interface, and the official binaries' habit of repeating the closing
/// vertex.
class ForeignSet final : public DescribedAs<IElementSet> {
 public:
  ForeignSet(openmi::ElementType type, std::vector<Vertices> elements) : type_(type), elements_(std::move(elements)) {
    for (std::size_t i = 0; i < elements_.size(); ++i) ids_.emplace_back(std::string("f").append(std::to_string(i)));
  }
  int ElementCount() const override { return static_cast<int>(elements_.size()); }
  std::string SpatialReferenceSystemWkt() const override { return kLocalMetresWkt; }
  int Version() const override { return 4; }
  openmi::ElementType ElementType() const override { return type_; }
  const IIdentifiable* GetElementId(int index) const override { return index == 1 ? nullptr : &ids_.at(Index(index)); }
  int GetElementIndex(const IIdentifiable&) const override { return -1; }
  int GetFaceCount(int) const override { return type_ == openmi::ElementType::Polyhedron ? 4 : 0; }
  std::vector<int> GetFaceVertexIndices(int, int face) const override { return kFourFaces.at(Index(face)); }
  int GetVertexCount(int element) const override { return static_cast<int>(elements_.at(Index(element)).size()); }
  double GetVertexXCoordinate(int element, int vertex) const override { return At(element, vertex).x; }
  double GetVertexYCoordinate(int element, int vertex) const override { return At(element, vertex).y; }
  double GetVertexZCoordinate(int element, int vertex) const override { return At(element, vertex).z; }
  double GetVertexMCoordinate(int element, int vertex) const override { return At(element, vertex).m; }
  bool HasZ() const override { return true; }
  bool HasM() const override { return type_ == openmi::ElementType::PolyLine; }

 private:
  static std::size_t Index(int index) { return static_cast<std::size_t>(index); }
  const ElementVertex& At(int element, int vertex) const { return elements_.at(Index(element)).at(Index(vertex)); }
  openmi::ElementType type_;
  std::vector<Vertices> elements_;
  std::vector<Identifier> ids_;
};

TEST(CopyOf, ReadsForeignSetsThroughTheInterface) {
  ForeignSet foreign(ElementType::Polygon, {{{0, 0}, {0, 1}, {1, 1}, {0, 0}}, {{2, 2}, {3, 2}, {3, 3}}});
  foreign.SetCaption("theirs");
  foreign.SetDescription("from another SDK");
  const ElementSet copy = CopyOf(foreign);
  EXPECT_EQ(copy.Caption(), "theirs");
  EXPECT_EQ(copy.Description(), "from another SDK");
  EXPECT_EQ(copy.Version(), 4);
  EXPECT_EQ(copy.GetVertexCount(0), 3);
  EXPECT_EQ(copy.FlippedCount(), 1);
  EXPECT_EQ(copy.GetElementId(1), nullptr);
  EXPECT_EQ(copy.IndexOf("f0"), 0);
  EXPECT_TRUE(copy.HasZ());

  EXPECT_EQ(CopyOf(ForeignSet(ElementType::Point, {{{1, 2, 3}}})).GetVertexZCoordinate(0, 0), 3.0);
  EXPECT_EQ(CopyOf(ForeignSet(ElementType::PolyLine, {{{1, 2, 3, 4}, {5, 6, 7, 8}}})).GetVertexMCoordinate(0, 1), 8.0);
  EXPECT_EQ(CopyOf(ForeignSet(ElementType::Polyhedron, {kFourCorners})).GetFaceCount(0), 4);
  EXPECT_EQ(CopyOf(ForeignSet(ElementType::IdBased, {{}})).IdOf(0), "f0");
  EXPECT_THROW(CopyOf(ForeignSet(ElementType::IdBased, {{}, {}})), FormatError);  // the second has no id
  EXPECT_THROW(CopyOf(ForeignSet(ElementType::Point, {{{1, 2}, {3, 4}}})), FormatError);
}

TEST(CopyOf, KeepsEverythingOfOurOwn) {
  ElementSet set = ElementSetBuilder("c", ElementType::Polygon, kWgs84Wkt)
                       .AddPolygon("a", {{{{0, 0}, {4, 0}, {4, 4}}, {{{2, 1}, {3, 1}, {3, 2}}}}})
                       .Build();
  set.SetAttribute("area", "km2", {7.5});
  set.ReplaceGeometry(set);
  const ElementSet copy = CopyOf(set);
  EXPECT_EQ(copy.Rings(0).size(), 2U);
  EXPECT_EQ(copy.Attribute("area")->values[0], 7.5);
  EXPECT_EQ(copy.Version(), 1);
}

TEST(IsGeographic, LooksAtTheOutermostSystem) {
  EXPECT_TRUE(IsGeographic(kWgs84Wkt));
  EXPECT_FALSE(IsGeographic(kLocalMetresWkt));
  EXPECT_TRUE(IsGeographic(R"(GEOGCS["NAD83",DATUM["x"]])"));
  EXPECT_TRUE(IsGeographic(" geogcs(\"NAD83\")"));
  EXPECT_FALSE(IsGeographic(R"(PROJCS["UTM",GEOGCS["WGS 84"]])"));
  EXPECT_FALSE(IsGeographic(R"(PROJCRS["UTM",BASEGEOGCRS["WGS 84"]])"));
  EXPECT_TRUE(IsGeographic(R"(COMPOUNDCRS["both, and more",GEOGCRS["WGS 84"],VERTCRS["height"]])"));
  EXPECT_FALSE(IsGeographic(R"(COMPD_CS["both",PROJCS["UTM",GEOGCS["WGS 84"]],VERT_CS["height"]])"));
  EXPECT_TRUE(IsGeographic(R"(GEODCRS["WGS 84",DATUM["x"],CS[ellipsoidal,2]])"));
  EXPECT_FALSE(IsGeographic(R"(GEODCRS["WGS 84",DATUM["x"],CS[Cartesian,3]])"));
  EXPECT_TRUE(IsGeographic(R"(BOUNDCRS[SOURCECRS[GEOGCRS["WGS 84"]],TARGETCRS[GEOGCRS["x"]]])"));
  for (const char* text : {"", "EPSG:4326", "GEOGCS", "COMPD_CS[", "COMPD_CS[\"open", "BOUNDCRS["})
    EXPECT_FALSE(IsGeographic(text)) << text;
}

}  // namespace
}  // namespace openmi
