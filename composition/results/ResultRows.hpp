#pragma once

#include <cstddef>
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

}  // namespace openmi
