#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "adaptors/kernels/BoxIndex.hpp"
#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// Cells whose corners are the places with values, for interpolation within the cells.
///
/// Interpolation is barycentric in triangles, bilinear in quadrilaterals, and by mean value coordinates in other
/// polygons. The mesh lies in a plane, or on a sphere about the origin. Cells on a sphere are flattened about each
/// target (gnomonic projection, so that edges are great circles).
///
/// Values of a mesh of polygons belong to its cells. The mesh that interpolates them is its dual: its corners are the
/// cells' centres, and its cells surround the vertices where cells meet on all sides. The dual of a mesh of
/// quadrilaterals has quadrilaterals again.
///
/// Source: [Barber1996] for Delaunay triangles; [Snyder1987], sec. 22 for the gnomonic projection; [Floater2003] for
/// mean value coordinates.
class InterpolationMesh {
 public:
  /// The Delaunay triangles between places. Triangles without a height (1e-9 of their length) are omitted.
  ///
  /// \param places  in a plane or on a sphere; sources at the same place share its weight
  /// \param space  Plane or Sphere
  /// \param reach  if not empty, how far each place reaches; shape [places]. A triangle with an edge longer than 1.5
  ///   times the reaches of its two ends is omitted, so that gaps and bays stay open
  /// \throws RangeError  all places lie on one line, or a coordinate is not finite
  static InterpolationMesh Triangles(std::span<const Point3> places, Space space, std::span<const double> reach = {});

  /// The dual of a mesh of polygons.
  ///
  /// \param centres  of the polygons; shape [polygons]
  /// \param vertices  of the polygons, ring after ring, in the same space; counter-clockwise. Vertices nearer to each
  ///   other than 1e-5 of the shorter edge beside them count as one
  /// \param starts  first vertex of each polygon (its outer ring), and the number of vertices at the end
  /// \param space  Plane or Sphere
  static InterpolationMesh Dual(std::span<const Point3> centres, std::span<const Point3> vertices,
                                std::span<const std::uint32_t> starts, Space space);

  /// The rectangles between places that form a grid along the axes of a plane; nothing if the places form no grid.
  static std::optional<InterpolationMesh> Rectangles(std::span<const Point3> places);

  std::size_t CellCount() const { return starts_.size() - 1; }
  /// The indices of the places at the corners of a cell, in order.
  std::span<const std::uint32_t> Cell(std::size_t index) const {
    return std::span(corners_).subspan(starts_[index], starts_[index + 1] - starts_[index]);
  }

  /// The weights for all targets, [target x source]; rows of targets outside all cells are empty.
  ///
  /// \param targets  places in the space of the mesh
  /// \param sources  the number of sources
  /// \param other  searched for targets outside this mesh; null: none
  /// \throws RangeError  a coordinate that is not finite
  SparseRows Weights(std::span<const Point3> targets, std::size_t sources,
                     const InterpolationMesh* other = nullptr) const;

 private:
  InterpolationMesh(std::span<const Point3> places, Space space);
  void AddCell(std::span<const std::uint32_t> corners);
  /// Builds the index of cells; called once, after the last `AddCell`.
  void Finish();
  /// Work memory, used again for each target.
  struct Search {
    std::vector<std::uint32_t> candidates;
    std::vector<Point> corners;
    std::vector<double> weights;
  };
  bool Find(Point3 target, Search& search, std::vector<SparseRows::Entry>& row) const;

  /// A range of z, for cells on a sphere, whose rectangles in x and y overlap.
  struct Heights {
    double low;
    double high;
  };

  Space space_;
  std::vector<Point3> places_;
  std::vector<std::uint32_t> starts_{0};
  std::vector<std::uint32_t> corners_;
  std::optional<BoxIndex> index_;                   // of the cells; nothing if there are none
  std::vector<Heights> heights_;                    // of each cell on a sphere; else empty
  std::vector<std::vector<std::uint32_t>> shared_;  // the sources at each place; empty: one source each
};

/// Computes the coordinates of the origin within a cell, as weights of its corners.
///
/// They are barycentric in a triangle, bilinear in a convex quadrilateral, and mean value coordinates in any other
/// polygon. All reproduce linear functions.
/// \param corners  in order, counter-clockwise; at least 3
/// \param weights  shape [corners]; not negative in convex cells, sum 1; unchanged if the origin is outside
/// \returns whether the origin lies in the cell, its edges included (within 1e-9 of the cell's size)
///
/// Source: [Zienkiewicz2013], shape functions of the linear triangle and the bilinear quadrilateral; [Floater2003] for
/// mean value coordinates.
bool CellCoordinates(std::span<const Point> corners, std::span<double> weights);

}  // namespace openmi
