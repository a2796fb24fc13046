#include "adaptors/kernels/SecondOrder.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "adaptors/kernels/BoxIndex.hpp"
#include "adaptors/kernels/LinearFit.hpp"
#include "adaptors/kernels/PointTree.hpp"
#include "adaptors/kernels/PolygonClip.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// The slope of each source as weights of the values about it.
struct Slope {
  std::vector<std::uint32_t> sources;
  std::vector<double> x;
  std::vector<double> y;
};

constexpr double kSameVertex = 1e-7;  // of the size of the polygons
constexpr double kOneSided = 0.25;    // of the neighbours' mean distance: how far their middle may be off

class Slopes {
 public:
  Slopes(const PolygonsView& polygons, const std::vector<Point>& centroids)
      : centroids_(centroids), tree_(AsPlaces(centroids)) {
    FindNeighbours(polygons);
  }

  /// The slope of a source; good until the next call.
  const Slope& Of(std::uint32_t source) {
    std::vector<std::uint32_t>& chosen = slope_.sources;
    chosen.assign(neighbours_[source].begin(), neighbours_[source].end());
    if (chosen.size() < 3) {
      tree_.Nearest(Place(source), 9, found_);
      for (const PointNeighbour& n : found_) {
        if (n.index != source) chosen.push_back(n.index);
      }
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    // f_n - f_s over c_n - c_s, through the source's own value: each neighbour stands there with its mirror image, so
    // that the fit's mean is the source's place.
    local_.clear();
    weights_.clear();
    for (const std::uint32_t other : chosen) {
      const Point3 d{centroids_[other].x - centroids_[source].x, centroids_[other].y - centroids_[source].y, 0.0};
      const double square = Dot(d, d);
      for (const double sign : {1.0, -1.0}) {
        local_.push_back(sign * d);
        weights_.push_back(square > 0.0 ? 1.0 / (square * square) : 0.0);
      }
    }
    if (IsOneSided() && OfQuadratic(source)) return slope_;
    chosen.push_back(source);
    slope_.x.assign(chosen.size(), 0.0);
    slope_.y.assign(chosen.size(), 0.0);
    const bool any = std::ranges::any_of(weights_, [](double w) { return w > 0.0; });
    if (!any) return slope_;
    fit_.Fit(local_, weights_, 2);
    parts_.resize(local_.size());
    for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
      fit_.Slope(direction, parts_);
      std::vector<double>& out = direction == 0 ? slope_.x : slope_.y;
      for (std::size_t i = 0; i + 1 < chosen.size(); ++i) {
        out[i] = parts_[2 * i] - parts_[2 * i + 1];
        out.back() -= out[i];
      }
    }
    return slope_;
  }

 private:
  static std::vector<Point3> AsPlaces(const std::vector<Point>& points) {
    std::vector<Point3> places;
    for (const Point p : points) places.push_back({p.x, p.y, 0.0});
    return places;
  }
  Point3 Place(std::uint32_t source) const { return {centroids_[source].x, centroids_[source].y, 0.0}; }

  /// Whether the neighbours stand on one side only, as at the rim: curvature then spoils a linear fit.
  bool IsOneSided() const {
    Point3 sum;
    double distance = 0.0;
    for (std::size_t i = 0; i < local_.size(); i += 2) {
      sum = sum + weights_[i] * local_[i];
      distance += weights_[i] * Norm(local_[i]);
    }
    return Norm(sum) > kOneSided * distance;
  }

  /// The slope at the source of a quadratic function through its own value, fitted to its neighbours and theirs; false
  /// where they do not carry one.
  bool OfQuadratic(std::uint32_t source) {
    constexpr Eigen::Index kTerms = 5;
    wider_.assign(slope_.sources.begin(), slope_.sources.end());
    for (const std::uint32_t other : slope_.sources) {
      wider_.insert(wider_.end(), neighbours_[other].begin(), neighbours_[other].end());
    }
    std::sort(wider_.begin(), wider_.end());
    wider_.erase(std::unique(wider_.begin(), wider_.end()), wider_.end());
    std::erase(wider_, source);
    const auto count = static_cast<Eigen::Index>(wider_.size());
    if (count < kTerms + 2) return false;
    double furthest = 0.0;
    for (const std::uint32_t other : wider_) furthest = std::max(furthest, Norm(Place(other) - Place(source)));
    if (!(furthest > 0.0)) return false;
    Eigen::Matrix<double, Eigen::Dynamic, kTerms> terms(count, kTerms);
    Eigen::VectorXd roots(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const Point3 d = (1.0 / furthest) * (Place(wider_[static_cast<std::size_t>(i)]) - Place(source));
      const double square = Dot(d, d);
      roots(i) = square > 0.0 ? 1.0 / std::sqrt(square) : 0.0;
      terms.row(i) << d.x, d.y, d.x * d.x, d.x * d.y, d.y * d.y;
      terms.row(i) *= roots(i);
    }
    Eigen::CompleteOrthogonalDecomposition<decltype(terms)> parts;
    parts.setThreshold(1e-3);  // places on few lines carry no quadratic function
    parts.compute(terms);
    if (parts.rank() < kTerms) return false;
    const auto inverse = parts.pseudoInverse().eval();
    slope_.sources = wider_;
    slope_.x.assign(wider_.size() + 1, 0.0);
    slope_.y.assign(wider_.size() + 1, 0.0);
    for (std::size_t i = 0; i < wider_.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      slope_.x[i] = inverse(0, k) * roots(k) / furthest;
      slope_.y[i] = inverse(1, k) * roots(k) / furthest;
      slope_.x.back() -= slope_.x[i];
      slope_.y.back() -= slope_.y[i];
    }
    slope_.sources.push_back(source);
    return true;
  }

