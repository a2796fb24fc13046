#pragma once

#include <vector>

#include "composition/results/ResultRows.hpp"
#include "composition/results/RunInfo.hpp"

namespace openmi {

/// What a results file holds.
struct ResultTable {
  RunInfo info;
  std::vector<ResultRows> series;
  bool was_cut = false;  ///< the file ended within a row, which was dropped: its run did not end by itself
};

}  // namespace openmi
