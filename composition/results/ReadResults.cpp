#include "composition/results/ReadResults.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "composition/results/CfFile.hpp"
#include "composition/results/CsvResults.hpp"
#include "composition/results/FileProblem.hpp"
#include "composition/results/JournalBlock.hpp"
#include "composition/results/JournalReader.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/files/CfGeometry.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {
namespace {

std::string BeginOf(const std::filesystem::path& path) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
    throw FileError({.file = path.string()}, "expected a file of results, found a folder", "name a file in it");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) ThrowFileProblem(path, "read results", errno);
  std::array<char, 8> bytes = {};
  file.read(bytes.data(), bytes.size());
  return std::string(bytes.data(), static_cast<std::size_t>(file.gcount()));
}

/// Attributes that become other members of a series, or are ignored.
const std::set<std::string, std::less<>> kKnownAttributes = {
    "long_name", "units",    "cell_methods", "_FillValue",   "missing_value", "coordinates",
    "id",        "quantity", "comment",      "scale_factor", "add_offset"};

/// Attributes that follow from other members of a series. Files of others may give them another meaning.
const std::set<std::string, std::less<>> kDerivedAttributes = {"standard_name", "geometry", "grid_mapping", "mesh",
                                                               "location"};

struct NetcdfTimeAxis {
  std::string name;
  std::vector<double> begins;
  std::vector<double> ends;
};

class NetcdfReader {
 public:
  explicit NetcdfReader(const std::filesystem::path& path) : file_(path, "read results") { file_.Open(); }

  ResultTable Read() {
    ResultTable table;
    table.info.title = file_.Text(NC_GLOBAL, "title").value_or("");
    table.info.source = file_.Text(NC_GLOBAL, "source").value_or("");
    table.info.history = file_.Text(NC_GLOBAL, "history").value_or("");
    table.info.comment = file_.Text(NC_GLOBAL, "comment").value_or("");
    std::istringstream notes(file_.Text(NC_GLOBAL, "notes").value_or(""));
    for (std::string note; std::getline(notes, note);) table.info.notes.push_back(note);
    FindTimeAxes();
    for (int variable = 0; variable < file_.VariableCount(); ++variable) {
      if (IsData(variable)) table.series.push_back(ReadVariable(variable));
    }
    if (table.series.empty() && axes_.empty()) {
      throw FormatError({.file = file_.Path().string()},
                        "expected variables over time, found no time ('<unit> since <date>') in this file",
                        "name a file that a run wrote, or one after the CF conventions");
    }
    return table;
  }

 private:
  void FindTimeAxes() {
    for (int variable = 0; variable < file_.VariableCount(); ++variable) {
      const std::vector<int> dimensions = file_.VariableDimensions(variable);
      const std::string units = file_.Text(variable, "units").value_or("");
      if (dimensions.size() != 1 || units.find(" since ") == std::string::npos) continue;
      if (file_.VariableName(variable) != file_.DimensionName(dimensions[0])) continue;
      NetcdfTimeAxis axis;
      axis.name = file_.VariableName(variable);
      axis.ends = ToDays(axis.name, units, file_.Text(variable, "calendar").value_or(""), file_.Numbers(variable));
      axis.begins = axis.ends;
      no_data_.insert(variable);
      if (const auto bounds = file_.Text(variable, "bounds")) {
        if (const int number = file_.FindVariable(*bounds); number >= 0) {
          no_data_.insert(number);
          const auto both = ToDays(*bounds, units, "", file_.Numbers(number));
          for (std::size_t i = 0; i < axis.ends.size() && 2 * i + 1 < both.size(); ++i) {
            axis.begins[i] = both[2 * i];
            axis.ends[i] = both[2 * i + 1];
          }
        }
      }
      axes_[dimensions[0]] = std::move(axis);
    }
  }

