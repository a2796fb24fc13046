#include <cmath>
#include <string>

#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"
#include "timespace/files/GeoJson.hpp"

namespace openmi::fuzz {

// Any bytes are features with an id each, of which elements can be made, or an error that names the file.
OPENMI_FUZZ_TARGET(geojson) {
  const std::string path = FileOf(input, ".geojson");
  try {
    const GeoJsonFile file = ReadGeoJson(path);
    for (const GeoJsonFeature& feature : file.features) Require(!feature.id.empty());
    const ElementSet elements = ElementsOf(file, "fuzz");
    Require(elements.ElementCount() == static_cast<int>(file.features.size()));
    for (const double x : elements.X()) Require(std::isfinite(x));
  } catch (const Error& error) {
    Require(std::string_view(error.what()).find("input.geojson") != std::string_view::npos);
  }
}

}  // namespace openmi::fuzz
