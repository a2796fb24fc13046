// A component that ends as its argument says.

#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/StatefulComponent.hpp"

namespace {

using openmi::Stamp;

int steps_of_process = 0;  // global state, as old solvers have it

/// A linear store with the moods of real solvers.
class Moody final : public openmi::StatefulSteppingComponent {
 public:
  Moody() : StatefulSteppingComponent("moody") {
    mood_ = AddArgument<std::string>(
        "mood", {.value = "well",
                 .possible_values = {"well", "segfault", "exit", "loop", "memory", "disk", "nan", "throw", "kill"}});
    k_ = AddArgument<double>("k", {.caption = "storage coefficient", .unit = "d", .value = 2.0, .minimum = 0.1});
    pause_ = AddArgument<double>("pause", {.caption = "pause in each step", .unit = "s", .value = 0.0, .minimum = 0.0});
    written_ = AddArgument<std::string>("written", {.caption = "file that receives k", .value = ""});
    folder_ = openmi::ResultsFolder(ArgumentItems());
    flow_ = AddOutput("flow", "m3 s-1");
  }

 private:
  void Start(Stamp) override {
    steps_of_process = 0;
    if (const std::string path = folder_.WrittenPath(written_, [](const std::string& name) { return name; });
        !path.empty()) {
      std::ofstream(path) << k_.Value();
    }
    flow_.Set(0.0);
    volume_ = 0.0;
  }
  void Step(Stamp from, Stamp to) override {
    if (++steps_of_process == 5) ShowMood();
    if (pause_.Value() > 0.0) std::this_thread::sleep_for(std::chrono::duration<double>(pause_.Value()));
    const double days = to.mjd - from.mjd;
    volume_ += days * (2.0 + std::sin(to.mjd));
    volume_ *= std::exp(-days / k_.Value());
    flow_.Set(mood_.Value() == "nan" ? openmi::kNotANumber : volume_ / k_.Value());
  }
  void SaveState(openmi::StateWriter& writer) const override { writer.Write(volume_); }
  void LoadState(openmi::StateReader& reader) override {
    volume_ = reader.ReadDouble();
    if (volume_ > 1e6) throw openmi::FormatError({}, "expected a volume that fits into the pond, found a flood");
  }
  void ShowMood() {
    const std::string mood = mood_.Value();
    if (mood == "segfault") std::raise(SIGSEGV);
    if (mood == "kill") std::raise(SIGKILL);
    if (mood == "exit") std::exit(3);
    if (mood == "throw") throw openmi::ModelError({}, "expected a positive depth, found -0.125 m", "shorten the step");
    while (mood == "loop") volume_ = std::sin(volume_);
    if (mood == "memory") {
      std::vector<std::vector<double>> all;
      while (true) all.emplace_back(10'000'000, 1.0);
    }
    if (mood == "disk") {
      std::FILE* full = std::fopen("/dev/full", "w");
      const bool is_written = full != nullptr && std::fputs("rows", full) >= 0 && std::fclose(full) == 0;
      if (!is_written) throw openmi::FileError({.file = "rows.txt"}, "expected room, found: No space left on device");
    }
  }

  openmi::Argument<std::string> mood_;
  openmi::Argument<double> k_;
  openmi::Argument<double> pause_;
  openmi::Argument<std::string> written_;
  openmi::ResultsFolder folder_;
  openmi::ScalarOutput flow_;
  double volume_ = 0.0;
};

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("test.Moody", Moody)
