#include "composition/import/ngen/CatchmentGroups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "composition/import/ngen/Gathered.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/files/TextTable.hpp"

namespace openmi::ngen {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kId = "{{id}}";

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// What has to be equal in a group, as one text. Each part has its length, each list its number of parts, so that no
/// other formulation has that text.
std::string KeyOf(const Formulation& formulation, int source) {
  std::string key;
  const auto add = [&key](const std::string& text) { key += fmt::format("{}:{}", text.size(), text); };
  const auto count = [&add](std::size_t number) { add(std::to_string(number)); };
  add(std::to_string(source));
  add(formulation.name);
  add(formulation.main_output);
  count(formulation.outputs.size());
  for (const std::string& output : formulation.outputs) add(output);
  count(formulation.defaults.size());
  for (const auto& [name, value] : formulation.defaults) {
    add(name);
    add(fmt::format("{}", value));
  }
  for (const Module& module : formulation.modules) {
    for (const std::string* text : {&module.kind, &module.model, &module.library, &module.entry, &module.python}) {
      add(*text);
    }
    count(module.aliases.size());
    for (const auto& [name, alias] : module.aliases) {
      add(name);
      add(alias);
    }
    count(module.parameters.size());
    for (const ModelParameter& parameter : module.parameters) {
      add(parameter.name);
      add(parameter.property);
    }
  }
  return key;
}

/// Finds the forcing of catchments, and keeps each source once.
class Sources {
 public:
  Sources(const fs::path& root, std::vector<ForcingSource>& sources) : root_(root), files_(root), sources_(sources) {}

  /// \returns the place of the source; -1: none is needed; -2: it has none, which was reported
  int Of(const Forcing& forcing, const std::string& catchment, Gathered& problems) {
    if (forcing.provider == "NullForcingProvider") return -1;
    if (forcing.provider == "NetCDF") {
      const fs::path file = files_.Find({.provider = {}, .path = forcing.path, .pattern = {}, .place = forcing.place},
                                        catchment, problems);
      if (file.empty()) return -2;
      const auto [place, is_new] = netcdf_.emplace(file, static_cast<int>(sources_.size()));
      if (is_new)
        sources_.push_back(
            {.is_netcdf = true, .file = file, .files = {}, .variables = {}, .time_column = {}, .time_units = {}});
      return place->second;
    }
    if (forcing.provider != "CsvPerFeature") {
      problems.Add(Problem::Error, catchment, {.item = forcing.place},
                   fmt::format("expected the provider CsvPerFeature, NetCDF or NullForcingProvider, found {}",
                               Quoted(forcing.provider)),
                   "these catchments are left out: write their forcing into one NetCDF file, or a CSV file each");
      return -2;
    }
    fs::path file = files_.Find(forcing, catchment, problems);
    if (file.empty()) return -2;
    if (csv_ < 0) {
      csv_ = static_cast<int>(sources_.size());
      sources_.emplace_back();
    }
    sources_[static_cast<std::size_t>(csv_)].files.emplace_back(catchment, file.string());
    return csv_;
  }

 private:
  fs::path root_;
  ForcingFiles files_;
  std::vector<ForcingSource>& sources_;
  std::map<fs::path, int> netcdf_;
  int csv_ = -1;
};

/// The value that all members of a group have; nothing: they differ.
template <class ValueOf>
std::optional<std::string> Common(std::size_t count, const ValueOf& value_of) {
  const std::string first = value_of(0);
  for (std::size_t i = 1; i < count; ++i) {
    if (value_of(i) != first) return std::nullopt;
  }
  return first;
}

}  // namespace

fs::path ConfigOf(const Module& module, const std::string& catchment, const fs::path& root) {
  return (root / Replaced(module.config, kId, catchment)).lexically_normal();
}

TableSpec SpecOf(const population::TableSource& source) {
  // Without a key, the ids of the features of a GeoJSON file are meant.
  return {.id = {}, .of = source.file, .layer = source.layer, .key = source.layer.empty() ? "" : source.key};
}

