// Compositions on one thread and on two, beside the same loops on one and on two plain threads, in the same run.
//
//   wide    sixty-four independent components of about a millisecond a step
//   words   the same, all below one link of texts
//   chain   eight components of about a millisecond, each below the one before
//   levels  eight levels of eight components of about a microsecond
//   many    ten thousand components of about three microseconds below one source
//
// Work is a count of operations, found once at the start; never a spin until a time. Wide, words, chain and many print
// the speed-up of two threads, that of the plain ones, and their ratio, which must not be below the bound; levels
// prints the time on two threads, the time on one, and their ratio, which must not be above it. Rounds alternate, and
// the median counts. Arguments name the cases; none: all.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "composition/run/Composition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/RunLoop.hpp"
#include "fmi-bridge/items/ItemDefinitions.hpp"
#include "fmi-bridge/items/ValueItems.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kRounds = 15;

double operations_a_second = 0.0;

/// A chain of dependent operations: as long as its count says.
double Work(double x, std::uint64_t operations) {
  for (std::uint64_t i = 0; i < operations; ++i) x = x * 0.999999 + 1e-6;
  return x;
}

std::uint64_t OperationsIn(double seconds) {
  return static_cast<std::uint64_t>(seconds * operations_a_second);
}

class Worker final : public openmi::SteppingComponent {
 public:
  Worker() : SteppingComponent("worker", "PT1S") {
    operations_ = AddArgument<std::int64_t>("operations", {.value = 0});
    in_ = AddInput("in", "1", {.asks = openmi::InputTime::Instant, .default_value = 0.5});
    out_ = AddOutput("out", "1", {.gives = openmi::OutputTime::Instant});
  }

 private:
  void Setup() override {
    word_ = &TakeInput(std::make_unique<openmi::items::ValueInput>(
        "word", openmi::items::PlainDefinitionOf("word", openmi::ValueKind::String), nullptr, *this));
  }
  void Start(openmi::Stamp) override { out_.Set(x_ = 0.5); }
  void Step(openmi::Stamp, openmi::Stamp to) override {
    if (word_->Provider() != nullptr) word_->Pull(to);
    out_.Set(x_ = Work(x_ + 1e-9 * in_.Get(), static_cast<std::uint64_t>(operations_.Value())));
  }
  openmi::Argument<std::int64_t> operations_;
  openmi::ScalarInput in_;
  openmi::items::ValueInput* word_ = nullptr;
  openmi::ScalarOutput out_;
  double x_ = 0.5;
};

class Speaker final : public openmi::SteppingComponent {
 public:
  Speaker() : SteppingComponent("speaker", "PT1S") {}

