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

constexpr double kRadius = 6378137.0;                // WGS84 semi-major axis, m
constexpr double kFlattening = 1.0 / 298.257223563;  // WGS84
constexpr double kDegree = std::numbers::pi / 180.0;

}  // namespace

void ProjectToEqualArea(std::span<const double> longitude, std::span<const double> latitude, double reference_longitude,
                        std::span<double> x, std::span<double> y) {
  assert(longitude.size() == latitude.size() && x.size() == longitude.size() && y.size() == latitude.size());
  const double e2 = kFlattening * (2.0 - kFlattening);
  const double e = std::sqrt(e2);
  for (std::size_t i = 0; i < longitude.size(); ++i) {
    if (!std::isfinite(longitude[i]) || !(std::abs(latitude[i]) <= 90.0)) {
      throw RangeError(
          {},
          fmt::format("vertex {}: expected a longitude and a latitude from -90 to 90 degrees, found {}, {}", i,
                      longitude[i], latitude[i]),
          "give the vertices as longitude first, or name their reference system");
    }
    const double s = std::sin(latitude[i] * kDegree);
    const double q = (1.0 - e2) * (s / (1.0 - e2 * s * s) + std::atanh(e * s) / e);
    x[i] = kRadius * kDegree * std::remainder(longitude[i] - reference_longitude, 360.0);
    y[i] = 0.5 * kRadius * q;
  }
}

double MiddleLongitude(std::span<const double> longitude) {
  std::vector<double> sorted;
  for (double value : longitude) {
    if (std::isfinite(value)) sorted.push_back(value - 360.0 * std::floor(value / 360.0));
  }
  if (sorted.empty()) return 0.0;
  std::sort(sorted.begin(), sorted.end());
  double widest = sorted.front() + 360.0 - sorted.back();
  double first = sorted.front();  // of the stretch that the places lie in
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    if (sorted[i + 1] - sorted[i] > widest) {
      widest = sorted[i + 1] - sorted[i];
      first = sorted[i + 1];
    }
  }
  return std::remainder(first + 0.5 * (360.0 - widest), 360.0);
}

}  // namespace openmi
