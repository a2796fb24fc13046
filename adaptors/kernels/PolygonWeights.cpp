#include "adaptors/kernels/PolygonWeights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <thread>
#include <unordered_map>

#include "adaptors/kernels/BoxTree.hpp"
#include "adaptors/kernels/PolygonClip.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

// Polygons with more vertices are made ready once for all their neighbours instead of once for each.
constexpr std::size_t kManyVertices = 64;

std::size_t VertexCount(const PolygonsView& polygons, std::size_t index) {
  return polygons.ring_starts[polygons.EndRing(index)] - polygons.ring_starts[polygons.FirstRing(index)];
}

void Prepare(PreparedPolygon& polygon, const PolygonsView& polygons, std::size_t index, const char* side) {
  try {
    polygon.Prepare(polygons, index);
  } catch (const RangeError& error) {
    throw RangeError(error.Place(), fmt::format("{} {}", side, error.Problem()), error.Remedy());
  }
}

/// The sources, indexed; read by all threads.
class Sources {
 public:
  explicit Sources(const PolygonsView& polygons) : polygons_(polygons), areas_(polygons.Count()), tree_(MakeTree()) {}

  const PolygonsView& View() const { return polygons_; }
  const BoxTree& Tree() const { return tree_; }
  const PreparedPolygon* Ready(std::size_t index) const {
    const auto found = large_.find(index);
    return found == large_.end() ? nullptr : found->second.get();
  }
  std::vector<double>& Areas() { return areas_; }

 private:
  BoxTree MakeTree() {
    std::vector<Box> boxes(polygons_.Count());
    PreparedPolygon polygon;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      Prepare(polygon, polygons_, i, "source");
      boxes[i] = polygon.box;
      areas_[i] = polygon.area;
      if (VertexCount(polygons_, i) > kManyVertices) large_[i] = std::make_unique<PreparedPolygon>(polygon);
    }
    return BoxTree(boxes);
  }

  PolygonsView polygons_;
  std::vector<double> areas_;
  std::unordered_map<std::size_t, std::unique_ptr<PreparedPolygon>> large_;
  BoxTree tree_;
};

/// The rows of targets first <= t < last.
SparseRows OverlapRows(const Sources& sources, const PolygonsView& targets, std::size_t first, std::size_t last,
                       std::span<double> target_areas) {
  SparseRows rows(sources.View().Count());
  // Memory that is not touched is not used, so that a generous guess only saves copies.
  rows.Reserve(last - first, 6 * (last - first) + sources.View().Count());
  OverlapFinder finder;
  PreparedPolygon target;
  PreparedPolygon source;
  std::vector<std::uint32_t> candidates;
  for (std::size_t t = first; t < last; ++t) {
    Prepare(target, targets, t, "target");
    target_areas[t] = target.area;
    candidates.clear();
    sources.Tree().Overlapping(target.box, [&](std::size_t s) { candidates.push_back(static_cast<std::uint32_t>(s)); });
    std::sort(candidates.begin(), candidates.end());
    for (const std::uint32_t s : candidates) {
      const PreparedPolygon* ready = sources.Ready(s);
      if (ready == nullptr) {
        source.Prepare(sources.View(), s);
        ready = &source;
      }
      rows.Add(s, finder.Area(*ready, target));
    }
    rows.EndRow();
  }
  return rows;
}

}  // namespace

std::vector<double> PolygonOverlaps::TargetCover() const {
  std::vector<double> cover = areas.RowSums();
  for (std::size_t t = 0; t < cover.size(); ++t) cover[t] /= target_areas[t];
  return cover;
}

std::vector<double> PolygonOverlaps::SourceCover() const {
  std::vector<double> cover = areas.ColumnSums();
  for (std::size_t s = 0; s < cover.size(); ++s) cover[s] /= source_areas[s];
  return cover;
}

PolygonOverlaps FindOverlaps(const PolygonsView& source, const PolygonsView& target, unsigned threads) {
  Sources sources(source);
  PolygonOverlaps overlaps;
  const std::size_t count = target.Count();
  overlaps.target_areas.resize(count);
  const std::size_t parts = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(count, 1));
  std::vector<SparseRows> rows(parts);
  std::vector<std::exception_ptr> failures(parts);
  const auto work = [&](std::size_t part) {
    try {
      rows[part] =
          OverlapRows(sources, target, count * part / parts, count * (part + 1) / parts, overlaps.target_areas);
    } catch (...) {
      failures[part] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t part = 1; part < parts; ++part) others.emplace_back(work, part);
    work(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  overlaps.areas = std::move(rows[0]);
  for (std::size_t part = 1; part < parts; ++part) {
    overlaps.areas.Append(rows[part]);
    rows[part] = {};
  }
  overlaps.source_areas = std::move(sources.Areas());
  return overlaps;
}

SparseRows MakePolygonWeights(PolygonOverlaps overlaps, PolygonWeightKind kind) {
  switch (kind) {
    case PolygonWeightKind::Mean:
      overlaps.areas.DivideRows(overlaps.areas.RowSums());
      break;
    case PolygonWeightKind::Sum:
      overlaps.areas.DivideRows(overlaps.target_areas);
      break;
    case PolygonWeightKind::Distribute:
      overlaps.areas.DivideColumns(overlaps.source_areas);
      break;
  }
  return std::move(overlaps.areas);
}

}  // namespace openmi
