#pragma once

#include <string>
#include <vector>

#include "adaptors/kernels/Polygons.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// The polygons of two sets in one plane: as they are when both are planar, projected to true areas (m2) when both are
/// in longitude and latitude.
struct PolygonPair {
  Polygons source;
  Polygons target;
};
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
