#pragma once

#include <cstdint>
#include <string>

#include "composition/isolation/Protocol.hpp"
#include "timespace/optional/IBalance.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {

/// How far a component in another process is: its steps and its balance, as its worker last reported them.
class RemoteProgress {
 public:
  /// \param offers  what the component offers, see OptionalInterface
  explicit RemoteProgress(std::int64_t offers)
      : has_steps_((offers & kOffersSteps) != 0), has_balance_((offers & kOffersBalance) != 0) {}

  bool HasSteps() const { return has_steps_; }
  Stamp Current() const { return current_; }
  Stamp Next() const { return next_; }
  std::uint64_t StepCount() const { return step_count_; }
  bool HasConverged() const { return has_converged_; }
  const BalanceTerms& Balance() const { return balance_; }
  const std::string& BalanceUnit() const { return balance_unit_; }
  double BalanceArea() const { return balance_area_; }
  /// The time that a component asks for if it asks for the end of the step that was reported before.
  Time StepEnd(bool has_durations) const {
    return has_durations ? Time(current_, next_ - current_) : Time(next_, Days{});
  }

  void Read(StateReader& reader) {
    if (has_steps_) {
      current_ = Stamp{reader.ReadDouble()};
      next_ = Stamp{reader.ReadDouble()};
      step_count_ = static_cast<std::uint64_t>(reader.ReadInteger());
    }
    has_converged_ = reader.ReadBool();
    if (!has_balance_) return;
    for (double* term : {&balance_.storage, &balance_.in, &balance_.out, &balance_.losses}) *term = reader.ReadDouble();
    if (reader.ReadBool()) ReadUnit(reader);
  }
  /// Reads the unit and the area of the balance.
  void ReadUnit(StateReader& reader) {
    balance_unit_ = reader.ReadText();
    balance_area_ = reader.ReadDouble();
  }

 private:
  bool has_steps_;
  bool has_balance_;
  Stamp current_ = kFarPast;
  Stamp next_ = kFarPast;
  std::uint64_t step_count_ = 0;
  bool has_converged_ = true;
  BalanceTerms balance_;
  std::string balance_unit_;
  double balance_area_ = 0.0;
};

}  // namespace openmi
