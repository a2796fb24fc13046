// What it costs to drive a composition from Python: a step beside the same step of the C interface; and an FMU alone
// beside FMPy, a package of Python for FMUs: loops of steps with a value given and one taken, and whole runs with all
// outputs.
//
// OPENMI_FMPY names the folder in which Python finds the package fmpy; without it there is nothing to compare with.
// OPENMI_REFERENCE_FMUS may name a folder with the Reference FMUs of the standard (FMI 2.0), in place of our examples.

#include <fmt/format.h>
#include <pybind11/embed.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "bench/support/Report.hpp"
#include "composition/embed/openmi_c.h"
#include "openmi/sdk/Error.hpp"
#include "openmi/system/TemporaryFolder.hpp"

namespace {

namespace py = pybind11;

constexpr int kSteps = 20'000;  // a round
constexpr int kRounds = 15;

/// A composition to be exported as an FMU.
constexpr const char* kReservoir = R"(<Composition xmlns="urn:openmi2:composition:1" Id="reservoir">
  <Component Id="pond" Type="openmi.NashCascade" Assembly="openmi-components">
    <Argument Key="time-step" Value="PT1S"/> <Argument Key="initial-outflow" Value="10"/>
  </Component>
  <Observe Item="pond.outflow"/>
  <Run From="2000-01-01T00:00Z" To="2000-01-02T00:00Z"/>
</Composition>
)";

// A constant flow into a reservoir that steps every second: the engine has little to do in a step.
constexpr const char* kProgram = R"(
import tempfile
import openmi

folder = tempfile.TemporaryDirectory()
made = openmi.Composition("steps", folder=folder.name)
made.add("spring", type="openmi.Constant", assembly="openmi-components", item="flow", unit="m3 s-1", value=2.0)
made.add("pond", type="openmi.NashCascade", assembly="openmi-components", time_step="PT1S")
made.link("spring.flow", "pond.inflow")
made.run_from("2020-01-01T00:00Z", "2021-01-01T00:00Z")
path = made.save()
run = made.start()
item = run["pond.outflow"]

def steps(count):
    for _ in range(count):
        run.step()

def steps_and_values(count):
    for _ in range(count):
        run.step()
        item.values
)";

/// Steps a second of both sides, in turn. Counted is the processor time of all threads.
bench::Pairs RatesInTurn(const py::object& ours, const py::object& peer, int steps) {
  const auto seconds = [steps](const py::object& work) {
    return [&work, steps] { return bench::SecondsOf(CLOCK_PROCESS_CPUTIME_ID, [&] { work(steps); }); };
  };
  return bench::InTurn(kRounds, seconds(ours), seconds(peer)).Rates(steps);
}

void CompareWithFmpy(bench::Report& report) {
  if (std::getenv("OPENMI_FMPY") == nullptr) {
    report.Fact("fmpy", true, "not compared: OPENMI_FMPY names no folder with the package fmpy");
    return;
  }
  py::module_::import("sys").attr("path").attr("insert")(0, OPENMI_SOURCE_DIR "/bench/python");
  const py::object make_pair = py::module_::import("fmpy_rounds").attr("Pair");
  const char* given = std::getenv("OPENMI_REFERENCE_FMUS");
  const std::filesystem::path examples = OPENMI_BINARY_DIR "/examples/fmus/2";
  const std::filesystem::path reference = given != nullptr ? std::filesystem::path(given) : examples;
  const openmi::TemporaryFolder folder;
  const std::filesystem::path exported = folder.Path() / "reservoir.fmu";
  std::ofstream(folder.Path() / "reservoir.xml") << kReservoir;
  const std::string command =
      fmt::format("\"{}/bin/openmi\" fmu export \"{}\" -o \"{}\" > /dev/null 2>&1", OPENMI_BINARY_DIR,
                  (folder.Path() / "reservoir.xml").string(), exported.string());
  if (std::system(command.c_str()) != 0)
    throw openmi::ModelError({}, "expected an exported FMU, found a failure: " + command);
  struct Case {
    const char* name;
    std::filesystem::path fmu;
    const char* given;
    const char* taken;
    double step;  // s
    int steps;    // a round
    bench::Bound whole;
  };
  const Case cases[] = {
      {"VanDerPol", reference / "VanDerPol.fmu", "", "x0", 0.01, 100'000, bench::Bound::AtLeast(10.0)},
      {"BouncingBall", reference / "BouncingBall.fmu", "", "h", 0.01, 100'000, {}},
      {"Linear", examples / "Linear.fmu", "u", "y", 0.01, 100'000, bench::Bound::AtLeast(10.0)},
      {"exported reservoir", exported, "pond.inflow", "pond.outflow", 1.0, 5'000, {}},
  };
  for (const Case& one : cases) {
    const std::string name = one.name;
    if (!report.Wants("fmpy") && !report.Wants(name)) continue;
    const py::object pair = make_pair(one.fmu.string(), one.given, one.taken, one.step);
    pair.attr("start_whole")(one.steps);
    report.Fact(name + "/same", pair.attr("check")(one.steps).cast<bool>(), "both sides end with the same values");
    report.Line(name + "/run", RatesInTurn(pair.attr("whole_run"), pair.attr("peer_whole_run"), one.steps), "steps/s",
                "simulate_fmu", one.whole);
    pair.attr("start_loops")();
    report.Line(name + "/loop", RatesInTurn(pair.attr("loop"), pair.attr("peer_loop"), one.steps), "steps/s",
                "setReal, doStep, getReal", {}, "calls of Python for each step");
  }
}

void Require(bool holds) {
  if (holds) return;
  std::string text(500, '\0');
  text.resize(openmi_last_error(text.data(), text.size()));
  throw openmi::ModelError({}, text);
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("python", count, words, [](bench::Report& report) {
    const py::scoped_interpreter interpreter;
    py::module_::import("sys").attr("path").attr("insert")(0, OPENMI_BINARY_DIR "/python");
    py::dict all;
    py::exec(kProgram, all);
    const auto path = all["path"].cast<std::string>();
    openmi_run* run = openmi_open(path.c_str());
    Require(run != nullptr && openmi_load(run) == 0 && openmi_begin(run) == 0);
    const int item = openmi_find_item(run, "pond.outflow");
    double value = 0.0;

    const auto nanoseconds = [](auto&& work) { return bench::CpuSeconds(work) / kSteps * 1e9; };
    const auto by_python = [&](const char* function) {
      return [&nanoseconds, step = all[function]] { return nanoseconds([&step] { step(kSteps); }); };
    };
    const auto by_c = [&](bool reads) {
      return [&, reads] {
        return nanoseconds([&] {
          for (int i = 0; i < kSteps; ++i) {
            Require(openmi_step(run) == 1);
            if (reads) Require(openmi_read_item(run, item, &value, 1, nullptr, nullptr) == 0);
          }
        });
      };
    };
    if (report.Wants("step")) {
      report.Line("step", bench::InTurn(kRounds, by_python("steps"), by_c(false)), "ns", "openmi_step",
                  bench::Bound::AtMostOver(1000.0));
    }
    if (report.Wants("step-and-values")) {
      report.Line("step-and-values", bench::InTurn(kRounds, by_python("steps_and_values"), by_c(true)), "ns",
                  "openmi_step and openmi_read_item", {}, "a new array for each row");
    }
    openmi_close(run);
    CompareWithFmpy(report);
  });
}
