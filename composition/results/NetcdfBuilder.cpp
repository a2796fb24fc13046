#include "composition/results/NetcdfBuilder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "composition/results/CfFile.hpp"
#include "composition/results/ElementAxes.hpp"
#include "composition/results/NetcdfNames.hpp"
#include "composition/results/StandardName.hpp"
#include "timespace/files/NetcdfFile.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {
namespace {

using Rows = std::vector<JournalReader::Row>;

/// Attributes that this code writes, or that have a meaning for readers.
const std::set<std::string, std::less<>> kOwnAttributes = {
    "long_name",     "units",         "cell_methods", "_FillValue", "coordinates",  "comment",    "id",
    "quantity",      "missing_value", "bounds",       "calendar",   "scale_factor", "add_offset", "axis",
    "standard_name", "geometry",      "grid_mapping", "mesh",       "location"};

struct TimeAxis {
  std::size_t series = 0;  // the first series with this axis: its rows define the axis
  bool has_spans = false;
  int dimension = 0;
  int variable = 0;
  int bounds = -1;
};

bool HaveSameTimes(const Rows& a, const Rows& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& left, const auto& right) {
    return left.begin == right.begin && left.end == right.end;
  });
}

class Builder {
 public:
  Builder(JournalReader& journal, CfFile& file)
      : journal_(journal), file_(file), elements_(file, names_, journal.Series()) {}

  void Build() {
    FindAxes();
    file_.Create(IsCompressed()          ? CfFile::Form::Netcdf4
                 : NeedsLargeVariables() ? CfFile::Form::Data64
                                         : CfFile::Form::Classic);
    DefineGlobals();
    DefineTimeAxes();
    elements_.TakeCoordinateNames();
    const std::vector<std::string> names = names_.TakeForSeries(Series());
    elements_.Define(names);
    DefineVariables(names);
    file_.EndDefinitions();
    elements_.Write();
    for (const TimeAxis& axis : time_axes_) WriteTimeAxis(axis);
    WriteValues();
  }

 private:
  const std::vector<ResultSeries>& Series() const { return journal_.Series(); }
  bool IsCompressed() const { return journal_.Info().compression > 0; }

  /// The number of rows of a series that are written at once; a chunk holds as many.
  std::size_t RowsAtOnce(std::size_t series) const {
    constexpr std::size_t kOfAll = 1 << 22;  // values in memory
    const std::size_t width = Series()[series].Width();
    const std::size_t rows = std::min(kValuesAtOnce / width, kOfAll / total_width_);
    return std::clamp<std::size_t>(rows, 1, std::max<std::size_t>(1, journal_.Rows(series).size()));
  }

  /// \param width  length of the second dimension; 0: there is none
  void Compress(int variable, std::size_t series, std::size_t width) {
    if (!IsCompressed() || journal_.Rows(series).empty()) return;
    const std::array<std::size_t, 2> chunk = {RowsAtOnce(series), std::min(width, kValuesAtOnce)};
    file_.Compress(variable, std::span(chunk).first(width > 0 ? 2 : 1), journal_.Info().compression);
  }

  void FindAxes() {
    double earliest = std::numeric_limits<double>::infinity();
    for (const ResultSeries& series : Series()) total_width_ += series.Width();
    for (std::size_t i = 0; i < Series().size(); ++i) {
      const Rows& rows = journal_.Rows(i);
      if (!rows.empty()) earliest = std::min(earliest, rows.front().begin);
      // Series without rows share an axis: the classic kind allows only one dimension of length 0.
      const bool has_spans = Series()[i].kind != ResultKind::Instant && !rows.empty();
      std::size_t found = 0;
      while (found < time_axes_.size() && (time_axes_[found].has_spans != has_spans ||
                                           !HaveSameTimes(journal_.Rows(time_axes_[found].series), rows))) {
        ++found;
      }
      if (found == time_axes_.size()) time_axes_.push_back({.series = i, .has_spans = has_spans});
      time_axis_of_.push_back(found);
    }
    epoch_ = std::isfinite(earliest) ? std::floor(earliest) : 51544.0;
  }

