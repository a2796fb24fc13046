#pragma once

#include <cstddef>
#include <string>

namespace openmi {

/// What two results files do not have in common.
struct ResultDifference {
  enum class Kind { SeriesMissing, ElementMissing, TimeMissing, Unit, SeriesKind, Value };

  /// A value of both at one time.
  struct Pair {
    double mjd = 0.0;  ///< Modified Julian Day, UTC
    double a = 0.0;    ///< NaN: missing
    double b = 0.0;
  };

  Kind kind = Kind::Value;
  std::string series;        ///< id
  std::string element;       ///< id; empty: of the series as a whole, or it has none
  std::string text_a;        ///< the unit, kind or "present" in the first file
  std::string text_b;        ///< and in the second; "missing" where it is not there
  std::size_t count = 1;     ///< how many times or values differ
  std::size_t compared = 0;  ///< of how many
  Pair first;                ///< for values, and the time of the first missing one
  Pair largest;              ///< for values: by |a - b|, a value against a missing one being the largest

  /// A sentence for people: "creek.discharge[fp-27]: 3 of 720 values differ; first ..., largest ...".
  std::string Text() const;
};

}  // namespace openmi
