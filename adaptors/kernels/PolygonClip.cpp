#include "adaptors/kernels/PolygonClip.hpp"

#include <fmt/format.h>

#include <cmath>

#include "adaptors/kernels/SmallConvex.hpp"
#include "adaptors/kernels/SphereMean.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// With more vertices, edges are sorted into strips, since convex clipping, which visits all edges, is slower.
constexpr std::size_t kManyVertices = 64;

/// Twice the signed area, relative to the first vertex, where the numbers are small.
double TwiceArea(std::span<const Point> ring) {
  double twice = 0.0;
  for (std::size_t i = 1; i + 1 < ring.size(); ++i) {
    const double ax = ring[i].x - ring[0].x;
    const double ay = ring[i].y - ring[0].y;
    const double bx = ring[i + 1].x - ring[0].x;
    const double by = ring[i + 1].y - ring[0].y;
    twice += ax * by - ay * bx;
  }
  return twice;
}

/// Whether a counter-clockwise ring turns left (or not at all) everywhere, and only once around.
bool IsConvex(std::span<const Point> ring) {
  int turns_x = 0;
  int turns_y = 0;
  double last_x = 0.0;
  double last_y = 0.0;
  const std::size_t count = ring.size();
  const auto edge = [&](std::size_t i) {
    const Point a = ring[i % count];
    const Point b = ring[(i + 1) % count];
    return Point{b.x - a.x, b.y - a.y};
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Point e = edge(i);
    const Point f = edge(i + 1);
    const double left = e.x * f.y;
    const double right = e.y * f.x;
    // For the clip, a right turn within the rounding of the two products is a straight line.
    const double noise = 2.0 * kEpsilon * (std::abs(left) + std::abs(right));
    if (left - right < -noise) return false;
    if (left - right <= noise && e.x * f.x + e.y * f.y < 0.0) return false;  // a spike
    if (f.x != 0.0) {
      turns_x += last_x != 0.0 && (f.x > 0.0) != (last_x > 0.0) ? 1 : 0;
      last_x = f.x;
    }
    if (f.y != 0.0) {
      turns_y += last_y != 0.0 && (f.y > 0.0) != (last_y > 0.0) ? 1 : 0;
      last_y = f.y;
    }
  }
  return turns_x <= 2 && turns_y <= 2;
}

/// The vertices of a ring without a repeated last one.
struct Vertices {
  std::size_t first;
  std::size_t size;
};

Vertices VerticesOf(const PolygonsView& polygons, std::size_t ring) {
  const std::size_t first = polygons.ring_starts[ring];
  std::size_t end = polygons.ring_starts[ring + 1];
  if (end > first + 1 && polygons.x[first] == polygons.x[end - 1] && polygons.y[first] == polygons.y[end - 1]) --end;
  return {first, end - first};
}

/// Integral over `width` of the lower of two straight lines, given by their values at both ends.
double IntegralOfLower(double a0, double a1, double b0, double b1, double width) {
  const double d0 = a0 - b0;
  const double d1 = a1 - b1;
  if (d0 <= 0.0 && d1 <= 0.0) return 0.5 * (a0 + a1) * width;
  if (d0 >= 0.0 && d1 >= 0.0) return 0.5 * (b0 + b1) * width;
  const double crossing = d0 / (d0 - d1);
  const double below = d0 < 0.0 ? crossing * d0 : (1.0 - crossing) * d1;
  return 0.5 * (b0 + b1 + below) * width;
}

}  // namespace

