#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "composition/results/CfFile.hpp"
#include "composition/results/ElementAxes.hpp"
#include "composition/results/NetcdfNames.hpp"
#include "openmi/omi/SdkVersion.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "study/results/StudyRows.hpp"
#include "timespace/files/NetcdfFile.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

class Writer {
 public:
  Writer(const Study& study, const StudyTable& table, SeriesColumns& columns, CfFile& file)
      : study_(study), table_(table), columns_(columns), file_(file) {
    for (const SeriesColumn& column : columns.Columns()) series_.push_back(column.series);
  }

  void Write(const StudyJournalReader& journal) {
    file_.Create(IsLarge() ? CfFile::Form::Data64 : CfFile::Form::Classic);
    {
      const auto lock = LockNetcdf();
      int before = 0;
      file_.Check(nc_set_fill(file_.Id(), NC_NOFILL, &before));  // everything is written once
    }
    ElementAxes elements(file_, names_, series_);
    file_.PutText(NC_GLOBAL, "Conventions", "CF-1.8");
    file_.PutText(NC_GLOBAL, "title", study_.File().caption.empty() ? study_.File().id : study_.File().caption);
    file_.PutText(NC_GLOBAL, "source", fmt::format("OpenMI 2.0 SDK {}", kSdkVersion));
    file_.PutText(NC_GLOBAL, "comment", study_.File().description);
    members_ = file_.AddDimension(names_.Take("member"), table_.Rows().size());
    DefineMembers();
    DefineTimes();
    elements.TakeCoordinateNames();
    const std::vector<std::string> names = names_.TakeForSeries(series_);
    elements.Define(names);
    DefineSeries(names, elements);
    file_.EndDefinitions();
    elements.Write();
    WriteTimes();
    WriteMembers();
    WriteSeries(journal);
  }

 private:
  struct TextVariable {
    int variable = 0;
    std::size_t length = 0;
    std::vector<std::string> texts;
  };
  struct NumberVariable {
    int variable = 0;
    std::vector<double> numbers;
  };

  bool IsLarge() const {
    constexpr double kLimit = 4294967292.0;
    const double members = static_cast<double>(table_.Rows().size());
    return std::ranges::any_of(columns_.Columns(), [&](const SeriesColumn& column) {
      return 8.0 * members * static_cast<double>(column.times.size()) * static_cast<double>(column.series.Width()) >
             kLimit;
    });
  }

  int AddVariable(const std::string& name, int type, std::initializer_list<int> dimensions) {
    return file_.AddVariable(name, type, std::span(dimensions.begin(), dimensions.size()));
  }

  void AddNumbers(const std::string& name, std::vector<double> numbers, const std::string& long_name,
                  const std::string& unit) {
    const int variable = AddVariable(names_.Take(name), NC_DOUBLE, {members_});
    file_.PutText(variable, "long_name", long_name);
    file_.PutText(variable, "units", unit);
    numbers_.push_back({variable, std::move(numbers)});
  }

  void AddTexts(const std::string& name, std::vector<std::string> texts, const std::string& long_name) {
    std::size_t length = 1;
    for (const std::string& text : texts) length = std::max(length, text.size());
    const int dimension = file_.AddDimension(names_.Take(name + "_length"), length);
    const int variable = AddVariable(names_.Take(name), NC_CHAR, {members_, dimension});
    file_.PutText(variable, "long_name", long_name);
    texts_.push_back({variable, length, std::move(texts)});
  }

