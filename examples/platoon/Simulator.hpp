#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "examples/platoon/Road.hpp"
#include "examples/platoon/Vehicle.hpp"

namespace platoon {

/// What the scenario begins with.
struct Scenario {
  double speed = 30.0;               ///< m/s, of all
  double time_gap = 1.0;             ///< s, from front to back
  double to_block = 300.0;           ///< m, from the leader's front
  double stand_before_block = 10.0;  ///< m, where the leader means to stand
  double deceleration = 3.0;         ///< m/s2, with which the leader means to brake
};

/// A number that the simulator gives or takes.
struct Signal {
  std::string_view name;
  std::string_view unit;
};

/// The simulator of vehicles and their environment: a motorway with a road block, and three cars in one lane. The first
/// it drives itself: at a constant speed, then braking to a stand before the block. Throttle and brake of the other two
/// come from outside. Each runs in small steps of its own, so that a step is the same in whatever parts it is asked
/// for.
class Simulator {
 public:
  static constexpr std::size_t kVehicles = 3;
  static constexpr std::size_t kFollowers = kVehicles - 1;
  static constexpr std::size_t kInputCount = 2 * kFollowers;
  static constexpr std::size_t kOutputCount = 9 * kVehicles + kFollowers + 1;
  /// Throttle and brake of each follower.
  static const std::array<Signal, kInputCount> kInputs;
  /// Of each vehicle where it is, where it looks, velocity and acceleration in the plane, and both along the lane; the
  /// gaps before the followers and before the leader, from bumper to bumper.
  static const std::array<Signal, kOutputCount> kOutputs;

  /// \throws std::invalid_argument  nobody could drive so
  explicit Simulator(const Scenario& scenario = {});

  const Road& Lane() const { return road_; }
  double Block() const { return block_; }  ///< m along the lane
  const Scenario& Begin() const { return scenario_; }

  /// In the order of kInputs; they hold until they are set anew.
  void SetInputs(std::span<const double> inputs);
  /// \param seconds  a multiple of a millisecond; else rounded to one
  void Advance(double seconds);
  /// In the order of kOutputs.
  void GetOutputs(std::span<double> outputs) const;

 private:
  void DriveLeader();

  Scenario scenario_;
  Road road_;
  double block_ = 0.0;
  std::array<Vehicle, kVehicles> vehicles_;
  bool is_braking_ = false;
  double wanted_ = 0.0;  // m/s2, of the leader
};

}  // namespace platoon
