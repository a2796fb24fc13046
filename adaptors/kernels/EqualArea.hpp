#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace openmi {

/// \throws RangeError  a coordinate of vertex `index` is not finite, or the latitude beyond 90 degrees
void RequireDegrees(double longitude, double latitude, std::size_t index);

/// Projects longitude and latitude on WGS84 to a plane in which areas are true (cylindrical equal-area about the
/// equator):
///   x = a (lon - reference_longitude),  y = a q(lat) / 2,
///   q = (1 - e2) [ sin lat / (1 - e2 sin2 lat) + artanh(e sin lat) / e ]
/// so that the plane area of a figure is its area on the ellipsoid in m2. Edges are straight in that plane: along
/// meridians and parallels that is exact; any other edge differs from the geodesic by less than its length squared
/// times tan(lat) / (8 * 6.4e6 m), 15 mm for 1 km at 45 degrees.
///
/// \param longitude            degrees east; taken to within 180 degrees of `reference_longitude`, so that a ring
/// across the
///                             date line stays in one piece if the reference is near it
/// \param latitude             degrees north, -90 to 90
/// \param reference_longitude  degrees east; the same one for all polygons that are to meet
/// \param x                    m; shape of `longitude`; may be the same memory
/// \param y                    m; shape of `latitude`; may be the same memory
/// \throws RangeError  a latitude beyond 90 degrees, or a coordinate that is not finite
/// Source: [Snyder1987], sec. 10, eq. 3-12, 10-1, 10-2a.
void ProjectToEqualArea(std::span<const double> longitude, std::span<const double> latitude, double reference_longitude,
                        std::span<double> x, std::span<double> y);

/// The same for a ring on the whole globe, unrolled: each vertex within 180 degrees of the one before it, or a whole
/// parallel from it, whatever the distance from the reference; an edge to a pole along the meridian of its other end; a
/// ring about a pole closed along that pole (the one that it lies nearer to). x may lie beyond half the globe; the
/// figure stands again a whole `EqualAreaWidth()` to the east and west. \param near  degrees east; the first vertex is
/// taken to within 180 degrees of it \param x, y  replaced; may be longer than the ring \throws RangeError  as above
void UnrollToEqualArea(std::span<const double> longitude, std::span<const double> latitude, double reference_longitude,
                       double near, std::vector<double>& x, std::vector<double>& y);

/// The way round the globe in that plane, m.
double EqualAreaWidth();

/// The sphere that a cylindrical equal-area plane is a picture of: x = radius * longitude (radians), y = half_height *
/// sin(latitude). Areas in the plane are those on a sphere of unit radius times radius * half_height.
struct EqualAreaSphere {
  double radius;       ///< coordinate units a radian
  double half_height;  ///< from the equator to a pole, in coordinate units
};
/// The authalic sphere of WGS 84, for that plane.
EqualAreaSphere AuthalicSphere();

/// The middle longitude of the places, in degrees east, for `ProjectToEqualArea`: opposite to the widest gap between
/// them, so that places on both sides of the date line stay together. 0 without places.
double MiddleLongitude(std::span<const double> longitude);

}  // namespace openmi
