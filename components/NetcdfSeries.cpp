#include "components/NetcdfSeries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "components/CellNumber.hpp"
#include "components/TimeReference.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {
namespace {

bool Contains(const std::vector<NetcdfDimension>& dimensions, const std::string& name) {
  return std::ranges::any_of(dimensions, [&name](const NetcdfDimension& d) { return d.name == name; });
}

/// The name of a series as a run wrote it: results have it in the attribute `id`, since the name of their variable has
/// only letters, digits and '_', a letter first, often only the last part of the id, and a number where two would be
/// the same. Of other variables, their own name.
std::string WrittenName(const NetcdfFile& file, const std::string& variable) {
  constexpr std::size_t kCompared = 200;  // longer names are cut there
  const std::string id = file.Text(variable, "id");
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (const std::string& part : {id, id.substr(id.rfind('.') + 1)}) {
    if (part.empty()) continue;
    std::string plain = is_letter(part[0]) ? "" : "v_";
    for (const char c : part.substr(0, kCompared)) plain += is_letter(c) || is_digit(c) ? c : '_';
    if (!variable.starts_with(plain)) continue;
    const std::string number = variable.substr(plain.size());
    const bool is_numbered = number.size() > 1 && number[0] == '_' && std::ranges::all_of(number.substr(1), is_digit);
    if (number.empty() || is_numbered) return id;
  }
  return variable;
}

}  // namespace

NetcdfSeries::NetcdfSeries() : SeriesComponent("netcdf-series") {
  SetDescription("time series from a NetCDF file");
  time_variable_ = ArgumentItems().AddPlain(
      "time-variable", {.caption = "variable of the time",
                        .description = "empty: the one that says so by standard_name, axis, units or name"});
  ids_variable_ = ArgumentItems().AddPlain(
      "ids-variable", {.caption = "variable of the element ids",
                       .description = "empty: the one with cf_role timeseries_id, else the only texts by element"});
  missing_values_ = ArgumentItems().AddPlain(
      "missing-values", {.caption = "numbers that mean a missing value",
                         .description = "between commas or blanks, in addition to what the file declares",
                         .value = ""});
}

std::string NetcdfSeries::FindTime(const NetcdfFile& file, const std::vector<std::string>& variables) const {
  const std::string given = TextOf(time_variable_);
  if (!given.empty()) {
    if (file.Has(given)) return given;
    Refuse("time-variable", fmt::format("expected a variable of the file, found '{}'", given),
           Suggest(given, variables));
  }
  std::vector<std::string> found;
  for (const std::string& name : variables) {
    if (!file.IsNumeric(name) || file.Dimensions(name).empty()) continue;
    if (file.Text(name, "standard_name") == "time" || file.Text(name, "axis") == "T" ||
        TimeReference::HasDate(file.Text(name, "units"))) {
      found.push_back(name);
    }
  }
  if (found.empty()) {
    for (const std::string& name : variables) {
      if (Lower(name) == "time" && file.IsNumeric(name)) found.push_back(name);
    }
  }
  const auto named = std::ranges::find_if(found, [](const std::string& name) { return Lower(name) == "time"; });
  if (found.size() > 1 && named != found.end()) return *named;
  if (found.size() == 1) return found[0];
  Refuse("time-variable", fmt::format("expected one variable of the time in the file, found {}", found.size()),
         found.empty() ? Suggest("time", variables) : Suggest("", found));
}

std::string NetcdfSeries::TimeDimension(const NetcdfFile& file, const std::string& time) const {
  const std::vector<NetcdfDimension> dimensions = file.Dimensions(time);
  if (dimensions.size() == 1) return dimensions[0].name;
  for (const NetcdfDimension& dimension : dimensions) {
    if (dimensions.size() == 2 && Lower(dimension.name) == "time") return dimension.name;
  }
  throw FormatError({.file = ShownPath(), .component = Caption()},
                    fmt::format("expected the time '{}' to have one dimension, or two with one named 'time', found {}",
                                time, dimensions.size()),
                    "name another variable in the argument time-variable");
}

