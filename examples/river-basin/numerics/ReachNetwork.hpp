#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "examples/river-basin/numerics/MuskingumReach.hpp"

namespace riverbasin {

/// What the network knows of one reach.
struct ReachDescription {
  std::string id;
  std::string downstream;  ///< id of the reach it flows into; empty or unknown to the network: it leaves the network
  ReachGeometry geometry;
};

/// A tree of reaches, routed from the headwaters down.
///
/// Every reach takes a lateral inflow; a reach without a downstream reach is an outlet. One outlet may be told the
/// water level below it.
class ReachNetwork {
 public:
  /// \param reaches  in any order; ids differ
  /// \param step     of the exchange [s]
  /// \throws openmi::FormatError  an id occurs twice, or the reaches form a loop; names them.
  ReachNetwork(std::vector<ReachDescription> reaches, double step);

  std::size_t Size() const { return reaches_.size(); }
  const ReachDescription& Description(std::size_t reach) const { return descriptions_[reach]; }
  const MuskingumReach& Reach(std::size_t reach) const { return reaches_[reach]; }
  std::span<const std::size_t> Outlets() const { return outlets_; }

  /// Starts every reach from the steady state of `lateral` [m3 s-1], shape [reaches], accumulated downstream.
  void StartSteady(std::span<const double> lateral);

  /// Routes one step.
  /// \param lateral    mean over the step [m3 s-1]; shape [reaches]
  /// \param tailwater  below every outlet
  /// \param outflow    mean over the step at each reach's lower end [m3 s-1]; shape [reaches]
  /// \pre   lateral.size() == outflow.size() == Size(); no allocation
  void Step(std::span<const double> lateral, Tailwater tailwater, std::span<double> outflow);

  /// All states and totals, for SetStates of a network made of the same reaches.
  std::vector<double> States() const;
  /// \pre  states.size() == States().size()
  void SetStates(std::span<const double> states);

  double Storage() const;                                ///< [m3]
  double CumulativeInflow() const { return inflow_; }    ///< lateral, since construction [m3]
  double CumulativeOutflow() const { return outflow_; }  ///< through the outlets, since construction [m3]

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  std::vector<ReachDescription> descriptions_;
  std::vector<MuskingumReach> reaches_;
  std::vector<std::size_t> downstream_;
  std::vector<std::size_t> order_;  // every reach after all that flow into it
  std::vector<std::size_t> outlets_;
  std::vector<double> from_above_;  // [m3 s-1], scratch
  double step_;                     // [s]
  double inflow_ = 0.0;
  double outflow_ = 0.0;
};

}  // namespace riverbasin
