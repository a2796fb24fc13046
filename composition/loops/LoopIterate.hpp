#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "composition/loops/Acceleration.hpp"
#include "composition/loops/Convergence.hpp"
#include "composition/loops/LoopLink.hpp"
#include "composition/model/CompositionFile.hpp"

namespace openmi {

/// The values on the cut links of a loop: what the members received, what they answer to it, and the next values to
/// try, which an acceleration computes.
class LoopIterate {
 public:
  explicit LoopIterate(const IterateSpec& spec);

  /// \param link  that is cut; borrowed
  void AddLink(LoopLink& link);
  /// Forgets the links.
  void Clear() { cut_.clear(); }
  void BeginStep();
  /// Notes that the step is over; the acceleration learns from it.
  void EndStep();
  /// Whether all cut links agree; finds the one that agrees least.
  bool Agrees();
  /// Computes the next values and gives them to the links.
  void MakeNext();
  /// Forgets what the acceleration learned.
  void Forget() { acceleration_->Forget(); }
  /// Whether a value of the last answers is missing.
  bool HasMissing() const;
  /// The link that agrees least; null if there is none.
  const LoopLink* Worst() const { return worst_; }
  const LoopResidual& WorstResidual() const { return worst_residual_; }
  /// Saves what was learned in the steps so far. To be called between two steps.
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  /// Whether every value that was a number in an earlier iteration of the step still is one. A value that is missing
  /// from the first iteration on, where a number was tried, does not depend on the iterate. A value that becomes
  /// missing later has not converged.
  bool NumbersStay();
  /// Whether the questions differ from those of the iteration before.
  bool IsChanged() const;

  std::vector<LoopLink*> cut_;
  std::unique_ptr<IAcceleration> acceleration_;
  std::vector<double> iterate_, answered_, weights_;
  std::vector<bool> was_number_;  // by value, in the iterations of this step
  std::vector<std::pair<std::size_t, double>> missing_;
  std::vector<double> sizes_;        // of each cut link's values, the largest so far
  std::vector<std::size_t> firsts_;  // of each cut link in `iterate_`, and the end
  std::size_t learned_ = 0;          // how many values the acceleration knows
  bool accelerates_ = false;         // in this step
  const LoopLink* worst_ = nullptr;
  LoopResidual worst_residual_;
};

}  // namespace openmi
