// Compositions on one thread and on two, beside the same loops on one and on two plain threads, in the same run.
//
//   wide    sixty-four independent components of about a millisecond a step
//   words   the same, all below one link of texts
//   chain   eight components of about a millisecond, each below the one before
//   levels  eight levels of eight components of about a microsecond
//   many    ten thousand components of about three microseconds below one source
//   uneven  a graph of wide and narrow levels, whose components take 50 microseconds to 2 milliseconds
//
// Work is a count of operations, found once at the start; never a spin until a time. Wide, words, chain and many print
// the speed-up of two threads, that of the plain ones, and their ratio, which must not be below the bound; levels
// prints the time on two threads, the time on one, and their ratio, which must not be above it; uneven prints steps a
// second on two threads and on one, and how many times as many. Rounds alternate, and the median counts. Arguments name
// the cases; none: all.

#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "composition/run/CompositionRun.hpp"
#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/items/ValueItems.hpp"

namespace {

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
    side_ = AddInput("side", "1", {.asks = openmi::InputTime::Instant, .default_value = 0.0});
    out_ = AddOutput("out", "1", {.gives = openmi::OutputTime::Instant});
  }

 private:
  void Setup() override {
    word_ = &TakeInput(std::make_unique<openmi::ValueInput>(
        "word", openmi::items::PlainDefinitionOf("word", openmi::ValueKind::String), nullptr, this));
  }
  void Start(openmi::Stamp) override { out_.Set(x_ = 0.5); }
  void Step(openmi::Stamp, openmi::Stamp to) override {
    if (word_->Provider() != nullptr) word_->Pull(to);
    out_.Set(x_ = Work(x_ + 1e-9 * (in_.Get() + side_.Get()), static_cast<std::uint64_t>(operations_.Value())));
  }
  openmi::Argument<std::int64_t> operations_;
  openmi::ScalarInput in_, side_;
  openmi::ValueInput* word_ = nullptr;
  openmi::ScalarOutput out_;
  double x_ = 0.5;
};

class Speaker final : public openmi::SteppingComponent {
 public:
  Speaker() : SteppingComponent("speaker", "PT1S") {}

 private:
  void Setup() override {
    said_ = &TakeOutput(std::make_unique<openmi::ValueOutput>(
        "said", openmi::items::PlainDefinitionOf("word", openmi::ValueKind::String), nullptr, this));
    said_->Set(0, openmi::Value(std::string("go")));
  }
  void Start(openmi::Stamp begin) override { said_->Publish(begin); }
  void Step(openmi::Stamp, openmi::Stamp to) override { said_->Publish(to); }
  openmi::ValueOutput* said_ = nullptr;
};

