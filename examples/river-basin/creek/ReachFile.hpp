#pragma once

#include <string>
#include <vector>

#include "examples/river-basin/numerics/ReachNetwork.hpp"
#include "timespace/files/GeoJson.hpp"

namespace riverbasin {

/// How the sections of reaches follow from the area that drains to them: no file tells them.
struct SectionRules {
  double roughness = 0.045;          ///< Manning's n [s m-1/3]
  double width_factor = 1.8;         ///< width = factor * sqrt(area / km2) [m]
  double specific_discharge = 0.05;  ///< reference discharge = this * area [m3 s-1 km-2]
};

/// Reaches out of GeoJSON.
struct ReachFile {
  openmi::GeoJsonFile file;                   ///< all features, the joining ones last
  std::vector<ReachDescription> reaches;      ///< in the order of the features
  std::vector<std::string> lateral_ids;       ///< the catchments that flow into reaches, each once
  std::vector<std::size_t> reach_of_lateral;  ///< index into `reaches`, by catchment
};

/// Reads the reaches and links them: by `toid`, never by where their ends lie. `slope_percent` is m/m in the data that
/// this form comes from, whatever its name says. A joining reach may name in `receives` the `toid`s it stands for.
/// \param joining     a second file of reaches, empty: none
/// \param catchments  the catchments, with `areasqkm`; `realized_catchment` of a reach names the one that flows into it
ReachFile ReadReaches(const std::string& path, const std::string& joining, const openmi::GeoJsonFile& catchments,
                      const SectionRules& rules);

}  // namespace riverbasin
