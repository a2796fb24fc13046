// Runs with several threads: bit by bit what one thread gives, one family at a time where it asks for that, and every
// failure told.

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include "composition/threads/WorkerPool.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "tests/composition/run/ForeignSeries.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/support/LoopProblems.hpp"
#include "tests/support/SameBits.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A composition drawn by lot: sources, relays over several levels with steps of their own, sinks, an iterated loop and
/// a staggered one, with time adaptors where steps differ.
std::string Generated(unsigned seed) {
  std::mt19937 lot(seed);
  const auto draw = [&lot](std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(lot); };
  constexpr const char* kStepTexts[] = {"PT10M", "PT20M", "PT30M", "PT1H", "PT90M"};
  std::string text;
  std::vector<std::string> outputs;
  const auto observe = [&text](const std::string& item) { text += "<Observe Item=\"" + item + "\"/>\n"; };
  const std::string linear = AdaptorXml("linear", ArgumentXml("extrapolation", "hold"));
  for (int i = 0; i < 5; ++i) {
    const std::string id = "src" + std::to_string(i);
    text += ComponentXml(id, "Source",
                         ArgumentXml("gives", "instant") + ArgumentXml("time-step", kStepTexts[draw(5)]) +
                             ArgumentXml("scale", std::to_string(0.5 + 0.1 * i)));
    outputs.push_back(id + ".out");
    observe(outputs.back());
  }
  for (int i = 0; i < 24; ++i) {
    const std::string id = "r" + std::to_string(i);
    text += ComponentXml(id, "Relay",
                         ArgumentXml("time-step", kStepTexts[draw(5)]) + ArgumentXml("add", std::to_string(0.25 * i)));
    text += LinkXml(outputs[draw(outputs.size())], id + ".in", linear);
    outputs.push_back(id + ".out");
    observe(outputs.back());
  }
  // Two pairs, fed by those who the lot says, one iterated and one not; each with one below.
  for (const std::string pair : {"p", "q"}) {
    const std::string type = pair == "p" ? "KeptRelay" : "Relay";
    text += ComponentXml(pair + "0", "KeptRelay", ArgumentXml("add", "1")) +
            ComponentXml(pair + "1", type, ArgumentXml("add", "2"));
    text += LinkXml(outputs[draw(outputs.size())], pair + "0.side", linear);
    text += LinkXml(pair + "0.out", pair + "1.in") + LinkXml(pair + "1.out", pair + "0.in");
    text += ComponentXml(pair + "s", "Relay", ArgumentXml("time-step", kStepTexts[draw(5)])) +
            LinkXml(pair + "1.out", pair + "s.in", linear);
    for (const char* member : {"0.out", "1.out", "s.out"}) observe(pair + member);
  }
  text += "<Iterate Components=\"p0 p1\" RelativeTolerance=\"1e-9\"/>\n";
  return text + RunXml("2015-12-01T18:00Z");
}

TEST(Threads, GiveTheSameBitsAsOne) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const std::string text = Generated(seed);
    for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
      Made alone(text);
      ASSERT_THAT(alone.Text(), IsEmpty()) << seed;
      const RunRecord expected = alone.Run(mode);
      ASSERT_THAT(ErrorsOf(expected), IsEmpty()) << seed;
      for (const std::size_t threads : {2U, 3U}) {
        Made made(text);
        const RunRecord record = made.Run(mode, threads);
        ASSERT_THAT(ErrorsOf(record), IsEmpty()) << seed;
        ASSERT_EQ(record.series.size(), expected.series.size());
        for (std::size_t i = 0; i < record.series.size(); ++i) {
          EXPECT_TRUE(SameBits(record.series[i].times, expected.series[i].times))
              << "seed " << seed << ", " << threads << " threads, " << record.series[i].series.id;
          EXPECT_TRUE(SameBits(record.series[i].values, expected.series[i].values))
              << "seed " << seed << ", " << threads << " threads, " << record.series[i].series.id;
        }
        ASSERT_EQ(record.links.size(), expected.links.size());
        for (std::size_t i = 0; i < record.links.size(); ++i) {
          EXPECT_EQ(record.links[i].second.left, expected.links[i].second.left) << record.links[i].first;
          EXPECT_EQ(record.links[i].second.arrived, expected.links[i].second.arrived) << record.links[i].first;
        }
        EXPECT_EQ(record.loops[0].iterations, expected.loops[0].iterations);
      }
    }
  }
}

