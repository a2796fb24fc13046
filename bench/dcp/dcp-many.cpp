// Twenty DCP slaves in processes of their own, driven by one thread over loopback in non-real time. First with steps
// that wait 5 ms on a timer, against one such slave; then with empty steps, against twenty pairs of blocking sockets
// that exchange as many messages of the same sizes; and what a step asks of the master's memory, and of threads. Last,
// sixteen numbers in and out of one slave in 1, 4 and 16 data PDUs through 1 and 4 sockets, over UDP and TCP, with what
// was lost. Ours and the peer alternate; the median of the paired ratios counts.

#include <fmt/format.h>
#include <sys/mman.h>
#include <time.h>

#include <array>
#include <chrono>
#include <cstring>
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
  Driven(const SlaveDescription& description, TransportProtocol protocol, long wait_ns)
      : slave(description, protocol, wait_ns) {
    SessionOptions options;
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

/// The least of a master, of a slave with kWide numbers in and out, in some data PDUs that go through some sockets.
class WideMaster {
 public:
  static constexpr std::size_t kWide = 16;

  WideMaster(TransportProtocol protocol, Endpoint slave, std::size_t groups, std::size_t sockets)
      : transport_(protocol == TransportProtocol::UDP_IPv4 ? MakeUdpTransport() : MakeTcpTransport()),
        protocol_(protocol),
        slave_(slave),
        groups_(groups) {
    const bool is_udp = protocol == TransportProtocol::UDP_IPv4;
    door_ = transport_->Connect(is_udp ? transport_->Open({.address = kLoopback, .port = 0}) : -1, slave, Soon());
    transport_->Prefer(door_, slave);
    Ask(StcRegister{.mode = OpMode::NRT});
    AwaitState(State::CONFIGURATION);
    for (std::size_t i = 0; i < sockets; ++i) {
      Way way{.in = is_udp && sockets == 1 ? door_ : transport_->Open({.address = kLoopback, .port = 0}),
              .out = door_,
              .to = slave};
      if (sockets > 1) way.to.port = FreePort();
      ways_.push_back(way);
    }
    for (std::size_t group = 0; group < groups; ++group) Configure(group);
    Stc(PduType::STC_prepare, State::CONFIGURATION, State::PREPARED);
    for (Way& way : ways_) {
      if (sockets > 1) way.out = transport_->Connect(way.in, way.to, Soon());
    }
    Stc(PduType::STC_configure, State::PREPARED, State::CONFIGURED);
    Ask(StcRun{.state = State::CONFIGURED});
    AwaitState(State::SYNCHRONIZED);
    Ask(StcRun{.state = State::SYNCHRONIZED});
    AwaitState(State::RUNNING);
  }

  void Step() {
    sent_value_ += 1.0;
    transport_->Hold();
    const std::size_t size = kWide / groups_ * sizeof sent_value_;
    for (std::size_t i = 0; i < size; i += sizeof sent_value_)
      std::memcpy(&payload_[i], &sent_value_, sizeof sent_value_);
    for (std::size_t group = 0; group < groups_; ++group) {
      const Way& way = ways_[group % ways_.size()];
      const Dat data{
          .sequence = data_, .id = static_cast<std::uint16_t>(group + 1), .payload = Bytes(payload_).first(size)};
      transport_->Send(way.out, way.to, Bytes(buffer_).first(Encode(data, buffer_)));
    }
    ++data_;
    Send(StcDoStep{.state = State::RUNNING, .steps = 1});
    transport_->Release();
    came_ = 0;
    AwaitState(State::COMPUTED);
    Send(StcPlain{.type = PduType::STC_send_outputs, .state = State::COMPUTED});
    AwaitState(State::RUNNING);
    while (came_ < groups_ && Take(Clock::now() + std::chrono::milliseconds(100))) {
    }
    outputs_lost += groups_ - came_;
  }

  std::uint64_t outputs_lost = 0;
  std::uint64_t inputs_lost = 0;  ///< groups that still hold an earlier value

 private:
  struct Way {
    Door in = 0;
    Door out = 0;
    Endpoint to;
  };
  static Clock::time_point Soon() { return Clock::now() + std::chrono::seconds(5); }
  std::uint16_t FreePort() const {
    const auto other = protocol_ == TransportProtocol::UDP_IPv4 ? MakeUdpTransport() : MakeTcpTransport();
    return other->Local(other->Open({.address = kLoopback, .port = 0})).port;
  }
  void Configure(std::size_t group) {
    const auto in = static_cast<std::uint16_t>(group + 1);
    const auto out = static_cast<std::uint16_t>(groups_ + group + 1);
    for (std::size_t i = 0; i < kWide / groups_; ++i) {
      const std::size_t variable = group * (kWide / groups_) + i;
      const auto position = static_cast<std::uint16_t>(i);
      Ask(CfgInput{.data_id = in, .position = position, .target_vr = variable + 1});
      Ask(CfgOutput{.data_id = out, .position = position, .source_vr = kWide + variable + 1});
    }
    Ask(CfgScope{.data_id = in});
    Ask(CfgScope{.data_id = out});
    Ask(CfgSteps{.data_id = out});
    const Way& way = ways_[group % ways_.size()];
    const auto place = [&](PduType type, std::uint16_t id, Endpoint at) {
      Ask(CfgNetworkInformation{.type = type, .id = id, .protocol = protocol_, .port = at.port, .address = at.address});
    };
    place(PduType::CFG_source_network_information, in, way.to);
    // Over TCP a door that listens; the way from a single UDP socket to a single one is the one of requests.
    place(PduType::CFG_target_network_information, out, transport_->Local(way.in));
  }
  template <class P>
  void Send(P pdu) {
    pdu.sequence = ++sequence_;
    pdu.receiver = 1;
    transport_->Send(door_, slave_, Bytes(buffer_).first(Encode(pdu, buffer_)));
  }
  template <class P>
  void Ask(const P& pdu) {
    Send(pdu);
    for (is_acked_ = false; !is_acked_;) Need();
  }
  void Stc(PduType type, State from, State until) {
    Ask(StcPlain{.type = type, .state = from});
    AwaitState(until);
  }
  void AwaitState(State state) {
    while (state_ != state) Need();
  }
  void Need() {
    if (!Take(Soon())) throw std::runtime_error("expected an answer of the slave, found none");
  }
  bool Take(Clock::time_point deadline) {
    Arrival arrival;
    if (!transport_->Receive(arrival, deadline)) return false;
    const Decoded decoded = Decode(arrival.pdu);
    if (const auto* notice = std::get_if<NtfStateChanged>(&decoded.pdu)) state_ = notice->state;
    if (std::get_if<RspAck>(&decoded.pdu) != nullptr) is_acked_ = true;
    if (const auto* refusal = std::get_if<RspNack>(&decoded.pdu)) {
      throw std::runtime_error(fmt::format("expected an ack of the slave, found {}", NameOf(refusal->error)));
    }
    if (const auto* data = std::get_if<Dat>(&decoded.pdu)) {
      double value = 0.0;
      std::memcpy(&value, data->payload.data(), sizeof value);
      ++came_;
      if (value != sent_value_) ++inputs_lost;
    }
    return true;
  }

  std::unique_ptr<Transport> transport_;
  TransportProtocol protocol_;
  Endpoint slave_;
  std::size_t groups_;
  std::vector<Way> ways_;
  Door door_ = 0;
  std::array<std::byte, 256> payload_{};
  std::array<std::byte, 512> buffer_{};
  std::uint16_t sequence_ = 0;
  std::uint16_t data_ = 0;
  double sent_value_ = 0.0;
  std::size_t came_ = 0;
  bool is_acked_ = false;
  State state_ = State::ALIVE;
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

/// Sixteen numbers in and out: time and losses.
void ShowGroups(const SlaveDescription& wide, TransportProtocol protocol, const std::string& suffix) {
  for (const std::size_t sockets : {1, 4}) {
    for (const std::size_t groups : {1, 4, 16}) {
      if (groups < sockets) continue;  // one PDU goes through one socket
      const Served slave(wide, protocol, 0);
      WideMaster master(protocol, slave.At(), groups, sockets);
      std::vector<double> seconds;
      constexpr int kSteps = 200;
      for (int round = 0; round < kRounds; ++round) seconds.push_back(SecondsPerStep(kSteps, [&] { master.Step(); }));
      fmt::print(
          "dcp-many/groups{}: 16 numbers in {} PDUs through {} sockets: {:.1f} us a step; {} data PDUs lost on "
          "the way out and {} on the way back, of {} each\n",
          suffix, groups, sockets, Median(seconds) * 1e6, master.inputs_lost, master.outputs_lost,
          groups * kSteps * kRounds);
    }
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
