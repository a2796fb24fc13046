#include "adaptors/kernels/RadialBasis.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "adaptors/kernels/DenseSystem.hpp"
#include "adaptors/kernels/MergedPoints.hpp"
#include "adaptors/kernels/PointTree.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr double kWider = 1.25;         // radius of a ball over that of its part, so that balls overlap
constexpr double kLeastCarried = 4e-3;  // smallest over largest pivot of a polynomial at its places

bool NeedsNoScale(RadialFunction function) {
  return function == RadialFunction::ThinPlate || function == RadialFunction::Cubic;
}
bool Ends(RadialFunction function) {
  return function == RadialFunction::WendlandC2 || function == RadialFunction::WendlandC4 ||
         function == RadialFunction::WendlandC6;
}

/// The interpolation over one set of places, prepared for targets.
class Patch {
 public:
  /// \param places  in the unit of `scale`
  /// \param function  of the distance
  /// \param scale  of the function, in coordinate units
  /// \param degree  of the polynomial; lower if the places do not determine it
  /// \param axes  the largest number of directions
  void Prepare(std::span<const Point3> places, RadialFunction function, double scale, std::size_t degree,
               std::size_t axes) {
    places_ = places;
    function_ = function;
    scale_ = scale;
    MakeFrame(axes);
    for (;; --degree) {
      if (degree > 1 && !IsCarried(degree)) continue;
      terms_ = TermCount(degree);
      Factorise();
      // On a few lines, a polynomial of a higher degree can be 0 at all places.
      if (degree <= 1 || system_.Condition() < kMostCondition) return;
    }
  }

  /// Whether the places determine a polynomial of a degree well; places on a few lines do not.
  bool Carry(std::span<const Point3> places, std::size_t degree, std::size_t axes) {
    places_ = places;
    MakeFrame(axes);
    return degree <= 1 || axes_count_ == 0 || IsCarried(degree);
  }

  double Condition() const { return system_.Condition(); }

  /// The weights of the places for targets; weight of place i in target t is result[t * stride + i].
  std::span<const double> Weights(std::span<const Point3> targets, std::size_t& stride) {
    stride = size_;
    sides_.resize(targets.size() * size_);
    for (std::size_t t = 0; t < targets.size(); ++t) {
      double* side = &sides_[t * size_];
      for (std::size_t i = 0; i < places_.size(); ++i) side[i] = Value(targets[t], places_[i]);
      FillPolynomial(targets[t], side + places_.size());
    }
    system_.Solve(sides_);
    return sides_;
  }

 private:
  static constexpr double kMostCondition = 1e15;

  bool IsCarried(std::size_t degree) {
    terms_ = TermCount(degree);
    if (2 * terms_ > places_.size()) return false;
    polynomial_.resize(static_cast<Eigen::Index>(terms_), static_cast<Eigen::Index>(places_.size()));
    for (std::size_t i = 0; i < places_.size(); ++i) {
      FillPolynomial(places_[i], polynomial_.col(static_cast<Eigen::Index>(i)).data());
    }
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> parts(polynomial_.transpose());
    const auto last = static_cast<Eigen::Index>(terms_) - 1;
    return std::abs(parts.matrixR()(last, last)) > kLeastCarried * std::abs(parts.matrixR()(0, 0));
  }

