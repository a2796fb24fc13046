#include "composition/results/NetcdfResults.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netcdf.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "composition/results/CfFile.hpp"
#include "composition/results/FileProblem.hpp"
#include "composition/results/JournalReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/files/NetcdfFile.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {
namespace {

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Makes names that the CF conventions recommend (letters, digits and underscores, a letter first), each only once.
class NetcdfNames {
 public:
  /// "creek.discharge" becomes "creek_discharge", and "creek_discharge_2" if that name is used already.
  std::string Take(std::string_view wanted) {
    constexpr std::size_t kLongest = 200;  // the library allows 256
    std::string name;
    for (const char c : wanted.substr(0, kLongest)) name += IsLetter(c) || IsDigit(c) ? c : '_';
    if (name.empty() || !IsLetter(name.front())) name.insert(0, "v_");
    std::string unique = name;
    for (int i = 2; !taken_.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
    return unique;
  }

 private:
  std::set<std::string> taken_;
};

std::filesystem::path KeptJournalOf(const std::filesystem::path& netcdf) {
  std::filesystem::path kept = JournalOf(netcdf);
  kept += ".kept";
  return kept;
}

/// The journal to continue with, under the name that still exists.
std::filesystem::path JournalToGoOnWith(const std::filesystem::path& netcdf) {
  std::error_code problem;
  const std::filesystem::path journal = JournalOf(netcdf);
  const std::filesystem::path kept = KeptJournalOf(netcdf);
  return !std::filesystem::exists(journal, problem) && std::filesystem::exists(kept, problem) ? kept : journal;
}

/// The first path of the journal: beside earlier results that are to be overwritten, until it replaces them.
std::filesystem::path FirstJournalOf(const std::filesystem::path& netcdf, AppendFile::Existing existing) {
  std::filesystem::path journal = JournalOf(netcdf);
  if (existing == AppendFile::Existing::Overwrite) journal += ".part";
  return journal;
}

/// Refuses earlier results, or those that cannot be overwritten.
std::filesystem::path Checked(std::filesystem::path path, AppendFile::Existing existing) {
  if (existing == AppendFile::Existing::Overwrite) {
    ExpectReplaceable(path);
    ExpectReplaceable(JournalOf(path));
    return path;
  }
  RebuildFromJournal(path);
  if (IsTaken(path)) {
    throw FileError(
        {.file = path.string()}, "expected no earlier results, found this file",
        "resume that run with --resume if it ended early, replace it with --overwrite, or name another folder");
  }
  return path;
}

/// Builds the file beside its path and renames it, so that there is either the old file or the complete new one.
void BuildFromJournal(const std::filesystem::path& journal, const std::filesystem::path& netcdf,
                      JournalReader& reader) {
  std::filesystem::path part = netcdf;
  part += ".part";
  std::error_code problem;
  try {
    BuildNetcdf(reader, part);
  } catch (const Error&) {
    std::filesystem::remove(part, problem);
    throw;
  }
  // Written to disk, with its name, before the journal is removed: a power failure could otherwise leave neither.
  constexpr char kSafe[] = "all rows are safe in the journal beside it";
  FileDescriptor file(open(part.c_str(), O_RDONLY | O_CLOEXEC));
  int error = file.IsOpen() && (fsync(file.Number()) == 0 || errno == EINVAL || errno == EROFS) ? 0 : errno;
  if (const int close_error = file.Close(); error == 0) error = close_error;
  if (error != 0) {
    std::filesystem::remove(part, problem);
    ThrowFileProblem(netcdf, "hand results to the disk", error, kSafe);
  }
  std::filesystem::rename(part, netcdf, problem);
  if (problem) ThrowFileProblem(netcdf, "write results", problem.value(), kSafe);
  SyncFolder(netcdf.parent_path());
  std::filesystem::remove(journal, problem);
}

using Rows = std::vector<JournalReader::Row>;

/// Attributes that this code writes, or that have a meaning for readers.
const std::set<std::string, std::less<>> kOwnAttributes = {
    "long_name", "units",         "cell_methods", "_FillValue", "coordinates",  "comment",    "id",
    "quantity",  "missing_value", "bounds",       "calendar",   "scale_factor", "add_offset", "axis"};

struct TimeAxis {
  std::size_t series = 0;  // the first series with this axis: its rows define the axis
  bool has_spans = false;
  int dimension = 0;
  int variable = 0;
  int bounds = -1;
};

struct ElementAxis {
  std::size_t series = 0;
  std::size_t id_length = 1;
  int dimension = 0;
  int ids = 0;
  int x = -1;
  int y = -1;
  std::string coordinates = {};  // the attribute `coordinates` of the variables on this axis
};

bool HaveSameTimes(const Rows& a, const Rows& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& left, const auto& right) {
    return left.begin == right.begin && left.end == right.end;
  });
}