  /// Converts "seconds since 2015-12-01 00:00:00" to Modified Julian Days, exact to the microsecond.
  std::vector<double> ToDays(const std::string& variable, const std::string& units, const std::string& calendar,
                             std::vector<double> numbers) const {
    const auto fail = [&](const std::string& found) {
      throw FormatError({.file = file_.Path().string(), .item = variable},
                        fmt::format("expected a time such as 'seconds since 2015-12-01 00:00:00' in the standard "
                                    "calendar, found {}",
                                    found),
                        "convert the file");
    };
    static const std::set<std::string, std::less<>> kCalendars = {"", "standard", "gregorian", "proleptic_gregorian"};
    if (!kCalendars.contains(calendar)) fail(fmt::format("calendar '{}'", calendar));
    static const std::map<std::string, double, std::less<>> kMicros = {
        {"microseconds", 1}, {"milliseconds", 1e3}, {"seconds", 1e6}, {"second", 1e6},   {"s", 1e6},
        {"minutes", 60e6},   {"minute", 60e6},      {"min", 60e6},    {"hours", 3600e6}, {"hour", 3600e6},
        {"h", 3600e6},       {"days", 86400e6},     {"day", 86400e6}, {"d", 86400e6}};
    const std::size_t since = units.find(" since ");
    const auto unit = kMicros.find(units.substr(0, since));
    if (unit == kMicros.end()) fail(fmt::format("'{}'", units));
    std::string date = units.substr(since + 7);
    if (date.ends_with(" UTC")) date.resize(date.size() - 4);
    double epoch = 0.0;
    try {
      epoch = ParseIsoTime(date, 0.0).mjd;
    } catch (const FormatError&) {
      fail(fmt::format("'{}'", units));
    }
    for (double& number : numbers) {
      const double micros = std::round(number * unit->second);
      const double days = std::floor(micros / 86'400e6);
      number = epoch + days + (micros - days * 86'400e6) / 86'400e6;
    }
    return numbers;
  }

  bool IsData(int variable) const {
    if (no_data_.contains(variable)) return false;
    const int type = file_.VariableType(variable);
    if (type == NC_CHAR || type == NC_STRING || type > NC_STRING) return false;
    const std::vector<int> dimensions = file_.VariableDimensions(variable);
    const auto is_time = [this](int dimension) { return axes_.contains(dimension); };
    return !dimensions.empty() && dimensions.size() <= 2 &&
           std::count_if(dimensions.begin(), dimensions.end(), is_time) == 1;
  }

  ResultRows ReadVariable(int variable) {
    const std::vector<int> dimensions = file_.VariableDimensions(variable);
    const bool is_time_first = axes_.contains(dimensions.front());
    const NetcdfTimeAxis& axis = axes_.at(is_time_first ? dimensions.front() : dimensions.back());
    ResultRows rows;
    ResultSeries& series = rows.series;
    const std::string name = file_.VariableName(variable);
    const bool is_ours = file_.Text(variable, "id").has_value();
    series.id = file_.Text(variable, "id").value_or(name);
    series.caption = file_.Text(variable, "long_name").value_or("");
    if (series.caption == series.id) series.caption.clear();
    series.quantity = file_.Text(variable, "quantity").value_or("");
    series.unit = file_.Text(variable, "units").value_or("");
    if (series.unit == "1") series.unit.clear();
    series.comment = file_.Text(variable, "comment").value_or("");
    series.kind = KindOf(file_.Text(variable, "cell_methods").value_or(""), axis.name);
    series.missing =
        file_.Number(variable, "_FillValue").value_or(file_.Number(variable, "missing_value").value_or(kNotANumber));
    for (const std::string& attribute : file_.AttributeNames(variable)) {
      if (kKnownAttributes.contains(attribute) || (is_ours && kDerivedAttributes.contains(attribute))) continue;
      if (const auto text = file_.Text(variable, attribute)) series.attributes.emplace_back(attribute, *text);
    }
    if (dimensions.size() == 2) ReadElements(variable, is_time_first ? dimensions.back() : dimensions.front(), series);

    rows.begins = series.kind == ResultKind::Instant ? axis.ends : axis.begins;
    rows.ends = axis.ends;
    rows.values = file_.Numbers(variable);
    if (!is_time_first && dimensions.size() == 2) rows.values = Transposed(rows.values, series.Width());
    const double factor = file_.Number(variable, "scale_factor").value_or(1.0);
    const double offset = file_.Number(variable, "add_offset").value_or(0.0);
    const double also_missing = file_.Number(variable, "missing_value").value_or(series.missing);
    for (double& value : rows.values) {
      value = IsMissing(value, series.missing) || value == also_missing ? kNotANumber : value * factor + offset;
    }
    series.span = CommonSpan(rows);
    OrderRows(rows);
    return rows;
  }

  static std::vector<double> Transposed(const std::vector<double>& values, std::size_t width) {
    std::vector<double> turned(values.size());
    const std::size_t count = width == 0 ? 0 : values.size() / width;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < width; ++k) turned[i * width + k] = values[k * count + i];
    }
    return turned;
  }

