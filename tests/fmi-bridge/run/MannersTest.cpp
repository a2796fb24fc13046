// How FMUs are driven, seen by FMUs that refuse what the mode tables of their version forbid.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <functional>
#include <thread>

#include "fmi-bridge/fmi/run/CoSimulation.hpp"
#include "tests/fmi-bridge/run/ComponentRun.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::fmi {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<double> Ramp(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = 0.1 * static_cast<double>(i);
  return values;
}

TEST(Manners, NoWayBackIsAskedForWhereNoStateIsKept) {
  for (const int version : {2, 3}) {
    MemoryRecorder recorder;
    ExampleFmu(version, "Manners").Run({}, recorder);
    EXPECT_THAT(recorder.Column("way_back"), Each(0.0)) << version;
  }
}

TEST(Manners, AWayBackIsAskedForAsLongAsAnEarlierStateIsKept) {
  for (const int version : {2, 3}) {
    for (const char* kind : {"co-simulation", "model-exchange"}) {
      ComponentRun run(version, "Manners", 1.0);
      run.driver.Set("kind", kind);
      run.Prepare();
      run.driver.Update();
      EXPECT_EQ(run.Number("way_back"), 0.0) << kind;
      const IIdentifiable& state = run.fmu.KeepCurrentState();
      run.driver.Update();
      run.driver.Update();
      EXPECT_EQ(run.Number("way_back"), 1.0) << kind;
      run.fmu.RestoreState(state);  // the FMU refuses a state to which the way back was given up
      run.fmu.ClearState(state);
      run.driver.Update();
      EXPECT_EQ(run.Number("way_back"), 0.0) << kind;
    }
  }
}

TEST(Manners, NoStepEndsAfterTheStopTimeByALastBit) {
  struct Case {
    double step, stop;
    int steps;
  };
  for (const int version : {2, 3}) {
    for (const Case& c : {Case{0.02, 0.3, 15}, Case{0.1, 0.7, 7}, Case{0.002, 0.7, 350}, Case{0.1, 1.3, 13}}) {
      EXPECT_GT((c.steps - 1) * c.step + c.step, c.stop) << "a case that tries nothing";
      SCOPED_TRACE(fmt::format("FMI {}, steps of {} to {}", version, c.step, c.stop));
      MemoryRecorder recorder;
      SimulationOptions options;
      options.kind = InterfaceKind::CoSimulation;
      options.step = c.step;
      options.stop = c.stop;
      EXPECT_NO_THROW(ExampleFmu(version, "Manners").Run(options, recorder));
      EXPECT_EQ(recorder.times.size(), static_cast<std::size_t>(c.steps) + 1);
      ComponentRun run(version, "Manners", c.stop);
      run.driver.Set("kind", "co-simulation").Set("time-step", fmt::format("PT{}S", c.step));
      run.Prepare();
      for (int n = 0; n < c.steps; ++n) ASSERT_NO_THROW(run.driver.Update()) << n;
      EXPECT_EQ(run.fmu.Status(), LinkableComponentStatus::Done);
    }
  }
}

// Where a unit in the last place is more than a small part of a step, and where the last step is a part of one.
TEST(Manners, EachStepIsMadeAndNoneEndsAfterTheStopTimeAtLargeTimesAndInAPartOfAStep) {
  struct Case {
    double start, step, stop;
    std::size_t rows;
  };
  for (const int version : {2, 3}) {
    for (const int way : {0, 1, 2}) {
      if (version == 2 && way == 1) continue;  // there is no event mode in co-simulation
      for (const Case& c : {Case{1e6, 0.01, 1000000.07, 8}, Case{1e6, 0.1, 1000000.7, 8},
                            Case{1e9, 0.001, 1e9 + 0.3, 301}, Case{1.45e9, 0.001, 1.45e9 + 1.0, 1001},
                            Case{0.01185, 1.0, 0.3, 2}, Case{0.1, 0.3, 0.7, 3}, Case{-1e6, 0.01, -999999.93, 8}}) {
        SCOPED_TRACE(fmt::format("FMI {}, {} to {} in steps of {}, way {}", version, c.start, c.stop, c.step, way));
        MemoryRecorder recorder;
        SimulationOptions options;
        options.kind = way == 2 ? InterfaceKind::ModelExchange : InterfaceKind::CoSimulation;
        options.event_mode = way == 1;
        options.start_values = {{"moving", "1"}};
        options.start = c.start;
        options.step = c.step;
        options.stop = c.stop;
        EXPECT_NO_THROW(ExampleFmu(version, "Manners").Run(options, recorder));
        ASSERT_EQ(recorder.times.size(), c.rows);
        const std::vector<double>& x = recorder.Column("x");  // the time since the start
        for (std::size_t row = 0; row < c.rows; ++row) EXPECT_NEAR(x[row], recorder.times[row] - c.start, 1e-6) << row;
      }
    }
  }
}