  void FindNeighbours(const PolygonsView& polygons) {
    neighbours_.resize(polygons.Count());
    std::vector<Point3> vertices;
    std::vector<std::uint32_t> owners;
    std::vector<double> sizes(polygons.Count(), 0.0);
    for (std::uint32_t s = 0; s < polygons.Count(); ++s) {
      Box box;
      for (std::size_t i = polygons.ring_starts[polygons.FirstRing(s)]; i < polygons.ring_starts[polygons.EndRing(s)];
           ++i) {
        vertices.push_back({polygons.x[i], polygons.y[i], 0.0});
        owners.push_back(s);
        box.Add(Point{polygons.x[i], polygons.y[i]});
      }
      sizes[s] = std::max(box.Width(), box.Height());
    }
    const PointTree tree(vertices);
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
      const std::uint32_t owner = owners[i];
      tree.Within(vertices[i], kSameVertex * sizes[owner], [&](std::uint32_t other, double) {
        if (owners[other] != owner) neighbours_[owner].push_back(owners[other]);
      });
    }
    for (std::vector<std::uint32_t>& list : neighbours_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  const std::vector<Point>& centroids_;
  PointTree tree_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  LinearFit fit_;
  Slope slope_;
  std::vector<PointNeighbour> found_;
  std::vector<Point3> local_;
  std::vector<double> weights_;
  std::vector<double> parts_;
  std::vector<std::uint32_t> wider_;
};

void PrepareSide(PreparedPolygon& polygon, const PolygonsView& polygons, std::size_t index, const char* side) {
  try {
    polygon.Prepare(polygons, index);
  } catch (const RangeError& error) {
    throw RangeError(error.Place(), fmt::format("{} {}", side, error.Problem()), error.Remedy());
  }
}

Point CentroidOf(const PreparedPolygon& polygon) {
  const Point corner{polygon.box.x0, polygon.box.y0};
  double twice = 0.0;
  double moment_x = 0.0;
  double moment_y = 0.0;
  for (const PreparedPolygon::Ring& ring : polygon.rings) {
    Point last{polygon.points[ring.end - 1].x - corner.x, polygon.points[ring.end - 1].y - corner.y};
    for (std::uint32_t i = ring.begin; i < ring.end; ++i) {
      const Point next{polygon.points[i].x - corner.x, polygon.points[i].y - corner.y};
      const double cross = ring.sign * (last.x * next.y - last.y * next.x);
      twice += cross;
      moment_x += cross * (last.x + next.x);
      moment_y += cross * (last.y + next.y);
      last = next;
    }
  }
  return {corner.x + moment_x / (3.0 * twice), corner.y + moment_y / (3.0 * twice)};
}

}  // namespace

std::vector<Point> PolygonCentroids(const PolygonsView& polygons) {
  std::vector<Point> centroids(polygons.Count());
  PreparedPolygon polygon;
  for (std::size_t i = 0; i < centroids.size(); ++i) {
    polygon.Prepare(polygons, i);
    centroids[i] = CentroidOf(polygon);
  }
  return centroids;
}

SecondOrderResult SecondOrderWeights(const PolygonsView& source, const PolygonsView& target) {
  std::vector<PreparedPolygon> sources(source.Count());
  std::vector<Box> boxes(source.Count());
  std::vector<Point> centroids(source.Count());
  for (std::size_t s = 0; s < sources.size(); ++s) {
    PrepareSide(sources[s], source, s, "source");
    boxes[s] = sources[s].box;
    centroids[s] = CentroidOf(sources[s]);
  }
  const BoxIndex index(boxes);
  Slopes slopes(source, centroids);
  SecondOrderResult result{SparseRows(source.Count()), std::vector<double>(source.Count(), 0.0),
                           std::vector<double>(target.Count(), 0.0)};
  result.weights.Reserve(target.Count(), 12 * target.Count());
  OverlapFinder finder;
  PreparedPolygon polygon;
  std::vector<std::uint32_t> candidates;
  std::vector<std::pair<std::uint32_t, OverlapFinder::Overlap>> overlaps;
  std::vector<SparseRows::Entry> row;
  for (std::size_t t = 0; t < target.Count(); ++t) {
    PrepareSide(polygon, target, t, "target");
    candidates.clear();
    index.Overlapping(polygon.box, [&](std::size_t s) { candidates.push_back(static_cast<std::uint32_t>(s)); });
    std::sort(candidates.begin(), candidates.end());
    overlaps.clear();
    double total = 0.0;
    for (const std::uint32_t s : candidates) {
      const OverlapFinder::Overlap overlap = finder.AreaAndCentroid(sources[s], polygon);
      if (!(overlap.area > 0.0)) continue;
      overlaps.emplace_back(s, overlap);
      result.source_cover[s] += overlap.area;
      total += overlap.area;
    }
    result.target_cover[t] = total;
    row.clear();
    for (const auto& [s, overlap] : overlaps) {
      const double part = overlap.area / total;
      row.push_back({s, part});
      const double dx = overlap.centroid.x - centroids[s].x;
      const double dy = overlap.centroid.y - centroids[s].y;
      const Slope& slope = slopes.Of(s);
      for (std::size_t i = 0; i < slope.sources.size(); ++i) {
        row.push_back({slope.sources[i], part * (slope.x[i] * dx + slope.y[i] * dy)});
      }
    }
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    for (std::size_t i = 0; i < row.size();) {
      double sum = 0.0;
      const std::uint32_t column = row[i].column;
      for (; i < row.size() && row[i].column == column; ++i) sum += row[i].weight;
      result.weights.Add(column, sum);
    }
    result.weights.EndRow();
  }
  return result;
}

}  // namespace openmi
