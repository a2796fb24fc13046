#include "adaptors/kernels/Lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "adaptors/kernels/BoxIndex.hpp"
#include "adaptors/kernels/PointTree.hpp"
#include "adaptors/kernels/PolygonClip.hpp"

namespace openmi {
namespace {

constexpr double kAlong = 1e-9;  // of the lengths involved: tolerance for lying on a line

void RequireFiniteLines(std::span<const Point> points, const char* side) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point3 place{points[i].x, points[i].y, 0.0};
    if (!std::isfinite(place.x) || !std::isfinite(place.y)) RequireFinite(std::span(&place, 1), side);
  }
}

/// A segment of a line, by the index of its first vertex.
struct Segment {
  std::uint32_t line;
  std::uint32_t vertex;
};
std::vector<Segment> SegmentsOf(const LinesView& lines) {
  std::vector<Segment> segments;
  for (std::uint32_t line = 0; line < lines.Count(); ++line) {
    for (std::uint32_t v = lines.starts[line]; v + 1 < lines.starts[line + 1]; ++v) segments.push_back({line, v});
  }
  return segments;
}
Box BoxOf(const LinesView& lines, const Segment& segment, double wider = 0.0) {
  Box box;
  box.Add(lines.points[segment.vertex]);
  box.Add(lines.points[segment.vertex + 1]);
  return {box.x0 - wider, box.y0 - wider, box.x1 + wider, box.y1 + wider};
}

double SquareToSegment(Point a, Point b, Point p) {
  const Point d = Minus(b, a);
  const double square = Dot(d, d);
  const double along = square > 0.0 ? std::clamp(Dot(Minus(p, a), d) / square, 0.0, 1.0) : 0.0;
  const Point rest{p.x - a.x - along * d.x, p.y - a.y - along * d.y};
  return Dot(rest, rest);
}

/// Joins lists of [row][column]; adds up entries of one column.
SparseRows Gathered(std::vector<std::vector<SparseRows::Entry>>& lists, std::size_t columns) {
  SparseRows rows(columns);
  for (std::vector<SparseRows::Entry>& list : lists) {
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    rows.AddSummed(list);
  }
  return rows;
}

/// The part of a segment that lies in one polygon, 0 to 1; parts along its edges count half.
class PartInside {
 public:
  double operator()(const PolygonsView& polygons, std::size_t polygon, const Box& box, Point a, Point b) {
    const Point origin{box.x0, box.y0};
    const Point p = Minus(a, origin);
    const Point d = Minus(b, a);
    const double length = std::sqrt(Dot(d, d));
    // Places nearer to an edge than this are on it: a billionth of the polygon or of the segment, whichever is smaller,
    // but no less than the rounding of the coordinates.
    const double coordinates = std::max({std::abs(box.x0), std::abs(box.x1), std::abs(box.y0), std::abs(box.y1)});
    const double slack = std::max(kAlong * std::min(length, std::max(box.Width(), box.Height())),
                                  4.0 * std::numeric_limits<double>::epsilon() * coordinates);
    cuts_.assign({0.0, 1.0});
    edges_.clear();
    for (std::size_t ring = polygons.FirstRing(polygon); ring < polygons.EndRing(polygon); ++ring) {
      const std::size_t first = polygons.ring_starts[ring];
      const std::size_t end = polygons.ring_starts[ring + 1];
      for (std::size_t i = first, j = end - 1; i < end; j = i++) {
        const Point from = Minus({polygons.x[j], polygons.y[j]}, origin);
        const Point to = Minus({polygons.x[i], polygons.y[i]}, origin);
        const Point e = Minus(to, from);
        if (e.x == 0.0 && e.y == 0.0) continue;
        edges_.push_back({from, to});
        const double across = Cross(d, e);
        const double edge_length = std::sqrt(Dot(e, e));
        const double u = across != 0.0 ? Cross(Minus(from, p), d) / across : -1.0;
        if (across != 0.0 && u >= -slack / edge_length && u <= 1.0 + slack / edge_length) {
          Cut(Cross(Minus(from, p), e) / across);
        }
        // The places of the edge's ends on the segment, for edges along it.
        for (const Point corner : {from, to}) {
          if (SquareToSegment(p, {p.x + d.x, p.y + d.y}, corner) <= slack * slack) {
            Cut(Dot(Minus(corner, p), d) / Dot(d, d));
          }
        }
      }
    }
    std::sort(cuts_.begin(), cuts_.end());
    double inside = 0.0;
    for (std::size_t i = 0; i + 1 < cuts_.size(); ++i) {
      const double width = cuts_[i + 1] - cuts_[i];
      if (!(width > 0.0)) continue;
      const double middle = 0.5 * (cuts_[i] + cuts_[i + 1]);
      inside += width * Worth({p.x + middle * d.x, p.y + middle * d.y}, slack);
    }
    return inside;
  }

 private:
  struct Edge {
    Point from, to;
  };
  void Cut(double at) {
    if (at > 0.0 && at < 1.0) cuts_.push_back(at);
  }
  double Worth(Point p, double slack) const {
    bool inside = false;
    for (const Edge& edge : edges_) {
      if (SquareToSegment(edge.from, edge.to, p) <= slack * slack) return 0.5;
      if ((edge.from.y > p.y) == (edge.to.y > p.y)) continue;
      const double side = Cross(Minus(edge.to, edge.from), Minus(p, edge.from));
      if (edge.to.y > edge.from.y ? side > 0.0 : side < 0.0) inside = !inside;
    }
    return inside ? 1.0 : 0.0;
  }
  std::vector<double> cuts_;
  std::vector<Edge> edges_;
};

}  // namespace