std::vector<double> NetcdfSeries::TimesOf(const NetcdfFile& file, const std::string& time,
                                          const std::string& dimension) const {
  const std::vector<double> all = file.Doubles(time);
  const std::vector<NetcdfDimension> dimensions = file.Dimensions(time);
  if (dimensions.size() == 1) return all;
  // One row of times for each element is usable if all rows are equal.
  const bool time_first = dimensions[0].name == dimension;
  const std::size_t times = dimensions[time_first ? 0 : 1].length;
  const std::size_t others = dimensions[time_first ? 1 : 0].length;
  std::vector<double> first(others == 0 ? 0 : times);
  for (std::size_t i = 0; i < first.size(); ++i) {
    first[i] = all[time_first ? i * others : i];
    for (std::size_t other = 1; other < others; ++other) {
      if (all[time_first ? i * others + other : other * times + i] == first[i]) continue;
      throw FormatError({.file = ShownPath(), .component = Caption()},
                        fmt::format("expected the same times for all elements in '{}', found others for element {} at "
                                    "row {}",
                                    time, other + 1, i + 1),
                        "split the file by element");
    }
  }
  return first;
}

TimeReference NetcdfSeries::ReferenceOf(const NetcdfFile& file, const std::string& time) const {
  const std::string calendar = Lower(file.Text(time, "calendar"));
  static const std::set<std::string> kKnown = {"", "standard", "gregorian", "proleptic_gregorian"};
  if (!kKnown.contains(calendar)) {
    throw FormatError({.file = ShownPath(), .component = Caption()},
                      fmt::format("expected the Gregorian calendar, found '{}'", calendar),
                      "convert the times; days of other calendars have no place in a run");
  }
  const std::string given = TextOf(time_units_);
  const std::string in_file = file.Text(time, "units");
  const std::string units = given.empty() ? in_file : given;
  const std::string epoch = TextOf(epoch_);
  if (units.empty() || (!TimeReference::HasDate(units) && epoch.empty())) {
    Refuse(units.empty() ? "time-units" : "epoch",
           fmt::format("expected the time '{}' to have units with a date, found {}", time,
                       in_file.empty() ? std::string("no units") : fmt::format("'{}'", in_file)),
           "set the arguments time-units and epoch, for instance to 'ns' and '1970-01-01T00:00Z'");
  }
  try {
    return TimeReference::Parse(units, epoch);
  } catch (const FormatError& error) {
    throw FormatError({.file = ShownPath(), .component = Caption(), .item = "time-units"}, error.Problem(),
                      error.Remedy());
  }
}

std::vector<SeriesStamp> NetcdfSeries::ReadStamps(const NetcdfFile& file, const std::string& time,
                                                  const std::string& dimension) const {
  const TimeReference reference = ReferenceOf(file, time);
  std::vector<SeriesStamp> stamps;
  int row = 0;
  for (const double number : TimesOf(file, time, dimension)) {
    ++row;
    if (!std::isfinite(number)) {
      throw FormatError({.file = ShownPath(), .component = Caption()},
                        fmt::format("expected a time in row {}, found {}", row, number), "repair the file");
    }
    stamps.push_back({reference.At(number), row});
  }
  return stamps;
}

bool NetcdfSeries::AreOverSpans(const NetcdfFile& file, const std::string& time, const std::vector<ColumnSpec>& specs,
                                std::vector<std::string>& warnings) const {
  const std::string bounds = file.Text(time, "bounds");
  const ColumnSpec* over_spans = nullptr;
  const ColumnSpec* at_instants = nullptr;
  for (const ColumnSpec& spec : specs) {
    // "time: mean", "area: mean time: sum (interval: 1 h)"
    std::istringstream words(file.Text(spec.source, "cell_methods"));
    std::string method;
    for (std::string word; words >> word;) {
      if (word == time + ":") words >> method;
    }
    if (method.empty() && !bounds.empty()) {
      warnings.push_back(
          fmt::format("'{}' has time bounds and no cell_methods, and is taken as values at instants; "
                      "the argument stamps says it otherwise",
                      spec.source));
    }
    (method.empty() || method == "point" ? at_instants : over_spans) = &spec;
  }
  if (over_spans == nullptr) return false;
  if (bounds.empty() || !file.Has(bounds)) {
    Refuse("stamps",
           fmt::format("expected time bounds of '{}', which holds values over spans, found none", over_spans->source),
           "set stamps to begin or end, as the file means it, or to instant");
  }
  if (at_instants != nullptr) {
    Refuse("columns",
           fmt::format("expected values at instants or over spans, found '{}' at instants and '{}' over spans",
                       at_instants->source, over_spans->source),
           "read them with two components, or say with stamps what is meant");
  }
  return true;
}

