#include "composition/run/RunOptions.hpp"

#include <algorithm>
#include <limits>

#include "timespace/times/Stamp.hpp"

namespace openmi {

double RunProgress::Fraction() const {
  return to > from ? std::clamp((now - from) / (to - from), 0.0, 1.0) : 1.0;
}
double RunProgress::RealTimeFactor() const {
  return wall_seconds > 0.0 ? ToSeconds(now - from) / wall_seconds : 0.0;
}
double RunProgress::SecondsLeft() const {
  const double done = Fraction();
  return done > 0.0 ? wall_seconds * (1.0 - done) / done : std::numeric_limits<double>::infinity();
}

}  // namespace openmi