void PreparedPolygon::Prepare(const PolygonsView& polygons, std::size_t index) {
  points.clear();
  rings.clear();
  box = {};
  area = 0.0;
  for (std::size_t ring = polygons.FirstRing(index); ring < polygons.EndRing(index); ++ring) {
    const auto begin = static_cast<std::uint32_t>(points.size());
    for (std::uint32_t i = polygons.ring_starts[ring]; i < polygons.ring_starts[ring + 1]; ++i) {
      const Point p{polygons.x[i], polygons.y[i]};
      if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
        throw RangeError({}, fmt::format("polygon {}: expected finite coordinates, found ({}, {})", index, p.x, p.y),
                         "correct the element set");
      }
      if (points.size() == begin || !(points.back() == p)) points.push_back(p);
    }
    while (points.size() > begin + 1 && points.back() == points[begin]) points.pop_back();
    const std::span<const Point> vertices = std::span(points).subspan(begin);
    const double twice = TwiceArea(vertices);
    if (vertices.size() < 3 || twice == 0.0) {
      points.resize(begin);
      continue;
    }
    const double role = polygons.IsHole(ring) ? -1.0 : 1.0;
    rings.push_back({begin, static_cast<std::uint32_t>(points.size()), twice > 0.0 ? role : -role});
    area += role * 0.5 * std::abs(twice);
    for (const Point& p : vertices) box.Add(p);
  }
  if (!(area > 0.0)) {
    throw RangeError({}, fmt::format("polygon {}: expected an area above 0, found {}", index, area),
                     "give it three vertices that are not on one line, and holes that lie inside");
  }
  convex = false;
  reversed = false;
  verbatim = false;
  if (rings.size() == 1) {
    reversed = rings[0].sign < 0.0;
    if (reversed) std::reverse(points.begin(), points.end());
    rings[0].sign = 1.0;
    convex = points.size() <= kManyVertices && IsConvex(points);
    verbatim = convex && polygons.EndRing(index) == polygons.FirstRing(index) + 1 &&
               points.size() == VerticesOf(polygons, polygons.FirstRing(index)).size;
  }
  strip_starts_.clear();
  strip_edges_.clear();
  if (points.size() > kManyVertices) SortIntoStrips();
}

std::size_t PreparedPolygon::StripOf(double x) const {
  const auto strips = static_cast<double>(strip_starts_.size() - 1);
  return static_cast<std::size_t>(std::clamp((x - box.x0) / box.Width() * strips, 0.0, strips - 1.0));
}

void PreparedPolygon::SortIntoStrips() {
  // An outline crosses most strips twice, so there are half as many strips as vertices; fewer if long edges would be in
  // very many of them.
  double crossings = 0.0;
  EachEdge([&](const Edge& edge) { crossings += (edge.right.x - edge.left.x) / box.Width(); });
  const auto count = static_cast<double>(points.size());
  const double strips = std::clamp(3.0 * count / crossings, 1.0, 0.5 * count);
  strip_starts_.assign(static_cast<std::size_t>(strips) + 1, 0);
  const auto each_strip = [&](auto&& visit) {
    EachEdge([&](const Edge& edge) {
      const std::size_t last = StripOf(edge.right.x);
      for (std::size_t strip = StripOf(edge.left.x); strip <= last; ++strip) visit(strip, edge);
    });
  };
  each_strip([&](std::size_t strip, const Edge&) { ++strip_starts_[strip + 1]; });
  for (std::size_t i = 1; i < strip_starts_.size(); ++i) strip_starts_[i] += strip_starts_[i - 1];
  strip_edges_.resize(strip_starts_.back());
  std::vector<std::uint32_t> next(strip_starts_.begin(), strip_starts_.end() - 1);
  each_strip([&](std::size_t strip, const Edge& edge) { strip_edges_[next[strip]++] = edge; });
}

void PreparedPolygon::Prepare(const PolygonsView& polygons, std::size_t index, const char* side) {
  try {
    Prepare(polygons, index);
  } catch (const RangeError& error) {
    throw RangeError(error.Place(), fmt::format("{} {}", side, error.Problem()), error.Remedy());
  }
}

void PreparedPolygon::PrepareVerbatim(const PolygonsView& polygons, std::size_t index, bool clockwise) {
  const Vertices given = VerticesOf(polygons, polygons.FirstRing(index));
  points.resize(given.size);
  box = {};
  for (std::size_t i = 0; i < given.size; ++i) {
    const Point p{polygons.x[given.first + i], polygons.y[given.first + i]};
    points[clockwise ? given.size - 1 - i : i] = p;
    box.Add(p);
  }
  rings.assign(1, {0, static_cast<std::uint32_t>(given.size), 1.0});
  strip_starts_.clear();
  convex = true;
  reversed = clockwise;
  verbatim = true;
}

