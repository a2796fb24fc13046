#include "adaptors/kernels/SmallConvex.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace openmi {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr std::size_t kMostClipped = 2 * SmallConvex::kMost;

/// The vertices of a ring, without a repeated last one.
std::size_t OpenCount(const PolygonsView& polygons, std::size_t first, std::size_t end) {
  if (end > first + 1 && polygons.x[first] == polygons.x[end - 1] && polygons.y[first] == polygons.y[end - 1]) --end;
  return end - first;
}

/// Whether edges that all turn to one side go around only once; x and y hold the edges.
bool OnceRound(const double* x, const double* y, std::size_t count) {
  const auto turns = [&](const double* v) {
    int changes = 0;
    double last = 0.0;
    for (std::size_t i = 0; i <= count; ++i) {
      const double next = v[i % count];
      if (next == 0.0) continue;
      changes += last != 0.0 && (next > 0.0) != (last > 0.0) ? 1 : 0;
      last = next;
    }
    return changes;
  };
  return turns(x) <= 2 && turns(y) <= 2;
}

/// The polygon during the clipping.
struct Clipped {
  alignas(16) double x[kMostClipped + 2];
  alignas(16) double y[kMostClipped + 2];
};

/// On which side of a line the vertices lie: `side[i]` is positive to the left.
/// \returns a bit for each vertex that does not lie to the right
std::uint32_t Sides(const Clipped& polygon, std::size_t count, Point begin, double ex, double ey, double* side) {
  std::uint32_t inside = 0;
#if defined(__SSE2__)
  const __m128d bx = _mm_set1_pd(begin.x), by = _mm_set1_pd(begin.y), dx = _mm_set1_pd(ex), dy = _mm_set1_pd(ey);
  for (std::size_t i = 0; i < count; i += 2) {
    const __m128d s = _mm_sub_pd(_mm_mul_pd(dx, _mm_sub_pd(_mm_load_pd(polygon.y + i), by)),
                                 _mm_mul_pd(dy, _mm_sub_pd(_mm_load_pd(polygon.x + i), bx)));
    _mm_store_pd(side + i, s);
    inside |= static_cast<std::uint32_t>(_mm_movemask_pd(_mm_cmpge_pd(s, _mm_setzero_pd()))) << i;
  }
#else
  for (std::size_t i = 0; i < count; ++i) {
    side[i] = ex * (polygon.y[i] - begin.y) - ey * (polygon.x[i] - begin.x);
    inside |= static_cast<std::uint32_t>(side[i] >= 0.0) << i;
  }
#endif
  return inside & ((1U << count) - 1U);
}

}  // namespace

bool MeasureSmall(const PolygonsView& polygons, std::size_t index, SmallMeasure& measure) {
  const std::size_t ring = polygons.FirstRing(index);
  if (polygons.EndRing(index) != ring + 1 || polygons.IsHole(ring)) return false;
  const std::size_t first = polygons.ring_starts[ring];
  const std::size_t count = OpenCount(polygons, first, polygons.ring_starts[ring + 1]);
  if (count < 3 || count > SmallConvex::kMost) return false;
  const double* const x = polygons.x.data() + first;
  const double* const y = polygons.y.data() + first;
  double edge_x[SmallConvex::kMost];
  double edge_y[SmallConvex::kMost];
  measure.box = {};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = i + 1 == count ? 0 : i + 1;
    edge_x[i] = x[next] - x[i];
    edge_y[i] = y[next] - y[i];
    measure.box.Add(Point{x[i], y[i]});
  }
  bool left = true;
  bool right = true;
  for (std::size_t i = 0, last = count - 1; i < count; last = i++) {
    const double a = edge_x[last] * edge_y[i];
    const double b = edge_y[last] * edge_x[i];
    const double noise = 2.0 * kEpsilon * (std::abs(a) + std::abs(b));
    left = left && a - b > noise;
    right = right && b - a > noise;
  }
  if (left == right || (count > 4 && !OnceRound(edge_x, edge_y, count))) return false;
  double twice = 0.0;
  for (std::size_t i = 1; i + 1 < count; ++i) {
    twice += (x[i] - x[0]) * (y[i + 1] - y[0]) - (y[i] - y[0]) * (x[i + 1] - x[0]);
  }
  measure.area = 0.5 * std::abs(twice);
  measure.clockwise = right;
  return measure.area > 0.0;
}

