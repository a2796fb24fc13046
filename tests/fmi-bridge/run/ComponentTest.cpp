#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/fmi/component/Fmu.hpp"
#include "openmi/omi/IconType.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IIcon.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "openmi/system/ChildTrial.hpp"
#include "tests/fmi-bridge/run/ComponentRun.hpp"
#include "tests/fmi-bridge/run/ExampleFmu.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/testing/Driver.hpp"
#include "timespace/testing/ProbeInput.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi::fmi {
namespace {

using testing::HasSubstr;

constexpr Stamp kBegin{58849.0};  // 2020-01-01

NumericOutput& Output(Fmu& fmu, const std::string& id) {
  for (IBaseOutput* output : fmu.Outputs()) {
    if (output->Id() == id) return dynamic_cast<NumericOutput&>(*output);
  }
  throw RangeError({.item = id}, "expected an output, found none");
}

struct FmuRun {
  FmuRun(int version, const std::string& name, const std::string& end = "2020-01-01T00:00:02Z") : driver(fmu) {
    fmu.SetCaption("x");
    driver.Set("fmu", ExamplePath(version, name).string());
    driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", end);
  }
  void Prepare() {
    driver.Initialize();
    ASSERT_TRUE(driver.Validate()) << (driver.Messages().empty() ? "" : driver.Messages()[0]);
    driver.Prepare();
  }
  Fmu fmu;
  Driver driver;
};

TEST(FmuComponent, StepsAsTheBareSimulation) {
  for (int version : {1, 2, 3}) {
    FmuRun run(version, "VanDerPol");
    run.driver.Set("mu", "2").Set("time-step", "PT0.01S");
    run.Prepare();
    SimulationOptions options;
    options.stop = 2.0;
    options.step = 0.01;
    options.start_values = {{"mu", "2"}};
    MemoryRecorder expected;
    ExampleFmu(version, "VanDerPol").Run(options, expected);
    NumericOutput& x0 = Output(run.fmu, "x0");
    EXPECT_EQ(x0.LastRow()[0], 2.0);
    for (std::size_t n = 1; n < expected.times.size(); ++n) {
      run.driver.Update();
      ASSERT_EQ(x0.LastRow()[0], expected.Column("x0")[n]) << n;
    }
    EXPECT_EQ(run.fmu.Status(), LinkableComponentStatus::Done);
    run.driver.Finish();
  }
}

TEST(FmuComponent, TakesStepAndUnitsFromTheDescription) {
  FmuRun run(3, "GateController", "2020-01-01T06:00Z");
  run.driver.Initialize();
  run.driver.Validate();
  run.driver.Prepare();
  NumericOutput& discharge = Output(run.fmu, "discharge");
  const auto& quantity = dynamic_cast<const IQuantity&>(discharge.ValueDefinition());
  EXPECT_EQ(quantity.Unit().Caption(), "m3/s");
  EXPECT_EQ(quantity.Unit().Dimension().GetPower(DimensionBase::Length), 3.0);
  EXPECT_EQ(quantity.Unit().Dimension().GetPower(DimensionBase::Time), -1.0);
  run.driver.Update();
  EXPECT_TRUE(SameTime(run.fmu.CurrentTime(), kBegin + Seconds(600.0)));
}

TEST(FmuComponent, GoesOnFromAKeptStateBitByBit) {
  for (const char* kind : {"co-simulation", "model-exchange"}) {
    for (int version : {2, 3}) {
      FmuRun run(version, "BouncingBall");
      run.driver.Set("kind", kind);
      run.Prepare();
      run.driver.UpdateUntil(kBegin + Seconds(0.3));
      const IIdentifiable& state = run.fmu.KeepCurrentState();
      const Bytes bytes = run.fmu.ConvertToByteArray(state);
      run.driver.UpdateToEnd();
      const double h = Output(run.fmu, "h").LastRow()[0];
      run.fmu.RestoreState(state);
      EXPECT_TRUE(SameTime(run.fmu.CurrentTime(), kBegin + Seconds(0.3)));
      run.driver.UpdateToEnd();
      EXPECT_EQ(Output(run.fmu, "h").LastRow()[0], h);
      run.driver.Finish();

      FmuRun other(version, "BouncingBall");
      other.driver.Set("kind", kind);
      other.Prepare();
      other.fmu.RestoreState(other.fmu.ConvertFromByteArray(bytes));
      other.driver.UpdateToEnd();
      EXPECT_EQ(Output(other.fmu, "h").LastRow()[0], h) << kind << " in another instance";
    }
  }
}

/// The state that an FMU of that caption keeps in another process after two steps.
Bytes StateOfAnotherProcess(int version, const std::string& name, const std::string& caption) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    FmuRun run(version, name);
    run.fmu.SetCaption(caption);
    run.Prepare();
    run.driver.Update();
    run.driver.Update();
    const Bytes bytes = run.fmu.ConvertToByteArray(run.fmu.KeepCurrentState());
    const bool told = write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  Bytes bytes;
  std::byte buffer[4096];
  for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
    bytes.insert(bytes.end(), buffer, buffer + count);
  }
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return bytes;
}

