#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/fmi/run/StateFile.hpp"
#include "openmi/sdk/Problem.hpp"
#include "tests/fmi-bridge/run/ComponentRun.hpp"
#include "tests/support/RunChecked.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::fmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;

StateFile Example() {
  return {.token = "{a b}",
          .model = "a model",
          .version = "3.0",
          .kind = "co-simulation",
          .platform = "x86_64-linux",
          .mode = 5,
          .time = 0.1 + 0.2,
          .fmu = std::string("\0\n1", 3),
          .importer = "clocks"};
}

std::string Refusal(std::string_view content) {
  try {
    DecodeStateFile(content, {.file = "x.state"});
  } catch (const FormatError& error) {
    return error.what();
  }
  return {};
}

std::string ContentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(StateFile, ComesBackAsItWas) {
  const StateFile state = DecodeStateFile(EncodeStateFile(Example()), {});
  EXPECT_EQ(state.token, "{a b}");
  EXPECT_EQ(state.model, "a model");
  EXPECT_EQ(state.mode, 5);
  EXPECT_EQ(state.time, 0.1 + 0.2) << "to the last bit";
  EXPECT_EQ(state.fmu, Example().fmu);
  EXPECT_EQ(state.importer, "clocks");
}

TEST(StateFile, ThatIsDamagedIsRefused) {
  const std::string whole = EncodeStateFile(Example());
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_NE(Refusal(whole.substr(0, size)), "") << size;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_NE(Refusal(changed), "") << at;
  }
  EXPECT_NE(Refusal(whole + "x"), "");
  EXPECT_THAT(Refusal("PK\3\4"), AllOf(HasSubstr("x.state"), HasSubstr("expected the state of an FMU, which begins")));
  const auto with = [&whole](const std::string& from, const std::string& to) {
    std::string changed = whole;
    return Refusal(changed.replace(changed.find(from), from.size(), to));
  };
  EXPECT_THAT(with("fmu-bytes 3", "fmu-bytes 18446744073709551615"), HasSubstr("bytes after the head, found 9"));
  EXPECT_THAT(with("fmu-bytes 3", "fmu-bytes -3"), HasSubstr("expected a number of bytes"));
  EXPECT_THAT(with("mode 5", "mode 77"), HasSubstr("expected a known mode, found 77"));
  EXPECT_THAT(with("time 0.3", "time nan #"), HasSubstr("expected a finite time"));
  EXPECT_THAT(with("token {a b}", "token {a c}"), HasSubstr("the file is damaged"));
  EXPECT_THAT(with("token", "tok\x1b[31m"), AllOf(HasSubstr("a line 'token ...'"), testing::Not(HasSubstr("\x1b"))));
}

/// What a run of a part of the time gives at its end.
struct Part {
  std::vector<double> numbers;
  std::string error;
};

Part RunOf(int version, const std::string& name, double seconds, const std::vector<std::string>& outputs,
           const std::vector<std::pair<std::string, std::string>>& set) {
  Part part;
  ComponentRun run(version, name, seconds);
  try {
    for (const auto& [key, value] : set) run.driver.Set(key, value);
    run.Prepare();
    run.driver.UpdateToEnd();
    for (const std::string& output : outputs) part.numbers.push_back(run.Number(output));
    run.driver.Finish();
  } catch (const Error& error) {
    part.error = error.what();
  }
  return part;
}

TEST(StateFile, ARunGoesOnWhereAnotherEnded) {
  struct Case {
    int version;
    const char* name;
    const char* kind;
    std::vector<std::string> outputs;
    double first, second;
  };
  const Case cases[] = {{2, "BouncingBall", "co-simulation", {"h"}, 0.75, 1.25},
                        {3, "BouncingBall", "co-simulation", {"h"}, 0.75, 1.25},
                        {3, "Ticks", "co-simulation", {"x", "total", "both"}, 0.5, 0.75},
                        {3, "Ticks", "model-exchange", {"total", "both"}, 0.5, 0.75},
                        {3, "Partitions", "scheduled-execution", {"total", "fifth"}, 3.0, 5.0}};
  const ScratchFolder folder;
  const std::string file = folder / "end.state";
  for (const Case& one : cases) {
    SCOPED_TRACE(fmt::format("{} {} {}", one.version, one.name, one.kind));
    // A step whose sums are exact: the times of a run that goes on are those of the state and whole steps after it.
    const auto run = [&one](double seconds, const char* key, const std::string& value) {
      return RunOf(one.version, one.name, seconds, one.outputs,
                   {{"kind", one.kind}, {"time-step", "PT0.125S"}, {key, value}});
    };
    const Part whole = run(one.first + one.second, "event-mode", "auto");
    const Part first = run(one.first, "end-state", file);
    EXPECT_EQ(first.error, "");
    EXPECT_THAT(ContentOf(file), HasSubstr(fmt::format("\nkind {}\n", one.kind)));
    const Part second = run(one.second, "start-state", file);
    EXPECT_EQ(second.error, "");
    EXPECT_EQ(second.numbers, whole.numbers);
    EXPECT_NE(second.numbers, first.numbers);
  }
}

