#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "composition/measures/MeasureWindow.hpp"

namespace openmi {

/// What one would score by saying "as it was some hours ago": the bar a model has to beat.
struct Persistence {
  double hours = 24.0;
  double efficiency = std::numeric_limits<double>::quiet_NaN();  ///< Nash-Sutcliffe; NaN where undefined
  std::size_t pairs = 0;
  std::size_t missing = 0;  ///< times of the window left out: a value or the earlier one is missing
};

/// The Nash-Sutcliffe efficiency of the observed value `hours` earlier as a forecast of the observed value.
///
/// Forecast are the times in `window`; the earlier value may lie before it. It must be stamped exactly `hours` earlier
/// (within `kTimeTolerance`), nothing is interpolated.
/// \param times     Modified Julian Days, ascending; shape [n]
/// \param observed  NaN where missing; shape [n]
/// \param simulated  what the efficiency stands beside: times where it is missing are left out, so that both are of the
///                   same pairs; shape [n], or empty for the observation alone
/// \throws RangeError  the lengths differ, or `hours` is not above zero
Persistence PersistenceEfficiency(std::span<const double> times, std::span<const double> observed,
                                  const MeasureWindow& window = {}, double hours = 24.0,
                                  std::span<const double> simulated = {});

}  // namespace openmi
