#include "adaptors/kernels/PolygonWeights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <thread>
#include <unordered_map>

#include "adaptors/kernels/BoxIndex.hpp"
#include "adaptors/kernels/PolygonClip.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

// Polygons with more vertices are made ready once for all their neighbours instead of once for each.
constexpr std::size_t kManyVertices = 48;

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
  explicit Sources(const PolygonsView& polygons)
      : polygons_(polygons), areas_(polygons.Count()), forms_(polygons.Count()), index_(MakeIndex()) {}

  std::size_t Count() const { return areas_.size(); }
  const BoxIndex& Index() const { return index_; }
  std::vector<double>& Areas() { return areas_; }

  /// The source, ready for overlaps, in `room` if it is not ready yet.
  const PreparedPolygon& Get(std::size_t index, PreparedPolygon& room) const {
    const Form form = forms_[index];
    if (form == Form::Large) return *large_.at(index);
    if (form == Form::Other) {
      room.Prepare(polygons_, index);
    } else {
      room.PrepareVerbatim(polygons_, index, form == Form::Clockwise);
    }
    return room;
  }

 private:
  enum class Form : std::uint8_t { Clockwise, CounterClockwise, Large, Other };

  BoxIndex MakeIndex() {
    std::vector<Box> boxes(polygons_.Count());
    PreparedPolygon polygon;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      Prepare(polygon, polygons_, i, "source");
      boxes[i] = polygon.box;
      areas_[i] = polygon.area;
      if (VertexCount(polygons_, i) > kManyVertices) {
        forms_[i] = Form::Large;
        large_[i] = std::make_unique<PreparedPolygon>(polygon);
      } else if (polygon.verbatim) {
        forms_[i] = polygon.reversed ? Form::Clockwise : Form::CounterClockwise;
      } else {
        forms_[i] = Form::Other;
      }
    }
    return BoxIndex(boxes);
  }

  PolygonsView polygons_;
  std::vector<double> areas_;
  std::vector<Form> forms_;
  std::unordered_map<std::size_t, std::unique_ptr<PreparedPolygon>> large_;
  BoxIndex index_;
};

/// Finds rows of areas, a stretch of targets at a time.
class RowMaker {
 public:
  RowMaker(const Sources& sources, const PolygonsView& targets, std::span<double> target_areas)
      : sources_(sources), targets_(targets), target_areas_(target_areas) {}

  /// The rows of targets first <= t < last.
  SparseRows Make(std::size_t first, std::size_t last) {
    SparseRows rows(sources_.Count());
    // Memory that is not touched is not used, so that a generous guess only saves copies.
    rows.Reserve(last - first, 6 * (last - first) + sources_.Count());
    for (std::size_t begin = first; begin < last; begin += kStretch) {
      AddStretch(begin, std::min(kStretch, last - begin), rows);
    }
    return rows;
  }

 private:
  // Targets that are worked on in the order of a space-filling curve, so that their sources stay in the cache.
  static constexpr std::size_t kStretch = std::size_t{1} << 15;

  void AddStretch(std::size_t first, std::size_t count, SparseRows& rows) {
    places_.clear();
    for (std::size_t t = first; t < first + count; ++t) places_.push_back(SomePlace(t));
    found_.clear();
    begins_.resize(count);
    ends_.resize(count);
    for (const std::uint32_t t : CurveOrder(places_)) {
      begins_[t] = found_.size();
      Find(first + t);
      ends_[t] = found_.size();
    }
    for (std::size_t t = 0; t < count; ++t) rows.AddRow(std::span(found_).subspan(begins_[t], ends_[t] - begins_[t]));
  }

  void Find(std::size_t t) {
    Prepare(target_, targets_, t, "target");
    target_areas_[t] = target_.area;
    candidates_.clear();
    sources_.Index().Overlapping(target_.box,
                                 [&](std::size_t s) { candidates_.push_back(static_cast<std::uint32_t>(s)); });
    std::sort(candidates_.begin(), candidates_.end());
    for (const std::uint32_t s : candidates_) {
      const double area = finder_.Area(sources_.Get(s, room_), target_);
      if (area > 0.0) found_.push_back({s, area});
    }
  }

  /// Any vertex will do for the order; what is wrong with a polygon is found later.
  Point SomePlace(std::size_t t) const {
    const std::size_t vertex = targets_.ring_starts[targets_.FirstRing(t)];
    if (vertex >= targets_.x.size()) return {0.0, 0.0};
    const Point place{targets_.x[vertex], targets_.y[vertex]};
    return std::isfinite(place.x) && std::isfinite(place.y) ? place : Point{0.0, 0.0};
  }

  const Sources& sources_;
  const PolygonsView& targets_;
  std::span<double> target_areas_;
  OverlapFinder finder_;
  PreparedPolygon target_;
  PreparedPolygon room_;
  std::vector<std::uint32_t> candidates_;
  std::vector<Point> places_;
  std::vector<SparseRows::Entry> found_;
  std::vector<std::size_t> begins_;
  std::vector<std::size_t> ends_;
};

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
          RowMaker(sources, target, overlaps.target_areas).Make(count * part / parts, count * (part + 1) / parts);
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
