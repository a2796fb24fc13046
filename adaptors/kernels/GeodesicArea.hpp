#pragma once

#include <span>
#include <vector>

#include "adaptors/kernels/Polygons.hpp"

namespace openmi {

/// The area inside a ring of geodesics on WGS84.
///
/// \param longitude  degrees east; any turn of the circle, also across the date line
/// \param latitude  degrees north, -90 to 90; same shape
/// \returns m2, never negative: the smaller of the two sides that the ring bounds; the ring may have either orientation
///   and may repeat its first vertex
/// \throws RangeError  a latitude beyond 90 degrees, or a coordinate that is not finite
///
/// Source: [Karney2013], area of a geodesic polygon; computed by PROJ's geodesic.h.
double GeodesicRingArea(std::span<const double> longitude, std::span<const double> latitude);

/// The area of each polygon on WGS84 in m2, parts minus holes; x is longitude, y latitude. Shape [polygons].
/// \throws RangeError  as `GeodesicRingArea`, or an area that is not above 0; the message gives the polygon's index
std::vector<double> GeodesicAreas(const PolygonsView& polygons);

}  // namespace openmi
