#include "timespace/files/ElementFile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/ReadableFile.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/files/CfGeometry.hpp"
#include "timespace/files/GeoJson.hpp"
#include "timespace/files/MeshFile.hpp"
#include "timespace/files/WktGeometry.hpp"

namespace openmi {
namespace {

struct Line {
  int number = 0;
  std::string text;
};

std::vector<Line> LinesOf(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw FileError({.file = path}, "expected a file of elements, found nothing to open",
                    "correct the argument that names it");
  }
  std::vector<Line> lines;
  int number = 0;
  for (std::string text; std::getline(stream, text);) {
    ++number;
    if (number == 1 && text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    text = Trimmed(text);
    if (!text.empty() && text.front() != '#') lines.push_back({number, std::move(text)});
  }
  return lines;
}

/// The cells of a line. Separators in quotes belong to the cell, and a doubled quote means one quote.
std::vector<std::string> Cells(const std::string& text, char separator) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      cells.back() += text[++i];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == separator && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += text[i];
    }
  }
  for (std::string& cell : cells) cell = Trimmed(cell);
  return cells;
}

std::optional<std::size_t> ColumnOf(const std::vector<std::string>& head, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    for (std::size_t i = 0; i < head.size(); ++i) {
      if (Lower(head[i]) == name) return i;
    }
  }
  return std::nullopt;
}

double NumberIn(const std::string& path, int line, const std::string& cell) {
  const std::optional<double> number = AsNumber<double>(cell);
  if (!number) {
    throw FormatError({.file = path, .line = line}, fmt::format("expected a coordinate, found '{}'", cell),
                      "write numbers with a point");
  }
  return *number;
}

/// The columns of a table with numbers that are not coordinates: attributes of the elements.
class NumberColumns {
 public:
  NumberColumns(const std::vector<std::string>& head, std::initializer_list<std::optional<std::size_t>> taken)
      : head_(head), values_(head.size()), fits_(head.size(), true) {
    for (const std::optional<std::size_t>& column : taken) {
      if (column) fits_[*column] = false;
    }
  }

  /// An empty cell is an unknown value. A cell that is not a number makes the column a column of texts.
  void Add(const std::vector<std::string>& cells) {
    for (std::size_t column = 0; column < cells.size(); ++column) {
      if (!fits_[column]) continue;
      const std::string& cell = cells[column];
      const std::optional<double> number = AsNumber<double>(cell);
      fits_[column] = cell.empty() || number;
      values_[column].push_back(number.value_or(kNotANumber));
    }
  }

  void PutInto(ElementSet& set) {
    for (std::size_t column = 0; column < head_.size(); ++column) {
      const bool any = std::ranges::any_of(values_[column], [](double value) { return !std::isnan(value); });
      if (!fits_[column] || !any || head_[column].empty()) continue;
      const ElementAttribute named = AttributeNamed(head_[column]);
      set.SetAttribute(named.name, named.unit, std::move(values_[column]));
    }
  }

 private:
  const std::vector<std::string>& head_;
  std::vector<std::vector<double>> values_;  // [columns][elements]
  std::vector<bool> fits_;
};

std::string SystemFor(const std::string& path, const ElementFileOptions& options) {
  if (!options.reference_system.empty()) return ReferenceSystemNamed(options.reference_system);
  throw FormatError({.file = path}, "expected a reference system for these coordinates, found none",
                    "name it: WGS84, local-metres or a code such as EPSG:32617");
}