TEST(Manners, DiscreteInputsOfAComponentAreSetInEventModeWhereTheyChange) {
  for (const char* kind : {"co-simulation", "model-exchange"}) {
    ComponentRun run(3, "Manners", 1.0);
    run.driver.Set("kind", kind).Set("event-mode", "true");
    run.Feed("level", 0.1, {5, 5, 5, 5, 6, 6, 6, 6, 6, 7, 7});
    run.Prepare();
    EXPECT_EQ(run.Number("events"), 1.0) << "that after initialization";
    for (int n = 1; n <= 10; ++n) {
      run.driver.Update();
      EXPECT_EQ(run.Number("level_shown"), n < 4 ? 5.0 : n < 9 ? 6.0 : 7.0) << kind << " at step " << n;
    }
    EXPECT_EQ(run.Number("events"), 4.0) << kind << ": one for each new value";
  }
}

TEST(Manners, TextsOfAComponentAreSetInEventModeWhereTheyChange) {
  for (const char* kind : {"co-simulation", "model-exchange"}) {
    ComponentRun source(3, "Feedthrough", 1.0);
    source.driver.Set("String_input", "late").Set("time-step", "PT0.1S");
    ComponentRun run(3, "Manners", 1.0);
    run.driver.Set("kind", kind).Set("event-mode", "true");
    for (ComponentRun* one : {&source, &run}) one->driver.Initialize();
    IBaseOutput& text = source.Output("String_output");
    IBaseInput& word = run.Input("word");
    text.AddConsumer(word);
    for (ComponentRun* one : {&source, &run}) one->driver.Validate();
    for (ComponentRun* one : {&source, &run}) one->driver.Prepare();
    EXPECT_EQ(run.Number("events"), 1.0) << "that after initialization";
    run.driver.UpdateToEnd();
    EXPECT_EQ(run.Text("word_shown"), Value("late")) << kind;
    EXPECT_EQ(run.Number("events"), 2.0) << kind << ": one for the text";
    run.driver.Finish();
    text.RemoveConsumer(word);
  }
}

// Nor in the first step, whose values are those of the initialization.
TEST(Manners, UnchangedDiscreteInputsCauseNoEvent) {
  for (const int version : {2, 3}) {
    for (const char* kind : {"model-exchange", "co-simulation"}) {
      if (version == 2 && kind == std::string("co-simulation")) continue;  // without events
      ComponentRun run(version, "Manners", 1.0);
      run.driver.Set("kind", kind).Set("event-mode", "true");
      run.Feed("level", 0.1, {5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6});
      run.Prepare([&] {
        const double initial = 5.0;
        run.fmu.SetInitialNumbers("level", {&initial, 1});
      });
      for (int n = 1; n <= 10; ++n) {
        run.driver.Update();
        EXPECT_EQ(run.Number("level_shown"), n < 7 ? 5.0 : 6.0) << kind << " at step " << n;
        EXPECT_EQ(run.Number("events"), n < 7 ? 1.0 : 2.0) << version << " " << kind << " at step " << n;
      }
    }
  }
}

