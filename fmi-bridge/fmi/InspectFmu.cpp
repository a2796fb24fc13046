#include "fmi-bridge/fmi/InspectFmu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/common/description/PutJson.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/compile/SourceSets.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"
#include "fmi-bridge/fmi/run/FmuLibrary.hpp"

namespace openmi::fmi {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;
using described::Put;

/// The capabilities of an interface; only those that are set are written.
constexpr std::pair<const char*, bool Interface::*> kFlags[] = {
    {"needsExecutionTool", &Interface::needs_execution_tool},
    {"canBeInstantiatedOnlyOncePerProcess", &Interface::only_once_per_process},
    {"canGetAndSetState", &Interface::can_get_and_set_state},
    {"canSerializeState", &Interface::can_serialize_state},
    {"providesDirectionalDerivatives", &Interface::provides_directional_derivatives},
    {"providesAdjointDerivatives", &Interface::provides_adjoint_derivatives},
    {"canHandleVariableCommunicationStepSize", &Interface::can_handle_variable_step},
    {"canInterpolateInputs", &Interface::can_interpolate_inputs},
    {"providesIntermediateUpdate", &Interface::provides_intermediate_update},
    {"mightReturnEarlyFromDoStep", &Interface::might_return_early},
    {"hasEventMode", &Interface::has_event_mode}};

/// The texts of a description; only those that are not empty are written.
constexpr std::pair<const char*, std::string ModelDescription::*> kTexts[] = {
    {"description", &ModelDescription::description},
    {"author", &ModelDescription::author},
    {"version", &ModelDescription::model_version},
    {"copyright", &ModelDescription::copyright},
    {"license", &ModelDescription::license},
    {"generationTool", &ModelDescription::generation_tool},
    {"generationDateAndTime", &ModelDescription::generation_time}};

Json ToJson(const Interface& one) {
  Json json{{"modelIdentifier", one.model_identifier}};
  for (const auto& [key, flag] : kFlags) {
    if (one.*flag) json[key] = true;
  }
  if (one.max_output_derivative_order > 0) json["maxOutputDerivativeOrder"] = one.max_output_derivative_order;
  Put(json, "fixedInternalStepSize", one.fixed_internal_step);
  return json;
}

Json StartOf(const ModelDescription& description, const Variable& variable) {
  Json values = Json::array();
  if (IsFloat(variable.type)) {
    for (const double value : description.Floats(variable)) values.push_back(value);
  } else if (variable.type == VariableType::String || variable.type == VariableType::Binary) {
    for (const std::string& value : description.Texts(variable)) values.push_back(value);
  } else {
    for (const std::int64_t value : description.Integers(variable)) {
      if (variable.type == VariableType::Boolean) {
        values.push_back(value != 0);
      } else if (variable.type == VariableType::UInt64) {
        values.push_back(static_cast<std::uint64_t>(value));
      } else {
        values.push_back(value);
      }
    }
  }
  return values.size() == 1 ? values[0] : values;
}

Json ToJson(const ModelDescription& description, const Variable& variable) {
  Json json{{"name", variable.name},
            {"type", Name(variable.type, description.version)},
            {"valueReference", variable.value_reference},
            {"causality", Name(variable.causality)},
            {"variability", Name(variable.variability)}};
  if (variable.initial != Initial::None) json["initial"] = Name(variable.initial);
  if (const UnitDefinition* unit = description.UnitOf(variable)) json["unit"] = unit->name;
  if (variable.HasStart()) json["start"] = StartOf(description, variable);
  Put(json, "min", variable.attributes.limits.minimum);
  Put(json, "max", variable.attributes.limits.maximum);
  if (const TypeDefinition* type = description.TypeOf(variable)) json["declaredType"] = type->name;
  for (const ArrayDimension& dimension : variable.dimensions) json["dimensions"].push_back(dimension.size);
  if (variable.derivative_of != kNowhere) {
    json["derivativeOf"] = description.At(variable.derivative_of).name;
  }
  for (const AliasName& alias : variable.aliases) json["aliases"].push_back(alias.name);
  Put(json, "description", variable.description);
  json["line"] = variable.line;
  return json;
}

Json ToJson(const ModelDescription& description, const std::vector<Terminal>& terminals) {
  Json list = Json::array();
  for (const Terminal& terminal : terminals) {
    Json json{{"name", terminal.name}, {"matchingRule", terminal.rule}};
    Put(json, "terminalKind", terminal.kind);
    Put(json, "description", terminal.description);
    json["members"] = Json::array();
    for (const TerminalMember& member : terminal.members) {
      Json one{{"variable", description.At(member.variable).name}, {"kind", member.kind}};
      Put(one, "name", member.name);
      json["members"].push_back(std::move(one));
    }
    if (!terminal.terminals.empty()) json["terminals"] = ToJson(description, terminal.terminals);
    list.push_back(std::move(json));
  }
  return list;
}

bool IsLibraryOf(std::string_view file, const std::string& identifier) {
  return std::ranges::any_of(std::array{".so", ".dll", ".dylib", ".a", ".lib"},
                             [&](const char* ending) { return file == identifier + ending; });
}

/// Whether this machine loads the library.
bool IsForHere(std::string_view platform, std::string_view file, const Interface& interface, FmiMajor version) {
  const auto ours = PlatformFolders(version);
  return std::ranges::find(ours, platform) != ours.end() && file == interface.model_identifier + ".so";
}

/// Whether Wine loads the library.
bool IsForWindows(std::string_view platform, std::string_view file, const Interface& interface, FmiMajor version) {
  const auto theirs = WindowsFolders(version);
  return std::ranges::find(theirs, platform) != theirs.end() && file == interface.model_identifier + ".dll";
}

void FindLibraries(const std::vector<std::string>& files, LibrariesFor wanted, FmuInspection& inspection,
                   Problems& problems) {
  const ModelDescription& description = inspection.description;
  std::set<std::string> platforms;
  for (std::size_t kind = 0; kind < kInterfaceKindCount; ++kind) {
    const std::optional<Interface>& one = description.interfaces[kind];
    if (!one || one->model_identifier.empty()) continue;
    std::set<std::string> with_it;
    bool is_here = false;
    bool is_for_windows = false;
    for (const std::string& file : files) {
      constexpr std::string_view kBinaries = "binaries/";
      if (!file.starts_with(kBinaries)) continue;
      const std::size_t slash = file.find('/', kBinaries.size());
      if (slash == std::string::npos) continue;
      const std::string_view name = std::string_view(file).substr(slash + 1);
      if (!IsLibraryOf(name, one->model_identifier)) continue;
      const std::string platform = file.substr(kBinaries.size(), slash - kBinaries.size());
      with_it.insert(platform);
      is_here = is_here || IsForHere(platform, name, *one, description.version);
      is_for_windows = is_for_windows || IsForWindows(platform, name, *one, description.version);
    }
    platforms.insert(with_it.begin(), with_it.end());
    const Where where{.file = description.file, .line = one->line};
    const auto kind_name = Name(static_cast<InterfaceKind>(kind));
    if (wanted == LibrariesFor::ThisMachine) {
      const std::string windows = is_for_windows ? WindowsRemedy() : std::string();
      if (is_here || (is_for_windows && windows.empty())) continue;
      AddError(problems, where,
               fmt::format("expected a library binaries/{}/{}.so of {} for this machine, found {}",
                           PlatformFolders(description.version)[0], one->model_identifier, kind_name,
                           with_it.empty() ? "none" : fmt::format("one for {}", fmt::join(with_it, ", "))),
               LibraryRemedy(description.version, inspection.has_sources, windows,
                             !is_for_windows && with_it.contains("win32")));
      continue;
    }
    if (!with_it.empty()) continue;
    const std::string text =
        fmt::format("expected a library {} of {} below binaries, found none", Quoted(one->model_identifier), kind_name);
    if (inspection.has_sources) {
      AddWarning(problems, where, text, SourcesRemedy(description.version));
    } else {
      AddError(problems, where, text, "export the FMU with a library for your platform, or with sources");
    }
  }
  inspection.platforms.assign(platforms.begin(), platforms.end());
}

/// Reports what keeps the sources of an FMU from being compiled here.
void ReportSources(const fs::path& fmu, const std::vector<std::string>& files, const FmuInspection& inspection,
                   Problems& problems) {
  const ModelDescription& description = inspection.description;
  const auto has = [&](const std::string& name) { return std::ranges::find(files, name) != files.end(); };
  for (std::size_t i = 0; i < kInterfaceKindCount; ++i) {
    const std::optional<Interface>& one = description.interfaces[i];
    if (!one) continue;
    // One description of FMI 3.0 is for all that have the same library.
    if (i > 0 && description.version == FmiMajor::Fmi3 && description.interfaces[0] &&
        description.interfaces[0]->model_identifier == one->model_identifier) {
      continue;
    }
    const std::string build = has(kBuildDescription) ? ReadFromArchive(fmu, kBuildDescription, 16U << 20) : "";
    for (const SourceSet& set : SourceSetsOf(description, static_cast<InterfaceKind>(i), build, problems)) {
      for (const std::string& file : set.files) {
        if (has("sources/" + file)) continue;
        AddError(problems, {.file = description.file, .line = one->line},
                 fmt::format("expected the source {}, which is to be compiled, found none", Quoted(file)),
                 "export the FMU again");
      }
    }
  }
}

void ReportTools(const ModelDescription& description, Problems& problems) {
  for (std::size_t kind = 0; kind < kInterfaceKindCount; ++kind) {
    const std::optional<Interface>& one = description.interfaces[kind];
    if (!one || !one->needs_execution_tool) continue;
    AddWarning(problems, {.file = description.file, .line = one->line},
               fmt::format("expected an FMU that runs by itself, found one that needs {} for {} (needsExecutionTool)",
                           ToolOf(description), Name(static_cast<InterfaceKind>(kind))),
               "install that program on each machine where the FMU is to run");
  }
}

}  // namespace