ElementSet ReadPoints(const std::string& path, const std::string& caption, const ElementFileOptions& options) {
  const std::vector<Line> lines = LinesOf(path);
  if (lines.size() < 2) {
    throw FormatError({.file = path},
                      fmt::format("expected names of columns and a line for each point, found {} lines", lines.size()),
                      "give at least one point");
  }
  const std::string& names = lines.front().text;
  const char separator = names.find('\t') != std::string::npos  ? '\t'
                         : names.find(';') != std::string::npos ? ';'
                                                                : ',';
  const std::vector<std::string> head = Cells(names, separator);
  const auto lon = ColumnOf(head, {"lon", "long", "longitude"});
  const auto lat = ColumnOf(head, {"lat", "latitude"});
  const auto x = lon && lat ? lon : ColumnOf(head, {"x", "easting"});
  const auto y = lon && lat ? lat : ColumnOf(head, {"y", "northing"});
  if (!x || !y) {
    throw FormatError({.file = path, .line = lines.front().number},
                      fmt::format("expected columns x and y, or lon and lat, found '{}'", names),
                      "name the columns of the coordinates so");
  }
  const auto z = ColumnOf(head, {"z", "elevation", "altitude"});
  const auto id = options.ids.empty() ? ColumnOf(head, {"id"}) : ColumnOf(head, {Lower(options.ids).c_str()});
  if (!id && !options.ids.empty()) {
    throw FormatError({.file = path, .line = lines.front().number},
                      fmt::format("expected a column '{}', found none", options.ids), Suggest(options.ids, head));
  }
  ElementSetBuilder builder(caption, ElementType::Point,
                            lon && lat && options.reference_system.empty() ? kWgs84Wkt : SystemFor(path, options));
  if (z) builder.WithZ();
  NumberColumns further(head, {x, y, z, id});
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = Cells(lines[i].text, separator);
    if (cells.size() != head.size()) {
      throw FormatError({.file = path, .line = lines[i].number},
                        fmt::format("expected {} cells, found {}", head.size(), cells.size()),
                        "fill the line, or put quotes round a cell with separators");
    }
    const auto number = [&](std::size_t column) { return NumberIn(path, lines[i].number, cells[column]); };
    try {
      builder.AddPoint(id ? cells[*id] : fmt::format("{}", i),
                       {.x = number(*x), .y = number(*y), .z = z ? number(*z) : 0.0});
    } catch (const FormatError& error) {
      throw FormatError({.file = path, .line = lines[i].number}, error.Problem(), error.Remedy());
    }
    further.Add(cells);
  }
  ElementSet set = builder.Build();
  further.PutInto(set);
  return set;
}

ElementSet ReadWkt(const std::string& path, const std::string& caption, const ElementFileOptions& options) {
  const std::vector<Line> lines = LinesOf(path);
  if (lines.empty())
    throw FormatError({.file = path}, "expected a geometry on each line, found none", "give at least one");
  std::vector<std::pair<std::string, WktGeometry>> read;
  bool with_z = false;
  bool with_m = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t cut = lines[i].text.find_first_of(";\t");
    try {
      read.emplace_back(
          cut == std::string::npos ? fmt::format("{}", i + 1) : std::string(Trimmed(lines[i].text.substr(0, cut))),
          ParseWkt(std::string_view(lines[i].text).substr(cut == std::string::npos ? 0 : cut + 1)));
    } catch (const FormatError& error) {
      throw FormatError({.file = path, .line = lines[i].number}, error.Problem(), error.Remedy());
    }
    with_z = with_z || read.back().second.has_z;
    with_m = with_m || read.back().second.has_m;
  }
  ElementSetBuilder builder(caption, read.front().second.type, SystemFor(path, options));
  if (with_z) builder.WithZ();
  if (with_m) builder.WithM();
  for (std::size_t i = 0; i < read.size(); ++i) {
    const auto& [id, geometry] = read[i];
    try {
      if (geometry.has_z != with_z || geometry.has_m != with_m) {
        throw FormatError({}, fmt::format("expected Z and M in all geometries or in none, found '{}' different", id),
                          "write them alike");
      }
      switch (geometry.type) {
        case ElementType::Point:
          builder.AddPoint(id, geometry.vertices.front());
          break;
        case ElementType::PolyLine:
          builder.AddPolyLine(id, geometry.vertices);
          break;
        default:
          builder.AddPolygon(id, geometry.polygons);
      }
    } catch (const FormatError& error) {
      throw FormatError({.file = path, .line = lines[i].number}, error.Problem(), error.Remedy());
    } catch (const StateError& error) {
      throw FormatError({.file = path, .line = lines[i].number}, error.Problem(), error.Remedy());
    }
  }
  return builder.Build();
}

