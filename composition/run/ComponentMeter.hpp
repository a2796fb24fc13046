#pragma once

#include <string>

#include "timespace/IBalance.hpp"
#include "timespace/Stamp.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// What a component held, took, gave and lost between the end of the warm-up and now.
struct ComponentBalanceFigures {
  double start = 0.0;
  double in = 0.0;
  double out = 0.0;
  double losses = 0.0;
  double end = 0.0;
  double residual = 0.0;    ///< start + in - out - losses - end
  double worst_step = 0.0;  ///< the residual of one step, largest by size
  Stamp worst_time = kFarPast;
  double relative = 0.0;    ///< residual by the largest of the five
  std::string unit = "m3";  ///< of the amounts
  double area_m2 = 0.0;     ///< 0: not stated
  bool is_weighed = true;   ///< false: no step was made after the warm-up; amounts are NaN
};

/// Follows the balance of one component from update to update.
class ComponentMeter {
 public:
  /// \param balance  borrowed until Follow names another
  ComponentMeter(const IBalance& balance, Stamp begin) : balance_(&balance), begin_(begin) {}
  /// Call after Prepare, and after each update.
  void Sample(Stamp now);
  /// Goes on with the component that came in the place of the one before. What one held and the other holds is not
  /// weighed against each other: neither gained nor lost it.
  /// \param balance  null: nothing is read until there is one again
  void Follow(const IBalance* balance);
  bool IsFollowing() const { return balance_ != nullptr; }
  /// \param now  how far the run is
  ComponentBalanceFigures Figures(Stamp now) const;
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  const IBalance* balance_;
  Stamp begin_;  // the end of the warm-up
  bool started_ = false;
  std::string unit_ = "m3";  // as last said: the component may be gone when it is asked for
  double area_ = 0.0;
  BalanceTerms base_;
  BalanceTerms last_;
  double worst_ = 0.0;
  Stamp worst_time_ = kFarPast;
};

}  // namespace openmi
