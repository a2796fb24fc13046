#include "composition/run/TimeKeeper.hpp"

namespace openmi {

TimeKeeper::TimeKeeper(std::size_t components)
    : spent_(components, 0), begin_ticks_(Ticks()), begin_(std::chrono::steady_clock::now()) {
  stack_.reserve(64);
}

double TimeKeeper::Seconds(std::size_t component) const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  const auto ticks = static_cast<double>(Ticks() - begin_ticks_);
  return ticks > 0.0 ? static_cast<double>(spent_[component]) * passed.count() / ticks : 0.0;
}

}  // namespace openmi