  void Factorise() {
    const std::span<const Point3> places = places_;
    const std::size_t n = places.size();
    size_ = n + terms_;
    matrix_.assign(size_ * size_, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double value = Value(places[i], places[j]);
        matrix_[i * size_ + j] = value;
        matrix_[j * size_ + i] = value;
      }
      matrix_[i * size_ + i] = Evaluate(function_, 0.0);
      FillPolynomial(places[i], &matrix_[i * size_ + n]);
      for (std::size_t k = n; k < size_; ++k) matrix_[k * size_ + i] = matrix_[i * size_ + k];
    }
    system_.Factorise(matrix_, size_);
  }

  double Value(Point3 a, Point3 b) const { return Evaluate(function_, std::sqrt(SquaredDistance(a, b)) / scale_); }

  /// The number of monomials up to a degree.
  std::size_t TermCount(std::size_t degree) const {
    std::size_t count = 1;
    for (std::size_t k = 1; k <= axes_count_; ++k) count = count * (degree + k) / k;
    return count;
  }

  /// The monomials in the order of their degrees, up to the number of terms.
  void FillPolynomial(Point3 p, double* out) const {
    const double* end = out + terms_;
    *out++ = 1.0;
    std::array<double, 3> x{};
    for (std::size_t k = 0; k < axes_count_; ++k) x[k] = Dot(p - centre_, axes_[k]);
    for (std::size_t degree = 1; out < end; ++degree) {
      for (std::size_t i = 0; i <= degree; ++i) {
        for (std::size_t j = 0; i + j <= degree; ++j) {
          const std::size_t k = degree - i - j;
          if ((axes_count_ < 3 && k > 0) || (axes_count_ < 2 && j > 0)) continue;
          *out++ = Power(x[0], i) * Power(x[1], j) * Power(x[2], k);
        }
      }
    }
  }
  static double Power(double x, std::size_t power) {
    double result = 1.0;
    for (; power > 0; --power) result *= x;
    return result;
  }

  /// Makes directions in which the places spread, each of unit extent, from the coordinates one after the other.
  /// Directions with less than a thousandth of the spread are omitted: across lines in a plane, normal to a small part
  /// of a sphere.
  void MakeFrame(std::size_t most_axes) {
    centre_ = {};
    for (const Point3& p : places_) centre_ = centre_ + p;
    centre_ = (1.0 / static_cast<double>(places_.size())) * centre_;
    axes_count_ = 0;
    double widest = 0.0;
    // The place furthest from the span of the present axes gives the next one.
    for (std::size_t k = 0; k < most_axes && places_.size() > k + 1; ++k) {
      Point3 furthest;
      double most = 0.0;
      for (const Point3& p : places_) {
        Point3 rest = p - centre_;
        for (std::size_t j = 0; j < axes_count_; ++j)
          rest = rest - (Dot(rest, axes_[j]) / Dot(axes_[j], axes_[j])) * axes_[j];
        if (Dot(rest, rest) > most) {
          most = Dot(rest, rest);
          furthest = rest;
        }
      }
      widest = std::max(widest, most);
      if (!(most > 1e-6 * widest)) break;
      axes_[axes_count_++] = (1.0 / most) * furthest;
    }
  }

  std::span<const Point3> places_;
  RadialFunction function_ = RadialFunction::ThinPlate;
  double scale_ = 1.0;
  Point3 centre_;
  std::array<Point3, 3> axes_;
  std::size_t axes_count_ = 0;
  std::size_t terms_ = 1;
  std::size_t size_ = 0;
  std::vector<double> matrix_;
  std::vector<double> sides_;
  Eigen::MatrixXd polynomial_;
  DenseSystem system_;
};

/// A ball about a cell of the partition.
struct Ball {
  Point3 centre;
  double radius;
  bool is_thinned = false;  ///< only some of its sources count, spread evenly
};

/// Keeps at most `most` of the chosen places: the one next to the centre, then repeatedly the one furthest from all
/// kept ones.
void Thin(std::span<const Point3> places, Point3 centre, std::size_t most, std::vector<std::uint32_t>& chosen) {
  if (chosen.size() <= most) return;
  std::sort(chosen.begin(), chosen.end());  // so that of equally far places the first one is taken
  std::vector<double> squares(chosen.size(), std::numeric_limits<double>::infinity());
  std::vector<std::uint32_t> left;
  const auto nearer = [&](std::uint32_t a, std::uint32_t b) {
    return SquaredDistance(places[a], centre) < SquaredDistance(places[b], centre);
  };
  std::size_t next = static_cast<std::size_t>(std::ranges::min_element(chosen, nearer) - chosen.begin());
  while (left.size() < most) {
    left.push_back(chosen[next]);
    const Point3 last = places[chosen[next]];
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      squares[i] = std::min(squares[i], SquaredDistance(places[chosen[i]], last));
    }
    next = static_cast<std::size_t>(std::ranges::max_element(squares) - squares.begin());
  }
  chosen = std::move(left);
}

