#include "composition/report/SvgDecimate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace openmi {
namespace {

/// The points that represent one pixel column.
class Column {
 public:
  void Add(std::size_t index, double value) {
    if (!std::isfinite(value)) {
      gap_ = gap_ == kNone ? index : gap_;
      return;
    }
    if (first_ == kNone) {
      first_ = smallest_ = largest_ = index;
      low_ = high_ = value;
    }
    last_ = index;
    if (value < low_) {
      low_ = value;
      smallest_ = index;
    }
    if (value > high_) {
      high_ = value;
      largest_ = index;
    }
  }

  void Flush(std::vector<std::size_t>& indices) {
    std::size_t kept[] = {first_, smallest_, largest_, last_, gap_};
    std::sort(std::begin(kept), std::end(kept));
    for (const std::size_t index : kept) {
      if (index != kNone && (indices.empty() || indices.back() != index)) {
        indices.push_back(index);
      }
    }
    *this = {};
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t first_ = kNone;
  std::size_t smallest_ = kNone;
  std::size_t largest_ = kNone;
  std::size_t last_ = kNone;
  std::size_t gap_ = kNone;
  double low_ = 0.0;
  double high_ = 0.0;
};

}  // namespace

std::vector<std::size_t> DecimateIndices(std::span<const double> times, std::span<const double> values, double from,
                                         double to, std::size_t columns) {
  const std::size_t count = std::min(times.size(), values.size());
  if (count <= 4 * columns) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  std::vector<std::size_t> indices;
  indices.reserve(5 * columns);
  Column column;
  double current = -1.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double place = std::floor((times[i] - from) / (to - from) * static_cast<double>(columns));
    if (place != current) {
      column.Flush(indices);
      current = place;
    }
    column.Add(i, values[i]);
  }
  column.Flush(indices);
  return indices;
}

}  // namespace openmi
