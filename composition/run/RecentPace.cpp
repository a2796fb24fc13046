#include "composition/run/RecentPace.hpp"

#include <limits>

#include "timespace/times/Stamp.hpp"

namespace openmi {
namespace {

constexpr double kWindow = 0.25;          // part of the computed time from which the pace is determined
constexpr double kBetweenSamples = 0.01;  // part of the computed time

}  // namespace

void RecentPace::Add(const RunProgress& progress) {
  if (samples_.empty()) {
    if (progress.Fraction() > 0.0) samples_.push_back(first_ = progress);
    return;
  }
  const double elapsed = progress.wall_seconds - first_.wall_seconds;
  // The last sample is always the present one; the sample before it stays if it is far enough from its predecessor.
  if (samples_.size() > 1) {
    const RunProgress& before = samples_[samples_.size() - 2];
    if (samples_.back().wall_seconds - before.wall_seconds < kBetweenSamples * elapsed) samples_.pop_back();
  }
  samples_.push_back(progress);
  while (samples_.size() > 2 && samples_[1].wall_seconds <= progress.wall_seconds - kWindow * elapsed) {
    samples_.pop_front();
  }
}

double RecentPace::RealTimeFactor() const {
  if (samples_.empty()) return 0.0;
  const RunProgress& now = samples_.back();
  const double wall = now.wall_seconds - first_.wall_seconds;
  if (!(wall > 0.0)) return 0.0;  // the only progress may contain what a checkpoint gave
  return ToSeconds(now.now - first_.now) / wall;
}

double RecentPace::SecondsLeft() const {
  if (samples_.empty()) return std::numeric_limits<double>::infinity();
  RunProgress window = samples_.back();
  const RunProgress& begin = samples_.front();
  if (!(begin.now < window.now)) return std::numeric_limits<double>::infinity();
  window.from = begin.now;
  window.wall_seconds -= begin.wall_seconds;
  return window.SecondsLeft();
}

}  // namespace openmi