/// Splits the places at medians of their longest side until a part has at most `most`, and gives the ball about each
/// part. The ball encloses the places, not the space between the cuts, which is mostly empty on a sphere and along
/// lines.
void Split(std::span<const Point3> places, std::span<std::uint32_t> chosen, std::size_t most,
           std::vector<Ball>& balls) {
  Point3 low = places[chosen.front()];
  Point3 high = low;
  for (const std::uint32_t i : chosen) {
    const Point3 p = places[i];
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const Point3 size = high - low;
  if (chosen.size() <= most) {
    balls.push_back({0.5 * (low + high), 0.5 * Norm(size)});
    return;
  }
  const double longest = std::max({size.x, size.y, size.z});
  const auto axis = size.x == longest ? &Point3::x : size.y == longest ? &Point3::y : &Point3::z;
  const auto middle = static_cast<std::ptrdiff_t>(chosen.size() / 2);
  std::nth_element(chosen.begin(), chosen.begin() + middle, chosen.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return places[a].*axis < places[b].*axis; });
  Split(places, chosen.first(static_cast<std::size_t>(middle)), most, balls);
  Split(places, chosen.subspan(static_cast<std::size_t>(middle)), most, balls);
}

std::vector<Ball> MakeBalls(std::span<const Point3> places, std::size_t per_patch) {
  std::vector<std::uint32_t> chosen(places.size());
  std::iota(chosen.begin(), chosen.end(), 0U);
  std::vector<Ball> balls;
  // The ball about a square part holds half as many places again, or more.
  Split(places, chosen, std::max<std::size_t>(per_patch / 2, 4), balls);
  for (Ball& ball : balls) ball.radius *= kWider;
  return balls;
}

}  // namespace

double Evaluate(RadialFunction function, double r) {
  const double near = std::max(1.0 - r, 0.0);
  const double near2 = near * near;
  const double near4 = near2 * near2;
  switch (function) {
    case RadialFunction::ThinPlate:
      return r > 0.0 ? r * r * std::log(r) : 0.0;
    case RadialFunction::Cubic:
      return r * r * r;
    case RadialFunction::Gaussian:
      return std::exp(-r * r);
    case RadialFunction::Multiquadric:
      return std::sqrt(1.0 + r * r);
    case RadialFunction::InverseMultiquadric:
      return 1.0 / std::sqrt(1.0 + r * r);
    case RadialFunction::WendlandC2:
      return near4 * (4.0 * r + 1.0);
    case RadialFunction::WendlandC4:
      return near4 * near2 * ((35.0 * r + 18.0) * r + 3.0) / 3.0;
    case RadialFunction::WendlandC6:
      return near4 * near4 * (((32.0 * r + 25.0) * r + 8.0) * r + 1.0);
  }
  return 0.0;
}

SolvedWeights RadialBasisWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                                 const RadialBasisOptions& options) {
  RequireFinite(targets, "target");
  const MergedPoints merged(sources);
  SolvedWeights solved{SparseRows(sources.size())};
  const std::size_t n = merged.Count();
  if (n > kMostInOneSystem) {
    throw RangeError(
        {}, fmt::format("expected at most {} sources in one system of equations, found {}", kMostInOneSystem, n),
        "use the partition of unity, which has no such limit");
  }
  if (n == 0) {
    for (std::size_t t = 0; t < targets.size(); ++t) solved.weights.EndRow();
    return solved;
  }
  double scale = merged.Extent() > 0.0 ? merged.Extent() : 1.0;
  if (!NeedsNoScale(options.function)) {
    scale = options.scale > 0.0 ? options.scale
                                : scale / std::sqrt(static_cast<double>(n)) * (Ends(options.function) ? 10.0 : 3.0);
  }
  Patch patch;
  patch.Prepare(merged.Points(), options.function, scale, 1, 3);
  solved.condition = patch.Condition();
  constexpr std::size_t kAtOnce = 256;
  for (std::size_t first = 0; first < targets.size(); first += kAtOnce) {
    const auto part = targets.subspan(first, std::min(kAtOnce, targets.size() - first));
    std::size_t stride = 0;
    const std::span<const double> weights = patch.Weights(part, stride);
    for (std::size_t t = 0; t < part.size(); ++t) {
      for (std::size_t i = 0; i < n; ++i) merged.Add(i, weights[t * stride + i], solved.weights);
      solved.weights.EndRow();
    }
  }
  return solved;
}

