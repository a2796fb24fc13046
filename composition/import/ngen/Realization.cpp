#include "composition/import/ngen/Realization.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "composition/import/ngen/Gathered.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/ReadableFile.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::ngen {
namespace {

using Json = nlohmann::json;  // ordered_json would search an object of a million catchments for each of them

constexpr std::array kKinds = {"bmi_c", "bmi_c++", "bmi_fortran", "bmi_python"};

/// A stamp as ngen reads it ("%Y-%m-%d %H:%M:%S", UTC), in which numbers may have one digit.
std::optional<Stamp> ParseTime(std::string_view text) {
  std::array<int, 6> numbers{};
  constexpr std::string_view kMarks = "-- ::";
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [after, error] = std::from_chars(at, end, numbers[i]);
    if (error != std::errc() || numbers[i] < 0) return std::nullopt;
    at = after;
    if (i == kMarks.size()) break;
    if (at == end || *at != kMarks[i]) return std::nullopt;
    ++at;
  }
  if (at != end) return std::nullopt;
  try {
    return ParseIsoTime(fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", numbers[0], numbers[1], numbers[2],
                                    numbers[3], numbers[4], numbers[5]));
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

/// Reads the parts of a realization. `owner` is the catchment they are for; empty: all.
class RealizationReader {
 public:
  RealizationReader(const std::filesystem::path& path, Problems& problems) : problems_(problems) { read_.path = path; }

  Realization Read(const Json& root) {
    if (!root.is_object() || (!root.contains("global") && !root.contains("catchments"))) {
      throw FormatError({.file = read_.path.string()},
                        "expected a realization of ngen, an object with 'global' or 'catchments', found none",
                        "name the realization first, then the hydrofabric");
    }
    for (const auto& [key, value] : root.items()) ReadPart(key, value);
    if (!root.contains("time")) {
      AddError(problems_, Place("time"), "expected start and end of the run, found none", "add the section 'time'");
    }
    gathered_.AddTo(problems_);
    return std::move(read_);
  }

 private:
  Where Place(std::string item) const { return {.file = read_.path.string(), .item = std::move(item)}; }

  void ReadPart(const std::string& key, const Json& value) {
    if (key == "global") {
      read_.global = ReadCatchment(value, {}, key);
    } else if (key == "catchments" && value.is_object()) {
      for (const auto& [id, catchment] : value.items()) {
        read_.catchments.emplace_back(id, ReadCatchment(catchment, id, "catchments." + id));
      }
    } else if (key == "time") {
      ReadTime(value);
    } else if (key == "routing") {
      read_.routing = Text(value, "t_route_config_file_with_path", {}, key);
      if (read_.routing.empty()) read_.routing = "(a configuration without a name)";
    } else if (key == "layers") {
      AddError(problems_, Place(key), "expected formulations of catchments only, found layers of the domain",
               "make a component of each layer by hand, from its module");
    } else if (key == "output" || key == "output_root" || key == "disable_catchment_output" ||
               key == "per_formulation_nexus_files") {
      AddNote(problems_, Place(key), "left out: where and how ngen writes its files",
              "the folder of results is --results of openmi run");
    } else {
      AddWarning(problems_, Place(key), "left out: a section that is unknown here");
    }
  }

  void ReadTime(const Json& time) {
    const auto stamp = [&](const char* key) {
      const std::string text = Text(time, key, {}, "time");
      const std::optional<Stamp> read = ParseTime(text);
      if (!read) {
        AddError(problems_, Place(fmt::format("time.{}", key)),
                 fmt::format("expected a time as in 2015-12-01 00:00:00, found {}", Quoted(text)), "correct it");
      }
      return read;
    };
    read_.start = stamp("start_time");
    read_.end = stamp("end_time");
    const Json* interval = Find(time, "output_interval");
    if (interval == nullptr || !interval->is_number() || !(interval->get<double>() > 0.0)) {
      AddError(problems_, Place("time.output_interval"), "expected a number of seconds above 0, found none",
               "add it, as in \"output_interval\": 3600");
    } else {
      read_.interval_seconds = interval->get<double>();
    }
    if (read_.start && read_.end && *read_.end < *read_.start) {
      AddError(problems_, Place("time.end_time"), "expected an end after the start, found one before it", "correct it");
    }
  }

