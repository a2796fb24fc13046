#include "composition/import/ngen/ForcingSource.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <system_error>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "timespace/files/NetcdfFile.hpp"
#include "timespace/files/TextTable.hpp"

namespace openmi::ngen {
namespace {

namespace fs = std::filesystem;

struct KnownField {
  const char* name;
  const char* standard_name;
  const char* unit;
};

constexpr std::array kKnownFields = {
    KnownField{"precip_rate", "atmosphere_water__liquid_equivalent_precipitation_rate", "mm s-1"},
    KnownField{"APCP_surface", "atmosphere_water__rainfall_volume_flux", "kg m-2"},
    KnownField{"DLWRF_surface", "land_surface_radiation~incoming~longwave__energy_flux", "W m-2"},
    KnownField{"DSWRF_surface", "land_surface_radiation~incoming~shortwave__energy_flux", "W m-2"},
    KnownField{"PRES_surface", "land_surface_air__pressure", "Pa"},
    KnownField{"SPFH_2maboveground", "atmosphere_air_water~vapor__relative_saturation", "kg kg-1"},
    KnownField{"TMP_2maboveground", "land_surface_air__temperature", "K"},
    KnownField{"UGRD_10maboveground", "land_surface_wind__x_component_of_velocity", "m s-1"},
    KnownField{"VGRD_10maboveground", "land_surface_wind__y_component_of_velocity", "m s-1"},
    KnownField{"RAINRATE", "atmosphere_water__liquid_equivalent_precipitation_rate", "mm s-1"},
    KnownField{"T2D", "land_surface_air__temperature", "K"},
    KnownField{"Q2D", "atmosphere_air_water~vapor__relative_saturation", "kg kg-1"},
    KnownField{"U2D", "land_surface_wind__x_component_of_velocity", "m s-1"},
    KnownField{"V2D", "land_surface_wind__y_component_of_velocity", "m s-1"},
    KnownField{"PSFC", "land_surface_air__pressure", "Pa"},
    KnownField{"SWDOWN", "land_surface_radiation~incoming~shortwave__energy_flux", "W m-2"},
    KnownField{"LWDOWN", "land_surface_radiation~incoming~longwave__energy_flux", "W m-2"},
};

const KnownField* Known(const std::string& column) {
  const auto* found = std::ranges::find(kKnownFields, column, &KnownField::name);
  return found == kKnownFields.end() ? nullptr : found;
}

void Add(ForcingSource& source, const std::string& column, const std::string& name, const std::string& unit) {
  const ForcingVariable variable{column, unit.empty() ? KnownUnit(name) : unit};
  for (const std::string& one : NamesOf(name)) source.variables[one] = variable;
}

/// The parts of a name that look like the id of a catchment: letters, a hyphen, digits.
std::vector<std::string> IdsIn(const std::string& name) {
  std::vector<std::string> ids;
  const auto is_letter = [&](std::size_t i) { return std::isalpha(static_cast<unsigned char>(name[i])) != 0; };
  const auto is_digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(name[i])) != 0; };
  for (std::size_t hyphen = name.find('-'); hyphen != std::string::npos; hyphen = name.find('-', hyphen + 1)) {
    std::size_t begin = hyphen;
    while (begin > 0 && is_letter(begin - 1)) --begin;
    std::size_t end = hyphen + 1;
    while (end < name.size() && is_digit(end)) ++end;
    if (begin < hyphen && end > hyphen + 1) ids.push_back(name.substr(begin, end - begin));
  }
  return ids;
}

}  // namespace

std::vector<std::string> NamesOf(const std::string& column) {
  const KnownField* field = Known(column);
  return field == nullptr ? std::vector<std::string>{column}
                          : std::vector<std::string>{column, std::string(field->standard_name)};
}

std::string KnownUnit(const std::string& column) {
  const KnownField* field = Known(column);
  return field == nullptr ? "" : field->unit;
}

const ForcingFiles::Folder& ForcingFiles::In(const fs::path& path) {
  const auto [place, is_new] = folders_.try_emplace(path);
  Folder& folder = place->second;
  if (!is_new) return folder;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    folder.is_there = true;
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) folder.names.push_back(entry->path().filename().string());
  }
  folder.is_there = folder.is_there || !error;
  std::ranges::sort(folder.names);
  for (const std::string& name : folder.names) {
    for (const std::string& id : IdsIn(name)) folder.by_id[id].push_back(name);
  }
  return folder;
}

