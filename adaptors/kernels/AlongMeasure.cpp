#include "adaptors/kernels/AlongMeasure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

double Middle(const Stretch& stretch) {
  return 0.5 * (stretch.begin + stretch.end);
}
double Low(const Stretch& stretch) {
  return std::min(stretch.begin, stretch.end);
}
double High(const Stretch& stretch) {
  return std::max(stretch.begin, stretch.end);
}

void RequireFiniteStretches(std::span<const Stretch> stretches, const char* side) {
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (std::isfinite(stretches[i].begin) && std::isfinite(stretches[i].end)) continue;
    throw RangeError({},
                     fmt::format("{} {}: expected M from one number to another, found {} to {}", side, i,
                                 stretches[i].begin, stretches[i].end),
                     "correct the element set");
  }
}

}  // namespace

SparseRows InterpolateAlong(std::span<const Stretch> sources, std::span<const Stretch> targets) {
  RequireFiniteStretches(sources, "source");
  RequireFiniteStretches(targets, "target");
  std::vector<std::uint32_t> order(sources.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return Middle(sources[a]) < Middle(sources[b]); });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (Middle(sources[order[i]]) > Middle(sources[order[i - 1]])) continue;
    throw RangeError({},
                     fmt::format("expected each source at another M, found sources {} and {} both about {}",
                                 order[i - 1], order[i], Middle(sources[order[i]])),
                     "map each branch by itself, or use nearest");
  }
  SparseRows rows(sources.size());
  for (const Stretch& target : targets) {
    const double at = Middle(target);
    const auto above = std::ranges::lower_bound(order, at, {}, [&](std::uint32_t s) { return Middle(sources[s]); });
    if (above != order.end() && Middle(sources[*above]) == at) {
      rows.Add(*above, 1.0);
    } else if (above == order.begin() || above == order.end()) {
      if (!order.empty()) {
        const std::uint32_t last = above == order.begin() ? order.front() : order.back();
        if (Low(sources[last]) <= at && at <= High(sources[last])) rows.Add(last, 1.0);
      }
    } else {
      const std::uint32_t low = *(above - 1);
      const double part = (at - Middle(sources[low])) / (Middle(sources[*above]) - Middle(sources[low]));
      rows.Add(low, 1.0 - part);
      rows.Add(*above, part);
    }
    rows.EndRow();
  }
  return rows;
}

SparseRows MeanAlong(std::span<const Stretch> sources, std::span<const Stretch> targets) {
  RequireFiniteStretches(sources, "source");
  RequireFiniteStretches(targets, "target");
  // Sorted by their lower ends, with the highest end so far, so that a target visits only sources that can reach it.
  std::vector<std::uint32_t> order(sources.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return Low(sources[a]) < Low(sources[b]); });
  std::vector<double> reached(sources.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    reached[i] = std::max(High(sources[order[i]]), i > 0 ? reached[i - 1] : High(sources[order[i]]));
  }
  SparseRows rows(sources.size());
  std::vector<SparseRows::Entry> row;
  for (const Stretch& target : targets) {
    row.clear();
    double sum = 0.0;
    const auto first = static_cast<std::size_t>(std::ranges::lower_bound(reached, Low(target)) - reached.begin());
    for (std::size_t i = first; i < order.size() && Low(sources[order[i]]) <= High(target); ++i) {
      const Stretch& source = sources[order[i]];
      double common = std::min(High(source), High(target)) - std::max(Low(source), Low(target));
      if (common == 0.0 && Low(target) == High(target)) common = 1.0;  // a place, not a stretch
      if (!(common > 0.0)) continue;
      row.push_back({order[i], common});
      sum += common;
    }
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    for (SparseRows::Entry& entry : row) entry.weight /= sum;
    rows.AddRow(row);
  }
  return rows;
}

}  // namespace openmi