/// Runs one FMU alone in steps of 0.125.
MemoryRecorder Alone(int version, const std::string& name, const std::string& kind, double stop,
                     const std::string& start_state, const std::string& end_state) {
  SimulationOptions options;
  options.kind = kWaysToRun.Find(kind);
  options.step = 0.125;
  options.stop = stop;
  options.start_state = start_state;
  options.end_state = end_state;
  MemoryRecorder rows;
  ExampleFmu(version, name).Run(options, rows);
  return rows;
}

TEST(StateFile, OfAnFmuAloneGoesOnAloneAndAsAComponent) {
  struct Case {
    int version;
    const char* name;
    const char* kind;
    const char* output;
    double first, whole;
  };
  const Case cases[] = {{2, "BouncingBall", "co-simulation", "h", 0.75, 2.0},
                        {3, "BouncingBall", "co-simulation", "h", 0.75, 2.0},
                        {3, "Ticks", "co-simulation", "total", 0.5, 1.25},
                        {3, "Ticks", "model-exchange", "total", 0.5, 1.25},
                        {3, "Partitions", "scheduled-execution", "total", 3.0, 8.0}};
  const ScratchFolder folder;
  const std::string alone = folder / "alone.state", component = folder / "component.state";
  for (const Case& one : cases) {
    SCOPED_TRACE(fmt::format("{} {} {}", one.version, one.name, one.kind));
    const MemoryRecorder whole = Alone(one.version, one.name, one.kind, one.whole, "", "");
    Alone(one.version, one.name, one.kind, one.first, "", alone);
    const std::vector<std::pair<std::string, std::string>> set = {{"kind", one.kind}, {"time-step", "PT0.125S"}};
    const auto with = [&set](const char* key, const std::string& file) {
      auto all = set;
      all.emplace_back(key, file);
      return all;
    };
    EXPECT_EQ(RunOf(one.version, one.name, one.first, {}, with("end-state", component)).error, "");
    for (const std::string& state : {alone, component}) {
      const MemoryRecorder rest = Alone(one.version, one.name, one.kind, one.whole, state, "");
      ASSERT_LT(rest.times.size(), whole.times.size());
      const auto skipped = static_cast<std::ptrdiff_t>(whole.times.size() - rest.times.size());
      EXPECT_EQ(rest.times.front(), one.first);
      EXPECT_EQ(rest.times, std::vector(whole.times.begin() + skipped, whole.times.end()));
      const std::vector<double>& numbers = whole.Column(one.output);
      EXPECT_EQ(rest.Column(one.output), std::vector(numbers.begin() + skipped, numbers.end()));
    }
    const Part as_component =
        RunOf(one.version, one.name, one.whole - one.first, {one.output}, with("start-state", alone));
    EXPECT_EQ(as_component.error, "");
    EXPECT_EQ(as_component.numbers, std::vector{whole.Column(one.output).back()});
  }
}

TEST(StateFile, InputsOfATableReplaceThoseOfTheState) {
  const ScratchFolder folder;
  const auto level = [&](const char* kind, const std::string& value, bool goes_on) {
    SimulationOptions options;
    options.kind = kWaysToRun.Find(kind);
    options.event_mode = true;
    options.step = 0.125;
    options.stop = goes_on ? 1.0 : 0.5;
    options.inputs = folder.Write("levels.csv", "time,level\n0," + value + "\n9," + value + "\n");
    (goes_on ? options.start_state : options.end_state) = folder / "end.state";
    MemoryRecorder rows;
    ExampleFmu(3, "Manners").Run(options, rows);
    return rows.Column("level_shown");
  };
  for (const char* kind : {"co-simulation", "model-exchange"}) {
    EXPECT_THAT(level(kind, "5", false), testing::Each(5.0));
    EXPECT_THAT(level(kind, "7", true), testing::ElementsAre(5.0, 7.0, 7.0, 7.0, 7.0)) << kind;
  }
}

