// Clocks of FMI 3.0, in co-simulation and model exchange, by themselves and as components. The FMU refuses what belongs
// to a clock that does not tick.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <memory>

#include "tests/fmi-bridge/run/ComponentRun.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::fmi {
namespace {

using testing::HasSubstr;

MemoryRecorder Simulated(InterfaceKind kind, const std::vector<std::pair<std::string, std::string>>& set,
                         const std::string& table = {}) {
  const ScratchFolder folder;
  SimulationOptions options;
  options.kind = kind;
  options.start_values = set;
  if (!table.empty()) {
    options.inputs = folder / "inputs.csv";
    std::ofstream(*options.inputs) << table;
  }
  MemoryRecorder recorder;
  ExampleFmu(3, "Ticks").Run(options, recorder);
  return recorder;
}

constexpr InterfaceKind kKinds[] = {InterfaceKind::CoSimulation, InterfaceKind::ModelExchange};
constexpr const char* kKindNames[] = {"co-simulation", "model-exchange"};

// Within 1.2 s: 7 ticks each 0.2 s, 5 each 0.3 s, 4 each third, 3 each 0.5 s, and 3 of the output clock.
TEST(Clocks, TickAtTheirTimesInBothKinds) {
  for (const InterfaceKind kind : kKinds) {
    const MemoryRecorder recorder = Simulated(kind, {});
    const std::vector<double>& total = recorder.Column("total");
    EXPECT_EQ(total.front(), 5.0) << "all tick at the start";
    EXPECT_EQ(total.back(), 22.0);
  }
}

TEST(Clocks, AnIntervalCanBeSet) {
  for (const InterfaceKind kind : kKinds) {
    EXPECT_EQ(Simulated(kind, {{"pace", "0.25"}}).Column("total").back(), 24.0);
    EXPECT_EQ(Simulated(kind, {{"pace", "0.1"}}).Column("total").back(), 32.0);
    EXPECT_THROW(Simulated(kind, {{"fast", "0.1"}}), ArgumentError) << "the interval is constant";
    EXPECT_THROW(Simulated(kind, {{"pace", "0"}}), ArgumentError);
  }
}

// Three ticks, each followed by one of the countdown after 0.15 s, but for those at one time.
TEST(Clocks, TriggeredOnesTickByTheTable) {
  for (const InterfaceKind kind : kKinds) {
    const MemoryRecorder recorder = Simulated(kind, {}, "time,asked,sample\n0,0,1\n0.25,1,2\n0.65,3,4\n");
    EXPECT_EQ(recorder.Column("total").back(), 22.0 + 3.0 + 2.0);
  }
  EXPECT_THROW(Simulated(kKinds[0], {}, "time,asked\n0,0.5\n"), FormatError);
  EXPECT_THROW(Simulated(kKinds[0], {}, "time,fast\n0,1\n"), FormatError) << "it ticks by its interval";
}

TEST(Clocks, OfAComponentTickAndWhatBelongsToThemIsReadWhileTheyDo) {
  for (const char* kind : kKindNames) {
    ComponentRun run(3, "Ticks", 1.2);
    run.driver.Set("kind", kind);
    run.Prepare();
    for (int n = 0; n <= 12; ++n) {
      SCOPED_TRACE(fmt::format("{} at step {}", kind, n));
      EXPECT_EQ(run.Number("by_fast"), n / 2 + 1);
      EXPECT_EQ(run.Number("by_slow"), n / 3 + 1);
      EXPECT_EQ(run.Number("by_thirds"), 3 * n / 10 + 1);
      EXPECT_EQ(run.Number("by_pace"), n / 5 + 1);
      EXPECT_EQ(run.Number("by_both"), n / 6 + 1);
      EXPECT_EQ(run.Number("both"), n / 6 + 1) << "the output clock itself";
      EXPECT_NEAR(run.Number("x_at_both"), n / 6 * 0.6, 1e-6);
      EXPECT_EQ(run.Text("even"), Value(n / 2 % 2 == 1 ? "true" : "false"));
      EXPECT_EQ(run.Text("note"), Value(std::to_string(n / 3 + 1)));
      if (n < 12) run.driver.Update();
    }
  }
}

TEST(Clocks, OfAComponentTickAsOftenAsALinkedNumberGrows) {
  for (const char* kind : kKindNames) {
    ComponentRun run(3, "Ticks", 1.2);
    run.driver.Set("kind", kind).Set("pace", "0.4");
    run.Feed("asked", 0.1, {0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3});
    run.Feed("sample", 0.1, {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120});
    run.Prepare();
    EXPECT_EQ(run.Number("sampled"), 0.0);
    run.driver.UpdateUntil(kRunBegin + Seconds(0.3));
    EXPECT_EQ(run.Number("by_asked"), 1.0);
    EXPECT_EQ(run.Number("sampled"), 30.0);
    EXPECT_EQ(run.Number("by_later"), 0.0);
    run.driver.UpdateUntil(kRunBegin + Seconds(0.6));
    EXPECT_EQ(run.Number("by_asked"), 1.0);
    EXPECT_EQ(run.Number("sampled"), 30.0) << "nothing is sampled between ticks";
    EXPECT_EQ(run.Number("by_later"), 1.0);
    run.driver.UpdateToEnd();
    EXPECT_EQ(run.Number("by_asked"), 3.0);
    EXPECT_EQ(run.Number("sampled"), 70.0);
    EXPECT_EQ(run.Number("by_later"), 2.0);
    EXPECT_EQ(run.Number("by_pace"), 4.0) << "at 0, 0.4, 0.8 and 1.2";
  }
}

TEST(Clocks, ThatAreToTickByAMissingNumberAreRefused) {
  const auto fed = [](const std::string& manner) {
    auto run = std::make_unique<ComponentRun>(3, "Ticks", 0.3);
    run->driver.Set("missing-inputs", manner);
    run->Feed("asked", 0.1, {0, std::nan(""), 1, 1});
    run->Prepare();
    return run;
  };
  EXPECT_THROW(fed("refuse")->driver.Update(), RangeError);
  const auto run = fed("hold");
  run->driver.UpdateToEnd();
  EXPECT_EQ(run->Number("by_asked"), 1.0);
  EXPECT_THAT(run->Remark(), HasSubstr("found 1 missing one,"));
}

TEST(Clocks, GoOnFromAKeptState) {
  for (const char* kind : kKindNames) {
    ComponentRun run(3, "Ticks", 1.2);
    run.driver.Set("kind", kind);
    run.Feed("asked", 0.1, {0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3});
    run.Prepare();
    const char* const names[] = {"by_fast", "by_slow", "by_thirds", "by_both", "both", "by_asked", "by_later", "total"};
    const auto all = [&] {
      std::vector<double> values;
      for (const char* name : names) values.push_back(run.Number(name));
      return values;
    };
    run.driver.UpdateUntil(kRunBegin + Seconds(0.5));
    const IIdentifiable& state = run.fmu.KeepCurrentState();
    const IIdentifiable& fed = run.Table().KeepCurrentState();
    run.driver.Update();
    const std::vector<double> next = all();
    run.driver.UpdateToEnd();
    const std::vector<double> last = all();
    run.Table().RestoreState(fed);
    run.fmu.RestoreState(state);
    run.driver.Update();
    EXPECT_EQ(all(), next) << kind << ": values of clocks that do not tick are kept too";
    run.driver.UpdateToEnd();
    EXPECT_EQ(all(), last) << kind;
  }
}

TEST(Clocks, WithoutEventModeAreReported) {
  ComponentRun run(3, "Ticks", 1.2);
  run.driver.Set("event-mode", "false");
  run.Prepare();
  ASSERT_FALSE(run.driver.Messages().empty());
  EXPECT_THAT(run.driver.Messages()[0], HasSubstr("no clock ticks"));
  run.driver.Update();
  EXPECT_TRUE(std::isnan(run.Number("by_fast")));
}

}  // namespace
}  // namespace openmi::fmi
