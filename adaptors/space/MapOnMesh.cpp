#include <fmt/format.h>

#include <algorithm>

#include "adaptors/kernels/InterpolationMesh.hpp"
#include "adaptors/space/Mappings.hpp"
#include "adaptors/space/Shapes.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// How far the vertices of each polygon are from its centre.
std::vector<double> ReachesOf(const MeshVertices& mesh, const std::vector<Point3>& centres) {
  std::vector<double> reaches(centres.size(), 0.0);
  for (std::size_t i = 0; i < centres.size(); ++i) {
    for (std::uint32_t v = mesh.starts[i]; v < mesh.starts[i + 1]; ++v) {
      reaches[i] = std::max(reaches[i], std::sqrt(SquaredDistance(mesh.vertices[v], centres[i])));
    }
  }
  return reaches;
}

}  // namespace

MapBy::Method MapOnMesh(MapBy& adaptor, MeshCells cells) {
  return [&adaptor, cells](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    PlacePair places = PlacesOf(adaptor.Place().item, source, target);
    if (places.space == Space::Solid) {  // a mesh lies in a plane or on the earth
      const bool sphere = MeshSpace(source) == Space::Sphere;
      places = {PlacesIn(adaptor.Place().item, source, MeshSpace(source)),
                PlacesIn(adaptor.Place().item, target, MeshSpace(source)), sphere ? Space::Sphere : Space::Plane};
    }
    const std::size_t count = places.source.size();
    const bool polygons = source.ElementType() == ElementType::Polygon;
    SpatialMapping mapping;
    mapping.rows_sum_to_one = true;
    if (!polygons && cells == MeshCells::Quadrilaterals) {
      const auto mesh = places.space == Space::Plane ? InterpolationMesh::Rectangles(places.source) : std::nullopt;
      if (!mesh) {
        throw LinkError(
            adaptor.Place(),
            fmt::format("expected polygons, or points that form a grid along the axes of a plane, found '{}' "
                        "which are none",
                        source.Caption()),
            "use 'barycentric' for other points");
      }
      mapping.weights = mesh->Weights(places.target, count);
      return mapping;
    }
    std::vector<double> reaches;
    MeshVertices vertices;
    if (polygons) {
      vertices = MeshOf(source, places.space);
      reaches = ReachesOf(vertices, places.source);
    }
    const auto triangles = [&] { return InterpolationMesh::Triangles(places.source, places.space, reaches); };
    if (cells == MeshCells::Triangles) {
      mapping.weights = triangles().Weights(places.target, count);
      return mapping;
    }
    const InterpolationMesh dual =
        InterpolationMesh::Dual(places.source, vertices.vertices, vertices.starts, places.space);
    mapping.weights = dual.Weights(places.target, count);
    // If cells do not meet corner to corner, as at the edge of a refinement, the dual has gaps; triangles fill them.
    if (!mapping.weights.UntouchedRows().empty() && count > 3) {
      const InterpolationMesh rest = triangles();
      mapping.weights = dual.Weights(places.target, count, &rest);
    }
    return mapping;
  };
}

}  // namespace openmi
