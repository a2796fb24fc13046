#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/run/ComponentRun.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::fmi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Simulated {
  MemoryRecorder recorder;
  SimulationResult result;
  std::string Trace() const { return recorder.texts[0].back(); }
};

Simulated Simulate(const std::function<void(SimulationOptions&)>& set = {}, const std::string& table = {},
                   std::optional<double> own_step = 1.0) {
  const ScratchFolder folder;
  SimulationOptions options;
  if (set) set(options);
  if (!table.empty()) {
    options.inputs = folder / "inputs.csv";
    std::ofstream(*options.inputs) << table;
  }
  static const ExampleFmu example(3, "Partitions");
  ExampleFmu fmu = example;
  fmu.description.experiment.step = own_step;
  Simulated run;
  run.result = fmu.Run(options, run.recorder);
  return run;
}

// regular at 0, 1, 2, ...; given at 0, 0.75, 1.5, ...; changing at 0.5, 1.5, 3, 5, ...; later at once after each third
// time of regular. At 1.5 given comes before changing, and at 3 regular before given and changing, by their priorities.
TEST(ScheduledExecution, ActivatesPartitionsInTheOrderOfTimeAndPriority) {
  const Simulated run = Simulate();
  EXPECT_EQ(run.result.kind, InterfaceKind::ScheduledExecution) << "it offers nothing else";
  EXPECT_THAT(run.recorder.texts[0],
              ElementsAre("rg", "rgcgr", "rgcgrgcrl", "rgcgrgcrlgrgc", "rgcgrgcrlgrgcgr", "rgcgrgcrlgrgcgrgrcl",
                          "rgcgrgcrlgrgcgrgrclgrg", "rgcgrgcrlgrgcgrgrclgrggr", "rgcgrgcrlgrgcgrgrclgrggrgcrl",
                          "rgcgrgcrlgrgcgrgrclgrggrgcrlgrg", "rgcgrgcrlgrgcgrgrclgrggrgcrlgrggr"));
  EXPECT_THAT(run.recorder.Column("by_fifth"), ElementsAre(0, 1, 1, 2, 3, 3, 4, 4, 5, 6, 6))
      << "what belongs to an output clock is read after the partition that announced it";
}

TEST(ScheduledExecution, IsTheSameEachTimeAndWithOtherSteps) {
  const std::string trace = Simulate().Trace();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Simulate().Trace(), trace);
  for (const double step : {0.1, 0.7, 10.0}) {
    EXPECT_EQ(Simulate([step](SimulationOptions& options) { options.step = step; }).Trace(), trace) << step;
  }
}

TEST(ScheduledExecution, StepsAsTheShortestIntervalWhereNothingElseIsSaid) {
  EXPECT_EQ(Simulate({}, {}, std::nullopt).result.step, 0.75);
}

TEST(ScheduledExecution, TheIntervalOfATunableClockCanBeSet) {
  const Simulated run = Simulate([](SimulationOptions& options) {
    options.stop = 2.0;
    options.start_values = {{"given", "0.25"}};
  });
  EXPECT_EQ(run.Trace(), "rgggcgrgggcgrgl");
}

// At 0, 4 and 5, as the table says; the mail of that time is taken, and `later` follows after a quarter of a second.
TEST(ScheduledExecution, TriggeredClocksTickByTheTable) {
  const Simulated run = Simulate({}, "time,asked,mail,signal\n0,1,10,0\n4,2,20,40\n5,3,30,50\n10,3,40,100\n");
  EXPECT_THAT(run.recorder.Column("by_asked"), ElementsAre(1, 1, 1, 1, 2, 3, 3, 3, 3, 3, 3));
  EXPECT_THAT(run.recorder.Column("taken"), ElementsAre(10, 10, 10, 10, 20, 30, 30, 30, 30, 30, 30));
  EXPECT_THAT(run.recorder.Column("taken_at"), ElementsAre(0, 0, 0, 0, 4, 5, 5, 5, 5, 5, 5));
  EXPECT_THAT(run.recorder.Column("sampled"), ElementsAre(0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200));
  EXPECT_EQ(run.Trace().substr(0, 12), "arglcgrgcrlg") << "asked has the smallest priority value";
}

