#include "adaptors/kernels/Slopes.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "adaptors/kernels/LinearFit.hpp"
#include "adaptors/kernels/PointTree.hpp"

namespace openmi {
namespace {

constexpr double kSameVertex = 1e-7;  // of the size of the polygons
constexpr double kOneSided = 0.25;    // of the neighbours' mean distance: the largest offset of their middle
constexpr double kFarSide = 0.1;      // of the distance: the least part of it visible in the tangential plane
constexpr double kNoWorse = 1e-3;     // by how much `QuadraticError` may be larger

/// Cells that share vertices, by index: the first `count` of the polygons. With a radius above 0, the plane is rolled
/// to a cylinder, so that cells are neighbours across its edge, too.
class Neighbours {
 public:
  Neighbours(const PolygonsView& polygons, std::size_t count, double radius) : starts_(count + 1, 0) {
    std::vector<Point3> vertices;
    std::vector<std::uint32_t> owners;
    std::vector<std::size_t> first_vertex;
    std::vector<double> sizes(count, 0.0);
    const auto place = [radius](double x, double y) {
      return radius > 0.0 ? Point3{radius * std::cos(x / radius), radius * std::sin(x / radius), y} : Point3{x, y, 0.0};
    };
    for (std::uint32_t s = 0; s < count; ++s) {
      first_vertex.push_back(vertices.size());
      Box box;
      for (std::size_t i = polygons.ring_starts[polygons.FirstRing(s)]; i < polygons.ring_starts[polygons.EndRing(s)];
           ++i) {
        vertices.push_back(place(polygons.x[i], polygons.y[i]));
        owners.push_back(s);
        box.Add(Point{polygons.x[i], polygons.y[i]});
      }
      sizes[s] = std::max(box.Width(), box.Height());
    }
    first_vertex.push_back(vertices.size());
    const PointTree tree(vertices);
    std::vector<std::uint32_t> found;
    for (std::uint32_t s = 0; s < count; ++s) {
      found.clear();
      for (std::size_t i = first_vertex[s]; i < first_vertex[s + 1]; ++i) {
        tree.Within(vertices[i], kSameVertex * sizes[s], [&](std::uint32_t other, double) {
          if (owners[other] != s) found.push_back(owners[other]);
        });
      }
      std::sort(found.begin(), found.end());
      for (std::size_t i = 0; i < found.size();) {
        const std::size_t begin = i;
        while (i < found.size() && found[i] == found[begin]) ++i;
        cells_.push_back(found[begin]);
        by_edge_.push_back(i - begin >= 2);
      }
      starts_[s + 1] = cells_.size();
    }
  }

  std::span<const std::uint32_t> Of(std::size_t cell) const {
    return std::span(cells_).subspan(starts_[cell], starts_[cell + 1] - starts_[cell]);
  }
  /// Whether the neighbour at that position in the list shares two vertices.
  bool HasEdge(std::size_t cell, std::size_t place) const { return by_edge_[starts_[cell] + place]; }

 private:
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> cells_;
  std::vector<bool> by_edge_;
};

void SortOnce(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Stretches a plane so that places about its origin spread equally in all directions, since cells are slender towards
/// a pole. Places on a line stay unchanged.
class Stretching {
 public:
  explicit Stretching(std::span<const Point3> places) {
    Eigen::Matrix2d spread = Eigen::Matrix2d::Zero();
    for (const Point3& d : places) {
      const Eigen::Vector2d v(d.x, d.y);
      spread += v * v.transpose() / static_cast<double>(places.size());
    }
    root_.compute(spread);
    is_line_ = root_.info() != Eigen::Success || !(root_.rcond() > 1e-15);
    if (is_line_) root_.compute(Eigen::Matrix2d::Identity());
  }
  bool IsLine() const { return is_line_; }
  Point3 operator()(Point3 d) const {
    const Eigen::Vector2d v = root_.matrixL().solve(Eigen::Vector2d(d.x, d.y));
    return {v.x(), v.y(), 0.0};
  }
  /// Turns slopes along the stretched directions into slopes along the original ones; shape [2][cells].
  void ToPlain(Eigen::Matrix2Xd& slopes) const { root_.matrixU().solveInPlace(slopes); }

 private:
  Eigen::LLT<Eigen::Matrix2d> root_;
  bool is_line_ = false;
};

/// A slope being fitted; the last cell is the one it belongs to.
struct Fitted {
  std::vector<std::uint32_t> cells;
  std::vector<double> first;
  std::vector<double> second;
};

}  // namespace

/// Fits slopes one after the other; holds work memory.
class Slopes::Maker {
 public:
  Maker(const std::vector<Point3>& places, Space space, const Neighbours& neighbours, const PointTree& tree)
      : places_(places), space_(space), neighbours_(neighbours), tree_(tree) {}

