// openmi import ngen: what a realization computes, against the same libraries driven without anything of this project.

#include <bmi-bridge/abi/bmi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>
#ifdef OPENMI_HAS_GDAL
#include <gdal_priv.h>
#include <ogrsf_frmts.h>
#endif

#include "openmi/omi/SafeProbe.hpp"
#include "tests/bmi-bridge/BmiFixture.hpp"

namespace openmi::bmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr int kHours = 6;

/// A store of the library, driven by its functions alone.
class DirectStore {
 public:
  DirectStore(const std::string& library, const std::string& config, const std::map<std::string, double>& parameters) {
    handle_ = dlopen(library.c_str(), RTLD_NOW);
    reinterpret_cast<Bmi* (*)(Bmi*)>(dlsym(handle_, "register_bmi_store"))(&model_);
    EXPECT_EQ(model_.initialize(&model_, config.c_str()), 0);
    for (const auto& [name, value] : parameters) Set(name, value);
  }
  ~DirectStore() {
    model_.finalize(&model_);
    dlclose(handle_);
  }
  DirectStore(const DirectStore&) = delete;
  DirectStore& operator=(const DirectStore&) = delete;

  void Set(const std::string& name, double value) { EXPECT_EQ(model_.set_value(&model_, name.c_str(), &value), 0); }
  /// A step of an hour, which is none of the model's own: so update_until, as in ngen.
  double Step(double inflow) {
    Set("inflow", inflow);
    time_ += 3600.0;
    EXPECT_EQ(model_.update_until(&model_, time_), 0);
    double outflow = 0.0;
    EXPECT_EQ(model_.get_value(&model_, "outflow", &outflow), 0);
    return outflow;
  }

 private:
  void* handle_ = nullptr;
  Bmi model_{};
  double time_ = 0.0;
};

class NgenImport : public testing::Test {
 protected:
  NgenImport() {
    setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
    folder.Write(
        "catchments.geojson",
        R"({"type": "FeatureCollection", "features": [)"
        R"({"type": "Feature", "id": "cat-1", "properties": {"areasqkm": 2.0, "toid": "nex-1"}, "geometry": null},)"
        R"({"type": "Feature", "id": "cat-2", "properties": {"areasqkm": 5.5, "toid": "nex-1"}, "geometry": null},)"
        R"({"type": "Feature", "id": "cat-3", "properties": {"areasqkm": 0.25, "toid": "nex-2"}, "geometry": null}]})");
    folder.Write("nexuses.geojson",
                 R"({"type": "FeatureCollection", "features": [)"
                 R"({"type": "Feature", "id": "nex-1", "properties": {"toid": "cat-3"}, "geometry": null},)"
                 R"({"type": "Feature", "id": "nex-2", "properties": {"toid": ""}, "geometry": null}]})");
    for (int cat = 1; cat <= 3; ++cat) {
      std::string rows = "Time,precip_rate,TMP_2maboveground\n";
      for (int hour = 0; hour < kHours; ++hour) {
        rows += fmt::format("2015-12-01 {:02}:00:00,{},280\n", hour, Rain(cat, hour));
      }
      folder.Write(fmt::format("rain_cat-{}_2015.csv", cat), rows);
      folder.Write(fmt::format("store-cat-{}.cfg", cat), cat == 3 ? "season 1\n" : "");
    }
  }

  static double Rain(int cat, int hour) { return 0.5 + 0.1 * cat + std::sin(0.7 * hour * cat); }

  /// A realization, with the library and these formulations; `catchments` may be empty.
  void WriteRealization(const std::string& global, const std::string& catchments,
                        const std::string& end = "2015-12-01 05:00:00") {
    folder.Write("realization.json",
                 fmt::format(R"({{"global": {{{0}}}, "time": {{"start_time": "2015-12-01 0:00:00", "end_time": "{1}", )"
                             R"("output_interval": 3600}}, "catchments": {{{2}}}}})",
                             global, end, catchments));
  }

  static std::string Module(const std::string& params) {
    return fmt::format(
        R"({{"name": "bmi_c", "params": {{"model_type_name": "bmi_c_store", "library_file": "store_model", )"
        R"("registration_function": "register_bmi_store", "init_config": "store-{{{{id}}}}.cfg", )"
        R"("uses_forcing_file": false, {}}}}})",
        params);
  }

  const std::string forcing = R"("forcing": {"file_pattern": ".*{{id}}_.*csv", "path": "."})";

