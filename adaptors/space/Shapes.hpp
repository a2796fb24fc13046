#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "adaptors/kernels/AlongMeasure.hpp"
#include "adaptors/kernels/Lines.hpp"
#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/PointsInPolygons.hpp"
#include "adaptors/kernels/Polygons.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// The elements of two sets as one place each, in one space.
///
/// It is a plane; or space, where both sets have Z; or the sphere (m), where they are in longitude and latitude.
struct PlacePair {
  std::vector<Point3> source;
  std::vector<Point3> target;
  Space space = Space::Plane;

  /// Radius of the sphere for distances along great circles; 0 for straight distances.
  double SphereRadius() const { return space == Space::Sphere ? kEarthRadius : 0.0; }
};
/// The places of two sets.
///
/// The place of a point is the point. The place of a polyline is the centroid of its length, that of a polygon or
/// polyhedron the centroid of its area or volume (parts and holes counted).
/// \param adaptor  names the adaptor in messages
/// \param source  the first set
/// \param target  the second set
/// \throws LinkError  a set is id-based, or the two are in different reference systems
PlacePair PlacesOf(const std::string& adaptor, const IElementSet& source, const IElementSet& target);

/// The places of one set in the given space, as `PlacesOf`.
std::vector<Point3> PlacesIn(const std::string& adaptor, const IElementSet& elements, Space space);

/// The plane or sphere of a set of elements, without Z.
Space MeshSpace(const IElementSet& elements);

/// The vertices of the outer rings of a set of polygons in a space, for meshes.
struct MeshVertices {
  std::vector<Point3> vertices;
  std::vector<std::uint32_t> starts{0};  ///< first vertex of each polygon, and the number of vertices at the end
};
/// The outer rings of a set of polygons, in the given space.
MeshVertices MeshOf(const IElementSet& polygons, Space space);

/// Two sets in one plane without a projection: coordinates, or longitude and latitude in degrees.
///
/// Longitudes are brought next to each other. The plane shows what lies in what; it must not be used for areas.
class CommonPlane {
 public:
  /// \throws LinkError  the two are in different reference systems
  CommonPlane(const std::string& adaptor, const IElementSet& source, const IElementSet& target);

  /// Whether the plane has longitude and latitude.
  bool IsGeographic() const { return geographic_; }
  /// The points of a set of points.
  std::vector<Point> PointsOf(const IElementSet& elements) const;
  /// The polygons of a set of polygons, with all parts and holes.
  Polygons PolygonsOf(const IElementSet& elements) const;

  /// Polylines with the lengths of their segments, in coordinate units or in metres on the sphere.
  struct Lines {
    std::vector<Point> points;
    std::vector<std::uint32_t> starts{0};
    std::vector<double> lengths;
    LinesView View() const { return {points, starts, lengths}; }
  };
  /// The lines of a set of polylines.
  Lines LinesOf(const IElementSet& elements) const;
  /// A point in units of length, for distances from lines.
  ///
  /// Degrees become metres about the middle of both sets (longitudes shortened by the cosine of its latitude).
  /// Coordinates of a plane stay unchanged.
  Point InLengths(Point p) const;

 private:
  Point At(const IElementSet& elements, int element, int vertex) const;
  double Near(double longitude) const;
  /// The longitude, turned next to that of the vertex before.
  double Beside(double last, double longitude) const;
  bool geographic_ = false;
  double longitude_ = 0.0;
  double latitude_ = 0.0;
};

/// The range of M of each element of a set; a point has one M.
/// \param adaptor  names the adaptor in messages
/// \param elements  points or polylines
/// \throws LinkError  the set has no M, or is neither points nor polylines
std::vector<Stretch> StretchesOf(const std::string& adaptor, const IElementSet& elements);

/// Polyhedra as bodies of triangles.
std::vector<Body> BodiesOf(const IElementSet& polyhedra);

/// For each element the indices of those that share a vertex with it; for points, of the four nearest points.
std::vector<std::vector<std::uint32_t>> NeighboursOf(const std::string& adaptor, const IElementSet& elements);

}  // namespace openmi
