#include <dlfcn.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fmi-bridge/fmi/abi/Fmi2.h"
#include "fmi-bridge/fmi/abi/Fmi3.h"
#include "fmi-bridge/fmi/run/CoSimulation.hpp"
#include "fmi-bridge/fmi/run/LogFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/run/ExampleFmu.hpp"
#include "tests/support/Sanitized.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::fmi {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

void Silent(void*, const char*, fmi2Status, const char*, const char*, ...) {}

template <class Function>
Function* Symbol(void* library, const char* name) {
  auto* found = reinterpret_cast<Function*>(dlsym(library, name));
  EXPECT_NE(found, nullptr) << name;
  return found;
}

/// The rows of the outputs of a co-simulation, by the functions of the FMU alone.
std::vector<double> BareLoop(const ExampleFmu& fmu, const std::vector<ValueReference>& outputs, double stop,
                             double step) {
  const auto file = LibraryFileOf(fmu.files->Folder(), fmu.description, InterfaceKind::CoSimulation);
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr);
  std::vector<double> rows;
  std::vector<double> row(outputs.size());
  const int steps = static_cast<int>(std::lround(stop / step));
  const char* token = fmu.description.token.c_str();
  if (fmu.description.version == FmiMajor::Fmi2) {
    const fmi2CallbackFunctions callbacks{Silent, std::calloc, std::free, nullptr, nullptr};
    fmi2Component c = Symbol<fmi2InstantiateTYPE>(library, "fmi2Instantiate")("bare", fmi2CoSimulation, token, nullptr,
                                                                              &callbacks, 0, 0);
    Symbol<fmi2SetupExperimentTYPE>(library, "fmi2SetupExperiment")(c, 0, 0.0, 0.0, 1, stop);
    Symbol<fmi2EnterInitializationModeTYPE>(library, "fmi2EnterInitializationMode")(c);
    Symbol<fmi2ExitInitializationModeTYPE>(library, "fmi2ExitInitializationMode")(c);
    const auto get = Symbol<fmi2GetRealTYPE>(library, "fmi2GetReal");
    const auto do_step = Symbol<fmi2DoStepTYPE>(library, "fmi2DoStep");
    for (int n = 0; n <= steps; ++n) {
      EXPECT_EQ(get(c, outputs.data(), outputs.size(), row.data()), fmi2OK);
      rows.insert(rows.end(), row.begin(), row.end());
      if (n < steps) {
        EXPECT_EQ(do_step(c, n * step, step, 0), fmi2OK);
      }
    }
    Symbol<fmi2FreeInstanceTYPE>(library, "fmi2FreeInstance")(c);
  } else {
    fmi3Instance c = Symbol<fmi3InstantiateCoSimulationTYPE>(library, "fmi3InstantiateCoSimulation")(
        "bare", token, nullptr, false, false, false, false, nullptr, 0, nullptr, nullptr, nullptr);
    Symbol<fmi3EnterInitializationModeTYPE>(library, "fmi3EnterInitializationMode")(c, false, 0.0, 0.0, true, stop);
    Symbol<fmi3ExitInitializationModeTYPE>(library, "fmi3ExitInitializationMode")(c);
    const auto get = Symbol<fmi3GetFloat64TYPE>(library, "fmi3GetFloat64");
    const auto do_step = Symbol<fmi3DoStepTYPE>(library, "fmi3DoStep");
    bool event = false, terminate = false, early = false;
    double last = 0.0;
    for (int n = 0; n <= steps; ++n) {
      EXPECT_EQ(get(c, outputs.data(), outputs.size(), row.data(), row.size()), fmi3OK);
      rows.insert(rows.end(), row.begin(), row.end());
      if (n < steps) {
        EXPECT_EQ(do_step(c, n * step, step, true, &event, &terminate, &early, &last), fmi3OK);
      }
    }
    Symbol<fmi3FreeInstanceTYPE>(library, "fmi3FreeInstance")(c);
  }
  dlclose(library);
  return rows;
}

