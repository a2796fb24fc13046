#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "composition/import/ngen/ImportNgen.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/system/TemporaryFolder.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {
namespace {

/// Two catchments above a nexus, with forcing, in a folder.
struct Basin {
  Basin() {
    const auto write = [this](const char* name, const char* text) { std::ofstream(folder.Path() / name) << text; };
    write("catchments.geojson", R"({"features": [
      {"id": "cat-1", "properties": {"areasqkm": 1, "toid": "nex-3"}, "geometry": null},
      {"id": "cat-2", "properties": {"areasqkm": 2, "toid": "nex-3"}, "geometry": null}]})");
    write("nexuses.geojson", R"({"features": [{"id": "nex-3", "properties": {"toid": ""}, "geometry": null}]})");
    for (const char* name : {"cat-1_.csv", "cat-2_.csv"}) write(name, "time,precip_rate\n2015-12-01 00:00:00,1\n");
    for (const char* name : {"store.so", "store.py"}) write(name, "");
    Problems problems;
    fabric =
        ngen::ReadHydrofabric(folder.Path() / "catchments.geojson", folder.Path() / "nexuses.geojson", false, problems);
  }
  TemporaryFolder folder;
  ngen::Hydrofabric fabric;
};

}  // namespace

// Any bytes are refused, or become a composition that can be written and is read without an error, with files that lie
// beside it.
OPENMI_FUZZ_TARGET(ngen) {
  static const Basin basin;
  ngen::NgenOptions options;
  options.id = "fuzz";
  options.root = basin.folder.Path();
  options.named = [](const std::filesystem::path& path) { return path.string(); };
  options.describe = [](const OmiFile&, const std::string&, Problems&) {
    return std::optional(ngen::ModuleItems{.inputs = {{.id = "rain", .unit = "mm h-1", .count = 1}},
                                           .outputs = {{.id = "q", .unit = "mm", .count = 1}},
                                           .step_seconds = 3600.0});
  };
  Problems problems;
  try {
    const ngen::Realization realization = ngen::ReadRealizationText(input, "no-such-folder/fuzz.json", problems);
    const ngen::NgenImport made = ngen::ImportNgen(realization, basin.fabric, options, problems);
    for (const auto& [name, text] : made.files) {
      Require(!name.empty() && name.size() < 200 && name.front() != '.' && name.find('/') == std::string::npos);
    }
    if (made.file.components.empty()) return;
    Problems again;
    ReadCompositionText(CompositionText(made.file), "fuzz.xml", again);
    Require(!HasErrors(again));
  } catch (const FormatError& error) {
    Require(error.Place().file == "no-such-folder/fuzz.json");
  }
}

}  // namespace openmi::fuzz