FmuInspection InspectFmu(const fs::path& fmu, Problems& problems, LibrariesFor libraries) {
  FmuInspection inspection;
  inspection.description = ReadFmuDescription(fmu, problems);
  const std::vector<std::string> files = FilesOf(fmu);
  const auto any = [&](std::string_view folder) {
    return std::ranges::any_of(files, [&](const std::string& file) { return file.starts_with(folder); });
  };
  inspection.has_sources = any("sources/");
  inspection.has_documentation = any("documentation/");
  inspection.has_resources = any("resources/");
  FindLibraries(files, libraries, inspection, problems);
  inspection.needs_compiling =
      inspection.has_sources && inspection.description.version != FmiMajor::Fmi1 &&
      std::ranges::none_of(PlatformFolders(inspection.description.version), [&](const char* platform) {
        return std::ranges::find(inspection.platforms, platform) != inspection.platforms.end();
      });
  if (libraries == LibrariesFor::ThisMachine && inspection.needs_compiling) {
    ReportSources(fmu, files, inspection, problems);
  }
  ReportTools(inspection.description, problems);
  inspection.terminals = TerminalsOf(fmu, files, inspection.description, problems);
  inspection.layered_standards = LayeredStandardsOf(fmu, files, problems);
  if (const auto icon = IconOf(fmu, files, problems)) inspection.icon = icon->file;
  std::set<Index> used;
  for (const Variable& variable : inspection.description.variables) used.insert(variable.attributes.unit);
  for (std::size_t i = 0; i < inspection.description.units.size(); ++i) {
    const UnitDefinition& unit = inspection.description.units[i];
    if (!used.contains(static_cast<Index>(i))) continue;
    const described::DescribedUnit ours = UnitOf(unit);
    if (!ours.note.empty()) {
      AddNote(problems, {.file = inspection.description.file, .line = unit.line}, "found that " + ours.note,
              "define the unit with its BaseUnit");
    }
  }
  return inspection;
}

