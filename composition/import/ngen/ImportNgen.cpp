#include "composition/import/ngen/ImportNgen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "composition/import/ngen/CatchmentGroups.hpp"
#include "composition/import/ngen/FlowNetwork.hpp"
#include "composition/import/ngen/GroupLinks.hpp"
#include "composition/import/ngen/ModuleOmi.hpp"
#include "composition/import/ngen/UnitPassing.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/files/TextTable.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi::ngen {
namespace {

class Importer {
 public:
  Importer(const Realization& realization, const Hydrofabric& hydrofabric, const NgenOptions& options,
           Problems& problems)
      : realization_(realization),
        hydrofabric_(hydrofabric),
        options_(options),
        problems_(problems),
        omis_(realization, options, problems) {
    made_.file.id = options.id;
    step_ = fmt::format("{} s", realization.interval_seconds);
    for (const char* id : {"catchments", "nexus", "river"}) ids_.insert(id);
  }

  NgenImport Import() {
    grouped_ = GroupCatchments(realization_, hydrofabric_, options_.root, problems_);
    for (std::size_t i = 0; i < grouped_.sources.size(); ++i) ids_.insert(IdOf(i));
    for (ForcingSource& source : grouped_.sources) ReadSource(source);
    for (std::size_t i = 0; i < grouped_.groups.size(); ++i) AddGroup(grouped_.groups[i], i);
    if (!flows_.empty()) FlowNetwork(hydrofabric_, options_, realization_.interval_seconds, made_).Add(flows_);
    AddForcing();
    AddRun();
    TellOfLibraries();
    NoteDifferences();
    return std::move(made_);
  }

 private:
  Where Place(std::string item) const { return {.file = realization_.path.string(), .item = std::move(item)}; }

  std::string NewId(const std::string& wanted) {
    std::string id = AsComponentId(wanted);
    // It becomes the name of a file, too, and comes from a stranger.
    std::ranges::replace_if(
        id, [](char c) { return c == '/' || c == '\\'; }, '-');
    constexpr std::size_t kLongest = 100;  // bytes; names of files are limited
    if (id.size() > kLongest) {
      std::size_t end = 0;
      while (end + NextUtf8(id, end).length <= kLongest) end += NextUtf8(id, end).length;
      id.resize(end);
    }
    std::string unique = id;
    for (int number = 2; !ids_.insert(unique).second; ++number) unique = fmt::format("{}-{}", id, number);
    return unique;
  }

  void ReadSource(ForcingSource& source) {
    try {
      source.is_netcdf ? ReadNetcdfVariables(source) : ReadCsvVariables(source);
    } catch (const Error& error) {
      AddError(problems_, error.Place(), error.Problem(), error.Remedy());
    }
  }

  /// The OMI file of a module; the same for all modules of that library.
  std::string WriteOmi(const OmiFile& omi, const std::string& id) {
    OmiFile written = omi;
    for (OmiArgument& argument : written.arguments) {
      const bool is_path = argument.key == "working-directory" || !argument.value.starts_with("python:");
      if (is_path && argument.key != "register") argument.value = options_.named(argument.value);
    }
    const std::string text = OmiText(written);
    for (const auto& [name, other] : made_.files) {
      if (other == text) return name;
    }
    made_.files.emplace_back(id + ".omi", text);
    return made_.files.back().first;
  }

  std::optional<ModuleItems> ItemsOf(const OmiFile& omi, const Module& module, const std::string& catchment,
                                     const std::string& parameters) {
    if (!options_.describe) return std::nullopt;
    OmiFile one = omi;
    one.arguments.push_back({.key = "config-file", .value = ConfigOf(module, catchment, options_.root).string()});
    if (!parameters.empty()) one.arguments.push_back({.key = "parameters", .value = parameters});
    return options_.describe(one, step_, problems_);
  }

  /// The parameters of a module for one catchment.
  std::string ParametersOf(const Module& module, std::size_t row) const {
    std::string text;
    for (const ModelParameter& parameter : module.parameters) {
      const int column = parameter.property.empty() ? -1 : hydrofabric_.catchments.ColumnOf(parameter.property);
      if (column < 0 && !parameter.property.empty()) continue;
      text += fmt::format("{}{}={}", text.empty() ? "" : ";", parameter.name,
                          column < 0 ? parameter.value : hydrofabric_.catchments.Cell(row, column));
    }
    return text;
  }

