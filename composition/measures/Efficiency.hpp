#pragma once

#include <cstddef>

#include "composition/measures/PairedValues.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

/// The Kling-Gupta efficiency and its parts; all dimensionless, NaN where undefined.
struct KlingGupta {
  double efficiency = kNotANumber;
  double correlation = kNotANumber;  ///< r, Pearson
  double variability = kNotANumber;  ///< alpha = sd(simulated) / sd(observed)
  double bias = kNotANumber;         ///< beta = mean(simulated) / mean(observed)
};

/// The Nash-Sutcliffe efficiency of logarithms, and how zeros were treated.
struct LogEfficiency {
  double efficiency = kNotANumber;
  double epsilon = 0.0;      ///< added to both values before the logarithm; unit of the values
  std::size_t left_out = 0;  ///< pairs omitted because a value plus epsilon was not above zero
};

/// NSE = 1 - sum (o - s)^2 / sum (o - mean o)^2; dimensionless.
///
/// NaN for fewer than two pairs, and where the observation does not vary.
///
/// Source: [NashSutcliffe1970].
double NashSutcliffe(const PairedValues& pairs);

/// KGE = 1 - sqrt((r - 1)^2 + (alpha - 1)^2 + (beta - 1)^2), the form of 2009 (ratio of standard deviations).
///
/// Parts are NaN for fewer than two pairs, and where the mean of the observation is zero or one of the two does not
/// vary.
///
/// Source: [Gupta2009].
KlingGupta KlingGuptaEfficiency(const PairedValues& pairs);

/// NSE of ln(value + epsilon), with epsilon = mean(observed) / 100, so that zeros count and the unit does not matter.
///
/// A pair in which a value plus epsilon is not above zero (a negative flow) is omitted and counted.
///
/// Source: [Pushpalatha2012].
LogEfficiency LogNashSutcliffe(const PairedValues& pairs);

/// (sum s - sum o) / sum o; dimensionless, 0.05 is five per cent too much. NaN where sum o is zero or there is no pair.
///
/// Each pair has the same weight: the times are assumed to be evenly spaced.
double VolumeError(const PairedValues& pairs);

/// sqrt(mean (s - o)^2); unit of the values. NaN without pairs.
double RootMeanSquareError(const PairedValues& pairs);

/// mean (s - o); unit of the values, positive where the model gives too much. NaN without pairs.
double MeanBias(const PairedValues& pairs);

}  // namespace openmi
