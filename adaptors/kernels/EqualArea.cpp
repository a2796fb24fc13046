#include "adaptors/kernels/EqualArea.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

}  // namespace

void RequireDegrees(double longitude, double latitude, std::size_t index) {
  if (std::isfinite(longitude) && std::abs(latitude) <= 90.0) return;
  throw RangeError({},
                   fmt::format("vertex {}: expected a longitude and a latitude from -90 to 90 degrees, found {}, {}",
                               index, longitude, latitude),
                   "give the vertices as longitude first, or name their reference system");
}

void ProjectToEqualArea(std::span<const double> longitude, std::span<const double> latitude, double reference_longitude,
                        std::span<double> x, std::span<double> y) {
  assert(longitude.size() == latitude.size() && x.size() == longitude.size() && y.size() == latitude.size());
  const double e2 = kWgs84Flattening * (2.0 - kWgs84Flattening);
  const double e = std::sqrt(e2);
  for (std::size_t i = 0; i < longitude.size(); ++i) {
    RequireDegrees(longitude[i], latitude[i], i);
    const double s = std::sin(latitude[i] * kDegree);
    const double q = (1.0 - e2) * (s / (1.0 - e2 * s * s) + std::atanh(e * s) / e);
    x[i] = kWgs84Radius * kDegree * std::remainder(longitude[i] - reference_longitude, 360.0);
    y[i] = 0.5 * kWgs84Radius * q;
  }
}

void UnrollToEqualArea(std::span<const double> longitude, std::span<const double> latitude, double reference_longitude,
                       double near, std::vector<double>& x, std::vector<double>& y) {
  const std::size_t count = longitude.size();
  const auto at_pole = [&](double lat) { return std::abs(lat) > 90.0 - 1e-9; };
  const bool all_poles = std::ranges::all_of(latitude, at_pole);  // the whole globe
  const auto is_pole = [&](std::size_t i) { return !all_poles && at_pole(latitude[i]); };
  // A step of 360 degrees is a step along a whole parallel.
  const auto step = [](double from, double to) {
    const double degrees = to - from;
    return std::abs(std::abs(degrees) - 360.0) < 1e-9 ? degrees : std::remainder(degrees, 360.0);
  };
  std::vector<double> degrees;
  std::vector<double> latitudes;
  const auto add = [&](double lon, double lat) {
    degrees.push_back(lon);
    latitudes.push_back(lat);
  };
  std::size_t start = 0;
  while (start < count && is_pole(start)) ++start;
  double sum = 0.0;
  for (const double lat : latitude) sum += lat;
  if (start < count) {
    const double first = near + std::remainder(longitude[start] - near, 360.0);
    double last = first;
    double last_given = longitude[start];
    double pole = 0.0;  // the pole just passed; 0: none
    for (std::size_t k = 0; k <= count; ++k) {
      const std::size_t i = (start + k) % count;
      if (is_pole(i)) {
        if (pole == 0.0) add(last, latitude[i]);
        pole = latitude[i];
        continue;
      }
      const double next = last + step(last_given, longitude[i]);
      last_given = longitude[i];
      if (pole != 0.0) add(next, pole);
      pole = 0.0;
      last = next;
      if (k < count) add(next, latitude[i]);
    }
    if (std::abs(last - first) > 180.0) {  // a ring about a pole
      add(last, latitude[start]);
      add(last, sum < 0.0 ? -90.0 : 90.0);
      add(first, sum < 0.0 ? -90.0 : 90.0);
    }
  }
  x.resize(degrees.size());
  y.resize(degrees.size());
  ProjectToEqualArea(degrees, latitudes, reference_longitude, x, y);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = kWgs84Radius * kDegree * (degrees[i] - reference_longitude);
}

double EqualAreaWidth() {
  return kWgs84Radius * kDegree * 360.0;
}

EqualAreaSphere AuthalicSphere() {
  const double longitude = 0.0;
  const double latitude = 90.0;
  double x = 0.0;
  double y = 0.0;
  ProjectToEqualArea({&longitude, 1}, {&latitude, 1}, 0.0, {&x, 1}, {&y, 1});
  return {kWgs84Radius, y};
}

double MiddleLongitude(std::span<const double> longitude) {
  std::vector<double> sorted;
  for (double value : longitude) {
    if (std::isfinite(value)) sorted.push_back(value - 360.0 * std::floor(value / 360.0));
  }
  if (sorted.empty()) return 0.0;
  std::sort(sorted.begin(), sorted.end());
  double widest = sorted.front() + 360.0 - sorted.back();
  double first = sorted.front();  // of the range that the places lie in
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    if (sorted[i + 1] - sorted[i] > widest) {
      widest = sorted[i + 1] - sorted[i];
      first = sorted[i + 1];
    }
  }
  return std::remainder(first + 0.5 * (360.0 - widest), 360.0);
}

}  // namespace openmi
