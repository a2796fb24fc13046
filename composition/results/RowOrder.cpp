#include "composition/results/RowOrder.hpp"

#include <algorithm>
#include <numeric>

#include "timespace/Stamp.hpp"

namespace openmi {

void OrderRows(ResultRows& rows) {
  const std::size_t count = rows.ends.size();
  std::size_t good = 1;
  while (good < count && Before({rows.ends[good - 1]}, {rows.ends[good]})) ++good;
  if (good >= count) return;

  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&rows](std::size_t a, std::size_t b) { return rows.ends[a] < rows.ends[b]; });
  ResultRows ordered{.series = rows.series};
  for (std::size_t i = 0; i < count;) {
    // Rows at the same time, within the tolerance, are adjacent: the one that was written last counts.
    std::size_t kept = order[i];
    std::size_t next = i + 1;
    for (; next < count && !Before({rows.ends[order[i]]}, {rows.ends[order[next]]}); ++next) {
      kept = std::max(kept, order[next]);
    }
    i = next;
    ordered.begins.push_back(rows.begins[kept]);
    ordered.ends.push_back(rows.ends[kept]);
    const auto values = rows.Row(kept);
    ordered.values.insert(ordered.values.end(), values.begin(), values.end());
  }
  rows = std::move(ordered);
}

}  // namespace openmi
