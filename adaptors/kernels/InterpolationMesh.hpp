#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "adaptors/kernels/BoxIndex.hpp"
#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// Cells whose corners are the places that have values, for interpolation within them: barycentric in triangles,
/// bilinear in quadrilaterals, by mean value coordinates in other polygons. In a plane, or on a sphere about the
/// origin, whose cells are flattened about each target (gnomonic projection, so that edges are great circles).
///
/// Values of a mesh of polygons belong to its cells; the mesh that interpolates them is its dual, whose corners are the
/// cells' centres and whose cells lie about the vertices where cells meet all round. Of a mesh of quadrilaterals the
/// dual has quadrilaterals again.
class InterpolationMesh {
 public:
  /// The triangles of Delaunay between places (Qhull). Those without a height (1e-9 of their length) are left out.
  /// \param places  in a plane or on a sphere; those at one place share it
  /// \param reach   where not empty, for each place how far it reaches; a triangle with an edge longer than 1.5 times
  ///                the reaches of its two ends is left out, so that gaps and bays stay open; shape [places]
  /// \throws RangeError  all places lie on one line, or a coordinate is not finite
  static InterpolationMesh Triangles(std::span<const Point3> places, Space space, std::span<const double> reach = {});

  /// The dual of a mesh of polygons.
  /// \param centres   of the polygons; shape [polygons]
  /// \param vertices  of the polygons, ring after ring, in the same space; counter-clockwise. Those nearer to each
  /// other
  ///                  than 1e-5 of the shorter edge beside them are one
  /// \param starts    first vertex of each polygon (its outer ring), and the number of vertices at the end
  static InterpolationMesh Dual(std::span<const Point3> centres, std::span<const Point3> vertices,
                                std::span<const std::uint32_t> starts, Space space);

  /// The rectangles between places that form a grid along the axes of a plane; nothing if they form none.
  static std::optional<InterpolationMesh> Rectangles(std::span<const Point3> places);

  std::size_t CellCount() const { return starts_.size() - 1; }
  std::span<const std::uint32_t> Cell(std::size_t index) const {
    return std::span(corners_).subspan(starts_[index], starts_[index + 1] - starts_[index]);
  }

  /// The weights for all targets, [target x source]: empty rows for those in no cell. Those that this mesh does not
  /// hold are looked for in `other`, if there is one.
  /// \param sources  how many there are
  /// \throws RangeError  a coordinate that is not finite
  SparseRows Weights(std::span<const Point3> targets, std::size_t sources,
                     const InterpolationMesh* other = nullptr) const;

 private:
  InterpolationMesh(std::span<const Point3> places, Space space);
  void AddCell(std::span<const std::uint32_t> corners);
  /// Makes the index of cells; to be called once all of them are there.
  void Finish();
  /// Reused from target to target.
  struct Search {
    std::vector<std::uint32_t> candidates;
    std::vector<Point> corners;
    std::vector<double> weights;
  };
  bool Find(Point3 target, Search& search, std::vector<SparseRows::Entry>& row) const;

  /// A range of z, for cells on a sphere: their rectangles lie one above the other.
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
  std::vector<std::vector<std::uint32_t>> shared_;  // the sources at each place; empty: one each
};

}  // namespace openmi
