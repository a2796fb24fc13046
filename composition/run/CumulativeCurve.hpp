#pragma once

#include <vector>

#include "timespace/Stamp.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// An amount that adds up over time, known at the ends of steps and straight between them.
class CumulativeCurve {
 public:
  /// Adds `amount` over (`from`, `to`]. Time before `from` that was not covered added nothing.
  void Add(Stamp from, Stamp to, double amount);
  /// The amount until `time`; 0 before the first step, the total after the last.
  double At(Stamp time) const;
  Stamp LastTime() const { return times_.empty() ? kFarPast : Stamp{times_.back()}; }
  bool Empty() const { return times_.empty(); }
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  std::vector<double> times_;
  std::vector<double> totals_;
  double carry_ = 0.0;  // what rounding took from the running total (Neumaier)
  double sum_ = 0.0;
};

}  // namespace openmi
