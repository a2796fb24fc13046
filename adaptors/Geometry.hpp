#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "adaptors/kernels/Polygons.hpp"
#include "adaptors/kernels/SparseRows.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// The polygons of two sets in one plane: as they are when both are planar, projected to true areas (m2) when both are
/// in longitude and latitude. On a globe without an edge: sources that a target may meet beyond the edge of the plane
/// stand there once more, behind all others.
struct PolygonPair {
  Polygons source;
  Polygons target;
  std::size_t source_count = 0;       ///< without those that stand there again
  std::vector<std::uint32_t> copies;  ///< the source that each of the further polygons is
  bool on_sphere = false;             ///< the plane is that of `UnrollToEqualArea`
};
/// Puts what was found for further copies of a source to the source itself: columns of weights or areas.
SparseRows WithoutCopies(SparseRows rows, const PolygonPair& pair);
/// The same for one number each.
std::vector<double> WithoutCopies(std::vector<double> values, const PolygonPair& pair);
/// \throws LinkError  a set is no set of polygons, or the two are in different reference systems
PolygonPair InOnePlane(const std::string& adaptor, const IElementSet& source, const IElementSet& target);

/// Where the areas of polygons come from.
struct ElementAreas {
  std::vector<double> square_metres;  ///< shape [elements]
  std::string source;                 ///< "attribute 'area'", "geodesic on WGS84" or "plane"
  double difference = 0.0;            ///< largest relative difference between attribute and geometry; 0 without both
};
/// The areas of a set of polygons: its attribute `name` if it has one, else by geometry.
/// \throws LinkError  there is neither
ElementAreas AreasOf(const std::string& adaptor, const IElementSet& elements, const std::string& name = "area");

}  // namespace openmi