  bool NeedsLargeVariables() const {
    constexpr double kLimit = 4294967292.0;
    for (std::size_t i = 0; i < Series().size(); ++i) {
      const double rows = static_cast<double>(journal_.Rows(i).size());
      if (8.0 * rows * static_cast<double>(std::max<std::size_t>(2, Series()[i].Width())) > kLimit) return true;
    }
    return false;
  }

  void DefineGlobals() {
    file_.PutText(NC_GLOBAL, "Conventions", elements_.HasMeshes() ? "CF-1.8 UGRID-1.0" : "CF-1.8");
    if (elements_.AreTimeSeries()) file_.PutText(NC_GLOBAL, "featureType", "timeSeries");
    file_.PutText(NC_GLOBAL, "title", journal_.Info().title);
    file_.PutText(NC_GLOBAL, "source", journal_.Info().source);
    file_.PutText(NC_GLOBAL, "history", journal_.Info().history);
    file_.PutText(NC_GLOBAL, "comment", journal_.Info().comment);
    file_.PutText(NC_GLOBAL, "notes", fmt::format("{}", fmt::join(journal_.Info().notes, "\n")));
  }

  int Define(const std::string& name, int type, std::initializer_list<int> dimensions) {
    return file_.AddVariable(name, type, std::span(dimensions.begin(), dimensions.size()));
  }

  void DefineTimeAxes() {
    std::string since = FormatIsoTime(Stamp{epoch_});
    std::replace(since.begin(), since.end(), 'T', ' ');
    since.pop_back();  // by the conventions, times without a zone are UTC
    int ends = -1;
    for (TimeAxis& axis : time_axes_) {
      const std::string name = names_.Take("time");
      axis.dimension = file_.AddDimension(name, journal_.Rows(axis.series).size());
      axis.variable = Define(name, NC_DOUBLE, {axis.dimension});
      Compress(axis.variable, axis.series, 0);
      file_.PutText(axis.variable, "standard_name", "time");
      file_.PutText(axis.variable, "long_name", axis.has_spans ? "end of the span, UTC" : "time, UTC");
      file_.PutText(axis.variable, "units", "seconds since " + since);
      file_.PutText(axis.variable, "calendar", "standard");
      file_.PutText(axis.variable, "axis", "T");
      if (!axis.has_spans) continue;
      if (ends < 0) ends = file_.AddDimension(names_.Take("nv"), 2);
      const std::string bounds = names_.Take(name + "_bnds");
      axis.bounds = Define(bounds, NC_DOUBLE, {axis.dimension, ends});
      Compress(axis.bounds, axis.series, 2);
      file_.PutText(axis.variable, "bounds", bounds);
    }
  }

