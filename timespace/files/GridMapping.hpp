#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace openmi {

/// A reference system in the words of the CF conventions.
struct GridMapping {
  std::string name;  ///< `grid_mapping_name`; empty: the conventions have no name for it
  /// Further attributes, such as semi_major_axis in m and inverse_flattening; angles in degrees, lengths in `unit`.
  std::vector<std::pair<std::string, std::vector<double>>> numbers;
  std::string unit;  ///< of x and y, as UDUNITS writes it: "m"; empty: angles, or another unit
};

/// The CF grid mapping of a reference system; none if PROJ cannot read its text.
///
/// Names are given to longitude and latitude, and to the projections transverse Mercator (UTM), Lambert conformal conic
/// with two parallels, Albers, and Lambert azimuthal equal area.
///
/// Source: CF conventions 1.8, 5.6 and appendix F.
/// \param wkt  well-known text
std::optional<GridMapping> GridMappingOf(const std::string& wkt);

}  // namespace openmi
