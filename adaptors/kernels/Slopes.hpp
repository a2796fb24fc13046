#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "adaptors/kernels/Crew.hpp"
#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/Polygons.hpp"

namespace openmi {

/// The slope of a field in each cell of a mesh, as weights of the means of cells about it.
///
/// A slope is fitted by least squares to the differences to the cells that have a vertex in common with a cell (all
/// those nearest, where fewer than three have), weighted by 1 / distance^4. Of these, the ones that have an edge in
/// common are enough where the fit through them is no worse for quadratic functions, as in grids, whose slope is that
/// of central differences then. Where the neighbours stand on one side only, as at the rim, the slope is that of a
/// quadratic function fitted to them and to their neighbours.
class Slopes {
 public:
  /// \param polygons  the cells; who has which vertex in common is seen in their plane
  /// \param places    where each cell's mean counts: the centroid, or the mean place on the unit sphere; as many as
  /// there
  ///                  are cells, the first of the polygons
  /// \param space     Plane or Sphere: slopes lie in the plane, or in the tangential plane below each place
  /// \param radius    of the cylinder that the plane is the skin of; 0: it is just a plane
  /// \note  Does not depend on the size of the crew.
  Slopes(const PolygonsView& polygons, std::vector<Point3> places, Space space, Crew& crew, double radius = 0.0);

  const std::vector<Point3>& Places() const { return places_; }

  /// The slope of one cell: d value / d first and d second direction of its frame as sums over `cells`.
  struct Slope {
    std::span<const std::uint32_t> cells;
    std::span<const double> first;
    std::span<const double> second;
  };
  Slope Of(std::size_t cell) const;
  /// The directions of a cell's slope, about its place.
  LocalFrame FrameOf(std::size_t cell) const { return LocalFrame(places_[cell], space_); }

 private:
  class Maker;
  struct Part {  // what one thread makes
    std::vector<std::uint32_t> counts;
    std::vector<std::uint32_t> cells;
    std::vector<double> first;
    std::vector<double> second;
  };

  std::vector<Point3> places_;
  Space space_;
  std::vector<std::size_t> starts_{0};  // [cells + 1]
  std::vector<std::uint32_t> cells_;
  std::vector<double> first_;
  std::vector<double> second_;
};

}  // namespace openmi
