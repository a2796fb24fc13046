#pragma once

#include "adaptors/SpatialAdaptor.hpp"

namespace openmi {

/// Interpolates linearly between the sources about a target.
///
/// Values belong to elements. Of a mesh of polygons they stand at the cells' centres, and what is interpolated in is
/// the mesh between these centres: `Quadrilaterals` takes the dual of the mesh, whose cells about the vertices of a
/// mesh of quadrilaterals are quadrilaterals again (bilinear); `Triangles` takes the triangles of Delaunay between the
/// centres (barycentric). Of points, `Triangles` takes the same triangles, and `Quadrilaterals` wants them to form a
/// grid along the axes. Targets beyond the outermost centres are not covered.
class MapOnMesh final : public SpatialAdaptor {
 public:
  enum class Cells { Triangles, Quadrilaterals };
  MapOnMesh(std::string id, IBaseOutput& adaptee, const IBaseInput* target, Cells cells)
      : SpatialAdaptor(std::move(id), adaptee, target), cells_(cells) {}

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  Cells cells_;
};

}  // namespace openmi