struct Case {
  std::string name;
  std::string title;
  std::string body;
  std::size_t components;  // that do the work
  double seconds;          // of one step of one
  std::size_t steps;       // of a round
  double bound;
  enum class Compared { WithPlainThreads, TimeOfOneThread, RateOfOneThread } compared = Compared::WithPlainThreads;
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

/// Levels of 1 to 16 components; each has one or two providers in the levels before, and its own length of a step.
std::string Uneven() {
  std::mt19937 lot(7);
  const auto draw = [&lot](int from, int to) {
    return from + static_cast<int>(lot() % static_cast<unsigned>(to - from + 1));
  };
  std::string body;
  int count = 0;
  int level_begin = 0;
  for (const int width : {16, 1, 7, 2, 12, 1, 3, 9, 1, 1, 14, 2, 5, 1}) {
    const int above = count;
    for (int i = 0; i < width; ++i, ++count) {
      body += Component(fmt::format("w{}", count), 1e-6 * 50.0 * std::pow(2.0, 0.1 * draw(0, 53)));
      if (above == 0) continue;
      const int provider = draw(level_begin, above - 1);
      body += Link(fmt::format("w{}.out", provider), fmt::format("w{}.in", count));
      if (draw(0, 1) == 1) body += Link(fmt::format("w{}.out", draw(0, above - 1)), fmt::format("w{}.side", count));
    }
    level_begin = above;
  }
  return body;
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
  cases.push_back(
      {"levels", "levels/8-of-8-tiny-components-2-threads", body, 64, 1e-6, 512, 1.1, Case::Compared::TimeOfOneThread});
  body = Component("source", 1e-6);
  for (int i = 0; i < 10'000; ++i) {
    body += Component(fmt::format("w{}", i), 3e-6) + Link("source.out", fmt::format("w{}.in", i));
  }
  cases.push_back({"many", "many/10000-components-2-threads", body, 10'000, 3e-6, 16, 0.8});
  cases.push_back({"uneven", "uneven/wide-and-narrow-levels-2-threads", Uneven(), 0, 0.0, 16, 1.9,
                   Case::Compared::RateOfOneThread});
  return cases;
}

std::string Text(const std::string& body) {
  return "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"parallel\">\n" + body +
         "<Run From=\"2015-12-01T00:00Z\" To=\"2016-12-01T00:00Z\"/></Composition>\n";
}

/// \returns seconds of one step of all components
double StepRun(bench::ReadyRun& run, std::size_t steps) {
  return bench::WallSeconds([&] {
           for (std::size_t made = 0; made < steps; made += run.Loop().PassesMade()) {
             run.Loop().Advance(std::min(steps - made, openmi::CompositionRun::kManyPasses));
           }
         }) /
         static_cast<double>(steps);
}

/// The same loops on plain threads, an equal share each, as if none depended on another one. The threads wait for their
/// work from the start.
class PlainThreads {
 public:
  PlainThreads(const Case& one, std::size_t threads)
      : one_(one), operations_(OperationsIn(one.seconds)), sums_(one.components, 0.5), threads_(threads) {
    for (std::size_t thread = 1; thread < threads; ++thread) {
      others_.emplace_back([this, thread] {
        while (true) {
          meeting_.arrive_and_wait();
          if (is_over_) return;
          Share(thread);
          meeting_.arrive_and_wait();
        }
      });
    }
  }
  PlainThreads(const PlainThreads&) = delete;
  PlainThreads& operator=(const PlainThreads&) = delete;
  ~PlainThreads() {
    is_over_ = true;
    meeting_.arrive_and_wait();
    for (std::thread& other : others_) other.join();
  }
  /// \returns seconds of one step of all
  double Step() {
    return bench::WallSeconds([&] {
             meeting_.arrive_and_wait();
             Share(0);
             meeting_.arrive_and_wait();
           }) /
           static_cast<double>(one_.steps);
  }

 private:
  void Share(std::size_t thread) {
    const std::size_t from = one_.components * thread / threads_;
    const std::size_t to = one_.components * (thread + 1) / threads_;
    for (std::size_t step = 0; step < one_.steps; ++step) {
      for (std::size_t i = from; i < to; ++i) sums_[i] = Work(sums_[i], operations_);
    }
  }
  const Case& one_;
  std::uint64_t operations_;
  std::vector<double> sums_;
  std::size_t threads_;
  std::barrier<> meeting_{static_cast<std::ptrdiff_t>(threads_)};
  bool is_over_ = false;
  std::vector<std::thread> others_;
};

void Measure(bench::Report& report, const Case& one_case) {
  bench::ReadyRun one(bench::CompositionOf(Text(one_case.body)), 1);
  bench::ReadyRun two(bench::CompositionOf(Text(one_case.body)), 2);
  const auto ours_on = [&](bench::ReadyRun& run) { return StepRun(run, one_case.steps); };
  if (one_case.compared != Case::Compared::WithPlainThreads) {
    const bool are_rates = one_case.compared == Case::Compared::RateOfOneThread;
    const auto pairs = bench::InTurn(
        kRounds, [&] { return ours_on(two) * 1e6; }, [&] { return ours_on(one) * 1e6; });
    report.Line(one_case.title, are_rates ? pairs.Rates(1e6) : pairs, are_rates ? "steps a second" : "us a step",
                "one thread", are_rates ? bench::Bound::AtLeast(one_case.bound) : bench::Bound::AtMost(one_case.bound));
    return;
  }
  PlainThreads plain_one(one_case, 1);
  PlainThreads plain_two(one_case, 2);
  const auto pairs = bench::InTurn(
      kRounds, [&] { return ours_on(one) / ours_on(two); }, [&] { return plain_one.Step() / plain_two.Step(); });
  report.Line(one_case.title, pairs, "times", "plain threads", bench::Bound::AtLeast(one_case.bound));
}

void FindSpeed() {
  constexpr std::uint64_t kOperations = 100'000;
  std::vector<double> tries;
  for (int i = 0; i < 9; ++i) {
    volatile double kept = 0.0;
    tries.push_back(bench::WallSeconds([&kept] { kept = Work(0.5, kOperations); }));
  }
  operations_a_second = kOperations / bench::Median(tries);
}

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("bench.Worker", Worker)
OPENMI_EXPORT_COMPONENT_AS("bench.Speaker", Speaker)

int main(int count, char** words) {
  return bench::Main("parallel", count, words, [](bench::Report& report) {
    FindSpeed();
    for (const Case& one : Cases()) {
      if (report.Wants(one.name)) Measure(report, one);
    }
  });
}
