#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "adaptors/kernels/Crew.hpp"
#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/Polygons.hpp"

namespace openmi {

/// The slope of a field in each cell of a mesh, as weights of the means of the cells around it.
///
/// A slope is fitted by least squares to the differences to the cells that share a vertex with the cell, weighted by 1
/// / distance^4. If fewer than three cells share a vertex, all the nearest cells are used. The cells that share an edge
/// are enough where the fit through them is no worse for quadratic functions. In grids this gives the slope of central
/// differences. Where the neighbours lie on one side only, as at the boundary, the slope is that of a quadratic
/// function fitted to them and to their neighbours.
///
/// Source: [Mavriplis2003], least squares with inverse distance weights.
class Slopes {
 public:
  /// \param polygons  the cells; common vertices are found in their plane
  /// \param places  where the mean of each cell counts: the centroid, or the mean place on the unit sphere. There are
  ///   as many as cells, which are the first of the polygons
  /// \param space  Plane or Sphere: slopes lie in the plane, or in the tangential plane at each place
  /// \param crew  does not change the result
  /// \param radius  of the cylinder whose surface the plane shows; 0: an ordinary plane
  Slopes(const PolygonsView& polygons, std::vector<Point3> places, Space space, Crew& crew, double radius = 0.0);

  /// The places given to the constructor.
  const std::vector<Point3>& Places() const { return places_; }

  /// The slope of one cell: the derivatives along the first and second direction of its frame, as sums over `cells`.
  struct Slope {
    std::span<const std::uint32_t> cells;
    std::span<const double> first;
    std::span<const double> second;
  };
  /// The slope of a cell; valid during the life of this object.
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