TEST(StateFile, TicksOfATableThatWereMadeBeforeAreNotMadeAgain) {
  struct Case {
    const char* name;
    const char* kind;
    const char* output;
    std::vector<double> rest, from_zero;
  };
  // In co-simulation and model exchange a tick is made at the start of a step: that of the end is left for the rest.
  // Outputs of clocks (by_asked) show 0 until they change.
  const Case cases[] = {{"Clocks", "co-simulation", "asked_count", {1, 2, 3, 3}, {1, 1, 1, 2}},
                        {"Ticks", "model-exchange", "by_asked", {0, 2, 3, 3}, {0, 0, 0, 2}},
                        {"Partitions", "scheduled-execution", "by_asked", {0, 3, 3, 3}, {0, 0, 3, 3}}};
  const ScratchFolder folder;
  for (const Case& one : cases) {
    SCOPED_TRACE(fmt::format("{} {}", one.name, one.kind));
    const auto run = [&](double stop, const char* table, bool goes_on) {
      SimulationOptions options;
      options.kind = kWaysToRun.Find(one.kind);
      options.step = 1.0;
      options.stop = stop;
      options.inputs = folder.Write("ticks.csv", std::string("time,asked\n") + table);
      options.outputs = {one.output};
      (goes_on ? options.start_state : options.end_state) = folder / "end.state";
      MemoryRecorder rows;
      ExampleFmu(3, one.name).Run(options, rows);
      return rows.Column(one.output);
    };
    constexpr const char* kTable = "0,0\n1,1\n2,2\n3,3\n";
    run(2.0, kTable, false);
    EXPECT_EQ(run(5.0, kTable, true), one.rest);
    run(2.0, kTable, false);
    EXPECT_EQ(run(5.0, "0,0\n4,1\n", true), one.from_zero);
  }
}

