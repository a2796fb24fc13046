#pragma once

#include <algorithm>
#include <cmath>

namespace robot {

/// A robot with two wheels that follows a line, seen from above. SI units.
///
/// The line is y = 0.3 sin(x / 0.8). A sensor 0.15 m ahead tells how far it is beside the line; the difference of the
/// wheels' speeds is in proportion to that. Unicycle kinematics, integrated by the midpoint rule.
struct Robot {
  double speed = 0.2;    ///< m/s, of the middle
  double gain = 6.0;     ///< 1/s of the wheels' difference per metre of deviation
  double track = 0.12;   ///< m between the wheels
  double slip = 0.0;     ///< share of the turn that the floor takes away
  double battery = 1.0;  ///< share of the speed that is left

  double x = 0.0;
  double y = 0.1;
  double heading = 0.0;
  double deviation = 0.0;  ///< what the sensor said last

  static double Line(double along) { return 0.3 * std::sin(along / 0.8); }

  void Step(double seconds) {
    const auto turn = [this](double at_x, double at_y, double at_heading) {
      const double sensor_x = at_x + 0.15 * std::cos(at_heading);
      deviation = std::clamp(at_y + 0.15 * std::sin(at_heading) - Line(sensor_x), -0.1, 0.1);
      return -(1.0 - slip) * gain * deviation / (2.0 * track);
    };
    const double moved = 0.5 * seconds * speed * battery;
    const double middle = heading + 0.5 * seconds * turn(x, y, heading);
    const double rate = turn(x + moved * std::cos(heading), y + moved * std::sin(heading), middle);
    heading += seconds * rate;
    x += 2.0 * moved * std::cos(middle);
    y += 2.0 * moved * std::sin(middle);
  }
};

}  // namespace robot