  void DefineMembers() {
    std::vector<double> numbers(table_.Rows().size());
    std::iota(numbers.begin(), numbers.end(), 1.0);
    const int member = AddVariable("member", NC_DOUBLE, {members_});
    file_.PutText(member, "long_name", "number of the member");
    numbers_.push_back({member, std::move(numbers)});
    std::vector<std::string> ends;
    for (const MemberRow& row : table_.Rows()) ends.emplace_back(row.end ? kMemberEnds.NameOf(*row.end) : "not-run");
    AddTexts("end", std::move(ends), "how the member ended");
    for (std::size_t k = 0; k < study_.File().varies.size(); ++k) {
      const VarySpec& vary = study_.File().varies[k];
      if (auto values = table_.Numbers(k)) {
        AddNumbers(vary.id, std::move(*values), vary.TargetText(), vary.unit);
        continue;
      }
      std::vector<std::string> texts;
      for (const MemberRow& row : table_.Rows()) texts.push_back(row.values[k]);
      AddTexts(vary.id, std::move(texts), vary.TargetText());
    }
    for (std::size_t i = 0; i < study_.File().objectives.size(); ++i) {
      std::vector<double> values;
      for (const MemberRow& row : table_.Rows()) values.push_back(row.objectives[i]);
      const ObjectiveSpec& objective = study_.File().objectives[i];
      AddNumbers(objective.id, std::move(values),
                 fmt::format("{} of {}", kObjectiveMeasures.NameOf(objective.measure),
                             objective.compare.empty() ? objective.item : objective.compare),
                 {});
    }
    if (!table_.HasCost()) return;
    std::vector<double> costs;
    for (const MemberRow& row : table_.Rows()) costs.push_back(row.cost);
    AddNumbers("cost", std::move(costs), "weighted cost of the objectives", "1");
  }

  void DefineTimes() {
    double earliest = std::numeric_limits<double>::infinity();
    for (const SeriesColumn& column : columns_.Columns()) {
      for (const double begin : column.begins) earliest = std::min(earliest, begin);
    }
    epoch_ = std::isfinite(earliest) ? std::floor(earliest) : 51544.0;
    std::string since = FormatIsoTime(Stamp{epoch_});
    std::ranges::replace(since, 'T', ' ');
    since.pop_back();  // by the conventions, times without a zone are UTC
    int ends = -1;
    for (const SeriesColumn& column : columns_.Columns()) {
      TimeAxis axis;
      for (std::size_t i = 0; i < axes_.size(); ++i) {
        const SeriesColumn& other = columns_.Columns()[i];
        if (other.times == column.times && other.begins == column.begins) axis = axes_[i];
      }
      if (axis.dimension < 0) {
        const std::string name = names_.Take("time");
        axis.dimension = file_.AddDimension(name, column.times.size());
        axis.variable = AddVariable(name, NC_DOUBLE, {axis.dimension});
        file_.PutText(axis.variable, "standard_name", "time");
        file_.PutText(axis.variable, "units", "seconds since " + since);
        file_.PutText(axis.variable, "calendar", "standard");
        file_.PutText(axis.variable, "axis", "T");
        if (column.series.kind != ResultKind::Instant) {
          if (ends < 0) ends = file_.AddDimension(names_.Take("nv"), 2);
          const std::string bounds = names_.Take(name + "_bnds");
          axis.bounds = AddVariable(bounds, NC_DOUBLE, {axis.dimension, ends});
          file_.PutText(axis.variable, "bounds", bounds);
        }
      }
      axes_.push_back(axis);
    }
  }

  void DefineSeries(const std::vector<std::string>& names, const ElementAxes& elements) {
    for (std::size_t i = 0; i < series_.size(); ++i) {
      const ResultSeries& series = series_[i];
      const int time = axes_[i].dimension;
      const std::optional<int> element = elements.DimensionOf(i);
      const int variable = element ? AddVariable(names[i], NC_DOUBLE, {members_, time, *element})
                                   : AddVariable(names[i], NC_DOUBLE, {members_, time});
      variables_.push_back(variable);
      file_.PutText(variable, "long_name", series.caption.empty() ? series.id : series.caption);
      file_.PutText(variable, "units", series.unit.empty() ? "1" : series.unit);
      file_.PutText(variable, "cell_methods",
                    fmt::format("{}: {}", file_.DimensionName(time), kCellMethods.NameOf(series.kind)));
      file_.PutNumber(variable, "_FillValue", kNotANumber);
      elements.Describe(variable, i);
      file_.PutText(variable, "id", series.id);
    }
  }

