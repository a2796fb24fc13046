#include "examples/platoon/Vehicle.hpp"

#include <algorithm>
#include <cmath>

namespace platoon {
namespace {

constexpr double kGravity = 9.81;
constexpr double kUsualMass = 1600.0;  // kg

double WithinPedal(double position) {
  return std::isfinite(position) ? std::clamp(position, 0.0, 1.0) : 0.0;
}

}  // namespace

Vehicle::Vehicle(double way, double speed, double mass) : way_(way), speed_(speed), mass_(mass) {
  throttle_ = wanted_throttle_ = Resistance() / kDriveForce;
}

double Vehicle::Resistance() const {
  return kDrag * speed_ * speed_ + kRolling * mass_ * kGravity;
}

void Vehicle::SetPedals(double throttle, double brake) {
  wanted_throttle_ = WithinPedal(throttle);
  wanted_brake_ = WithinPedal(brake);
}

void Vehicle::SetWantedAcceleration(double acceleration) {
  const double force = kUsualMass * acceleration + Resistance();
  SetPedals(force / kDriveForce, -force / kBrakeForce);
}

void Vehicle::Advance(double seconds) {
  const double part = -std::expm1(-seconds / kActuatorLag);
  throttle_ += (wanted_throttle_ - throttle_) * part;
  brake_ += (wanted_brake_ - brake_) * part;
  const double drive = std::min(throttle_ * kDriveForce, kPower / std::max(speed_, 1.0));
  const double against = brake_ * kBrakeForce + Resistance();
  const double before = speed_;
  // Brakes and resistance stop a car; they don't push it back.
  speed_ = std::max(0.0, speed_ + (drive - against) / mass_ * seconds);
  acceleration_ = (speed_ - before) / seconds;
  way_ += 0.5 * (before + speed_) * seconds;
}

}  // namespace platoon
