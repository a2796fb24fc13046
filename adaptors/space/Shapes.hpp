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
#include "timespace/ElementSet.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// The elements of two sets as one place each, in one space: a plane; space, where both have Z; the sphere (m), where
/// they are in longitude and latitude.
struct PlacePair {
  std::vector<Point3> source;
  std::vector<Point3> target;
  Space space = Space::Plane;

  /// Radius of the sphere that distances are measured on; 0 for straight ones.
  double SphereRadius() const { return space == Space::Sphere ? kEarthRadius : 0.0; }
};
/// A point stands for itself, a polyline for the middle of mass of its length, a polygon and a polyhedron for that of
/// their area and volume (parts and holes counted).
/// \throws LinkError  a set is id-based, or the two are in different reference systems
PlacePair PlacesOf(const std::string& adaptor, const IElementSet& source, const IElementSet& target);

/// The places of one set, in the given space.
std::vector<Point3> PlacesIn(const std::string& adaptor, const IElementSet& elements, Space space);

/// The plane or sphere of a set of elements, Z left out of account.
Space MeshSpace(const IElementSet& elements);

/// The outer rings of a set of polygons as places in that space, for meshes.
struct MeshVertices {
  std::vector<Point3> vertices;
  std::vector<std::uint32_t> starts{0};  ///< first vertex of each polygon, and the number of vertices at the end
};
MeshVertices MeshOf(const IElementSet& polygons, Space space);

/// Two sets in one plane as they are: coordinates, or longitudes (brought next to each other) and latitudes in degrees.
/// For what lies in what; not for areas.
class CommonPlane {
 public:
  /// \throws LinkError  the two are in different reference systems
  CommonPlane(const std::string& adaptor, const IElementSet& source, const IElementSet& target);

  bool IsGeographic() const { return geographic_; }
  /// For points only.
  std::vector<Point> PointsOf(const IElementSet& elements) const;
  /// For polygons only, with all parts and holes.
  Polygons PolygonsOf(const IElementSet& elements) const;

  /// Polylines with the lengths of their segments, in coordinate units or in metres on the sphere.
  struct Lines {
    std::vector<Point> points;
    std::vector<std::uint32_t> starts{0};
    std::vector<double> lengths;
    LinesView View() const { return {points, starts, lengths}; }
  };
  Lines LinesOf(const IElementSet& elements) const;
  /// Degrees as metres about the middle of both sets (longitudes shortened by the cosine of its latitude), for
  /// distances from lines; coordinates of a plane as they are.
  Point InLengths(Point p) const;

 private:
  Point At(const IElementSet& elements, int element, int vertex) const;
  double Near(double longitude) const;
  /// The longitude next to the vertex before.
  double Beside(double last, double longitude) const;
  bool geographic_ = false;
  double longitude_ = 0.0;
  double latitude_ = 0.0;
};

/// The range of M that each element of a set has; points have one M.
/// \throws LinkError  the set has no M, or is neither points nor polylines
std::vector<Stretch> StretchesOf(const std::string& adaptor, const IElementSet& elements);

/// Polyhedra as bodies of triangles.
std::vector<Body> BodiesOf(const IElementSet& polyhedra);

/// For each element those that share a vertex with it (for points: the four nearest ones), by number.
std::vector<std::vector<std::uint32_t>> NeighboursOf(const std::string& adaptor, const IElementSet& elements);

}  // namespace openmi
