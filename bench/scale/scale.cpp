// How compositions and populations grow: reading and loading, linking and validating, a step, memory. For a chain, a
// tree and a comb of 10 to 10 000 plug-ins with an OMI file each; for trees of 10 to 1 000 000 linear reservoirs as
// populations and as components, beside plain loops over the same reservoirs. And chains of 10 000 pulls on small
// stacks.
//
// A round runs one composition of each size from its files to its end; nothing is put together from different runs.
// From size to size, each ten times the one before, a part may take n log n more: judged is the median of the ratios of
// the rounds. Steps are compared warm and cold: some 10 kB a component no longer fit the caches at 10 000, which a warm
// step of a small composition does not feel. A step of a member of a population of 100 000 may take at most twice as
// long as one among 100. Arguments: none, all; else some of chain, tree, comb, steps (of populations), reservoirs,
// population, components and pull.

#include <fmt/format.h>
#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
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

struct LargeTiming {
  Timing timing;
  double bytes = 0.0;  ///< a member
};

/// One run of a tree, as a population or as components, from its files to its end.
LargeTiming RunLarge(const std::filesystem::path& path, std::size_t count) {
  LargeTiming result;
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
  ::malloc_trim(0);  // so that the next run is not given the memory of this one, which would not be counted
  return result;
}

constexpr std::size_t kJudged = 100'000;  // members, whose step is compared with that of
constexpr std::size_t kTraced = 500;
constexpr std::size_t kCompared = 100;  // members, whose memory fits every cache

/// Runs trees of several sizes in turn, and prints what each took.
/// \param name  "population", "reservoirs", "components"
/// \param path  of the composition of a size
void Trees(bench::Report& report, const std::string& name, const std::vector<std::size_t>& counts, int rounds,
           const std::function<std::filesystem::path(std::size_t)>& path) {
  std::vector<std::vector<LargeTiming>> timings(counts.size());  // [size][round]
  std::vector<std::filesystem::path> paths;
  for (const std::size_t count : counts) paths.push_back(path(count));
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t size = 0; size < counts.size(); ++size) {
      if (counts[size] > kJudged && round > 0) continue;  // once is enough, since nothing is judged by it
      timings[size].push_back(RunLarge(paths[size], counts[size]));
    }
  }
  const auto each = [&](std::size_t size, double Timing::*part) {
    std::vector<double> all;
    for (const LargeTiming& one : timings[size]) {
      all.push_back(one.timing.*part / static_cast<double>(counts[size]) * 1e9);
    }
    return all;
  };
  for (std::size_t size = 0; size < counts.size(); ++size) {
    const std::string of = fmt::format("{}-{}", name, counts[size]);
    for (const auto& [what, part] : {std::pair{"load", &Timing::load}, std::pair{"validate", &Timing::validate},
                                     std::pair{"step", &Timing::step}, std::pair{"finish", &Timing::finish}}) {
      report.Line(fmt::format("{}-{}", of, what), bench::Pairs{.ours = each(size, part), .limit = each(size, part)},
                  "ns a member", "itself", {});
    }
    const double bytes = timings[size].front().bytes;
    report.Line(of + "-bytes", bytes, "B a member", "itself", bytes, bench::Bound{});
  }
}

/// A composition that makes steps.
class Stepping {
 public:
  explicit Stepping(const std::filesystem::path& path) : composition_(Loaded(path, timing_)) {
    openmi::PrepareComponents(*composition_);
    loop_ = std::make_unique<openmi::RunLoop>(*composition_, openmi::RunMode::Pull);
  }
  Stepping(const Stepping&) = delete;
  Stepping& operator=(const Stepping&) = delete;
  ~Stepping() {
    openmi::Problems problems;
    loop_.reset();
    composition_->Finish(problems);
  }
  void Steps(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!loop_->Advance()) throw std::runtime_error("expected a run that goes on, found that it stopped");
    }
  }

 private:
  Timing timing_;
  std::unique_ptr<openmi::Composition> composition_;
  std::unique_ptr<openmi::RunLoop> loop_;
};

/// A step of a member among 100 000 beside one of a member among 100, whose memory fits every cache; many short rounds,
/// so that what else the machine does spoils some of them and not the median.
void CompareSteps(bench::Report& report, const std::string& name,
                  const std::function<std::filesystem::path(std::size_t)>& path) {
  Stepping many(path(kJudged));
  Stepping few(path(kCompared));
  const auto each = [](Stepping& of, std::size_t steps, std::size_t members) {
    return bench::CpuSeconds([&] { of.Steps(steps); }) / static_cast<double>(steps * members) * 1e9;
  };
  const auto pairs = bench::InTurn(
      101, [&] { return each(many, 1, kJudged); }, [&] { return each(few, 200, kCompared); });
  report.Line(fmt::format("{}-step-among-{}", name, kJudged), pairs, "ns a member", "among a hundred",
              bench::Bound::AtMost(2.0));
}

