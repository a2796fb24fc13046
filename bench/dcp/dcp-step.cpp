// What a step costs a DCP slave and its master over loopback, in two processes: a non-real-time step (ten messages)
// over UDP and TCP against blocking sockets that exchange messages of the same number, order and sizes; and a lock-step
// by data in RUNNING against one bare round trip. Both sides are the product's, and each step's value is looked at.
// Ours and the peer alternate in short rounds, on one core; the median of the paired ratios counts. And what a step
// asks of memory in the slave, and of processor on both sides, beside what the bare exchange asks.

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <vector>

#include "bench/dcp/DcpBench.hpp"
#include "bench/support/MallocCount.hpp"
#include "fmi-bridge/dcp/master/SlaveSession.hpp"
#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"

namespace {

using namespace openmi::dcp;
using namespace openmi::dcp::measured;
using Clock = Transport::Clock;

constexpr double kStepBound = 1.15;
constexpr double kLockBound = 1.5;
constexpr int kRounds = 401;  // short ones, of which few meet what else the machine does
constexpr int kSteps = 50;

/// What the slave's process tells about itself.
struct Shared {
  std::uint16_t udp_port;
  std::uint16_t tcp_port;
  std::uint64_t allocations;  // of the last kSteps
};

class Doubler final : public SlaveModel {
 public:
  explicit Doubler(Shared& shared) : shared_(shared) {}
  void Step(SlaveValues& values, const StepSpan&) override {
    values.At(1).SetNumber(2.0 * values.At(0).Number());
    if (++steps_ % kSteps != 0) return;
    shared_.allocations = bench::MallocCount() - allocations_;
    allocations_ = bench::MallocCount();
  }

 private:
  Shared& shared_;
  std::uint64_t steps_ = 0;
  std::uint64_t allocations_ = 0;
};

/// The product's master: what the component of a slave steps by.
class Master {
 public:
  Master(TransportProtocol protocol, std::uint16_t port, bool is_lock_step)
      : session_(description_, {.control = protocol,
                                .data = protocol,
                                .slave = {.address = kLoopback, .port = port},
                                .mode = is_lock_step ? OpMode::SRT : OpMode::NRT,
                                .is_lock_step = is_lock_step}) {
    const Index input = 0;
    const Index output = 1;
    session_.Plan(std::span(&input, 1), std::span(&output, 1), {});
    session_.Register();
    session_.Configure();
    session_.Initialize();
    session_.Synchronize();
    session_.Run(0);
  }
  void Step() {
    PutInput();
    session_.BeginStep(1);
    session_.AskForOutputs();
    session_.FinishStep();
    TakeOutput();
  }
  void LockStep() {
    PutInput();
    session_.BeginLockStep();
    session_.FinishLockStep();
    TakeOutput();
  }

 private:
  void PutInput() { session_.Values().At(0).SetNumber(++sent_); }
  void TakeOutput() {
    if (session_.Values().At(1).Number() != 2.0 * sent_) throw std::runtime_error("expected the output of this step");
  }

  SlaveDescription description_ = DescribeSmall();
  SlaveSession session_;
  double sent_ = 0.0;
};

/// Keeps this process, and those that it starts, at the first core it may use: ours and the peer meet the same
/// neighbours, no wake-up crosses to another core, and what a step computes is not hidden by waiting for one.
void StayAtOneCore() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return;
  int core = 0;
  while (core < CPU_SETSIZE - 1 && !CPU_ISSET(core, &cores)) ++core;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}

/// Seconds of processor that a process has taken; 0: this one.
double Processor(pid_t process) {
  if (process == 0) {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
  }
  double nanoseconds = 0.0;
  std::ifstream(fmt::format("/proc/{}/schedstat", process)) >> nanoseconds;
  return nanoseconds * 1e-9;
}

/// Who makes a step: in this process, and in another at its other end.
struct Side {
  std::function<void()> step;
  pid_t other = 0;
};

/// A step in one round.
struct Cost {
  double seconds = 0.0;
  double here = 0.0;   ///< s of processor in this process
  double there = 0.0;  ///< in the other
};

Cost Round(const Side& side) {
  const double here = Processor(0);
  const double there = Processor(side.other);
  const auto begin = Clock::now();
  for (int i = 0; i < kSteps; ++i) side.step();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return {seconds / kSteps, (Processor(0) - here) / kSteps, (Processor(side.other) - there) / kSteps};
}