  void AddGroup(const CatchmentGroup& group, std::size_t number) {
    const std::string name = grouped_.groups.size() == 1 ? "formulation" : fmt::format("formulation-{}", number + 1);
    GroupTable table = TableOf(group, hydrofabric_, name + ".csv", options_.root, problems_);
    if (table.text.empty()) {
      table.table.of = options_.named(table.table.of);
    } else {
      made_.files.emplace_back(name + ".csv", std::move(table.text));
    }
    const std::size_t first_row = group.rows.front();
    const std::string& catchment = hydrofabric_.catchments.Keys()[first_row];
    GroupLinks links(group.Of());
    bool is_described = true;
    const std::size_t first = made_.file.components.size();
    for (std::size_t m = 0; m < group.Of().modules.size(); ++m) {
      const Module& module = group.Of().modules[m];
      const std::string library = omis_.LibraryOf(module);
      const OmiFile omi = omis_.Of(module, library, catchment);
      ComponentSpec component;
      component.id = NewId(NameOf(module));
      component.population = PopulationSpec{.table = table.table, .tables = {}, .networks = {}};
      component.omi = WriteOmi(omi, component.id);
      if (!library.empty()) libraries_.insert(library.starts_with("python:") ? library : options_.named(library));
      const std::string& config = table.configs[m];
      component.arguments = {Argument("config-file", config.starts_with("{{") ? config : options_.named(config)),
                             Argument("time-step", step_)};
      if (!table.parameters[m].empty()) component.arguments.push_back(Argument("parameters", table.parameters[m]));
      std::optional<ModuleItems> items;
      if (!library.empty())
        items = ItemsOf(omi, module, catchment, ParametersOf(group.each.front()->modules[m], first_row));
      is_described = is_described && items.has_value();
      // ngen calls update for the model's own step, and update_until once for any other one.
      if (items && items->step_seconds != realization_.interval_seconds) {
        component.arguments.push_back(Argument("update-until", "always"));
      }
      links.AddModule(component.id, items.value_or(ModuleItems()));
      made_.file.components.push_back(std::move(component));
    }
    if (!is_described) return;
    if (group.source >= 0) {
      links.SetForcing(IdOf(static_cast<std::size_t>(group.source)),
                       grouped_.sources[static_cast<std::size_t>(group.source)]);
    }
    links.Connect(realization_.path.string(), problems_);
    for (std::size_t m = 0; m < group.Of().modules.size(); ++m) {
      links.AddArguments(m, made_.file.components[first + m].arguments);
    }
    for (LinkSpec& link : links.Links()) made_.file.links.push_back(std::move(link));
    for (const ItemSpec& item : links.Observed()) {
      ObserveSpec observe;
      observe.item = item;
      made_.file.observes.push_back(std::move(observe));
    }
    for (const std::string& id : links.FirstAsked()) trigger_.push_back(id);
    for (const auto& [source, column] : links.UsedColumns()) used_columns_[source].insert(column);
    if (auto flow = links.Flow(realization_.path.string(), problems_)) {
      if (group.rows.size() < hydrofabric_.catchments.RowCount()) flow->table = name + ".csv";
      flows_.push_back(*std::move(flow));
    }
  }

  std::string IdOf(std::size_t source) const { return source == 0 ? "forcing" : fmt::format("forcing-{}", source + 1); }

  void AddForcing() {
    for (std::size_t i = 0; i < grouped_.sources.size(); ++i) {
      const ForcingSource& source = grouped_.sources[i];
      const std::set<std::string>& used = used_columns_[IdOf(i)];
      if (used.empty()) continue;
      ComponentSpec component;
      component.id = IdOf(i);
      component.type = source.is_netcdf ? "openmi.NetcdfSeries" : "openmi.CsvSeries";
      component.assembly = "openmi-components";
      std::string columns;
      for (const std::string& column : used) {
        const auto found =
            std::ranges::find_if(source.variables, [&](const auto& one) { return one.second.column == column; });
        columns += fmt::format("{}\"{}\"[{}]", columns.empty() ? "" : ",", column, UnitText(found->second.unit));
      }
      if (source.is_netcdf) {
        component.arguments = {Argument("file", options_.named(source.file)),
                               Argument("time-variable", source.time_column), Argument("ids-variable", "ids")};
        if (!source.time_units.empty()) {
          component.arguments.push_back(Argument("time-units", source.time_units));
          component.arguments.push_back(Argument("epoch", "1970-01-01T00:00Z"));
        }
      } else {
        std::string text = "id,file\n";
        for (const auto& [id, file] : source.files) text += CsvCell(id) + "," + CsvCell(options_.named(file)) + "\n";
        made_.files.emplace_back(component.id + ".csv", std::move(text));
        component.arguments = {Argument("file", component.id + ".csv"), Argument("file-is", "list"),
                               Argument("time-column", source.time_column), Argument("utc-offset", "UTC")};
      }
      component.arguments.push_back(Argument("stamps", "begin"));
      component.arguments.push_back(Argument("columns", columns));
      made_.file.components.insert(made_.file.components.begin() + static_cast<std::ptrdiff_t>(forcings_++),
                                   std::move(component));
    }
  }

