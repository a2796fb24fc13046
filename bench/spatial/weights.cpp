// Conservative weights between n x n cells and the same turned by 30 degrees: against GEOS on the same polygons, in
// growth, memory and exactness, and on two threads. Arguments: none, all cases; else some of convex, convex-alone
// (without GEOS, which takes minutes), growth, concave and threads.
//
// One thread is measured in processor time; two threads in elapsed time, against the same loops divided between two
// plain threads: what the machine has to give for them. Both sides of a line have the same rounds and alternate; the
// median of the paired ratios counts.

#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <string>
#include <thread>

#include "adaptors/kernels/PolygonWeights.hpp"
#include "bench/spatial/GeosOverlaps.hpp"
#include "bench/spatial/Meshes.hpp"
#include "bench/support/Report.hpp"

namespace {

/// With more digits than a double, so that adding a million equal parts does not spoil what is judged.
double Total(const openmi::SparseRows& rows) {
  long double total = 0.0L;
  for (const double area : rows.AllWeights()) total += area;
  return static_cast<double>(total);
}

/// One search in a process of its own. numbers: seconds, total overlap, overlaps.
bench::Measured Ours(std::size_t n) {
  return bench::InChild([&](auto& numbers) {
    const openmi::Polygons source = bench::Squares(n, false), target = bench::Squares(n, true);
    openmi::PolygonOverlaps overlaps;
    const double seconds = bench::CpuSeconds([&] { overlaps = openmi::FindOverlaps(source.View(), target.View(), 1); });
    numbers = {seconds, Total(overlaps.areas), static_cast<double>(overlaps.areas.WeightCount()), 0.0};
  });
}

/// The same by GEOS.
bench::Measured Geos(std::size_t n) {
  return bench::InChild([&](auto& numbers) {
    const openmi::Polygons source = bench::Squares(n, false), target = bench::Squares(n, true);
    bench::GeosOverlaps geos;
    bench::GeosOverlaps::Result result;
    const double seconds = bench::CpuSeconds([&] { result = geos.Find(source.View(), target.View()); });
    numbers = {seconds, result.total, static_cast<double>(result.count), 0.0};
  });
}

std::string InSeconds(const bench::Pairs& seconds) {
  return fmt::format("{:.4g} s and {:.4g} s", seconds.Ours(), seconds.Limit());
}

void Convex(bench::Report& report, bool with_peer) {
  for (const std::size_t n : {std::size_t{100}, std::size_t{316}, std::size_t{1000}}) {
    const int rounds = n == 100 ? 31 : n == 316 ? 9 : 5;
    bench::Measured ours, geos;
    double most_megabytes = 0.0;
    const auto by_us = [&] {
      ours = Ours(n);
      most_megabytes = std::max(most_megabytes, ours.peak_megabytes);
      return ours.numbers[0];
    };
    const auto by_geos = [&] { return with_peer ? (geos = Geos(n)).numbers[0] : 1.0; };
    const bench::Pairs seconds = bench::InTurn(rounds, by_us, by_geos, 0);
    const std::string size = fmt::format("{0}x{0}", n);
    report.Line("total-" + size, std::abs(ours.numbers[1] - bench::CommonArea()), "error", "limit", 1e-12,
                bench::Bound::AtMost(1.0));
    if (n == 1000) report.Line("memory-" + size, most_megabytes, "MB", "limit", 300.0, bench::Bound::AtMost(1.0));
    if (!with_peer) continue;
    report.Line("convex-" + size, seconds.Rates(), "a second", "GEOS",
                n == 1000 ? bench::Bound::AtLeast(100.0) : bench::Bound{},
                fmt::format("{}; {:.0f} and {:.0f} overlaps; GEOS {:.0f} MB", InSeconds(seconds), ours.numbers[2],
                            geos.numbers[2], geos.peak_megabytes));
  }
}

/// From 1e4 to 1e6 cells the time may grow with the power 1.1 of their number, measured in the same rounds.
void Growth(bench::Report& report) {
  const bench::Pairs seconds = bench::InTurn(
      7, [] { return Ours(1000).numbers[0]; }, [] { return Ours(100).numbers[0]; }, 0);
  report.Line("growth-from-1e4-to-1e6-cells", std::log(seconds.Ratio()) / std::log(100.0), "as exponent", "limit", 1.1,
              bench::Bound::AtMost(1.0), InSeconds(seconds));
}

void Concave(bench::Report& report) {
  for (const std::size_t n : {std::size_t{50}, std::size_t{150}}) {
    const openmi::Polygons source = bench::ConcaveCells(n, false), target = bench::ConcaveCells(n, true);
    openmi::PolygonOverlaps overlaps;
    bench::GeosOverlaps geos;
    bench::GeosOverlaps::Result result;
    const bench::Pairs seconds = bench::InTurn(
        5, [&] { return bench::CpuSeconds([&] { overlaps = openmi::FindOverlaps(source.View(), target.View(), 1); }); },
        [&] { return bench::CpuSeconds([&] { result = geos.Find(source.View(), target.View()); }); }, 0);
    const std::string size = fmt::format("{0}x{0}", n);
    report.Line("concave-" + size, seconds.Rates(), "a second", "GEOS", bench::Bound::AtLeast(5.0), InSeconds(seconds));
    report.Line("concave-total-" + size, std::abs(Total(overlaps.areas) - result.total), "from GEOS", "limit", 1e-12,
                bench::Bound::AtMost(1.0));
  }
}

/// The speed-up of two threads against that of the same search cut into two halves of the targets, which share nothing:
/// one after the other on one thread, and each on a thread of its own that was made beforehand.
void Threads(bench::Report& report) {
  constexpr std::size_t kCells = 1000;
  const openmi::Polygons source = bench::Squares(kCells, false), target = bench::Squares(kCells, true);
  const openmi::Polygons halves[] = {bench::Squares(kCells, true, 0, kCells / 2),
                                     bench::Squares(kCells, true, kCells / 2, kCells)};
  const auto find = [&](unsigned threads) {
    return bench::WallSeconds([&] { openmi::FindOverlaps(source.View(), target.View(), threads); });
  };
  const auto find_half = [&](std::size_t half) { openmi::FindOverlaps(source.View(), halves[half].View(), 1); };
  std::barrier meeting(2);
  bool is_over = false;
  std::thread other([&] {
    while (true) {
      meeting.arrive_and_wait();
      if (is_over) return;
      find_half(1);
      meeting.arrive_and_wait();
    }
  });
  const auto ours = [&] { return find(1) / find(2); };
  const auto plain = [&] {
    const double one = bench::WallSeconds([&] {
      find_half(0);
      find_half(1);
    });
    return one / bench::WallSeconds([&] {
             meeting.arrive_and_wait();
             find_half(0);
             meeting.arrive_and_wait();
           });
  };
  const bench::Pairs speed_ups = bench::InTurn(11, ours, plain);
  is_over = true;
  meeting.arrive_and_wait();
  other.join();
  report.Line("two-threads", speed_ups, "times one", "plain threads", bench::Bound::AtLeast(0.9));
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("spatial-weights", count, words, [](bench::Report& report) {
    const bool is_alone = !report.Words().empty() && report.Wants("convex-alone");
    if (report.Wants("convex") || is_alone) Convex(report, !is_alone);
    if (report.Wants("growth")) Growth(report);
    if (report.Wants("concave")) Concave(report);
    if (report.Wants("threads")) Threads(report);
  });
}
