#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "openmi/sdk/Described.hpp"
#include "timespace/elements/ElementVertex.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// A number for each element of a set, such as its area or its slope.
struct ElementAttribute {
  std::string name;
  std::string unit;            ///< as `Unit::Parse` reads it
  std::vector<double> values;  ///< shape [elements]; NaN: unknown
};

/// Elements of one type: bare ids, points, polylines, polygons or polyhedra.
///
/// Made by `IdBased()`, `Points()`, `CopyOf()` or an ElementSetBuilder, which defines the rules of the geometry.
///
/// Polygons: the vertices of the interface are the outer ring of the largest part, counter-clockwise, with an implied
/// closing edge. The standard has no holes and no further parts; `Rings()` returns them.
///
/// Coordinates are also available in contiguous memory: vertex v of element e is at `VertexOffsets()[e] + v` in `X()`,
/// `Y()`, `Z()` and `M()`.
class ElementSet final : public DescribedAs<IElementSet> {
 public:
  /// An id-based set without elements.
  ElementSet() = default;

  /// A set of bare ids.
  /// \throws FormatError  an id is empty or occurs twice
  static ElementSet IdBased(const std::string& caption, const std::vector<std::string>& ids);

  /// A set of points.
  /// \param wkt  the reference system; kWgs84Wkt for longitude and latitude
  /// \param ids  one for each point, or an empty list
  /// \param z    one for each point, or an empty list
  /// \throws RangeError   the lists differ in length
  /// \throws FormatError  a coordinate is not finite, an id occurs twice, or the reference system is missing
  static ElementSet Points(const std::string& caption, const std::string& wkt, const std::vector<std::string>& ids,
                           std::span<const double> x, std::span<const double> y, std::span<const double> z = {});

  // ISpatialDefinition and IElementSet
  int ElementCount() const override { return static_cast<int>(ids_.size()); }
  std::string SpatialReferenceSystemWkt() const override { return wkt_; }
  int Version() const override { return version_; }
  openmi::ElementType ElementType() const override { return type_; }
  /// Null for an element without id.
  const IIdentifiable* GetElementId(int index) const override;
  /// Compares ids as text, in constant time.
  int GetElementIndex(const IIdentifiable& element_id) const override { return IndexOf(element_id.Id()); }
  int GetFaceCount(int element_index) const override;
  std::vector<int> GetFaceVertexIndices(int element_index, int face_index) const override;
  int GetVertexCount(int element_index) const override;
  /// The M coordinate of a vertex; 0 in a set without M.
  double GetVertexMCoordinate(int element_index, int vertex_index) const override;
  double GetVertexXCoordinate(int element_index, int vertex_index) const override;
  double GetVertexYCoordinate(int element_index, int vertex_index) const override;
  /// The Z coordinate of a vertex; 0 in a set without Z.
  double GetVertexZCoordinate(int element_index, int vertex_index) const override;
  bool HasM() const override { return has_m_; }
  bool HasZ() const override { return has_z_; }

  /// The index of the element with this id, or -1. The empty id matches no element.
  int IndexOf(std::string_view id) const;
  /// The id of an element; empty when it has none.
  /// \throws RangeError  there is no such element
  const std::string& IdOf(int index) const;

  /// The X coordinates of all vertices, in the unit of the reference system; valid until the set changes.
  std::span<const double> X() const { return vertices_.x; }
  /// The Y coordinates of all vertices, as `X()`.
  std::span<const double> Y() const { return vertices_.y; }
  std::span<const double> Z() const { return vertices_.z; }  ///< as X(); empty when the set has no Z
  std::span<const double> M() const { return vertices_.m; }  ///< as X(); empty when the set has no M
  /// The index of the first vertex of each element; shape [elements + 1]; empty for id-based sets.
  std::span<const std::size_t> VertexOffsets() const { return offsets_; }