 private:
  void Setup() override {
    said_ = &TakeOutput(std::make_unique<openmi::items::ValueOutput>(
        "said", openmi::items::PlainDefinitionOf("word", openmi::ValueKind::String), nullptr, *this, *this));
    said_->Set(0, openmi::Value(std::string("go")));
  }
  void Start(openmi::Stamp begin) override { said_->Publish(begin); }
  void Step(openmi::Stamp, openmi::Stamp to) override { said_->Publish(to); }
  openmi::items::ValueOutput* said_ = nullptr;
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

struct Case {
  std::string name;
  std::string title;
  std::string body;
  std::size_t components;  // that do the work
  double seconds;          // of one step of one
  std::size_t steps;       // of a round
  double bound;
  bool is_speed_up = true;
};

std::string Component(const std::string& id, double seconds) {
  return fmt::format(
      "<Component Id=\"{}\" Type=\"bench.Worker\" Assembly=\"here\"><Argument Key=\"operations\" Value=\"{}\"/>"
      "</Component>\n",
      id, OperationsIn(seconds));
}

std::string Link(const std::string& from, const std::string& to) {
  return fmt::format("<Link From=\"{}\" To=\"{}\"/>\n", from, to);
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  std::string body;
  for (int i = 0; i < 64; ++i) body += Component(fmt::format("w{}", i), 1e-3);
  cases.push_back({"wide", "wide/64-components-2-threads", body, 64, 1e-3, 4, 0.95});
  body = "<Component Id=\"s\" Type=\"bench.Speaker\" Assembly=\"here\"/>\n" + Component("first", 1e-6) +
         Link("s.said", "first.word");
  for (int i = 0; i < 64; ++i) {
    body += Component(fmt::format("w{}", i), 1e-3) + Link("first.out", fmt::format("w{}.in", i));
  }
  cases.push_back({"words", "words/64-components-below-a-text-2-threads", body, 64, 1e-3, 4, 0.95});
  body.clear();
  for (int i = 0; i < 8; ++i) {
    body += Component(fmt::format("w{}", i), 1e-3);
    if (i > 0) body += Link(fmt::format("w{}.out", i - 1), fmt::format("w{}.in", i));
  }
  cases.push_back({"chain", "chain/8-components-2-threads", body, 8, 1e-3, 32, 0.85});
  body.clear();
  for (int i = 0; i < 64; ++i) {
    body += Component(fmt::format("w{}", i), 1e-6);
    if (i >= 8) body += Link(fmt::format("w{}.out", i - 8), fmt::format("w{}.in", i));
  }
  cases.push_back({"levels", "levels/8-of-8-tiny-components-2-threads", body, 64, 1e-6, 512, 1.1, false});
  body = Component("source", 1e-6);
  for (int i = 0; i < 10'000; ++i) {
    body += Component(fmt::format("w{}", i), 3e-6) + Link("source.out", fmt::format("w{}.in", i));
  }
  cases.push_back({"many", "many/10000-components-2-threads", body, 10'000, 3e-6, 16, 0.8});
  return cases;
}

/// A composition of workers, prepared, with its loop.
struct Run {
  std::unique_ptr<openmi::Composition> composition;
  std::unique_ptr<openmi::RunLoop> loop;
};

Run MakeRun(const std::string& body, std::size_t threads) {
  const std::string text = "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"parallel\">\n" + body +
                           "<Run From=\"2015-12-01T00:00Z\" To=\"2016-12-01T00:00Z\"/></Composition>\n";
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
double StepRun(Run& run, std::size_t steps) {
  return SecondsOf([&] {
           for (std::size_t made = 0; made < steps; made += run.loop->PassesMade()) {
             run.loop->Advance(std::min(steps - made, openmi::CompositionRun::kManyPasses));
           }
         }) /
         static_cast<double>(steps);
}

/// The same loops on plain threads, an equal share each, as if none depended on another one.
double StepPlain(const Case& one, std::size_t threads) {
  const std::uint64_t operations = OperationsIn(one.seconds);
  std::vector<double> sums(one.components, 0.5);
  return SecondsOf([&] {
           const auto share = [&](std::size_t thread) {
             const std::size_t from = one.components * thread / threads;
             const std::size_t to = one.components * (thread + 1) / threads;
             for (std::size_t step = 0; step < one.steps; ++step) {
               for (std::size_t i = from; i < to; ++i) sums[i] = Work(sums[i], operations);
             }
           };
           std::vector<std::thread> others;
           for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(share, thread);
           share(0);
           for (std::thread& other : others) other.join();
         }) /
         static_cast<double>(one.steps);
}

bool Measure(const Case& one_case) {
  Run one = MakeRun(one_case.body, 1);
  Run two = MakeRun(one_case.body, 2);
  StepRun(one, one_case.steps);
  StepRun(two, one_case.steps);
  std::vector<double> ours, peer, ratios;
  for (int round = 0; round < kRounds; ++round) {
    const double plain_one = one_case.is_speed_up ? StepPlain(one_case, 1) : 0.0;
    const double ours_one = StepRun(one, one_case.steps);
    const double plain_two = one_case.is_speed_up ? StepPlain(one_case, 2) : 0.0;
    const double ours_two = StepRun(two, one_case.steps);
    ours.push_back(one_case.is_speed_up ? ours_one / ours_two : ours_two * 1e6);
    peer.push_back(one_case.is_speed_up ? plain_one / plain_two : ours_one * 1e6);
    ratios.push_back(ours.back() / peer.back());
  }
  const double ratio = MedianOf(ratios);
  const char* unit = one_case.is_speed_up ? "times" : "us";
  fmt::print("parallel/{}: {:.3f} {}, {:.3f} {}, {:.3f}, {:g} ({})\n", one_case.title, MedianOf(ours), unit,
             MedianOf(peer), unit, ratio, one_case.bound, one_case.is_speed_up ? "at least" : "at most");
  std::fflush(stdout);
  return one_case.is_speed_up ? ratio >= one_case.bound : ratio <= one_case.bound;
}

void FindSpeed() {
  constexpr std::uint64_t kOperations = 100'000;
  std::vector<double> tries;
  for (int i = 0; i < 9; ++i) {
    volatile double kept = 0.0;
    tries.push_back(SecondsOf([&kept] { kept = Work(0.5, kOperations); }));
  }
  operations_a_second = kOperations / *std::ranges::min_element(tries);
}

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("bench.Worker", Worker)
OPENMI_EXPORT_COMPONENT_AS("bench.Speaker", Speaker)

int main(int count, char** words) {
  try {
    FindSpeed();
    const std::vector<std::string> wanted(words + 1, words + count);
    bool is_good = true;
    for (const Case& one : Cases()) {
      if (wanted.empty() || std::ranges::find(wanted, one.name) != wanted.end()) is_good = Measure(one) && is_good;
    }
    return is_good ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "parallel: {}\n", error.what());
    return 1;
  }
}