  ChildResult Run(std::vector<std::string> words) {
    words.insert(words.begin(), OPENMI_BINARY_DIR "/bin/openmi");
    return RunInChild(words, {.time = std::chrono::minutes(1)});
  }
  ChildResult Import(std::vector<std::string> more = {"--load"}) {
    std::vector<std::string> words = {"import",
                                      "ngen",
                                      folder / "realization.json",
                                      folder / "catchments.geojson",
                                      folder / "nexuses.geojson",
                                      "--root",
                                      folder / ".",
                                      "--library",
                                      "store_model=" + library,
                                      "-o",
                                      folder / "made",
                                      "--overwrite"};
    words.insert(words.end(), more.begin(), more.end());
    return Run(words);
  }

  /// Runs what was imported: the rows of a series.
  std::vector<double> Series(const std::string& name) {
    if (results.empty()) {
      const ChildResult run =
          Run({"run", folder / "made/realization.xml", "--results", folder / "results", "--no-report"});
      EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
      std::istringstream lines(folder.Read("results/realization.csv"));
      std::vector<std::string> heading;
      for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('#')) continue;
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
        if (heading.empty()) {
          heading = cells;
          continue;
        }
        for (std::size_t i = 1; i < cells.size(); ++i) {
          if (!cells[i].empty()) results[heading[i].substr(0, heading[i].find(' '))].push_back(std::stod(cells[i]));
        }
      }
    }
    return results[name];
  }

  const std::string library = TestLibrary("store_model");
  std::map<std::string, std::vector<double>> results;
  ScratchFolder folder{"ngen-import"};
};

TEST_F(NgenImport, ComputesWhatTheLibrariesComputeInTheOrderOfNgen) {
  // Two stores one after the other, with a parameter of the realization and one of the hydrofabric; cat-2 has one store
  // alone, with its own configuration.
  WriteRealization(
      fmt::format(
          R"("formulations": [{{"name": "bmi_multi", "params": {{"model_type_name": "two", "init_config": "", )"
          R"("main_output_variable": "down_flow", "modules": [{}, {}]}}}}], {})",
          Module(
              R"("main_output_variable": "outflow", "variables_names_map": {"inflow": "atmosphere_water__liquid_equivalent_precipitation_rate", "outflow": "up_flow", "level": "up_level"},
                    "model_params": {"store": 40.0, "inlet": {"source": "hydrofabric", "from": "areasqkm"}})"),
          Module(
              R"("main_output_variable": "outflow", "variables_names_map": {"inflow": "up_flow", "outflow": "down_flow", "level": "down_level"})"),
          forcing),
      fmt::format(R"("cat-2": {{"formulations": [{}], "forcing": {{"path": "rain_cat-2_2015.csv"}}}})",
                  Module(R"("main_output_variable": "outflow", "variables_names_map": {"inflow": "precip_rate"})")));
  const ChildResult import = Import();
  ASSERT_EQ(import.exit_code, 0) << import.out << import.err;
  EXPECT_THAT(import.out, AllOf(HasSubstr("ngen cannot convert it"), HasSubstr("'mm s-1'"), HasSubstr("'m3 s-1'"),
                                HasSubstr("taken as a depth in m of each step")));
  const ChildResult check = Run({"check", folder / "made/realization.xml"});
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;

  const double areas[] = {2.0, 5.5, 0.25};
  std::vector<std::vector<double>> flows;
  for (int cat = 1; cat <= 3; ++cat) {
    const std::string config = folder / fmt::format("store-cat-{}.cfg", cat);
    std::vector<double> ups, downs;
    if (cat == 2) {
      DirectStore store(library, config, {});
      for (int hour = 0; hour < kHours; ++hour) downs.push_back(store.Step(Rain(cat, hour)));
      EXPECT_EQ(Series("store-3.outflow[cat-2]"), downs);
    } else {
      DirectStore up(library, config, {{"store", 40.0}, {"inlet", areas[cat - 1]}});
      DirectStore down(library, config, {});
      for (int hour = 0; hour < kHours; ++hour) {
        ups.push_back(up.Step(Rain(cat, hour)));
        downs.push_back(down.Step(ups.back()));
      }
      EXPECT_EQ(Series(fmt::format("store-2.outflow[cat-{}]", cat)), downs);
    }
    std::vector<double>& flow = flows.emplace_back();
    for (const double depth : downs) flow.push_back(depth * areas[cat - 1] * 1e6 / 3600.0);
  }
  // To rounding: the division by the span comes first here.
  for (std::size_t hour = 0; hour < kHours; ++hour) {
    for (std::size_t cat = 0; cat < 3; ++cat) {
      EXPECT_DOUBLE_EQ(Series(fmt::format("catchments.flow[cat-{}]", cat + 1)).at(hour), flows[cat][hour]);
    }
    EXPECT_DOUBLE_EQ(Series("nexus.flow[nex-1]").at(hour), flows[0][hour] + flows[1][hour]);
    EXPECT_DOUBLE_EQ(Series("nexus.flow[nex-2]").at(hour), flows[2][hour]);
  }
}