  /// The method for the time in "time: mean" or "area: mean time: maximum (interval: 1 h)".
  static ResultKind KindOf(const std::string& cell_methods, const std::string& time) {
    std::istringstream words(cell_methods);
    bool is_ours = false;
    for (std::string word; words >> word;) {
      if (word.ends_with(':')) {
        is_ours = word == time + ":" || word == "time:";
      } else if (const auto kind = kCellMethods.Find(word); is_ours && kind) {
        return *kind;
      }
    }
    return ResultKind::Instant;
  }

  /// The length of the spans if all are equal, else 0.
  static std::optional<Days> CommonSpan(const ResultRows& rows) {
    if (rows.ends.empty() || rows.series.kind == ResultKind::Instant) return std::nullopt;
    constexpr double kResolution = 5e-11;  // days; twice the tolerance of two times
    const double span = rows.ends.front() - rows.begins.front();
    for (std::size_t i = 1; i < rows.ends.size(); ++i) {
      if (std::fabs(rows.ends[i] - rows.begins[i] - span) > kResolution) return std::nullopt;
    }
    const Days rounded{std::round(span * kMicrosPerDay) / kMicrosPerDay};
    return rounded > Days() ? std::optional(rounded) : std::nullopt;
  }

  void ReadElements(int variable, int dimension, ResultSeries& series) {
    std::istringstream names(file_.Text(variable, "coordinates").value_or(""));
    std::vector<std::string> coordinates(std::istream_iterator<std::string>(names), {});
    coordinates.push_back(file_.DimensionName(dimension));
    for (const std::string& name : coordinates) {
      const int number = file_.FindVariable(name);
      if (number < 0) continue;
      const std::vector<int> own = file_.VariableDimensions(number);
      if (own.empty() || own.front() != dimension) continue;
      const int type = file_.VariableType(number);
      if (type == NC_CHAR ? own.size() == 2 : type == NC_STRING && own.size() == 1) {
        series.elements = file_.Texts(number);
        const std::string caption = file_.Text(number, "long_name").value_or("");
        if (name == file_.DimensionName(dimension) && caption != kNoCaption) series.elements_caption = caption;
        continue;
      }
      if (type == NC_CHAR || own.size() != 1) continue;
      const std::string units = file_.Text(number, "units").value_or("");
      const std::string standard = file_.Text(number, "standard_name").value_or("");
      if (units == "degrees_east" || standard == "longitude") {
        series.x = file_.Numbers(number);
        series.is_longitude_latitude = true;
      } else if (units == "degrees_north" || standard == "latitude") {
        series.y = file_.Numbers(number);
      } else if (name.starts_with("x") || standard == "projection_x_coordinate") {
        series.x = file_.Numbers(number);
      } else if (name.starts_with("y") || standard == "projection_y_coordinate") {
        series.y = file_.Numbers(number);
      } else if (series.elements.empty()) {
        for (const double id : file_.Numbers(number)) series.elements.push_back(fmt::format("{}", id));
      }
    }
    const std::size_t count = file_.DimensionLength(dimension);
    if (series.elements.size() != count) {
      series.elements.clear();
      for (std::size_t i = 0; i < count; ++i) series.elements.push_back(fmt::format("{}", i + 1));
    }
    if (series.x.size() != count || series.y.size() != count) {
      series.x.clear();
      series.y.clear();
      series.is_longitude_latitude = false;
    }
    const std::string geometry = file_.Text(variable, "geometry").value_or("");
    if (!geometry.empty()) series.places = PlacesOf(geometry, series);
  }