/// Waits at each update for another one of its kind to be inside, for a while; counts how often it met one, and the
/// most that were ever inside at once.
std::atomic<int> inside{0}, most_inside{0}, met{0};
class Meeting : public SteppingComponent {
 public:
  explicit Meeting(bool is_safe) : SteppingComponent("meeting") {
    SetThreadSafe(is_safe);
    out_ = AddOutput("out", "1");
  }

 private:
  void Step(Stamp, Stamp) override {
    const int now = ++inside;
    int most = most_inside;
    while (most < now && !most_inside.compare_exchange_weak(most, now)) {
    }
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(now > 1 ? 0 : 200);
    while (inside < 2 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    if (inside > 1 || now > 1) ++met;
    --inside;
    out_.Set(1.0);
  }
  ScalarOutput out_;
};
class SafeMeeting final : public Meeting {
 public:
  SafeMeeting() : Meeting(true) {}
};
class UnsafeMeeting final : public Meeting {
 public:
  UnsafeMeeting() : Meeting(false) {}
};

void RunMeetings(const std::string& type) {
  inside = most_inside = met = 0;
  std::string text;
  for (int i = 0; i < 6; ++i) text += ComponentXml("m" + std::to_string(i), type);
  Made made(text + RunXml("2015-12-01T02:00Z"));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(RunMode::Pull, 3);
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
}

TEST(Threads, UpdateSideBySide) {
  RunMeetings("SafeMeeting");
  EXPECT_GE(most_inside, 2);
  EXPECT_GE(met, 2);
}

TEST(Threads, UpdateAFamilyThatIsNotSafeOneAfterTheOther) {
  RunMeetings("UnsafeMeeting");
  EXPECT_EQ(most_inside, 1);
  EXPECT_EQ(met, 0);
}

TEST(Threads, ConsumersOfOneOutputAskThroughAdaptorsSideBySide) {
  // A conversion is put on each link; all of them hand their questions to the one output below.
  std::string text = ComponentXml("spring", "Source", ArgumentXml("unit", "l/s"));
  for (int i = 0; i < 8; ++i) {
    const std::string id = "s" + std::to_string(i);
    text += ComponentXml(id, "Sink") + LinkXml("spring.out", id + ".in");
  }
  text += RunXml("2016-04-01T00:00Z");
  Made alone(text);
  ASSERT_THAT(alone.Text(), IsEmpty());
  ASSERT_THAT(ErrorsOf(alone.Run()), IsEmpty());
  for (int round = 0; round < 5; ++round) {
    Made made(text);
    ASSERT_THAT(ErrorsOf(made.Run(RunMode::Pull, 4)), IsEmpty()) << "round " << round;
    for (int i = 0; i < 8; ++i) {
      const std::string id = "s" + std::to_string(i);
      ASSERT_EQ(made.Get<Sink>(id).rows, alone.Get<Sink>(id).rows) << id << " in round " << round;
    }
  }
}

TEST(Threads, TellTheFirstFailureByOrder) {
  // Both fail at their third step; whichever comes first, the one that one thread would have met is told.
  const std::string text = R"(
      <Component Id="a" Type="test.Source" Assembly="here">
        <Argument Key="throw-at" Value="3"/>
      </Component>
      <Component Id="b" Type="test.Source" Assembly="here">
        <Argument Key="throw-at" Value="3"/>
      </Component>
      <Component Id="c" Type="test.Source" Assembly="here"/>
      <Observe Item="c.out"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )";
  const std::string expected = ErrorsOf(Made(text).Run());
  EXPECT_THAT(expected, HasSubstr(": expected the model to compute, found 'the solver met a negative depth'"));
  for (int repeat = 0; repeat < 20; ++repeat) {
    Made made(text);
    const RunRecord record = made.Run(RunMode::Pull, 2);
    EXPECT_FALSE(record.is_complete);
    EXPECT_EQ(ErrorsOf(record), expected);
    EXPECT_GE(record.series[0].times.size(), 2U);
  }
}

TEST(Threads, AreAtLeastOneInTheFile) {
  Made none(R"(
      <Component Id="a" Type="test.Source" Assembly="here"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z" Threads="0"/>
    )");
  EXPECT_THAT(none.Text(), HasSubstr("expected a whole number from 1 to 1024 in 'Threads' of Run, found '0'"));
  Made two(R"(
      <Component Id="a" Type="test.Source" Assembly="here"/>
      <Component Id="b" Type="test.Source" Assembly="here"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z" Threads="2"/>
    )");
  EXPECT_THAT(two.Text(), IsEmpty());
  EXPECT_EQ(two.composition->File().run->threads, 2);
  EXPECT_THAT(ErrorsOf(two.Run()), IsEmpty());
}

