#include "examples/river-basin/creek/ReachFile.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "openmi/sdk/Error.hpp"

namespace riverbasin {

namespace {

/// The area draining to each reach [km2]: its own and that of everything above it.
std::vector<double> DrainedAreas(const std::vector<ReachDescription>& reaches, const std::vector<double>& own) {
  std::map<std::string, std::size_t> by_id;
  for (std::size_t i = 0; i < reaches.size(); ++i) by_id.emplace(reaches[i].id, i);
  std::vector<double> drained(reaches.size(), 0.0);
  for (std::size_t i = 0; i < reaches.size(); ++i) {
    std::size_t reach = i;
    for (std::size_t guard = 0; guard <= reaches.size(); ++guard) {  // a loop is ReachNetwork's to refuse
      drained[reach] += own[i];
      const auto down = by_id.find(reaches[reach].downstream);
      if (down == by_id.end()) break;
      reach = down->second;
    }
  }
  return drained;
}

}  // namespace

ReachFile ReadReaches(const std::string& path, const std::string& joining, const openmi::GeoJsonFile& catchments,
                      const SectionRules& rules) {
  ReachFile result{openmi::ReadGeoJson(path), {}, {}, {}};
  std::map<std::string, std::string> alias;
  if (!joining.empty()) {
    for (openmi::GeoJsonFeature& feature : openmi::ReadGeoJson(joining).features) {
      const auto receives = feature.lists.find("receives");
      if (receives != feature.lists.end()) {
        for (const std::string& name : receives->second) alias[name] = feature.id;
      }
      result.file.features.push_back(std::move(feature));
    }
  }

  std::map<std::string, double> areas;
  for (const openmi::GeoJsonFeature& catchment : catchments.features)
    areas[catchment.id] = catchments.Number(catchment, "areasqkm");

  std::vector<double> own;
  for (const openmi::GeoJsonFeature& feature : result.file.features) {
    ReachDescription reach;
    reach.id = feature.id;
    reach.downstream = feature.Text("toid");
    if (const auto known = alias.find(reach.downstream); known != alias.end()) reach.downstream = known->second;
    reach.geometry.length = 1000.0 * result.file.Number(feature, "length_km");
    reach.geometry.slope = result.file.Number(feature, "slope_percent");
    own.push_back(0.0);
    const std::string catchment = feature.Text("realized_catchment");
    if (!catchment.empty()) {
      const auto area = areas.find(catchment);
      if (area == areas.end()) {
        throw openmi::FormatError(
            {.file = path}, fmt::format("expected '{}' to realize a known catchment, found '{}'", reach.id, catchment),
            "correct 'realized_catchment', or give the file that has this catchment");
      }
      own.back() = area->second;
      result.lateral_ids.push_back(catchment);
      result.reach_of_lateral.push_back(result.reaches.size());
    }
    result.reaches.push_back(std::move(reach));
  }

  const std::vector<double> drained = DrainedAreas(result.reaches, own);
  for (std::size_t i = 0; i < result.reaches.size(); ++i) {
    ReachGeometry& geometry = result.reaches[i].geometry;
    geometry.width = rules.width_factor * std::sqrt(drained[i]);
    geometry.roughness = rules.roughness;
    geometry.reference_discharge = rules.specific_discharge * drained[i];
  }
  return result;
}

}  // namespace riverbasin
