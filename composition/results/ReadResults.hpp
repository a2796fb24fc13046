#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "composition/results/ResultSeries.hpp"

namespace openmi {

/// A series with its rows, ascending in time.
struct ResultRows {
  ResultSeries series = {};
  std::vector<double> begins =
      {};  ///< Modified Julian Days, UTC; shape [n]; equal to the end for an instant, or if unknown
  std::vector<double> ends = {};    ///< Modified Julian Days, UTC; shape [n]
  std::vector<double> values = {};  ///< row by row, NaN where missing; shape [n * width]

  /// The values of a row; shape [width of the series].
  std::span<const double> Row(std::size_t row) const {
    return std::span(values).subspan(row * series.Width(), series.Width());
  }
};

/// The content of a results file.
struct ResultTable {
  RunInfo info;
  std::vector<ResultRows> series;
  bool was_cut = false;  ///< the file ended within a row, which was dropped: its run was killed
};

/// Reads a results file; its first bytes show whether it is CSV, NetCDF, or the journal of a run.
///
/// If the path names a NetCDF file whose run was killed, the file is made from its journal first; if the run is in
/// progress, the rows so far are read. Third-party files are read, too, if they are a table with a column of times, or
/// follow the CF conventions with variables over (time) or (time, element).
///
/// \throws FileError    there is no such file, or it cannot be read
/// \throws FormatError  it is not a results file; names line and column
ResultTable ReadResults(const std::filesystem::path& path);

/// Sorts rows by their end; of several at the same time the last one in the list is kept.
void OrderRows(ResultRows& rows);

/// Reads a NetCDF file; see `ReadResults`.
ResultTable ReadNetcdfResults(const std::filesystem::path& path);

/// Reads the rows of a journal.
ResultTable ReadJournalResults(const std::filesystem::path& journal);

}  // namespace openmi
