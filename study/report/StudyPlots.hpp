#pragma once

#include <span>
#include <string>
#include <vector>

#include "study/report/MemberSpread.hpp"
#include "study/run/MemberResult.hpp"

namespace openmi {

/// Draws quantile bands over time: 5 to 95 %, 25 to 75 %, the median, and an observation, if there is one.
/// \param times  Modified Julian Days
std::string BandPlotSvg(const SpreadBand& band, std::span<const double> times, const std::string& unit,
                        const Observation* observation);

/// One quantity of all members.
struct MemberQuantity {
  std::string label;
  std::string unit;
  std::vector<double> values;  ///< NaN where missing; shape [members]
  bool is_logarithmic = false;
};

/// Draws parallel coordinates: an axis for each quantity, a line for each member. The tenth of the members with the
/// lowest last quantity has a colour of its own and lies on top; of more than `most` members, the best of them and an
/// even choice of the others are drawn.
std::string ParallelPlotSvg(const std::vector<MemberQuantity>& quantities, std::size_t most = 300);

/// Draws one quantity over another, a dot for each member, of at most `most`.
std::string DottyPlotSvg(const MemberQuantity& across, const MemberQuantity& up, std::size_t most = 1500);

/// Draws the lowest cost so far over the number of members, and the cost of each as a dot.
std::string SearchPlotSvg(std::span<const double> costs);

}  // namespace openmi