void LoadSmall(const PolygonsView& polygons, std::size_t index, bool clockwise, SmallConvex& polygon) {
  const std::size_t ring = polygons.FirstRing(index);
  const std::size_t first = polygons.ring_starts[ring];
  polygon.count = OpenCount(polygons, first, polygons.ring_starts[ring + 1]);
  const double* const x = polygons.x.data() + first;
  const double* const y = polygons.y.data() + first;
  if (polygon.count == 4 && !clockwise) {  // the usual case: a copy without a loop
    std::copy_n(x, 4, polygon.x);
    std::copy_n(y, 4, polygon.y);
    return;
  }
  for (std::size_t i = 0; i < polygon.count; ++i) {
    polygon.x[i] = x[clockwise ? polygon.count - 1 - i : i];
    polygon.y[i] = y[clockwise ? polygon.count - 1 - i : i];
  }
}

double CommonArea(const SmallConvex& a, const SmallConvex& b, const Box& common) {
  // Moved next to the origin; only digits below the resolution of the coordinates are lost.
  Clipped rooms[2];
  Clipped* from = &rooms[0];
  Clipped* to = &rooms[1];
  std::size_t count = a.count;
  for (std::size_t i = 0; i < count; ++i) {
    from->x[i] = a.x[i] - common.x0;
    from->y[i] = a.y[i] - common.y0;
  }
  from->x[count] = from->y[count] = 0.0;  // vertices are processed in pairs
  alignas(16) double side[kMostClipped + 2];
  Point begin{b.x[b.count - 1] - common.x0, b.y[b.count - 1] - common.y0};
  for (std::size_t edge = 0; edge < b.count; ++edge) {
    const Point end{b.x[edge] - common.x0, b.y[edge] - common.y0};
    const std::uint32_t all = (1U << count) - 1U;
    const std::uint32_t inside = Sides(*from, count, begin, end.x - begin.x, end.y - begin.y, side);
    begin = end;
    if (inside == all) continue;
    if (inside == 0) return 0.0;
    // The vertices to keep follow each other, except for rounding if several lie on the line.
    const auto cut = [&](std::size_t i, std::size_t j, std::size_t place) {
      const double part = side[i] / (side[i] - side[j]);
      to->x[place] = from->x[i] + part * (from->x[j] - from->x[i]);
      to->y[place] = from->y[i] + part * (from->y[j] - from->y[i]);
    };
    const std::uint32_t before = ((inside << 1) | (inside >> (count - 1))) & all;
    const std::uint32_t entries = inside & ~before;
    std::size_t kept = 0;
    if ((entries & (entries - 1)) == 0) {
      const auto first = static_cast<std::size_t>(__builtin_ctz(entries));
      cut(first == 0 ? count - 1 : first - 1, first, kept++);
      std::size_t i = first;
      std::size_t last = first;
      do {
        to->x[kept] = from->x[i];
        to->y[kept++] = from->y[i];
        last = i;
        i = i + 1 == count ? 0 : i + 1;
      } while ((inside >> i) & 1U);
      cut(last, i, kept++);
    } else {
      for (std::size_t i = 0, last = count - 1; i < count; last = i++) {
        const bool is_inside = (inside >> i) & 1U;
        if (is_inside != (((inside >> last) & 1U) != 0) && kept < kMostClipped) cut(last, i, kept++);
        if (is_inside && kept < kMostClipped) {
          to->x[kept] = from->x[i];
          to->y[kept++] = from->y[i];
        }
      }
    }
    std::swap(from, to);
    count = kept;
    from->x[count] = from->y[count] = 0.0;
  }
  double twice = 0.0;
  const double x0 = from->x[0], y0 = from->y[0];
  for (std::size_t i = 1; i + 1 < count; ++i) {
    twice += (from->x[i] - x0) * (from->y[i + 1] - y0) - (from->y[i] - y0) * (from->x[i + 1] - x0);
  }
  const double area = 0.5 * twice;
  const double noise = 4.0 * kEpsilon * common.Width() * common.Height();
  return area > noise ? area : 0.0;
}

}  // namespace openmi
