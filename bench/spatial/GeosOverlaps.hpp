#pragma once

#include <geos_c.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "adaptors/kernels/Polygons.hpp"

namespace bench {

/// The peer: GEOS with its STR tree and its intersection, through its C interface.
class GeosOverlaps {
 public:
  GeosOverlaps() : geos_(GEOS_init_r()) {}
  GeosOverlaps(const GeosOverlaps&) = delete;
  GeosOverlaps& operator=(const GeosOverlaps&) = delete;
  ~GeosOverlaps() { GEOS_finish_r(geos_); }

  struct Result {
    double total = 0.0;
    std::size_t count = 0;
  };

  /// Finds the common areas of all pairs, from flat arrays to a sum: what `FindOverlaps` does.
  Result Find(const openmi::PolygonsView& source, const openmi::PolygonsView& target) {
    Result result;
    Each(source, target, [&](std::size_t, std::size_t, double area) {
      result.total += area;
      ++result.count;
    });
    return result;
  }

  /// Calls `visit(source, target, area)` for each pair that has an area in common.
  template <typename Visit>
  void Each(const openmi::PolygonsView& source, const openmi::PolygonsView& target, Visit&& visit) {
    std::vector<GEOSGeometry*> sources = Geometries(source);
    std::vector<GEOSGeometry*> targets = Geometries(target);
    GEOSSTRtree* tree = GEOSSTRtree_create_r(geos_, 10);
    for (GEOSGeometry*& polygon : sources) GEOSSTRtree_insert_r(geos_, tree, polygon, &polygon);
    for (std::size_t t = 0; t < targets.size(); ++t) {
      GEOSGeometry* polygon = targets[t];
      candidates_.clear();
      GEOSSTRtree_query_r(
          geos_, tree, polygon, [](void* item, void* list) { static_cast<std::vector<void*>*>(list)->push_back(item); },
          &candidates_);
      for (void* candidate : candidates_) {
        auto* const source_polygon = static_cast<GEOSGeometry**>(candidate);
        GEOSGeometry* common = GEOSIntersection_r(geos_, *source_polygon, polygon);
        double area = 0.0;
        if (common != nullptr) GEOSArea_r(geos_, common, &area);
        GEOSGeom_destroy_r(geos_, common);
        if (area > 0.0) visit(static_cast<std::size_t>(source_polygon - sources.data()), t, area);
      }
    }
    GEOSSTRtree_destroy_r(geos_, tree);
    for (GEOSGeometry* polygon : sources) GEOSGeom_destroy_r(geos_, polygon);
    for (GEOSGeometry* polygon : targets) GEOSGeom_destroy_r(geos_, polygon);
  }

 private:
  GEOSGeometry* Ring(const openmi::PolygonsView& polygons, std::size_t ring) {
    const std::size_t first = polygons.ring_starts[ring];
    const std::size_t end = polygons.ring_starts[ring + 1];
    GEOSCoordSequence* places = GEOSCoordSeq_create_r(geos_, static_cast<unsigned>(end - first + 1), 2);
    for (std::size_t i = first; i <= end; ++i) {
      const std::size_t vertex = i == end ? first : i;
      GEOSCoordSeq_setXY_r(geos_, places, static_cast<unsigned>(i - first), polygons.x[vertex], polygons.y[vertex]);
    }
    return GEOSGeom_createLinearRing_r(geos_, places);
  }

  /// The first ring of each is the outer one, all others are holes.
  std::vector<GEOSGeometry*> Geometries(const openmi::PolygonsView& polygons) {
    std::vector<GEOSGeometry*> made;
    made.reserve(polygons.Count());
    std::vector<GEOSGeometry*> holes;
    for (std::size_t i = 0; i < polygons.Count(); ++i) {
      GEOSGeometry* outer = Ring(polygons, polygons.FirstRing(i));
      holes.clear();
      for (std::size_t ring = polygons.FirstRing(i) + 1; ring < polygons.EndRing(i); ++ring) {
        holes.push_back(Ring(polygons, ring));
      }
      made.push_back(GEOSGeom_createPolygon_r(geos_, outer, holes.data(), static_cast<unsigned>(holes.size())));
    }
    return made;
  }

  GEOSContextHandle_t geos_;
  std::vector<void*> candidates_;
};

}  // namespace bench