std::string FmuJson(const FmuInspection& inspection) {
  const ModelDescription& description = inspection.description;
  Json json{{"fmiVersion", description.version_text}, {"modelName", description.model_name}};
  json[description.version == FmiMajor::Fmi3 ? "instantiationToken" : "guid"] = description.token;
  for (const auto& [key, text] : kTexts) Put(json, key, description.*text);
  for (std::size_t i = 0; i < kInterfaceKindCount; ++i) {
    if (description.interfaces[i]) {
      json["interfaces"][Name(static_cast<InterfaceKind>(i))] = ToJson(*description.interfaces[i]);
    }
  }
  json["platforms"] = inspection.platforms;
  json["hasSources"] = inspection.has_sources;
  json["needsCompiling"] = inspection.needs_compiling;
  json["hasDocumentation"] = inspection.has_documentation;
  json["hasResources"] = inspection.has_resources;
  Json& experiment = json["defaultExperiment"] = Json::object();
  Put(experiment, "startTime", description.experiment.start);
  Put(experiment, "stopTime", description.experiment.stop);
  Put(experiment, "tolerance", description.experiment.tolerance);
  Put(experiment, "stepSize", description.experiment.step);
  json["logCategories"] = Json::array();
  for (const LogCategory& category : description.log_categories) {
    Json one{{"name", category.name}};
    Put(one, "description", category.description);
    json["logCategories"].push_back(std::move(one));
  }
  json["continuousStates"] = description.continuous_states;
  json["eventIndicators"] = description.event_indicators;
  json["units"] = Json::array();
  for (const UnitDefinition& unit : description.units) {
    Json one{{"name", unit.name}};
    if (unit.has_base) {
      one["exponents"] = unit.exponents;
      one["factor"] = unit.factor;
      one["offset"] = unit.offset;
    }
    json["units"].push_back(std::move(one));
  }
  json["types"] = Json::array();
  for (const TypeDefinition& type : description.types) {
    Json one{{"name", type.name}, {"type", Name(type.type, description.version)}};
    for (const EnumerationItem& item : type.items) one["items"].push_back({{"name", item.name}, {"value", item.value}});
    json["types"].push_back(std::move(one));
  }
  Put(json, "icon", inspection.icon);
  json["terminals"] = ToJson(description, inspection.terminals);
  json["layeredStandards"] = Json::array();
  for (const LayeredStandard& standard : inspection.layered_standards) {
    json["layeredStandards"].push_back(
        {{"name", standard.name}, {"version", standard.version}, {"description", standard.description}});
  }
  json["variables"] = Json::array();
  for (const Variable& variable : description.variables) json["variables"].push_back(ToJson(description, variable));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace openmi::fmi
