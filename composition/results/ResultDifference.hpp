#pragma once

#include <cstddef>
#include <string>

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
  Pair largest;  ///< for values: the largest |a - b|; a value whose counterpart is missing counts as largest

  /// A sentence for users: "creek.discharge[fp-27]: 3 of 720 values differ; first ..., largest ...".
  std::string Text() const;
};

}  // namespace openmi