  void Add(std::uint32_t cell, Part& part) {
    const Fitted& fitted = Fit(cell);
    part.counts.push_back(static_cast<std::uint32_t>(fitted.cells.size()));
    part.cells.insert(part.cells.end(), fitted.cells.begin(), fitted.cells.end());
    part.first.insert(part.first.end(), fitted.first.begin(), fitted.first.end());
    part.second.insert(part.second.end(), fitted.second.begin(), fitted.second.end());
  }

 private:
  const Fitted& Fit(std::uint32_t cell) {
    const auto listed = neighbours_.Of(cell);
    all_.cells.assign(listed.begin(), listed.end());
    if (all_.cells.size() < 3) {
      tree_.Nearest(places_[cell], 9, found_);
      for (const PointNeighbour& n : found_) {
        if (n.index != cell) all_.cells.push_back(n.index);
      }
    }
    SortOnce(all_.cells);
    const LocalFrame frame(places_[cell], space_);
    FitLinear(cell, frame, all_);
    if (one_sided_ && FitQuadratic(cell, frame, wide_)) return wide_;
    few_.cells.clear();
    for (std::size_t i = 0; i < listed.size(); ++i) {
      if (neighbours_.HasEdge(cell, i)) few_.cells.push_back(listed[i]);
    }
    if (few_.cells.size() < 4 || few_.cells.size() == listed.size()) return all_;
    const double error = QuadraticError(frame, all_);
    FitLinear(cell, frame, few_);
    return QuadraticError(frame, few_) <= error + kNoWorse ? few_ : all_;
  }

  /// Fits f_n - f_s over c_n - c_s, through the cell's value: each neighbour is used with its mirror image, so that the
  /// mean of the fit is the cell's place.
  void FitLinear(std::uint32_t cell, const LocalFrame& frame, Fitted& fitted) {
    PutAbout(cell, frame, fitted.cells);
    const Stretching stretched(about_);
    local_.clear();
    weights_.clear();
    Point3 sum;
    double distance = 0.0;
    bool any = false;
    for (const Point3 d : about_) {
      const Point3 v = stretched(d);
      const double square = Dot(v, v);
      const double weight = square > 0.0 ? 1.0 / (square * square) : 0.0;
      any = any || weight > 0.0;
      sum = sum + weight * v;
      distance += weight * std::sqrt(square);
      for (const double sign : {1.0, -1.0}) {
        local_.push_back(sign * d);
        weights_.push_back(weight);
      }
    }
    one_sided_ = Norm(sum) > kOneSided * distance;
    fitted.cells.push_back(cell);
    fitted.first.assign(fitted.cells.size(), 0.0);
    fitted.second.assign(fitted.cells.size(), 0.0);
    if (!any) return;
    fit_.Fit(local_, weights_, 2);
    parts_.resize(local_.size());
    for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
      fit_.Slope(direction, parts_);
      std::vector<double>& out = direction == 0 ? fitted.first : fitted.second;
      for (std::size_t i = 0; i + 1 < fitted.cells.size(); ++i) {
        out[i] = parts_[2 * i] - parts_[2 * i + 1];
        out.back() -= out[i];
      }
    }
  }

  /// The largest slope found for x^2, x y or y^2, over the mean distance of the neighbours; 0 is exact.
  double QuadraticError(const LocalFrame& frame, const Fitted& fitted) const {
    std::array<double, 6> slopes{};
    double distance = 0.0;
    for (std::size_t i = 0; i + 1 < fitted.cells.size(); ++i) {
      const Point3 d = frame(places_[fitted.cells[i]]);
      distance += std::hypot(d.x, d.y);
      const std::array<double, 3> terms = {d.x * d.x, d.x * d.y, d.y * d.y};
      for (std::size_t k = 0; k < terms.size(); ++k) {
        slopes[k] += fitted.first[i] * terms[k];
        slopes[k + 3] += fitted.second[i] * terms[k];
      }
    }
    double most = 0.0;
    for (const double slope : slopes) most = std::max(most, std::abs(slope));
    return most * static_cast<double>(fitted.cells.size() - 1) / distance;
  }

