// Applying weights to 10^6 targets against the triad a[i] = b[i] + s c[i] over 2 10^7 doubles in the same run. Counted
// are 12 bytes a weight, 4 a row, and both vectors once; 24 for each element of the triad. The two alternate; the
// median of the paired ratios counts. Arguments: none, both cases; else aligned or rotated.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "adaptors/kernels/SparseRows.hpp"
#include "bench/spatial/Meshes.hpp"
#include "bench/support/Report.hpp"

namespace {

constexpr std::size_t kSide = 1000;
constexpr std::size_t kCells = kSide * kSide;
constexpr int kRounds = 61;

/// Four sources for each of kSide x kSide targets: the corners of the cell that the target lies in. Turned by 30
/// degrees, or half a cell to the side; both as bilinear interpolation has it.
openmi::SparseRows Weights(bool turned) {
  openmi::SparseRows rows(kCells);
  rows.Reserve(kCells, 4 * kCells);
  const auto side = static_cast<double>(kSide);
  for (std::size_t j = 0; j < kSide; ++j) {
    for (std::size_t i = 0; i < kSide; ++i) {
      const openmi::Point p =
          bench::Place((static_cast<double>(i) + 0.5) / side, (static_cast<double>(j) + 0.5) / side, turned);
      const double u = std::clamp(p.x * side, 0.0, side - 1.001), v = std::clamp(p.y * side, 0.0, side - 1.001);
      const auto column = static_cast<std::uint32_t>(u), row = static_cast<std::uint32_t>(v);
      const double a = u - column, b = v - row;
      const std::uint32_t first = row * static_cast<std::uint32_t>(kSide) + column;
      rows.Add(first, (1 - a) * (1 - b));
      rows.Add(first + 1, a * (1 - b));
      rows.Add(first + kSide, (1 - a) * b);
      rows.Add(first + kSide + 1, a * b);
      rows.EndRow();
    }
  }
  return rows;
}

/// The triad, over arrays that no cache keeps.
class Triad {
 public:
  /// \returns bytes a second that it moves
  double Rate() {
    const double seconds = bench::WallSeconds([&] {
      double* __restrict__ to = a_.data();
      const double* __restrict__ x = b_.data();
      const double* __restrict__ y = c_.data();
      for (std::size_t i = 0; i < kElements; ++i) to[i] = x[i] + 0.5 * y[i];
    });
    b_[0] = a_[kElements / 2];
    return 24.0 * static_cast<double>(kElements) / seconds;
  }

 private:
  static constexpr std::size_t kElements = 20'000'000;
  std::vector<double> a_ = std::vector<double>(kElements, 1.0);
  std::vector<double> b_ = std::vector<double>(kElements, 2.0);
  std::vector<double> c_ = std::vector<double>(kElements, 3.0);
};

void Measure(bench::Report& report, const char* name, bool turned, double bound, Triad& triad) {
  if (!report.Wants(name)) return;
  const openmi::SparseRows rows = Weights(turned);
  std::vector<double> source(kCells);
  for (std::size_t i = 0; i < kCells; ++i) source[i] = std::sin(0.001 * static_cast<double>(i));
  std::vector<double> target(kCells, 0.0);
  const double bytes = 12.0 * static_cast<double>(rows.WeightCount()) + 4.0 * static_cast<double>(rows.Rows()) +
                       8.0 * static_cast<double>(rows.Rows() + rows.Columns());
  const auto ours = [&] { return 1e-9 * bytes / bench::WallSeconds([&] { rows.Apply(source, target); }); };
  report.Line(name, bench::InTurn(kRounds, ours, [&] { return 1e-9 * triad.Rate(); }), "GB/s", "triad",
              bench::Bound::AtLeast(bound));
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("spatial-apply", count, words, [](bench::Report& report) {
    Triad triad;
    Measure(report, "aligned", false, 0.70, triad);
    Measure(report, "rotated", true, 0.45, triad);
  });
}