  static const Json* Find(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  /// The text of a key; empty if there is none. Another type is an error.
  std::string Text(const Json& object, const char* key, const std::string& owner, const std::string& place) {
    const Json* value = Find(object, key);
    if (value == nullptr || value->is_null()) return {};
    if (value->is_string()) return value->get<std::string>();
    gathered_.Add(Problem::Error, owner, Where{Place(place + "." + key)},
                  fmt::format("expected a text, found {}", Quoted(value->dump())), "put it in quotes");
    return {};
  }

  /// As `Text`, and an error if it is missing or empty.
  std::string Needed(const Json& object, const char* key, const std::string& owner, const std::string& place) {
    std::string text = Text(object, key, owner, place);
    if (text.empty()) {
      gathered_.Add(Problem::Error, owner, Place(place), fmt::format("expected '{}', found none", key),
                    fmt::format("add '{}'", key));
    }
    return text;
  }

  CatchmentSpec ReadCatchment(const Json& spec, const std::string& owner, const std::string& place) {
    CatchmentSpec read;
    const Json* list = Find(spec, "formulations");
    if (list == nullptr || !list->is_array() || list->empty()) {
      gathered_.Add(Problem::Error, owner, Place(place), "expected a list of formulations, found none",
                    "add 'formulations'");
    } else {
      read.formulation = ReadFormulation(list->front(), owner, place + ".formulations[0]");
      if (list->size() > 1) {
        gathered_.Add(
            Problem::Warning, owner, Place(place),
            fmt::format("left out: {} further formulations, which ngen does not read either", list->size() - 1), "");
      }
    }
    if (const Json* forcing = Find(spec, "forcing")) {
      const std::string at = place + ".forcing";
      read.forcing = {.provider = Text(*forcing, "provider", owner, at),
                      .path = Text(*forcing, "path", owner, at),
                      .pattern = Text(*forcing, "file_pattern", owner, at),
                      .place = at};
      if (read.forcing.provider.empty()) read.forcing.provider = "CsvPerFeature";
      if (read.forcing.provider != "NullForcingProvider") Needed(*forcing, "path", owner, at);
    } else {
      gathered_.Add(Problem::Error, owner, Place(place), "expected 'forcing', found none", "add it");
    }
    return read;
  }

  std::optional<Formulation> ReadFormulation(const Json& spec, const std::string& owner, const std::string& place) {
    Formulation read;
    read.name = Needed(spec, "name", owner, place);
    read.place = place;
    const Json* params = Find(spec, "params");
    if (params == nullptr || !params->is_object()) {
      gathered_.Add(Problem::Error, owner, Place(place), "expected 'params', found none", "add them");
      return std::nullopt;
    }
    const std::string inside = place + ".params";
    if (read.name != "bmi_multi" && !IsKnown(read.name, owner, inside)) return std::nullopt;
    read.main_output = Needed(*params, "main_output_variable", owner, inside);
    read.outputs = ReadNames(spec, *params, "output_variables");
    if (const Json* defaults = Find(*params, "default_output_values"); defaults != nullptr && defaults->is_array()) {
      for (const Json& one : *defaults) {
        const std::string name = Needed(one, "name", owner, inside + ".default_output_values");
        const Json* value = Find(one, "value");
        if (value != nullptr && value->is_number()) read.defaults[name] = value->get<double>();
      }
    }
    if (Find(*params, "output_header_fields") != nullptr || Find(spec, "output_header_fields") != nullptr) {
      gathered_.Add(Problem::Note, owner, Place(inside), "left out: 'output_header_fields'",
                    "Id of Observe gives a series another name in the results");
    }
    if (read.name != "bmi_multi") {
      std::optional<Module> module = ReadModule(read.name, *params, owner, inside);
      if (!module) return std::nullopt;
      read.modules.push_back(*std::move(module));
      return read;
    }
    const Json* modules = Find(*params, "modules");
    if (modules == nullptr || !modules->is_array() || modules->empty()) {
      gathered_.Add(Problem::Error, owner, Place(inside), "expected a list of modules, found none", "add 'modules'");
      return std::nullopt;
    }
    for (std::size_t i = 0; i < modules->size(); ++i) {
      const std::string at = fmt::format("{}.modules[{}]", inside, i);
      const Json* inner = Find((*modules)[i], "params");
      std::optional<Module> module = ReadModule(Needed((*modules)[i], "name", owner, at),
                                                inner != nullptr ? *inner : Json::object(), owner, at + ".params");
      if (!module) return std::nullopt;
      read.modules.push_back(*std::move(module));
    }
    return read;
  }

  static std::vector<std::string> ReadNames(const Json& outer, const Json& inner, const char* key) {
    std::vector<std::string> names;
    for (const Json* object : {&inner, &outer}) {
      const Json* list = Find(*object, key);
      if (list == nullptr || !list->is_array() || !names.empty()) continue;
      for (const Json& name : *list) {
        if (name.is_string()) names.push_back(name.get<std::string>());
      }
    }
    return names;
  }

  /// Whether a module is of a kind that runs here; reported if not.
  bool IsKnown(const std::string& kind, const std::string& owner, const std::string& place) {
    if (std::ranges::find(kKinds, kind) != kKinds.end()) return true;
    gathered_.Add(
        Problem::Error, owner, Place(place),
        fmt::format("expected {} or bmi_multi, found the formulation {}", fmt::join(kKinds, ", "), Quoted(kind)),
        "these catchments are left out: give them a formulation of BMI modules, or write components of your "
        "own for them");
    return false;
  }

  std::optional<Module> ReadModule(const std::string& kind, const Json& params, const std::string& owner,
                                   const std::string& place) {
    if (!IsKnown(kind, owner, place)) return std::nullopt;
    Module read;
    read.kind = kind;
    read.place = place;
    read.model = Text(params, "model_type_name", owner, place);
    read.config = Needed(params, "init_config", owner, place);
    if (kind == "bmi_python") {
      read.python = Needed(params, "python_type", owner, place);
    } else {
      read.library = Needed(params, "library_file", owner, place);
      read.entry = Text(params, kind == "bmi_c++" ? "create_function" : "registration_function", owner, place);
    }
    if (const Json* uses = Find(params, "uses_forcing_file"); uses != nullptr && *uses == Json(true)) {
      gathered_.Add(Problem::Error, owner, Place(place),
                    "expected a model that is given its forcing, found uses_forcing_file, which ngen refuses too",
                    "let the model read its forcing by its own configuration, and set uses_forcing_file to false");
    }
    if (!Text(params, "forcing_file", owner, place).empty()) {
      gathered_.Add(Problem::Warning, owner, Place(place), "left out: forcing_file, which ngen refuses today",
                    "the forcing is that of the section 'forcing'");
    }
    if (const Json* names = Find(params, "variables_names_map"); names != nullptr && names->is_object()) {
      for (const auto& [name, alias] : names->items()) {
        if (alias.is_string()) read.aliases.emplace(name, alias.get<std::string>());
      }
    }
    if (const Json* list = Find(params, "model_params"); list != nullptr && list->is_object()) {
      for (const auto& [name, value] : list->items()) ReadParameter(name, value, owner, place, read);
    }
    static constexpr std::array kKnown = {
        "model_type_name", "init_config", "python_type", "library_file", "create_function", "destroy_function",
        "registration_function", "uses_forcing_file", "forcing_file", "variables_names_map", "model_params",
        "main_output_variable", "output_variables", "output_header_fields", "default_output_values",
        // What only concerns how ngen works, or is not needed.
        "allow_exceed_end_time", "fixed_time_step", "cache_input_variable_metadata", "output_precision"};
    for (const auto& [key, value] : params.items()) {
      if (std::ranges::find(kKnown, key) != kKnown.end()) continue;
      gathered_.Add(Problem::Warning, owner, Place(place),
                    fmt::format("left out: {}, which is unknown here", Quoted(key)), "");
    }
    return read;
  }

  void ReadParameter(const std::string& name, const Json& value, const std::string& owner, const std::string& place,
                     Module& module) {
    const auto leave_out = [&](const std::string& found, const char* remedy) {
      gathered_.Add(
          Problem::Warning, owner, Place(place + ".model_params"),
          fmt::format("left out: expected a number or a list of numbers for {}, found {}", Quoted(name), found),
          remedy);
    };
    ModelParameter parameter{.name = name, .value = {}, .property = {}};
    if (value.is_number()) {
      parameter.value = value.dump();
    } else if (value.is_array() && !value.empty() &&
               std::ranges::all_of(value, [](const Json& one) { return one.is_number(); })) {
      for (const Json& one : value) parameter.value += (parameter.value.empty() ? "" : " ") + one.dump();
    } else if (value.is_object()) {
      const std::string source = Text(value, "source", owner, place);
      if (source != "hydrofabric") return leave_out("the source " + Quoted(source), "ngen knows only 'hydrofabric'");
      const std::string from = Text(value, "from", owner, place);
      parameter.property = from.empty() ? name : from;
    } else {
      return leave_out(Quoted(value.dump()), "ngen does not pass it either");
    }
    if (name.find_first_of(";=") != std::string::npos) {
      return leave_out("a name with ';' or '='", "set it in the configuration of the model");
    }
    module.parameters.push_back(std::move(parameter));
  }

  Problems& problems_;
  Gathered gathered_;
  Realization read_;
};

}  // namespace

const std::string& Module::AliasOf(const std::string& variable) const {
  const auto found = aliases.find(variable);
  return found == aliases.end() ? variable : found->second;
}

Realization ReadRealizationText(std::string_view text, const std::filesystem::path& path, Problems& problems) {
  Json root;
  try {
    root = Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::size_t at = std::min(error.byte, text.size());
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw FormatError({.file = path.string(), .line = static_cast<int>(lines) + 1}, "expected JSON, found what is none",
                      "look for a missing comma, quote or bracket at this line");
  }
  return RealizationReader(path, problems).Read(root);
}

Realization ReadRealization(const std::filesystem::path& path, Problems& problems) {
  ExpectReadable(path.string(), path.string(), "a realization");
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  return ReadRealizationText(text, path, problems);
}

void ReplaceForcing(Realization& realization, const std::filesystem::path& path) {
  Forcing forcing{.provider = "NetCDF", .path = path.string(), .pattern = {}, .place = "--forcing"};
  if (std::error_code error; std::filesystem::is_directory(path, error)) {
    forcing.provider = "CsvPerFeature";
    forcing.pattern = ".*{{id}}[^0-9].*csv";
  }
  if (realization.global) realization.global->forcing = forcing;
  for (auto& [id, spec] : realization.catchments) spec.forcing = forcing;
}

}  // namespace openmi::ngen
