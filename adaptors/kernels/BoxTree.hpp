#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "adaptors/kernels/Planar.hpp"

namespace openmi {

/// Sorts items along a Z-shaped space-filling curve, so that neighbours in the list are neighbours in the plane.
///
/// \param centres  places; finite
/// \param bits  how finely each axis is divided, 1 to 32; fewer bits sort faster and leave close items in their order
/// \returns the order: item order[0] comes first
/// \note  Radix sort: linear in the number of items, 32 bytes each during the sort. Items at one place keep their
///   order.
///
/// Source: [Morton1966] for the curve; [Knuth1998], sec. 5.2.5 for the radix sort.
std::vector<std::uint32_t> CurveOrder(std::span<const Point> centres, int bits = 32);

/// An index over rectangles or points that finds those that overlap a rectangle and those near a place.
///
/// The items are sorted along a space-filling curve and packed into groups of eight, these again into groups of eight,
/// and so on. The tree needs no balancing and suits clusters, lines and rectangles of very different sizes. Building it
/// takes n log n in theory and is linear in practice; a query with few answers takes log n. Several threads may use it
/// at once.
///
/// Source: [Guttman1984]; packing along a curve after [KamelFaloutsos1993]; nearest items after [Roussopoulos1995].
class BoxTree {
 public:
  /// \param boxes  finite, at most 2^32 - 1; copied
  explicit BoxTree(std::span<const Box> boxes);

  /// The number of items.
  std::size_t Count() const { return order_.size(); }

  /// Calls `visit(item)` for each item whose rectangle has a point in common with `box`.
  template <typename Visit>
  void Overlapping(const Box& box, Visit&& visit) const;

  /// Calls `visit(item, square)` for items whose rectangle is no further from `p` than the square root of `limit()`,
  /// nearer groups first.
  ///
  /// `square` is the squared distance. `limit` is called repeatedly, so that a visit can lower it.
  template <typename Limit, typename Visit>
  void Near(Point p, Limit&& limit, Visit&& visit) const;

 private:
  static constexpr std::size_t kFan = 8;
  static constexpr std::size_t kMaxLevels = 12;  // 8^11 > 2^32

  /// Eight rectangles, next to each other for vector instructions; unused places hold an empty rectangle.
  struct alignas(64) Group {
    double x0[kFan];
    double y0[kFan];
    double x1[kFan];
    double y1[kFan];

    unsigned Overlaps(const Box& box) const;
    /// Computes the squared distances.
    /// \returns a bit for each that is at most `limit`
    unsigned Near(Point p, double limit, double* squares) const;
  };
  struct Node {
    std::uint32_t level;
    std::uint32_t group;
  };
  using Stack = std::array<Node, kMaxLevels * kFan>;

  const Group& At(Node node) const { return levels_[node.level][node.group]; }
  std::size_t Item(std::uint32_t group, std::size_t place) const { return order_[group * kFan + place]; }