TEST(Manners, DiscreteInputsOfASimulationAreSetInEventMode) {
  const ScratchFolder folder;
  for (const InterfaceKind kind : {InterfaceKind::CoSimulation, InterfaceKind::ModelExchange}) {
    SimulationOptions options;
    options.kind = kind;
    options.event_mode = true;
    options.inputs = folder / "inputs.csv";
    std::ofstream(*options.inputs) << "time,level,word,steady\n0,5,early,0\n0.45,6,late,1\n";
    MemoryRecorder recorder;
    ExampleFmu(3, "Manners").Run(options, recorder);
    EXPECT_EQ(recorder.Column("level_shown")[0], 5.0);
    EXPECT_EQ(recorder.Column("level_shown").back(), 6.0);
    EXPECT_EQ(recorder.Column("events").back(), 2.0);
    EXPECT_EQ(recorder.texts[0].back(), "late");
  }
}

TEST(Manners, OnlyInputsForItAreSetInIntermediateUpdate) {
  ComponentRun run(3, "Manners", 1.0);
  run.driver.Set("inputs", "linear");
  run.Feed("moving", 0.1, Ramp(11));
  run.Feed("steady", 0.1, Ramp(11));
  run.Prepare();
  run.driver.UpdateToEnd();
  EXPECT_NEAR(run.Number("x"), 0.5, 0.02) << "linear within each step";
  EXPECT_NEAR(run.Number("z"), 0.55, 1e-9) << "at the end of each step";
}

InstanceOptions Options(const std::string& name) {
  InstanceOptions options;
  options.name = name;
  options.logging = true;
  return options;
}

void Set(Instance& instance, ValueReference variable, double value = 1.0) {
  instance.Set(VariableType::Float64, {&variable, 1}, &value, 1);
}

void Get(Instance& instance, ValueReference variable) {
  double value = 0.0;
  instance.Get(VariableType::Float64, {&variable, 1}, &value, 1);
}

void Count(Instance& instance, ValueReference variable) {
  std::int32_t value = 0;
  instance.Get(VariableType::Int32, {&variable, 1}, &value, 1);
}

void Activate(Instance& instance, ValueReference clock) {
  const bool active = true;
  instance.SetClocks({&clock, 1}, {&active, 1});
}

void Initialized(Instance& instance) {
  instance.EnterInitialization({});
  instance.ExitInitialization();
}

/// Beyond the first event, in step mode or continuous-time mode.
void Running(Instance& instance) {
  Initialized(instance);
  instance.UpdateDiscreteStates();
  if (instance.Options().kind == InterfaceKind::ModelExchange) {
    instance.EnterContinuousTimeMode();
  } else {
    instance.EnterStepMode();
  }
}

