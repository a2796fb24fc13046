#pragma once

#include <string_view>
#include <vector>

#include "timespace/ElementSetBuilder.hpp"
#include "timespace/ElementVertex.hpp"
#include "timespace/standard/ElementType.hpp"

namespace openmi {

/// A geometry as an element has it: what belongs to `type` is filled.
struct WktGeometry {
  ElementType type = ElementType::Point;
  bool has_z = false;
  bool has_m = false;
  std::vector<ElementVertex> vertices;            ///< of a point (one) or a polyline
  std::vector<ElementSetBuilder::Part> polygons;  ///< of a polygon
};

/// Reads POINT, LINESTRING, POLYGON or MULTIPOLYGON, with Z, M or ZM, in any case of letters; MULTIPOINT and
/// MULTILINESTRING of one part.
/// \throws FormatError  anything else: says at which character, what was expected and what was found
/// Source: OGC 06-103r4, clause 7.
WktGeometry ParseWkt(std::string_view text);

}  // namespace openmi