void NetcdfSeries::ReadSpans(const NetcdfFile& file, const std::string& time, SeriesData& data) const {
  const std::string name = file.Text(time, "bounds");
  const std::vector<double> bounds = file.Doubles(name);
  if (bounds.size() != 2 * data.stamps.size()) {
    throw FormatError({.file = ShownPath(), .component = Caption()},
                      fmt::format("expected two bounds of each of {} times in '{}', found {} numbers",
                                  data.stamps.size(), name, bounds.size()),
                      "say with the argument stamps what the stamps mean");
  }
  const TimeReference reference = ReferenceOf(file, time);
  for (std::size_t i = 0; i < data.stamps.size(); ++i) {
    const double begin = std::min(bounds[2 * i], bounds[2 * i + 1]);
    const double end = std::max(bounds[2 * i], bounds[2 * i + 1]);
    if (!std::isfinite(begin) || !std::isfinite(end)) {
      throw FormatError({.file = ShownPath(), .component = Caption()},
                        fmt::format("expected two times in row {} of '{}', found {} and {}", i + 1, name, begin, end),
                        "repair the file");
    }
    data.stamps[i].stamp = reference.At(end);
    data.spans.push_back(reference.At(end) - reference.At(begin));
  }
}

std::vector<std::string> NetcdfSeries::ReadIds(const NetcdfFile& file, const NetcdfDimension& elements) const {
  std::string chosen = TextOf(ids_variable_);
  if (chosen.empty()) {
    std::vector<std::string> candidates;
    for (const std::string& name : file.Variables()) {
      const std::vector<NetcdfDimension> dimensions = file.Dimensions(name);
      if (dimensions.empty() || dimensions[0] != elements || !file.IsText(name)) continue;
      if (file.Text(name, "cf_role") == "timeseries_id") return file.Texts(name);
      candidates.push_back(name);
    }
    if (candidates.size() == 1) chosen = candidates[0];
    if (candidates.size() > 1) {
      Refuse("ids-variable", fmt::format("expected one variable of ids by '{}', found several", elements.name),
             Suggest("", candidates));
    }
  }
  if (chosen.empty()) {  // numbers of a coordinate variable, else numbers from 1
    std::vector<std::string> ids;
    if (file.Has(elements.name) && file.IsNumeric(elements.name)) {
      for (const double number : file.Doubles(elements.name)) ids.push_back(fmt::format("{}", number));
    } else {
      for (std::size_t i = 1; i <= elements.length; ++i) ids.push_back(fmt::format("{}", i));
    }
    return ids;
  }
  std::vector<std::string> ids;
  if (file.IsText(chosen)) {
    ids = file.Texts(chosen);
  } else {
    for (const double number : file.Doubles(chosen)) ids.push_back(fmt::format("{}", number));
  }
  if (ids.size() != elements.length) {
    Refuse("ids-variable", fmt::format("expected {} ids in '{}', found {}", elements.length, chosen, ids.size()),
           "name a variable with an id for each element");
  }
  return ids;
}

std::vector<ElementVertex> NetcdfSeries::ReadPlaces(const NetcdfFile& file, const NetcdfDimension& elements) {
  const auto find = [&](const char* standard_name, const char* units) -> std::vector<double> {
    for (const std::string& name : file.Variables()) {
      if (!file.IsNumeric(name) || file.Dimensions(name) != std::vector{elements}) continue;
      if (file.Text(name, "standard_name") != standard_name && file.Text(name, "units") != units) continue;
      std::vector<double> values = file.Values(name);
      if (std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) return values;
    }
    return {};
  };
  const std::vector<double> longitudes = find("longitude", "degrees_east");
  const std::vector<double> latitudes = find("latitude", "degrees_north");
  std::vector<ElementVertex> places;
  for (std::size_t i = 0; i < std::min(longitudes.size(), latitudes.size()); ++i) {
    places.push_back({.x = longitudes[i], .y = latitudes[i]});
  }
  return places;
}