  /// The slope at the cell of a quadratic function through its value, fitted to its neighbours and theirs; false if
  /// they do not determine one.
  bool FitQuadratic(std::uint32_t cell, const LocalFrame& frame, Fitted& fitted) {
    constexpr Eigen::Index kTerms = 5;
    fitted.cells.assign(all_.cells.begin(), all_.cells.end());
    for (const std::uint32_t other : all_.cells) {
      const auto further = neighbours_.Of(other);
      fitted.cells.insert(fitted.cells.end(), further.begin(), further.end());
    }
    SortOnce(fitted.cells);
    std::erase(fitted.cells, cell);
    const auto count = static_cast<Eigen::Index>(fitted.cells.size());
    if (count < kTerms + 2) return false;
    PutAbout(cell, frame, fitted.cells);
    const Stretching stretched(about_);
    if (stretched.IsLine()) return false;
    Eigen::Matrix<double, Eigen::Dynamic, kTerms> terms(count, kTerms);
    Eigen::VectorXd roots(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const Point3 v = stretched(about_[static_cast<std::size_t>(i)]);
      const double square = Dot(v, v);
      roots(i) = square > 0.0 ? 1.0 / std::sqrt(square) : 0.0;
      terms.row(i) << v.x, v.y, v.x * v.x, v.x * v.y, v.y * v.y;
      terms.row(i) *= roots(i);
    }
    Eigen::CompleteOrthogonalDecomposition<decltype(terms)> parts;
    parts.setThreshold(1e-3);  // places on few lines determine no quadratic function
    parts.compute(terms);
    if (parts.rank() < kTerms) return false;
    Eigen::Matrix2Xd slopes = parts.pseudoInverse().topRows<2>() * roots.asDiagonal();
    stretched.ToPlain(slopes);
    fitted.first.assign(fitted.cells.size() + 1, 0.0);
    fitted.second.assign(fitted.cells.size() + 1, 0.0);
    for (std::size_t i = 0; i < fitted.cells.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      fitted.first[i] = slopes(0, k);
      fitted.second[i] = slopes(1, k);
      fitted.first.back() -= fitted.first[i];
      fitted.second.back() -= fitted.second[i];
    }
    fitted.cells.push_back(cell);
    return true;
  }

  /// Puts some cells' places in the plane of a cell's frame. Places on the far side of a sphere would fall almost on
  /// the cell and do not determine its slope: they are put at the origin, where they have no weight.
  void PutAbout(std::uint32_t cell, const LocalFrame& frame, const std::vector<std::uint32_t>& cells) {
    about_.clear();
    for (const std::uint32_t other : cells) {
      const Point3 d = frame(places_[other]);
      const bool is_far = std::hypot(d.x, d.y) < kFarSide * Norm(places_[other] - places_[cell]);
      about_.push_back(is_far ? Point3{} : Point3{d.x, d.y, 0.0});
    }
  }

  const std::vector<Point3>& places_;
  Space space_;
  const Neighbours& neighbours_;
  const PointTree& tree_;
  LinearFit fit_;
  bool one_sided_ = false;
  Fitted all_;   // through all neighbours
  Fitted few_;   // through those that share an edge
  Fitted wide_;  // of a quadratic function
  std::vector<PointNeighbour> found_;
  std::vector<Point3> about_;
  std::vector<Point3> local_;
  std::vector<double> weights_;
  std::vector<double> parts_;
};

Slopes::Slopes(const PolygonsView& polygons, std::vector<Point3> places, Space space, Crew& crew, double radius)
    : places_(std::move(places)), space_(space) {
  const Neighbours neighbours(polygons, places_.size(), radius);
  const PointTree tree(places_);
  std::vector<Part> parts(crew.Size());
  crew.Run([&](std::size_t helper) {
    Maker maker(places_, space_, neighbours, tree);
    const auto [first, last] = crew.ShareOf(helper, places_.size());
    for (std::size_t cell = first; cell < last; ++cell) maker.Add(static_cast<std::uint32_t>(cell), parts[helper]);
  });
  starts_.reserve(places_.size() + 1);
  for (const Part& part : parts) {
    for (const std::uint32_t count : part.counts) starts_.push_back(starts_.back() + count);
    cells_.insert(cells_.end(), part.cells.begin(), part.cells.end());
    first_.insert(first_.end(), part.first.begin(), part.first.end());
    second_.insert(second_.end(), part.second.begin(), part.second.end());
  }
}

Slopes::Slope Slopes::Of(std::size_t cell) const {
  const std::size_t begin = starts_[cell];
  const std::size_t count = starts_[cell + 1] - begin;
  return {std::span(cells_).subspan(begin, count), std::span(first_).subspan(begin, count),
          std::span(second_).subspan(begin, count)};
}

}  // namespace openmi
