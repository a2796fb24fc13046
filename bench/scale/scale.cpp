// How compositions of 10 to 10 000 components grow: reading and loading, linking and validating, a step, for a chain, a
// tree and a comb of plug-ins with an OMI file each. And chains of 10 000 pulls on small stacks.

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bench/scale/Shapes.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/Composition.hpp"
#include "composition/run/RunLoop.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/NumericOutput.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kLoadLimit = 2.0;  // seconds for 10 000 components, read, loaded, linked and validated
constexpr std::size_t kMost = 10'000;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The processor time of this thread, in seconds: what others do on the machine counts less than on the wall clock.
double ProcessorTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

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
  double begin = ProcessorTime();
  auto composition = std::make_unique<openmi::Composition>(openmi::ReadCompositionFile(path, problems));
  composition->Load(problems);
  timing.load = ProcessorTime() - begin;
  begin = ProcessorTime();
  composition->Connect(problems);
  composition->Validate(problems);
  timing.validate = ProcessorTime() - begin;
  for (const openmi::Problem& problem : problems) {
    if (problem.severity == openmi::Problem::Error) throw std::runtime_error(openmi::FormatProblem(problem));
  }
  return composition;
}

Timing Measure(scale::Shape shape, std::size_t count) {
  const std::filesystem::path path = scale::Write(shape, count, Folder() / fmt::format("{}{}", Name(shape), count));
  Timing best{1e9, 1e9, 1e9, 1e9, 1e9};
  const int rounds = count >= 10'000 ? 5 : 9;
  for (int round = 0; round < rounds; ++round) {
    Timing timing;
    auto composition = Loaded(path, timing);
    composition->Prepare();
    openmi::RunLoop loop(*composition, openmi::RunMode::Pull);
    loop.Advance();
    const std::size_t steps = std::max<std::size_t>(4, 100'000 / count);
    double begin = ProcessorTime();
    for (std::size_t i = 0; i < steps; ++i) {
      if (!loop.Advance()) throw std::runtime_error("the run stopped");
    }
    timing.step = (ProcessorTime() - begin) / static_cast<double>(steps);
    timing.cold = 1e9;
    for (int i = 0; i < 8; ++i) {
      EmptyCaches();
      begin = ProcessorTime();
      loop.Advance();
      timing.cold = std::min(timing.cold, ProcessorTime() - begin);
    }
    begin = ProcessorTime();
    openmi::Problems problems;
    composition->Finish(problems);
    composition.reset();
    timing.finish = ProcessorTime() - begin;
    best.load = std::min(best.load, timing.load);
    best.validate = std::min(best.validate, timing.validate);
    best.step = std::min(best.step, timing.step);
    best.cold = std::min(best.cold, timing.cold);
    best.finish = std::min(best.finish, timing.finish);
  }
  return best;
}

/// Prints a line, and says whether the bound holds.
bool Line(const std::string& name, double ours, double limit, const char* unit, double bound) {
  const double ratio = ours / limit;
  const bool good = ratio <= bound;
  fmt::print("scale/{}: ours {:.3f} {}, limit {:.3f} {}, ratio {:.3f}, bound {:.2f}{}\n", name, ours, unit, limit, unit,
             ratio, bound, good ? "" : "  EXCEEDED");
  std::fflush(stdout);
  return good;
}

bool Sizes(scale::Shape shape) {
  bool good = true;
  std::map<std::size_t, Timing> timings;
  for (std::size_t count : {10, 100, 1'000, 10'000}) {
    const Timing timing = timings[count] = Measure(shape, count);
    const auto each = [&](double seconds) { return seconds / static_cast<double>(count) * 1e6; };
    fmt::print(
        "scale/{}-{}: load {:.2f}, validate {:.2f}, step {:.3f}, cold step {:.3f}, finish {:.2f} us a component\n",
        Name(shape), count, each(timing.load), each(timing.validate), each(timing.step), each(timing.cold),
        each(timing.finish));
  }
  const Timing& most = timings[kMost];
  good = Line(fmt::format("{}-{}-load", Name(shape), kMost), most.load + most.validate, kLoadLimit, "s", 1.0) && good;
  // n log n from 1 000 to 10 000 is 10 * 4 / 3, and no more is allowed. Steps are compared warm and cold: some 10 kB a
  // component no longer fit the caches at 10 000, which a warm step of a small composition does not feel.
  const double growth = 10.0 * std::log(10'000.0) / std::log(1'000.0);
  const Timing& less = timings[1'000];
  for (const auto& [what, part] :
       {std::pair{"load", &Timing::load}, std::pair{"validate", &Timing::validate}, std::pair{"step", &Timing::step},
        std::pair{"cold-step", &Timing::cold}, std::pair{"finish", &Timing::finish}}) {
    good =
        Line(fmt::format("{}-growth-{}", Name(shape), what), most.*part / (less.*part), growth, "times", 1.0) && good;
  }
  return good;
}

struct PullResult {
  std::string failure;
  double seconds = 0.0;
  double level = 0.0;
  bool is_done = false;
};

/// Ten steps of a chain of 10 000, pulled.
void PullChain(const std::filesystem::path& path, PullResult& result) {
  try {
    Timing timing;
    auto composition = Loaded(path, timing);
    const auto begin = Clock::now();
    composition->Prepare();
    openmi::RunLoop loop(*composition, openmi::RunMode::Pull);
    for (int step = 0; step < 10; ++step) loop.Advance();
    const auto& last = *composition->Instances().back().Component().Outputs()[0];
    result.level = dynamic_cast<const openmi::NumericOutput&>(last).LastRow()[0];
    result.seconds = SecondsSince(begin);
    result.is_done = true;
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
}

/// Runs on a thread with a stack of its own. \param stack_bytes  0: what a thread of the host gets by itself
bool PullOn(const std::filesystem::path& path, const char* name, std::size_t stack_bytes) {
  PullResult result;
  if (stack_bytes == 0) {
    std::thread([&] { PullChain(path, result); }).join();
  } else {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
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
    if (failed != 0) {
      fmt::print("scale/chain-10000-pull-{}: no thread with that stack  EXCEEDED\n", name);
      return false;
    }
    pthread_join(thread, nullptr);
  }
  // Every member holds at 2 - 2^-k after k members: x = 1 + x / 2.
  const bool right = result.is_done && std::fabs(result.level - 2.0) < 1e-9;
  if (!right) {
    fmt::print("scale/chain-10000-pull-{}: expected 2, found {} {}  EXCEEDED\n", name, result.level, result.failure);
    return false;
  }
  return Line(fmt::format("chain-10000-pull-{}", name), result.seconds, 2.0, "s", 1.0);
}

}  // namespace

int main() {
  bool good = true;
  try {
    for (scale::Shape shape : {scale::Shape::Chain, scale::Shape::Tree, scale::Shape::Comb})
      good = Sizes(shape) && good;
    const std::filesystem::path path = scale::Write(scale::Shape::Chain, kMost, Folder() / "pull");
    rlimit limit{};
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 8U << 20);
    setrlimit(RLIMIT_STACK, &limit);  // threads without a size of their own take this one
    good = PullOn(path, "8-MB-stack", 8U << 20) && good;
    good = PullOn(path, "host-thread", 0) && good;
    good = PullOn(path, "1-MB-stack", 1U << 20) && good;
  } catch (const std::exception& error) {
    fmt::print(stderr, "scale: {}\n", error.what());
    good = false;
  }
  std::error_code ignored;
  std::filesystem::remove_all(Folder(), ignored);
  return good ? 0 : 1;
}
