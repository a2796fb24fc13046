#include "composition/run/TimeKeeper.hpp"

namespace openmi {

TimeKeeper::TimeKeeper(std::size_t components, std::size_t lanes)
    : lanes_(lanes), begin_ticks_(Ticks()), begin_(std::chrono::steady_clock::now()) {
  for (Lane& lane : lanes_) {
    lane.spent.assign(components, 0);
    lane.stack.reserve(64);
  }
}

double TimeKeeper::Seconds(std::size_t component) const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  const auto ticks = static_cast<double>(Ticks() - begin_ticks_);
  double spent = 0.0;
  for (const Lane& lane : lanes_) spent += static_cast<double>(lane.spent[component]);
  return ticks > 0.0 ? spent * passed.count() / ticks : 0.0;
}

}  // namespace openmi
