#pragma once

namespace platoon {

/// A car along its lane: actuators with a lag, drive, brakes, drag and rolling resistance.
class Vehicle {
 public:
  static constexpr double kLength = 4.5;          ///< m
  static constexpr double kWidth = 1.8;           ///< m
  static constexpr double kDriveForce = 6400.0;   ///< N at full throttle, as far as the power lasts
  static constexpr double kBrakeForce = 14400.0;  ///< N at full brake
  static constexpr double kPower = 120e3;         ///< W
  static constexpr double kActuatorLag = 0.15;    ///< s, of throttle and brake, first order
  static constexpr double kDrag = 0.4;            ///< N s2/m2: half the density of air times area times coefficient
  static constexpr double kRolling = 0.012;       ///< of the weight

  /// Drives at `speed` with the throttle that keeps it. \param way  m, of its middle \param mass  kg
  Vehicle(double way, double speed, double mass);

  /// Wanted positions of the pedals, 0 to 1; others are brought there.
  void SetPedals(double throttle, double brake);
  /// As if throttle and brake were set for this acceleration, m/s2, of a car of the mass that drivers expect.
  void SetWantedAcceleration(double acceleration);
  void Advance(double seconds);

  double Way() const { return way_; }                    ///< m, of its middle
  double Front() const { return way_ + 0.5 * kLength; }  ///< m
  double Back() const { return way_ - 0.5 * kLength; }   ///< m
  double Speed() const { return speed_; }                ///< m/s, never negative
  double Acceleration() const { return acceleration_; }  ///< m/s2, along the lane

 private:
  double Resistance() const;

  double way_, speed_, mass_;
  double acceleration_ = 0.0;
  double wanted_throttle_ = 0.0, wanted_brake_ = 0.0;
  double throttle_ = 0.0, brake_ = 0.0;
};

}  // namespace platoon
