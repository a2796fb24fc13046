#include "composition/run/RunFiles.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <exception>
#include <system_error>

#include "composition/results/CsvResults.hpp"
#include "composition/results/JournalReader.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/run/RunOptions.hpp"
#include "openmi/omi/SdkVersion.hpp"

namespace openmi {
namespace {

std::filesystem::path Named(const RunFolder& folder, const std::string& name, const char* ending) {
  return name.empty() ? folder.File(ending) : folder.Folder() / name;
}

/// The time of the machine's clock, as the history of a file has it: "2026-01-31T12:00:00Z". SOURCE_DATE_EPOCH, as
/// builds that are to be repeated set it, stands in its place.
std::string ClockTime() {
  const char* fixed = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t now = fixed != nullptr ? static_cast<std::time_t>(std::atoll(fixed)) : std::time(nullptr);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
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
      report_(Named(folder_, file.results.report, ".html")),
      csv_(Named(folder_, file.results.csv, ".csv")),
      nc_(Named(folder_, file.results.netcdf, ".nc")) {}

RunFiles::~RunFiles() = default;

std::filesystem::path RunFiles::Shown(const std::filesystem::path& path) const {
  const std::filesystem::path below = path.lexically_relative(Folder());
  return below.empty() || *below.begin() == ".." ? path : options_.folder / below;
}

bool RunFiles::HasEarlier() const {
  std::error_code ignored;
  for (const auto& path : {csv_, nc_, JournalOf(nc_), report_}) {
    if (std::filesystem::exists(path, ignored)) return true;
  }
  return false;
}

void RunFiles::Open(const std::vector<RecordedSeries>& series, bool overwrite) {
  if (!options_.write_results || series.empty()) return;
  RunInfo info;
  info.title = file_.caption.empty() ? file_.id : file_.caption;
  info.comment = file_.description;
  info.compression = file_.results.compression;
  info.source = "OpenMI 2.0 SDK " + std::string(kSdkVersion);
  if (!options_.command.empty()) info.history = ClockTime() + " " + options_.command;
  const std::vector<ResultSeries> described = Described(series);
  const auto existing = overwrite ? AppendFile::Existing::Overwrite : AppendFile::Existing::Refuse;
  writers_.push_back(std::make_unique<CsvResults>(csv_, info, described, existing));
  std::unique_ptr<NetcdfResults> netcdf;
  try {
    netcdf = std::make_unique<NetcdfResults>(nc_, info, described, existing);
  } catch (...) {
    // Nothing was computed: a table without rows would only stand in the way of the next run.
    writers_.clear();
    std::error_code ignored;
    if (std::filesystem::is_regular_file(std::filesystem::symlink_status(csv_, ignored))) {
      std::filesystem::remove(csv_, ignored);
    }
    throw;
  }
  netcdf_ = netcdf.get();
  writers_.push_back(std::move(netcdf));
  paths_ = {Shown(csv_).string(), Shown(nc_).string()};
}

void RunFiles::Reopen(const std::vector<RecordedSeries>& series, std::uint64_t journal_bytes, double until,
                      const Taker& take) {
  const std::vector<ResultSeries> described = Described(series);
  auto netcdf = NetcdfResults::Reopen(nc_, described, journal_bytes);
  const JournalReader journal(netcdf->JournalPath(), journal_bytes);
  // Beside the one that is there, which stays until the new one is whole.
  std::filesystem::path part = csv_;
  part += ".part";
  auto csv = std::make_unique<CsvResults>(part, journal.Info(), described, AppendFile::Existing::Overwrite);
  // Lines are written some thousand rows late, so that rows out of order find theirs in hand.
  constexpr std::size_t kWindow = 8192;
  std::vector<double> ends(kWindow, 0.0);
  std::size_t count = 0;
  journal.ForEachRow([&](std::size_t number, const JournalReader::Row& row, std::span<const double> values) {
    csv->Append(number, row.begin, row.end, values);
    take(number, Stamp{row.begin}, Stamp{row.end}, values);
    double& end = ends[count % kWindow];
    if (count >= kWindow && count % 64 == 0) csv->Commit(end);
    end = row.end;
    ++count;
  });
  csv->Commit(until);
  csv->Replace(csv_);
  netcdf_ = netcdf.get();
  writers_.push_back(std::move(csv));
  writers_.push_back(std::move(netcdf));
  paths_ = {Shown(csv_).string(), Shown(nc_).string()};
}

void RunFiles::Append(std::size_t series, double begin, double end, std::span<const double> row) {
  for (const auto& writer : writers_) writer->Append(series, begin, end, row);
}

void RunFiles::Commit(double until) {
  for (const auto& writer : writers_) writer->Commit(until);
}

void RunFiles::Note(const std::string& text) {
  for (const auto& writer : writers_) writer->Note(text);
}

std::optional<std::uint64_t> RunFiles::Keep() {
  if (netcdf_ == nullptr) return std::nullopt;
  netcdf_->KeepJournal();
  netcdf_->Sync();
  return netcdf_->JournalBytes();
}

std::vector<std::string> RunFiles::Close() {
  std::exception_ptr first;  // one file that fails does not keep the others from being completed
  for (const auto& writer : writers_) {
    try {
      writer->Close();
    } catch (...) {
      if (first == nullptr) first = std::current_exception();
    }
  }
  if (first != nullptr) std::rethrow_exception(first);
  return paths_;
}

void RunFiles::Forget() {
  if (netcdf_ != nullptr) netcdf_->ForgetJournal();
}

}  // namespace openmi