/// Where a step that is traced begins and ends: it is written before and after.
alignas(64) volatile std::uint64_t trace_mark = 0;

/// Makes some steps of a composition, the last one between two marks; for Touched.
int MakeTracedStep(const char* path) {
  Timing timing;
  auto composition = Loaded(path, timing);
  openmi::PrepareComponents(*composition);
  openmi::RunLoop loop(*composition, openmi::RunMode::Pull);
  for (int i = 0; i < 3; ++i) loop.Advance();
  fmt::print(stderr, "mark {}\n", fmt::ptr(const_cast<std::uint64_t*>(&trace_mark)));
  trace_mark = 1;
  loop.Advance();
  trace_mark = 2;
  std::_Exit(0);  // the rest is not worth tracing
}

/// Prints how many bytes a step touches for each member: the distinct lines of the cache that it reads or writes, as
/// valgrind traces them, with the stack and what the run itself needs.
void Touched(bench::Report& report, const std::string& name, const std::filesystem::path& path, std::size_t count) {
  constexpr std::uint64_t kLine = 64;
  if (std::system("valgrind --version > /dev/null 2>&1") != 0) {
    fmt::print("scale/{}-touched: not measured, since there is no valgrind\n", name);
    return;
  }
  const std::string command = fmt::format("valgrind --tool=lackey --trace-mem=yes '{}' traced-step '{}' 2>&1",
                                          std::filesystem::read_symlink("/proc/self/exe").string(), path.string());
  std::FILE* const trace = ::popen(command.c_str(), "r");
  if (trace == nullptr) throw std::runtime_error("expected to start valgrind, found that it does not start");
  std::unordered_set<std::uint64_t> lines;
  std::uint64_t mark = 0;
  int marks = 0;
  std::array<char, 256> text{};
  while (std::fgets(text.data(), text.size(), trace) != nullptr) {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    if (std::sscanf(text.data(), "mark 0x%" SCNx64, &mark) == 1) continue;
    if (mark == 0 || text[0] != ' ' || std::sscanf(text.data() + 2, " %" SCNx64 ",%" SCNu64, &address, &size) != 2)
      continue;
    if (address == mark && text[1] == 'S') {
      ++marks;
    } else if (marks == 1) {
      for (std::uint64_t line = address / kLine; line <= (address + size - 1) / kLine; ++line) lines.insert(line);
    }
  }
  if (::pclose(trace) != 0 || marks != 2) throw std::runtime_error("expected a trace of a step, found none");
  const double bytes = static_cast<double>(lines.size() * kLine) / static_cast<double>(count);
  report.Line(name + "-touched", bytes, "B a member and step", "itself", bytes, bench::Bound{});
}

/// The reservoirs as plain objects behind a virtual call, and as plain arrays, in the order and with the sums of the
/// population: what the machine needs at least.
class PlainReservoir {
 public:
  virtual ~PlainReservoir() = default;
  virtual double Step(double inflow, double seconds) {
    const double outflow = storage_ * rate_;
    storage_ += seconds * (inflow + 1e-3 - outflow);
    return outflow;
  }

 private:
  double rate_ = 1.0 / 36'000.0;
  double storage_ = 0.0;
};

/// The members of a tree, those above before those below, as the network of a population orders them.
std::vector<std::size_t> DepthFirst(std::size_t count) {
  std::vector<std::size_t> order;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, 0}};  // member, and how many of those above were visited
  while (!open.empty()) {
    auto& [member, visited] = open.back();
    const std::size_t above = 2 * member + 1 + visited;
    if (visited < 2 && above < count) {
      ++visited;
      open.emplace_back(above, 0);
    } else {
      order.push_back(member);
      open.pop_back();
    }
  }
  return order;
}

