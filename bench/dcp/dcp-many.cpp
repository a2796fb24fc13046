// Twenty DCP slaves in processes of their own, driven by one thread over loopback in non-real time. First with steps
// that wait 5 ms on a timer, against one such slave; then with empty steps, against twenty pairs of blocking sockets
// that exchange as many messages of the same sizes; and what a step asks of the master's memory, and of threads. Last,
// sixteen numbers in and out of one slave in 1, 4 and 16 data PDUs, over UDP and TCP, with what was lost. All of it
// with the product's master. Ours and the peer alternate; the median of the paired ratios counts.

#include <fmt/format.h>
#include <sys/mman.h>
#include <time.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "bench/dcp/DcpBench.hpp"
#include "bench/support/MallocCount.hpp"
#include "fmi-bridge/dcp/master/SlaveSession.hpp"
#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"

namespace {

using namespace openmi::dcp;
using namespace openmi::dcp::measured;
using Clock = Transport::Clock;

constexpr std::size_t kSlaves = 20;
constexpr double kWaitingBound = 1.5;
constexpr double kEmptyBound = 1.15;
constexpr int kRounds = 9;

/// Waits on a timer, and gives its inputs back.
class Echo final : public SlaveModel {
 public:
  explicit Echo(long wait_ns) : wait_{.tv_sec = 0, .tv_nsec = wait_ns} {}
  void Step(SlaveValues& values, const StepSpan&) override {
    if (wait_.tv_nsec > 0) nanosleep(&wait_, nullptr);
    const std::size_t half = values.All().size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
      values.At(static_cast<Index>(half + i)).SetNumber(values.At(static_cast<Index>(i)).Number());
    }
  }

 private:
  timespec wait_;
};

SlaveDescription DescribeWide(int width) {
  SlaveDescription slave = DescribeSmall();
  slave.variables.clear();
  for (int i = 0; i < 2 * width; ++i) {
    slave.variables.push_back(Scalar((i < width ? "u" : "y") + std::to_string(i % width),
                                     static_cast<ValueReference>(i + 1),
                                     i < width ? VariableKind::Input : VariableKind::Output));
  }
  return slave;
}

