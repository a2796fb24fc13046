#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ElementVertex.hpp"
#include "timespace/standard/ElementType.hpp"

namespace openmi {

/// Builds an ElementSet, element by element. Each `Add` function throws when its element breaks a rule.
///
/// Rules (openmi2.md, geometry conventions, after OGC 11-014r3 and the official binaries):
/// - Coordinates are finite. Latitudes in degrees are between -90 and 90. A vertex of a line or ring that repeats the
///   one before it in every coordinate is dropped.
/// - A polyline has at least two vertices and is open: its last vertex is not its first.
/// - A ring has at least three vertices and an area. A repeated closing vertex is dropped and never counts. Outer rings
///   run counter-clockwise; clockwise ones are reversed and counted in `ElementSet::FlippedCount()`. A vertical ring in
///   a set with Z is not changed. The builder does not check whether rings cross themselves or each other.
/// - A polyhedron has at least four faces and is closed: each edge belongs to two faces that use it in opposite
///   directions. When all faces look inwards, they are reversed and counted as above.
/// - Ids may be empty, but two elements never have the same id.
class ElementSetBuilder {
 public:
  /// \param wkt  the reference system as well-known text, for example kWgs84Wkt or kLocalMetresWkt
  /// \throws FormatError  a type with geometry and no reference system
  ElementSetBuilder(const std::string& caption, ElementType type, std::string wkt = {});

  /// Gives all elements Z coordinates. Polyhedra always have them.
  /// \throws StateError  an element was already added
  ElementSetBuilder& WithZ();
  /// Gives all elements M coordinates.
  /// \throws StateError  an element was already added
  ElementSetBuilder& WithM();

  /// Adds an element without geometry.
  /// \throws StateError   the set has another type
  /// \throws FormatError  the element breaks a rule; names its id
  ElementSetBuilder& AddId(const std::string& id);
  /// Adds a point. Throws as `AddId`.
  ElementSetBuilder& AddPoint(const std::string& id, const ElementVertex& vertex);
  /// Adds a polyline. Throws as `AddId`.
  ElementSetBuilder& AddPolyLine(const std::string& id, std::span<const ElementVertex> vertices);
  /// Adds a polyline. Throws as `AddId`.
  ElementSetBuilder& AddPolyLine(const std::string& id, const std::vector<ElementVertex>& vertices);
  /// Adds a polygon with one ring. Throws as `AddId`.
  ElementSetBuilder& AddPolygon(const std::string& id, std::span<const ElementVertex> outer);
  /// Adds a polygon with one ring. Throws as `AddId`.
  ElementSetBuilder& AddPolygon(const std::string& id, const std::vector<ElementVertex>& outer);

  /// An outer ring and the holes in it.
  struct Part {
    std::vector<ElementVertex> outer;
    std::vector<std::vector<ElementVertex>> holes = {};
  };
  /// Adds a polygon with several parts or with holes.
  ///
  /// Holes without an area are dropped. The part with the largest planar extent becomes the first. Its outer ring is
  /// the one in the standard's interface, which has neither holes nor parts.
  /// \throws StateError   the set has another type
  /// \throws FormatError  the element breaks a rule; names its id
  ElementSetBuilder& AddPolygon(const std::string& id, const std::vector<Part>& parts);

  /// Adds a polyhedron.
  /// \param faces  vertices of each face, numbered within the element, counter-clockwise seen from outside
  /// \throws StateError   the set has another type
  /// \throws FormatError  the element breaks a rule; names its id
  ElementSetBuilder& AddPolyhedron(const std::string& id, std::span<const ElementVertex> vertices,
                                   const std::vector<std::vector<int>>& faces);

  /// The number of elements added so far.
  int Count() const { return set_.ElementCount(); }

  /// The finished set. Afterwards the builder is empty.
  ElementSet Build();

 private:
  using Ring = std::vector<ElementVertex>;

  void Expect(ElementType type, const std::string& id) const;
  void CheckVertices(const std::string& id, std::span<const ElementVertex> vertices) const;
  Ring Cleaned(std::span<const ElementVertex> vertices) const;
  /// The ring without repeated vertices, open and in the right direction; increases `flipped` when it was reversed.
  Ring Oriented(const std::string& id, std::span<const ElementVertex> vertices, bool hole, int& flipped) const;
  void AppendVertices(std::span<const ElementVertex> vertices);
  void AppendExtraRing(std::span<const ElementVertex> ring, int part, bool hole);
  void Finish(const std::string& id);
  [[noreturn]] void Refuse(const std::string& id, const std::string& problem, const std::string& remedy) const;

  ElementSet set_;
  bool in_degrees_ = false;  // coordinates are longitude and latitude
};

}  // namespace openmi