MeshPlace PlaceNamed(const std::string& name) {
  if (name.empty()) return MeshPlace::Any;
  if (const auto place = kMeshPlaces.Find(name)) return *place;
  throw ArgumentError({}, fmt::format("expected face, edge or node of a mesh, found '{}'", name),
                      Suggest(name, kMeshPlaces.List()));
}

/// A mesh, or geometries after the CF conventions. Ids name one of several sets; a place asks for the mesh.
ElementSet ReadNetcdf(const std::string& path, const std::string& caption, ElementFileOptions options) {
  const MeshPlace place = PlaceNamed(options.place);
  if (!options.reference_system.empty()) options.reference_system = ReferenceSystemNamed(options.reference_system);
  if (place == MeshPlace::Any) {
    const NetcdfFile file(path, path);
    std::vector<CfGeometry> sets = CfGeometriesIn(file);
    if (!options.ids.empty()) {
      const std::vector<NetcdfDimension> of_ids = file.Dimensions(options.ids);
      std::erase_if(sets, [&](const CfGeometry& set) { return of_ids.empty() || set.elements != of_ids.front(); });
    }
    const bool has_mesh = std::ranges::any_of(file.Variables(), [&file](const std::string& variable) {
      return file.Text(variable, "cf_role") == "mesh_topology";
    });
    if (!sets.empty() && (!has_mesh || !options.ids.empty())) {
      if (sets.size() == 1) return ReadCfGeometry(file, sets.front(), caption, options);
      std::vector<std::string> names;
      for (const CfGeometry& set : sets) names.push_back(set.elements.name);
      throw ArgumentError({.file = path}, fmt::format("expected one set of elements, found {}", fmt::join(names, ", ")),
                          "name the variable with the ids of one of them");
    }
  }
  return ReadMeshFile(path, caption, {place, options.ids, options.reference_system});
}

}  // namespace

ElementSet ReadElementFile(const std::string& path, const std::string& caption, const ElementFileOptions& options) {
  const std::size_t dot = path.find_last_of("./");
  const std::string ending = dot != std::string::npos && path[dot] == '.' ? Lower(path.substr(dot)) : std::string();
  static constexpr std::array kKnown = {".geojson", ".json", ".csv", ".wkt", ".nc"};
  if (std::ranges::find(kKnown, ending) != kKnown.end()) ExpectReadable(path, path, "a file of elements");
  if (ending == ".geojson" || ending == ".json") {
    return ElementsOf(ReadGeoJson(path, options.ids, options.reference_system), caption);
  }
  if (ending == ".csv") return ReadPoints(path, caption, options);
  if (ending == ".wkt") return ReadWkt(path, caption, options);
  if (ending == ".nc") return ReadNetcdf(path, caption, options);
  static constexpr std::array kConvertible = {".shp", ".gpkg", ".kml", ".kmz", ".gml", ".fgb", ".dbf", ".gdb"};
  const bool is_convertible = std::ranges::find(kConvertible, ending) != kConvertible.end();
  const std::string name = path.substr(path.find_last_of('/') + 1);
  throw ArgumentError(
      {.file = path},
      fmt::format("expected a file of elements (.geojson, .nc, .wkt, .csv), found the ending '{}'", ending),
      is_convertible ? fmt::format("convert it: ogr2ogr -f GeoJSON -t_srs EPSG:4326 {}.geojson {}",
                                   name.substr(0, name.size() - ending.size()), name)
                     : "give the file the ending of what it is");
}

}  // namespace openmi
