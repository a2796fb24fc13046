#include "examples/river-basin/numerics/Reservoir.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"

namespace riverbasin {

namespace {

constexpr double kGravity = 9.80665;       // [m s-2]
constexpr double kLongestSubStep = 300.0;  // [s]

void Require(bool holds, const char* name, const char* expected, double found) {
  if (!holds) {
    throw openmi::ArgumentError({},
                                fmt::format("expected the reservoir's {} to be {}, found {}", name, expected, found),
                                "correct the argument of the reservoir");
  }
}

}  // namespace

Reservoir::Reservoir(const ReservoirGeometry& geometry, double initial_level, double step)
    : geometry_(geometry), step_(step) {
  Require(geometry.volume_factor > 0.0, "volume factor", "above 0", geometry.volume_factor);
  Require(geometry.volume_exponent >= 1.0, "volume exponent", "at least 1", geometry.volume_exponent);
  Require(geometry.outlet_area >= 0.0, "outlet area", "at least 0 m2", geometry.outlet_area);
  Require(geometry.crest_length >= 0.0, "crest length", "at least 0 m", geometry.crest_length);
  Require(geometry.outlet_level >= geometry.bottom, "outlet level", "at or above its bottom", geometry.outlet_level);
  Require(geometry.crest_level >= geometry.outlet_level, "crest level", "at or above its outlet", geometry.crest_level);
  Require(initial_level >= geometry.bottom, "initial level", "at or above its bottom", initial_level);
  Require(step > 0.0, "step", "above 0 s", step);
  volume_ = geometry.volume_factor * std::pow(initial_level - geometry.bottom, geometry.volume_exponent);
}

void Reservoir::SetStates(const std::array<double, 4>& states) {
  volume_ = states[0];
  inflow_ = states[1];
  release_ = states[2];
  loss_ = states[3];
}

double Reservoir::LevelAt(double volume) const {
  return geometry_.bottom + std::pow(std::max(volume, 0.0) / geometry_.volume_factor, 1.0 / geometry_.volume_exponent);
}

double Reservoir::SurfaceAt(double volume) const {
  const double depth = LevelAt(volume) - geometry_.bottom;
  return geometry_.volume_factor * geometry_.volume_exponent * std::pow(depth, geometry_.volume_exponent - 1.0);
}

double Reservoir::Release(double level, double opening) const {
  const double over_outlet = std::max(level - geometry_.outlet_level, 0.0);
  const double over_crest = std::max(level - geometry_.crest_level, 0.0);
  return geometry_.outlet_coefficient * (geometry_.outlet_area * opening) * std::sqrt(2.0 * kGravity * over_outlet) +
         geometry_.crest_coefficient * geometry_.crest_length * over_crest * std::sqrt(over_crest);
}

double Reservoir::Step(double inflow, double evaporation, double opening) {
  const int count = static_cast<int>(std::ceil(step_ / kLongestSubStep));
  const double h = step_ / count;
  double released = 0.0;
  double lost = 0.0;
  for (int i = 0; i < count; ++i) {
    double release = 0.0;  // weighted means over the four stages [m3 s-1]
    double loss = 0.0;
    double change = 0.0;
    constexpr double kWeight[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    constexpr double kAdvance[] = {0.0, 0.5, 0.5, 1.0};
    for (int stage = 0; stage < 4; ++stage) {
      const double volume = std::max(volume_ + kAdvance[stage] * h * change, 0.0);
      const double stage_release = Release(LevelAt(volume), opening);
      const double stage_loss = evaporation * SurfaceAt(volume);
      change = inflow - stage_release - stage_loss;
      release += kWeight[stage] * stage_release;
      loss += kWeight[stage] * stage_loss;
    }
    // Nearly empty, the stages may promise more than there is; then what there is goes out in the same proportion.
    const double available = volume_ / h + inflow;
    if (release + loss > available) {
      const double share = std::max(available, 0.0) / (release + loss);
      release *= share;
      loss *= share;
    }
    volume_ += h * (inflow - release - loss);
    released += h * release;
    lost += h * loss;
  }
  inflow_ += inflow * step_;
  release_ += released;
  loss_ += lost;
  return released / step_;
}

}  // namespace riverbasin
