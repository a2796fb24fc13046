// Sixty-four independent components that each compute for about a millisecond a step, updated by one thread and by two;
// beside them the same loops on one and on two plain threads, in the same run.
//
// Work is a count of operations, found once at the start so that it takes about a millisecond here; never a spin until
// a time. The bound: at least 0.95 of the speed-up that the plain threads reach. Rounds alternate, and the median
// counts.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "composition/run/Composition.hpp"
#include "composition/run/RunLoop.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kComponents = 64;
constexpr int kSteps = 4;  // of a round
constexpr int kRounds = 15;
constexpr double kBound = 0.95;

std::uint64_t operations = 1'000'000;  // of one update

/// A chain of dependent operations: as long as its count says.
double Work(double x) {
  for (std::uint64_t i = 0; i < operations; ++i) x = x * 0.999999 + 1e-6;
  return x;
}

class Worker final : public openmi::SteppingComponent {
 public:
  Worker() : SteppingComponent("worker", "PT1S") { out_ = AddOutput("out", "1"); }

 private:
  void Start(openmi::Stamp) override { out_.Set(x_ = 0.5); }
  void Step(openmi::Stamp, openmi::Stamp) override { out_.Set(x_ = Work(x_)); }
  openmi::ScalarOutput out_;
  double x_ = 0.5;
};

double SecondsOf(const auto& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double MedianOf(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// A composition of workers, prepared, with its loop.
struct Run {
  std::unique_ptr<openmi::Composition> composition;
  std::unique_ptr<openmi::RunLoop> loop;
};

Run MakeRun(std::size_t threads) {
  std::string text = "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"parallel\">\n";
  for (std::size_t i = 0; i < kComponents; ++i) {
    text += fmt::format("<Component Id=\"w{}\" Type=\"bench.Worker\" Assembly=\"here\"/>\n", i);
  }
  text += "<Run From=\"2015-12-01T00:00Z\" To=\"2016-12-01T00:00Z\"/></Composition>\n";
  openmi::Problems problems;
  openmi::CompositionFile file = openmi::ReadCompositionText(text, "parallel.xml", problems);
  for (openmi::ComponentSpec& component : file.components) component.assembly.clear();  // a type of this program
  Run run;
  run.composition = std::make_unique<openmi::Composition>(std::move(file));
  run.composition->Load(problems);
  run.composition->Connect(problems);
  run.composition->Validate(problems);
  for (const openmi::Problem& found : problems) {
    if (found.severity == openmi::Problem::Error) throw std::runtime_error(openmi::FormatProblem(found));
  }
  run.composition->Prepare();
  run.loop = std::make_unique<openmi::RunLoop>(*run.composition, openmi::RunMode::Pull, threads);
  return run;
}

/// \returns seconds of one step of all components
double StepRun(Run& run) {
  return SecondsOf([&] {
           for (int step = 0; step < kSteps; ++step) run.loop->Advance();
         }) /
         kSteps;
}

/// The same loops on plain threads, an equal share each.
double StepPlain(std::size_t threads) {
  return SecondsOf([&] {
           for (int step = 0; step < kSteps; ++step) {
             std::vector<double> sums(kComponents, 0.5);
             const auto share = [&](std::size_t thread) {
               for (std::size_t i = thread; i < kComponents; i += threads) sums[i] = Work(sums[i]);
             };
             std::vector<std::thread> others;
             for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(share, thread);
             share(0);
             for (std::thread& other : others) other.join();
           }
         }) /
         kSteps;
}

bool Measure() {
  operations = 100'000;
  std::vector<double> tries;
  for (int i = 0; i < 9; ++i) {
    volatile double kept = 0.0;
    tries.push_back(SecondsOf([&kept] { kept = Work(0.5); }));
  }
  operations = static_cast<std::uint64_t>(1e-3 / *std::ranges::min_element(tries) * 100'000.0);

  Run one = MakeRun(1);
  Run two = MakeRun(2);
  StepRun(one);
  StepRun(two);
  std::vector<double> ours, plain, ratios;
  for (int round = 0; round < kRounds; ++round) {
    const double plain_one = StepPlain(1);
    const double ours_one = StepRun(one);
    const double plain_two = StepPlain(2);
    const double ours_two = StepRun(two);
    ours.push_back(ours_one / ours_two);
    plain.push_back(plain_one / plain_two);
    ratios.push_back(ours.back() / plain.back());
  }
  const double ratio = MedianOf(ratios);
  fmt::print("parallel/64-components-2-threads: {:.3f} times, {:.3f} times, {:.3f}, {:g} (at least)\n", MedianOf(ours),
             MedianOf(plain), ratio, kBound);
  return ratio >= kBound;
}

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("bench.Worker", Worker)

int main() {
  try {
    return Measure() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "parallel: {}\n", error.what());
    return 1;
  }
}