TEST(FmuComponent, AStateOfAnotherProcessGoesOnBitByBit) {
  for (int version : {2, 3}) {
    const Bytes bytes = StateOfAnotherProcess(version, "BouncingBall", "x");
    FmuRun straight(version, "BouncingBall");
    straight.Prepare();
    straight.driver.UpdateToEnd();
    for (const char* tried : {"true", "false"}) {
      FmuRun run(version, "BouncingBall");
      run.driver.Set("try-states", tried);
      run.Prepare();
      run.fmu.RestoreState(run.fmu.ConvertFromByteArray(bytes));
      run.driver.UpdateToEnd();
      EXPECT_EQ(Output(run.fmu, "h").LastRow()[0], Output(straight.fmu, "h").LastRow()[0]);
    }
  }
}

TEST(FmuComponent, AStateThatMakesTheFmuCrashIsRefusedAndTheRunGoesOn) {
  // The fourth question for values crashes: in the state there were three.
  const std::string caption = "GetFloat64:4=Crash";
  const Bytes bytes = StateOfAnotherProcess(3, "Failing", caption);
  FmuRun run(3, "Failing");
  run.fmu.SetCaption(caption);
  run.Prepare();
  const IIdentifiable& state = run.fmu.ConvertFromByteArray(bytes);
  try {
    run.fmu.RestoreState(state);
    FAIL() << "the FMU crashes with this state";
  } catch (const StateError& error) {
    EXPECT_THAT(error.what(), HasSubstr("takes in a child process, found a crash there (Segmentation fault)"));
    EXPECT_THAT(error.what(), HasSubstr("try-states = false"));
  }
  run.driver.Update();
  EXPECT_NEAR(Output(run.fmu, "x").LastRow()[0], 0.1, 1e-12);
}

