#pragma once

#include <string_view>
#include <vector>

#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ElementVertex.hpp"
#include "timespace/standard/ElementType.hpp"

namespace openmi {

/// The geometry of one element. Only the member that belongs to `type` is filled.
struct WktGeometry {
  ElementType type = ElementType::Point;
  bool has_z = false;
  bool has_m = false;
  std::vector<ElementVertex> vertices;            ///< of a point (one) or a polyline
  std::vector<ElementSetBuilder::Part> polygons;  ///< of a polygon
};

/// Reads POINT, LINESTRING, POLYGON or MULTIPOLYGON, with Z, M or ZM, in upper or lower case; also MULTIPOINT and
/// MULTILINESTRING with one part.
///
/// Source: OGC 06-103r4, clause 7.
/// \throws FormatError  any other text; gives the position, what was expected and what was found
WktGeometry ParseWkt(std::string_view text);

}  // namespace openmi
