#include "adaptors/kernels/Kriging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "adaptors/kernels/DenseSystem.hpp"
#include "adaptors/kernels/MergedPoints.hpp"
#include "adaptors/kernels/PointTree.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

void Require(bool good, const char* what, double found) {
  if (good) return;
  throw ArgumentError({}, fmt::format("expected a variogram with {}, found {}", what, found));
}

/// The equations for one set of places: gamma between them, and weights that sum to 1. All terms are divided by the
/// sill, so that the numbers are about 1.
class Equations {
 public:
  void Prepare(std::span<const Point3> places, const Variogram& variogram) {
    places_ = places;
    variogram_ = variogram;
    scale_ = variogram.nugget + variogram.sill;
    const std::size_t n = places.size();
    const std::size_t size = n + 1;
    matrix_.assign(size * size, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) matrix_[i * size + j] = matrix_[j * size + i] = Gamma(places[i], places[j]);
      matrix_[i * size + n] = matrix_[n * size + i] = 1.0;
    }
    system_.Factorise(matrix_, size);
  }

  double Condition() const { return system_.Condition(); }

  /// Computes the weights for a target; returns the variance.
  double Solve(Point3 target, std::vector<double>& weights) {
    const std::size_t n = places_.size();
    side_.resize(n + 1);
    for (std::size_t i = 0; i < n; ++i) side_[i] = Gamma(target, places_[i]);
    side_[n] = 1.0;
    weights = side_;
    system_.Solve(weights);
    double variance = 0.0;
    for (std::size_t i = 0; i <= n; ++i) variance += weights[i] * side_[i];
    weights.pop_back();
    return std::max(variance, 0.0) * scale_;
  }

 private:
  double Gamma(Point3 a, Point3 b) const { return variogram_(std::sqrt(SquaredDistance(a, b))) / scale_; }

  std::span<const Point3> places_;
  Variogram variogram_;
  double scale_ = 1.0;
  std::vector<double> matrix_;
  std::vector<double> side_;
  DenseSystem system_;
};

}  // namespace

double Variogram::operator()(double distance) const {
  if (distance == 0.0) return 0.0;
  const double r = distance / range;
  switch (model) {
    case Model::Linear:
      return nugget + sill * r;
    case Model::Spherical:
      return nugget + sill * (r < 1.0 ? r * (1.5 - 0.5 * r * r) : 1.0);
    case Model::Exponential:
      return nugget - sill * std::expm1(-3.0 * r);
    case Model::Gaussian:
      return nugget - sill * std::expm1(-3.0 * r * r);
  }
  return 0.0;
}

KrigingWeights OrdinaryKriging(std::span<const Point3> sources, std::span<const Point3> targets,
                               const KrigingOptions& options) {
  const Variogram& variogram = options.variogram;
  Require(variogram.nugget >= 0.0 && std::isfinite(variogram.nugget), "a nugget not below 0", variogram.nugget);
  Require(variogram.sill > 0.0 && std::isfinite(variogram.sill), "a sill above 0", variogram.sill);
  Require(variogram.range > 0.0 && std::isfinite(variogram.range), "a range above 0", variogram.range);
  RequireFinite(targets, "target");
  const MergedPoints merged(sources);
  const std::size_t n = merged.Count();
  KrigingWeights result{{SparseRows(sources.size())}, std::vector<double>(targets.size(), 0.0)};
  SparseRows& rows = result.solved.weights;
  const bool all = options.neighbours == 0 || options.neighbours >= n;
  if (all && n > kMostInOneSystem) {
    throw RangeError(
        {}, fmt::format("expected at most {} sources in one system of equations, found {}", kMostInOneSystem, n),
        "set neighbours to some 30");
  }
  Equations equations;
  if (all && n > 0) {
    equations.Prepare(merged.Points(), variogram);
    result.solved.condition = equations.Condition();
  }
  const PointTree tree(merged.Points());
  std::vector<PointNeighbour> found;
  std::vector<std::uint32_t> chosen;
  std::vector<std::uint32_t> last;
  std::vector<Point3> places;
  std::vector<double> weights;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    if (n > 0 && !all) {
      tree.Nearest(targets[t], options.neighbours, found);
      chosen.clear();
      for (const PointNeighbour& neighbour : found) chosen.push_back(neighbour.index);
      std::sort(chosen.begin(), chosen.end());
      if (chosen != last) {
        places.clear();
        for (const std::uint32_t s : chosen) places.push_back(merged.Points()[s]);
        equations.Prepare(places, variogram);
        result.solved.condition = std::max(result.solved.condition, equations.Condition());
        last = chosen;
      }
    }
    if (n > 0) {
      result.variance[t] = equations.Solve(targets[t], weights);
      for (std::size_t i = 0; i < weights.size(); ++i) merged.Add(all ? i : chosen[i], weights[i], rows);
    }
    rows.EndRow();
  }
  return result;
}

}  // namespace openmi