  void DefineVariables(const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < Series().size(); ++i) {
      const ResultSeries& series = Series()[i];
      const TimeAxis& time = time_axes_[time_axis_of_[i]];
      const std::optional<int> elements = elements_.DimensionOf(i);
      const int variable = elements ? Define(names[i], NC_DOUBLE, {time.dimension, *elements})
                                    : Define(names[i], NC_DOUBLE, {time.dimension});
      variables_.push_back(variable);
      Compress(variable, i, elements ? series.Width() : 0);
      // A quantity without a caption of its own has that of its unit.
      const bool has_caption = !series.quantity.empty() && series.quantity != series.unit;
      file_.PutText(variable, "standard_name",
                    StandardNameOf(has_caption ? series.quantity : series.caption, series.unit));
      file_.PutText(variable, "long_name", series.caption.empty() ? series.id : series.caption);
      file_.PutText(variable, "units", series.unit.empty() ? "1" : series.unit);
      file_.PutText(variable, "cell_methods",
                    fmt::format("{}: {}", file_.DimensionName(time.dimension), kCellMethods.NameOf(series.kind)));
      file_.PutNumber(variable, "_FillValue", series.missing);
      elements_.Describe(variable, i);
      file_.PutText(variable, "id", series.id);
      file_.PutText(variable, "quantity", series.quantity);
      file_.PutText(variable, "comment", series.comment);
      NetcdfNames attribute_names;
      for (const auto& [key, text] : series.attributes) {
        const std::string attribute = attribute_names.Take(key);
        if (!kOwnAttributes.contains(attribute)) file_.PutText(variable, attribute, text);
      }
    }
  }

  /// Seconds since the epoch, rounded to the microsecond that the stamp represents.
  double SecondsOf(double mjd) const { return std::round((mjd - epoch_) * kMicrosPerDay) / 1e6; }

  void WriteTimeAxis(const TimeAxis& axis) {
    const Rows& rows = journal_.Rows(axis.series);
    std::vector<double> ends;
    std::vector<double> bounds;
    for (const JournalReader::Row& row : rows) {
      ends.push_back(SecondsOf(row.end));
      bounds.push_back(SecondsOf(row.begin));
      bounds.push_back(ends.back());
    }
    PutRows(axis.variable, 0, rows.size(), 0, ends.data());
    if (axis.bounds >= 0) PutRows(axis.bounds, 0, rows.size(), 2, bounds.data());
  }

  /// \param width  length of the second dimension; 0: there is none
  void PutRows(int variable, std::size_t first, std::size_t count, std::size_t width, const double* values) {
    if (count == 0) return;
    const std::array<std::size_t, 2> start = {first, 0};
    const std::array<std::size_t, 2> counts = {count, width};
    const auto lock = LockNetcdf();
    file_.Check(nc_put_vara_double(file_.Id(), variable, start.data(), counts.data(), values));
  }

  /// Consecutive rows of one series, until they are written.
  struct Block {
    std::size_t first = 0;
    std::size_t count = 0;
    std::vector<double> values = {};
  };

  /// Reads the journal once, for any number of series.
  void WriteValues() {
    std::vector<Block> blocks(Series().size());
    journal_.ForEachRow([&](std::size_t index, const JournalReader::Row& row, std::span<const double> values) {
      Block& block = blocks[index];
      const auto number = static_cast<std::size_t>(&row - journal_.Rows(index).data());
      const std::size_t most = RowsAtOnce(index);
      if (number != block.first + block.count || number % most == 0) {  // chunks are written whole
        WriteBlock(index, block);
        block.first = number;
      }
      if (block.count == 0) block.values.reserve(most * values.size());
      block.values.insert(block.values.end(), values.begin(), values.end());
      ++block.count;
    });
    for (std::size_t i = 0; i < blocks.size(); ++i) WriteBlock(i, blocks[i]);
  }

  void WriteBlock(std::size_t index, Block& block) {
    const ResultSeries& series = Series()[index];
    if (!std::isnan(series.missing)) {
      std::replace_if(
          block.values.begin(), block.values.end(), [](double value) { return std::isnan(value); }, series.missing);
    }
    PutRows(variables_[index], block.first, block.count, series.elements.empty() ? 0 : series.Width(),
            block.values.data());
    block.values.clear();
    block.count = 0;
  }

  static constexpr std::size_t kValuesAtOnce = 1 << 16;

  JournalReader& journal_;
  CfFile& file_;
  NetcdfNames names_;
  ElementAxes elements_;
  std::vector<TimeAxis> time_axes_;
  std::vector<std::size_t> time_axis_of_;  // by series
  std::vector<int> variables_;             // by series
  double epoch_ = 0.0;
  std::size_t total_width_ = 0;
};

}  // namespace

void BuildNetcdf(JournalReader& journal, const std::filesystem::path& path) {
  CfFile file(path, "write results");
  Builder(journal, file).Build();
  file.Close();
}

}  // namespace openmi
