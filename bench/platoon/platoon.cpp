// The platoon of examples/platoon: how much faster than the clock it runs in non-real time, with its simulator in the
// same process, over UDP and over TCP, and where the time of a step goes. The simulator's process says how long its own
// steps took; what a step of the simulator's component takes beyond that is communication; what a pass takes beyond all
// components is the runtime. The bound is real time itself: a simulator that is slower can't be coupled to anything
// real.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "tests/examples/PlatoonRun.hpp"

namespace {

constexpr int kRounds = 7;
constexpr double kSeconds = 30.0;

/// Microseconds in a step of the run.
struct Parts {
  double communication = 0.0;
  double simulator = 0.0;
  double controls = 0.0;  ///< the FMUs
  double sensors = 0.0;   ///< FMUs too
  double others = 0.0;    ///< OSI messages and instruments
  double runtime = 0.0;
  double Sum() const { return communication + simulator + controls + sensors + others + runtime; }
};

Parts Measure(const std::string& way) {
  std::optional<platoon::SimulatorProcess> process;
  openmi::Variables variables;
  if (way != "local") {
    process.emplace();
    variables["port"] = process->Port();
  }
  openmi::RunOptions options;
  options.step_times = true;  // every step is timed, not a part of them
  const platoon::PlatoonRun run(way, variables, kSeconds, {}, {}, options);
  double at_home = -1.0;
  if (process) {
    const std::string said = process->Stop();
    const std::size_t at = said.find("steps of ");
    if (at != std::string::npos) at_home = std::stod(said.substr(at + 9));
  }
  Parts parts;
  double all = 0.0;
  double steps = 0.0;
  for (const openmi::RecordedTiming& timing : run.record.timings) {
    if (timing.component == "simulator") steps = static_cast<double>(timing.updates);
  }
  for (const openmi::RecordedTiming& timing : run.record.timings) {
    const double microseconds = timing.seconds / steps * 1e6;
    all += microseconds;
    if (timing.component == "simulator") {
      parts.simulator = at_home < 0.0 ? microseconds : at_home;
      parts.communication = microseconds - parts.simulator;
    } else if (timing.component.starts_with("cacc")) {
      parts.controls += microseconds;
    } else if (timing.component.starts_with("sensor")) {
      parts.sensors += microseconds;
    } else {
      parts.others += microseconds;
    }
  }
  parts.runtime = run.record.wall_seconds / steps * 1e6 - all;
  return parts;
}

bool Case(const std::string& way, const char* name) {
  std::vector<Parts> rounds;
  for (int i = 0; i < kRounds; ++i) rounds.push_back(Measure(way));
  std::ranges::sort(rounds, {}, &Parts::Sum);
  const Parts& middle = rounds[rounds.size() / 2];
  const double step = middle.Sum();
  const double real = 10'000.0;
  const bool is_good = step <= real;
  fmt::print(
      "platoon/{}: {:.1f} us for a step of 10 ms, real time {:.0f} us, ratio {:.4f} ({:.0f} times real time), bound "
      "1{}\n",
      name, step, real, step / real, real / step, is_good ? "" : " EXCEEDED");
  const auto row = [&](const char* what, double microseconds) {
    fmt::print("  {:<32}{:>8.1f} us  {:>5.1f} %\n", what, microseconds, 100.0 * microseconds / step);
  };
  row("communication", middle.communication);
  row("models: simulator", middle.simulator);
  row("models: two cruise controls", middle.controls);
  row("models: two sensors", middle.sensors);
  row("OSI messages and instruments", middle.others);
  row("runtime", middle.runtime);
  std::fflush(stdout);
  return is_good;
}

}  // namespace

int main() {
  bool is_good = Case("local", "in-process");
  is_good = Case("udp", "udp") && is_good;
  is_good = Case("nrt", "tcp") && is_good;
  return is_good ? 0 : 1;
}
