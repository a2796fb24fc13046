#pragma once

#include <cstddef>
#include <span>

#include "composition/measures/MeasureWindow.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

/// The efficiency of the forecast "as it was some hours ago", which a model should exceed.
struct Persistence {
  double hours = 24.0;
  double efficiency = kNotANumber;  ///< Nash-Sutcliffe; NaN where undefined
  std::size_t pairs = 0;
  std::size_t missing = 0;  ///< times of the window that were omitted: a value or the earlier one is missing
};

/// The Nash-Sutcliffe efficiency of the observed value `hours` earlier as a forecast of the observed value.
///
/// The times in `window` are forecast; the earlier value may lie before it. It must be stamped exactly `hours` earlier
/// (within `kTimeTolerance`); nothing is interpolated.
/// \param times      Modified Julian Days, ascending; shape [n]
/// \param observed   NaN where missing; shape [n]
/// \param simulated  the values whose efficiency is compared with this one: times where they are missing are omitted,
///   so that both efficiencies use the same pairs. Shape [n], or empty for the observation alone.
/// \throws RangeError  the lengths differ, or `hours` is not above zero
Persistence PersistenceEfficiency(std::span<const double> times, std::span<const double> observed,
                                  const MeasureWindow& window = {}, double hours = 24.0,
                                  std::span<const double> simulated = {});

}  // namespace openmi
