#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace openmi {

/// The semi-major axis of the WGS84 ellipsoid, m.
inline constexpr double kWgs84Radius = 6378137.0;
/// The flattening of the WGS84 ellipsoid.
inline constexpr double kWgs84Flattening = 1.0 / 298.257223563;

/// Checks a vertex in longitude and latitude.
/// \throws RangeError  a coordinate of vertex `index` is not finite, or the latitude is beyond 90 degrees
void RequireDegrees(double longitude, double latitude, std::size_t index);

/// Projects longitude and latitude on WGS84 to a plane with true areas (cylindrical equal-area about the equator).
///
///     x = a (lon - reference_longitude),  y = a q(lat) / 2,
///     q = (1 - e2) [ sin lat / (1 - e2 sin2 lat) + artanh(e sin lat) / e ]
///
/// The plane area of a figure is thus its area on the ellipsoid in m2. Edges are straight in that plane: along
/// meridians and parallels that is exact. Any other edge differs from the geodesic by less than its length squared
/// times tan(lat) / (8 * 6.4e6 m), 15 mm for 1 km at 45 degrees.
///
/// \param longitude  degrees east; taken to within 180 degrees of `reference_longitude`, so that a ring across the date
///   line stays in one piece if the reference is near it
/// \param latitude  degrees north, -90 to 90
/// \param reference_longitude  degrees east; the same for all polygons that are compared
/// \param x  m; shape of `longitude`; may be the same memory
/// \param y  m; shape of `latitude`; may be the same memory
/// \throws RangeError  a latitude beyond 90 degrees, or a coordinate that is not finite
///
/// Source: [Snyder1987], sec. 10, eq. 3-12, 10-1, 10-2a.
void ProjectToEqualArea(std::span<const double> longitude, std::span<const double> latitude, double reference_longitude,
                        std::span<double> x, std::span<double> y);

/// Projects a ring on the whole globe to the same plane, unrolled.
///
/// Each vertex lies within 180 degrees of the one before it, or a whole parallel from it, at any distance from the
/// reference. An edge to a pole follows the meridian of its other end. A ring about a pole is closed along that pole,
/// the one that it lies nearer to. x may lie beyond half the globe; the figure is repeated every `EqualAreaWidth()` to
/// the east and west.
/// \param longitude  degrees east
/// \param latitude  degrees north, -90 to 90
/// \param reference_longitude  degrees east; x is 0 there
/// \param near  degrees east; the first vertex is taken to within 180 degrees of it
/// \param x  m; replaced; may be longer than the ring
/// \param y  m; replaced; same shape as `x`
/// \throws RangeError  a latitude beyond 90 degrees, or a coordinate that is not finite
void UnrollToEqualArea(std::span<const double> longitude, std::span<const double> latitude, double reference_longitude,
                       double near, std::vector<double>& x, std::vector<double>& y);

/// The length of the equator in that plane, m.
double EqualAreaWidth();

/// The sphere that a cylindrical equal-area plane shows: x = radius * longitude (radians), y = half_height *
/// sin(latitude).
///
/// Areas in the plane are those on a unit sphere times radius * half_height.
struct EqualAreaSphere {
  double radius;       ///< coordinate units per radian
  double half_height;  ///< from the equator to a pole, in coordinate units
};
/// The authalic sphere of WGS84, for the plane of `ProjectToEqualArea`.
EqualAreaSphere AuthalicSphere();

/// The middle longitude of places, in degrees east, for `ProjectToEqualArea`; 0 without places.
///
/// It is opposite to the widest gap between the places, so that places on both sides of the date line stay together.
double MiddleLongitude(std::span<const double> longitude);

}  // namespace openmi
