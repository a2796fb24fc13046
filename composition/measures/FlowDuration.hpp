#pragma once

#include <span>
#include <vector>

namespace openmi {

/// Values and the share of time in which they are reached or exceeded; two lists of equal length.
struct FlowDuration {
  std::vector<double> exceedance;  ///< 0..1, ascending; rank / (n + 1)
  std::vector<double> values;      ///< descending; unit of the values given
};

/// Sorts `values` into a flow duration curve with the plotting position of Weibull; missing values are omitted.
///
/// Each value has the same weight: the times are assumed to be evenly spaced.
FlowDuration ComputeFlowDuration(std::span<const double> values);

}  // namespace openmi
