#include "adaptors/kernels/LinearFit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "adaptors/kernels/PointTree.hpp"

namespace openmi {
namespace {

constexpr double kLeastSpread = 1e-3;   // of the widest direction
constexpr double kMostWeight = 4.0;     // of the sum of a target's absolute weights; 1 if all are positive
constexpr std::size_t kMostTimes = 32;  // limit of sources, as a multiple of those asked for, where they do not
                                        // surround a target

double Product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void Subtract(double scale, const std::vector<double>& from, std::vector<double>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= scale * from[i];
}

}  // namespace

void LinearFit::Fit(std::span<const Point3> points, std::span<const double> weights, std::size_t directions) {
  const std::size_t count = points.size();
  directions_ = directions;
  total_ = 0.0;
  mean_ = {};
  roots_.resize(count);
  constexpr std::array<double Point3::*, 3> axes = {&Point3::x, &Point3::y, &Point3::z};
  for (std::size_t i = 0; i < count; ++i) {
    roots_[i] = std::sqrt(weights[i]);
    total_ += weights[i];
    for (std::size_t d = 0; d < directions; ++d) mean_[d] += weights[i] * (points[i].*axes[d]);
  }
  for (double& mean : mean_) mean /= total_;
  std::array<double, 3> norms{};
  double widest = 0.0;
  for (std::size_t d = 0; d < directions; ++d) {
    basis_[d].resize(count);
    for (std::size_t i = 0; i < count; ++i) basis_[d][i] = roots_[i] * (points[i].*axes[d] - mean_[d]);
    norms[d] = std::sqrt(Product(basis_[d], basis_[d]));
    widest = std::max(widest, norms[d]);
  }
  // Gram-Schmidt with the longest remainder first; each step is done twice to remove the rounding of the first.
  kept_ = 0;
  triangle_ = {};
  columns_ = {0, 1, 2};
  for (std::size_t k = 0; k < directions; ++k) {
    std::size_t longest = k;
    for (std::size_t j = k; j < directions; ++j) {
      norms[j] = std::sqrt(Product(basis_[j], basis_[j]));
      if (norms[j] > norms[longest]) longest = j;
    }
    if (!(norms[longest] > kLeastSpread * widest)) break;
    std::swap(basis_[k], basis_[longest]);
    std::swap(columns_[k], columns_[longest]);
    for (std::size_t j = 0; j < k; ++j) std::swap(triangle_[j][k], triangle_[j][longest]);
    for (std::size_t j = 0; j < k; ++j) {
      const double again = Product(basis_[j], basis_[k]);
      triangle_[j][k] += again;
      Subtract(again, basis_[j], basis_[k]);
    }
    const double norm = std::sqrt(Product(basis_[k], basis_[k]));
    triangle_[k][k] = norm;
    for (double& value : basis_[k]) value /= norm;
    for (std::size_t j = k + 1; j < directions; ++j) {
      triangle_[k][j] = Product(basis_[k], basis_[j]);
      Subtract(triangle_[k][j], basis_[k], basis_[j]);
    }
    ++kept_;
  }
}

void LinearFit::Solve(const std::array<double, 3>& sides, std::span<double> out) const {
  std::array<double, 3> z{};
  for (std::size_t k = 0; k < kept_; ++k) {
    double rest = sides[columns_[k]];
    for (std::size_t j = 0; j < k; ++j) rest -= triangle_[j][k] * z[j];
    z[k] = rest / triangle_[k][k];
  }
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < kept_; ++k) sum += basis_[k][i] * z[k];
    out[i] = sum;
  }
}

void LinearFit::ValueAtOrigin(std::span<double> out) const {
  // The mean, and from there to the origin: -mean . slope, with z from triangle' z = mean.
  Solve(mean_, out);
  for (std::size_t i = 0; i < roots_.size(); ++i) out[i] = roots_[i] * (roots_[i] / total_ - out[i]);
}

void LinearFit::Slope(std::size_t direction, std::span<double> out) const {
  // The slope along omitted columns is 0; that along the others follows from triangle x = basis' values, column by
  // column.
  std::array<double, 3> unit{};
  unit[direction] = 1.0;
  Solve(unit, out);
  for (std::size_t i = 0; i < roots_.size(); ++i) out[i] = roots_[i] * out[i];
}

namespace {

/// The weights of the found sources in the value at the frame's origin of a linear function fitted to them. Sorts the
/// sources by index.
void FitAbout(const LocalFrame& frame, std::span<const Point3> sources, Space space, std::vector<PointNeighbour>& found,
              LinearFit& fit, std::vector<Point3>& local, std::vector<double>& weights) {
  local.clear();
  weights.clear();
  if (found.empty()) return;
  const double reach = 1.2 * std::sqrt(found.back().square);
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  for (const PointNeighbour& n : found) {
    const double r = reach > 0.0 ? std::sqrt(n.square) / reach : 0.0;
    const double near = (1.0 - r) * (1.0 - r);
    weights.push_back(near * near * (4.0 * r + 1.0));
    local.push_back((reach > 0.0 ? 1.0 / reach : 1.0) * frame(sources[n.index]));
  }
  fit.Fit(local, weights, Directions(space));
  fit.ValueAtOrigin(weights);
  // If one source is almost at the target, weights of very different size leave rounding in the sum.
  for (int pass = 0; pass < 2; ++pass) {
    *std::ranges::max_element(weights) += 1.0 - std::accumulate(weights.begin(), weights.end(), 0.0);
  }
}

}  // namespace

SparseRows LeastSquaresWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                               const LeastSquaresOptions& options) {
  RequireFinite(targets, "target");
  const PointTree tree(sources);
  SparseRows rows(sources.size());
  const std::size_t count = std::max<std::size_t>(options.neighbours, 3);
  rows.Reserve(targets.size(), targets.size() * std::min(count, sources.size()));
  LinearFit fit;
  std::vector<PointNeighbour> found;
  std::vector<Point3> local;
  std::vector<double> weights;
  for (const Point3& target : targets) {
    const LocalFrame frame(target, options.space);
    // Sources on a line, as on the parallels about a pole, do not determine the function beside it; more sources are
    // used then.
    for (std::size_t asked = count;; asked *= 2) {
      tree.Nearest(target, asked, found);
      FitAbout(frame, sources, options.space, found, fit, local, weights);
      double size = 0.0;
      for (const double weight : weights) size += std::abs(weight);
      if (!(size > kMostWeight) || asked >= kMostTimes * count || found.size() < asked) break;
    }
    for (std::size_t i = 0; i < found.size(); ++i) rows.Add(found[i].index, weights[i]);
    rows.EndRow();
  }
  return rows;
}

}  // namespace openmi
