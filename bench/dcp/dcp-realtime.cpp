// How punctual a slave is that steps by the clock in soft real time: 60 s each at 10 ms and at 1 ms (or as long as the
// first argument says). Prints how late steps began, as a histogram, steps that ended after the next was due, and the
// drift: the slope of a line fitted to when the outputs reach the master's process, by the wall clock, against the
// simulated time that they carry. The slave counts on the monotonic clock, so a step that is left out, made twice or
// counted wrongly shows. The bound is on the drift.

#include <fmt/format.h>
#include <sys/mman.h>

#include <chrono>
#include <cmath>
#include <cstdlib>

#include "bench/dcp/DcpBench.hpp"
#include "fmi-bridge/dcp/master/SlaveSession.hpp"
#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"
#include "fmi-bridge/dcp/slave/StepClock.hpp"

namespace {

using namespace openmi::dcp;
using namespace openmi::dcp::measured;
using Clock = Transport::Clock;

constexpr double kDriftBound = 1e-6;

class Ramp final : public SlaveModel {
  void Step(SlaveValues& values, const StepSpan& span) override { values.At(1).SetNumber(span.end); }
};

/// What the slave's process tells when its run has ended.
struct Shared {
  std::uint16_t port;
  bool is_over;
  Lateness lateness;
};

bool Measure(std::uint32_t step_ms, double seconds) {
  auto* shared =
      static_cast<Shared*>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  SlaveDescription description = DescribeSmall();
  description.variables[1].steps.standard = step_ms;
  const Child slave([&] {
    Ramp model;
    SlaveRunner runner(description, model, {.is_once = true});
    __atomic_store_n(&shared->port, runner.ControlEndpoint(TransportProtocol::UDP_IPv4).port, __ATOMIC_RELEASE);
    runner.Run();
    shared->lateness = runner.StepLateness();
    __atomic_store_n(&shared->is_over, true, __ATOMIC_RELEASE);
  });
  while (__atomic_load_n(&shared->port, __ATOMIC_ACQUIRE) == 0) usleep(500);
  SessionOptions options;
  options.slave = {.address = kLoopback, .port = shared->port};
  options.mode = OpMode::SRT;
  options.steps = step_ms;
  SlaveSession session(description, options);
  const Index output = 1;
  session.Plan({}, std::span(&output, 1), {});
  session.Register();
  session.Configure();
  session.Synchronize();
  const auto wall =
      std::chrono::ceil<std::chrono::seconds>(std::chrono::system_clock::now() + std::chrono::milliseconds(200));
  session.Run(wall.time_since_epoch().count());
  const Clock::duration step = std::chrono::milliseconds(step_ms);
  const auto steps = static_cast<long>(std::round(seconds * 1000.0 / step_ms));
  const auto begin =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(wall - std::chrono::system_clock::now());
  Lateness arrivals;
  double last = 0.0;
  for (long n = 1; n <= steps; ++n) {
    session.StepInRealTime(begin + n * step, step / 2);
    const double simulated = session.Values().At(output).Number();
    if (simulated == last) continue;  // none came in time
    last = simulated;
    const std::chrono::duration<double> since = std::chrono::system_clock::now() - wall;
    arrivals.Add(simulated, since.count() - simulated);
  }
  session.Stop();
  while (!__atomic_load_n(&shared->is_over, __ATOMIC_ACQUIRE)) usleep(500);
  const SessionCounts& counts = session.Counts();
  const Lateness& lateness = shared->lateness;
  fmt::print("{}\n", lateness.Describe());
  fmt::print(
      "dcp-realtime/{}-ms: {} steps in {:.0f} s, {} overruns; {} of {} data PDUs missed, {} steps of the master held; "
      "drift {:.1e}, bound {:.0e}{}\n",
      step_ms, lateness.Count(), seconds, lateness.Overruns(), counts.data_missed, counts.data_received, counts.held,
      arrivals.Drift(), kDriftBound, std::abs(arrivals.Drift()) > kDriftBound ? " EXCEEDED" : "");
  return std::abs(arrivals.Drift()) <= kDriftBound;
}

}  // namespace

int main(int count, char** arguments) {
  const double seconds = count > 1 ? std::atof(arguments[1]) : 60.0;
  setvbuf(stdout, nullptr, _IOLBF, 0);
  const bool is_slow_good = Measure(10, seconds);
  return Measure(1, seconds) && is_slow_good ? 0 : 1;
}