  void AddRun() {
    if (!realization_.start || !realization_.end || made_.file.components.empty()) return;
    RunSpec run;
    run.from = realization_.start;
    // The last time is the start of a step, too. A part of a step is none.
    const double interval = realization_.interval_seconds;
    const double steps = std::floor(ToSeconds(*realization_.end - *realization_.start) / interval + 1e-6) + 1.0;
    run.to = *realization_.start + Seconds(steps * interval);
    if (!trigger_.empty()) {
      run.trigger = trigger_;
      for (const ComponentSpec& component : made_.file.components) {
        const bool gives = std::ranges::any_of(
            made_.file.links, [&](const LinkSpec& link) { return link.from.component == component.id; });
        if (!gives && std::ranges::find(trigger_, component.id) == trigger_.end()) run.trigger.push_back(component.id);
      }
    }
    made_.file.run = std::move(run);
  }

  void TellOfLibraries() {
    omis_.RequireUse();
    if (libraries_.empty()) return;
    const std::string list = fmt::format("{}", fmt::join(libraries_, ", "));
    if (options_.describe) {
      AddNote(problems_, Place({}), "libraries that the realization names, and that the composition runs: " + list);
    } else {
      AddError(problems_, Place({}),
               "no links to the modules are written, because only their libraries know their variables: " + list,
               "see that you want to run this code, then import again with --load");
    }
  }

  void NoteDifferences() {
    const auto note = [this](const char* item, const std::string& text, const char* remedy) {
      AddNote(problems_, Place(item), text, remedy);
    };
    if (realization_.interval_seconds != 3600.0 && !flows_.empty()) {
      AddWarning(problems_, Place("time.output_interval"),
                 fmt::format("ngen divides the runoff of a step by 3600 s, here it is divided by {}", step_),
                 "flows differ by that factor");
    }
    if (made_.file.run) note("time", "rows of results are at the end of each step, those of ngen at its start", "");
    if (realization_.routing.empty()) return;
    if (hydrofabric_.flowpaths) {
      AddWarning(
          problems_, Place("routing"),
          fmt::format("left out: {} of t-route, with its steps, lakes, gauges and restart; flowpaths are routed by "
                      "openmi.MuskingumCunge in steps of 5 minutes, and floodplains are not",
                      Quoted(realization_.routing)),
          "see time-step of 'river'");
      note("routing",
           "the flow of a catchment enters its own flowpath; t-route lets that of a nexus enter one of the "
           "flowpaths above it",
           "");
    } else {
      AddWarning(problems_, Place("routing"),
                 fmt::format("left out: routing by t-route ({})", Quoted(realization_.routing)), "");
    }
  }

  const Realization& realization_;
  const Hydrofabric& hydrofabric_;
  const NgenOptions& options_;
  Problems& problems_;
  NgenImport made_;
  GroupedCatchments grouped_;
  std::string step_;
  ModuleOmi omis_;
  std::set<std::string> ids_, libraries_;
  std::map<std::string, std::set<std::string>> used_columns_;  // of the forcing, by component
  std::vector<CatchmentFlow> flows_;
  std::vector<std::string> trigger_;
  std::size_t forcings_ = 0;
};

}  // namespace

NgenImport ImportNgen(const Realization& realization, const Hydrofabric& hydrofabric, const NgenOptions& options,
                      Problems& problems) {
  return Importer(realization, hydrofabric, options, problems).Import();
}

}  // namespace openmi::ngen
