#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/results/IResultWriter.hpp"
#include "composition/results/RunFolder.hpp"
#include "composition/run/RunRecord.hpp"

namespace openmi {

struct RunOptions;

/// The files one run writes: the folder it holds, and its CSV and NetCDF.
class RunFiles {
 public:
  /// \throws FileError  the folder is taken, holds earlier results, or cannot be written
  RunFiles(const CompositionFile& file, const RunOptions& options, const std::vector<RecordedSeries>& series);

  void Append(std::size_t series, double begin, double end, std::span<const double> row);
  void Commit(double until);
  /// \returns the paths of the completed files
  std::vector<std::string> Close();
  const std::filesystem::path& ReportPath() const { return report_; }

 private:
  RunFolder folder_;
  std::filesystem::path report_;
  std::vector<std::unique_ptr<IResultWriter>> writers_;
  std::vector<std::string> paths_;
};

}  // namespace openmi
