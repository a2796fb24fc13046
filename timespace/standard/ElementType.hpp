#pragma once

namespace openmi {

/// The shapes of elements. All elements of a set have the same.
///
/// Source: OGC 11-014r3, requirement 4.3 (/req/spatial-definition/IElementType), table 14.
enum class ElementType {
  IdBased,    ///< no geometry; matched by comparing ids
  Point,      ///< one vertex
  PolyLine,   ///< open, at least two vertices; a positive flux runs from the first to the last
  Polygon,    ///< one closed face, vertices counter-clockwise
  Polyhedron  ///< closed; several faces, each counter-clockwise seen from outside
};

}  // namespace openmi
