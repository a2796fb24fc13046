#include <cmath>
#include <string>

#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/files/ElementFile.hpp"
#include "timespace/files/MeshFile.hpp"

namespace openmi::fuzz {

// Any classic NetCDF file is a mesh or a set of geometries whose every vertex is there, or an error that names the
// file.
OPENMI_FUZZ_TARGET(ugrid) {
  if (!input.starts_with("CDF")) return;
  const std::string path = FileOf(input, ".nc");
  const auto check = [](const auto& read) {
    try {
      const ElementSet elements = read();
      for (const double x : elements.X()) Require(std::isfinite(x));
      for (int i = 0; i < elements.ElementCount(); ++i) Require(!elements.IdOf(i).empty());
    } catch (const Error& error) {
      Require(std::string_view(error.what()).find("input.nc") != std::string_view::npos);
    }
  };
  for (const MeshPlace place : {MeshPlace::Any, MeshPlace::Edge, MeshPlace::Node}) {
    check([&] {
      return ReadMeshFile(path, "fuzz", {.place = place, .id_variable = {}, .reference_system = kLocalMetresWkt});
    });
  }
  for (const char* ids : {"", "gauges", "sub_catchments"}) {
    check([&] { return ReadElementFile(path, "fuzz", {.ids = ids, .reference_system = "local-metres"}); });
  }
}

}  // namespace openmi::fuzz
