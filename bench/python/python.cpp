// What it costs to drive a composition from Python: a step beside the same step of the C interface.

#include <pybind11/embed.h>

#include <string>

#include "bench/support/Report.hpp"
#include "composition/embed/openmi_c.h"
#include "openmi/sdk/Error.hpp"

namespace {

namespace py = pybind11;

constexpr int kSteps = 20'000;  // a round
constexpr int kRounds = 15;

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
  });
}
