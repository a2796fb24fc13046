#include "adaptors/kernels/PolygonWeights.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

#include "adaptors/kernels/BoxIndex.hpp"
#include "adaptors/kernels/PolygonClip.hpp"
#include "adaptors/kernels/SmallConvex.hpp"

namespace openmi {
namespace {

// Polygons with more vertices are prepared once for all their neighbours instead of once for each.
constexpr std::size_t kManyVertices = 48;

std::size_t VertexCount(const PolygonsView& polygons, std::size_t index) {
  return polygons.ring_starts[polygons.EndRing(index)] - polygons.ring_starts[polygons.FirstRing(index)];
}

/// The sources with their index; all threads read it.
class Sources {
 public:
  Sources(const PolygonsView& polygons, Crew& crew)
      : polygons_(polygons), areas_(polygons.Count()), forms_(polygons.Count()), index_(MakeIndex(crew)) {}

  std::size_t Count() const { return areas_.size(); }
  const BoxIndex& Index() const { return index_; }
  std::vector<double>& Areas() { return areas_; }

  bool IsSmall(std::size_t index) const { return forms_[index] <= Form::SmallCounterClockwise; }
  /// A small source.
  void Get(std::size_t index, SmallConvex& room) const {
    LoadSmall(polygons_, index, forms_[index] == Form::SmallClockwise, room);
  }
  /// Any source, prepared for overlaps; in `room` if it was not prepared before.
  const PreparedPolygon& Get(std::size_t index, PreparedPolygon& room) const {
    const Form form = forms_[index];
    if (form == Form::Large) return *large_.at(index);
    if (form == Form::Other) {
      room.Prepare(polygons_, index);
    } else {
      room.PrepareVerbatim(polygons_, index, form == Form::SmallClockwise || form == Form::Clockwise);
    }
    return room;
  }

 private:
  enum class Form : std::uint8_t { SmallClockwise, SmallCounterClockwise, Clockwise, CounterClockwise, Large, Other };

  using Prepared = std::unordered_map<std::size_t, std::unique_ptr<PreparedPolygon>>;

  BoxIndex MakeIndex(Crew& crew) {
    const RawArray<Box> room(polygons_.Count());
    const std::span<Box> boxes = room.All();
    std::vector<Prepared> large(crew.Size());
    crew.Run([&](std::size_t part) {
      const auto [first, last] = crew.ShareOf(part, boxes.size());
      Measure(first, last, boxes, large[part]);
    });
    for (Prepared& part : large) large_.merge(part);
    return BoxIndex(boxes, crew);
  }

  void Measure(std::size_t first, std::size_t last, std::span<Box> boxes, Prepared& large) {
    PreparedPolygon polygon;
    SmallMeasure small;
    for (std::size_t i = first; i < last; ++i) {
      if (MeasureSmall(polygons_, i, small)) {
        boxes[i] = small.box;
        areas_[i] = small.area;
        forms_[i] = small.clockwise ? Form::SmallClockwise : Form::SmallCounterClockwise;
        continue;
      }
      polygon.Prepare(polygons_, i, "source");
      boxes[i] = polygon.box;
      areas_[i] = polygon.area;
      if (VertexCount(polygons_, i) > kManyVertices) {
        forms_[i] = Form::Large;
        large[i] = std::make_unique<PreparedPolygon>(polygon);
      } else if (polygon.verbatim) {
        forms_[i] = polygon.reversed ? Form::Clockwise : Form::CounterClockwise;
      } else {
        forms_[i] = Form::Other;
      }
    }
  }

  PolygonsView polygons_;
  std::vector<double> areas_;
  std::vector<Form> forms_;
  Prepared large_;
  BoxIndex index_;
};

/// Computes rows of areas for a range of targets at a time.
class RowMaker {
 public:
  RowMaker(const Sources& sources, const PolygonsView& targets, std::span<double> target_areas)
      : sources_(sources), targets_(targets), target_areas_(target_areas) {}

  /// The rows of targets first <= t < last.
  SparseRows Make(std::size_t first, std::size_t last) {
    SparseRows rows(sources_.Count());
    // Memory that is not touched is not used, so a generous estimate only saves copies.
    rows.Reserve(last - first, 6 * (last - first) + sources_.Count());
    for (std::size_t begin = first; begin < last; begin += kStretch) {
      AddStretch(begin, std::min(kStretch, last - begin), rows);
    }
    return rows;
  }

