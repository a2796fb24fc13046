#pragma once

namespace openmi {

/// The shapes an element may have; all elements of a set have one.
///
/// Source: OGC 11-014r3, requirement 4.3 (/req/spatial-definition/IElementType), table 14.
enum class ElementType {
  IdBased,    ///< no geometry; matched by comparing ids
  Point,      ///< one vertex
  PolyLine,   ///< open, at least two vertices; first to last is the direction of a positive flux
  Polygon,    ///< one closed face, vertices counter-clockwise
  Polyhedron  ///< closed, many faces, each counter-clockwise seen from outside
};

}  // namespace openmi