// Each rule: how the mode is reached, what may be done there, and what may not.
TEST(Manners, TheExamplesRefuseWhatTheModeTablesForbid) {
  using Work = std::function<void(Instance&)>;
  struct Rule {
    const char* what;
    int version;
    const char* fmu;
    InterfaceKind kind;
    bool event_mode;
    Work before, allowed, forbidden;
  };
  constexpr auto kCo = InterfaceKind::CoSimulation;
  constexpr auto kExchange = InterfaceKind::ModelExchange;
  // Linear: u 1, y 2, a 3. Manners: steady 1, moving 2, level 3, x 5. Ticks: fast 3, pace 6, both 8, by_fast 10.
  const Work nothing = [](Instance&) {};
  const Work set_a = [](Instance& i) { Set(i, 3); };
  const Work set_u = [](Instance& i) { Set(i, 1); };
  const Work get_y = [](Instance& i) { Get(i, 2); };
  const Work set_level = [](Instance& i) { Set(i, 3); };
  const Work step = [](Instance& i) {
    StepResult result;
    i.DoStep(0.0, 0.1, true, result);
  };
  const std::vector<Rule> rules = {
      {"get before initialization", 1, "Linear", kCo, false, nothing, set_a, get_y},
      {"get before initialization", 2, "Linear", kCo, false, nothing, set_a, get_y},
      {"get what has no start value", 3, "Linear", kCo, false, nothing, set_u, get_y},
      {"set a fixed parameter later", 1, "Linear", kCo, false, Initialized, set_u, set_a},
      {"set a fixed parameter later", 2, "Linear", kCo, false, Initialized, set_u, set_a},
      {"set a fixed parameter later", 3, "Linear", kCo, false, Initialized, set_u, set_a},
      {"get between set and step", 2, "Linear", kCo, false, Initialized, set_u, get_y},
      {"get between set and step", 3, "Linear", kCo, false, Initialized, set_u, get_y},
      {"step of model exchange", 2, "Linear", kExchange, false, Initialized, nothing, step},
      {"states in event mode", 2, "Linear", kExchange, false, Initialized, set_u,
       [](Instance& i) { i.SetContinuousStates(std::vector<double>{1.0}); }},
      {"time in event mode", 3, "Linear", kExchange, false, Initialized, set_u, [](Instance& i) { i.SetTime(0.0); }},
      {"discrete input in continuous time", 2, "Manners", kExchange, false,
       [](Instance& i) {
         Initialized(i);
         i.UpdateDiscreteStates();
         i.EnterContinuousTimeMode();
       },
       set_u, set_level},
      {"discrete input in continuous time", 3, "Manners", kExchange, false, Running, set_u, set_level},
      {"discrete input in step mode beside event mode", 3, "Manners", kCo, true, Running, set_u, set_level},
      {"event mode that was not asked for", 3, "Manners", kCo, false, Initialized, set_level,
       [](Instance& i) { i.EnterEventMode(); }},
      {"clock in step mode", 3, "Ticks", kCo, true, Running, nothing, [](Instance& i) { Activate(i, 3); }},
      {"output clock set", 3, "Ticks", kCo, true, Initialized, [](Instance& i) { Activate(i, 3); },
       [](Instance& i) { Activate(i, 8); }},
      {"output of a clock that does not tick", 3, "Ticks", kCo, true, Initialized,
       [](Instance& i) {
         Activate(i, 3);
         Count(i, 10);
       },
       [](Instance& i) { Count(i, 11); }},
      {"output of a clock in step mode", 3, "Ticks", kCo, true, Running, [](Instance& i) { Get(i, 1); },
       [](Instance& i) { Count(i, 10); }},
      {"interval of a constant clock", 3, "Ticks", kCo, true, [](Instance& i) { i.EnterInitialization({}); },
       [](Instance& i) { i.SetInterval(6, {.decimal = 0.25}); },
       [](Instance& i) { i.SetInterval(3, {.decimal = 0.25}); }},
  };
  for (const Rule& rule : rules) {
    SCOPED_TRACE(fmt::format("FMI {}, {}: {}", rule.version, rule.fmu, rule.what));
    const ExampleFmu fmu(rule.version, rule.fmu);
    InstanceOptions options = Options("x");
    options.kind = rule.kind;
    options.event_mode = rule.event_mode;
    const auto instance = Instance::Make(fmu.files->Folder(), fmu.description, options);
    rule.before(*instance);
    EXPECT_NO_THROW(rule.allowed(*instance));
    EXPECT_THROW(rule.forbidden(*instance), ModelError);
  }
}

TEST(Manners, AnExceptionDoesNotPassThroughTheFmu) {
  const ExampleFmu fmu(3, "Manners");
  InstanceOptions options = Options("x");
  int moments = 0;
  options.intermediate_variables = {2};
  options.intermediate = [&moments](const IntermediateMoment&) -> double {
    ++moments;
    throw RangeError({}, "expected nothing here");
  };
  const auto instance = Instance::Make(fmu.files->Folder(), fmu.description, options);
  CoSimulation stepper(*instance);
  instance->EnterInitialization({});
  instance->ExitInitialization();
  EXPECT_THROW(stepper.Advance(0.0, 0.1, 0.1), RangeError);
  EXPECT_EQ(moments, 1) << "the hook is not called again";

  for (const int version : {1, 2, 3}) {
    const ExampleFmu failing(version, "Failing");
    InstanceOptions loud = Options("DoStep:1=Warning");
    loud.log = [](const LogMessage&) { throw FileError({}, "expected room on the disk, found none"); };
    const auto other = Instance::Make(failing.files->Folder(), failing.description, loud);
    CoSimulation steps(*other);
    other->EnterInitialization({});
    other->ExitInitialization();
    EXPECT_THROW(steps.Advance(0.0, 0.1, 0.1), FileError) << version;
  }
}

