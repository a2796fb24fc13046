// How compositions of 10 to 10 000 components, and populations of 10 to 1 000 000, grow: reading and loading, linking
// and validating, a step, for a chain, a tree and a comb of plug-ins with an OMI file each. And chains of 10 000 pulls
// on small stacks.
//
// A round runs one composition of each size from its files to its end; nothing is put together from different runs.
// From size to size, each ten times the one before, a part may take n log n more: judged is the median of the ratios of
// the rounds. Steps are compared warm and cold: some 10 kB a component no longer fit the caches at 10 000, which a warm
// step of a small composition does not feel. Arguments: none, all; else some of chain, tree, comb, population and pull.

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/scale/Shapes.hpp"
#include "bench/support/Report.hpp"
#include "composition/check/CheckComposition.hpp"
#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/RunLoop.hpp"
#include "timespace/items/NumericOutput.hpp"

namespace {

constexpr double kLoadLimit = 2.0;  // seconds for 10 000 components, read, loaded, linked and validated
constexpr std::array<std::size_t, 4> kSizes{10, 100, 1'000, 10'000};
constexpr std::size_t kMost = kSizes.back();
constexpr int kRounds = 7;

struct Timing {
  double load = 0.0;
  double validate = 0.0;  ///< linking included
  double step = 0.0;      ///< caches warm from the step before, as far as the composition fits
  double cold = 0.0;      ///< a step that finds nothing in the caches
  double finish = 0.0;
};

/// Fills the caches with something else.
void EmptyCaches() {
  static std::vector<std::uint64_t> memory((64U << 20) / sizeof(std::uint64_t));
  for (std::size_t i = 0; i < memory.size(); i += 8) ++memory[i];
}

std::filesystem::path Folder() {
  return std::filesystem::temp_directory_path() / fmt::format("openmi-bench-scale-{}", ::getpid());
}

/// \throws std::runtime_error  the composition has errors
std::unique_ptr<openmi::Composition> Loaded(const std::filesystem::path& path, Timing& timing) {
  openmi::Problems problems;
  std::unique_ptr<openmi::Composition> composition;
  timing.load = bench::CpuSeconds([&] {
    composition = std::make_unique<openmi::Composition>(openmi::ReadCompositionFile(path, problems));
    composition->Load(problems);
  });
  timing.validate = bench::CpuSeconds([&] {
    composition->Connect(problems);
    openmi::CheckComposition(*composition, problems);
  });
  for (const openmi::Problem& problem : problems) {
    if (problem.severity == openmi::Problem::Error) throw std::runtime_error(openmi::FormatProblem(problem));
  }
  return composition;
}

/// One run of a composition, from its files to its end.
Timing RunOnce(const std::filesystem::path& path, std::size_t count) {
  Timing timing;
  auto composition = Loaded(path, timing);
  openmi::PrepareComponents(*composition);
  auto loop = std::make_unique<openmi::RunLoop>(*composition, openmi::RunMode::Pull);
  const auto advance = [&] {
    if (!loop->Advance()) throw std::runtime_error("expected a run that goes on, found that it stopped");
  };
  advance();
  const std::size_t steps = std::max<std::size_t>(8, 100'000 / count);
  timing.step = bench::CpuSeconds([&] {
                  for (std::size_t i = 0; i < steps; ++i) advance();
                }) /
                static_cast<double>(steps);
  std::vector<double> cold;
  for (int i = 0; i < 9; ++i) {
    EmptyCaches();
    cold.push_back(bench::CpuSeconds(advance));
  }
  timing.cold = bench::Median(cold);
  timing.finish = bench::CpuSeconds([&] {
    openmi::Problems problems;
    loop.reset();
    composition->Finish(problems);
    composition.reset();
  });
  return timing;
}

void Sizes(bench::Report& report, scale::Shape shape) {
  std::vector<std::filesystem::path> paths;
  for (const std::size_t count : kSizes) {
    paths.push_back(scale::Write(shape, count, Folder() / fmt::format("{}{}", Name(shape), count)));
  }
  std::array<std::vector<Timing>, kSizes.size()> timings;  // [size][round]
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
      const std::size_t size = round % 2 == 0 ? i : kSizes.size() - 1 - i;
      timings[size].push_back(RunOnce(paths[size], kSizes[size]));
    }
  }
  std::vector<double> until_ready;
  for (const Timing& timing : timings.back()) until_ready.push_back(timing.load + timing.validate);
  report.Line(fmt::format("{}-{}-load", Name(shape), kMost), bench::Median(until_ready), "s", "limit", kLoadLimit,
              bench::Bound::AtMost(1.0));
  for (const auto& [what, part] :
       {std::pair{"load", &Timing::load}, std::pair{"validate", &Timing::validate}, std::pair{"step", &Timing::step},
        std::pair{"cold-step", &Timing::cold}, std::pair{"finish", &Timing::finish}}) {
    for (std::size_t size = 1; size < kSizes.size(); ++size) {
      // Against what n log n allows: as much for each component and each digit of their number as in the smaller one.
      const auto each = [&, part = part](std::size_t of) {
        std::vector<double> all;
        const auto count = static_cast<double>(kSizes[of]);
        for (const Timing& timing : timings[of]) all.push_back(timing.*part / (count * std::log10(count)) * 1e6);
        return all;
      };
      report.Line(fmt::format("{}-{}-from-{}-to-{}", Name(shape), what, kSizes[size - 1], kSizes[size]),
                  bench::Pairs{.ours = each(size), .limit = each(size - 1)}, "us a component and digit", "the smaller",
                  bench::Bound::AtMost(1.0));
    }
  }
}

