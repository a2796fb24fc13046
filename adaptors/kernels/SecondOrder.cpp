#include "adaptors/kernels/SecondOrder.hpp"

#include <algorithm>
#include <utility>

#include "adaptors/kernels/BoxIndex.hpp"
#include "adaptors/kernels/PolygonClip.hpp"
#include "adaptors/kernels/Slopes.hpp"
#include "adaptors/kernels/SphereMean.hpp"

namespace openmi {
namespace {

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

Point3 PlaceOf(const PreparedPolygon& polygon, const EqualAreaSphere* sphere) {
  if (sphere == nullptr) {
    const Point centroid = CentroidOf(polygon);
    return {centroid.x, centroid.y, 0.0};
  }
  SphereMean mean(*sphere, {polygon.box.x0, polygon.box.y0});
  for (const PreparedPolygon::Ring& ring : polygon.rings) {
    Point last = polygon.points[ring.end - 1];
    for (std::uint32_t i = ring.begin; i < ring.end; ++i) {
      mean.Add(-ring.sign, last, polygon.points[i]);
      last = polygon.points[i];
    }
  }
  return mean.Of(polygon.area);
}

/// Computes rows of targets, one after the other.
class RowMaker {
 public:
  /// Common areas in the order in which they are found; summed up later in a fixed order, for any number of threads.
  using Covers = std::vector<std::pair<std::uint32_t, double>>;

  RowMaker(const std::vector<PreparedPolygon>& sources, const BoxIndex& index, const Slopes& slopes,
           const EqualAreaSphere* sphere, const PolygonsView& targets, std::span<const std::uint32_t> copies)
      : sources_(sources), index_(index), slopes_(slopes), sphere_(sphere), targets_(targets), copies_(copies) {}

  /// \returns the area of the target that sources cover
  double Add(std::size_t target, SparseRows& rows, Covers& covers) {
    polygon_.Prepare(targets_, target, "target");
    candidates_.clear();
    index_.Overlapping(polygon_.box, [&](std::size_t s) { candidates_.push_back(static_cast<std::uint32_t>(s)); });
    std::sort(candidates_.begin(), candidates_.end());
    const std::size_t before = covers.size();
    places_.clear();
    double total = 0.0;
    for (const std::uint32_t s : candidates_) {
      const auto [area, place] = Common(s);
      if (!(area > 0.0)) continue;
      covers.emplace_back(s, area);
      places_.push_back(place);
      total += area;
    }
    row_.clear();
    for (std::size_t i = before; i < covers.size(); ++i) {
      const auto [s, area] = covers[i];
      AddSource(s, area / total, places_[i - before]);
    }
    std::sort(row_.begin(), row_.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    rows.AddSummed(row_);
    return total;
  }

 private:
  std::pair<double, Point3> Common(std::uint32_t source) {
    if (sphere_ != nullptr) {
      const OverlapFinder::SphereOverlap overlap = finder_.AreaAndMean(sources_[source], polygon_, *sphere_);
      return {overlap.area, overlap.mean};
    }
    const OverlapFinder::Overlap overlap = finder_.AreaAndCentroid(sources_[source], polygon_);
    return {overlap.area, {overlap.centroid.x, overlap.centroid.y, 0.0}};
  }

  void AddSource(std::uint32_t source, double part, Point3 place) {
    row_.push_back({source, part});
    const std::size_t originals = sources_.size() - copies_.size();
    const std::size_t cell = source < originals ? source : copies_[source - originals];
    const Point3 d = slopes_.FrameOf(cell)(place);
    const Slopes::Slope slope = slopes_.Of(cell);
    for (std::size_t i = 0; i < slope.cells.size(); ++i) {
      row_.push_back({slope.cells[i], part * (slope.first[i] * d.x + slope.second[i] * d.y)});
    }
  }

  const std::vector<PreparedPolygon>& sources_;
  const BoxIndex& index_;
  const Slopes& slopes_;
  const EqualAreaSphere* sphere_;
  const PolygonsView& targets_;
  std::span<const std::uint32_t> copies_;
  OverlapFinder finder_;
  PreparedPolygon polygon_;
  std::vector<std::uint32_t> candidates_;
  std::vector<Point3> places_;
  std::vector<SparseRows::Entry> row_;
};

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

SecondOrderResult SecondOrderWeights(const PolygonsView& source, const PolygonsView& target,
                                     const EqualAreaSphere* sphere, Crew& crew, std::span<const std::uint32_t> copies) {
  std::vector<PreparedPolygon> sources(source.Count());
  std::vector<Box> boxes(source.Count());
  std::vector<Point3> places(source.Count() - copies.size());
  crew.Run([&](std::size_t helper) {
    const auto [first, last] = crew.ShareOf(helper, sources.size());
    for (std::size_t s = first; s < last; ++s) {
      sources[s].Prepare(source, s, "source");
      boxes[s] = sources[s].box;
      if (s < places.size()) places[s] = PlaceOf(sources[s], sphere);
    }
  });
  const BoxIndex index(boxes, crew);
  const Slopes slopes(source, std::move(places), sphere != nullptr ? Space::Sphere : Space::Plane, crew,
                      sphere != nullptr ? sphere->radius : 0.0);
  SecondOrderResult result{SparseRows(source.Count()), std::vector<double>(source.Count(), 0.0),
                           std::vector<double>(target.Count(), 0.0)};
  std::vector<SparseRows> parts(crew.Size(), SparseRows(source.Count()));
  std::vector<RowMaker::Covers> covers(crew.Size());
  crew.Run([&](std::size_t helper) {
    const auto [first, last] = crew.ShareOf(helper, target.Count());
    RowMaker maker(sources, index, slopes, sphere, target, copies);
    parts[helper].Reserve(last - first, 12 * (last - first));
    for (std::size_t t = first; t < last; ++t) {
      result.target_cover[t] = maker.Add(t, parts[helper], covers[helper]);
    }
  });
  for (const RowMaker::Covers& part : covers) {
    for (const auto& [s, area] : part) result.source_cover[s] += area;
  }
  result.weights = SparseRows::Joined(parts, crew);
  return result;
}

SecondOrderResult SecondOrderWeights(const PolygonsView& source, const PolygonsView& target) {
  Crew alone;
  return SecondOrderWeights(source, target, nullptr, alone);
}

}  // namespace openmi