double OverlapFinder::Area(const PreparedPolygon& a, const PreparedPolygon& b) {
  const Box common = a.box.Common(b.box);
  if (!(common.Width() > 0.0 && common.Height() > 0.0)) return 0.0;
  return a.convex && b.convex ? ConvexArea(a.points, b.points, common) : GeneralArea(a, b, common);
}

std::span<const Point> OverlapFinder::Clip(std::span<const Point> a, std::span<const Point> b, const Box& common) {
  const std::size_t most = a.size() + b.size();
  subject_.resize(most);
  clipped_.resize(most);
  clip_.resize(b.size());
  sides_.resize(most);
  for (std::size_t i = 0; i < a.size(); ++i) subject_[i] = {a[i].x - common.x0, a[i].y - common.y0};
  for (std::size_t i = 0; i < b.size(); ++i) clip_[i] = {b[i].x - common.x0, b[i].y - common.y0};

  Point* from = subject_.data();
  Point* to = clipped_.data();
  double* side = sides_.data();
  std::size_t count = a.size();
  Point begin = clip_.back();
  for (const Point end : clip_) {
    const double ex = end.x - begin.x;
    const double ey = end.y - begin.y;
    bool all_inside = true;
    for (std::size_t i = 0; i < count; ++i) {
      side[i] = ex * (from[i].y - begin.y) - ey * (from[i].x - begin.x);
      all_inside = all_inside && side[i] >= 0.0;
    }
    begin = end;
    if (all_inside) continue;
    std::size_t kept = 0;
    std::size_t last = count - 1;
    for (std::size_t i = 0; i < count; last = i++) {
      if ((side[i] >= 0.0) != (side[last] >= 0.0) && kept < most) {
        const double part = side[last] / (side[last] - side[i]);
        to[kept++] = {from[last].x + part * (from[i].x - from[last].x),
                      from[last].y + part * (from[i].y - from[last].y)};
      }
      if (side[i] >= 0.0 && kept < most) to[kept++] = from[i];
    }
    if (kept < 3) return {};
    std::swap(from, to);
    count = kept;
  }
  return {from, count};
}

double OverlapFinder::ConvexArea(std::span<const Point> a, std::span<const Point> b, const Box& common) {
  if (std::max(a.size(), b.size()) <= SmallConvex::kMost) {
    const auto small = [](std::span<const Point> ring) {
      SmallConvex polygon;
      for (const Point p : ring) {
        polygon.x[polygon.count] = p.x;
        polygon.y[polygon.count++] = p.y;
      }
      return polygon;
    };
    return CommonArea(small(a), small(b), common);
  }
  const std::span<const Point> left = Clip(a, b, common);
  if (left.empty()) return 0.0;
  const double area = 0.5 * TwiceArea(left);
  const double noise = 4.0 * kEpsilon * common.Width() * common.Height();
  return area > noise ? area : 0.0;
}

OverlapFinder::Overlap OverlapFinder::AreaAndCentroid(const PreparedPolygon& a, const PreparedPolygon& b) {
  const Box common = a.box.Common(b.box);
  const Point corner{common.x0, common.y0};
  if (!(common.Width() > 0.0 && common.Height() > 0.0)) return {0.0, corner};
  double area = 0.0;
  double moment_x = 0.0;
  double moment_y = 0.0;
  double noise = 4.0 * kEpsilon * common.Width() * common.Height();
  if (a.convex && b.convex) {
    const std::span<const Point> left = Clip(a.points, b.points, common);
    for (std::size_t i = 1; i + 1 < left.size(); ++i) {
      const double third = ((left[i].x - left[0].x) * (left[i + 1].y - left[0].y) -
                            (left[i].y - left[0].y) * (left[i + 1].x - left[0].x)) /
                           6.0;
      area += 3.0 * third;
      moment_x += third * (left[0].x + left[i].x + left[i + 1].x);
      moment_y += third * (left[0].y + left[i].y + left[i + 1].y);
    }
  } else {
    Strips(a, b, common, [&](double sign, double from, double stretch, double y0, double y1) {
      area += sign * 0.5 * (y0 + y1) * stretch;
      moment_x += sign * stretch * (0.5 * from * (y0 + y1) + stretch * (y0 + 2.0 * y1) / 6.0);
      moment_y += sign * stretch * (y0 * y0 + y0 * y1 + y1 * y1) / 6.0;
    });
    noise = SweepNoise(common);
  }
  if (!(area > noise)) return {0.0, corner};
  return {area, {corner.x + moment_x / area, corner.y + moment_y / area}};
}

