#include "composition/isolation/AskPlan.hpp"

#include <utility>

namespace openmi {

void AskPlan::Begin() {
  for (const Asked& one : asked_) times_asked_[one.input] = 0;
  asked_.clear();
}

void AskPlan::OnAsked(std::size_t input, bool at_step_end) {
  if (times_asked_.size() <= input) times_asked_.resize(input + 1, 0);
  ++times_asked_[input];
  asked_.push_back({input, at_step_end});
}

void AskPlan::End() {
  now_.clear();
  if (!is_off_) {
    for (const Asked& one : asked_) {
      if (!one.at_step_end || times_asked_[one.input] != 1) break;
      now_.push_back(one.input);
    }
  }
  if (now_ == seen_) {
    ahead_ = now_;
  } else {
    ahead_.clear();
    std::swap(seen_, now_);
  }
}

void AskPlan::Forget() {
  Begin();
  seen_.clear();
  ahead_.clear();
}

}  // namespace openmi
