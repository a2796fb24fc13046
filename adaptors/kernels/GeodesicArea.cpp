#include "adaptors/kernels/GeodesicArea.hpp"

#include <fmt/format.h>
#include <geodesic.h>

#include <cassert>
#include <cmath>

#include "adaptors/kernels/EqualArea.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
double GeodesicRingArea(std::span<const double> longitude, std::span<const double> latitude) {
  assert(longitude.size() == latitude.size());
  geod_geodesic ellipsoid;
  geod_init(&ellipsoid, kWgs84Radius, kWgs84Flattening);
  geod_polygon ring;
  geod_polygon_init(&ring, 0);
  for (std::size_t i = 0; i < longitude.size(); ++i) {
    RequireDegrees(longitude[i], latitude[i], i);
    geod_polygon_addpoint(&ellipsoid, &ring, latitude[i], longitude[i]);
  }
  // With a sign, a clockwise ring gets a negative area, not the area of the rest of the earth.
  double area = 0.0;
  geod_polygon_compute(&ellipsoid, &ring, 0, 1, &area, nullptr);
  return std::abs(area);
}

std::vector<double> GeodesicAreas(const PolygonsView& polygons) {
  std::vector<double> areas(polygons.Count(), 0.0);
  for (std::size_t i = 0; i < areas.size(); ++i) {
    for (std::size_t ring = polygons.FirstRing(i); ring < polygons.EndRing(i); ++ring) {
      const std::size_t first = polygons.ring_starts[ring];
      const std::size_t size = polygons.ring_starts[ring + 1] - first;
      double area = 0.0;
      try {
        area = GeodesicRingArea(polygons.x.subspan(first, size), polygons.y.subspan(first, size));
      } catch (const RangeError& error) {
        throw RangeError(error.Place(), fmt::format("polygon {}: {}", i, error.Problem()), error.Remedy());
      }
      areas[i] += polygons.IsHole(ring) ? -area : area;
    }
    if (!(areas[i] > 0.0)) {
      throw RangeError({}, fmt::format("polygon {}: expected an area above 0, found {}", i, areas[i]),
                       "give it three vertices that are not on one line, and holes that lie inside");
    }
  }
  return areas;
}

}  // namespace openmi
