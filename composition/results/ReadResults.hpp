#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "composition/results/ResultSeries.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// A series with its rows, ascending in time.
struct ResultRows {
  ResultSeries series = {};
  std::vector<double> begins =
      {};  ///< Modified Julian Days, UTC; shape [n]; equal to the end for an instant, or if unknown
  std::vector<double> ends = {};    ///< Modified Julian Days, UTC; shape [n]
  std::vector<double> values = {};  ///< row by row, NaN where missing; shape [n * width]
  /// By row: the values before an event, the first ones of several at its time. Only of tables in seconds.
  std::map<std::size_t, std::vector<double>> before_events = {};
  /// The times, ascending, at which all cells of the series are empty. Only of tables in seconds.
  std::vector<double> empty_at = {};

  /// The values of a row; shape [width of the series].
  std::span<const double> Row(std::size_t row) const {
    return std::span(values).subspan(row * series.Width(), series.Width());
  }
};

/// The content of a results file.
struct ResultTable {
  RunInfo info;
  std::vector<ResultRows> series;
  bool was_cut = false;     ///< the file ended within a row, which was dropped: its run was killed
  bool in_seconds = false;  ///< the times of the file are numbers of seconds, which count from kZeroOfSeconds
  std::vector<std::string> texts = {};  ///< headings of columns of texts, which are not read
};

/// What numbers of seconds count from in tables without a calendar: 2000-01-01T00:00Z, time 0 of system structures.
inline constexpr Stamp kZeroOfSeconds{51544.0};
/// The number of seconds of a Modified Julian Day, rounded to a microsecond.
double SecondsOf(double mjd);

/// Reads a results file; its first bytes show whether it is CSV, NetCDF, or the journal of a run.
///
/// If the path names a NetCDF file whose run was killed, the file is made from its journal first; if the run is in
/// progress, the rows so far are read. Third-party files are read, too, if they are a table with a column of times (ISO
/// 8601 or, below the heading `time`, numbers of seconds), or follow the CF conventions with variables over (time) or
/// (time, element).
///
/// \throws FileError    there is no such file, or it cannot be read
/// \throws FormatError  it is not a results file; names line and column
ResultTable ReadResults(const std::filesystem::path& path);

/// Sorts rows by their end; of several at the same time the last one in the list is kept.
/// \param are_events  whether the first one of them is kept too, in `before_events`
void OrderRows(ResultRows& rows, bool are_events = false);

/// Reads a NetCDF file; see `ReadResults`.
ResultTable ReadNetcdfResults(const std::filesystem::path& path);

/// Reads the rows of a journal.
ResultTable ReadJournalResults(const std::filesystem::path& journal);

}  // namespace openmi
