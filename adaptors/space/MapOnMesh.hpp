#pragma once

#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

/// Interpolates linearly between the sources around a target.
///
/// Values belong to elements. In a mesh of polygons they are at the cells' centres, and the interpolation uses a mesh
/// between these centres. `Quadrilaterals` uses the dual of the mesh; around the vertices of a mesh of quadrilaterals
/// its cells are quadrilaterals again (bilinear). `Triangles` uses the Delaunay triangles between the centres
/// (barycentric).
///
/// For points, `Triangles` uses Delaunay triangles between them, and `Quadrilaterals` needs a grid along the axes.
/// Targets beyond the outermost centres are not covered.
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
