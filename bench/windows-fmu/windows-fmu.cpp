// What a step of an FMU costs more whose library is for Windows and runs through Wine, over the same FMU for this
// machine: an input set, a step, two outputs read, for each version of FMI, by the calls of a co-simulation; how often
// a step asks for memory; and how long a start takes. Arguments: none, all; else some of steps, memory and start.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "bench/support/MallocCount.hpp"
#include "bench/support/Measure.hpp"
#include "bench/support/Report.hpp"
#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "openmi/sdk/Problem.hpp"

namespace {

namespace fs = std::filesystem;
using openmi::fmi::Instance;
using openmi::fmi::ModelDescription;
using openmi::fmi::ValueReference;
using openmi::fmi::VariableType;

constexpr double kMostMore = 100.0;  // us a step
constexpr int kSteps = 200;
constexpr int kRounds = 31;

/// The FMU Linear of the examples: a state that follows its input.
class Stepped {
 public:
  Stepped(int version, bool windows) {
    files_ = openmi::UnpackedArchive::Open(fs::path(OPENMI_BINARY_DIR) / "examples" / "fmus" / std::to_string(version) /
                                           "Linear.fmu");
    openmi::Problems problems;
    description_ = openmi::fmi::ReadFmuDescription(files_->Folder(), problems);
    const fs::path folder =
        windows ? fs::path(OPENMI_WINDOWS_FMUS) / std::to_string(version) / "Linear" : files_->Folder();
    openmi::fmi::InstanceOptions options;
    options.name = "linear";
    instance_ = Instance::Make(folder, description_, std::move(options));
    instance_->EnterInitialization({});
    instance_->ExitInitialization();
  }
  void Steps(int count) {
    constexpr ValueReference kInput = 1;
    constexpr std::array<ValueReference, 2> kOutputs{2, 3};
    std::array<double, 2> out{};
    for (int n = 0; n < count; ++n, ++done_) {
      const double in = done_ % 7;
      openmi::fmi::StepResult result;
      instance_->Set(VariableType::Float64, {&kInput, 1}, &in, 1);
      instance_->DoStep(0.01 * done_, 0.01, true, result);
      instance_->Get(VariableType::Float64, kOutputs, out.data(), out.size());
    }
  }

 private:
  std::shared_ptr<const openmi::UnpackedArchive> files_;
  ModelDescription description_;
  std::unique_ptr<Instance> instance_;
  int done_ = 0;
};

}  // namespace

int main(int count, char** words) {
  return bench::Main("windows-fmu", count, words, [](bench::Report& report) {
    setenv("OPENMI_WINDOWS_HOST", OPENMI_BINARY_DIR "/bin/openmi-windows-host.exe", 0);
    for (const int version : {1, 2, 3}) {
      Stepped windows(version, true);
      Stepped native(version, false);
      const auto of = [](Stepped& fmu) {
        return [&fmu] { return 1e6 * bench::WallSeconds([&] { fmu.Steps(kSteps); }) / kSteps; };
      };
      if (report.Wants("steps")) {
        report.Line(fmt::format("steps of FMI {}", version), bench::InTurn(kRounds, of(windows), of(native)), "us",
                    "native", bench::Bound::AtMostOver(kMostMore), "three calls a step");
      }
      if (report.Wants("memory")) {
        windows.Steps(kSteps);
        const auto before = bench::MallocCount();
        windows.Steps(kSteps);
        report.Count(fmt::format("memory of FMI {}", version), static_cast<double>(bench::MallocCount() - before),
                     "allocations");
      }
    }
    if (report.Wants("start")) {
      const Stepped running(2, true);  // so that Wine's server runs
      report.Line("start",
                  bench::InTurn(
                      9, [] { return 1e3 * bench::WallSeconds([] { Stepped(2, true); }); },
                      [] { return 1e3 * bench::WallSeconds([] { Stepped(2, false); }); }),
                  "ms", "native", bench::Bound());
    }
  });
}
