// What a step costs a DCP slave and who drives it over loopback, in two processes: a non-real-time step (ten messages)
// over UDP and TCP against blocking sockets that exchange messages of the same number, order and sizes; and a lock-step
// by data in RUNNING against one bare round trip. The master here is the least that one can be, on our transports. Ours
// and the peer alternate in short rounds, on one core; the median of the paired ratios counts. And what a
// step asks of memory and processor in the slave.

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

#include "bench/dcp/DcpBench.hpp"
#include "bench/support/MallocCount.hpp"
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
  double cpu_seconds;         // of the last kSteps
};

class Doubler final : public SlaveModel {
 public:
  explicit Doubler(Shared& shared) : shared_(shared) {}
  void Step(SlaveValues& values, const StepSpan&) override {
    values.At(1).SetNumber(2.0 * values.At(0).Number());
    if (++steps_ % kSteps != 0) return;
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const double cpu = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                       static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
    shared_.allocations = bench::MallocCount() - allocations_;
    shared_.cpu_seconds = cpu - cpu_;
    allocations_ = bench::MallocCount();
    cpu_ = cpu;
  }

 private:
  Shared& shared_;
  std::uint64_t steps_ = 0;
  std::uint64_t allocations_ = 0;
  double cpu_ = 0.0;
};

/// The least of a master.
class Master {
 public:
  Master(TransportProtocol protocol, std::uint16_t port)
      : transport_(protocol == TransportProtocol::UDP_IPv4 ? MakeUdpTransport() : MakeTcpTransport()),
        protocol_(protocol),
        slave_{.address = kLoopback, .port = port} {
    data_door_ = transport_->Open({.address = kLoopback, .port = 0});
    door_ = transport_->Connect(data_door_, slave_, Clock::now() + std::chrono::seconds(5));
    transport_->Prefer(door_, slave_);
  }
  void Start(OpMode mode) {
    Ask(StcRegister{.mode = mode});
    Expect(PduType::NTF_state_changed);
    Ask(CfgScope{.data_id = 1});
    Ask(CfgScope{.data_id = 2});
    Ask(CfgInput{.data_id = 1, .target_vr = 1});
    Ask(CfgOutput{.data_id = 2, .source_vr = 2});
    Ask(CfgSteps{.data_id = 2});
    Place(PduType::CFG_source_network_information, 1, slave_);
    Place(PduType::CFG_target_network_information, 2, transport_->Local(data_door_));
    Stc(PduType::STC_prepare, State::CONFIGURATION, 2);
    Stc(PduType::STC_configure, State::PREPARED, 2);
    Ask(StcRun{.state = State::CONFIGURED});
    Expect(PduType::NTF_state_changed);
    Expect(PduType::NTF_state_changed);
    Ask(StcRun{.state = State::SYNCHRONIZED});
    Expect(PduType::NTF_state_changed);
  }
  void Step() {
    transport_->Hold();
    SendData();
    Send(StcDoStep{.state = State::RUNNING, .steps = 1});
    transport_->Release();
    Expect(PduType::RSP_ack);
    Expect(PduType::NTF_state_changed);
    Expect(PduType::NTF_state_changed);
    Send(StcPlain{.type = PduType::STC_send_outputs, .state = State::COMPUTED});
    // Ack, SENDING_D, data, RUNNING: over TCP data come by a connection of their own, in any order with the rest.
    for (int i = 0; i < 4; ++i) Next();
  }
  void LockStep() {
    SendData();
    Expect(PduType::DAT_input_output);
  }

 private:
  void SendData() {
    TypedValue* const value = &input_;
    value->SetNumber(1.0);
    if (layout_.IsEmpty()) layout_.Put(0, {.value_reference = 1, .wire_type = DataType::float64, .value = value});
    const std::size_t size = EncodeData(PduType::DAT_input_output, data_++, 1, layout_, buffer_);
    transport_->Send(door_, slave_, Bytes(buffer_).first(size));
  }
  PduType Next() {
    Arrival arrival;
    if (!transport_->Receive(arrival, Clock::now() + std::chrono::seconds(5)) || arrival.pdu.empty()) {
      throw std::runtime_error("expected an answer of the slave, found none");
    }
    return static_cast<PduType>(arrival.pdu[0]);
  }
  void Expect(PduType type) {
    const PduType found = Next();
    if (found != type) throw std::runtime_error(fmt::format("expected {}, found {}", NameOf(type), NameOf(found)));
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
    Expect(PduType::RSP_ack);
  }
  void Place(PduType type, std::uint16_t id, Endpoint at) {
    Ask(CfgNetworkInformation{.type = type, .id = id, .protocol = protocol_, .port = at.port, .address = at.address});
  }
  void Stc(PduType type, State from, int notifications) {
    Ask(StcPlain{.type = type, .state = from});
    for (int i = 0; i < notifications; ++i) Expect(PduType::NTF_state_changed);
  }

  std::unique_ptr<Transport> transport_;
  TransportProtocol protocol_;
  Endpoint slave_;
  Door door_ = 0;
  Door data_door_ = 0;
  std::array<std::byte, 256> buffer_{};
  std::uint16_t sequence_ = 0;
  std::uint16_t data_ = 0;
  TypedValue input_;
  DataLayout layout_;
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

double SecondsPerStep(const std::function<void()>& step) {
  const auto begin = Clock::now();
  for (int i = 0; i < kSteps; ++i) step();
  return std::chrono::duration<double>(Clock::now() - begin).count() / kSteps;
}

bool Compare(const char* name, double bound, const std::function<void()>& ours, const std::function<void()>& peer) {
  std::vector<double> mine, theirs, ratios;
  for (int round = 0; round < kRounds; ++round) {
    const bool is_first = round % 2 == 0;
    const double a = is_first ? SecondsPerStep(ours) : 0.0;
    const double b = SecondsPerStep(peer);
    mine.push_back(is_first ? a : SecondsPerStep(ours));
    theirs.push_back(b);
    ratios.push_back(mine.back() / b);
  }
  const double ratio = Median(ratios);
  fmt::print("dcp-step/{}: {:.1f} us, blocking sockets {:.1f} us, ratio {:.2f}, bound {:.2f}{}\n", name,
             Median(mine) * 1e6, Median(theirs) * 1e6, ratio, bound, ratio > bound ? " EXCEEDED" : "");
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
      Master master(protocol, is_udp ? shared->udp_port : shared->tcp_port);
      master.Start(is_lock_step ? OpMode::SRT : OpMode::NRT);
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
      is_good = Compare(name.c_str(), is_lock_step ? kLockBound : kStepBound, our_step, plain_step) && is_good;
      fmt::print(
          "dcp-step/{}-memory: {} allocations in {} steps of the slave, bound 0; {:.1f} us of processor a step\n", name,
          shared->allocations, kSteps, shared->cpu_seconds / kSteps * 1e6);
      is_good = shared->allocations == 0 && is_good;
    }
  }
  return is_good ? 0 : 1;
}
