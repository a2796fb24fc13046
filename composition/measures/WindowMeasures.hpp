#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "composition/measures/Efficiency.hpp"
#include "composition/measures/MeasureWindow.hpp"
#include "composition/measures/PairedValues.hpp"
#include "composition/measures/Persistence.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

/// The largest observed and the largest simulated value of the pairs; NaN where undefined.
struct PeakError {
  double observed = std::numeric_limits<double>::quiet_NaN();        ///< unit of the values
  double simulated = std::numeric_limits<double>::quiet_NaN();       ///< unit of the values
  double observed_time = std::numeric_limits<double>::quiet_NaN();   ///< Modified Julian Day of the first such value
  double simulated_time = std::numeric_limits<double>::quiet_NaN();  ///< Modified Julian Day of the first such value
  double size = std::numeric_limits<double>::quiet_NaN();            ///< (simulated - observed) / observed
  double hours = std::numeric_limits<double>::quiet_NaN();           ///< positive where the simulated peak is late
};

/// Compares the highest peaks of the pairs, whether or not they belong to the same event.
PeakError ComparePeaks(const PairedValues& pairs);

/// All measures of one window. NaN where a measure is undefined; all are NaN if `pairs` is 0.
struct WindowMeasures {
  MeasureWindow window;
  std::size_t pairs = 0;
  std::size_t missing = 0;  ///< pairs omitted because a value was missing
  double nash_sutcliffe = kNotANumber;
  KlingGupta kling_gupta;
  LogEfficiency log_nash_sutcliffe;
  double volume_error = kNotANumber;            ///< relative
  double root_mean_square_error = kNotANumber;  ///< unit of the values
  double mean_bias = kNotANumber;               ///< unit of the values
  PeakError peak;
  Persistence persistence;  ///< over the pairs with an observation so many hours earlier
};

/// Computes all measures for each window, in the order given; shapes as in `PairUp`, times ascending.
/// \param persistence_hours  how many hours earlier the observation of the persistence forecast is
/// \throws RangeError  the lengths differ
std::vector<WindowMeasures> ComputeMeasures(std::span<const double> times, std::span<const double> observed,
                                            std::span<const double> simulated, std::span<const MeasureWindow> windows,
                                            double persistence_hours = 24.0);

}  // namespace openmi
