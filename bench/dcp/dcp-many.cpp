// Twenty DCP slaves in processes of their own, driven by one thread over loopback in non-real time. First with steps
// that wait 5 ms on a timer, against one such slave; then with empty steps, against twenty pairs of blocking sockets
// that exchange as many messages of the same sizes. Last, sixteen numbers in and out of one slave in 1, 4 and 16 data
// PDUs, over UDP and TCP, with what was lost. Ours and the peer alternate; the median of the paired ratios counts.

#include <fmt/format.h>
#include <sys/mman.h>
#include <time.h>

#include <chrono>
#include <memory>
#include <string>

#include "bench/dcp/DcpBench.hpp"
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

/// A slave in a process of its own, and the session with it.
class Driven {
 public:
  Driven(const SlaveDescription& description, TransportProtocol protocol, long wait_ns, std::size_t group = 0)
      : port_(static_cast<std::uint16_t*>(
            mmap(nullptr, sizeof(std::uint16_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))),
        child_([&, port = port_] {
          Echo model(wait_ns);
          SlaveRunner runner(description, model);
          __atomic_store_n(port, runner.ControlEndpoint(protocol).port, __ATOMIC_RELEASE);
          runner.Run();
        }) {
    while (__atomic_load_n(port_, __ATOMIC_ACQUIRE) == 0) usleep(500);
    SessionOptions options;
    options.control = options.data = protocol;
    options.slave = {.address = kLoopback, .port = *port_};
    options.most_in_group = group;
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
  ~Driven() {
    session.reset();
    munmap(port_, sizeof *port_);
  }
  std::unique_ptr<SlaveSession> session;

 private:
  std::uint16_t* port_;
  Child child_;
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
  return Compare(
      name, kEmptyBound, 50, "twenty pairs of sockets", [&] { Step(fleet); }, plain);
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
    for (const std::size_t groups : {1, 4, 16}) {
      Fleet fleet;
      fleet.push_back(std::make_unique<Driven>(wide, protocol, 0, 16 / groups));
      std::vector<double> seconds;
      for (int round = 0; round < kRounds; ++round) seconds.push_back(SecondsPerStep(200, [&] { Step(fleet); }));
      const SessionCounts& counts = fleet.front()->session->Counts();
      fmt::print(
          "dcp-many/groups{}: 16 numbers in {} PDUs: {:.1f} us a step; {} data PDUs missed of {}, {} requests sent "
          "again\n",
          suffix, groups, Median(seconds) * 1e6, counts.data_missed, counts.data_received, counts.repeated);
    }
  }
  return is_good ? 0 : 1;
}
