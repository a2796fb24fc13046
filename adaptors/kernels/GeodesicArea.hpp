#pragma once

#include <span>
#include <vector>

#include "adaptors/kernels/Polygons.hpp"

namespace openmi {

/// The area inside a ring of geodesics on WGS84.
///
/// \param longitude  degrees east; any turn of the circle, also across the date line
/// \param latitude   degrees north, -90 to 90; same shape
/// \returns m2, never negative: the ring may run either way round and may repeat its first vertex; of the two sides it
///          bounds, the smaller one
/// \throws RangeError  a latitude beyond 90 degrees, or a coordinate that is not finite
/// Source: [Karney2013], as in PROJ's geodesic.h.
double GeodesicRingArea(std::span<const double> longitude, std::span<const double> latitude);

/// The area of every polygon on WGS84 in m2, parts minus holes; x is longitude, y latitude. Shape [polygons].
/// \throws RangeError  as above, or an area that is not above 0; the message has the index
std::vector<double> GeodesicAreas(const PolygonsView& polygons);

}  // namespace openmi