  std::vector<std::uint32_t> order_;
  std::vector<std::vector<Group>> levels_;  // items first, root last
};

inline unsigned BoxTree::Group::Overlaps(const Box& box) const {
  unsigned hits = 0;
#if defined(__SSE2__)
  // Written by hand, since the compiler makes branches of the loop below.
  const __m128d bx0 = _mm_set1_pd(box.x0), by0 = _mm_set1_pd(box.y0), bx1 = _mm_set1_pd(box.x1),
                by1 = _mm_set1_pd(box.y1);
  for (std::size_t i = 0; i < kFan; i += 2) {
    const __m128d x = _mm_and_pd(_mm_cmple_pd(_mm_load_pd(x0 + i), bx1), _mm_cmpge_pd(_mm_load_pd(x1 + i), bx0));
    const __m128d y = _mm_and_pd(_mm_cmple_pd(_mm_load_pd(y0 + i), by1), _mm_cmpge_pd(_mm_load_pd(y1 + i), by0));
    hits |= static_cast<unsigned>(_mm_movemask_pd(_mm_and_pd(x, y))) << i;
  }
#else
  for (std::size_t i = 0; i < kFan; ++i) {
    const bool hit = (x0[i] <= box.x1) & (x1[i] >= box.x0) & (y0[i] <= box.y1) & (y1[i] >= box.y0);
    hits |= static_cast<unsigned>(hit) << i;
  }
#endif
  return hits;
}

inline unsigned BoxTree::Group::Near(Point p, double limit, double* squares) const {
  unsigned hits = 0;
#if defined(__SSE2__)
  const __m128d px = _mm_set1_pd(p.x), py = _mm_set1_pd(p.y), most = _mm_set1_pd(limit), zero = _mm_setzero_pd();
  for (std::size_t i = 0; i < kFan; i += 2) {
    const __m128d x = _mm_max_pd(_mm_sub_pd(_mm_load_pd(x0 + i), px), _mm_sub_pd(px, _mm_load_pd(x1 + i)));
    const __m128d y = _mm_max_pd(_mm_sub_pd(_mm_load_pd(y0 + i), py), _mm_sub_pd(py, _mm_load_pd(y1 + i)));
    const __m128d dx = _mm_max_pd(x, zero), dy = _mm_max_pd(y, zero);
    const __m128d square = _mm_add_pd(_mm_mul_pd(dx, dx), _mm_mul_pd(dy, dy));
    _mm_store_pd(squares + i, square);
    hits |= static_cast<unsigned>(_mm_movemask_pd(_mm_cmple_pd(square, most))) << i;
  }
#else
  for (std::size_t i = 0; i < kFan; ++i) {
    const double dx = std::max(std::max(x0[i] - p.x, p.x - x1[i]), 0.0);
    const double dy = std::max(std::max(y0[i] - p.y, p.y - y1[i]), 0.0);
    squares[i] = dx * dx + dy * dy;
    hits |= static_cast<unsigned>(squares[i] <= limit) << i;
  }
#endif
  return hits;
}

template <typename Visit>
void BoxTree::Overlapping(const Box& box, Visit&& visit) const {
  if (order_.empty()) return;
  Stack stack;
  std::size_t depth = 0;
  stack[depth++] = {static_cast<std::uint32_t>(levels_.size() - 1), 0};
  while (depth > 0) {
    const Node node = stack[--depth];
    for (unsigned hits = At(node).Overlaps(box); hits != 0; hits &= hits - 1) {
      const auto place = static_cast<std::uint32_t>(__builtin_ctz(hits));
      if (node.level == 0) {
        visit(Item(node.group, place));
      } else {
        stack[depth++] = {node.level - 1, static_cast<std::uint32_t>(node.group * kFan + place)};
      }
    }
  }
}

template <typename Limit, typename Visit>
void BoxTree::Near(Point p, Limit&& limit, Visit&& visit) const {
  if (order_.empty()) return;
  Stack stack;
  std::array<double, kMaxLevels * kFan> square_of;
  std::size_t depth = 0;
  stack[depth] = {static_cast<std::uint32_t>(levels_.size() - 1), 0};
  square_of[depth++] = 0.0;
  while (depth > 0) {
    --depth;
    if (square_of[depth] > limit()) continue;
    const Node node = stack[depth];
    alignas(16) double squares[kFan];
    unsigned hits = At(node).Near(p, limit(), squares);
    if (node.level == 0) {
      for (; hits != 0; hits &= hits - 1) {
        const auto place = static_cast<std::size_t>(__builtin_ctz(hits));
        if (squares[place] <= limit()) visit(Item(node.group, place), squares[place]);
      }
      continue;
    }
    // Pushes the furthest first, so that the nearest comes off the stack first.
    const std::size_t bottom = depth;
    for (; hits != 0; hits &= hits - 1) {
      const auto place = static_cast<std::uint32_t>(__builtin_ctz(hits));
      std::size_t at = depth++;
      for (; at > bottom && square_of[at - 1] < squares[place]; --at) {
        stack[at] = stack[at - 1];
        square_of[at] = square_of[at - 1];
      }
      stack[at] = {node.level - 1, static_cast<std::uint32_t>(node.group * kFan + place)};
      square_of[at] = squares[place];
    }
  }
}

}  // namespace openmi