struct Case {
  int version;
  const char* name;
  std::vector<ValueReference> outputs;
  std::vector<std::string> names;
};

TEST(ExampleFmus, CoSimulationIsBitIdenticalToABareLoop) {
  for (int version : {2, 3}) {
    for (const Case& c : {Case{version, "BouncingBall", {1, 3}, {"h", "v"}},
                          Case{version, "VanDerPol", {1, 3}, {"x0", "x1"}}, Case{version, "Dahlquist", {1}, {"x"}},
                          Case{version, "GateController", {10, 11}, {"opening", "discharge"}}}) {
      SCOPED_TRACE(std::string(c.name) + " " + std::to_string(version));
      const ExampleFmu fmu(version, c.name);
      MemoryRecorder ours;
      fmu.Run({}, ours);
      const auto bare = BareLoop(fmu, c.outputs, *fmu.description.experiment.stop, *fmu.description.experiment.step);
      ASSERT_EQ(bare.size(), ours.times.size() * c.outputs.size());
      for (std::size_t column = 0; column < c.names.size(); ++column) {
        const auto& values = ours.Column(c.names[column]);
        for (std::size_t row = 0; row < values.size(); ++row) {
          ASSERT_EQ(values[row], bare[row * c.outputs.size() + column]) << c.names[column] << " row " << row;
        }
      }
    }
  }
}

TEST(ExampleFmus, VersionsAgreeBitByBit) {
  for (const char* name : {"BouncingBall", "VanDerPol", "Dahlquist", "GateController", "Linear", "Cacc"}) {
    MemoryRecorder recorded[3];
    for (int version : {1, 2, 3}) {
      SimulationOptions options;
      options.step = std::string(name) == "GateController" ? 600.0 : 0.05;
      options.stop = std::string(name) == "GateController" ? 86400.0 : 2.0;
      if (std::string(name) == "Cacc") options.start_values = {{"distance", "29.5"}, {"leader-acceleration", "-1"}};
      ExampleFmu(version, name).Run(options, recorded[version - 1]);
    }
    if (std::string(name) == "Cacc") {
      EXPECT_LT(recorded[0].numbers.front().back(), 0.0) << "it brakes";
      EXPECT_TRUE(std::ranges::any_of(recorded[0].numbers, [](const std::vector<double>& column) {
        return column.front() != column.back();
      })) << "its states move";
    }
    EXPECT_EQ(recorded[0].numbers, recorded[1].numbers) << name;
    EXPECT_EQ(recorded[1].numbers, recorded[2].numbers) << name;
    EXPECT_GT(recorded[0].times.size(), 30U);
  }
}

/// Height and speed of the ball at a time, and whether it lies still.
/// Source: uniform acceleration from one bounce to the next.
std::pair<double, double> BallAt(double time) {
  constexpr double kGravity = 9.81;
  constexpr double kKept = 0.7;   // of the speed, at a bounce
  constexpr double kStill = 0.1;  // m/s, below which it stays where it is
  double begin = 0.0, height = 1.0, speed = 0.0;
  for (double bounce = std::sqrt(2.0 / kGravity); bounce < time; bounce += 2.0 * speed / kGravity) {
    speed = kKept * (kGravity * (bounce - begin) - speed);
    begin = bounce;
    height = 0.0;
    if (speed < kStill) return {0.0, 0.0};
  }
  const double t = time - begin;
  return {height + speed * t - 0.5 * kGravity * t * t, speed - kGravity * t};
}

/// The van der Pol oscillator, mu = 1, by steps of the classical method of Runge and Kutta that are short enough for
/// errors of 1e-13.
std::pair<double, double> OscillatorAt(double time) {
  const auto f = [](double x, double y) { return std::pair(y, (1.0 - x * x) * y - x); };
  const int steps = static_cast<int>(std::lround(time / 2e-4));
  double x = 2.0, y = 0.0;
  for (int n = 0; n < steps; ++n) {
    const double h = time / steps;
    const auto [ax, ay] = f(x, y);
    const auto [bx, by] = f(x + h / 2 * ax, y + h / 2 * ay);
    const auto [cx, cy] = f(x + h / 2 * bx, y + h / 2 * by);
    const auto [dx, dy] = f(x + h * cx, y + h * cy);
    x += h / 6 * (ax + 2 * bx + 2 * cx + dx);
    y += h / 6 * (ay + 2 * by + 2 * cy + dy);
  }
  return {x, y};
}

