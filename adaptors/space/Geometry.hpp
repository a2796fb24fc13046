#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "adaptors/kernels/Polygons.hpp"
#include "adaptors/kernels/SparseRows.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// The polygons of two element sets in one plane.
///
/// Planar sets stay as they are. Sets in longitude and latitude are projected to a plane with true areas (m2). The
/// globe has no edge, but the plane has: sources that a target may meet beyond that edge are repeated there, after all
/// others.
struct PolygonPair {
  Polygons source;
  Polygons target;
  std::size_t source_count = 0;       ///< without the repeated ones
  std::vector<std::uint32_t> copies;  ///< for each repeated polygon, the index of its source
  bool on_sphere = false;             ///< the plane is that of `UnrollToEqualArea`
};
/// Adds the columns (weights or areas) of repeated sources to the columns of the sources themselves.
SparseRows WithoutCopies(SparseRows rows, const PolygonPair& pair);
/// Adds the numbers of repeated sources to those of the sources; one number for each polygon of `pair.source`.
std::vector<double> WithoutCopies(std::vector<double> values, const PolygonPair& pair);
/// Brings the polygons of two sets into one plane.
/// \param adaptor  names the adaptor in messages
/// \throws LinkError  a set is no set of polygons, or the two are in different reference systems
PolygonPair InOnePlane(const std::string& adaptor, const IElementSet& source, const IElementSet& target);

/// The areas of the elements of a set, and where they come from.
struct ElementAreas {
  std::vector<double> square_metres;  ///< shape [elements]
  std::string source;                 ///< "attribute 'area'", "geodesic on WGS84" or "plane"
  double difference = 0.0;            ///< largest relative difference between attribute and geometry; 0 if only one of
                                      ///< them is there
};
/// The areas of a set of polygons: the attribute `name` where the set has it, else from the geometry.
/// \param adaptor  names the adaptor in messages
/// \throws LinkError  the set has neither
ElementAreas AreasOf(const std::string& adaptor, const IElementSet& elements, const std::string& name = "area");

}  // namespace openmi
