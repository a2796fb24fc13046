// The platoon of examples/platoon: how much faster than the clock it runs in non-real time, with its simulator in the
// same process, over UDP and over TCP, and where the time of a step goes. The simulator's process says how long its own
// steps took; what a step of the simulator's component takes beyond that is communication; what a pass takes beyond all
// components is the runtime. Communication is held against blocking sockets that exchange the ten messages of a step,
// of the same sizes, between the same waits for the models: each round of ours is followed by one of theirs, and the
// median of the paired ratios counts. The runtime is held against the whole step, in one process.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/dcp/DcpBench.hpp"
#include "composition/report/RunReport.hpp"
#include "examples/platoon/Simulator.hpp"
#include "tests/examples/PlatoonRun.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 7;
constexpr double kCommunicationBound = 1.5;  // of the bare exchange
constexpr double kRuntimeBound = 0.05;       // of the step
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
  options.write_report = openmi::WriteRunReport;
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

/// Microseconds that the ten messages of a step take between two processes, each of which works for as long as its
/// models do.
double Exchange(openmi::dcp::TransportProtocol protocol, const Parts& parts) {
  using platoon::Simulator;
  constexpr std::size_t kHead = 5;
  const std::array<std::size_t, 2> ask{kHead + 8 * Simulator::kInputCount, 9};
  const std::array<std::size_t, 4> sent{4, 3, kHead + 8 * Simulator::kOutputCount, 3};
  const auto work = [](double microseconds) {
    const auto until = Clock::now() + std::chrono::nanoseconds(std::llround(microseconds * 1e3));
    while (Clock::now() < until) {
    }
  };
  std::array<openmi::dcp::measured::Plain, 2> pair = openmi::dcp::measured::Pair(protocol);
  const openmi::dcp::measured::Child other([&] {
    while (true) {
      pair[1].Receive(ask);
      work(parts.simulator);
      pair[1].Send(openmi::dcp::measured::kDone);
      pair[1].Receive(openmi::dcp::measured::kSend);
      pair[1].Send(sent);
    }
  });
  const double elsewhere = parts.controls + parts.sensors + parts.others + parts.runtime;
  constexpr int kSteps = 3000;
  const auto begin = Clock::now();
  for (int i = 0; i < kSteps; ++i) {
    pair[0].Send(ask);
    pair[0].Receive(openmi::dcp::measured::kDone);
    pair[0].Send(openmi::dcp::measured::kSend);
    pair[0].Receive(sent);
    work(elsewhere);
  }
  const double all = std::chrono::duration<double>(Clock::now() - begin).count() / kSteps * 1e6;
  return all - elsewhere - parts.simulator;
}

bool Case(const std::string& way, const char* name) {
  std::vector<Parts> rounds;
  std::vector<double> ratios, bare;
  const bool is_local = way == "local";
  for (int i = 0; i < kRounds; ++i) {
    const Parts parts = Measure(way);
    rounds.push_back(parts);
    if (is_local) {
      ratios.push_back(parts.runtime / parts.Sum());
      continue;
    }
    const bool is_udp = way == "udp";
    bare.push_back(
        Exchange(is_udp ? openmi::dcp::TransportProtocol::UDP_IPv4 : openmi::dcp::TransportProtocol::TCP_IPv4, parts));
    ratios.push_back(parts.communication / bare.back());
  }
  std::ranges::sort(rounds, {}, &Parts::Sum);
  const Parts& middle = rounds[rounds.size() / 2];
  const double step = middle.Sum();
  const double ratio = openmi::dcp::measured::Median(ratios);
  const double bound = is_local ? kRuntimeBound : kCommunicationBound;
  const std::string_view flag = ratio > bound ? " EXCEEDED" : "";
  if (is_local) {
    fmt::print("platoon/{}: runtime {:.2f} us, step {:.1f} us, ratio {:.3f}, bound {}{}\n", name, middle.runtime, step,
               ratio, bound, flag);
  } else {
    fmt::print("platoon/{}: communication {:.1f} us, bare exchange {:.1f} us, ratio {:.2f}, bound {}{}\n", name,
               middle.communication, openmi::dcp::measured::Median(bare), ratio, bound, flag);
  }
  fmt::print("  a step of 10 ms takes {:.1f} us: {:.0f} times real time\n", step, 10'000.0 / step);
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
  return ratio <= bound;
}

}  // namespace

int main() {
  bool is_good = Case("local", "in-process");
  is_good = Case("udp", "udp") && is_good;
  is_good = Case("nrt", "tcp") && is_good;
  return is_good ? 0 : 1;
}