TEST(ChildTrial, TellsWhatHappened) {
  using std::chrono::milliseconds;
  int here = 0;
  EXPECT_TRUE(TryInChild([&] { here = 1; }, milliseconds(10'000)).good);
  EXPECT_EQ(here, 0) << "it happened elsewhere";
  const ChildTrial thrown = TryInChild([] { throw RangeError({}, "expected less"); }, milliseconds(10'000));
  EXPECT_FALSE(thrown.good);
  EXPECT_THAT(thrown.found, HasSubstr("expected less"));
  EXPECT_EQ(TryInChild([] { pause(); }, milliseconds(50)).found, "no end within 50 ms");
  EXPECT_EQ(TryInChild([] { _exit(3); }, milliseconds(10'000)).found, "an exit there, with status 3");
}

TEST(FmuComponent, AStateOfAnotherFmuIsRefused) {
  FmuRun ball(3, "BouncingBall");
  ball.Prepare();
  const Bytes bytes = ball.fmu.ConvertToByteArray(ball.fmu.KeepCurrentState());
  FmuRun decay(3, "Dahlquist");
  decay.Prepare();
  EXPECT_THROW(decay.fmu.RestoreState(decay.fmu.ConvertFromByteArray(bytes)), FormatError);
}

TEST(FmuComponent, InputsAreTakenAtTheEndAtTheBeginOrBetween) {
  const auto integral = [](int version, const std::string& inputs, const std::string& kind) {
    std::vector<TableRow> rows;
    for (int i = 0; i <= 10; ++i) rows.push_back({kBegin + Seconds(0.1 * i), {0.1 * i}});
    TableComponent ramp(rows);
    Driver source(ramp);
    source.Initialize();
    source.Validate();
    FmuRun run(version, "Integrator", "2020-01-01T00:00:01Z");
    run.driver.Set("inputs", inputs).Set("kind", kind).Set("time-step", "PT0.1S").Set("tolerance", "1e-9");
    run.driver.Initialize();
    IBaseInput& u = *run.fmu.Inputs()[0];
    ramp.Output().AddConsumer(u);
    run.driver.Validate();
    source.Prepare();
    run.driver.Prepare();
    run.driver.UpdateToEnd();
    const double x = Output(run.fmu, "x").LastRow()[0];
    run.driver.Finish();
    ramp.Output().RemoveConsumer(u);
    return x;
  };
  EXPECT_NEAR(integral(2, "end", "auto"), 0.55, 1e-9);
  EXPECT_NEAR(integral(2, "begin", "auto"), 0.45, 1e-9);
  EXPECT_NEAR(integral(2, "linear", "auto"), 0.5, 1e-3) << "derivatives of inputs";
  EXPECT_NEAR(integral(3, "linear", "auto"), 0.5, 1e-3) << "intermediate update";
  for (int version : {2, 3}) EXPECT_EQ(integral(version, "auto", "auto"), integral(version, "end", "auto"));
  EXPECT_NEAR(integral(3, "auto", "model-exchange"), 0.5, 1e-6);
  EXPECT_NEAR(integral(3, "begin", "model-exchange"), 0.45, 1e-6);
}

TEST(FmuComponent, StartValuesStayWhenSetupExperimentSetsTheDefaults) {
  ComponentRun run(2, "Failing", 1.0);
  run.fmu.SetCaption("SetupExperiment:1=Defaults");  // as FMUs of 20-sim do
  run.driver.Set("outputs", "i32").Set("i32", "-7");
  run.Prepare();
  EXPECT_EQ(run.Number("i32"), -7.0);
}

TEST(FmuComponent, TunableParametersChangeBetweenSteps) {
  for (const char* kind : {"co-simulation", "model-exchange"}) {
    for (int version : {2, 3}) {
      FmuRun run(version, "BouncingBall");
      run.driver.Set("kind", kind).Set("outputs", "e");
      if (version == 3 && kind == std::string("co-simulation")) run.driver.Set("event-mode", "true");
      EXPECT_TRUE(run.fmu.IsTunable("e"));
      EXPECT_FALSE(run.fmu.IsTunable("g")) << "fixed";
      EXPECT_FALSE(run.fmu.IsTunable("time-step"));
      run.Prepare();
      run.driver.UpdateUntil(kBegin + Seconds(0.3));
      run.driver.Set("e", "0");
      const IIdentifiable& state = run.fmu.KeepCurrentState();
      run.driver.Set("e", "0.5");
      run.driver.Update();
      EXPECT_EQ(Output(run.fmu, "e").LastRow()[0], 0.5) << kind << version;
      run.fmu.RestoreState(state);
      run.driver.Update();
      EXPECT_EQ(Output(run.fmu, "e").LastRow()[0], 0.0) << kind << version;
      run.driver.UpdateToEnd();
      EXPECT_NEAR(Output(run.fmu, "h").LastRow()[0], 0.0, 1e-6) << kind << version;
      run.driver.Finish();
    }
  }
}

TEST(FmuComponent, ATunableParameterMayChangeBeforePrepare) {
  FmuRun run(3, "BouncingBall");
  run.driver.Set("outputs", "e");
  run.driver.Initialize();
  run.driver.Set("e", "0.25");
  ASSERT_TRUE(run.driver.Validate());
  run.driver.Prepare();
  EXPECT_EQ(Output(run.fmu, "e").LastRow()[0], 0.25);
}

TEST(FmuComponent, LinkedInputsStayAtTheEventOfATunableParameter) {
  const std::string parameter = "Float64_tunable_parameter";
  for (const std::string kind : {"co-simulation", "model-exchange"}) {
    SCOPED_TRACE(kind);
    const auto prepare = [&](ComponentRun& run) {
      run.driver.Set("kind", kind).Set("time-step", "PT0.1S").Set("outputs", parameter).Set("event-mode", "true");
      run.Feed("Float64_discrete_input", 0.1, std::vector<double>(21, 5.0));
      run.Feed("Float32_input", 0.1, {0.0, 1.0, 2.0, 3.0, 4.0});
      run.Prepare();
    };
    const auto expect = [&](ComponentRun& run, double tuned, double ramp) {
      EXPECT_EQ(run.Number(parameter), tuned);
      EXPECT_EQ(run.Number("Float64_discrete_output"), 5.0);
      EXPECT_EQ(run.Number("Float32_output"), ramp);
    };
    ComponentRun run(3, "Feedthrough", 0.3);
    prepare(run);
    run.driver.Set(parameter, "1");
    run.driver.Update();
    expect(run, 1.0, 1.0);
    const Bytes state = run.fmu.ConvertToByteArray(run.fmu.KeepCurrentState());
    ComponentRun resumed(3, "Feedthrough", 0.3);
    prepare(resumed);
    resumed.fmu.RestoreState(resumed.fmu.ConvertFromByteArray(state));
    resumed.driver.Set(parameter, "2");
    resumed.driver.Update();
    expect(resumed, 2.0, 2.0);
    resumed.driver.Update();
    expect(resumed, 2.0, 3.0);
  }
}

TEST(FmuComponent, ArraysAreElementSets) {
  FmuRun run(3, "Arrays");
  run.driver.Set("n", "2").Set("m", "1").Set("A", "-1 0 0 -2").Set("x0", "1 3").Set("u", "0").Set("B", "0");
  run.Prepare();
  NumericOutput& y = Output(run.fmu, "y");
  EXPECT_EQ(y.ElementCount(), 2U);
  const auto& elements = dynamic_cast<const IElementSet&>(*y.SpatialDefinition());
  EXPECT_EQ(elements.GetElementId(1)->Id(), "y[2]");
  run.driver.UpdateToEnd();
  EXPECT_NEAR(y.LastRow()[0], std::pow(0.9, 20), 1e-12);
  EXPECT_NEAR(y.LastRow()[1], 3.0 * std::pow(0.8, 20), 1e-12);
}

TEST(FmuComponent, TheSolverOfModelExchangeIsChosenByArguments) {
  FmuRun run(3, "Heat");
  run.driver.Set("n", "100").Set("linear-solver", "iterative").Set("tolerance-for", "step").Set("tolerance", "1e-8");
  run.Prepare();
  run.driver.UpdateToEnd();
  EXPECT_LT(Output(run.fmu, "error").LastRow()[0], 1e-6);
}

TEST(FmuComponent, CategoriesTextsAndBytesAreValues) {
  FmuRun run(3, "Feedthrough");
  run.driver.Set("Enumeration_input", "Option_2").Set("Boolean_input", "true").Set("Binary_input", "0aff");
  run.Prepare();
  run.driver.Update();
  const auto value = [&](const std::string& id) {
    for (IBaseOutput* output : run.fmu.Outputs()) {
      if (output->Id() == id) return dynamic_cast<ITimeSpaceOutput&>(*output).Values().GetValue(0, 0);
    }
    return Value();
  };
  EXPECT_EQ(value("Enumeration_output"), Value("Option_2"));
  EXPECT_EQ(value("Boolean_output"), Value("true"));
  EXPECT_EQ(value("String_output"), Value("plain and simple"));
  EXPECT_EQ(value("Binary_output"), Value(Bytes{std::byte{0x0a}, std::byte{0xff}}));
}

TEST(FmuComponent, AfterTheFmuEndedValuesAreMissing) {
  FmuRun run(3, "Stairs", "2020-01-01T00:00:12Z");
  run.driver.Set("time-step", "PT1S");
  run.Prepare();
  NumericOutput& counter = Output(run.fmu, "counter");
  run.driver.UpdateUntil(kBegin + Seconds(9.0));
  EXPECT_EQ(counter.LastRow()[0], 10.0);
  run.driver.Update();
  EXPECT_TRUE(std::isnan(counter.LastRow()[0]));
}

TEST(FmuComponent, AfterTheFmuEndedValuesThatAreNoNumbersAreMissing) {
  ComponentRun run(3, "Failing", 1.0);
  run.fmu.SetCaption("DoStep:2=End");
  run.driver.Set("outputs", "boolean;option;text;blob");
  run.Prepare();
  run.driver.Update();
  run.driver.Update();
  for (const char* id : {"boolean", "option", "text", "blob"}) EXPECT_FALSE(run.Text(id).IsEmpty()) << id;
  run.driver.Update();
  for (const char* id : {"boolean", "option", "text", "blob"}) EXPECT_TRUE(run.Text(id).IsEmpty()) << id;
}

TEST(FmuComponent, AFailureIsToldAndTheInstanceIsFreed) {
  FmuRun run(2, "Failing");
  run.fmu.SetCaption("DoStep:3=Error");
  const ScratchFolder folder;
  const std::string log = folder / "fmi-component.log";
  run.driver.Set("log-file", log);
  run.Prepare();
  run.driver.Update();
  run.driver.Update();
  try {
    run.driver.Update();
    FAIL() << "the third step fails";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("fmi2DoStep to succeed, found Error: DoStep failed"));
  }
  EXPECT_EQ(run.fmu.Status(), LinkableComponentStatus::Failed);
  EXPECT_NO_THROW(run.driver.Finish());
  std::ifstream file(log);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(text, HasSubstr("DoStep:3=Error: Error [logStatusError]: DoStep failed"));
}

TEST(FmuComponent, FmuTimeFollowsTheEpoch) {
  FmuRun run(3, "Dahlquist");
  run.driver.Set("epoch", "2019-12-31T23:59:50Z").Set("outputs", "time");
  run.Prepare();
  EXPECT_NEAR(Output(run.fmu, "time").LastRow()[0], 10.0, 1e-6);
  run.driver.Update();
  EXPECT_NEAR(Output(run.fmu, "time").LastRow()[0], 10.1, 1e-6);
}

TEST(FmuComponent, AnUnknownVariableIsSuggested) {
  FmuRun run(3, "Dahlquist");
  run.driver.Set("outputs", "der(y)");
  EXPECT_THROW(run.driver.Initialize(), ArgumentError);
}

TEST(FmuComponent, HasTheIconOfTheFmuInAnyProcess) {
  for (const int version : {1, 2, 3}) {
    for (const char* attributes : {"", "Isolation=\"process\""}) {
      Problems problems;
      Composition composition(ReadCompositionText(
          fmt::format("<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"c\"><Component Id=\"x\" "
                      "Type=\"openmi.fmi.Fmu\" Assembly=\"openmi-fmi-bridge\" {}><Argument Key=\"fmu\" "
                      "Value=\"{}\"/></Component></Composition>",
                      attributes, ExamplePath(version, "GateController").string()),
          "c.xml", problems));
      composition.Load(problems);
      ASSERT_TRUE(composition.Instances()[0].IsThere());
      const auto* icon = dynamic_cast<const IIcon*>(&composition.Instances()[0].Component());
      ASSERT_NE(icon, nullptr);
      EXPECT_EQ(IconType(icon->Icon(), "icon"), version == 3 ? "image/svg+xml" : "image/png") << attributes;
    }
  }
}

}  // namespace
}  // namespace openmi::fmi
