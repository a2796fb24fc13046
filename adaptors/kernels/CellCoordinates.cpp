#include <algorithm>
#include <cmath>
#include <numbers>

#include "adaptors/kernels/InterpolationMesh.hpp"

namespace openmi {
namespace {

constexpr double kRim = 1e-9;  // of the cell's size

/// The weights of a place at a corner or on an edge.
bool OnRim(std::span<const Point> corners, std::span<double> weights) {
  double size = 0.0;
  for (const Point p : corners) size = std::max(size, Dot(Minus(p, corners[0]), Minus(p, corners[0])));
  const double slack = kRim * std::sqrt(size);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::size_t next = (i + 1) % corners.size();
    const Point edge = Minus(corners[next], corners[i]);
    const double square = Dot(edge, edge);
    if (!(square > 0.0)) continue;
    const double along = std::clamp(-Dot(corners[i], edge) / square, 0.0, 1.0);
    const Point foot{corners[i].x + along * edge.x, corners[i].y + along * edge.y};
    if (Dot(foot, foot) > slack * slack) continue;
    std::fill(weights.begin(), weights.end(), 0.0);
    weights[next] = along;
    weights[i] = 1.0 - along;
    return true;
  }
  return false;
}

void Barycentric(std::span<const Point> c, std::span<double> weights) {
  const double whole = Cross(Minus(c[1], c[0]), Minus(c[2], c[0]));
  weights[1] = Cross(c[2], c[0]) / whole;
  weights[2] = Cross(c[0], c[1]) / whole;
  weights[0] = 1.0 - weights[1] - weights[2];
}

bool IsConvex(std::span<const Point> c) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    const Point edge = Minus(c[(i + 1) % c.size()], c[i]);
    const Point next = Minus(c[(i + 2) % c.size()], c[(i + 1) % c.size()]);
    if (!(Cross(edge, next) > 0.0)) return false;
  }
  return true;
}

/// Newton's method for the bilinear map of the unit square onto the cell.
bool Bilinear(std::span<const Point> c, std::span<double> weights) {
  const Point along = Minus(c[1], c[0]);
  const Point across = Minus(c[3], c[0]);
  const Point twist{c[2].x - c[1].x - c[3].x + c[0].x, c[2].y - c[1].y - c[3].y + c[0].y};
  double u = 0.5;
  double v = 0.5;
  for (int step = 0; step < 30; ++step) {
    const Point at{c[0].x + u * along.x + v * across.x + u * v * twist.x,
                   c[0].y + u * along.y + v * across.y + u * v * twist.y};
    const Point du{along.x + v * twist.x, along.y + v * twist.y};
    const Point dv{across.x + u * twist.x, across.y + u * twist.y};
    const double whole = Cross(du, dv);
    if (whole == 0.0) return false;
    const double change_u = Cross(at, dv) / whole;
    const double change_v = Cross(du, at) / whole;
    u -= change_u;
    v -= change_v;
    if (std::abs(change_u) + std::abs(change_v) < 1e-14) break;
  }
  if (!(u > -1e-6 && u < 1.0 + 1e-6 && v > -1e-6 && v < 1.0 + 1e-6)) return false;
  u = std::clamp(u, 0.0, 1.0);
  v = std::clamp(v, 0.0, 1.0);
  weights[0] = (1.0 - u) * (1.0 - v);
  weights[1] = u * (1.0 - v);
  weights[2] = u * v;
  weights[3] = (1.0 - u) * v;
  return true;
}

void MeanValue(std::span<const Point> c, std::span<double> weights) {
  const auto half_tangent = [&](std::size_t i) {
    const Point a = c[i];
    const Point b = c[(i + 1) % c.size()];
    // tan(angle / 2) = sin / (1 + cos)
    return Cross(a, b) / (std::sqrt(Dot(a, a) * Dot(b, b)) + Dot(a, b));
  };
  double sum = 0.0;
  double last = half_tangent(c.size() - 1);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double next = half_tangent(i);
    weights[i] = (last + next) / std::sqrt(Dot(c[i], c[i]));
    sum += weights[i];
    last = next;
  }
  for (double& weight : weights) weight /= sum;
}

}  // namespace

bool CellCoordinates(std::span<const Point> corners, std::span<double> weights) {
  double turned = 0.0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point a = corners[i];
    const Point b = corners[(i + 1) % corners.size()];
    turned += std::atan2(Cross(a, b), Dot(a, b));
  }
  if (OnRim(corners, weights)) return true;
  if (!(turned > std::numbers::pi)) return false;
  if (corners.size() == 3) {
    Barycentric(corners, weights);
  } else if (corners.size() != 4 || !IsConvex(corners) || !Bilinear(corners, weights)) {
    MeanValue(corners, weights);
  }
  return true;
}

}  // namespace openmi