TEST(StateFile, OfAnFmuAloneIsRefusedWhereItCannotBe) {
  const ScratchFolder folder;
  const std::string file = folder / "end.state";
  Alone(3, "BouncingBall", "co-simulation", 1.0, "", file);
  const ExampleFmu ball(3, "BouncingBall");
  const auto refusal = [&](const ExampleFmu& fmu, const std::function<void(SimulationOptions&)>& change) {
    SimulationOptions options;
    options.start_state = file;
    change(options);
    MemoryRecorder rows;
    try {
      fmu.Run(options, rows);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return fmt::format("{} rows to {}", rows.times.size(), rows.times.back());
  };
  // As long again as the FMU's own experiment, of 3 s.
  EXPECT_EQ(refusal(ball, [](auto& options) { options.step = 0.5; }), "7 rows to 4");
  EXPECT_THAT(refusal(ball, [](auto& options) { options.start = 2.0; }),
              AllOf(HasSubstr("end.state: expected a state at the start time 2, found one at 1"), HasSubstr("leave")));
  EXPECT_THAT(refusal(ball, [](auto& options) { options.stop = 0.5; }), HasSubstr("found start 1, stop 0.5"));
  EXPECT_THAT(refusal(ball, [](auto& options) { options.end_state = "/dev/null"; }),
              HasSubstr("/dev/null: expected a file for the state of the FMU that can be written, found: no file"));
  EXPECT_THAT(refusal(ExampleFmu(3, "Dahlquist"), [](auto&) {}), HasSubstr("of an FMU with the token '{"));
  EXPECT_THAT(refusal(ExampleFmu(1, "BouncingBall"), [](auto&) {}),
              AllOf(HasSubstr("start-state"), HasSubstr("whose state can be kept as bytes, found one that cannot")));
  EXPECT_THAT(
      refusal(ball,
              [](auto& options) {
                options.start_values = {{"e", "0.5"}};
              }),
      AllOf(HasSubstr("e: expected start values of structural parameters only"), HasSubstr("set it in the run")));
  EXPECT_THAT(refusal(ball, [&](auto& options) { options.end_state = folder / "none/end.state"; }),
              HasSubstr("none/end.state: expected a file for the state of the FMU that can be written"));
  std::filesystem::remove(file);
  std::string logged;
  SimulationOptions stairs;
  stairs.stop = 20.0;
  stairs.end_state = file;
  stairs.log = [&logged](const LogMessage& message) { logged.append(message.text); };
  MemoryRecorder rows;
  ExampleFmu(3, "Stairs").Run(stairs, rows);
  EXPECT_THAT(logged, AllOf(HasSubstr("before its stop time 20: its state is not written"), HasSubstr(file),
                            HasSubstr("take an earlier stop time")));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(StateFile, OfAnotherFmuIsRefused) {
  const ScratchFolder folder;
  const std::string file = folder / "end.state";
  EXPECT_EQ(RunOf(3, "BouncingBall", 0.1, {}, {{"end-state", file}}).error, "");
  const auto refusal = [&](int version, const std::string& name, const std::string& key, const std::string& value) {
    return RunOf(version, name, 0.1, {}, {{"start-state", file}, {key, value}}).error;
  };
  EXPECT_THAT(refusal(3, "Dahlquist", "kind", "auto"), HasSubstr("expected the state of an FMU with the token '{"));
  EXPECT_THAT(refusal(2, "BouncingBall", "kind", "auto"), HasSubstr("with the FMI version '2.0', found '3.0'"));
  EXPECT_THAT(refusal(3, "BouncingBall", "kind", "model-exchange"),
              HasSubstr("with the kind 'model-exchange', found 'co-simulation'"));
  EXPECT_THAT(refusal(3, "BouncingBall", "fmu-start-time", "7"),
              HasSubstr("expected a state at the start time 7, found"));
  EXPECT_THAT(refusal(1, "BouncingBall", "kind", "auto"), HasSubstr("whose state can be kept as bytes"));
  EXPECT_THAT(RunOf(3, "BouncingBall", 0.1, {}, {{"start-state", folder / "none"}}).error, HasSubstr("none"));
}

TEST(StateFile, OfAnotherModelIsRefusedWhereTheTokenIsEmpty) {
  const ScratchFolder folder;
  const std::string file = folder / "end.state";
  StateFile state = Example();
  state.token.clear();
  WriteStateFile(file, state);
  EXPECT_EQ(ReadStateFile(file, file, state).model, "a model");
  StateFile other = state;
  other.model = "another";
  try {
    ReadStateFile(file, file, other);
    ADD_FAILURE();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("with the model name 'another', found 'a model'"));
  }
  WriteStateFile(file, Example());
  other.token = Example().token;
  EXPECT_EQ(ReadStateFile(file, file, other).token, other.token) << "the token is enough";
}

TEST(StateFile, IsNotWrittenByAnFmuThatEndedItself) {
  const ScratchFolder folder;
  const std::string file = folder / "end.state";
  ComponentRun run(3, "Stairs", 20.0);
  run.driver.Set("end-state", file);
  run.Prepare();
  run.driver.UpdateToEnd();
  run.driver.Finish();
  EXPECT_EQ(ContentOf(file), "");
  EXPECT_THAT(run.Remark(), AllOf(HasSubstr("end-state"), HasSubstr("ended the simulation: its state is not written")));
}

// As where another component breaks the run, or where its family leaves it.
TEST(StateFile, IsNotWrittenBeforeTheEnd) {
  const ScratchFolder folder;
  const std::string file = folder / "end.state";
  ComponentRun run(3, "BouncingBall", 1.0);
  run.driver.Set("end-state", file).Set("time-step", "PT0.25S");
  run.Prepare();
  run.driver.UpdateUntil(kRunBegin + Seconds(0.5));
  run.driver.Finish();
  EXPECT_EQ(ContentOf(file), "");
  EXPECT_THAT(run.Remark(), HasSubstr("expected an FMU at the end of its run at 2020-01-01T00:00:01Z, found it at"));
}

TEST(StateFile, ThatCannotBeWrittenIsAnErrorAfterTheFmuIsFreed) {
  const ScratchFolder folder;
  ComponentRun run(3, "BouncingBall", 0.1);
  run.driver.Set("end-state", folder / "no/end.state").Set("log-file", folder / "fmu.log");
  run.Prepare();
  run.driver.UpdateToEnd();
  try {
    run.driver.Finish();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("x.end-state: expected a file for the state"), HasSubstr("; name a file")));
  }
  for (const auto& open : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    EXPECT_NE(std::filesystem::read_symlink(open, ignored), folder / "fmu.log") << "the log is still open";
  }
}

