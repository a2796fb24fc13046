#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace openmi {

/// A sensitivity index with its error.
struct SobolIndex {
  double value = 0.0;
  double error = 0.0;  ///< half of the 95 % confidence interval, from resampling; dimensionless
};

/// The indices of one quantity with respect to one Vary.
struct SobolPair {
  SobolIndex first;  ///< share of the variance that it explains alone
  SobolIndex total;  ///< share that it explains together with others
};

/// First and total Sobol indices of the results of Saltelli's design (SaltelliPoints).
///
/// A base point of which a result is missing (NaN) is left out. The indices are NaN if fewer than two base points are
/// complete, or all results are equal.
/// \param results     in the order of the design; shape [base * (dimensions + 2)]
/// \param dimensions  number of Vary
/// \param seed        of the resampling
/// \returns shape [dimensions]
///
/// Source: [Saltelli2010], table 2: (b) for the first indices, (f) for the total ones.
std::vector<SobolPair> ComputeSobolIndices(std::span<const double> results, std::size_t dimensions,
                                           std::uint64_t seed = 1);

}  // namespace openmi