TEST_F(NgenImport, GivesAnEarlierModuleTheValueOfTheStepBefore) {
  // The first store gets what the second one gave in the step before, and 7 in the first step.
  for (const bool has_default : {true, false}) {
    results.clear();
    WriteRealization(
        fmt::format(
            R"("formulations": [{{"name": "bmi_multi", "params": {{"model_type_name": "ring", "init_config": "", )"
            R"("main_output_variable": "up_flow", {} "modules": [{}, {}]}}}}], {})",
            has_default ? R"("default_output_values": [{"name": "down_flow", "value": 7.0}],)" : "",
            Module(R"("variables_names_map": {"inflow": "down_flow", "outflow": "up_flow", "level": "up_level"})"),
            Module(R"("variables_names_map": {"inflow": "up_flow", "outflow": "down_flow", "level": "down_level"})"),
            forcing),
        "");
    const ChildResult import = Import();
    ASSERT_EQ(import.exit_code, 0) << import.out << import.err;
    EXPECT_THAT(import.out, HasSubstr("of the step before"));
    for (int cat = 1; cat <= 3; ++cat) {
      const std::string config = folder / fmt::format("store-cat-{}.cfg", cat);
      DirectStore up(library, config, {}), down(library, config, {});
      double back = has_default ? 7.0 : 0.0;  // what the model shows before its first step
      std::vector<double> downs;
      for (int hour = 0; hour < kHours; ++hour) {
        back = down.Step(up.Step(back));
        downs.push_back(back);
      }
      std::vector<double> found = Series(fmt::format("store-2.outflow[cat-{}]", cat));
      found.erase(found.begin());  // the row at the start
      EXPECT_EQ(found, downs) << "cat-" << cat << ", default " << has_default;
    }
    std::filesystem::remove_all(folder / "results");
  }
}

#ifdef OPENMI_HAS_GDAL
/// Writes a layer of texts, which a table is whatever its types are.
void WriteLayer(GDALDataset& data, const char* name, const std::vector<const char*>& columns,
                const std::vector<std::vector<const char*>>& rows, const char* shape) {
  OGRSpatialReference system;
  system.importFromEPSG(5070);
  OGRLayer* const layer = data.CreateLayer(name, &system, shape[0] != '\0' ? wkbUnknown : wkbNone, nullptr);
  for (const char* column : columns) {
    OGRFieldDefn field(column, OFTString);
    layer->CreateField(&field);
  }
  for (const std::vector<const char*>& row : rows) {
    OGRFeature feature(layer->GetLayerDefn());
    for (std::size_t i = 0; i < columns.size(); ++i) feature.SetField(columns[i], row[i]);
    OGRGeometry* geometry = nullptr;
    if (shape[0] != '\0') OGRGeometryFactory::createFromWkt(shape, nullptr, &geometry);
    if (geometry != nullptr) feature.SetGeometryDirectly(geometry);
    ASSERT_EQ(layer->CreateFeature(&feature), OGRERR_NONE);
  }
}