fs::path ForcingFiles::Find(const Forcing& forcing, const std::string& catchment, Gathered& problems) {
  const fs::path path = root_ / forcing.path;
  const Where where{.file = path.string(), .item = forcing.place};
  const auto refuse = [&](const std::string& problem, const std::string& remedy) {
    problems.Add(Problem::Error, catchment, where, problem, remedy);
    return fs::path();
  };
  if (forcing.pattern.empty()) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path.lexically_normal();
    if (fs::is_directory(path, error)) {
      return refuse("expected a file with forcing, found a folder", "add 'file_pattern', as in \".*{{id}}.*csv\"");
    }
    return refuse("expected a file with forcing, found none",
                  "state the folder in which ngen runs (--root), or correct 'path'");
  }
  const Folder& folder = In(path);
  if (!folder.is_there) {
    return refuse("expected a folder with forcing, found none",
                  "state the folder in which ngen runs (--root), or correct 'path'");
  }
  std::string pattern = forcing.pattern;
  const std::size_t place = pattern.find("{{id}}");
  if (place != std::string::npos) pattern.replace(place, 6, catchment);
  // One of a stranger could need more stack or time than there is: nothing that repeats itself in a few characters.
  constexpr std::size_t kLongest = 200;
  if (const std::size_t length = std::max(forcing.pattern.size(), catchment.size()); length > kLongest) {
    return refuse(fmt::format("expected a regular expression of at most {} characters in 'file_pattern', found {}",
                              kLongest, length),
                  "shorten it, with .* for what all names have in common");
  }
  if (pattern.find('{') != std::string::npos || pattern.find("(?") != std::string::npos) {
    return refuse(fmt::format("expected a regular expression without '(?' and without '{{' other than '{{{{id}}}}' in "
                              "'file_pattern', found {}",
                              Quoted(forcing.pattern)),
                  "write ( in place of (?:, and repetitions out: \\d\\d for \\d{2}");
  }
  static const std::vector<std::string> kNone;
  const std::vector<std::string>* candidates = &folder.names;
  if (place != std::string::npos && IdsIn(catchment) == std::vector{catchment}) {
    // Only these can fit, and there may be a million of others.
    const auto found = folder.by_id.find(catchment);
    candidates = found == folder.by_id.end() ? &kNone : &found->second;
  }
  std::vector<std::string> fitting;
  try {
    // Of libstdc++: all ways to match are followed at once, in a time that is polynomial.
    const std::regex expression(pattern,
                                std::regex::ECMAScript | std::regex::nosubs | std::regex_constants::__polynomial);
    for (const std::string& name : *candidates) {
      if (std::regex_match(name, expression)) fitting.push_back(name);
    }
  } catch (const std::regex_error&) {
    return refuse(fmt::format("expected a regular expression in 'file_pattern', found {}", Quoted(forcing.pattern)),
                  "correct it; references to earlier groups (\\1) are not taken");
  }
  if (fitting.empty()) {
    return refuse(fmt::format("expected a file whose name fits {}, found none", Quoted(forcing.pattern)),
                  "add the files, or correct 'file_pattern'");
  }
  if (fitting.size() > 1) {
    problems.Add(Problem::Warning, catchment, where,
                 fmt::format("several files fit {}; the first by name is taken", Quoted(forcing.pattern)),
                 "ngen takes the one that the file system lists first: make the pattern fit one file");
  }
  return (path / fitting.front()).lexically_normal();
}

void ReadNetcdfVariables(ForcingSource& source) {
  const NetcdfFile file(source.file.string(), source.file.string());
  source.time_column = file.Has("Time") ? "Time" : "time";
  if (!file.Has(source.time_column) || !file.Has("ids")) {
    throw FormatError({.file = source.file.string()}, "expected the variables 'ids' and 'Time', found none of them",
                      "name the forcing of ngen: one file with all catchments");
  }
  const std::string units = file.Text(source.time_column, "units");
  if (units.find(" since ") == std::string::npos) source.time_units = units.empty() ? "s" : units;
  const std::size_t dimensions = file.Dimensions(source.time_column).size();
  for (const std::string& variable : file.Variables()) {
    if (variable == source.time_column || !file.IsNumeric(variable)) continue;
    if (file.Dimensions(variable).size() < std::max<std::size_t>(dimensions, 2)) continue;
    Add(source, variable, variable, file.Text(variable, "units"));
  }
}

void ReadCsvVariables(ForcingSource& source) {
  const std::string& path = source.files.front().second;
  TextTable table(path);
  if (table.Count() == 0) {
    throw FormatError({.file = path}, "expected a heading, found none", "give the forcing of ngen in CSV");
  }
  const std::vector<std::string> heading = table.Cells(0);
  for (const std::string& cell : heading) {
    if (cell == "Time" || cell == "time") {
      source.time_column = cell;
      continue;
    }
    std::string name(Trimmed(cell));
    std::string unit;
    const char last = name.empty() ? ' ' : name.back();
    const std::size_t open = last == ']' ? name.rfind('[') : last == ')' ? name.rfind('(') : std::string::npos;
    if (open != std::string::npos) {
      unit = name.substr(open + 1, name.size() - open - 2);
      name = Trimmed(std::string_view(name).substr(0, open));
    }
    Add(source, name, name, unit);
  }
  if (source.time_column.empty()) source.time_column = heading.front();
}

}  // namespace openmi::ngen
