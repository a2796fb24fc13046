#include "composition/threads/TimeKeeper.hpp"

namespace openmi {

TimeKeeper::TimeKeeper(std::size_t components, std::size_t lanes)
    : lanes_(lanes), begin_ticks_(Ticks()), begin_(std::chrono::steady_clock::now()) {
  for (Lane& lane : lanes_) {
    lane.spent.assign(components, 0);
    lane.stack.reserve(64);
  }
}

void TimeKeeper::KeepStepTimes() {
  for (Lane& lane : lanes_) lane.steps.resize(lane.spent.size());
}

double TimeKeeper::SecondsPerTick() const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  const auto ticks = static_cast<double>(Ticks() - begin_ticks_);
  return ticks > 0.0 ? passed.count() / ticks : 0.0;
}

double TimeKeeper::Seconds(std::size_t component) const {
  double spent = 0.0;
  for (const Lane& lane : lanes_) spent += static_cast<double>(lane.spent[component]);
  return spent * SecondsPerTick();
}

StepTimes TimeKeeper::StepsOf(std::size_t component) const {
  StepTimes all;
  for (const Lane& lane : lanes_) all.Add(lane.steps[component]);
  return all;
}

}  // namespace openmi