double MedianOf(const std::vector<Cost>& costs, double Cost::*part) {
  std::vector<double> values;
  for (const Cost& one : costs) values.push_back(one.*part);
  return Median(values);
}

bool Compare(const std::string& name, double bound, const Side& ours, const Side& peer) {
  std::vector<Cost> mine, theirs;
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    const bool is_first = round % 2 == 0;
    if (is_first) mine.push_back(Round(ours));
    theirs.push_back(Round(peer));
    if (!is_first) mine.push_back(Round(ours));
    ratios.push_back(mine.back().seconds / theirs.back().seconds);
  }
  const double ratio = Median(ratios);
  fmt::print("dcp-step/{}: {:.1f} us, blocking sockets {:.1f} us, ratio {:.2f}, bound {:.2f}{}\n", name,
             MedianOf(mine, &Cost::seconds) * 1e6, MedianOf(theirs, &Cost::seconds) * 1e6, ratio, bound,
             ratio > bound ? " EXCEEDED" : "");
  fmt::print(
      "dcp-step/{}-processor: master {:.1f} us and slave {:.1f} us a step, blocking sockets {:.1f} us and {:.1f} us, "
      "-\n",
      name, MedianOf(mine, &Cost::here) * 1e6, MedianOf(mine, &Cost::there) * 1e6, MedianOf(theirs, &Cost::here) * 1e6,
      MedianOf(theirs, &Cost::there) * 1e6);
  return ratio <= bound;
}

}  // namespace

int main() {
  auto* shared =
      static_cast<Shared*>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  setvbuf(stdout, nullptr, _IOLBF, 0);  // and children inherit nothing that waits to be written
  bool is_good = true;
  StayAtOneCore();
  for (const TransportProtocol protocol : {TransportProtocol::UDP_IPv4, TransportProtocol::TCP_IPv4}) {
    for (const bool is_lock_step : {false, true}) {
      *shared = {};
      const Child slave([&] {
        const SlaveDescription description = DescribeSmall();
        Doubler model(*shared);
        SlaveRunner runner(description, model, {.is_lock_step = is_lock_step});
        shared->udp_port = runner.ControlEndpoint(TransportProtocol::UDP_IPv4).port;
        __atomic_store_n(&shared->tcp_port, runner.ControlEndpoint(TransportProtocol::TCP_IPv4).port, __ATOMIC_RELEASE);
        runner.Run();
      });
      while (__atomic_load_n(&shared->tcp_port, __ATOMIC_ACQUIRE) == 0) usleep(1000);
      std::array<Plain, 2> pair = Pair(protocol);
      const Child peer([&] {
        while (true) {
          if (is_lock_step) {
            pair[1].Receive(std::span(kAsk).first(1));
            pair[1].Send(std::span(kAsk).first(1));
            continue;
          }
          pair[1].Receive(kAsk);
          pair[1].Send(kDone);
          pair[1].Receive(kSend);
          pair[1].Send(kSent);
        }
      });
      const bool is_udp = protocol == TransportProtocol::UDP_IPv4;
      Master master(protocol, is_udp ? shared->udp_port : shared->tcp_port, is_lock_step);
      const auto plain_step = [&] {
        if (is_lock_step) {
          pair[0].Send(std::span(kAsk).first(1));
          pair[0].Receive(std::span(kAsk).first(1));
          return;
        }
        pair[0].Send(kAsk);
        pair[0].Receive(kDone);
        pair[0].Send(kSend);
        pair[0].Receive(kSent);
      };
      const std::string name = fmt::format("{}-{}", is_lock_step ? "lock-step" : "nrt-step", is_udp ? "udp" : "tcp");
      const auto our_step = [&] { is_lock_step ? master.LockStep() : master.Step(); };
      is_good = Compare(name, is_lock_step ? kLockBound : kStepBound, {our_step, slave.Number()},
                        {plain_step, peer.Number()}) &&
                is_good;
      fmt::print("dcp-step/{}-memory: {} allocations in {} steps of the slave, bound 0\n", name, shared->allocations,
                 kSteps);
      is_good = shared->allocations == 0 && is_good;
    }
  }
  return is_good ? 0 : 1;
}
