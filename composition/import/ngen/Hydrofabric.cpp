#include "composition/import/ngen/Hydrofabric.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <map>

#include "composition/import/ngen/Gathered.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::ngen {
namespace {

using population::RowTable;

bool IsGeoPackage(const std::filesystem::path& path) {
  return Lower(path.extension().string()) == ".gpkg";
}

/// The first of these columns that a table has; negative: none.
int ColumnOf(const RowTable& table, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const int column = table.ColumnOf(name); column >= 0) return column;
  }
  return -1;
}

int NeededColumn(const RowTable& table, const char* name) {
  const int column = table.ColumnOf(name);
  if (column >= 0) return column;
  throw ArgumentError({.file = table.Source().file},
                      fmt::format("expected a column '{}'{}, found none", name,
                                  table.Source().layer.empty() ? "" : " in the layer '" + table.Source().layer + "'"),
                      Suggest(name, table.Columns()));
}

RowTable ReadDivides(const std::filesystem::path& path) {
  if (!IsGeoPackage(path)) return RowTable::Read({.file = path.string(), .layer = {}, .key = {}});
  // Older ones have the key in the column id.
  const RowTable plain = RowTable::ReadPlain({.file = path.string(), .layer = "divides", .key = {}});
  const char* key = plain.ColumnOf("divide_id") >= 0 ? "divide_id" : "id";
  return RowTable::Read({.file = path.string(), .layer = "divides", .key = key});
}

class HydrofabricReader {
 public:
  HydrofabricReader(Hydrofabric& read, Problems& problems) : read_(read), problems_(problems) {}

  void ConnectNexuses() {
    const RowTable& catchments = read_.catchments;
    const int area = ColumnOf(catchments, {"areasqkm", "area_sqkm"});
    if (area < 0) NeededColumn(catchments, "areasqkm");
    read_.area_column = catchments.Columns()[static_cast<std::size_t>(area)];
    const int toid = NeededColumn(catchments, "toid");
    Gathered gathered;
    for (std::size_t row = 0; row < catchments.RowCount(); ++row) {
      const std::string& id = catchments.Keys()[row];
      const std::string& nexus = catchments.Cell(row, toid);
      if (const auto size = AsNumber<double>(catchments.Cell(row, area));
          !size || !(*size > 0.0) || std::isinf(*size)) {
        gathered.Add(Problem::Error, id, {.file = catchments.Source().file, .item = read_.area_column},
                     "expected an area above 0 km2, found another value or none", "give each catchment its area");
      }
      if (read_.nexuses.RowOf(nexus) >= 0) {
        read_.to_nexus.emplace_back(id, nexus);
      } else {
        gathered.Add(Problem::Warning, id, {.file = catchments.Source().file, .item = "toid"},
                     "the nexus downstream does not exist, so that their flow is in no nexus",
                     "name a file that has the nexuses of all catchments");
      }
    }
    gathered.AddTo(problems_);
  }

  void ReadFlowpaths(const std::string& file) {
    read_.flowpaths = RowTable::Read({.file = file, .layer = "flowpaths", .key = "id"});
    ReadAttributes(file);
    const RowTable& flowpaths = *read_.flowpaths;
    const int toid = NeededColumn(flowpaths, "toid");
    const int below = NeededColumn(read_.nexuses, "toid");
    for (std::size_t row = 0; row < flowpaths.RowCount(); ++row) {
      // From flowpath to nexus to flowpath; some have no nexus between.
      std::string next = flowpaths.Cell(row, toid);
      if (const int nexus = read_.nexuses.RowOf(next); nexus >= 0) {
        next = read_.nexuses.Cell(static_cast<std::size_t>(nexus), below);
      }
      if (flowpaths.RowOf(next) >= 0) read_.downstream.emplace_back(flowpaths.Keys()[row], next);
    }
    ConnectCatchments();
  }