double LinesView::SegmentLength(std::size_t vertex) const {
  if (!lengths.empty()) return lengths[vertex];
  const Point d = Minus(points[vertex + 1], points[vertex]);
  return std::sqrt(Dot(d, d));
}

std::vector<double> LineLengths(const LinesView& lines) {
  std::vector<double> lengths(lines.Count(), 0.0);
  for (const Segment& segment : SegmentsOf(lines)) lengths[segment.line] += lines.SegmentLength(segment.vertex);
  return lengths;
}

SparseRows LengthsInPolygons(const LinesView& lines, const PolygonsView& polygons) {
  RequireFiniteLines(lines.points, "line");
  std::vector<Box> boxes(polygons.Count());
  PreparedPolygon polygon;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    polygon.Prepare(polygons, i);
    boxes[i] = polygon.box;
  }
  const BoxIndex index(boxes);
  std::vector<std::vector<SparseRows::Entry>> lists(polygons.Count());
  PartInside part_inside;
  for (const Segment& segment : SegmentsOf(lines)) {
    const Point a = lines.points[segment.vertex];
    const Point b = lines.points[segment.vertex + 1];
    if (a == b) continue;
    const double length = lines.SegmentLength(segment.vertex);
    index.Overlapping(BoxOf(lines, segment), [&](std::size_t i) {
      const double part = part_inside(polygons, i, boxes[i], a, b);
      if (part > 0.0) lists[i].push_back({segment.line, part * length});
    });
  }
  return Gathered(lists, lines.Count());
}

SparseRows LengthsAlongLines(const LinesView& sources, const LinesView& targets) {
  RequireFiniteLines(sources.points, "source");
  RequireFiniteLines(targets.points, "target");
  const std::vector<Segment> source_segments = SegmentsOf(sources);
  std::vector<Box> boxes;
  for (const Segment& segment : source_segments) boxes.push_back(BoxOf(sources, segment));
  const BoxIndex index(boxes);
  std::vector<std::vector<SparseRows::Entry>> lists(targets.Count());
  for (const Segment& segment : SegmentsOf(targets)) {
    const Point a = targets.points[segment.vertex];
    const Point d = Minus(targets.points[segment.vertex + 1], a);
    const double square = Dot(d, d);
    if (square == 0.0) continue;
    const double length = std::sqrt(square);
    const double slack = kAlong * length;
    index.Overlapping(BoxOf(targets, segment, slack), [&](std::size_t i) {
      const Segment& other = source_segments[i];
      const Point from = Minus(sources.points[other.vertex], a);
      const Point to = Minus(sources.points[other.vertex + 1], a);
      const double reach = std::max(slack, kAlong * std::sqrt(Dot(Minus(to, from), Minus(to, from))));
      if (std::abs(Cross(d, from)) > reach * length || std::abs(Cross(d, to)) > reach * length) return;
      const double begin = Dot(from, d) / square;
      const double end = Dot(to, d) / square;
      const double common = std::min(std::max(begin, end), 1.0) - std::max(std::min(begin, end), 0.0);
      if (!(common > kAlong)) return;
      const double way = common * targets.SegmentLength(segment.vertex);
      lists[segment.line].push_back({other.line, end > begin ? way : -way});
    });
  }
  return Gathered(lists, sources.Count());
}

double SquareToLine(const LinesView& lines, std::size_t line, Point p) {
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t v = lines.starts[line]; v + 1 < lines.starts[line + 1]; ++v) {
    least = std::min(least, SquareToSegment(lines.points[v], lines.points[v + 1], p));
  }
  return least;
}

SparseRows LineDistanceWeights(const LinesView& lines, std::span<const Point> points,
                               const LineDistanceOptions& options) {
  RequireFiniteLines(lines.points, "line");
  RequireFiniteLines(points, "point");
  struct Pair {
    std::uint32_t source;
    double distance;
  };
  const std::size_t sources = options.lines_are_sources ? lines.Count() : points.size();
  const std::size_t targets = options.lines_are_sources ? points.size() : lines.Count();
  SparseRows rows(sources);
  std::vector<Pair> chosen;
  std::vector<double> parts;
  for (std::size_t t = 0; t < targets; ++t) {
    chosen.clear();
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t s = 0; s < sources; ++s) {
      const double distance =
          std::sqrt(options.lines_are_sources ? SquareToLine(lines, s, points[t]) : SquareToLine(lines, t, points[s]));
      if (distance > options.radius) continue;
      chosen.push_back({s, distance});
      least = std::min(least, distance);
    }
    if (options.neighbours > 0 && chosen.size() > options.neighbours) {
      std::stable_sort(chosen.begin(), chosen.end(),
                       [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
      chosen.resize(options.neighbours);
      std::sort(chosen.begin(), chosen.end(), [](const Pair& a, const Pair& b) { return a.source < b.source; });
    }
    parts.clear();
    double sum = 0.0;
    for (const Pair& pair : chosen) {
      const bool nearest = pair.distance <= least * (1.0 + 1e-14);
      parts.push_back(nearest ? 1.0 : options.power > 0.0 ? std::pow(least / pair.distance, options.power) : 0.0);
      sum += parts.back();
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) rows.Add(chosen[i].source, parts[i] / sum);
    rows.EndRow();
  }
  return rows;
}

}  // namespace openmi