GroupedCatchments GroupCatchments(const Realization& realization, const Hydrofabric& hydrofabric, const fs::path& root,
                                  Problems& problems) {
  GroupedCatchments grouped;
  Gathered gathered;
  const population::RowTable& catchments = hydrofabric.catchments;
  std::unordered_map<std::string, const CatchmentSpec*> own;
  for (const auto& [id, spec] : realization.catchments) {
    own[id] = &spec;
    if (catchments.RowOf(id) < 0) {
      gathered.Add(Problem::Warning, id, {.file = realization.path.string(), .item = "catchments"},
                   "left out: not in the hydrofabric", "ngen leaves them out, too");
    }
  }
  Sources sources(root, grouped.sources);
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t row = 0; row < catchments.RowCount(); ++row) {
    const std::string& id = catchments.Keys()[row];
    const auto found = own.find(id);
    const CatchmentSpec* spec = found != own.end()   ? found->second
                                : realization.global ? &*realization.global
                                                     : nullptr;
    if (spec == nullptr) {
      gathered.Add(Problem::Error, id, {.file = realization.path.string()},
                   "expected a formulation, found none, and no 'global' one", "add it to the realization");
      continue;
    }
    if (!spec->formulation) continue;  // reported when it was read
    const int source = sources.Of(spec->forcing, id, gathered);
    if (source < -1) continue;
    const auto [place, is_new] = places.emplace(KeyOf(*spec->formulation, source), grouped.groups.size());
    if (is_new) grouped.groups.push_back({.rows = {}, .each = {}, .source = source});
    CatchmentGroup& group = grouped.groups[place->second];
    group.rows.push_back(row);
    group.each.push_back(&*spec->formulation);
  }
  gathered.AddTo(problems);
  return grouped;
}

GroupTable TableOf(const CatchmentGroup& group, const Hydrofabric& hydrofabric, const std::string& name,
                   const fs::path& root, Problems& problems) {
  const population::RowTable& catchments = hydrofabric.catchments;
  const std::size_t count = group.rows.size();
  const auto id_of = [&](std::size_t i) -> const std::string& { return catchments.Keys()[group.rows[i]]; };

  GroupTable made;
  std::vector<std::pair<std::string, std::vector<std::string>>> columns;  // of our own
  std::set<std::string> properties;
  for (std::size_t m = 0; m < group.Of().modules.size(); ++m) {
    // Configurations that differ only in the id of the catchment, whether they are written with a pattern or not.
    const auto pattern =
        Common(count, [&](std::size_t i) { return Replaced(group.each[i]->modules[m].config, id_of(i), kId); });
    if (pattern) {
      made.configs.push_back((root / *pattern).lexically_normal().string());
    } else {
      auto& [column, cells] = columns.emplace_back(fmt::format("config-{}", m + 1), std::vector<std::string>());
      for (std::size_t i = 0; i < count; ++i) {
        cells.push_back(fs::absolute(ConfigOf(group.each[i]->modules[m], id_of(i), root)).string());
      }
      made.configs.push_back("{{" + column + "}}");
    }
    std::string& parameters = made.parameters.emplace_back();
    for (std::size_t p = 0; p < group.Of().modules[m].parameters.size(); ++p) {
      const ModelParameter& parameter = group.Of().modules[m].parameters[p];
      const auto value_of = [&](std::size_t i) { return group.each[i]->modules[m].parameters[p].value; };
      std::string value;
      if (!parameter.property.empty()) {
        if (catchments.ColumnOf(parameter.property) < 0) {
          AddError(problems, {.file = catchments.Source().file, .item = group.Of().modules[m].place},
                   fmt::format("expected the property {} of the catchments, for the parameter {}, found none",
                               Quoted(parameter.property), Quoted(parameter.name)),
                   Suggest(parameter.property, catchments.Columns()));
          continue;
        }
        properties.insert(parameter.property);
        value = "{{" + parameter.property + "}}";
      } else if (const auto common = Common(count, value_of)) {
        value = *common;
      } else {
        auto& [column, cells] =
            columns.emplace_back(fmt::format("parameter-{}-{}", m + 1, p + 1), std::vector<std::string>());
        for (std::size_t i = 0; i < count; ++i) cells.push_back(value_of(i));
        value = "{{" + column + "}}";
      }
      parameters += fmt::format("{}{}={}", parameters.empty() ? "" : ";", parameter.name, value);
    }
  }

  const bool is_whole = count == catchments.RowCount();
  if (is_whole && columns.empty() && hydrofabric.area_column == "areasqkm") {
    made.table = SpecOf(catchments.Source());
    for (std::string& config : made.configs) config = Replaced(config, kId, "{{" + catchments.Source().key + "}}");
    return made;
  }
  made.table = {.id = {}, .of = name, .layer = {}, .key = "id"};
  made.text = "id,areasqkm";
  properties.erase("areasqkm");
  for (const std::string& property : properties) made.text += "," + CsvCell(property);
  for (const auto& [column, cells] : columns) made.text += "," + column;
  made.text += "\n";
  const int area = catchments.ColumnOf(hydrofabric.area_column);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = group.rows[i];
    made.text += CsvCell(id_of(i)) + "," + CsvCell(catchments.Cell(row, area));
    for (const std::string& property : properties) {
      made.text += "," + CsvCell(catchments.Cell(row, catchments.ColumnOf(property)));
    }
    for (const auto& [column, cells] : columns) made.text += "," + CsvCell(cells[i]);
    made.text += "\n";
  }
  return made;
}

}  // namespace openmi::ngen