OverlapFinder::SphereOverlap OverlapFinder::AreaAndMean(const PreparedPolygon& a, const PreparedPolygon& b,
                                                        const EqualAreaSphere& sphere) {
  const Box common = a.box.Common(b.box);
  if (!(common.Width() > 0.0 && common.Height() > 0.0)) return {0.0, {}};
  const Point corner{common.x0, common.y0};
  SphereMean mean(sphere, corner);
  const auto add = [&](double sign, Point p, Point q) {
    mean.Add(sign, {corner.x + p.x, corner.y + p.y}, {corner.x + q.x, corner.y + q.y});
  };
  double area = 0.0;
  double noise = 4.0 * kEpsilon * common.Width() * common.Height();
  if (a.convex && b.convex) {
    const std::span<const Point> left = Clip(a.points, b.points, common);
    if (left.empty()) return {0.0, {}};
    area = 0.5 * TwiceArea(left);
    if (!(area > noise)) return {0.0, {}};
    Point last = left.back();
    for (const Point next : left) {
      add(-1.0, last, next);  // counter-clockwise: the inside lies below the edges that run to the left
      last = next;
    }
  } else {
    Strips(a, b, common, [&](double sign, double x, double width, double y0, double y1) {
      area += sign * 0.5 * (y0 + y1) * width;
      add(sign, {x, y0}, {x + width, y1});
    });
    noise = SweepNoise(common);
  }
  if (!(area > noise)) return {0.0, {}};
  return {area, mean.Of(area)};
}

void OverlapFinder::CutEdges(const PreparedPolygon& polygon, const Box& box, std::vector<Piece>& pieces) {
  pieces.clear();
  const double width = box.Width();
  const double height = box.Height();
  // The line at the height y of the box, from x0 to x1; a line along the bottom bounds no area.
  const auto add = [&](double x0, double x1, double y0, double y1, double sign) {
    if (x1 > x0 && (y0 > 0.0 || y1 > 0.0)) pieces.push_back({x0, x1, y0, y1, sign});
  };
  polygon.EdgesOver(box.x0, box.x1, [&](const PreparedPolygon::Edge& edge) {
    const Point p{edge.left.x - box.x0, edge.left.y - box.y0};
    const Point q{edge.right.x - box.x0, edge.right.y - box.y0};
    const double sign = edge.sign;
    if (q.x <= 0.0 || p.x >= width || !(p.x < q.x) || (p.y <= 0.0 && q.y <= 0.0)) return;
    const double slope = (q.y - p.y) / (q.x - p.x);
    // From the nearer end, so that a long edge does not lose digits.
    const auto y_at = [&](double x) { return x - p.x < q.x - x ? p.y + slope * (x - p.x) : q.y + slope * (x - q.x); };
    const double x0 = std::max(p.x, 0.0);
    const double x1 = std::min(q.x, width);
    const double y0 = p.x < 0.0 ? y_at(0.0) : p.y;
    const double y1 = q.x > width ? y_at(width) : q.y;
    const double top = std::max(y0, y1);
    const double bottom = std::min(y0, y1);
    if (bottom >= height) {
      add(x0, x1, height, height, sign);
      return;
    }
    if (top <= 0.0) return;
    // Three parts at most: below the box, inside, above; each is cut off at the side it crosses.
    const auto x_at = [&](double y) { return std::clamp(x0 + (y - y0) / (y1 - y0) * (x1 - x0), x0, x1); };
    const double low_x = bottom < 0.0 ? x_at(0.0) : (y0 < y1 ? x0 : x1);
    const double high_x = top > height ? x_at(height) : (y0 < y1 ? x1 : x0);
    const double low_y = std::max(bottom, 0.0);
    const double high_y = std::min(top, height);
    if (y0 == y1) {
      add(x0, x1, y0, y1, sign);
    } else if (y0 < y1) {
      add(low_x, high_x, low_y, high_y, sign);
      add(high_x, x1, high_y, high_y, sign);
    } else {
      add(x0, high_x, high_y, high_y, sign);
      add(high_x, low_x, high_y, low_y, sign);
    }
  });
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.x0 < b.x0; });
}