TEST_F(NgenImport, RoutesAlongTheFlowpathsOfAGeoPackage) {
  GDALAllRegister();
  const std::string file = folder / "hydrofabric.gpkg";
  GDALDataset* const data =
      GetGDALDriverManager()->GetDriverByName("GPKG")->Create(file.c_str(), 0, 0, 0, GDT_Unknown, nullptr);
  // Two headwaters meet in nex-1; below it lies the third.
  WriteLayer(*data, "divides", {"divide_id", "toid", "areasqkm", "id"},
             {{"cat-1", "nex-1", "2", "wb-1"}, {"cat-2", "nex-1", "5.5", "wb-2"}, {"cat-3", "tnx-2", "0.25", "wb-3"}},
             "POLYGON ((0 0,1000 0,1000 1000,0 1000,0 0))");
  WriteLayer(*data, "nexus", {"id", "toid"}, {{"nex-1", "wb-3"}, {"tnx-2", "wb-0"}}, "POINT (0 0)");
  WriteLayer(*data, "flowpaths", {"id", "toid", "divide_id"},
             {{"wb-1", "nex-1", "cat-1"}, {"wb-2", "nex-1", "cat-2"}, {"wb-3", "tnx-2", "cat-3"}},
             "LINESTRING (0 0,1000 1000)");
  WriteLayer(*data, "flowpath_attributes", {"id", "length_m", "So", "n", "BtmWdth", "ChSlp"},
             {{"wb-1", "900", "0.01", "0.06", "2.2", "0.66"},
              {"wb-2", "2100", "0.02", "0.06", "2.5", "0.64"},
              {"wb-3", "500", "0.001", "0.055", "4.7", "0.47"}},
             "");
  GDALClose(data);
  WriteRealization(
      fmt::format(R"("formulations": [{}], {})",
                  Module(R"("main_output_variable": "outflow", "variables_names_map": {"inflow": "precip_rate"})"),
                  forcing),
      "");
  std::string text = folder.Read("realization.json");
  text.replace(text.find("\"catchments\""), 0, R"("routing": {"t_route_config_file_with_path": "route.yaml"}, )");
  folder.Write("realization.json", text);
  const ChildResult import = Run({"import", "ngen", folder / "realization.json", file, "--root", folder / ".",
                                  "--library", "store_model=" + library, "--load", "-o", folder / "made"});
  ASSERT_EQ(import.exit_code, 0) << import.out << import.err;
  EXPECT_THAT(import.out, HasSubstr("'route.yaml' of t-route"));
  EXPECT_EQ(folder.Read("made/downstream.csv"), "from,to\nwb-1,wb-3\nwb-2,wb-3\n");
  EXPECT_EQ(folder.Read("made/catchments-to-river.csv"), "from,to\ncat-1,wb-1\ncat-2,wb-2\ncat-3,wb-3\n");
  const ChildResult check = Run({"check", folder / "made/realization.xml"});
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
  EXPECT_THAT(check.out, Not(HasSubstr("warning")));

  // The flows of the stores change slowly, so after some hours each reach gives what the catchments above it give.
  const auto flow = [&](const char* cat) { return Series(fmt::format("catchments.flow[{}]", cat)).back(); };
  EXPECT_NEAR(Series("river.outflow[wb-1]").back() / flow("cat-1"), 1.0, 0.05);
  EXPECT_NEAR(Series("river.outflow[wb-3]").back() / (flow("cat-1") + flow("cat-2") + flow("cat-3")), 1.0, 0.05);
  EXPECT_EQ(Series("river.outflow[wb-3]").size(), kHours * 12 + 1);
  EXPECT_EQ(Series("nexus.flow[nex-1]").back(), flow("cat-1") + flow("cat-2"));
}
#endif

TEST_F(NgenImport, LoadsNoLibraryUntilItsOwnerSaysSo) {
  WriteRealization(
      fmt::format(R"("formulations": [{}], {})",
                  Module(R"("main_output_variable": "outflow", "variables_names_map": {"inflow": "precip_rate"})"),
                  forcing),
      "");
  const ChildResult import = Import({});
  EXPECT_EQ(import.exit_code, 5);
  EXPECT_THAT(import.out, AllOf(HasSubstr("libstore_model.so"), HasSubstr("--load")));
  EXPECT_THAT(folder.Read("made/realization.xml"),
              AllOf(HasSubstr("<Population Id=\"store\""), HasSubstr("option load"), Not(HasSubstr("<Link"))));
}

TEST_F(NgenImport, NamesALibraryThatDoesNotExist) {
  WriteRealization(
      fmt::format(R"("formulations": [{}], {})",
                  Module(R"("main_output_variable": "outflow", "variables_names_map": {"inflow": "precip_rate"})"),
                  forcing),
      "");
  const ChildResult import = Run({"import", "ngen", folder / "realization.json", folder / "catchments.geojson",
                                  folder / "nexuses.geojson", "--root", folder / ".", "--load", "-o", folder / "made"});
  EXPECT_EQ(import.exit_code, 5);
  EXPECT_THAT(import.out, AllOf(HasSubstr("expected the library"), HasSubstr("--library 'store_model=FILE.so'")));
}

}  // namespace
}  // namespace openmi::bmi
