#pragma once

#include <vector>

#include "openmi/standard/IIdentifiable.hpp"
#include "timespace/standard/ElementType.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi {

/// A list of elements of one type. Indices count from zero.
///
/// Every accessor with an index throws RangeError when the index is outside its range. Accessors of vertices and faces
/// throw StateError when the set is id-based. (This is the rule of the official Java binaries, the stricter of the
/// two.)
///
/// Source: OGC 11-014r3, requirement 4.2 (/req/spatial-definition/IElementSet), table 13.
class IElementSet : public virtual ISpatialDefinition {
 public:
  /// The shape of all elements.
  virtual openmi::ElementType ElementType() const = 0;

  /// The id of an element; null is allowed unless the set is id-based. Valid until the element set changes.
  virtual const IIdentifiable* GetElementId(int index) const = 0;

  /// The index of the element with this id, or -1.
  virtual int GetElementIndex(const IIdentifiable& element_id) const = 0;

  /// The number of faces of a polyhedron; 0 for other types.
  virtual int GetFaceCount(int element_index) const = 0;

  /// The vertices of a face, numbered within the element: 0 to `GetVertexCount(element_index)` - 1.
  virtual std::vector<int> GetFaceVertexIndices(int element_index, int face_index) const = 0;

  /// The number of vertices of an element.
  virtual int GetVertexCount(int element_index) const = 0;

  /// The measure along a line; has a meaning only when `HasM()`.
  virtual double GetVertexMCoordinate(int element_index, int vertex_index) const = 0;

  /// The X coordinate, in the unit of the spatial reference system.
  virtual double GetVertexXCoordinate(int element_index, int vertex_index) const = 0;

  /// The Y coordinate, in the unit of the spatial reference system.
  virtual double GetVertexYCoordinate(int element_index, int vertex_index) const = 0;

  /// The Z coordinate, upwards unless the reference system defines otherwise; has a meaning only when `HasZ()`.
  virtual double GetVertexZCoordinate(int element_index, int vertex_index) const = 0;

  /// Whether the vertices have M coordinates.
  virtual bool HasM() const = 0;

  /// Whether the vertices have Z coordinates.
  virtual bool HasZ() const = 0;
};

}  // namespace openmi