/// Runs an FMU with an input that is linked to an output of another one.
/// \returns what `shown` is at the end
double RunLinked(ComponentRun& from, const std::string& output, ComponentRun& to, const std::string& input,
                 const std::string& shown) {
  for (ComponentRun* run : {&from, &to}) run->driver.Initialize();
  IBaseOutput& given = from.Output(output);
  IBaseInput& taken = to.Input(input);
  given.AddConsumer(taken);
  for (ComponentRun* run : {&from, &to}) run->driver.Validate();
  for (ComponentRun* run : {&from, &to}) run->driver.Prepare();
  to.driver.UpdateToEnd();
  const double number = to.Number(shown);
  for (ComponentRun* run : {&to, &from}) run->driver.Finish();
  given.RemoveConsumer(taken);
  return number;
}

// `both` ticks at 0 and 0.6 in the first part, at 1.2 and 1.8 in the second.
TEST(StateFile, TicksThatWereMadeBeforeAreNotMadeAgain) {
  const ScratchFolder folder;
  for (const char* kind : {"co-simulation", "model-exchange"}) {
    SCOPED_TRACE(kind);
    const auto part = [&](double seconds, const char* key, bool from, bool to) {
      ComponentRun provider(3, "Ticks", seconds);
      ComponentRun consumer(3, "Ticks", seconds);
      for (ComponentRun* run : {&provider, &consumer}) run->driver.Set("kind", kind).Set("time-step", "PT0.125S");
      if (from) provider.driver.Set(key, folder / "from.state");
      if (to) consumer.driver.Set(key, folder / "to.state");
      return RunLinked(provider, "both", consumer, "asked", "by_asked");
    };
    EXPECT_EQ(part(2.0, "end-state", false, false), 4.0);
    EXPECT_EQ(part(0.75, "end-state", true, true), 2.0);
    EXPECT_EQ(part(1.25, "start-state", true, true), 4.0);
    EXPECT_EQ(part(1.25, "start-state", true, false), 2.0) << "the consumer starts from 0";
    EXPECT_EQ(part(1.25, "start-state", false, true), 5.0) << "the provider does, at 0, 0.6 and 1.2";
  }
}

// The same between the proxies of a run, and with a consumer that takes initial values.
TEST(StateFile, OfAProviderInACompositionCountsAsMade) {
  const ScratchFolder folder;
  const auto part = [&](const char* consumer, double seconds, const std::string& key) {
    std::ofstream(folder / "ticks.xml") << fmt::format(
        R"(<Composition xmlns="urn:openmi2:composition:1" Id="ticks">
  <Component Id="from" Type="openmi.fmi.Fmu" Assembly="openmi-fmi-bridge"><Argument Key="fmu" Value="{}"/>
    <Argument Key="time-step" Value="PT0.125S"/><Argument Key="{}" Value="{}"/></Component>
  <Component Id="to" Type="openmi.fmi.Fmu" Assembly="openmi-fmi-bridge"><Argument Key="fmu" Value="{}"/>
    <Argument Key="time-step" Value="PT0.125S"/></Component>
  <Link From="from.both" To="to.asked"/><Observe Item="to.by_asked"/>
  <Run From="2020-01-01T00:00:00Z" To="2020-01-01T00:00:0{}Z" Trigger="to"/>
</Composition>)",
        ExamplePath(3, "Ticks").string(), key, folder / "from.state", ExamplePath(3, consumer).string(), seconds);
    Problems problems;
    Composition composition(ReadCompositionFile(folder / "ticks.xml", problems));
    const RunRecord record = test::RunChecked(composition, problems);
    EXPECT_TRUE(record.is_complete);
    return record.series.at(0).values.back();
  };
  for (const char* consumer : {"Ticks", "Partitions"}) {
    EXPECT_EQ(part(consumer, 0.75, "end-state"), 2.0) << consumer;
    EXPECT_EQ(part(consumer, 1.25, "start-state"), 2.0) << consumer;
  }
}

TEST(StateFile, TicksOfScheduledExecutionThatWereMadeBeforeAreNotMadeAgain) {
  const ScratchFolder folder;
  const auto part = [&](const char* key, const std::vector<double>& asked) {
    ComponentRun run(3, "Partitions", 3.0);
    run.driver.Set(key, folder / "end.state").Set("time-step", "PT1S");
    run.Feed("asked", 1.0, asked);
    run.Prepare();
    run.driver.UpdateToEnd();
    const double number = run.Number("by_asked");
    run.driver.Finish();
    return number;
  };
  EXPECT_EQ(part("end-state", {0, 1, 2, 2}), 2.0);
  EXPECT_EQ(part("start-state", {2, 2, 3, 3}), 3.0);
}