// Ten tolerances, for the whole of the result.
TEST(ExampleFmus, ModelExchangeFollowsTheAnalyticSolution) {
  for (int version : {2, 3}) {
    for (const SolverMethod method : {SolverMethod::Bdf, SolverMethod::Adams}) {
      SimulationOptions options;
      options.kind = InterfaceKind::ModelExchange;
      options.method = method;
      options.tolerance = 1e-8;
      MemoryRecorder decay;
      const SimulationResult result = ExampleFmu(version, "Dahlquist").Run(options, decay);
      ASSERT_TRUE(result.solver);
      EXPECT_GT(result.solver->steps, 10);
      ASSERT_EQ(decay.times.size(), 101U);
      for (std::size_t i = 0; i < decay.times.size(); ++i) {
        EXPECT_NEAR(decay.Column("x")[i], std::exp(-decay.times[i]), 1e-7);
      }
      MemoryRecorder ball;
      const SimulationResult bounced = ExampleFmu(version, "BouncingBall").Run(options, ball);
      EXPECT_GT(bounced.solver->state_events, 8);
      for (std::size_t i = 0; i < ball.times.size(); ++i) {
        const auto [height, speed] = BallAt(ball.times[i]);
        ASSERT_NEAR(ball.Column("h")[i], height, 1e-7) << ball.times[i];
        ASSERT_NEAR(ball.Column("v")[i], speed, 1e-7 * (1.0 + std::abs(speed))) << ball.times[i];
      }
      MemoryRecorder oscillator;
      ExampleFmu(version, "VanDerPol").Run(options, oscillator);
      ASSERT_GT(oscillator.times.size(), 100U);
      for (const std::size_t row : {oscillator.times.size() / 2, oscillator.times.size() - 1}) {
        const auto [x, y] = OscillatorAt(oscillator.times[row]);
        EXPECT_NEAR(oscillator.Column("x0")[row], x, 1e-7 * (1.0 + std::abs(x)));
        EXPECT_NEAR(oscillator.Column("x1")[row], y, 1e-7 * (1.0 + std::abs(y)));
      }
    }
  }
}

TEST(ExampleFmus, DirectionalDerivativesMakeTheJacobian) {
  SimulationOptions options;
  options.kind = InterfaceKind::ModelExchange;
  options.tolerance = 1e-7;
  options.start_values = {{"mu", "100"}};
  MemoryRecorder stiff;
  const ExampleFmu fmu(3, "VanDerPol");
  const SimulationResult with = fmu.Run(options, stiff);
  EXPECT_GT(with.solver->jacobians, 0);
  ExampleFmu without(3, "VanDerPol");
  without.description.Of(InterfaceKind::ModelExchange)->provides_directional_derivatives = false;
  MemoryRecorder differences;
  const SimulationResult plain = without.Run(options, differences);
  EXPECT_EQ(plain.solver->jacobians, 0);
  EXPECT_NEAR(stiff.Column("x0").back(), differences.Column("x0").back(), 1e-5);
}

TEST(ExampleFmus, StairsEndTheSimulation) {
  for (int version : {1, 2, 3}) {
    for (const InterfaceKind kind : {InterfaceKind::CoSimulation, InterfaceKind::ModelExchange}) {
      if (version == 1 && kind == InterfaceKind::ModelExchange) continue;
      SimulationOptions options;
      options.kind = kind;
      options.stop = 9.0;
      options.step = 0.2;
      MemoryRecorder stairs;
      const SimulationResult result = ExampleFmu(version, "Stairs").Run(options, stairs);
      EXPECT_NEAR(result.end, 9.0, 1e-9) << version;
      EXPECT_EQ(stairs.Column("counter").back(), 10.0);
      EXPECT_EQ(stairs.Column("counter")[5], 2.0) << "at time 1, after the event";
      EXPECT_EQ(result.ended_by_fmu, version == 3 || kind == InterfaceKind::ModelExchange);
    }
  }
}

