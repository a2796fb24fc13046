#pragma once

#include <string>
#include <vector>

#include "timespace/optional/IBalance.hpp"
#include "timespace/optional/IElementBalances.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// What a component, or a part of it, held at both ends of a time, and what it took, gave and lost in that time. The
/// time starts at the end of the warm-up.
struct ElementBalanceFigures {
  double start = 0.0;
  double in = 0.0;
  double out = 0.0;
  double losses = 0.0;
  double end = 0.0;
  double residual = 0.0;  ///< start + in - out - losses - end
  double relative = 0.0;  ///< the residual divided by the largest of the five
};

/// The balance of a component.
struct ComponentBalanceFigures : ElementBalanceFigures {
  double worst_step = 0.0;                      ///< the residual of the step with the largest absolute residual
  Stamp worst_time = kFarPast;                  ///< the end of that step
  std::string unit = "m3";                      ///< of the amounts
  double area_m2 = 0.0;                         ///< 0: not stated
  bool is_weighed = true;                       ///< false: no step was made after the warm-up, and amounts are NaN
  std::vector<std::string> element_ids;         ///< of its parts (IElementBalances); empty: unknown
  std::vector<ElementBalanceFigures> elements;  ///< shape [element_ids]
};

/// Follows the balance of one component from update to update.
class ComponentMeter {
 public:
  /// \param balance  borrowed until Follow names another one
  /// \param begin    the end of the warm-up
  ComponentMeter(const IBalance& balance, Stamp begin);
  /// Reads the balance. To be called after Prepare, and after each update.
  void Sample(Stamp now);
  /// Continues with the component that replaces the one before. The difference between what the two hold counts neither
  /// as a gain nor as a loss.
  ///
  /// \param balance  null: nothing is read until Follow gets another one
  void Follow(const IBalance* balance);
  bool IsFollowing() const { return balance_ != nullptr; }
  /// Those of the parts are left out if the run was resumed or the component replaced after the warm-up.
  /// \param now  how far the run is
  ComponentBalanceFigures Figures(Stamp now) const;
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  const IBalance* balance_;
  const IElementBalances* parts_;  // null: it states only the whole, or that of the parts at the start is unknown
  Stamp begin_;                    // the end of the warm-up
  bool started_ = false;
  std::string unit_ = "m3";  // as stated last: the component may be gone when Figures is called
  double area_ = 0.0;
  std::vector<BalanceTerms> parts_base_;
  BalanceTerms base_;
  BalanceTerms last_;
  double worst_ = 0.0;
  Stamp worst_time_ = kFarPast;
};

}  // namespace openmi