void PlainTrees(bench::Report& report, std::size_t count) {
  const std::vector<std::size_t> order = DepthFirst(count);
  std::vector<std::unique_ptr<PlainReservoir>> objects;
  for (std::size_t i = 0; i < count; ++i) objects.push_back(std::make_unique<PlainReservoir>());
  std::vector<double> rate(count, 1.0 / 36'000.0);
  std::vector<double> storage(count, 0.0);
  std::vector<double> outflow(count, 0.0);
  const auto inflow_of = [&](std::size_t member) {
    double sum = 0.0;
    for (std::size_t above = 2 * member + 1; above < std::min(2 * member + 3, count); ++above) sum += outflow[above];
    return sum;
  };
  const std::size_t steps = std::max<std::size_t>(5, 100'000 / count);
  const auto each = [&](const auto& step) {
    return bench::CpuSeconds([&] {
             for (std::size_t i = 0; i < steps; ++i) {
               for (const std::size_t member : order) step(member);
             }
           }) /
           static_cast<double>(steps * count) * 1e9;
  };
  const auto pairs = bench::InTurn(
      9,
      [&] {
        return each([&](std::size_t member) { outflow[member] = objects[member]->Step(inflow_of(member), 3600.0); });
      },
      [&] {
        return each([&](std::size_t member) {
          const double out = storage[member] * rate[member];
          storage[member] += 3600.0 * (inflow_of(member) + 1e-3 - out);
          outflow[member] = out;
        });
      });
  report.Line(fmt::format("plain-objects-{}-step", count), pairs, "ns a member", "plain arrays", {});
}

/// Trees of nodes and of linear reservoirs, each as one population with a network, and what plain loops take.
void Populations(bench::Report& report) {
  const auto written = [](const scale::Kind& kind) {
    return [&kind](std::size_t count) {
      return scale::WritePopulation(kind, count, Folder() / fmt::format("{}{}", kind.type, count));
    };
  };
  if (report.Wants("steps")) {
    CompareSteps(report, "reservoirs", written(scale::kReservoir));
    CompareSteps(report, "population", written(scale::kNode));
    for (const std::size_t count : {kCompared, kJudged, std::size_t{1'000'000}}) PlainTrees(report, count);
  }
  if (report.Wants("reservoirs")) {
    Trees(report, "reservoirs", {10, kCompared, 1'000, kJudged, 1'000'000}, 5, written(scale::kReservoir));
    Touched(report, "reservoirs", written(scale::kReservoir)(kTraced), kTraced);
  }
  if (report.Wants("population")) {
    Trees(report, "population", {kCompared, 10'000, kJudged}, 5, written(scale::kNode));
    Touched(report, "population", written(scale::kNode)(kTraced), kTraced);
  }
}

/// The memory that this machine can give, in bytes; what its caches of files hold counts, as it is given back.
double AvailableMemory() {
  std::ifstream lines("/proc/meminfo");
  for (std::string word; lines >> word;) {
    if (double kilobytes = 0.0; word == "MemAvailable:" && lines >> kilobytes) return kilobytes * 1024.0;
  }
  throw std::runtime_error("expected MemAvailable in /proc/meminfo, found none");
}

/// The same reservoirs as components of their own, as far as seven tenths of the memory go.
void Components(bench::Report& report) {
  const double memory = AvailableMemory();
  const auto path = [](std::size_t count) {
    return scale::WriteTree(scale::kReservoir, count, Folder() / fmt::format("components{}", count));
  };
  const double bytes = RunLarge(path(10'000), 10'000).bytes;
  std::vector<std::size_t> counts;
  for (const std::size_t count : {10, 1'000, 100'000, 1'000'000}) {
    if (bytes * static_cast<double>(count) < 0.7 * memory) {
      counts.push_back(count);
    } else {
      report.Line(fmt::format("components-{}-memory", count), bytes * static_cast<double>(count) / 1e9,
                  "GB needed, so not run", "free memory", memory / 1e9, bench::Bound{});
    }
  }
  Trees(report, "components", counts, 1, path);
  Touched(report, "components", path(kTraced), kTraced);
}

}  // namespace

int main(int count, char** words) {
  if (count == 3 && std::string_view(words[1]) == "traced-step") return MakeTracedStep(words[2]);
  const int outcome = bench::Main("scale", count, words, [](bench::Report& report) {
    for (const scale::Shape shape : {scale::Shape::Chain, scale::Shape::Tree, scale::Shape::Comb}) {
      if (report.Wants(Name(shape))) Sizes(report, shape);
    }
    Populations(report);
    if (report.Wants("components")) Components(report);
    if (!report.Wants("pull")) return;
    const std::filesystem::path path = scale::Write(scale::Shape::Chain, kMost, Folder() / "pull");
    PullOn(report, path, 8);  // what most systems give a thread
    PullOn(report, path, 1);
  });
  std::error_code ignored;
  std::filesystem::remove_all(Folder(), ignored);
  return outcome;
}
