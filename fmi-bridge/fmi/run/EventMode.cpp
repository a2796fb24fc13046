#include "fmi-bridge/fmi/run/EventMode.hpp"

#include <fmt/format.h>

#include "fmi-bridge/fmi/run/StepEnds.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

constexpr int kMostRounds = 1000;

}  // namespace

bool EventMode::Handle(double time, bool inputs, bool& nominals_changed) {
  clocks_.Tick(instance_, time, ToleranceWithin(time));
  if (inputs && hooks_.set_discrete) hooks_.set_discrete(clocks_);
  EventInfo info;
  for (int round = 0; round == 0 || info.again; ++round) {
    if (round > kMostRounds) {
      throw ModelError(instance_.Place(),
                       fmt::format("expected discrete states that settle at time {}, found none after {} rounds", time,
                                   kMostRounds));
    }
    clocks_.Look(instance_);
    if (hooks_.at_event) hooks_.at_event(clocks_, time);
    info = instance_.UpdateDiscreteStates();
    nominals_changed |= info.nominals_changed;
    if (info.terminate) return true;
    clocks_.AfterRound();
  }
  next_time_ = info.has_next_time ? info.next_time : std::numeric_limits<double>::infinity();
  clocks_.AfterEvent(instance_, time);
  if (hooks_.after_event) hooks_.after_event();
  return false;
}

void EventMode::Save(StateWriter& writer) const {
  writer.Write(next_time_);
  clocks_.Save(writer);
}

void EventMode::Load(StateReader& reader) {
  next_time_ = reader.ReadDouble();
  clocks_.Load(reader);
}

}  // namespace openmi::fmi
