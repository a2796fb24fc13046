#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace openmi::regrid {

/// A function of two coordinates: x and y in a plane, longitude and latitude (radians) on a sphere.
struct Field {
  std::string name;
  std::function<double(double, double)> at;
};

/// The fields of the reference errors in a plane. Franke: [Franke1979].
inline std::vector<Field> PlaneFields() {
  return {{"wave", [](double x, double y) { return std::sin(6 * x) * std::cos(5 * y); }},
          {"Franke", [](double x, double y) {
             const auto square = [](double v) { return v * v; };
             return 0.75 * std::exp(-(square(9 * x - 2) + square(9 * y - 2)) / 4) +
                    0.75 * std::exp(-square(9 * x + 1) / 49 - (9 * y + 1) / 10) +
                    0.5 * std::exp(-(square(9 * x - 7) + square(9 * y - 3)) / 4) -
                    0.2 * std::exp(-square(9 * x - 4) - square(9 * y - 7));
           }}};
}

inline double Sinusoid(double lon, double lat) {
  return 2 - std::cos(std::numbers::pi * std::acos(std::cos(lon) * std::cos(lat)) / (1.2 * std::numbers::pi));
}

/// Vortex about a pole at longitude 5.5, latitude 0.2.
inline double Vortex(double lon, double lat) {
  constexpr double lon0 = 5.5;
  constexpr double lat0 = 0.2;
  const double x = std::cos(lat) * std::cos(lon - lon0);
  const double y = std::cos(lat) * std::sin(lon - lon0);
  const double z = std::sin(lat);
  const double turned_lat = std::asin(std::clamp(z * std::sin(lat0) + x * std::cos(lat0), -1.0, 1.0));
  const double turned_lon = std::atan2(y, x * std::sin(lat0) - z * std::cos(lat0));
  const double rho = 3 * std::cos(turned_lat);
  const double sech = 1 / std::cosh(rho);
  const double speed = 1.5 * std::sqrt(3.0) * sech * sech * std::tanh(rho);
  const double omega = rho > 0 ? speed / rho : 0.0;
  return 2 * (1 + std::tanh(rho / 5 * std::sin(turned_lon - 6 * omega)));
}

/// A current that fades out beyond (-25.5, 55.5) degrees.
inline double GulfStream(double lon, double lat) {
  constexpr double degree = std::numbers::pi / 180;
  const double r0 = std::hypot((-1.8 + 80) * degree, (50 - 25) * degree);
  const double r1 = std::hypot((-25.5 + 80) * degree, (55.5 - 25) * degree);
  const double dx = std::remainder(lon, 2 * std::numbers::pi) + 80 * degree;
  const double dy = lat - 25 * degree;
  const double r = std::hypot(dx, dy);
  const double angle = std::atan2(dy, dx);
  double strength = r > r0 ? 0.0 : 1.3;
  if (r > r1) strength *= std::cos(0.5 * std::numbers::pi * (r - r1) / (r0 - r1));
  const double wave = 1000 * std::sin(0.4 * (0.5 * r + angle) + 0.007 * std::cos(50 * angle) + 0.37 * std::numbers::pi);
  return Sinusoid(lon, lat) + strength * (std::max(wave, 999.0) - 999.0);
}

/// The fields of [Valcke2022], as functions of longitude and latitude.
inline std::vector<Field> SphereFields() {
  return {{"sinusoid", Sinusoid},
          {"harmonic", [](double lon, double lat) { return 2 + std::pow(std::sin(2 * lat), 16) * std::cos(16 * lon); }},
          {"vortex", Vortex},
          {"gulfstream", GulfStream}};
}

}  // namespace openmi::regrid
