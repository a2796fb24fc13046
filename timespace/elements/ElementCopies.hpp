#pragma once

#include <span>
#include <string>

#include "timespace/elements/ElementSet.hpp"

namespace openmi {

/// A copy of some elements of a set in the given order. Attributes are copied when the set is an ElementSet.
/// \param chosen  indices of elements
/// \throws RangeError   there is no such element
/// \throws FormatError  the geometry of a third-party set breaks a rule of ElementSetBuilder
ElementSet SubsetOf(const IElementSet& elements, std::span<const int> chosen);

/// An element of a set.
struct ElementPick {
  const IElementSet* of = nullptr;
  int element = 0;
};

/// A set of elements of several sets, in the given order. Attributes that all of them have are copied, when they are
/// ElementSets.
/// \param picks  not empty; their sets have the same type and reference system
/// \throws FormatError  two elements have the same id, or the geometry of a third-party set breaks a rule of
///   ElementSetBuilder
ElementSet JoinOf(std::span<const ElementPick> picks);

/// Whether two elements have the same vertices, to the last bit, as the interface of the standard shows them.
bool IsSamePlace(const ElementPick& a, const ElementPick& b);

/// Whether two sets have the same type, reference system and vertices, to the last bit. Ids, captions, attributes and
/// the faces of polyhedra are not compared.
bool HaveSameGeometry(const ElementSet& a, const ElementSet& b);

/// Whether coordinates of two reference systems mean the same.
///
/// This holds for equal texts, and for systems that PROJ takes as equivalent when the order of axes is ignored.
/// Longitudes and latitudes in systems that PROJ cannot read count as the same.
/// \param a,b  well-known texts
bool IsOneReferenceSystem(const std::string& a, const std::string& b);

/// A copy of a set with its geometry in another reference system.
///
/// PROJ transforms each vertex; x is the easting or longitude in both systems. Edges connect the transformed vertices,
/// so long edges should have intermediate vertices. Z and M do not change.
/// \param wkt  well-known text of the new system
/// \throws LinkError  PROJ has no transformation between the two systems, or none for some place; names the set and the
///   element
ElementSet InReferenceSystem(const IElementSet& elements, const std::string& wkt);

}  // namespace openmi
