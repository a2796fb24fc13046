#include "composition/import/ngen/Realization.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "composition/import/ngen/Gathered.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/ReadableFile.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::ngen {
namespace {

using Json = nlohmann::json;  // ordered_json would search an object of a million catchments for each of them

constexpr std::array kKinds = {"bmi_c", "bmi_c++", "bmi_fortran", "bmi_python"};

/// Whether XML cannot hold a text, which is UTF-8.
bool IsBeyondXml(std::string_view text) {
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  };
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return std::ranges::any_of(text, is_control) || has("\xEF\xBF\xBE") || has("\xEF\xBF\xBF");  // U+FFFE, U+FFFF
}

/// A stamp as ngen reads it ("%Y-%m-%d %H:%M:%S", UTC), in which numbers may have one digit.
std::optional<Stamp> ParseTime(std::string_view text) {
  std::array<int, 6> numbers{};
  constexpr std::string_view kMarks = "-- ::";
  constexpr int kLastYear = 9900;  // so that the end of the last step has four digits, too
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
  if (at != end || numbers[0] > kLastYear) return std::nullopt;
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
      // Without formulations it is none; ngen misses it where a catchment has none of its own, and so does the import.
      if (IsObject(value, {}, key) && value.contains("formulations")) read_.global = ReadCatchment(value, {}, key);
    } else if (key == "catchments") {
      if (!IsObject(value, {}, key)) return;
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
    // Texts that are numbers are numbers in ngen.
    const std::optional<double> seconds = interval != nullptr ? NumberIn(*interval) : std::nullopt;
    constexpr double kMost = std::numeric_limits<int>::max();
    if (!seconds || !(*seconds >= 1.0) || *seconds > kMost || *seconds != std::floor(*seconds)) {
      AddError(problems_, Place("time.output_interval"),
               fmt::format("expected a whole number of seconds above 0, found {}",
                           interval == nullptr ? "none" : Shown(*interval)),
               "write it as in \"output_interval\": 3600");
    } else {
      read_.interval_seconds = *seconds;
    }
    if (read_.start && read_.end && *read_.end < *read_.start) {
      AddError(problems_, Place("time.end_time"), "expected an end after the start, found one before it", "correct it");
      read_.end.reset();
    }
  }

  /// A number, or a text that is one.
  static std::optional<double> NumberIn(const Json& value) {
    if (value.is_number()) return value.get<double>();
    return value.is_string() ? AsNumber<double>(value.get_ref<const std::string&>()) : std::nullopt;
  }

  /// A value for a message.
  static std::string Shown(const Json& value) {
    constexpr std::size_t kMost = 80;
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    return Quoted(PrintableText(text.substr(0, kMost)) + (text.size() > kMost ? "..." : ""));
  }

  static const Json* Find(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  /// Whether a value is an object; reported if not.
  bool IsObject(const Json& value, const std::string& owner, const std::string& place) {
    if (value.is_object()) return true;
    gathered_.Add(Problem::Error, owner, Place(place), "expected an object, found " + Shown(value),
                  "write it in braces, with a value for each name");
    return false;
  }

  /// The text of a key; empty if there is none. Another type is an error.
  std::string Text(const Json& object, const char* key, const std::string& owner, const std::string& place) {
    const Json* value = Find(object, key);
    if (value == nullptr || value->is_null()) return {};
    if (value->is_string()) return value->get<std::string>();
    gathered_.Add(Problem::Error, owner, Place(place + "." + key), "expected a text, found " + Shown(*value),
                  "put it in quotes");
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
    read.outputs = ReadNames(spec, *params, "output_variables", owner, inside);
    if (const Json* defaults = Find(*params, "default_output_values")) {
      for (const Json& one : *defaults) {
        const Json* name = Find(one, "name");
        const Json* value = Find(one, "value");
        const std::optional<double> number = value != nullptr ? NumberIn(*value) : std::nullopt;
        if (name != nullptr && name->is_string() && number) {
          read.defaults[name->get<std::string>()] = *number;
        } else {
          gathered_.Add(Problem::Error, owner, Place(inside + ".default_output_values"),
                        "expected a name with a number, found " + Shown(one),
                        R"(write it as in {"name": "q", "value": 0})");
        }
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

  std::vector<std::string> ReadNames(const Json& outer, const Json& inner, const char* key, const std::string& owner,
                                     const std::string& place) {
    std::vector<std::string> names;
    for (const Json* object : {&inner, &outer}) {
      const Json* list = Find(*object, key);
      if (list == nullptr || !names.empty()) continue;
      if (list->is_array()) {
        for (const Json& name : *list) {
          if (name.is_string()) names.push_back(name.get<std::string>());
        }
      }
      if (!list->is_array() || names.size() != list->size()) {
        gathered_.Add(Problem::Error, owner, Place(fmt::format("{}.{}", place, key)),
                      "expected a list of names, found " + Shown(*list), R"(write it as in ["one", "two"])");
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
    if (const Json* uses = Find(params, "uses_forcing_file"); uses != nullptr && (*uses == true || *uses == "true")) {
      gathered_.Add(Problem::Error, owner, Place(place),
                    "expected a model that is given its forcing, found uses_forcing_file, which ngen refuses too",
                    "let the model read its forcing by its own configuration, and set uses_forcing_file to false");
    }
    if (!Text(params, "forcing_file", owner, place).empty()) {
      gathered_.Add(Problem::Warning, owner, Place(place), "left out: forcing_file, which ngen refuses today",
                    "the forcing is that of the section 'forcing'");
    }
    if (const Json* names = Find(params, "variables_names_map")) {
      if (!IsObject(*names, owner, place + ".variables_names_map")) return std::nullopt;
      for (const auto& [name, alias] : names->items()) {
        std::string text = Text(*names, name.c_str(), owner, place + ".variables_names_map");
        if (!text.empty()) read.aliases.emplace(name, std::move(text));
      }
    }
    if (const Json* list = Find(params, "model_params"); list && IsObject(*list, owner, place + ".model_params")) {
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
    } else if (value.is_string() && NumberIn(value)) {
      parameter.value = value.get<std::string>();
    } else if (value.is_array() && !value.empty() &&
               std::ranges::all_of(value, [](const Json& one) { return one.is_number(); })) {
      for (const Json& one : value) parameter.value += (parameter.value.empty() ? "" : " ") + one.dump();
    } else if (value.is_object()) {
      const std::string source = Text(value, "source", owner, place);
      if (source != "hydrofabric") return leave_out("the source " + Quoted(source), "ngen knows only 'hydrofabric'");
      const std::string from = Text(value, "from", owner, place);
      parameter.property = from.empty() ? name : from;
    } else {
      return leave_out(Shown(value), "ngen does not pass it either");
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
  ExpectShallowJson(text, path.string());
  std::vector<std::set<std::string>> keys;  // of the objects around the present place, by their depth
  std::set<std::string> twice;
  std::optional<std::string> odd;  // a text that a composition cannot hold
  const auto is_kept = [&](int depth, Json::parse_event_t event, const Json& parsed) {
    if (parsed.is_string() && !odd && IsBeyondXml(parsed.get_ref<const std::string&>())) {
      odd = parsed.get<std::string>();
    }
    if (event == Json::parse_event_t::object_start) {
      keys.resize(static_cast<std::size_t>(depth) + 1);
      keys.back().clear();
    } else if (event == Json::parse_event_t::key) {
      const std::string& key = parsed.get_ref<const std::string&>();
      if (keys.at(static_cast<std::size_t>(depth) - 1).insert(key).second) return true;
      twice.insert(key);
      return false;
    }
    return true;
  };
  Json root;
  try {
    root = Json::parse(text, is_kept);
  } catch (const Json::parse_error& error) {
    if (const FileKind kind = KindOfBytes(text); kind != FileKind::Unknown) {
      throw FormatError({.file = path.string()}, fmt::format("expected JSON, found {}", TextOfKind(kind)),
                        "name the realization first, then the hydrofabric");
    }
    throw FormatError({.file = path.string(), .line = LineAt(text, error.byte)}, "expected JSON, found what is none",
                      "look for a missing comma, quote or bracket at this line");
  } catch (const Json::out_of_range&) {
    throw FormatError({.file = path.string()}, "expected numbers that fit a double, found a larger one",
                      "look for an exponent above 308");
  }
  if (odd) {
    throw FormatError({.file = path.string()},
                      "expected texts of characters that XML can hold, found " + Quoted(PrintableText(*odd)),
                      "remove the control characters");
  }
  for (const std::string& key : twice) {
    AddWarning(problems, {.file = path.string()},
               fmt::format("expected each key once in an object, found {} again", Quoted(key)),
               "the first one counts, as in ngen: remove the other");
  }
  return RealizationReader(path, problems).Read(root);
}

Realization ReadRealization(const std::filesystem::path& path, Problems& problems) {
  return ReadRealizationText(ReadWholeFile(path.string(), path.string(), "a realization"), path, problems);
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