TEST(Manners, AMessageWithAStrangeEnvironmentIsFoundByItsName) {
  for (const int version : {2, 3}) {
    const ExampleFmu fmu(version, "Failing");
    std::vector<std::string> messages;
    InstanceOptions options = Options("DoStep:1=Stray");
    options.log = [&messages](const LogMessage& message) { messages.emplace_back(message.text); };
    const auto instance = Instance::Make(fmu.files->Folder(), fmu.description, options);
    CoSimulation steps(*instance);
    instance->EnterInitialization({});
    instance->ExitInitialization();
    EXPECT_EQ(steps.Advance(0.0, 0.1, 0.1).time, 0.1);
    if (version == 2) {
      EXPECT_THAT(messages, Contains(HasSubstr("from elsewhere")));
    }
  }
}

// The first is still being made when the second of its name is made and refused.
TEST(Manners, InstancesOfOneNameMadeAtOnceHaveMessagesOfTheirOwn) {
  const ExampleFmu fmu(1, "Failing");
  const auto make = [&fmu](const LogSink& log) {
    InstanceOptions options = Options("InstantiateSlave:1=Error");
    options.log = log;
    Instance::Make(fmu.files->Folder(), fmu.description, options);
  };
  int first = 0;
  int second = 0;
  EXPECT_THROW(make([&](const LogMessage&) {
                 if (++first > 1) return;
                 std::thread([&] { EXPECT_THROW(make([&](const LogMessage&) { ++second; }), ModelError); }).join();
               }),
               ModelError);
  EXPECT_EQ(first, 2);
  EXPECT_EQ(second, 2);
}

TEST(Manners, OneInstanceAtMostIsCountedWhereThereMayBeOne) {
  const ExampleFmu fmu(3, "Manners");
  const std::filesystem::path file = LibraryFileOf(fmu.files->Folder(), fmu.description, InterfaceKind::CoSimulation);
  const auto library = FmuLibrary::Load(file, FmiMajor::Fmi3, "Manners");
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> taken = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        if (library->TryCount(true)) ++taken;
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(taken, 1);
    library->Uncount();
  }
}

TEST(MissingInputs, AreRefusedUnlessTheRunSaysWhatTheFmuGets) {
  for (const int version : {1, 2, 3}) {
    ComponentRun run(version, "Linear", 0.4);
    run.driver.Set("time-step", "PT0.1S");
    run.Feed("u", 0.1, {1, 2, kNaN, 4, 5});
    run.Prepare();
    run.driver.Update();
    try {
      run.driver.Update();
      FAIL() << "the value at 0.2 s is missing";
    } catch (const RangeError& error) {
      EXPECT_THAT(error.what(), HasSubstr("expected a value for the input 'u' of an FMU at 2020-01-01T00:00:00.2"));
      EXPECT_THAT(error.what(), HasSubstr("missing-inputs"));
    }
  }
}

