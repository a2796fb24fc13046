#pragma once

#include <span>
#include <string>

#include "timespace/ElementSet.hpp"

namespace openmi {

/// A copy of some elements of a set in the order given, with their attributes where the set is one of ours.
/// \param chosen  numbers of elements
/// \throws RangeError   there is no such element
/// \throws FormatError  the geometry of a foreign set breaks a rule of ElementSetBuilder
ElementSet SubsetOf(const IElementSet& elements, std::span<const int> chosen);

/// Whether coordinates of two reference systems mean the same: equal texts, or systems that PROJ takes for equivalent
/// whatever the order of their axes. Longitudes and latitudes in systems that PROJ cannot read count as the same.
/// \param a, b  well-known texts
bool IsOneReferenceSystem(const std::string& a, const std::string& b);

/// A copy of a set with geometry in another reference system: each vertex transformed by PROJ, x being the easting or
/// longitude in both. Edges are those between the transformed vertices, so that long ones should have vertices in
/// between; Z and M stay as they are.
/// \param wkt  well-known text of the system wanted
/// \throws LinkError  PROJ knows no way between the two, or none for some place; names the set, and the element
ElementSet InReferenceSystem(const IElementSet& elements, const std::string& wkt);

}  // namespace openmi
