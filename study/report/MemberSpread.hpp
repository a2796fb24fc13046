#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "study/results/SeriesColumns.hpp"

namespace openmi {

/// How the members spread over time: quantiles of one element of a series.
struct SpreadBand {
  std::vector<std::vector<double>>
      quantiles;  ///< 5, 25, 50, 75 and 95 %; shape [5][times], NaN where no member has a value
};

/// How the members spread in space: of the mean over time of each element.
struct SpreadMap {
  std::vector<double> mean;       ///< over the members; shape [elements]
  std::vector<double> deviation;  ///< standard deviation over the members; shape [elements]
};

/// Reads how members spread, from the file of their rows. Memory stays below some 100 MB, however many members there
/// are.
class MemberSpread {
 public:
  /// \param netcdf   as WriteStudyNetcdf wrote it
  /// \param columns  its series; borrowed
  MemberSpread(std::filesystem::path netcdf, const SeriesColumns& columns)
      : netcdf_(std::move(netcdf)), columns_(columns) {}

  SpreadBand Band(std::size_t column, std::size_t element, std::uint64_t members) const;
  SpreadMap Map(std::size_t column, std::uint64_t members) const;

 private:
  std::filesystem::path netcdf_;
  const SeriesColumns& columns_;
};

/// The quantile at `share` (0..1) of sorted values, linear between them; NaN of none.
double QuantileOf(std::span<const double> sorted, double share);

}  // namespace openmi