TEST(ScheduledExecution, TicksOfAStepAreSpreadOverIt) {
  const auto with_step = [](double step, const std::string& table) {
    return Simulate([step](SimulationOptions& options) { options.stop = options.step = step; }, table);
  };
  const Simulated run = with_step(2.0, "time,asked\n0,0\n2,4\n");
  EXPECT_EQ(run.recorder.Column("by_asked").back(), 4.0);
  EXPECT_EQ(run.recorder.Column("taken_at").back(), 2.0);
  EXPECT_EQ(run.Trace(), "rgacglarlagclarl") << "at 0.5, 1, 1.5 and 2, and each time later 0.25 s after it";
  EXPECT_THROW(with_step(1.0, "time,asked\n0,0\n1,1001\n"), ModelError);
}

TEST(ScheduledExecution, OfAComponentTakesInputsAtTheTimesOfTheTicks) {
  ComponentRun run(3, "Partitions", 6.0);
  run.driver.Set("time-step", "PT1.5S");
  run.Feed("signal", 1.5, {0, 15, 30, 45, 60});
  run.Feed("asked", 1.5, {1, 1, 2, 2, 5});
  run.Feed("mail", 1.5, {1, 2, 3, 4, 5});
  run.Prepare();
  EXPECT_EQ(run.Text("trace"), Value(std::string("rg")));
  const std::pair<double, double> expected[] = {{20.0, 1.0}, {60.0, 2.0}, {80.0, 2.0}, {120.0, 5.0}};
  for (std::size_t n = 0; n < std::size(expected); ++n) {
    run.driver.Update();
    EXPECT_NEAR(run.Number("sampled"), expected[n].first, 1e-9) << "twice the signal at the last full second";
    EXPECT_EQ(run.Number("by_asked"), expected[n].second) << n;
  }
  EXPECT_EQ(run.Number("taken"), 5.0);
  EXPECT_EQ(run.Number("taken_at"), 6.0);
  EXPECT_EQ(run.Number("fifth"), run.Number("by_fifth")) << "the output clock itself";
}

TEST(ScheduledExecution, OfAComponentTicksAtTheStartByItsInitialNumber) {
  ComponentRun run(3, "Partitions", 2.0);
  run.driver.Initialize();
  ASSERT_TRUE(run.driver.Validate());
  run.fmu.EnterInitialization();
  const double one = 1.0;
  run.fmu.SetInitialNumbers("asked", {&one, 1});
  run.fmu.ShowInitialOutputs();
  run.driver.Prepare();
  EXPECT_EQ(run.Text("trace"), Value(std::string("arg")));
}

TEST(ScheduledExecution, GoesOnFromAKeptState) {
  const auto with = [](double from, bool other) {
    ComponentRun run(3, "Partitions", 10.0);
    run.Feed("asked", 1.0, {0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2});
    run.Prepare();
    run.driver.UpdateUntil(kRunBegin + Seconds(from));
    const IIdentifiable& state = run.fmu.KeepCurrentState();
    const IIdentifiable& fed = run.Table().KeepCurrentState();
    const Bytes bytes = run.fmu.ConvertToByteArray(state);
    run.driver.UpdateToEnd();
    std::vector<std::string> found = {*run.Text("trace").As<std::string>()};
    run.Table().RestoreState(fed);
    run.fmu.RestoreState(other ? run.fmu.ConvertFromByteArray(bytes) : state);
    run.driver.UpdateToEnd();
    found.push_back(*run.Text("trace").As<std::string>());
    return found;
  };
  for (const double from : {0.0, 2.0, 5.0}) {
    for (const bool other : {false, true}) {
      const auto found = with(from, other);
      EXPECT_EQ(found[1], found[0]) << from;
      EXPECT_GT(found[0].size(), 33U);
    }
  }
}

TEST(ScheduledExecution, AFaultOfThePartitionIsReportedInTheWordsOfTheStandard) {
  const auto failure = [](const char* wish) {
    try {
      Simulate([wish](SimulationOptions& options) { options.start_values = {{"wish", wish}}; });
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(failure("1"), HasSubstr("to unlock preemption as often as it locks it, found it still locked at 2"));
  EXPECT_THAT(failure("2"), HasSubstr("found it unlocked without a lock at 2"));
  EXPECT_THAT(failure("3"), HasSubstr("expected an interval of clock later of 0 or more, found -1e-300 at 2"));
  EXPECT_THAT(failure("4"), HasSubstr("expected fmi3ActivateModelPartition to succeed, found Discard"));
  EXPECT_THAT(failure("5"), HasSubstr("expected activations of the partition of clock later at growing times"));
  EXPECT_THAT(failure("6"), HasSubstr("in fmi3ActivateModelPartition, on its thread, found a call from elsewhere"));
  EXPECT_EQ(failure("0"), "");
}

}  // namespace
}  // namespace openmi::fmi