struct PullResult {
  std::string failure;
  double seconds = 0.0;
  double level = 0.0;
};

/// Ten steps of a chain of 10 000, pulled.
void PullChain(const std::filesystem::path& path, PullResult& result) {
  try {
    Timing timing;
    auto composition = Loaded(path, timing);
    result.seconds = bench::WallSeconds([&] {
      openmi::PrepareComponents(*composition);
      openmi::RunLoop loop(*composition, openmi::RunMode::Pull);
      for (int step = 0; step < 10; ++step) loop.Advance();
      const auto& last = *composition->Instances().back().Component().Outputs()[0];
      result.level = dynamic_cast<const openmi::NumericOutput&>(last).LastRow()[0];
    });
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
}

/// Pulls on a thread with so large a stack. The limit that a shell sets (ulimit -s) is read when a program starts, and
/// says nothing of threads made with a size of their own.
void PullOn(bench::Report& report, const std::filesystem::path& path, std::size_t megabytes) {
  PullResult result;
  std::vector<double> seconds;
  for (int round = 0; round < 3; ++round) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, megabytes << 20);
    std::function<void()> work = [&] { PullChain(path, result); };
    pthread_t thread{};
    const int failed = pthread_create(
        &thread, &attributes,
        [](void* argument) -> void* {
          (*static_cast<std::function<void()>*>(argument))();
          return nullptr;
        },
        &work);
    pthread_attr_destroy(&attributes);
    if (failed != 0) throw std::runtime_error("expected a thread with a stack of its own, found none");
    pthread_join(thread, nullptr);
    seconds.push_back(result.seconds);
  }
  const std::string name = fmt::format("chain-10000-pull-{}-MB-stack", megabytes);
  // Every member holds at 2 - 2^-k after k members: x = 1 + x / 2.
  report.Fact(name + "-value", result.failure.empty() && std::fabs(result.level - 2.0) < 1e-9,
              fmt::format("the last member has 2, found {} {}", result.level, result.failure));
  report.Line(name, bench::Median(seconds), "s", "limit", 2.0, bench::Bound::AtMost(1.0));
}

