#include "fmi-bridge/fmi/component/StepTimes.hpp"

#include <cmath>

#include "fmi-bridge/fmi/run/StepEnds.hpp"

namespace openmi::fmi {
namespace {

constexpr double kTicksPerSecond = 1e9;

}  // namespace

double StepTimes::InUnits(Days length) const {
  return std::round(length.count * kTicksPerDay / 1000.0) / 1e6 / seconds_per_unit_;
}

void StepTimes::Start(double begin, Days step) {
  step_ticks_ = static_cast<std::int64_t>(std::llround(step.count * kTicksPerDay));
  step_ = static_cast<double>(step_ticks_) / kTicksPerSecond / seconds_per_unit_;
  MoveBegin(begin);
}

void StepTimes::MoveBegin(double begin) {
  begin_ = begin;
  next_ticks_ = -1;
}

double StepTimes::At(std::int64_t ticks) const {
  // A product on the grid of whole steps, so that rounding errors do not accumulate.
  if (step_ticks_ > 0 && ticks % step_ticks_ == 0) return begin_ + static_cast<double>(ticks / step_ticks_) * step_;
  return begin_ + static_cast<double>(ticks) / kTicksPerSecond / seconds_per_unit_;
}

double StepTimes::EndOf(Days run, bool whole) const {
  std::int64_t ticks = static_cast<std::int64_t>(std::llround(run.count * kTicksPerDay / 1000.0)) * 1000;
  if (whole && ticks % step_ticks_ != 0) ticks += step_ticks_ - ticks % step_ticks_;
  const bool is_on_grid = ticks >= step_ticks_ && ticks % step_ticks_ == 0;
  return is_on_grid ? EndOfLastStep(At(ticks - step_ticks_), step_, At(ticks)) : At(ticks);
}

void StepTimes::FindOther(std::int64_t ticks, bool is_whole, Days since_start) {
  from_ = At(ticks);
  until_ = is_whole ? At(ticks + step_ticks_) : begin_ + InUnits(since_start);
  const bool is_on_grid = is_whole && ticks % step_ticks_ == 0;
  length_ = is_on_grid ? step_ : LengthUntil(from_, until_);
  next_ticks_ = is_on_grid ? ticks + step_ticks_ : -1;
  next_number_ = is_on_grid ? next_ticks_ / step_ticks_ : -1;
}

}  // namespace openmi::fmi