 private:
  void ReadAttributes(const std::string& file) {
    static constexpr std::array kLayers = {"flowpath_attributes", "flowpath-attributes"};
    std::string problem;
    for (const char* layer : kLayers) {
      try {
        const RowTable table = RowTable::ReadPlain({.file = file, .layer = layer, .key = {}});
        read_.attributes = {.file = file, .layer = layer, .key = "id"};
        NeededColumn(table, "id");
        FindChannel(table);
        return;
      } catch (const FormatError& error) {  // there is no such layer
        problem = error.Problem();
      }
    }
    throw FormatError({.file = file},
                      fmt::format("expected the channels of the flowpaths in a layer {}, found none ({})",
                                  fmt::join(kLayers, " or "), problem),
                      "name a hydrofabric with these attributes, or leave out the routing (--no-routing)");
  }

  void FindChannel(const RowTable& table) {
    const auto find = [&](const char* what, std::initializer_list<const char*> names) {
      const int column = ColumnOf(table, names);
      if (column >= 0) return "attributes." + table.Columns()[static_cast<std::size_t>(column)];
      throw FormatError(
          {.file = table.Source().file, .item = table.Source().layer},
          fmt::format("expected the {} of each flowpath in a column {}, found none", what, fmt::join(names, " or ")),
          Suggest(*names.begin(), table.Columns()));
    };
    read_.channel = {.length = find("length", {"length_m", "Length_m", "rl_Length_m"}),
                     .slope = find("slope", {"So", "rl_So"}),
                     .roughness = find("roughness", {"n", "rl_n"}),
                     .bottom_width = find("bottom width", {"BtmWdth", "rl_BtmWdth"}),
                     .bank_slope = find("slope of the banks", {"ChSlp", "rl_ChSlp"})};
  }

  void ConnectCatchments() {
    const RowTable& flowpaths = *read_.flowpaths;
    std::map<std::string, std::string> flowpath_of;
    if (const int divide = flowpaths.ColumnOf("divide_id"); divide >= 0) {
      for (std::size_t row = 0; row < flowpaths.RowCount(); ++row) {
        flowpath_of.emplace(flowpaths.Cell(row, divide), flowpaths.Keys()[row]);
      }
    }
    const RowTable& catchments = read_.catchments;
    const int own = catchments.Source().key == "id" ? -1 : catchments.ColumnOf("id");
    Gathered gathered;
    for (std::size_t row = 0; row < catchments.RowCount(); ++row) {
      const std::string& id = catchments.Keys()[row];
      const auto found = flowpath_of.find(id);
      std::string flowpath = found != flowpath_of.end() ? found->second : own >= 0 ? catchments.Cell(row, own) : "";
      if (flowpaths.RowOf(flowpath) >= 0) {
        read_.lateral.emplace_back(id, std::move(flowpath));
      } else {
        gathered.Add(Problem::Warning, id, {.file = catchments.Source().file}, "no flowpath: their flow is not routed",
                     "");
      }
    }
    gathered.AddTo(problems_);
  }

  Hydrofabric& read_;
  Problems& problems_;
};

}  // namespace

Hydrofabric ReadHydrofabric(const std::filesystem::path& catchments, const std::filesystem::path& nexus, bool route,
                            Problems& problems) {
  Hydrofabric read;
  if (!nexus.empty() && IsGeoPackage(catchments)) {
    throw ArgumentError({.file = nexus.string()}, "expected no file of the nexuses beside a GeoPackage, found one",
                        "leave it out: the GeoPackage has them");
  }
  read.catchments = ReadDivides(catchments);
  const std::filesystem::path& other = nexus.empty() ? catchments : nexus;
  if (nexus.empty() && !IsGeoPackage(catchments)) {
    throw ArgumentError({.file = catchments.string()}, "expected the file of the nexuses too, found none",
                        "name it after the catchments; only a GeoPackage has both");
  }
  read.nexuses = IsGeoPackage(other) ? RowTable::Read({.file = other.string(), .layer = "nexus", .key = "id"})
                                     : RowTable::Read({.file = other.string(), .layer = {}, .key = {}});
  HydrofabricReader reader(read, problems);
  reader.ConnectNexuses();
  if (!route) return read;
  if (!IsGeoPackage(catchments)) {
    AddWarning(problems, {.file = catchments.string()},
               "left out: routing, because a pair of GeoJSON files has no channels of the flowpaths",
               "name a GeoPackage with the layers flowpaths and flowpath_attributes");
    return read;
  }
  reader.ReadFlowpaths(catchments.string());
  return read;
}

}  // namespace openmi::ngen
