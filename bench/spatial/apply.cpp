// Applying weights to 10^6 targets against the triad a[i] = b[i] + s c[i] over 2 10^7 doubles in the same run. Counted
// are 12 bytes a weight, 4 a row, and both vectors once; 24 for each element of the triad. Four items on one link go
// through the weights in one pass.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

#include "adaptors/kernels/SparseRows.hpp"
#include "bench/spatial/Measure.hpp"
#include "bench/spatial/Meshes.hpp"

namespace {

using bench::WallSeconds;

constexpr std::size_t kSide = 1000;
constexpr std::size_t kCells = kSide * kSide;
bool good = true;

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

/// Bytes a second that the triad moves, the best of several.
double Triad() {
  constexpr std::size_t kElements = 20'000'000;
  std::vector<double> a(kElements, 1.0), b(kElements, 2.0), c(kElements, 3.0);
  double best = 1e9;
  for (int run = 0; run < 7; ++run) {
    best = std::min(best, WallSeconds([&] {
                      double* __restrict__ to = a.data();
                      const double* __restrict__ x = b.data();
                      const double* __restrict__ y = c.data();
                      for (std::size_t i = 0; i < kElements; ++i) to[i] = x[i] + 0.5 * y[i];
                    }));
    b[static_cast<std::size_t>(run)] = a[kElements / 2];
  }
  return 24.0 * static_cast<double>(kElements) / best;
}

void Measure(const char* name, bool turned, double bound, bool judge_four) {
  const openmi::SparseRows rows = Weights(turned);
  std::array<std::vector<double>, 4> sources, targets;
  for (std::size_t item = 0; item < 4; ++item) {
    sources[item].resize(kCells);
    for (std::size_t i = 0; i < kCells; ++i) sources[item][i] = std::sin(0.001 * static_cast<double>(i + item));
    targets[item].assign(kCells, 0.0);
  }
  const std::array<std::span<const double>, 4> in{sources[0], sources[1], sources[2], sources[3]};
  const std::array<std::span<double>, 4> out{targets[0], targets[1], targets[2], targets[3]};
  double triad = 0.0, one = 1e9, apart = 1e9, together = 1e9;
  for (int round = 0; round < 5; ++round) {
    triad = std::max(triad, Triad());
    for (int run = 0; run < 12; ++run) {
      one = std::min(one, WallSeconds([&] { rows.Apply(in[0], out[0]); }));
      apart = std::min(apart, WallSeconds([&] {
                         for (std::size_t item = 0; item < 4; ++item) rows.Apply(in[item], out[item]);
                       }));
      together = std::min(together, WallSeconds([&] { rows.ApplyTogether(in, out); }));
    }
  }
  const double bytes = 12.0 * static_cast<double>(rows.WeightCount()) + 4.0 * static_cast<double>(rows.Rows()) +
                       8.0 * static_cast<double>(rows.Rows() + rows.Columns());
  const double share = bytes / one / triad;
  good = good && share >= bound;
  fmt::print(
      "spatial-apply/{}: ours {:.2f} ms ({:.1f} GB/s), triad {:.1f} GB/s, ratio {:.2f}, bound at least {:.2f}{}\n",
      name, 1e3 * one, 1e-9 * bytes / one, 1e-9 * triad, share, bound, share >= bound ? "" : "  EXCEEDED");
  const double gain = apart / together;
  const bool holds = !judge_four || gain >= 2.0;
  good = good && holds;
  fmt::print("spatial-apply/four-items-{}: ours {:.2f} ms an item, one by one {:.2f} ms, ratio {:.2f}, bound {}{}\n",
             name, 250.0 * together, 250.0 * apart, gain, judge_four ? "at least 2" : "none",
             holds ? "" : "  EXCEEDED");
  std::fflush(stdout);
}

}  // namespace

int main() {
  Measure("aligned", false, 0.70, true);
  Measure("rotated", true, 0.45, true);
  return good ? 0 : 1;
}
