#include "composition/run/RunFiles.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <system_error>

#include "composition/results/CsvResults.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/run/RunOptions.hpp"
#include "openmi/omi/SdkVersion.hpp"

namespace openmi {
namespace {

std::filesystem::path Named(const RunFolder& folder, const std::string& name, const char* ending) {
  return name.empty() ? folder.File(ending) : folder.Folder() / name;
}

/// The time of the machine's clock, as the history of a file has it: "2026-01-31T12:00:00Z".
std::string ClockTime() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace

RunFiles::RunFiles(const CompositionFile& file, const RunOptions& options, const std::vector<RecordedSeries>& series)
    : folder_(options.folder, file.id,
              options.overwrite ? RunFolder::Existing::Overwrite : RunFolder::Existing::Refuse) {
  report_ = Named(folder_, file.results.report, ".html");
  if (!options.write_results || series.empty()) return;
  std::vector<ResultSeries> described;
  for (const RecordedSeries& recorded : series) described.push_back(recorded.series);
  RunInfo info;
  info.title = file.caption.empty() ? file.id : file.caption;
  info.comment = file.description;
  info.source = "OpenMI 2.0 SDK " + std::string(kSdkVersion);
  if (!options.command.empty()) info.history = ClockTime() + " " + options.command;
  const std::filesystem::path csv = Named(folder_, file.results.csv, ".csv");
  const std::filesystem::path netcdf = Named(folder_, file.results.netcdf, ".nc");
  const auto existing = options.overwrite ? AppendFile::Existing::Overwrite : AppendFile::Existing::Refuse;
  writers_.push_back(std::make_unique<CsvResults>(csv, info, described, existing));
  paths_.push_back(csv.string());
  try {
    writers_.push_back(std::make_unique<NetcdfResults>(netcdf, info, described, existing));
  } catch (...) {
    // Nothing was computed: a table without rows would only stand in the way of the next run.
    writers_.clear();
    std::error_code ignored;
    if (std::filesystem::is_regular_file(std::filesystem::symlink_status(csv, ignored))) {
      std::filesystem::remove(csv, ignored);
    }
    throw;
  }
  paths_.push_back(netcdf.string());
}

void RunFiles::Append(std::size_t series, double begin, double end, std::span<const double> row) {
  for (const auto& writer : writers_) writer->Append(series, begin, end, row);
}

void RunFiles::Commit(double until) {
  for (const auto& writer : writers_) writer->Commit(until);
}

std::vector<std::string> RunFiles::Close() {
  for (const auto& writer : writers_) writer->Close();
  return paths_;
}

}  // namespace openmi