TEST(StateFile, InputsThatStayCauseNoEventInTheFirstStep) {
  const ScratchFolder folder;
  const std::string file = folder / "end.state";
  for (const char* kind : {"co-simulation", "model-exchange"}) {
    SCOPED_TRACE(kind);
    const auto events = [&](double seconds, const char* key, const std::vector<double>& level) {
      ComponentRun run(3, "Manners", seconds);
      run.driver.Set("kind", kind).Set("event-mode", "true").Set("time-step", "PT0.125S");
      if (key != nullptr) run.driver.Set(key, file);
      run.Feed("level", 0.125, level);
      run.Prepare();
      run.driver.UpdateToEnd();
      const double number = run.Number("events");
      run.driver.Finish();
      return number;
    };
    EXPECT_EQ(events(1.0, nullptr, {5, 5, 5, 5, 5, 5, 5, 6, 6}), 3.0);
    EXPECT_EQ(events(0.5, "end-state", {5, 5, 5, 5, 5}), 2.0);
    EXPECT_EQ(events(0.5, "start-state", {5, 5, 5, 6, 6}), 3.0);
    EXPECT_EQ(events(0.5, "start-state", {7, 7, 7, 7, 7}), 3.0) << "another value is an event";
    const auto after_text = [&](const char* key, const std::string& text) {
      ComponentRun source(3, "Feedthrough", 0.5);
      source.driver.Set("String_input", text).Set("time-step", "PT0.125S");
      ComponentRun run(3, "Manners", 0.5);
      run.driver.Set("kind", kind).Set("event-mode", "true").Set("time-step", "PT0.125S").Set(key, file);
      return RunLinked(source, "String_output", run, "word", "events");
    };
    EXPECT_EQ(after_text("end-state", "late"), 2.0);
    EXPECT_EQ(after_text("start-state", "late"), 2.0);
    EXPECT_EQ(after_text("start-state", "later"), 3.0);
  }
}

TEST(StateFile, HeldValuesAreThoseOfTheState) {
  const ScratchFolder folder;
  const auto level = [&](const char* key, double value) {
    ComponentRun run(3, "Manners", 0.5);
    run.driver.Set("event-mode", "true").Set("missing-inputs", "hold").Set(key, folder / "end.state");
    run.driver.Set("time-step", "PT0.125S");
    run.Feed("level", 0.125, std::vector<double>(5, value));
    run.Prepare();
    run.driver.UpdateToEnd();
    const double number = run.Number("level_shown");
    run.driver.Finish();
    return number;
  };
  EXPECT_EQ(level("end-state", 5.0), 5.0);
  EXPECT_EQ(level("start-state", std::nan("")), 5.0);
}

// The file is whole, but what is in it was never written by the FMU: it is tried in a child process.
TEST(StateFile, WithBytesThatTheFmuRefusesIsRefused) {
  const ScratchFolder folder;
  const std::string file = folder / "end.state";
  EXPECT_EQ(RunOf(3, "Ticks", 0.1, {}, {{"end-state", file}}).error, "");
  const StateFile good = DecodeStateFile(ContentOf(file), {});
  const auto refusal = [&](const std::function<void(StateFile&)>& change) {
    StateFile state = good;
    change(state);
    WriteStateFile(file, state);
    return RunOf(3, "Ticks", 0.1, {}, {{"start-state", file}}).error;
  };
  EXPECT_EQ(refusal([](StateFile&) {}), "");
  EXPECT_THAT(refusal([](StateFile& state) { state.fmu.resize(3); }), HasSubstr("takes in a child process"));
  try {
    Alone(3, "Ticks", "co-simulation", 1.0, file, "");
    FAIL() << "an FMU that runs alone takes it";
  } catch (const StateError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(file), HasSubstr("takes in a child process"), HasSubstr("try-states")));
  }
  EXPECT_NE(refusal([](StateFile& state) { state.importer.resize(3); }), "");
  EXPECT_NE(refusal([](StateFile& state) { state.importer += "more"; }), "");
  EXPECT_THAT(refusal([](StateFile& state) { state.time += 100.0; }), HasSubstr("expected clocks that tick after"));
}

}  // namespace
}  // namespace openmi::fmi
