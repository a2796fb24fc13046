// What the interface for components in C costs: a component that mixes one value, in C and in C++, in compositions that
// are alike, stepped in turn in one run. And where rows of a million values lie: at one address for the engine and for
// C, in both directions.

#include <fmt/format.h>

#include <string>

#include "bench/support/Languages.hpp"
#include "bench/support/MallocCount.hpp"

namespace {

constexpr double kMostOver = 100.0;  // nanoseconds a step

const std::string kLibrary = std::string(OPENMI_BINARY_DIR) + "/lib/openmi2/libbench_c_components.so";

std::string InC(const std::string& arguments = {}) {
  return fmt::format(R"(Type="Mixer" Assembly="{}">{})", kLibrary, arguments);
}

void MeasureSteps(bench::Report& report) {
  if (!report.Wants("step")) return;
  constexpr std::size_t kSteps = 20'000;
  const std::string in_cpp = R"(Type="bench.Mixer" Assembly="here">)";
  bench::ReadyRun ours(bench::CompositionOf(bench::Pair(InC(), InC())));
  bench::ReadyRun peer(bench::CompositionOf(bench::Pair(in_cpp, in_cpp)));
  std::uint64_t mallocs = 0;
  // Two components a step.
  const auto nanoseconds = [](bench::ReadyRun& run) {
    return bench::CpuSeconds([&] { run.Steps(kSteps); }) * 1e9 / (2.0 * kSteps);
  };
  const bench::Pairs pairs = bench::InTurn(
      31,
      [&] {
        const std::uint64_t before = bench::MallocCount();
        const double time = nanoseconds(ours);
        mallocs = bench::MallocCount() - before;
        return time;
      },
      [&] { return nanoseconds(peer); });
  report.Line("step", pairs, "ns", "C++", bench::Bound::AtMostOver(kMostOver), "one value in, one out");
  report.Count("allocations", static_cast<double>(mallocs), fmt::format("in {} steps", kSteps));
}

void CompareLongRows(bench::Report& report) {
  if (!report.Wants("rows")) return;
  const std::string count = fmt::format(R"(<Argument Key="count" Value="{}"/>)", bench::kLong);
  const std::string shows = count + R"(<Argument Key="shows" Value="true"/>)";
  bench::CompareAddresses(report, {"rows-to-c", InC(count), false}, "C");
  bench::CompareAddresses(report, {"rows-written-by-c", InC(count), true}, "C");
  bench::CompareAddresses(report, {"rows-shown-by-c", InC(shows), true}, "C");
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("c-interface", count, words, [](bench::Report& report) {
    MeasureSteps(report);
    CompareLongRows(report);
  });
}