/// The memory of this process now.
std::size_t ResidentBytes() {
  std::ifstream status("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  status >> size >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

struct PopulationTiming {
  Timing timing;
  double bytes = 0.0;  ///< a member
};

/// One run of a tree of nodes as a population, from its files to its end.
PopulationTiming RunPopulation(const std::filesystem::path& path, std::size_t count) {
  PopulationTiming result;
  Timing& timing = result.timing;
  const std::size_t before = ResidentBytes();
  auto composition = Loaded(path, timing);
  openmi::PrepareComponents(*composition);
  auto loop = std::make_unique<openmi::RunLoop>(*composition, openmi::RunMode::Pull);
  result.bytes = static_cast<double>(ResidentBytes() - before) / static_cast<double>(count);
  const auto advance = [&] {
    if (!loop->Advance()) throw std::runtime_error("expected a run that goes on, found that it stopped");
  };
  advance();
  const std::size_t steps = std::max<std::size_t>(5, 100'000 / count);
  timing.step = bench::CpuSeconds([&] {
                  for (std::size_t i = 0; i < steps; ++i) advance();
                }) /
                static_cast<double>(steps);
  timing.finish = bench::CpuSeconds([&] {
    openmi::Problems problems;
    loop.reset();
    composition->Finish(problems);
    composition.reset();
  });
  return result;
}

/// Trees of 10 to 1 000 000 nodes, each as one population with a network.
void Populations(bench::Report& report) {
  constexpr std::array<std::size_t, 6> kCounts{10, 100, 1'000, 10'000, 100'000, 1'000'000};
  std::array<std::vector<PopulationTiming>, kCounts.size()> timings;  // [size][round]
  std::vector<std::filesystem::path> paths;
  for (const std::size_t count : kCounts) {
    paths.push_back(scale::WritePopulation(count, Folder() / fmt::format("population{}", count)));
  }
  for (int round = 0; round < 3; ++round) {
    for (std::size_t size = 0; size < kCounts.size(); ++size) {
      timings[size].push_back(RunPopulation(paths[size], kCounts[size]));
    }
  }
  const auto each = [&](std::size_t size, double Timing::*part) {
    std::vector<double> all;
    for (const PopulationTiming& one : timings[size]) {
      all.push_back(one.timing.*part / static_cast<double>(kCounts[size]) * 1e9);
    }
    return all;
  };
  for (std::size_t size = 0; size < kCounts.size(); ++size) {
    const std::string name = fmt::format("population-{}", kCounts[size]);
    for (const auto& [what, part] : {std::pair{"load", &Timing::load}, std::pair{"validate", &Timing::validate},
                                     std::pair{"step", &Timing::step}, std::pair{"finish", &Timing::finish}}) {
      const bool is_judged = part == &Timing::step && kCounts[size] == 100'000;
      report.Line(fmt::format("{}-{}", name, what),
                  bench::Pairs{.ours = each(size, part), .limit = each(is_judged ? 1 : size, part)}, "ns a member",
                  is_judged ? "a hundred" : "itself", is_judged ? bench::Bound::AtMost(2.0) : bench::Bound{});
    }
    std::vector<double> bytes;
    for (const PopulationTiming& one : timings[size]) bytes.push_back(one.bytes);
    report.Line(name + "-bytes", bytes.front(), "B a member", "itself", bytes.front(), bench::Bound{});
  }
}

}  // namespace

int main(int count, char** words) {
  const int outcome = bench::Main("scale", count, words, [](bench::Report& report) {
    for (const scale::Shape shape : {scale::Shape::Chain, scale::Shape::Tree, scale::Shape::Comb}) {
      if (report.Wants(Name(shape))) Sizes(report, shape);
    }
    if (report.Wants("population")) Populations(report);
    if (!report.Wants("pull")) return;
    const std::filesystem::path path = scale::Write(scale::Shape::Chain, kMost, Folder() / "pull");
    PullOn(report, path, 8);  // what most systems give a thread
    PullOn(report, path, 1);
  });
  std::error_code ignored;
  std::filesystem::remove_all(Folder(), ignored);
  return outcome;
}