/// A slave in a process of its own.
class Served {
 public:
  Served(const SlaveDescription& description, TransportProtocol protocol, long wait_ns)
      : port_(static_cast<std::uint16_t*>(
            mmap(nullptr, sizeof(std::uint16_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))),
        child_([&, port = port_] {
          Echo model(wait_ns);
          SlaveRunner runner(description, model);
          __atomic_store_n(port, runner.ControlEndpoint(protocol).port, __ATOMIC_RELEASE);
          runner.Run();
        }) {
    while (__atomic_load_n(port_, __ATOMIC_ACQUIRE) == 0) usleep(500);
  }
  ~Served() { munmap(port_, sizeof *port_); }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  Endpoint At() const { return {.address = kLoopback, .port = *port_}; }
  std::size_t Threads() const { return ThreadsOf(std::to_string(child_.Number())); }

  static std::size_t ThreadsOf(const std::string& process) {
    const std::filesystem::directory_iterator tasks("/proc/" + process + "/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
  }

 private:
  std::uint16_t* port_;
  Child child_;
};

/// A slave and the session with it.
class Driven {
 public:
  Driven(const SlaveDescription& description, TransportProtocol protocol, long wait_ns, SessionOptions options = {})
      : slave(description, protocol, wait_ns) {
    options.control = options.data = protocol;
    options.slave = slave.At();
    session = std::make_unique<SlaveSession>(description, std::move(options));
    std::vector<Index> inputs, outputs;
    for (std::size_t i = 0; i < description.variables.size(); ++i) {
      (i < description.variables.size() / 2 ? inputs : outputs).push_back(static_cast<Index>(i));
    }
    session->Plan(inputs, outputs, {});
    session->Register();
    session->Configure();
    session->Synchronize();
    session->Run(0);
  }
  Served slave;
  std::unique_ptr<SlaveSession> session;
};

using Fleet = std::vector<std::unique_ptr<Driven>>;

Fleet MakeFleet(const SlaveDescription& description, TransportProtocol protocol, std::size_t count, long wait_ns) {
  Fleet fleet;
  for (std::size_t i = 0; i < count; ++i) fleet.push_back(std::make_unique<Driven>(description, protocol, wait_ns));
  return fleet;
}

void Step(Fleet& fleet) {
  for (const auto& one : fleet) one->session->BeginStep(1);
  for (const auto& one : fleet) one->session->AskForOutputs();
  for (const auto& one : fleet) one->session->FinishStep();
}

template <class Work>
double SecondsPerStep(int steps, Work work) {
  const auto begin = Clock::now();
  for (int i = 0; i < steps; ++i) work();
  return std::chrono::duration<double>(Clock::now() - begin).count() / steps;
}

template <class Ours, class Peer>
bool Compare(const std::string& name, double bound, int steps, const char* peer_name, Ours ours, Peer peer) {
  std::vector<double> mine, theirs, ratios;
  for (int round = 0; round < kRounds; ++round) {
    const bool is_first = round % 2 == 0;
    const double a = is_first ? SecondsPerStep(steps, ours) : 0.0;
    theirs.push_back(SecondsPerStep(steps, peer));
    mine.push_back(is_first ? a : SecondsPerStep(steps, ours));
    ratios.push_back(mine.back() / theirs.back());
  }
  const double ratio = Median(ratios);
  fmt::print("dcp-many/{}: {:.1f} us, {} {:.1f} us, ratio {:.2f}, bound {:.2f}{}\n", name, Median(mine) * 1e6,
             peer_name, Median(theirs) * 1e6, ratio, bound, ratio > bound ? " EXCEEDED" : "");
  return ratio <= bound;
}

bool CompareEmpty(const SlaveDescription& description, TransportProtocol protocol, const std::string& name) {
  std::vector<std::array<Plain, 2>> pairs;
  std::vector<std::unique_ptr<Child>> peers;
  for (std::size_t i = 0; i < kSlaves; ++i) {
    pairs.push_back(Pair(protocol));
    peers.push_back(std::make_unique<Child>([end = pairs.back()[1]]() mutable {
      while (true) {
        end.Receive(kAsk);
        end.Send(kDone);
        end.Receive(kSend);
        end.Send(kSent);
      }
    }));
  }
  const auto plain = [&] {
    for (auto& pair : pairs) pair[0].Send(kAsk);
    for (auto& pair : pairs) {
      pair[0].Receive(kDone);
      pair[0].Send(kSend);
    }
    for (auto& pair : pairs) pair[0].Receive(kSent);
  };
  Fleet fleet = MakeFleet(description, protocol, kSlaves, 0);
  const bool is_fast = Compare(
      name, kEmptyBound, 50, "twenty pairs of sockets", [&] { Step(fleet); }, plain);
  const std::uint64_t before = bench::MallocCount();
  for (int i = 0; i < 50; ++i) Step(fleet);
  const std::uint64_t allocations = bench::MallocCount() - before;
  const std::size_t here = Served::ThreadsOf("self"), there = fleet.front()->slave.Threads();
  fmt::print(
      "dcp-many/{}-memory: {} allocations in 50 steps of the master, bound 0; threads: {} in the master, {} in a "
      "slave, bound 1\n",
      name, allocations, here, there);
  return is_fast && allocations == 0 && here == 1 && there == 1;
}

/// Numbers in and out of one slave in groups: time and losses.
void ShowGroups(const SlaveDescription& wide, TransportProtocol protocol, const std::string& suffix) {
  const std::size_t width = wide.variables.size() / 2;
  for (const std::size_t groups : {1, 4, 16}) {
    SessionOptions options;
    options.most_in_group = width / groups;
    options.on_loss = OnLoss::Hold;
    options.data_timeout = std::chrono::milliseconds(100);
    Driven driven(wide, protocol, 0, options);
    SlaveSession& session = *driven.session;
    double sent = 0.0;
    std::uint64_t differing = 0;  // values that are not those of the step
    const auto step = [&] {
      sent += 1.0;
      for (std::size_t i = 0; i < width; ++i) session.Values().At(static_cast<Index>(i)).SetNumber(sent);
      session.BeginStep(1);
      session.AskForOutputs();
      session.FinishStep();
      for (std::size_t i = width; i < 2 * width; ++i) {
        differing += session.Values().At(static_cast<Index>(i)).Number() != sent ? 1 : 0;
      }
    };
    std::vector<double> seconds;
    constexpr int kSteps = 200;
    for (int round = 0; round < kRounds; ++round) seconds.push_back(SecondsPerStep(kSteps, step));
    fmt::print(
        "dcp-many/groups{}: {} numbers in {} PDUs: {:.1f} us a step; {} of {} data PDUs missed, {} values not "
        "those of their step\n",
        suffix, width, groups, Median(seconds) * 1e6, session.Counts().data_missed, groups * kSteps * kRounds,
        differing);
  }
}

}  // namespace

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  const SlaveDescription small = DescribeSmall();
  const SlaveDescription wide = DescribeWide(16);
  bool is_good = true;
  for (const TransportProtocol protocol : {TransportProtocol::UDP_IPv4, TransportProtocol::TCP_IPv4}) {
    const std::string suffix = protocol == TransportProtocol::UDP_IPv4 ? "-udp" : "-tcp";
    {
      Fleet many = MakeFleet(small, protocol, kSlaves, 5'000'000);
      Fleet one = MakeFleet(small, protocol, 1, 5'000'000);
      is_good = Compare(
                    "twenty-waiting" + suffix, kWaitingBound, 10, "one", [&] { Step(many); }, [&] { Step(one); }) &&
                is_good;
    }
    is_good = CompareEmpty(small, protocol, "twenty-empty" + suffix) && is_good;
    ShowGroups(wide, protocol, suffix);
  }
  return is_good ? 0 : 1;
}
