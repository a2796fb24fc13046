#pragma once

#include <vector>

#include "composition/results/ResultRows.hpp"
#include "composition/results/RunInfo.hpp"

namespace openmi {

/// The content of a results file.
struct ResultTable {
  RunInfo info;
  std::vector<ResultRows> series;
  bool was_cut = false;  ///< the file ended within a row, which was dropped: its run was killed
};

}  // namespace openmi