SeriesData NetcdfSeries::Read() {
  const NetcdfFile file(FilePath(), ShownPath());
  const std::vector<std::string> variables = file.Variables();
  const std::string time = FindTime(file, variables);
  const std::string time_dimension = TimeDimension(file, time);
  SeriesData data;
  data.path = ShownPath();
  data.place = "row";
  data.stamps = ReadStamps(file, time, time_dimension);
  const std::size_t times = data.stamps.size();

  std::vector<ColumnSpec> specs = Columns();
  const bool everything = specs.empty();
  if (everything) {
    for (const std::string& name : variables) {
      const std::vector<NetcdfDimension> dimensions = file.Dimensions(name);
      const bool bounds = name.ends_with("_bnds") || name.ends_with("_bounds");
      if (name != time && !bounds && file.IsNumeric(name) && Contains(dimensions, time_dimension) &&
          dimensions.size() <= 2) {
        specs.push_back(
            {.source = name, .item = WrittenName(file, name), .element = {}, .unit = {}, .has_unit = false});
      }
    }
  }
  for (ColumnSpec& spec : specs) {
    if (file.Has(spec.source)) continue;
    const auto written = std::ranges::find_if(
        variables, [&](const std::string& name) { return WrittenName(file, name) == spec.source; });
    if (written != variables.end()) spec.source = *written;
  }
  if (FileSaysMeaning() && AreOverSpans(file, time, specs, data.warnings)) ReadSpans(file, time, data);
  const CellNumber missing(Split(TextOf(missing_values_), kCommasAndBlanks));
  // By column first, as variables are stored in the file; turned into rows below.
  std::vector<std::vector<double>> columns;
  for (const ColumnSpec& spec : specs) {
    const std::vector<NetcdfDimension> dimensions = file.Dimensions(spec.source);
    if (!file.IsNumeric(spec.source) || !Contains(dimensions, time_dimension) || dimensions.size() > 2) {
      Refuse("columns",
             fmt::format("expected '{}' to be numbers by '{}' and at most one more dimension, found {} dimensions",
                         spec.source, time_dimension, dimensions.size()),
             "name another variable");
    }
    const std::vector<double> values = file.Values(spec.source);
    const std::string unit = UnitOf(spec, file.Text(spec.source, "units"));
    std::string caption = file.Text(spec.source, "long_name");
    if (caption.empty()) caption = file.Text(spec.source, "standard_name");
    if (caption.empty()) caption = spec.item;
    const bool time_first = dimensions[0].name == time_dimension;
    const std::size_t elements = dimensions.size() == 1 ? 1 : dimensions[time_first ? 1 : 0].length;
    const std::vector<std::string> ids =
        dimensions.size() == 1 ? std::vector{spec.element} : ReadIds(file, dimensions[time_first ? 1 : 0]);
    const std::vector<ElementVertex> places =
        dimensions.size() == 1 ? std::vector<ElementVertex>() : ReadPlaces(file, dimensions[time_first ? 1 : 0]);
    for (std::size_t element = 0; element < elements; ++element) {
      if (dimensions.size() == 2 && !spec.element.empty() && spec.element != ids[element]) continue;
      data.columns.push_back({spec.item, ids[element], unit, caption, {}});
      if (!places.empty()) data.columns.back().place = places[element];
      std::vector<double>& column = columns.emplace_back(times);
      for (std::size_t i = 0; i < times; ++i) {
        const double value = values[time_first ? i * elements + element : element * times + i];
        column[i] = missing.IsMissing(value) ? kNotANumber : value;
        if (!std::isinf(column[i])) continue;
        throw FormatError({.file = ShownPath(), .component = Caption()},
                          fmt::format("expected finite numbers in '{}', found {} in row {} of element '{}'",
                                      spec.source, column[i], i + 1, ids[element]),
                          "correct the file, or add it to the argument missing-values");
      }
    }
    if (!spec.element.empty() && std::ranges::find(ids, spec.element) == ids.end()) {
      Refuse("columns", fmt::format("expected an element of '{}', found '{}'", spec.source, spec.element),
             Suggest(spec.element, ids));
    }
  }
  if (columns.empty()) {
    throw FormatError({.file = ShownPath(), .component = Caption()},
                      fmt::format("expected variables by '{}', found none", time_dimension), "name another file");
  }
  data.values.resize(times * columns.size());
  for (std::size_t column = 0; column < columns.size(); ++column) {
    for (std::size_t i = 0; i < times; ++i) data.values[i * columns.size() + column] = columns[column][i];
  }
  return data;
}

}  // namespace openmi

OPENMI_EXPORT_COMPONENT_AS("openmi.NetcdfSeries", openmi::NetcdfSeries)
