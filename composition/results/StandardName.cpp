#include "composition/results/StandardName.hpp"

#include <algorithm>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi {
namespace {

/// "Air_Temperature" as "air temperature".
std::string Words(std::string_view caption) {
  std::string words = Lower(Trimmed(caption));
  std::ranges::replace_if(
      words, [](char c) { return c == '_' || c == '-'; }, ' ');
  return words;
}

}  // namespace

std::span<const StandardName> StandardNames() {
  static const std::vector<StandardName> kNames = {
      {"water_volume_transport_in_river_channel",
       "m3 s-1",
       {"discharge", "river discharge", "streamflow", "stream flow"}},
      {"water_surface_height_above_reference_datum",
       "m",
       {"water level", "water surface elevation", "gauge height", "gage height", "river stage"}},
      {"lwe_precipitation_rate", "m s-1", {"precipitation", "precipitation rate", "precipitation intensity"}},
      {"precipitation_flux", "kg m-2 s-1", {"precipitation", "precipitation rate", "precipitation intensity"}},
      {"lwe_thickness_of_precipitation_amount", "m", {"precipitation", "precipitation depth", "precipitation amount"}},
      {"precipitation_amount", "kg m-2", {"precipitation", "precipitation depth"}},
      {"rainfall_rate", "m s-1", {"rainfall", "rain", "rain rate", "rainfall intensity"}},
      {"rainfall_flux", "kg m-2 s-1", {"rainfall", "rain", "rain rate", "rainfall rate", "rainfall intensity"}},
      {"thickness_of_rainfall_amount", "m", {"rainfall", "rain", "rainfall depth", "rainfall amount"}},
      {"rainfall_amount", "kg m-2", {"rainfall", "rain", "rainfall depth"}},
      {"snowfall_flux", "kg m-2 s-1", {"snowfall", "snowfall rate"}},
      {"surface_snow_thickness", "m", {"snow depth"}},
      {"lwe_thickness_of_surface_snow_amount", "m", {"snow water equivalent"}},
      {"surface_snow_amount", "kg m-2", {"snow water equivalent"}},
      {"lwe_water_evaporation_rate", "m s-1", {"evaporation", "evaporation rate"}},
      {"water_evapotranspiration_flux", "kg m-2 s-1", {"evapotranspiration", "evapotranspiration rate"}},
      {"water_potential_evaporation_flux", "kg m-2 s-1", {"potential evaporation", "potential evaporation rate"}},
      {"runoff_flux", "kg m-2 s-1", {"runoff"}},
      {"runoff_amount", "kg m-2", {"runoff"}},
      {"air_temperature", "K", {}},
      {"dew_point_temperature", "K", {}},
      {"soil_temperature", "K", {}},
      {"air_pressure", "Pa", {}},
      {"surface_air_pressure", "Pa", {}},
      {"relative_humidity", "1", {}},
      {"specific_humidity", "1", {}},
      {"wind_speed", "m s-1", {}},
      {"surface_downwelling_shortwave_flux_in_air",
       "W m-2",
       {"incoming shortwave radiation", "downward shortwave radiation"}},
      {"surface_downwelling_longwave_flux_in_air",
       "W m-2",
       {"incoming longwave radiation", "downward longwave radiation"}}};
  return kNames;
}

std::string StandardNameOf(std::string_view quantity, const std::string& unit) try {
  const std::string words = Words(quantity);
  const Unit own = Unit::Parse(unit);
  for (const StandardName& entry : StandardNames()) {
    const bool is_named =
        words == Words(entry.name) || std::ranges::find(entry.captions, words) != entry.captions.end();
    if (is_named && Convertible(own, Unit::Parse(entry.unit))) return entry.name;
  }
  return {};
} catch (const UnitError&) {
  return {};  // no unit that can be compared
}

}  // namespace openmi
