#include "composition/run/Pace.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

Pace::Pace(const PaceSpec& spec, Stamp begin, Clock::time_point now) : spec_(spec), begin_(begin), origin_(now) {
  figures_.factor = spec.factor;
}

Pace::Clock::time_point Pace::Due(Stamp time) const {
  // A very small factor must not overflow the clock.
  constexpr double kLongest = 1e9;  // seconds
  const double seconds = std::clamp(ToSeconds(time - begin_) / spec_.factor, 0.0, kLongest);
  return origin_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void Pace::Stepped(Stamp time, Clock::time_point now) {
  ++figures_.steps;
  const Clock::duration delay = now - Due(time);
  const double late = std::chrono::duration<double>(delay).count();
  figures_.lost_seconds = shifted_seconds_ + std::max(0.0, late);
  if (!(late > spec_.late_after_seconds)) return;
  ++figures_.late;
  figures_.worst_seconds = std::max(figures_.worst_seconds, late);
  if (spec_.late == LatePolicy::CarryOn) {
    origin_ += delay;
    shifted_seconds_ += late;
  }
  if (spec_.late != LatePolicy::Fail) return;
  throw ModelError({},
                   fmt::format("expected the step to {} in time at a pace of {}, found it {:.3g} s late",
                               FormatIsoTime(time), spec_.factor, late),
                   "lower the pace, let more be late (LateAfter), or let the run carry on (Late)");
}

}  // namespace openmi
