#include "adaptors/kernels/SphereMean.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace openmi {
namespace {

constexpr double kWidest = 0.5;  // of a stretch, radians

struct GaussPoint {
  double at;      // 0 to 1
  double weight;  // sum 1
};
constexpr double kInner = 0.53846931010568309104;
constexpr double kOuter = 0.90617984593866399280;
constexpr std::array<GaussPoint, 5> kGauss = {{{0.5 - 0.5 * kOuter, 0.11846344252809454376},
                                               {0.5 - 0.5 * kInner, 0.23931433524968323402},
                                               {0.5, 0.28444444444444444444},
                                               {0.5 + 0.5 * kInner, 0.23931433524968323402},
                                               {0.5 + 0.5 * kOuter, 0.11846344252809454376}}};

/// Calls `visit(at, weight)` for the Gauss points of as many stretches as the distance from `from` to `to` needs.
template <typename Visit>
void EachPoint(double from, double to, Visit&& visit) {
  const int count = std::max(1, static_cast<int>(std::ceil(std::abs(to - from) / kWidest)));
  const double stretch = (to - from) / count;
  for (int i = 0; i < count; ++i) {
    for (const GaussPoint& point : kGauss) visit(from + stretch * (i + point.at), stretch * point.weight);
  }
}

}  // namespace

SphereMean::SphereMean(const EqualAreaSphere& sphere, Point corner)
    : sphere_(sphere), corner_(corner), latitude_(Latitude(corner.y)) {
  place_ = {std::cos(latitude_), 0.0, std::sin(latitude_)};
}

double SphereMean::Latitude(double y) const {
  return std::asin(std::clamp(y / sphere_.half_height, -1.0, 1.0));
}

void SphereMean::Add(double sign, Point p, Point q) {
  if (p.x == q.x || (p.y == corner_.y && q.y == corner_.y)) return;
  const double from = (p.x - corner_.x) / sphere_.radius;
  const double to = (q.x - corner_.x) / sphere_.radius;
  if (from == to) return;  // a meridian whose cut is off by rounding: the strip has no width in radians
  const bool parallel = p.y == q.y;
  const double latitude = Latitude(p.y);
  EachPoint(from, to, [&](double longitude, double width) {
    const double top =
        parallel ? latitude : Latitude(p.y + (q.y - p.y) * std::clamp((longitude - from) / (to - from), 0.0, 1.0));
    const double east = std::cos(longitude);
    const double north = std::sin(longitude);
    EachPoint(latitude_, top, [&](double at, double height) {
      const double ring = std::cos(at);
      const double weight = sign * width * height * ring;
      moment_.x += weight * (ring * east - place_.x);
      moment_.y += weight * ring * north;
      moment_.z += weight * (std::sin(at) - place_.z);
    });
  });
}

Point3 SphereMean::Of(double area) const {
  const double on_unit_sphere = area / (sphere_.radius * sphere_.half_height);
  const Point3 mean = place_ + (1.0 / on_unit_sphere) * moment_;
  const double turn = corner_.x / sphere_.radius;
  const double c = std::cos(turn);
  const double s = std::sin(turn);
  return {c * mean.x - s * mean.y, s * mean.x + c * mean.y, mean.z};
}

}  // namespace openmi
