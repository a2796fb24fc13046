// Conservative weights between n x n cells and the same turned by 30 degrees: against GEOS on the same polygons, in
// growth, memory and exactness, and on two threads. Arguments: none, all cases; else names of cases.
//
// One thread is measured in processor time; two threads on the wall, against two plain threads of which each does all
// the work of one: what the machine has to give for these loops.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "adaptors/kernels/PolygonWeights.hpp"
#include "bench/spatial/GeosOverlaps.hpp"
#include "bench/spatial/Measure.hpp"
#include "bench/spatial/Meshes.hpp"

namespace {

using bench::CpuSeconds;
using bench::InChild;
using bench::Measured;
using bench::Median;
using bench::WallSeconds;

bool good = true;

const char* Verdict(bool holds) {
  good = good && holds;
  return holds ? "" : "  EXCEEDED";
}

/// With more digits than a double, so that adding a million equal parts does not spoil what is judged.
double Total(const openmi::SparseRows& rows) {
  long double total = 0.0L;
  for (const double area : rows.AllWeights()) total += area;
  return static_cast<double>(total);
}

/// numbers: seconds, total overlap, overlaps.
Measured Ours(std::size_t n, int runs) {
  return InChild([&](auto& numbers) {
    const openmi::Polygons source = bench::Squares(n, false), target = bench::Squares(n, true);
    std::vector<double> seconds;
    for (int run = 0; run < runs; ++run) {
      openmi::PolygonOverlaps overlaps;
      seconds.push_back(CpuSeconds([&] { overlaps = openmi::FindOverlaps(source.View(), target.View(), 1); }));
      numbers = {0.0, Total(overlaps.areas), static_cast<double>(overlaps.areas.WeightCount()), 0.0};
    }
    numbers[0] = Median(seconds);
  });
}

Measured Geos(std::size_t n) {
  return InChild([&](auto& numbers) {
    const openmi::Polygons source = bench::Squares(n, false), target = bench::Squares(n, true);
    bench::GeosOverlaps geos;
    bench::GeosOverlaps::Result result;
    const double seconds = CpuSeconds([&] { result = geos.Find(source.View(), target.View()); });
    numbers = {seconds, result.total, static_cast<double>(result.count), 0.0};
  });
}

void Convex(bool with_peer) {
  std::map<std::size_t, double> seconds;
  for (const std::size_t n : {std::size_t{100}, std::size_t{316}, std::size_t{1000}}) {
    const Measured ours = Ours(n, n == 100 ? 31 : n == 316 ? 9 : 5);
    seconds[n] = ours.numbers[0];
    const double error = std::abs(ours.numbers[1] - bench::CommonArea());
    fmt::print("spatial-weights/total-{0}x{0}: error {1:.1e} of {2:.12f}, limit 1e-12, ratio {3:.2f}, bound 1{4}\n", n,
               error, bench::CommonArea(), error / 1e-12, Verdict(error <= 1e-12));
    if (n == 1000) {
      fmt::print("spatial-weights/memory-{0}x{0}: ours {1:.0f} MB, limit 300 MB, ratio {2:.2f}, bound 1{3}\n", n,
                 ours.peak_megabytes, ours.peak_megabytes / 300.0, Verdict(ours.peak_megabytes <= 300.0));
    }
    std::fflush(stdout);
    if (!with_peer) {
      fmt::print("spatial-weights/convex-{0}x{0}: ours {1:.4f} s, no peer\n", n, ours.numbers[0]);
      continue;
    }
    const Measured geos = Geos(n);
    const double ratio = geos.numbers[0] / ours.numbers[0];
    const bool judged = n == 1000;
    fmt::print(
        "spatial-weights/convex-{0}x{0}: ours {1:.4f} s, GEOS {2:.3f} s, ratio {3:.1f}, bound {4}{5} (overlaps {6:.0f} "
        "and {7:.0f}, GEOS {8:.0f} MB)\n",
        n, ours.numbers[0], geos.numbers[0], ratio, judged ? "at least 100" : "none",
        judged ? Verdict(ratio >= 100.0) : "", ours.numbers[2], geos.numbers[2], geos.peak_megabytes);
    std::fflush(stdout);
  }
  const double exponent = std::log(seconds[1000] / seconds[100]) / std::log(100.0);
  fmt::print("spatial-weights/growth: exponent {:.3f} from 1e4 to 1e6 cells, limit 1.1, ratio {:.2f}, bound 1{}\n",
             exponent, exponent / 1.1, Verdict(exponent <= 1.1));
}

void Concave() {
  for (const std::size_t n : {std::size_t{50}, std::size_t{150}}) {
    const openmi::Polygons source = bench::ConcaveCells(n, false), target = bench::ConcaveCells(n, true);
    std::vector<double> seconds;
    openmi::PolygonOverlaps overlaps;
    for (int run = 0; run < 5; ++run) {
      seconds.push_back(CpuSeconds([&] { overlaps = openmi::FindOverlaps(source.View(), target.View(), 1); }));
    }
    bench::GeosOverlaps geos;
    bench::GeosOverlaps::Result result;
    const double peer = CpuSeconds([&] { result = geos.Find(source.View(), target.View()); });
    const double ratio = peer / Median(seconds);
    const double difference = std::abs(Total(overlaps.areas) - result.total);
    fmt::print("spatial-weights/concave-{0}x{0}: ours {1:.4f} s, GEOS {2:.3f} s, ratio {3:.1f}, bound at least 5{4}\n",
               n, Median(seconds), peer, ratio, Verdict(ratio >= 5.0));
    fmt::print("spatial-weights/concave-total-{0}x{0}: {1:.1e} from GEOS, limit 1e-12, ratio {2:.2f}, bound 1{3}\n", n,
               difference, difference / 1e-12, Verdict(difference <= 1e-12));
    std::fflush(stdout);
  }
}

void Threads() {
  constexpr std::size_t kCells = 1000;
  const openmi::Polygons source = bench::Squares(kCells, false), target = bench::Squares(kCells, true);
  const auto find = [&](unsigned threads) { openmi::FindOverlaps(source.View(), target.View(), threads); };
  find(2);
  // The best of several: whatever else the machine does takes from two threads more than from one.
  double one = 1e9, two = 1e9, apart = 1e9;
  for (int run = 0; run < 11; ++run) {
    one = std::min(one, WallSeconds([&] { find(1); }));
    two = std::min(two, WallSeconds([&] { find(2); }));
    apart = std::min(apart, WallSeconds([&] {
                       const std::jthread other([&] { find(1); });
                       find(1);
                     }));
  }
  const double ours = one / two;
  const double plain = 2.0 * one / apart;
  fmt::print(
      "spatial-weights/two-threads: ours {:.2f} times one, two plain threads {:.2f} times, ratio {:.3f}, bound at "
      "least 0.9{}\n",
      ours, plain, ours / plain, Verdict(ours / plain >= 0.9));
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> cases(arguments + 1, arguments + count);
  if (cases.empty()) cases = {"convex", "concave", "threads"};
  for (const std::string& name : cases) {
    if (name == "convex") {
      Convex(true);
    } else if (name == "convex-alone") {
      Convex(false);
    } else if (name == "concave") {
      Concave();
    } else if (name == "threads") {
      Threads();
    } else {
      fmt::print(stderr, "spatial-weights: expected convex, convex-alone, concave or threads, found '{}'\n", name);
      return 2;
    }
  }
  return good ? 0 : 1;
}