/// Reads and changes numbers as the tasks say, and remembers what each found.
class Numbers final : public IPoolTasks {
 public:
  Numbers(std::span<const TaskOrder::Uses> uses, std::size_t things, std::size_t threads)
      : uses_(uses), values_(things, 1.0), threads_(threads) {}
  bool Do(std::size_t task, std::size_t round, std::size_t worker) override {
    EXPECT_LT(worker, threads_);
    double sum = static_cast<double>(task + round);
    for (const std::size_t thing : uses_[task].reads) sum += values_[thing];
    for (const std::size_t thing : uses_[task].changes) values_[thing] = std::fmod(3.0 * values_[thing] + sum, 1e6);
    ++done_;
    return true;
  }
  bool IsEnough() override { return done_ >= enough_; }
  const std::vector<double>& Values() const { return values_; }
  std::size_t Done() const { return done_; }
  std::size_t enough_ = std::numeric_limits<std::size_t>::max();

 private:
  std::span<const TaskOrder::Uses> uses_;
  std::vector<double> values_;
  std::size_t threads_;
  std::atomic<std::size_t> done_ = 0;
};

/// One task, then two beside each other, and again; the worker ends each round later than the caller, and one round is
/// enough.
class LateWorker final : public IPoolTasks {
 public:
  bool Do(std::size_t task, std::size_t /*round*/, std::size_t worker) override {
    if (task == 0) return true;
    // Both threads are here before the caller goes on, so that the worker has one of the two tasks.
    ++met_;
    for (int i = 0; i < 2000 && met_ < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (worker != 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return true;
  }
  bool IsEnough() override { return true; }

 private:
  std::atomic<int> met_ = 0;
};

// The task that starts the next round becomes ready by the worker's last task and is then dropped: the caller, who
// waits for it, has to learn that.
TEST(WorkerPool, EndsWhereTheWorkerFindsThatItIsEnough) {
  const std::vector<TaskOrder::Uses> uses{
      {.reads = {}, .changes = {0}}, {.reads = {0}, .changes = {1}}, {.reads = {0}, .changes = {2}}};
  const TaskOrder order(uses, 3);
  LateWorker tasks;
  WorkerPool pool(2);
  EXPECT_EQ(pool.Run(order, 3, tasks), 1U);
}

TEST(WorkerPool, LeavesEverythingAsOneThreadDoes) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    std::mt19937 lot(seed);
    const std::size_t things = 9;
    std::vector<TaskOrder::Uses> uses(25);
    for (TaskOrder::Uses& use : uses) {
      for (std::size_t thing = 0; thing < things; ++thing) {
        const auto kind = lot() % 12;
        if (kind < 2) use.reads.push_back(thing);
        if (kind == 2) use.changes.push_back(thing);
      }
    }
    const TaskOrder order(uses, things);
    Numbers alone(uses, things, 1);
    for (std::size_t round = 0; round < 20; ++round) {
      for (std::size_t task = 0; task < uses.size(); ++task) alone.Do(task, round, 0);
    }
    for (const std::size_t threads : {1U, 2U, 4U}) {
      WorkerPool pool(threads);
      for (int repeat = 0; repeat < 20; ++repeat) {
        Numbers numbers(uses, things, threads);
        EXPECT_EQ(pool.Run(order, 20, numbers), 20U);
        ASSERT_TRUE(SameBits(numbers.Values(), alone.Values())) << "seed " << seed << ", " << threads << " threads";
      }
      Numbers numbers(uses, things, threads);
      numbers.enough_ = 60;
      const std::size_t rounds = pool.Run(order, 20, numbers);
      if (threads == 1) {
        EXPECT_EQ(rounds, 3U);
      }
      EXPECT_EQ(numbers.Done(), rounds * uses.size()) << "every task makes the same rounds";
    }
    // In the order in which tasks stand together, the same comes out.
    Numbers regrouped(uses, things, 1);
    for (std::size_t round = 0; round < 20; ++round) {
      for (const std::size_t task : order.Grouped()) regrouped.Do(task, round, 0);
    }
    EXPECT_TRUE(SameBits(regrouped.Values(), alone.Values())) << seed;
  }
}

}  // namespace
}  // namespace openmi::testing

OPENMI_EXPORT_COMPONENT_AS("test.SafeMeeting", openmi::testing::SafeMeeting)
OPENMI_EXPORT_COMPONENT_AS("test.UnsafeMeeting", openmi::testing::UnsafeMeeting)