  /// The places of a geometry; null if it is not the one of the elements of `series`, or has no reference system.
  std::shared_ptr<const ElementSet> PlacesOf(const std::string& geometry, const ResultSeries& series) {
    if (const auto found = places_.find(geometry); found != places_.end()) return found->second;
    std::shared_ptr<const ElementSet>& places = places_[geometry];
    try {
      const NetcdfFile file(file_.Path().string(), file_.Path().string());
      for (const CfGeometry& one : CfGeometriesIn(file)) {
        if (one.container != geometry || one.elements.length != series.elements.size()) continue;
        places = std::make_shared<const ElementSet>(ReadCfGeometry(file, one, series.elements_caption));
      }
    } catch (const FormatError&) {
      // Values can be read without places: those of other programs may have parts, or a reference system elsewhere.
    }
    return places;
  }

  CfFile file_;
  std::map<int, NetcdfTimeAxis> axes_;  // by dimension
  std::set<int> no_data_;
  std::map<std::string, std::shared_ptr<const ElementSet>> places_;  // by geometry
};

}  // namespace

ResultTable ReadResults(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.extension() != ".journal" && std::filesystem::exists(JournalOf(path), ignored)) {
    try {
      RebuildFromJournal(path);
    } catch (const FileError&) {
      // The folder is not writable, or the disk is full: the rows can still be read.
    }
    // A remaining journal belongs to a run in progress (its NetCDF file is made at the end), or could not be turned
    // into a file.
    if (std::filesystem::exists(JournalOf(path), ignored)) return ReadJournalResults(JournalOf(path));
  }
  const std::string begin = BeginOf(path);
  if (IsJournal(begin)) return ReadJournalResults(path);
  if (begin.starts_with("CDF") || begin.starts_with("\x89HDF")) return ReadNetcdfResults(path);
  ResultTable table = ReadCsvResults(path);
  if (table.was_cut) RepairCsv(path);
  return table;
}

double SecondsOf(double mjd) {
  return std::round((mjd - kZeroOfSeconds.mjd) * kMicrosPerDay) / 1e6;
}

void OrderRows(ResultRows& rows, bool are_events) {
  const std::size_t count = rows.ends.size();
  std::size_t good = 1;
  while (good < count && Before({rows.ends[good - 1]}, {rows.ends[good]})) ++good;
  if (good >= count) return;

  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&rows](std::size_t a, std::size_t b) { return rows.ends[a] < rows.ends[b]; });
  ResultRows ordered{.series = rows.series};
  ordered.empty_at = std::move(rows.empty_at);
  for (std::size_t i = 0; i < count;) {
    // Rows at the same time, within the tolerance, are adjacent: the one that was written last counts.
    std::size_t first = order[i];
    std::size_t kept = order[i];
    std::size_t next = i + 1;
    for (; next < count && !Before({rows.ends[order[i]]}, {rows.ends[order[next]]}); ++next) {
      first = std::min(first, order[next]);
      kept = std::max(kept, order[next]);
    }
    i = next;
    if (are_events && first != kept) {
      const auto before = rows.Row(first);
      ordered.before_events[ordered.ends.size()].assign(before.begin(), before.end());
    }
    ordered.begins.push_back(rows.begins[kept]);
    ordered.ends.push_back(rows.ends[kept]);
    const auto values = rows.Row(kept);
    ordered.values.insert(ordered.values.end(), values.begin(), values.end());
  }
  rows = std::move(ordered);
}

ResultTable ReadNetcdfResults(const std::filesystem::path& path) {
  return NetcdfReader(path).Read();
}

ResultTable ReadJournalResults(const std::filesystem::path& journal) {
  const JournalReader reader(journal);
  ResultTable table;
  table.info = reader.Info();
  table.was_cut = reader.IsCut() || !reader.IsBegun();
  for (std::size_t i = 0; i < reader.Series().size(); ++i) {
    ResultRows rows{.series = reader.Series()[i]};
    const std::size_t width = rows.series.Width();
    for (const JournalReader::Row& row : reader.Rows(i)) {
      rows.begins.push_back(row.begin);
      rows.ends.push_back(row.end);
      rows.values.resize(rows.values.size() + width);
      reader.ReadValues(row, std::span(rows.values).last(width));
    }
    for (double& value : rows.values) {
      if (IsMissing(value, rows.series.missing)) value = kNotANumber;
    }
    table.series.push_back(std::move(rows));
  }
  return table;
}

}  // namespace openmi
