#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "timespace/ElementSet.hpp"
#include "timespace/ElementVertex.hpp"
#include "timespace/standard/ElementType.hpp"

namespace openmi {

/// Puts an ElementSet together, element by element; each Add throws at once if its element is not sound.
///
/// Rules (openmi2.md, geometry conventions, after OGC 11-014r3 and the official binaries):
/// - Coordinates are finite, and latitudes in degrees lie between -90 and 90. A vertex of a line or ring that repeats
/// the one before it in every coordinate is dropped.
/// - A polyline has at least two vertices and is open: its last vertex is not its first.
/// - A ring has at least three vertices and an area. A repeated closing vertex is dropped, so that it never counts.
/// Outer
///   rings run counter-clockwise; clockwise ones are turned round and counted in ElementSet::FlippedCount(). A ring
///   that stands upright in a set with Z is left as it is. That rings do not cross themselves or each other is not
///   checked.
/// - A polyhedron has at least four faces and is closed: each edge belongs to two faces that run along it in opposite
///   directions. Faces that all look inwards are turned round and counted as above.
/// - Ids may be empty, but two elements never have the same one.
class ElementSetBuilder {
 public:
  /// \param wkt  the reference system as well-known text, for instance kWgs84Wkt or kLocalMetresWkt
  /// \throws FormatError  a type with geometry and no reference system
  ElementSetBuilder(const std::string& caption, ElementType type, std::string wkt = {});

  /// Elements have Z (or M) from the first on. Polyhedra always have Z.
  /// \throws StateError  an element was added already
  ElementSetBuilder& WithZ();
  ElementSetBuilder& WithM();

  /// \throws StateError   the set is of another type
  /// \throws FormatError  the element breaks a rule; names its id
  ElementSetBuilder& AddId(const std::string& id);
  ElementSetBuilder& AddPoint(const std::string& id, const ElementVertex& vertex);
  ElementSetBuilder& AddPolyLine(const std::string& id, std::span<const ElementVertex> vertices);
  ElementSetBuilder& AddPolyLine(const std::string& id, const std::vector<ElementVertex>& vertices);
  ElementSetBuilder& AddPolygon(const std::string& id, std::span<const ElementVertex> outer);
  ElementSetBuilder& AddPolygon(const std::string& id, const std::vector<ElementVertex>& outer);

  /// An outer ring and the holes in it.
  struct Part {
    std::vector<ElementVertex> outer;
    std::vector<std::vector<ElementVertex>> holes = {};
  };
  /// A polygon of several parts or with holes; a hole without an area is left out. The part with the largest planar
  /// extent comes first; its outer ring is what the interface of the standard shows, which knows neither holes nor
  /// parts.
  ElementSetBuilder& AddPolygon(const std::string& id, const std::vector<Part>& parts);

  /// \param faces  vertices of each face, numbered within the element, counter-clockwise seen from outside
  ElementSetBuilder& AddPolyhedron(const std::string& id, std::span<const ElementVertex> vertices,
                                   const std::vector<std::vector<int>>& faces);

  /// The number of elements added so far.
  int Count() const { return set_.ElementCount(); }

  /// The finished set; the builder is empty afterwards.
  ElementSet Build();

 private:
  using Ring = std::vector<ElementVertex>;

  void Expect(ElementType type, const std::string& id) const;
  void CheckVertices(const std::string& id, std::span<const ElementVertex> vertices) const;
  Ring Cleaned(std::span<const ElementVertex> vertices) const;
  /// The ring cleaned, opened and running as it should; `flipped` goes up if it had to be turned.
  Ring Oriented(const std::string& id, std::span<const ElementVertex> vertices, bool hole, int& flipped) const;
  void AppendVertices(std::span<const ElementVertex> vertices);
  void AppendExtraRing(std::span<const ElementVertex> ring, int part, bool hole);
  void Finish(const std::string& id);
  [[noreturn]] void Refuse(const std::string& id, const std::string& problem, const std::string& remedy) const;

  ElementSet set_;
  bool in_degrees_ = false;  // longitude and latitude
};

}  // namespace openmi
