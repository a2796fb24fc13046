#include "examples/platoon/Simulator.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace platoon {
namespace {

constexpr double kInner = 1e-3;      // s, a step of the vehicles
constexpr double kLeaderAt = 150.0;  // m along the lane, its middle at the begin
constexpr double kJerk = 6.0;        // m/s3, of the leader's wish
constexpr std::array<double, Simulator::kVehicles> kMass = {1600.0, 1600.0, 1750.0};  // kg: the last is laden

std::array<Vehicle, Simulator::kVehicles> Place(const Scenario& scenario) {
  const double apart = scenario.speed * scenario.time_gap + Vehicle::kLength;
  return {Vehicle(kLeaderAt, scenario.speed, kMass[0]), Vehicle(kLeaderAt - apart, scenario.speed, kMass[1]),
          Vehicle(kLeaderAt - 2.0 * apart, scenario.speed, kMass[2])};
}

const Scenario& Checked(const Scenario& scenario) {
  const bool is_good = scenario.speed > 0.0 && scenario.time_gap > 0.0 && scenario.deceleration > 0.0 &&
                       scenario.stand_before_block >= 0.0 && scenario.to_block > scenario.stand_before_block &&
                       2.0 * (scenario.speed * scenario.time_gap + Vehicle::kLength) < kLeaderAt;
  if (!is_good) {
    throw std::invalid_argument(
        "expected a speed, time gap and deceleration above zero, a place to stand between leader and block, and a "
        "platoon of at most 150 m, found others; choose smaller ones");
  }
  return scenario;
}

}  // namespace

const std::array<Signal, Simulator::kInputCount> Simulator::kInputs = {{
    {"follower-1.throttle", "1"},
    {"follower-1.brake", "1"},
    {"follower-2.throttle", "1"},
    {"follower-2.brake", "1"},
}};

#define PLATOON_VEHICLE(name)                                                                             \
  {name ".x", "m"}, {name ".y", "m"}, {name ".heading", "rad"}, {name ".vx", "m/s"}, {name ".vy", "m/s"}, \
      {name ".ax", "m/s2"}, {name ".ay", "m/s2"}, {name ".speed", "m/s"}, {                               \
    name ".acceleration", "m/s2"                                                                          \
  }
const std::array<Signal, Simulator::kOutputCount> Simulator::kOutputs = {{
    PLATOON_VEHICLE("leader"),
    PLATOON_VEHICLE("follower-1"),
    PLATOON_VEHICLE("follower-2"),
    {"follower-1.gap", "m"},
    {"follower-2.gap", "m"},
    {"leader.distance-to-block", "m"},
}};
#undef PLATOON_VEHICLE

Simulator::Simulator(const Scenario& scenario)
    : scenario_(Checked(scenario)),
      road_(180.0, 80.0, 500.0, kLeaderAt + scenario.to_block + 100.0),
      block_(kLeaderAt + 0.5 * Vehicle::kLength + scenario.to_block),
      vehicles_(Place(scenario)) {}

void Simulator::SetInputs(std::span<const double> inputs) {
  for (std::size_t i = 0; i < kFollowers; ++i) vehicles_[i + 1].SetPedals(inputs[2 * i], inputs[2 * i + 1]);
}

// Brakes when the deceleration that is needed to stand in time has become the one that is meant, and from there on with
// what is needed. The wish lags, and so does the actuator: what that costs, the next wish makes good. The last brakes
// are released at a constant rate j: with deceleration a that is j t at a time t before the stand, speed is j t^2 / 2
// and way j t^3 / 6, hence a = 2 v^2 / (3 way).
void Simulator::DriveLeader() {
  constexpr double kCrawl = 0.05;   // m/s, below which the last bit is braked
  constexpr double kRelease = 2.0;  // m/s3
  const double meant = scenario_.deceleration;
  const double release_speed = meant * meant / (2.0 * kRelease);
  const double release_way = release_speed * meant / (3.0 * kRelease);
  const double speed = vehicles_[0].Speed();
  const double left = block_ - scenario_.stand_before_block - vehicles_[0].Front();
  const double needed = speed > release_speed ? (speed * speed - release_speed * release_speed) /
                                                    (2.0 * std::max(left - release_way, 0.01))
                                              : 2.0 * speed * speed / (3.0 * std::max(left, 0.01));
  is_braking_ = is_braking_ || needed >= meant;
  double goal = 0.0;
  if (is_braking_) goal = speed < kCrawl ? -0.3 : -std::min(needed, 2.0 * meant);
  wanted_ += std::clamp(goal - wanted_, -kJerk * kInner, kJerk * kInner);
  vehicles_[0].SetWantedAcceleration(wanted_);
}

void Simulator::Advance(double seconds) {
  for (long long i = std::llround(seconds / kInner); i > 0; --i) {
    DriveLeader();
    for (Vehicle& vehicle : vehicles_) vehicle.Advance(kInner);
  }
}

void Simulator::GetOutputs(std::span<double> outputs) const {
  std::size_t at = 0;
  for (const Vehicle& vehicle : vehicles_) {
    const Road::Place place = road_.At(vehicle.Way());
    const double ahead_x = std::cos(place.heading);
    const double ahead_y = std::sin(place.heading);
    const double inward = place.curvature * vehicle.Speed() * vehicle.Speed();  // m/s2, to the left
    const double values[] = {place.x,
                             place.y,
                             place.heading,
                             vehicle.Speed() * ahead_x,
                             vehicle.Speed() * ahead_y,
                             vehicle.Acceleration() * ahead_x - inward * ahead_y,
                             vehicle.Acceleration() * ahead_y + inward * ahead_x,
                             vehicle.Speed(),
                             vehicle.Acceleration()};
    for (const double value : values) outputs[at++] = value;
  }
  for (std::size_t i = 1; i < kVehicles; ++i) outputs[at++] = vehicles_[i - 1].Back() - vehicles_[i].Front();
  outputs[at++] = block_ - vehicles_[0].Front();
}

}  // namespace platoon
