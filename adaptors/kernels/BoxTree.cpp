#include "adaptors/kernels/BoxTree.hpp"

#include <cmath>
#include <numeric>

namespace openmi {
namespace {

/// Inserts a 0 before each of the lower 32 bits.
std::uint64_t Spread(std::uint64_t v) {
  v = (v | (v << 16)) & 0x0000ffff0000ffffULL;
  v = (v | (v << 8)) & 0x00ff00ff00ff00ffULL;
  v = (v | (v << 4)) & 0x0f0f0f0f0f0f0f0fULL;
  v = (v | (v << 2)) & 0x3333333333333333ULL;
  v = (v | (v << 1)) & 0x5555555555555555ULL;
  return v;
}

struct Keyed {
  std::uint64_t key;
  std::uint32_t item;
};

void RadixSort(std::vector<Keyed>& items, int key_bits) {
  constexpr int kBits = 11;
  constexpr std::size_t kDigits = std::size_t{1} << kBits;
  std::vector<Keyed> other(items.size());
  for (int shift = 0; shift < key_bits; shift += kBits) {
    std::vector<std::size_t> places(kDigits, 0);
    for (const Keyed& item : items) ++places[(item.key >> shift) & (kDigits - 1)];
    if (std::find(places.begin(), places.end(), items.size()) != places.end()) continue;
    std::exclusive_scan(places.begin(), places.end(), places.begin(), std::size_t{0});
    for (const Keyed& item : items) other[places[(item.key >> shift) & (kDigits - 1)]++] = item;
    items.swap(other);
  }
}

}  // namespace

std::vector<std::uint32_t> CurveOrder(std::span<const Point> centres, int bits) {
  Box all;
  for (Point p : centres) all.Add(p);
  const double extent = std::max(all.Width(), all.Height());
  const double most = std::ldexp(1.0, bits) - 1.0;
  const double scale = extent > 0.0 ? most / extent : 0.0;
  std::vector<Keyed> items(centres.size());
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const auto column = static_cast<std::uint64_t>(std::min((centres[i].x - all.x0) * scale, most));
    const auto row = static_cast<std::uint64_t>(std::min((centres[i].y - all.y0) * scale, most));
    items[i] = {Spread(column) | (Spread(row) << 1), static_cast<std::uint32_t>(i)};
  }
  RadixSort(items, 2 * bits);
  std::vector<std::uint32_t> order(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) order[i] = items[i].item;
  return order;
}

BoxTree::BoxTree(std::span<const Box> boxes) {
  if (boxes.empty()) return;
  {
    std::vector<Point> centres(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      // Halved first: the sum of two large coordinates could overflow.
      centres[i] = {0.5 * boxes[i].x0 + 0.5 * boxes[i].x1, 0.5 * boxes[i].y0 + 0.5 * boxes[i].y1};
    }
    order_ = CurveOrder(centres);
  }
  const auto pack = [](std::size_t count, auto&& box_of) {
    std::vector<Group> groups((count + kFan - 1) / kFan);
    for (std::size_t i = 0; i < groups.size() * kFan; ++i) {
      const Box box = i < count ? box_of(i) : Box{};
      Group& group = groups[i / kFan];
      group.x0[i % kFan] = box.x0;
      group.y0[i % kFan] = box.y0;
      group.x1[i % kFan] = box.x1;
      group.y1[i % kFan] = box.y1;
    }
    return groups;
  };
  levels_.push_back(pack(boxes.size(), [&](std::size_t i) { return boxes[order_[i]]; }));
  while (levels_.back().size() > 1) {
    const std::vector<Group>& below = levels_.back();
    levels_.push_back(pack(below.size(), [&](std::size_t i) {
      Box box;
      for (std::size_t j = 0; j < kFan; ++j)
        box.Add(Box{below[i].x0[j], below[i].y0[j], below[i].x1[j], below[i].y1[j]});
      return box;
    }));
  }
}

}  // namespace openmi