TEST(MissingInputs, AreHeldOrPassedAndCounted) {
  const auto outputs = [](const std::string& manner, const std::string& kind, std::string& remark) {
    ComponentRun run(3, "Linear", 0.5);
    run.driver.Set("missing-inputs", manner).Set("kind", kind).Set("inputs", "end");
    run.driver.Set("a", "1").Set("b", "0").Set("x", "0").Set("u", "9");
    run.Feed("u", 0.1, {kNaN, kNaN, 2, kNaN, 4, 5});
    run.Prepare();
    std::vector<double> found;
    while (run.fmu.Status() != LinkableComponentStatus::Done) {
      run.driver.Update();
      found.push_back(run.Number("y"));
    }
    remark = run.Remark();
    return found;
  };
  for (const char* kind : {"co-simulation", "model-exchange"}) {
    std::string remark;
    EXPECT_EQ(outputs("hold", kind, remark), (std::vector<double>{9, 2, 2, 4, 5})) << kind;
    EXPECT_THAT(remark, HasSubstr("found 2 missing ones, the first at 2020-01-01T00:00:00.1"));
    EXPECT_THAT(remark, HasSubstr("kept the value it had last"));
    const std::vector<double> passed = outputs("pass", kind, remark);
    EXPECT_TRUE(std::isnan(passed[0]) && passed[1] == 2.0 && std::isnan(passed[2]) && passed[3] == 4.0) << kind;
    EXPECT_THAT(remark, HasSubstr("got not-a-number"));
  }
}

TEST(Manners, DerivativesOfInputsThatAreRefusedAreGivenUp) {
  for (const int version : {1, 2}) {
    ComponentRun run(version, "Cautious", 0.5);
    run.driver.Set("time-step", "PT0.1S").Set("inputs", "linear");
    run.Feed("u", 0.1, Ramp(6));
    run.Prepare();
    run.driver.UpdateToEnd();
    EXPECT_NEAR(run.Number("x"), 0.5, 1e-12);
    EXPECT_THAT(run.Remark(), HasSubstr("found that it refuses them"));

    const ScratchFolder folder;
    SimulationOptions options;
    options.inputs = folder / "inputs.csv";
    std::ofstream(*options.inputs) << "time,u\n0,0\n1,1\n";
    std::vector<std::string> messages;
    options.log = [&messages](const LogMessage& message) { messages.emplace_back(message.text); };
    MemoryRecorder recorder;
    const SimulationResult result = ExampleFmu(version, "Cautious").Run(options, recorder);
    EXPECT_EQ(result.end, 1.0);
    EXPECT_THAT(messages, Contains(HasSubstr("derivatives of inputs, and refuses them")));
  }
}

TEST(Manners, ADiscardedStepIsDoneInSmallerOnesFromTheStateBefore) {
  for (const int version : {2, 3}) {
    ComponentRun run(version, "Cautious", 1.0);
    run.driver.Set("time-step", "PT0.1S").Set("longest", "0.03").Set("retry-steps", "true");
    run.Prepare();
    run.driver.UpdateToEnd();
    EXPECT_NEAR(run.Number("x"), 1.0, 1e-12) << version;
  }
  ComponentRun run(2, "Cautious", 1.0);
  run.driver.Set("time-step", "PT0.1S").Set("longest", "0.03");
  run.Prepare();
  EXPECT_THROW(run.driver.Update(), ModelError) << "nothing was kept";
}

TEST(Manners, AnFmuThatGivesNoNumbersAnyMoreIsReported) {
  ComponentRun run(3, "Cautious", 1.0);
  run.driver.Set("time-step", "PT0.1S").Set("silent", "true");
  run.Prepare();
  EXPECT_EQ(run.Remark(), "");
  run.driver.UpdateToEnd();
  EXPECT_THAT(run.Remark(), HasSubstr("found none in any of its 1 numeric outputs"));
}

TEST(Manners, AStepThatNothingGivesIsSaid) {
  ComponentRun run(3, "Cautious", 2.0);
  run.Prepare();
  ASSERT_EQ(run.driver.Messages().size(), 1U);
  EXPECT_THAT(run.driver.Messages()[0], HasSubstr("x.time-step: expected a step"));
  EXPECT_THAT(run.driver.Messages()[0], HasSubstr("1 s are taken"));
  ComponentRun given(3, "Cautious", 2.0);
  given.driver.Set("time-step", "PT0.5S");
  given.Prepare();
  EXPECT_TRUE(given.driver.Messages().empty());
}

}  // namespace
}  // namespace openmi::fmi