TEST(ExampleFmus, RowsHaveAnIntervalOfTheirOwn) {
  const ExampleFmu ball(3, "BouncingBall");
  for (const InterfaceKind kind : {InterfaceKind::CoSimulation, InterfaceKind::ModelExchange}) {
    SimulationOptions options;
    options.kind = kind;
    options.stop = 1.1;
    options.step = 0.01;
    MemoryRecorder all;
    ball.Run(options, all);
    ASSERT_EQ(all.times.size(), 111U);
    options.record_every = 0.25;
    MemoryRecorder some;
    EXPECT_EQ(ball.Run(options, some).steps, 110U);
    ASSERT_EQ(some.times.size(), 6U);
    for (std::size_t row = 0; row < 6; ++row) {
      const std::size_t step = std::min<std::size_t>(25 * row, 110);  // the end has a row of its own
      EXPECT_EQ(some.times[row], all.times[step]);
      EXPECT_EQ(some.Column("h")[row], all.Column("h")[step]) << row;
    }
    options.record_every = 0.015;
    EXPECT_THAT(
        [&] { ball.Run(options, some); },
        ThrowsMessage<ArgumentError>(HasSubstr(
            "expected a time between two recorded rows of a whole number of steps, found 0.015 with steps of 0.01")));
  }
}

TEST(ExampleFmus, AResourceIsFoundByUriAndByPath) {
  for (int version : {1, 2, 3}) {
    MemoryRecorder resource;
    ExampleFmu(version, "Resource").Run({}, resource);
    EXPECT_EQ(resource.Column("y").back(), 'a') << version;
  }
}

TEST(ExampleFmus, AllTypesGoThrough) {
  SimulationOptions options;
  options.stop = 0.1;
  options.start_values = {{"Float64_continuous_input", "-1.5"},
                          {"Float32_input", "0.25"},
                          {"Int8_input", "-128"},
                          {"UInt8_input", "255"},
                          {"Int16_input", "-32768"},
                          {"UInt16_input", "65535"},
                          {"Int32_input", "-2147483648"},
                          {"UInt32_input", "4294967295"},
                          {"Int64_input", "-9007199254740991"},
                          {"UInt64_input", "9007199254740991"},
                          {"Boolean_input", "true"},
                          {"String_input", "a b, \"c\""},
                          {"Binary_input", "00ff10"},
                          {"Enumeration_input", "Option_2"}};
  MemoryRecorder through;
  ExampleFmu(3, "Feedthrough").Run(options, through);
  const auto last = [&](const char* name) { return through.Column(name).back(); };
  EXPECT_EQ(last("Float64_continuous_output"), -1.5);
  EXPECT_EQ(last("Float32_output"), 0.25);
  EXPECT_EQ(last("Int8_output"), -128);
  EXPECT_EQ(last("UInt8_output"), 255);
  EXPECT_EQ(last("Int16_output"), -32768);
  EXPECT_EQ(last("UInt16_output"), 65535);
  EXPECT_EQ(last("Int32_output"), -2147483648.0);
  EXPECT_EQ(last("UInt32_output"), 4294967295.0);
  EXPECT_EQ(last("Int64_output"), -9007199254740991.0);
  EXPECT_EQ(last("UInt64_output"), 9007199254740991.0);
  EXPECT_EQ(last("Boolean_output"), 1.0);
  EXPECT_EQ(last("Enumeration_output"), 2.0);
  ASSERT_EQ(through.texts.size(), 2U);
  EXPECT_EQ(through.texts[0].back(), "a b, \"c\"");
  EXPECT_EQ(through.texts[1].back(), "00ff10");
  options.start_values = {{"Int32_input", "7"}, {"Boolean_input", "1"}, {"Enumeration_input", "2"}};
  for (int version : {1, 2}) {
    MemoryRecorder old;
    ExampleFmu(version, "Feedthrough").Run(options, old);
    EXPECT_EQ(old.Column("Int32_output").back(), 7.0);
    EXPECT_EQ(old.Column("Boolean_output").back(), 1.0);
    EXPECT_EQ(old.Column("Enumeration_output").back(), 2.0);
    EXPECT_EQ(old.texts[0].back(), "plain and simple");
  }
}