  void Put(int variable, std::span<const std::size_t> start, std::span<const std::size_t> count, const double* values) {
    if (std::ranges::find(count, std::size_t{0}) != count.end()) return;
    const auto lock = LockNetcdf();
    file_.Check(nc_put_vara_double(file_.Id(), variable, start.data(), count.data(), values));
  }

  double SecondsOf(double mjd) const { return std::round((mjd - epoch_) * kMicrosPerDay) / 1e6; }

  void WriteTimes() {
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const SeriesColumn& column = columns_.Columns()[i];
      std::vector<double> seconds;
      std::vector<double> bounds;
      for (std::size_t row = 0; row < column.times.size(); ++row) {
        seconds.push_back(SecondsOf(column.times[row]));
        bounds.insert(bounds.end(), {SecondsOf(column.begins[row]), seconds.back()});
      }
      const std::array<std::size_t, 2> start = {0, 0};
      const std::array<std::size_t, 2> count = {column.times.size(), 2};
      Put(axes_[i].variable, start, std::span(count).first(1), seconds.data());
      if (axes_[i].bounds >= 0) Put(axes_[i].bounds, start, count, bounds.data());
    }
  }

  void WriteMembers() {
    const std::array<std::size_t, 2> start = {0, 0};
    for (const NumberVariable& one : numbers_) {
      const std::array<std::size_t, 1> count = {one.numbers.size()};
      Put(one.variable, start, count, one.numbers.data());
    }
    for (const TextVariable& one : texts_) {
      std::string all;
      for (const std::string& text : one.texts) all += text + std::string(one.length - text.size(), '\0');
      if (all.empty()) continue;
      const std::array<std::size_t, 2> count = {one.texts.size(), one.length};
      const auto lock = LockNetcdf();
      file_.Check(nc_put_vara_text(file_.Id(), one.variable, start.data(), count.data(), all.data()));
    }
  }

  void WriteSeries(const StudyJournalReader& journal) {
    std::vector<double> none;
    for (std::uint64_t member = 0; member < table_.Rows().size(); ++member) {
      std::vector<bool> has(series_.size(), false);
      const auto put = [&](std::size_t column, const std::vector<double>& values) {
        const std::size_t width = series_[column].Width();
        const std::array<std::size_t, 3> start = {member, 0, 0};
        const std::array<std::size_t, 3> count = {1, columns_.Columns()[column].times.size(), width};
        Put(variables_[column], start, std::span(count).first(series_[column].elements.empty() ? 2 : 3), values.data());
        has[column] = true;
      };
      if (const auto result = journal.Read(member)) {
        for (const MemberSeries& series : result->series) put(columns_.ColumnOf(series.shape), columns_.Placed(series));
      }
      for (std::size_t column = 0; column < series_.size(); ++column) {
        if (has[column]) continue;
        none.assign(columns_.Columns()[column].times.size() * series_[column].Width(), kNotANumber);
        put(column, none);
      }
    }
  }

  struct TimeAxis {
    int dimension = -1;
    int variable = -1;
    int bounds = -1;
  };

  const Study& study_;
  const StudyTable& table_;
  SeriesColumns& columns_;
  CfFile& file_;
  NetcdfNames names_;
  std::vector<ResultSeries> series_;
  std::vector<TimeAxis> axes_;  // by series
  std::vector<int> variables_;  // by series
  std::vector<NumberVariable> numbers_;
  std::vector<TextVariable> texts_;
  int members_ = 0;
  double epoch_ = 0.0;
};

}  // namespace

void WriteStudyNetcdf(const Study& study, const StudyJournalReader& journal, const StudyTable& table,
                      SeriesColumns& columns, const std::filesystem::path& path) {
  std::filesystem::path part = path;
  part += ".part";
  {
    CfFile file(part, "write results");
    Writer(study, table, columns, file).Write(journal);
    file.Close();
  }
  std::error_code error;
  std::filesystem::rename(part, path, error);
  if (!error) return;
  throw FileError({.file = path.string()}, "expected to put the results in place, found: " + error.message(),
                  "check that the folder may be written to");
}

}  // namespace openmi
