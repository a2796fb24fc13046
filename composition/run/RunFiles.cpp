#include "composition/run/RunFiles.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <exception>
#include <system_error>

#include "composition/record/MapLayers.hpp"
#include "composition/results/CsvResults.hpp"
#include "composition/results/FileProblem.hpp"
#include "composition/results/JournalReader.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/run/RunOptions.hpp"
#include "openmi/omi/SdkVersion.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/files/VectorLayer.hpp"

namespace openmi {
namespace {

/// The path under which a table is written that will replace another one.
std::filesystem::path PartOf(std::filesystem::path path) {
  path += ".part";
  return path;
}

/// The time of the machine's clock, in the form of a file's history: "2026-01-31T12:00:00Z". If SOURCE_DATE_EPOCH is
/// set, as for reproducible builds, that time is used.
std::string ClockTime() {
  const char* fixed = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t now = fixed != nullptr ? static_cast<std::time_t>(std::atoll(fixed)) : std::time(nullptr);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

bool WritesMap(const CompositionFile& file, const RunOptions& options) {
  return options.write_results && !file.results.geopackage.empty();
}

std::vector<ResultSeries> Described(const std::vector<RecordedSeries>& series) {
  std::vector<ResultSeries> described;
  for (const RecordedSeries& recorded : series) described.push_back(recorded.series);
  return described;
}

}  // namespace

RunFiles::RunFiles(const CompositionFile& file, const RunOptions& options)
    : file_(file),
      options_(options),
      folder_(std::filesystem::absolute(options.folder.empty() ? "." : options.folder), file.id,
              options.resume      ? RunFolder::Existing::Resume
              : options.overwrite ? RunFolder::Existing::Overwrite
                                  : RunFolder::Existing::Refuse),
      report_(Folder() / file.ResultName(file.results.report, ".html")),
      csv_(Folder() / file.ResultName(file.results.csv, ".csv")),
      nc_(Folder() / file.ResultName(file.results.netcdf, ".nc")),
      map_(WritesMap(file, options) ? Folder() / file.results.geopackage : std::filesystem::path()) {}

RunFiles::~RunFiles() {
  Drop();
  try {
    if (csv_is_beside_) TakePlace();  // rows of this run belong beside its own NetCDF, not beside an earlier one
  } catch (const Error&) {            // NOLINT(bugprone-empty-catch): the first failure was reported
  }
}

std::filesystem::path RunFiles::Shown(const std::filesystem::path& path) const {
  const std::filesystem::path below = path.lexically_relative(Folder());
  return below.empty() || *below.begin() == ".." ? path : options_.folder / below;
}

bool RunFiles::HasEarlier() const {
  std::error_code ignored;
  for (const auto& path : {csv_, nc_, JournalOf(nc_), report_, map_}) {
    if (!path.empty() && std::filesystem::exists(path, ignored)) return true;
  }
  return false;
}

void RunFiles::Open(const std::vector<RecordedSeries>& series, bool overwrite) {
  if (!options_.write_results || series.empty()) return;
  std::error_code ignored;
  if (!overwrite && !map_.empty() && std::filesystem::exists(map_, ignored)) RefuseEarlierResults(map_);
  RunInfo info;
  info.title = file_.caption.empty() ? file_.id : file_.caption;
  info.comment = file_.description;
  info.compression = file_.results.compression;
  info.source = fmt::format("OpenMI 2.0 SDK {}", kSdkVersion);
  if (!options_.command.empty()) info.history = ClockTime() + " " + options_.command;
  const std::vector<ResultSeries> described = Described(series);
  const auto existing = overwrite ? AppendFile::Existing::Overwrite : AppendFile::Existing::Refuse;
  if (overwrite) ExpectReplaceable(csv_);
  auto csv = std::make_unique<CsvResults>(overwrite ? PartOf(csv_) : csv_, info, described, existing);
  if (overwrite) csv->StandBeside();
  std::unique_ptr<NetcdfResults> netcdf;
  try {
    netcdf = std::make_unique<NetcdfResults>(nc_, info, described, existing);
  } catch (...) {
    csv->Discard();  // nothing was computed: a table without rows would only block the next run
    throw;
  }
  Take(std::move(csv), std::move(netcdf), !overwrite);
}

void RunFiles::Take(std::unique_ptr<CsvResults> csv, std::unique_ptr<NetcdfResults> netcdf, bool is_in_place) {
  csv_results_ = std::move(csv);
  netcdf_ = std::move(netcdf);
  is_in_place_ = is_in_place;
  csv_is_beside_ = !is_in_place;
  paths_ = {Shown(csv_).string(), Shown(nc_).string()};
}

void RunFiles::TakePlace() {
  if (!is_in_place_) netcdf_->TakePlace();
  is_in_place_ = true;
  if (csv_is_beside_) csv_results_->Replace(csv_);
  csv_is_beside_ = false;
}

void RunFiles::Drop() {
  if (is_in_place_ || csv_results_ == nullptr) return;
  csv_results_->Discard();
  csv_results_.reset();
  csv_is_beside_ = false;
  netcdf_.reset();
  paths_.clear();
}

void RunFiles::Reopen(const std::vector<RecordedSeries>& series, std::uint64_t journal_bytes, double until,
                      const Taker& take) {
  const std::vector<ResultSeries> described = Described(series);
  auto netcdf = NetcdfResults::Reopen(nc_, described, journal_bytes);
  const JournalReader journal(netcdf->JournalPath(), journal_bytes);
  auto csv = std::make_unique<CsvResults>(PartOf(csv_), journal.Info(), described, AppendFile::Existing::Overwrite);
  csv->StandBeside();
  // Lines are written some thousand rows late, so that rows out of order can still be placed.
  constexpr std::size_t kWindow = 8192;
  std::vector<double> ends(kWindow, 0.0);
  std::size_t count = 0;
  try {
    journal.ForEachRow([&](std::size_t number, const JournalReader::Row& row, std::span<const double> values) {
      csv->Append(number, row.begin, row.end, values);
      take(number, Stamp{row.begin}, Stamp{row.end}, values);
      double& end = ends[count % kWindow];
      if (count >= kWindow && count % 64 == 0) csv->Commit(end);
      end = row.end;
      ++count;
    });
    csv->Commit(until);
  } catch (...) {
    csv->Discard();
    throw;
  }
  Take(std::move(csv), std::move(netcdf), false);
}

void RunFiles::Append(std::size_t series, double begin, double end, std::span<const double> row) {
  if (netcdf_ == nullptr) return;
  csv_results_->Append(series, begin, end, row);
  netcdf_->Append(series, begin, end, row);
  has_rows_ = true;
}

bool RunFiles::Commit(double until) {
  if (netcdf_ == nullptr || (!is_in_place_ && !has_rows_)) return false;
  csv_results_->Commit(until);
  netcdf_->Commit(until);
  return !is_in_place_;
}

void RunFiles::Note(const std::string& text) {
  if (netcdf_ == nullptr) return;
  csv_results_->Note(text);
  netcdf_->Note(text);
}

std::optional<std::uint64_t> RunFiles::Keep() {
  if (netcdf_ == nullptr) return std::nullopt;
  netcdf_->KeepJournal();
  netcdf_->Sync();
  return netcdf_->JournalBytes();
}

std::vector<std::string> RunFiles::Close() {
  if (netcdf_ == nullptr) return paths_;
  TakePlace();
  std::exception_ptr failed;  // a file that fails does not prevent the other from being completed
  for (IResultWriter* writer :
       {static_cast<IResultWriter*>(csv_results_.get()), static_cast<IResultWriter*>(netcdf_.get())}) {
    try {
      writer->Close();
    } catch (...) {
      if (failed == nullptr) failed = std::current_exception();
    }
  }
  if (failed != nullptr) std::rethrow_exception(failed);
  return paths_;
}

std::string RunFiles::WriteMap(const RunRecord& record) {
  if (map_.empty() || record.series.empty()) return {};
  WriteGeoPackage(map_.string(), MapLayersOf(record));
  return Shown(map_).string();
}

void RunFiles::Forget() {
  if (netcdf_ != nullptr) netcdf_->ForgetJournal();
}

}  // namespace openmi