SolvedWeights PartitionOfUnityWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                                      const PartitionOptions& options) {
  RequireFinite(targets, "target");
  const MergedPoints merged(sources);
  SolvedWeights solved{SparseRows(sources.size())};
  if (merged.Count() == 0) {
    for (std::size_t t = 0; t < targets.size(); ++t) solved.weights.EndRow();
    return solved;
  }
  const std::size_t per_patch = std::max<std::size_t>(options.per_patch, 8);
  std::vector<Ball> balls = MakeBalls(merged.Points(), per_patch);
  const PointTree source_tree(merged.Points());
  const PointTree target_tree(targets);
  Patch patch;
  std::vector<std::uint32_t> members;
  std::vector<Point3> places;
  // If sources lie on a few lines, as on the last parallels before a pole, a ball reaches further and uses only some of
  // the sources on each line.
  const auto gather = [&](const Ball& ball) {
    members.clear();
    source_tree.Within(ball.centre, ball.radius, [&](std::uint32_t s, double) { members.push_back(s); });
    if (ball.is_thinned) Thin(merged.Points(), ball.centre, 2 * per_patch, members);
    std::sort(members.begin(), members.end());
    places.clear();
    for (const std::uint32_t s : members) places.push_back(merged.Points()[s]);
  };
  for (Ball& ball : balls) {
    for (int wider = 0; wider < 12 && ball.radius > 0.0; ++wider) {
      gather(ball);
      if (places.size() == merged.Count() || patch.Carry(places, options.degree, Directions(options.space))) break;
      ball.radius *= 1.3;
      ball.is_thinned = true;
    }
  }
  // First, the patches of each target, with their weights there.
  struct Share {
    std::uint32_t ball;
    double worth;
  };
  std::vector<std::vector<Share>> shares(targets.size());
  for (std::size_t b = 0; b < balls.size(); ++b) {
    target_tree.Within(balls[b].centre, balls[b].radius, [&](std::uint32_t t, double square) {
      const double worth =
          balls[b].radius > 0.0 ? Evaluate(RadialFunction::WendlandC2, std::sqrt(square) / balls[b].radius) : 1.0;
      if (worth > 0.0) shares[t].push_back({static_cast<std::uint32_t>(b), worth});
    });
  }
  std::vector<std::vector<std::uint32_t>> targets_of(balls.size());
  for (std::size_t t = 0; t < targets.size(); ++t) {
    if (shares[t].empty()) {
      double least = std::numeric_limits<double>::infinity();
      std::uint32_t nearest = 0;
      for (std::size_t b = 0; b < balls.size(); ++b) {
        const double beyond = std::sqrt(SquaredDistance(balls[b].centre, targets[t])) - balls[b].radius;
        if (beyond < least) {
          least = beyond;
          nearest = static_cast<std::uint32_t>(b);
        }
      }
      shares[t].push_back({nearest, 1.0});
    }
    double total = 0.0;
    for (const Share& share : shares[t]) total += share.worth;
    for (Share& share : shares[t]) {
      share.worth /= total;
      targets_of[share.ball].push_back(static_cast<std::uint32_t>(t));
    }
  }
  std::vector<std::vector<SparseRows::Entry>> entries(targets.size());
  std::vector<Point3> wanted;
  for (std::size_t b = 0; b < balls.size(); ++b) {
    if (targets_of[b].empty()) continue;
    gather(balls[b]);
    wanted.clear();
    for (const std::uint32_t t : targets_of[b]) wanted.push_back(targets[t]);
    const double scale = balls[b].radius > 0.0 ? options.relative_scale * balls[b].radius : 1.0;
    patch.Prepare(places, options.function, scale, options.degree, Directions(options.space));
    solved.condition = std::max(solved.condition, patch.Condition());
    std::size_t stride = 0;
    const std::span<const double> weights = patch.Weights(wanted, stride);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const std::uint32_t t = targets_of[b][k];
      const auto share = std::ranges::find(shares[t], b, &Share::ball);
      for (std::size_t i = 0; i < places.size(); ++i) {
        entries[t].push_back({members[i], share->worth * weights[k * stride + i]});
      }
    }
  }
  std::size_t count = 0;
  for (const auto& row : entries) count += row.size();
  solved.weights.Reserve(targets.size(), count);
  for (std::vector<SparseRows::Entry>& row : entries) {
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    for (std::size_t i = 0; i < row.size();) {
      double sum = 0.0;
      const std::uint32_t place = row[i].column;
      for (; i < row.size() && row[i].column == place; ++i) sum += row[i].weight;
      merged.Add(place, sum, solved.weights);
    }
    solved.weights.EndRow();
    row = {};
  }
  return solved;
}

}  // namespace openmi