template <typename Visit>
void OverlapFinder::Sweep(const PreparedPolygon& a, const PreparedPolygon& b, const Box& common, Visit&& visit) {
  CutEdges(a, common, pieces_a_);
  CutEdges(b, common, pieces_b_);
  open_a_.clear();
  open_b_.clear();
  const auto y_at = [](const Piece& piece, double x) {
    const double slope = (piece.y1 - piece.y0) / (piece.x1 - piece.x0);
    return x - piece.x0 < piece.x1 - x ? piece.y0 + slope * (x - piece.x0) : piece.y1 + slope * (x - piece.x1);
  };
  // From left to right: each piece meets the pieces of the other polygon that started before it and have not ended.
  const auto meet = [&](const Piece& piece, std::vector<const Piece*>& others) {
    std::size_t kept = 0;
    for (const Piece* other : others) {
      if (other->x1 <= piece.x0) continue;
      others[kept++] = other;
      const double x0 = piece.x0;
      const double x1 = std::min(piece.x1, other->x1);
      visit(piece.sign * other->sign, x0, x1 - x0, piece.y0, y_at(piece, x1), y_at(*other, x0), y_at(*other, x1));
    }
    others.resize(kept);
  };
  std::size_t next_a = 0;
  std::size_t next_b = 0;
  while (next_a < pieces_a_.size() || next_b < pieces_b_.size()) {
    const bool take_a =
        next_b == pieces_b_.size() || (next_a < pieces_a_.size() && pieces_a_[next_a].x0 <= pieces_b_[next_b].x0);
    const Piece& piece = take_a ? pieces_a_[next_a++] : pieces_b_[next_b++];
    meet(piece, take_a ? open_b_ : open_a_);
    (take_a ? open_a_ : open_b_).push_back(&piece);
  }
}

template <typename Visit>
void OverlapFinder::Strips(const PreparedPolygon& a, const PreparedPolygon& b, const Box& common, Visit&& visit) {
  Sweep(a, b, common, [&](double sign, double x, double width, double a0, double a1, double b0, double b1) {
    const double d0 = a0 - b0;
    const double d1 = a1 - b1;
    if ((d0 <= 0.0 && d1 <= 0.0) || (d0 >= 0.0 && d1 >= 0.0)) {
      visit(sign, x, width, std::min(a0, b0), std::min(a1, b1));
      return;
    }
    const double crossing = d0 / (d0 - d1);
    const double height = a0 + crossing * (a1 - a0);
    visit(sign, x, crossing * width, std::min(a0, b0), height);
    visit(sign, x + crossing * width, (1.0 - crossing) * width, height, std::min(a1, b1));
  });
}

double OverlapFinder::SweepNoise(const Box& common) const {
  const double terms = static_cast<double>(pieces_a_.size() + pieces_b_.size());
  return terms * kEpsilon * common.Width() * common.Height();
}

double OverlapFinder::GeneralArea(const PreparedPolygon& a, const PreparedPolygon& b, const Box& common) {
  double area = 0.0;
  Sweep(a, b, common, [&](double sign, double, double width, double a0, double a1, double b0, double b1) {
    area += sign * IntegralOfLower(a0, a1, b0, b1, width);
  });
  return area > SweepNoise(common) ? area : 0.0;
}

std::vector<double> PolygonAreas(const PolygonsView& polygons) {
  std::vector<double> areas(polygons.Count());
  PreparedPolygon polygon;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    polygon.Prepare(polygons, i);
    areas[i] = polygon.area;
  }
  return areas;
}

}  // namespace openmi
