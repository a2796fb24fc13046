#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "composition/results/ReadResults.hpp"

namespace openmi {

/// A difference between two results files.
struct ResultDifference {
  enum class Kind { SeriesMissing, ElementMissing, TimeMissing, Unit, SeriesKind, Value };

  /// The values of both files at one time.
  struct Pair {
    double mjd = 0.0;  ///< Modified Julian Day, UTC
    double a = 0.0;    ///< NaN: missing
    double b = 0.0;
  };

  Kind kind = Kind::Value;
  std::string series;        ///< id
  std::string element;       ///< id; empty: the difference concerns the whole series, or it has no elements
  std::string text_a;        ///< the unit, kind or "present" in the first file
  std::string text_b;        ///< the same in the second file; "missing" if it is not there
  std::size_t count = 1;     ///< how many times or values differ
  std::size_t compared = 0;  ///< number of times or values compared
  Pair first;                ///< for values; for times the time of the first missing one
  Pair largest;             ///< for values: the largest |a - b|; a value whose counterpart is missing counts as largest
  bool in_seconds = false;  ///< both files have numbers of seconds for times

  /// A sentence for users: "creek.discharge[fp-27]: 3 of 720 values differ; first ..., largest ...".
  std::string Text() const;
};

/// Compares two results: series by id, elements by id, rows by time (equal within `kTimeTolerance`).
///
/// Two values agree if |a - b| <= absolute + relative * max(|a|, |b|), if both are missing, or if both are the same
/// infinity. Captions, comments and the provenance of the run are not compared; units are, as texts.
/// \param relative_tolerance  dimensionless, at least 0
/// \param absolute_tolerance  in the unit of each series, at least 0
/// \returns one entry for each series, element or kind of difference; empty: they agree
std::vector<ResultDifference> CompareResults(const ResultTable& a, const ResultTable& b, double relative_tolerance,
                                             double absolute_tolerance);

/// The rows of `rows` at the times that are within its period, on straight lines between neighbouring rows; a time that
/// has a row gets its values. A line leads to the values before an event; between two rows with an empty cell between
/// them, values are missing. Rows over spans stay as they are.
/// \param times  Modified Julian Days, UTC, ascending
ResultRows AtTimes(const ResultRows& rows, std::span<const double> times);

}  // namespace openmi