bool HaveSameElements(const ResultSeries& a, const ResultSeries& b) {
  return a.elements == b.elements && a.x == b.x && a.y == b.y && a.is_longitude_latitude == b.is_longitude_latitude;
}

class Builder {
 public:
  Builder(JournalReader& journal, CfFile& file) : journal_(journal), file_(file) {}

  void Build() {
    FindAxes();
    file_.Create(IsCompressed()          ? CfFile::Form::Netcdf4
                 : NeedsLargeVariables() ? CfFile::Form::Data64
                                         : CfFile::Form::Classic);
    DefineGlobals();
    DefineElementAxes();
    DefineTimeAxes();
    DefineVariables();
    file_.EndDefinitions();
    for (const ElementAxis& axis : element_axes_) WriteElementAxis(axis);
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

      found = 0;
      while (found < element_axes_.size() && !HaveSameElements(Series()[element_axes_[found].series], Series()[i]))
        ++found;
      if (Series()[i].elements.empty()) {
        found = kNone;
      } else if (found == element_axes_.size()) {
        element_axes_.push_back({.series = i});
      }
      element_axis_of_.push_back(found);
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

  /// Whether the file is a set of time series at points after chapter 9 of the conventions.
  ///
  /// It must have one set of locations, by longitude and latitude, for all its data.
  bool IsTimeSeriesOfPoints() const {
    if (element_axes_.size() != 1) return false;
    const ResultSeries& series = Series()[element_axes_.front().series];
    return series.is_longitude_latitude && !series.x.empty() && HasUniqueIds(series) &&
           std::none_of(element_axis_of_.begin(), element_axis_of_.end(),
                        [](std::size_t axis) { return axis == kNone; });
  }

  static bool HasUniqueIds(const ResultSeries& series) {
    return std::set<std::string_view>(series.elements.begin(), series.elements.end()).size() == series.elements.size();
  }

  void DefineGlobals() {
    file_.PutText(NC_GLOBAL, "Conventions", "CF-1.8");
    if (IsTimeSeriesOfPoints()) file_.PutText(NC_GLOBAL, "featureType", "timeSeries");
    file_.PutText(NC_GLOBAL, "title", journal_.Info().title);
    file_.PutText(NC_GLOBAL, "source", journal_.Info().source);
    file_.PutText(NC_GLOBAL, "history", journal_.Info().history);
    file_.PutText(NC_GLOBAL, "comment", journal_.Info().comment);
    file_.PutText(NC_GLOBAL, "notes", fmt::format("{}", fmt::join(journal_.Info().notes, "\n")));
  }

  int Define(const std::string& name, int type, std::initializer_list<int> dimensions) {
    return file_.AddVariable(name, type, std::span(dimensions.begin(), dimensions.size()));
  }

  void DefineElementAxes() {
    for (ElementAxis& axis : element_axes_) {
      const ResultSeries& series = Series()[axis.series];
      for (const std::string& id : series.elements) axis.id_length = std::max(axis.id_length, id.size());
      const std::string name = names_.Take("element");
      axis.dimension = file_.AddDimension(name, series.elements.size());
      const int length = file_.AddDimension(names_.Take(name + "_id_length"), axis.id_length);
      const std::string id_name = names_.Take(name + "_id");
      axis.ids = Define(id_name, NC_CHAR, {axis.dimension, length});
      file_.PutText(axis.ids, "long_name", "id of the element");
      file_.PutText(axis.ids, "_Encoding", "utf-8");
      if (IsTimeSeriesOfPoints()) file_.PutText(axis.ids, "cf_role", "timeseries_id");
      axis.coordinates = id_name;
      if (series.x.empty()) continue;
      const bool is_degrees = series.is_longitude_latitude;
      const std::string x_name = names_.Take(is_degrees ? "lon" : "x");
      const std::string y_name = names_.Take(is_degrees ? "lat" : "y");
      axis.x = Define(x_name, NC_DOUBLE, {axis.dimension});
      axis.y = Define(y_name, NC_DOUBLE, {axis.dimension});
      file_.PutText(axis.x, "long_name", is_degrees ? "longitude" : "x coordinate of the element");
      file_.PutText(axis.y, "long_name", is_degrees ? "latitude" : "y coordinate of the element");
      if (is_degrees) {
        file_.PutText(axis.x, "standard_name", "longitude");
        file_.PutText(axis.x, "units", "degrees_east");
        file_.PutText(axis.y, "standard_name", "latitude");
        file_.PutText(axis.y, "units", "degrees_north");
      }
      axis.coordinates += " " + y_name + " " + x_name;
    }
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

  void DefineVariables() {
    for (std::size_t i = 0; i < Series().size(); ++i) {
      const ResultSeries& series = Series()[i];
      const TimeAxis& time = time_axes_[time_axis_of_[i]];
      const std::string name = names_.Take(series.id);
      const int variable =
          element_axis_of_[i] == kNone
              ? Define(name, NC_DOUBLE, {time.dimension})
              : Define(name, NC_DOUBLE, {time.dimension, element_axes_[element_axis_of_[i]].dimension});
      variables_.push_back(variable);
      Compress(variable, i, element_axis_of_[i] == kNone ? 0 : series.Width());
      file_.PutText(variable, "long_name", series.caption.empty() ? series.id : series.caption);
      file_.PutText(variable, "units", series.unit.empty() ? "1" : series.unit);
      file_.PutText(variable, "cell_methods",
                    fmt::format("{}: {}", file_.DimensionName(time.dimension), kCellMethods.NameOf(series.kind)));
      file_.PutNumber(variable, "_FillValue", series.missing);
      if (element_axis_of_[i] != kNone) {
        file_.PutText(variable, "coordinates", element_axes_[element_axis_of_[i]].coordinates);
      }
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

  void WriteElementAxis(const ElementAxis& axis) {
    const ResultSeries& series = Series()[axis.series];
    std::string text;
    for (const std::string& id : series.elements) {
      text += id;
      text.resize(text.size() + axis.id_length - id.size(), '\0');
    }
    const auto lock = LockNetcdf();
    file_.Check(nc_put_var_text(file_.Id(), axis.ids, text.data()));
    if (axis.x >= 0) file_.Check(nc_put_var_double(file_.Id(), axis.x, series.x.data()));
    if (axis.y >= 0) file_.Check(nc_put_var_double(file_.Id(), axis.y, series.y.data()));
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

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr std::size_t kValuesAtOnce = 1 << 16;

  JournalReader& journal_;
  CfFile& file_;
  NetcdfNames names_;
  std::vector<TimeAxis> time_axes_;
  std::vector<ElementAxis> element_axes_;
  std::vector<std::size_t> time_axis_of_;     // by series
  std::vector<std::size_t> element_axis_of_;  // by series; kNone: it has no elements
  std::vector<int> variables_;                // by series
  double epoch_ = 0.0;
  std::size_t total_width_ = 0;
};

}  // namespace

std::filesystem::path JournalOf(const std::filesystem::path& netcdf) {
  std::filesystem::path journal = netcdf;
  journal += ".journal";
  return journal;
}

NetcdfResults::NetcdfResults(std::filesystem::path path, const RunInfo& info, std::vector<ResultSeries> series,
                             AppendFile::Existing existing)
    : path_(Checked(std::move(path), existing)),
      journal_(FirstJournalOf(path_, existing), info, std::move(series), existing),
      is_in_place_(existing == AppendFile::Existing::Refuse) {}

std::unique_ptr<NetcdfResults> NetcdfResults::Reopen(std::filesystem::path path, std::vector<ResultSeries> series,
                                                     std::uint64_t journal_bytes) {
  return std::unique_ptr<NetcdfResults>(new NetcdfResults(GoesOn{}, std::move(path), std::move(series), journal_bytes));
}

NetcdfResults::NetcdfResults(GoesOn, std::filesystem::path path, std::vector<ResultSeries> series,
                             std::uint64_t journal_bytes)
    : path_(std::move(path)),
      journal_(JournalToGoOnWith(path_), std::move(series), journal_bytes),
      goes_on_(true),
      is_in_place_(false) {}

void NetcdfResults::TakePlace() {
  if (is_in_place_) return;
  journal_.CutBack();
  journal_.Sync();
  if (journal_.Path() != JournalOf(path_)) journal_.MoveTo(JournalOf(path_));
  is_in_place_ = true;
  // A file from an older run must not look like one of this run.
  std::error_code problem;
  std::filesystem::remove(path_, problem);
  if (goes_on_) {
    KeepJournal();
  } else {
    ForgetJournal();
  }
  SyncFolder(path_.parent_path());
}

void NetcdfResults::KeepJournal() {
  std::error_code problem;
  const std::filesystem::path kept = KeptJournalOf(path_);
  if (std::filesystem::exists(kept, problem) && std::filesystem::equivalent(kept, journal_.Path(), problem)) return;
  std::filesystem::remove(kept, problem);
  std::filesystem::create_hard_link(journal_.Path(), kept, problem);
}

void NetcdfResults::ForgetJournal() {
  std::error_code problem;
  std::filesystem::remove(KeptJournalOf(path_), problem);
}

NetcdfResults::~NetcdfResults() {
  try {
    if (is_in_place_) {
      Close();
    } else if (!goes_on_) {
      journal_.Discard();
    }
  } catch (const Error&) {
    // The journal stays. Call Close to get the error.
  }
}

void NetcdfResults::Append(std::size_t series, double begin, double end, std::span<const double> values) {
  journal_.Append(series, begin, end, values);
}

void NetcdfResults::Note(const std::string& text) {
  journal_.Note(text);
}

void NetcdfResults::Commit(double until) {
  journal_.Commit(until);
}

void NetcdfResults::Close() {
  if (is_closed_) return;
  TakePlace();
  journal_.Close();
  JournalReader reader(journal_.Path());
  BuildFromJournal(journal_.Path(), path_, reader);
  is_closed_ = true;
  journal_.Release();
}

bool RebuildFromJournal(const std::filesystem::path& netcdf) {
  const std::filesystem::path journal = JournalOf(netcdf);
  const FileDescriptor file(open(journal.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.IsOpen()) {
    if (errno == ENOENT || errno == ENOTDIR) return false;
    ThrowFileProblem(journal, "read a journal of results", errno);
  }
  if (flock(file.Number(), LOCK_EX | LOCK_NB) != 0) return false;
  JournalReader reader(journal);
  if (!reader.IsBegun()) {
    std::error_code ignored;
    std::filesystem::remove(journal, ignored);
    return false;
  }
  BuildFromJournal(journal, netcdf, reader);
  return true;
}

void BuildNetcdf(JournalReader& journal, const std::filesystem::path& path) {
  CfFile file(path, "write results");
  Builder(journal, file).Build();
  file.Close();
}

}  // namespace openmi