  /// All rings of a polygon, by part, the outer ring before its holes.
  ///
  /// The first ring has the vertices that the interface of the standard shows. Allocates.
  /// \throws RangeError  there is no such element
  /// \throws StateError  the elements are not polygons
  std::vector<ElementRing> Rings(int element_index) const;
  /// Whether a polygon has holes or several parts, so that its vertices are not its whole shape.
  bool HasExtraRings() const { return !extra_rings_.empty(); }

  /// The number of outer rings (or polyhedra) that were clockwise (or inside out) and were reversed.
  int FlippedCount() const { return flipped_count_; }

  /// Replaces the geometry by that of `moved` and increases `Version()`.
  ///
  /// `moved` has the same type, count and ids. Ids and attributes stay, and pointers to ids stay valid.
  /// \throws StateError  the set is id-based
  /// \throws RangeError  type, count or an id differ
  void ReplaceGeometry(const ElementSet& moved);

  /// Adds an attribute, or replaces the one with this name. Does not change `Version()`.
  ///
  /// Pointers to attributes become invalid.
  /// \param unit    as `Unit::Parse` reads it
  /// \param values  shape [elements]; NaN: unknown
  /// \throws RangeError  the number of values is not the number of elements
  /// \throws UnitError   the unit cannot be read
  void SetAttribute(const std::string& name, const std::string& unit, std::vector<double> values);
  /// The attribute with this name, or null.
  const ElementAttribute* Attribute(std::string_view name) const;
  /// All attributes; valid until one is added or replaced.
  std::span<const ElementAttribute> Attributes() const { return attributes_; }

 private:
  friend class ElementSetBuilder;
  friend ElementSet CopyOf(const IElementSet& elements);
  friend void WriteElementSet(StateWriter& writer, const IElementSet& elements);
  friend ElementSet ReadElementSet(StateReader& reader);

  struct ExtraRing {
    std::size_t element;
    std::size_t begin;  // in extra_vertices_
    std::size_t end;
    int part;
    bool is_hole;
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  struct TextEqual {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const { return a == b; }
  };

  std::size_t CheckedElement(int index) const;
  std::size_t CheckedGeometry(int element_index, const char* what) const;
  std::size_t CheckedVertex(int element_index, int vertex_index) const;

  openmi::ElementType type_ = openmi::ElementType::IdBased;
  std::string wkt_;
  int version_ = 0;
  bool has_z_ = false;
  bool has_m_ = false;
  int flipped_count_ = 0;
  std::vector<Identifier> ids_;
  std::unordered_map<std::string, int, TextHash, TextEqual> index_of_;
  std::vector<std::size_t> offsets_;
  VertexLists vertices_;
  std::vector<ExtraRing> extra_rings_;                // sorted by element
  VertexLists extra_vertices_;                        // of those rings
  std::vector<std::vector<std::vector<int>>> faces_;  // of polyhedra; indices: element, face, vertex
  std::vector<ElementAttribute> attributes_;
};

/// A copy of any element set.
///
/// The copy of an ElementSet keeps holes, parts and attributes. A third-party set is read through its interface and
/// checked; the copy has its version.
/// \throws FormatError  the geometry of a third-party set breaks a rule of ElementSetBuilder
ElementSet CopyOf(const IElementSet& elements);

/// Makes an attribute, without values, from the heading of a column or the name of a property.
///
/// "length (km)" and "length [km]" are `length` in km, "area" is `area` in m2, "areasqkm" is `areasqkm` in km2. Any
/// other heading has the unit 1.
ElementAttribute AttributeNamed(const std::string& heading);

/// Writes any element set as bytes, for another process or a file.
///
/// Writes type, reference system, version, ids, geometry with holes and parts; also attributes when the set is an
/// ElementSet.
/// \throws FormatError  the geometry of a third-party set breaks a rule of ElementSetBuilder
void WriteElementSet(StateWriter& writer, const IElementSet& elements);

/// Reads an element set that `WriteElementSet` wrote; equal to the original to the last bit.
///
/// The bytes may come from an untrusted source: inconsistent data are refused.
/// \throws FormatError  the bytes are not an element set
ElementSet ReadElementSet(StateReader& reader);

}  // namespace openmi