TEST(ExampleFmus, AValueOutOfRangeIsRefused) {
  SimulationOptions options;
  options.start_values = {{"Int8_input", "128"}};
  MemoryRecorder none;
  try {
    ExampleFmu(3, "Feedthrough").Run(options, none);
    FAIL() << "128 is no Int8";
  } catch (const ArgumentError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected a value of type Int8, found '128'"));
  }
}

TEST(ExampleFmus, ClocksTickWhenTheirTimeComes) {
  SimulationOptions options;
  options.outputs = {"periodic_count", "fourth_count", "total"};
  MemoryRecorder clocks;
  ExampleFmu(3, "Clocks").Run(options, clocks);
  // At 0, 0.5, ... 4: nine ticks, and each fourth makes another.
  EXPECT_EQ(clocks.Column("periodic_count").back(), 9.0);
  EXPECT_EQ(clocks.Column("fourth_count").back(), 2.0);
  EXPECT_EQ(clocks.Column("periodic_count").front(), 1.0);
  EXPECT_EQ(clocks.Column("total").back(), 11.0);
}

TEST(ExampleFmus, StructuralParametersGiveArraysTheirSize) {
  for (const InterfaceKind kind : {InterfaceKind::CoSimulation, InterfaceKind::ModelExchange}) {
    SimulationOptions options;
    options.kind = kind;
    options.start_values = {{"A", "-1 0 0 -2"}, {"n", "2"}, {"m", "1"}, {"B", "0 0"}, {"x0", "1 3"}, {"u", "0"}};
    options.tolerance = 1e-8;
    MemoryRecorder arrays;
    ExampleFmu(3, "Arrays").Run(options, arrays);
    ASSERT_EQ(arrays.columns.size(), 2U);
    const bool exact = kind == InterfaceKind::ModelExchange;
    EXPECT_NEAR(arrays.Column("y[1]").back(), exact ? std::exp(-2.0) : std::pow(0.9, 20), exact ? 1e-6 : 1e-12);
    EXPECT_NEAR(arrays.Column("y[2]").back(), 3.0 * (exact ? std::exp(-4.0) : std::pow(0.8, 20)), exact ? 1e-6 : 1e-12);
  }
}

long MostResidentKilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(ModelExchange, TenThousandStiffStatesTakeLittleMemory) {
  SimulationOptions options;
  options.tolerance = 1e-6;
  MemoryRecorder heat;
  const ExampleFmu fmu(3, "Heat");
  const long before = MostResidentKilobytes();
  const SimulationResult result = fmu.Run(options, heat);
  ASSERT_TRUE(result.solver);
  EXPECT_TRUE(result.solver->is_iterative);
  // 20 Krylov vectors, the band and the vectors of BDF: about 60 of 80 kB each. A dense Jacobian has 800 MB.
  if (!test::kIsSanitized) {
    EXPECT_LT(MostResidentKilobytes() - before, 40'000);
  }
  EXPECT_NEAR(heat.Column("middle").back(), std::exp(-0.2 * std::numbers::pi * std::numbers::pi), 1e-5);
  for (const double error : heat.Column("error")) EXPECT_LT(error, 10 * 1e-6) << "ten tolerances: decision 31";
  EXPECT_LT(result.solver->evaluations, 10'000) << "a dense Jacobian takes as many once";
}

TEST(ModelExchange, TheLinearSolverIsChosen) {
  for (const LinearSolver linear : {LinearSolver::Automatic, LinearSolver::Dense, LinearSolver::Iterative}) {
    SimulationOptions options;
    options.tolerance = 1e-7;
    options.linear = linear;
    options.start_values = {{"n", "200"}};
    MemoryRecorder heat;
    const SimulationResult result = ExampleFmu(3, "Heat").Run(options, heat);
    EXPECT_EQ(result.solver->is_iterative, linear == LinearSolver::Iterative);
    for (const double error : heat.Column("error")) EXPECT_LT(error, 1e-6);
  }
  // With directional derivatives, and a Jacobian that is no band.
  SimulationOptions options;
  options.kind = InterfaceKind::ModelExchange;
  options.tolerance = 1e-8;
  MemoryRecorder dense;
  ExampleFmu(3, "VanDerPol").Run(options, dense);
  options.linear = LinearSolver::Iterative;
  MemoryRecorder iterative;
  ExampleFmu(3, "VanDerPol").Run(options, iterative);
  EXPECT_NEAR(iterative.Column("x0").back(), dense.Column("x0").back(), 1e-6);
}

TEST(ModelExchange, AToleranceForTheStepIsTakenAsItIs) {
  const auto steps = [](ToleranceFor tolerance_for, MemoryRecorder& recorder) {
    SimulationOptions options;
    options.kind = InterfaceKind::ModelExchange;
    options.tolerance = 1e-6;
    options.tolerance_for = tolerance_for;
    return ExampleFmu(2, "Dahlquist").Run(options, recorder).solver->steps;
  };
  MemoryRecorder literal;
  MemoryRecorder strict;
  const long few = steps(ToleranceFor::Step, literal);
  const long many = steps(ToleranceFor::Result, strict);
  EXPECT_LT(1.5 * static_cast<double>(few), static_cast<double>(many));
  const auto error = [](const MemoryRecorder& run) { return std::abs(run.Column("x").back() - std::exp(-10.0)); };
  EXPECT_LT(error(strict), 1e-6);
  EXPECT_LT(error(literal), 1e-4);
}

TEST(ExampleFmus, AStepThatReturnsEarlyIsFinished) {
  for (const bool event_mode : {false, true}) {
    SimulationOptions options;
    options.event_mode = event_mode;
    options.early_return = event_mode;
    MemoryRecorder teeth;
    ExampleFmu(3, "Sawtooth").Run(options, teeth);
    // Back to 0 at 0.75, 1.5, ...: whole seconds are 0.25 into the second tooth, and so on.
    EXPECT_THAT(teeth.Column("x"), ElementsAre(0.0, 0.25, 0.5, 0.0, 0.25));
    EXPECT_THAT(teeth.Column("teeth"), ElementsAre(0.0, 1.0, 2.0, 4.0, 5.0));
  }
  SimulationOptions options;
  options.kind = InterfaceKind::ModelExchange;
  MemoryRecorder exact;
  ExampleFmu(3, "Sawtooth").Run(options, exact);
  EXPECT_EQ(exact.Column("teeth").back(), 5.0);
  EXPECT_NEAR(exact.Column("x").back(), 0.25, 1e-6);
}

TEST(ExampleFmus, DerivativesOfInputsAreUsed) {
  const ScratchFolder folder;
  SimulationOptions options;
  options.inputs = folder.Write("ramp.csv", "time,u\n0,0\n1,1\n");
  for (int version : {1, 2}) {
    MemoryRecorder ramp;
    ExampleFmu(version, "Integrator").Run(options, ramp);
    EXPECT_NEAR(ramp.Column("x").back(), 0.5, 0.001) << "held over steps of 0.1 it would be 0.45";
  }
  MemoryRecorder held;
  ExampleFmu(3, "Integrator").Run(options, held);
  EXPECT_NEAR(held.Column("x").back(), 0.45, 1e-9) << "3.0 has no derivatives of inputs";
  options.kind = InterfaceKind::ModelExchange;
  MemoryRecorder exact;
  ExampleFmu(3, "Integrator").Run(options, exact);
  EXPECT_NEAR(exact.Column("x").back(), 0.5, 1e-5) << "ten times the tolerance";
}

std::filesystem::path WriteInputs(const std::string& text) {
  static const ScratchFolder folder;  // tests run beside each other
  return folder.Write("inputs.csv", text);
}

TEST(ExampleFmus, AStartAfterTheUsualStopRunsForAsLong) {
  SimulationOptions options;
  options.step = 0.5;
  for (const double start : {1.0, 3.0, 1.7e9}) {
    options.start = start;
    MemoryRecorder rows;
    ExampleFmu(3, "BouncingBall").Run(options, rows);
    EXPECT_EQ(rows.times.back(), start < 3.0 ? 3.0 : start + 3.0);
  }
}

TEST(ExampleFmus, ARowAtAJumpHasAllInputsBeforeIt) {
  SimulationOptions options;
  options.inputs = WriteInputs("time,Float64_continuous_input,Int32_input\n0,0,0\n0.5,0,0\n0.5,3,7\n1,5,7\n");
  options.step = 0.25;
  options.stop = 1.0;
  for (const auto kind : {InterfaceKind::ModelExchange, InterfaceKind::CoSimulation}) {
    options.kind = kind;
    MemoryRecorder rows;
    ExampleFmu(3, "Feedthrough").Run(options, rows);
    EXPECT_EQ(rows.Column("Float64_continuous_output")[2], 0.0);
    EXPECT_EQ(rows.Column("Int32_output")[2], 0.0);
    EXPECT_EQ(rows.Column("Float64_continuous_output")[3], kind == InterfaceKind::ModelExchange ? 4.0 : 3.0);
    EXPECT_EQ(rows.Column("Int32_output")[3], 7.0);
  }
}

TEST(ExampleFmus, InputsOfAllTypesComeFromATable) {
  SimulationOptions options;
  options.step = 1.0;
  options.inputs = WriteInputs(
      "time,Int64_input,UInt64_input,Int8_input,Boolean_input,String_input,Enumeration_input,Binary_input,"
      "Float64_continuous_input,Float32_input\n"
      "0,-9223372036854775808,0,1.0,true,plain,Option_2,00ff,0,1.5\n"
      "1,9223372036854775807,18446744073709551615,-128,0,\"two, words\",1,aa,4,2.5\n");
  for (const InterfaceKind kind : {InterfaceKind::CoSimulation, InterfaceKind::ModelExchange}) {
    options.kind = kind;
    options.outputs = {"Int64_output",   "UInt64_output",      "Int8_output",
                       "Boolean_output", "Enumeration_output", "Float64_continuous_output",
                       "Float32_output"};
    MemoryRecorder numbers;
    ExampleFmu(3, "Feedthrough").Run(options, numbers);
    ASSERT_EQ(numbers.times.size(), 3U);
    EXPECT_EQ(numbers.Column("Int64_output").front(), -0x1p63);
    EXPECT_EQ(numbers.Column("Int64_output").back(), 0x1p63) << "as a double; set as it is";
    EXPECT_EQ(numbers.Column("UInt64_output").back(), 0x1p64);
    EXPECT_THAT(numbers.Column("Int8_output"), testing::Contains(-128.0));
    EXPECT_EQ(numbers.Column("Boolean_output").front(), 1.0);
    EXPECT_EQ(numbers.Column("Enumeration_output").front(), 2.0);
    EXPECT_EQ(numbers.Column("Float64_continuous_output").back(), 4.0);
    EXPECT_EQ(numbers.Column("Float32_output").front(), 1.5);
    options.outputs = {"String_output", "Binary_output"};
    MemoryRecorder texts;
    ExampleFmu(3, "Feedthrough").Run(options, texts);
    EXPECT_EQ(texts.texts[0].front(), "plain");
    EXPECT_EQ(texts.texts[0].back(), "two, words");
    EXPECT_EQ(texts.texts[1].front(), "00ff");
    EXPECT_EQ(texts.texts[1].back(), "aa");
  }
}

TEST(ExampleFmus, ArraysComeFromATableByElementOrAsAWhole) {
  const ExampleFmu fmu(3, "Arrays");
  SimulationOptions options;
  options.start_values = {{"n", "2"}, {"A", "0"}, {"B", "1 0 0 1"}};
  options.outputs = {"y", "A"};
  const auto last = [&](const std::string& table) {
    options.inputs = WriteInputs(table);
    MemoryRecorder recorder;
    fmu.Run(options, recorder);
    EXPECT_EQ(recorder.columns[3].name, "A[1,2]") << "as the elements of items are called";
    return std::vector<double>{recorder.Column("y[1]").back(), recorder.Column("y[2]").back()};
  };
  using testing::DoubleNear;
  EXPECT_THAT(last("time,u[2],u[1]\n0,3,1\n"), ElementsAre(DoubleNear(2.0, 1e-12), DoubleNear(6.0, 1e-12)));
  EXPECT_THAT(last("time,u\n0,1 3\n"), ElementsAre(DoubleNear(2.0, 1e-12), DoubleNear(6.0, 1e-12)));
  EXPECT_THAT(last("time,u[2]\n0,3\n"), ElementsAre(DoubleNear(2.0, 1e-12), DoubleNear(6.0, 1e-12)))
      << "u[1] starts with 1";
}

TEST(ExampleFmus, InputsThatCannotBeAreRefused) {
  struct Refusal {
    const char* name;
    const char* table;
    const char* message;
  };
  for (const Refusal& one : {
           Refusal{"Feedthrough", "time,Int8_input\n0,300\n",
                   ":2: Int8_input: expected a value of type Int8, found '300'"},
           Refusal{"Feedthrough", "time,Int32_input\n0,1.5\n", "found '1.5'"},
           Refusal{"Feedthrough", "time,Int32_input,Int32_input\n0,1,1\n", "found 'Int32_input' again"},
           Refusal{"Feedthrough", "time,Int32_output\n0,1\n", "did you mean 'Int32_input'"},
           Refusal{"Feedthrough", "time,Boolean_input\n0,perhaps\n", "found 'perhaps'"},
           Refusal{"Feedthrough", "time,Binary_input\n0,xyz\n", "hexadecimal"},
           Refusal{"Feedthrough", "time,Int32_input\n1,1\n0,1\n", "sort the rows"},
           Refusal{"Arrays", "time,u[1],u\n0,1,1 2\n", "found 'u' again"},
           Refusal{"Arrays", "time,u[3]\n0,1\n", "found 'u[3]'"},
           Refusal{"Arrays", "time,u\n0,1 2 3\n", "expected 2 values, found 3; write one value for all"},
       }) {
    SimulationOptions options;
    options.inputs = WriteInputs(one.table);
    MemoryRecorder recorder;
    EXPECT_THAT([&] { ExampleFmu(3, one.name).Run(options, recorder); },
                testing::ThrowsMessage<FormatError>(testing::HasSubstr(one.message)))
        << one.table;
  }
}

TEST(ExampleFmus, WhatTheFmuComputesIsNotSetAndAClockIsNotRecorded) {
  MemoryRecorder recorder;
  for (const char* name : {"y", "der(x)", "time"}) {
    SimulationOptions options;
    options.start_values = {{name, "1"}};
    EXPECT_THAT(
        [&] { ExampleFmu(3, "Arrays").Run(options, recorder); },
        testing::ThrowsMessage<ArgumentError>(testing::AllOf(
            testing::HasSubstr(name), testing::HasSubstr("expected a variable that can be set before the run"))));
  }
  SimulationOptions options;
  options.outputs = {"periodic"};
  EXPECT_THAT([&] { ExampleFmu(3, "Clocks").Run(options, recorder); },
              testing::ThrowsMessage<ArgumentError>(testing::HasSubstr("found a clock")));
}

TEST(ExampleFmus, NamesStandInMessages) {
  const ExampleFmu fmu(2, "Feedthrough");
  EXPECT_EQ(NamesInText("#r1# and #i1#, ## 100 %", fmu.description), "Float64_fixed_parameter and #i1#, # 100 %");
}

}  // namespace
}  // namespace openmi::fmi