 private:
  // How many targets are visited in the order of a space-filling curve, so that their sources stay in the cache.
  static constexpr std::size_t kStretch = std::size_t{1} << 15;

  void AddStretch(std::size_t first, std::size_t count, SparseRows& rows) {
    places_.clear();
    for (std::size_t t = first; t < first + count; ++t) places_.push_back(SomePlace(t));
    found_.clear();
    if (FollowEachOther()) {
      for (std::size_t t = first; t < first + count; ++t) {
        Find(t);
        rows.AddRow(found_);
        found_.clear();
      }
      return;
    }
    begins_.resize(count);
    ends_.resize(count);
    for (const std::uint32_t t : CurveOrder(places_)) {
      begins_[t] = found_.size();
      Find(first + t);
      ends_[t] = found_.size();
    }
    for (std::size_t t = 0; t < count; ++t) rows.AddRow(std::span(found_).subspan(begins_[t], ends_[t] - begins_[t]));
  }

  /// Whether the given order of the targets is nearly as good as the curve: line by line, as in most grids.
  bool FollowEachOther() const {
    Box all;
    double way = 0.0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      all.Add(places_[i]);
      if (i > 0) way += std::abs(places_[i].x - places_[i - 1].x) + std::abs(places_[i].y - places_[i - 1].y);
    }
    return way <= 4.0 * std::sqrt(all.Width() * all.Height() * static_cast<double>(places_.size()));
  }

  void Find(std::size_t t) {
    SmallMeasure measure;
    const bool small = MeasureSmall(targets_, t, measure);
    if (small) {
      LoadSmall(targets_, t, measure.clockwise, small_target_);
    } else {
      target_.Prepare(targets_, t, "target");
      measure = {target_.box, target_.area, false};
    }
    target_areas_[t] = measure.area;
    candidates_.clear();
    sources_.Index().Overlapping(measure.box,
                                 [&](std::size_t s) { candidates_.push_back(static_cast<std::uint32_t>(s)); });
    Sort(candidates_);
    bool prepared = !small;
    for (const std::uint32_t s : candidates_) {
      double area = 0.0;
      if (small && sources_.IsSmall(s)) {
        sources_.Get(s, small_source_);
        area = SmallArea(measure.box);
      } else {
        if (!prepared) target_.PrepareVerbatim(targets_, t, measure.clockwise);
        prepared = true;
        area = finder_.Area(sources_.Get(s, room_), target_);
      }
      if (area > 0.0) found_.push_back({s, area});
    }
  }

  double SmallArea(const Box& target) const {
    Box source;
    for (std::size_t i = 0; i < small_source_.count; ++i) source.Add(Point{small_source_.x[i], small_source_.y[i]});
    const Box common = source.Common(target);
    return common.Width() > 0.0 && common.Height() > 0.0 ? CommonArea(small_source_, small_target_, common) : 0.0;
  }

  /// Few numbers as a rule.
  static void Sort(std::vector<std::uint32_t>& numbers) {
    if (numbers.size() > 24) return std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      const std::uint32_t number = numbers[i];
      std::size_t at = i;
      for (; at > 0 && numbers[at - 1] > number; --at) numbers[at] = numbers[at - 1];
      numbers[at] = number;
    }
  }

  /// Any vertex serves for the order; an invalid polygon is found later.
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
  SmallConvex small_target_;
  SmallConvex small_source_;
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
  Crew crew(std::min<std::size_t>(threads, std::max(source.Count(), target.Count())));
  return FindOverlaps(source, target, crew);
}

PolygonOverlaps FindOverlaps(const PolygonsView& source, const PolygonsView& target, Crew& crew) {
  Sources sources(source, crew);
  PolygonOverlaps overlaps;
  overlaps.target_areas.resize(target.Count());
  std::vector<SparseRows> rows(crew.Size());
  crew.Run([&](std::size_t part) {
    const auto [first, last] = crew.ShareOf(part, target.Count());
    rows[part] = RowMaker(sources, target, overlaps.target_areas).Make(first, last);
  });
  overlaps.areas = SparseRows::Joined(rows, crew);
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
