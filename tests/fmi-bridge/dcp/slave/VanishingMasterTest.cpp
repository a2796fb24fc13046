// A master that ends without a word while its slave is in each of its states, and what becomes of the slave.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fmi-bridge/dcp/slave/StateTable.hpp"
#include "tests/fmi-bridge/dcp/support/SmallSlave.hpp"
#include "tests/fmi-bridge/dcp/support/TestMaster.hpp"

namespace openmi::dcp {
namespace {

using enum PduType;
using enum State;
using test::RunningSlave;
using test::SmallModel;
using test::TestMaster;

struct Leg {
  PduType request;
  State from;
  State by;
  State to;
};

// An experiment. Those of the error states come where the model fails.
constexpr Leg kLegs[] = {
    {STC_prepare, CONFIGURATION, PREPARING, PREPARED},
    {STC_configure, PREPARED, CONFIGURING, CONFIGURED},
    {STC_initialize, CONFIGURED, INITIALIZING, INITIALIZED},
    {STC_send_outputs, INITIALIZED, SENDING_I, CONFIGURED},
    {STC_run, CONFIGURED, SYNCHRONIZING, SYNCHRONIZED},
    {STC_run, SYNCHRONIZED, RUNNING, RUNNING},
    {STC_do_step, RUNNING, COMPUTING, COMPUTED},
    {STC_send_outputs, COMPUTED, SENDING_D, RUNNING},
    {STC_stop, RUNNING, STOPPING, STOPPED},
};
constexpr Leg kFailure = {STC_do_step, RUNNING, ERRORHANDLING, ERRORRESOLVED};

struct Case {
  OpMode mode;
  State last;
};
// All nineteen but ALIVE, in which there is no master. HRT takes the way of SRT, which differs from NRT in the states
// of Run.
constexpr Case kCases[] = {
    {OpMode::NRT, CONFIGURATION}, {OpMode::NRT, PREPARING},     {OpMode::NRT, PREPARED},
    {OpMode::NRT, CONFIGURING},   {OpMode::NRT, CONFIGURED},    {OpMode::NRT, INITIALIZING},
    {OpMode::NRT, INITIALIZED},   {OpMode::NRT, SENDING_I},     {OpMode::NRT, SYNCHRONIZING},
    {OpMode::NRT, SYNCHRONIZED},  {OpMode::NRT, RUNNING},       {OpMode::NRT, COMPUTING},
    {OpMode::NRT, COMPUTED},      {OpMode::NRT, SENDING_D},     {OpMode::NRT, STOPPING},
    {OpMode::NRT, STOPPED},       {OpMode::NRT, ERRORHANDLING}, {OpMode::NRT, ERRORRESOLVED},
    {OpMode::SRT, SYNCHRONIZING}, {OpMode::SRT, SYNCHRONIZED},  {OpMode::SRT, RUNNING},
};

class DcpVanishingMaster : public testing::TestWithParam<TransportProtocol> {
 protected:
  DcpVanishingMaster() {
    description_.capabilities.can_monitor_heartbeat = true;
    // Longer than a busy machine keeps any of them from its next request.
    description_.heartbeat = Heartbeat{.numerator = 2, .denominator = 1};
  }

  void Drive(const Case& one) const {
    SCOPED_TRACE(std::string(NameOf(one.mode)) + " in " + std::string(NameOf(one.last)));
    // The slave is held where it has just come to, until its master is gone.
    std::atomic<bool> is_holding = false, is_there = false, is_gone = false;
    SlaveOptions options;
    options.watch = [&](bool is_sent, Endpoint, ByteView pdu) {
      const bool is_change = is_sent && pdu[0] == static_cast<std::byte>(NTF_state_changed);
      if (!is_holding || !is_change || pdu[2] != static_cast<std::byte>(one.last)) return;
      is_there = true;
      is_there.notify_all();
      is_gone.wait(false);
    };
    SmallModel model;
    RunningSlave slave(description_, model, std::move(options));
    const Endpoint at = slave.runner.ControlEndpoint(GetParam());
    {
      TestMaster first(GetParam(), at, description_.uuid);
      first.Configure(one.mode, 1, 2, DataType::float64, at.port, 5);
      for (const Leg& leg : kLegs) {
        if (one.last == CONFIGURATION) break;
        first.Send(InfPlain{.type = INF_state});
        ASSERT_FALSE(first.Await(RSP_state_ack).empty());
        model.fails = one.last >= ERRORHANDLING && leg.request == kFailure.request;
        const Leg& now = model.fails ? kFailure : leg;
        if (now.by != one.last && now.to != one.last) {
          first.Stc(now.request, now.from, now.to);
          continue;
        }
        is_holding = true;
        if (now.request == STC_run) {
          first.Send(StcRun{.state = now.from});
        } else if (now.request == STC_do_step) {
          first.Send(StcDoStep{.state = now.from, .steps = 1});
        } else {
          first.Send(StcPlain{.type = now.request, .state = now.from});
        }
        is_there.wait(false);
        break;
      }
    }
    model.fails = is_holding = false;
    is_gone = true;
    is_gone.notify_all();
    RequireFree(at);
  }

  /// Another master can register, and goes through an experiment.
  void RequireFree(Endpoint at) const {
    TestMaster next(GetParam(), at, description_.uuid);
    ErrorCode error = ErrorCode::PROTOCOL_ERROR_GENERIC;
    const auto deadline = TestMaster::Deadline();
    while (error != ErrorCode::NONE && Transport::Clock::now() < deadline) {
      error = next.Register();
      if (error != ErrorCode::NONE) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_EQ(error, ErrorCode::NONE) << NameOf(error);
    next.AwaitState(CONFIGURATION);
    next.Stc(STC_deregister, CONFIGURATION, ALIVE);
    next.Configure(OpMode::NRT, 1, 2, DataType::float64, at.port);
    next.Prepare();
    next.Start();
    next.SendNumber(3.0, 0);
    next.Stc(STC_do_step, RUNNING, COMPUTED);
    next.Stc(STC_send_outputs, COMPUTED, RUNNING);
    EXPECT_DOUBLE_EQ(next.AwaitNumber(), 6.001);
  }

  SlaveDescription description_ = test::SmallDescription();
};
INSTANTIATE_TEST_SUITE_P(Over, DcpVanishingMaster,
                         testing::Values(TransportProtocol::UDP_IPv4, TransportProtocol::TCP_IPv4),
                         [](const auto& one) { return std::string(NameOf(one.param)); });

// Noticed by the end of the connection over TCP, by the heartbeat that stops over UDP.
TEST_P(DcpVanishingMaster, LeavesItsSlaveFreeInEveryState) {
  States seen(ALIVE);
  for (const Case& one : kCases) seen = seen | States(one.last);
  for (unsigned i = 0; i < kStates; ++i) EXPECT_TRUE(seen.Has(static_cast<State>(i))) << NameOf(static_cast<State>(i));
  std::vector<std::jthread> all;  // they mostly wait
  for (const Case& one : kCases) all.emplace_back([this, &one] { Drive(one); });
}

// Without a heartbeat: the master's host says that no program is at the port that outputs are sent to.
TEST(DcpVanishedMaster, LeavesARunInSoftRealTimeOverUdpWithoutAHeartbeat) {
  const SlaveDescription description = test::SmallDescription();
  SmallModel model;
  RunningSlave slave(description, model);
  const Endpoint at = slave.runner.ControlEndpoint(TransportProtocol::UDP_IPv4);
  {
    TestMaster first(TransportProtocol::UDP_IPv4, at, description.uuid);
    first.Configure(OpMode::SRT, 1, 2, DataType::float64, at.port, 5);
    first.Prepare();
    first.Start();
    first.AwaitNumber();
  }
  TestMaster next(TransportProtocol::UDP_IPv4, at, description.uuid);
  ErrorCode error = ErrorCode::PROTOCOL_ERROR_GENERIC;
  const auto deadline = TestMaster::Deadline();
  while (error != ErrorCode::NONE && Transport::Clock::now() < deadline) {
    error = next.Register();
    if (error != ErrorCode::NONE) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(error, ErrorCode::NONE) << NameOf(error);
}

// In non-real time nothing is sent to it unasked: it is looked at where another master asks for the slave.
TEST(DcpVanishedMaster, LeavesARunInNonRealTimeOverUdpWhereAnotherAsks) {
  const SlaveDescription description = test::SmallDescription();
  SmallModel model;
  RunningSlave slave(description, model);
  const Endpoint at = slave.runner.ControlEndpoint(TransportProtocol::UDP_IPv4);
  {
    TestMaster first(TransportProtocol::UDP_IPv4, at, description.uuid);
    first.Configure(OpMode::NRT, 1, 2, DataType::float64, at.port, 5);
    first.Prepare();
    first.Start();
  }
  TestMaster next(TransportProtocol::UDP_IPv4, at, description.uuid);
  ErrorCode error = ErrorCode::PROTOCOL_ERROR_GENERIC;
  const auto deadline = TestMaster::Deadline();
  while (error != ErrorCode::NONE && Transport::Clock::now() < deadline) {
    error = next.Register();
    if (error != ErrorCode::NONE) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(error, ErrorCode::NONE) << NameOf(error);
}

/// A slave that notes the states it was in, and whose state a stranger may ask for.
struct NotingSlave {
  explicit NotingSlave(std::chrono::milliseconds looks_after, std::chrono::milliseconds takes = {}) {
    model.takes = takes;
    SlaveOptions options;
    options.looks_after_silence = looks_after;
    options.watch = [this](bool is_sent, Endpoint, ByteView pdu) {
      if (is_sent && pdu[0] == static_cast<std::byte>(NTF_state_changed)) seen.push_back(static_cast<State>(pdu[2]));
    };
    slave.emplace(description, model, std::move(options));
    at = slave->runner.ControlEndpoint(TransportProtocol::UDP_IPv4);
  }
  /// Waits until it is in ALIVE. It is asked for its state only, which makes it look for no one.
  bool BecomesFree() const {
    const auto deadline = TestMaster::Deadline();
    while (Transport::Clock::now() < deadline) {
      TestMaster stranger(TransportProtocol::UDP_IPv4, at, description.uuid);
      stranger.Send(InfPlain{.type = INF_state});
      const std::vector<std::byte> answer = stranger.Await(RSP_state_ack);
      if (!answer.empty() && static_cast<State>(answer[4]) == ALIVE) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  const SlaveDescription description = test::SmallDescription();
  SmallModel model;
  std::vector<State> seen;
  std::optional<RunningSlave> slave;
  Endpoint at;
};

// In non-real time nothing is sent to a silent master, and no other asks: the slave looks by itself. By 3.4.10.3 of the
// specification it goes through the error states.
TEST(DcpVanishedMaster, IsNoticedOverUdpWhereTheSlaveWaits) {
  for (const State last : {CONFIGURATION, PREPARED, CONFIGURED, RUNNING}) {
    NotingSlave one(std::chrono::milliseconds(30));
    {
      TestMaster first(TransportProtocol::UDP_IPv4, one.at, one.description.uuid);
      first.Configure(OpMode::NRT, 1, 2, DataType::float64, one.at.port, 5);
      if (last == PREPARED) first.Stc(STC_prepare, CONFIGURATION, PREPARED);
      if (last >= CONFIGURED) first.Prepare();
      if (last == RUNNING) first.Start();
    }
    EXPECT_TRUE(one.BecomesFree()) << NameOf(last);
    one.slave.reset();
    ASSERT_GE(one.seen.size(), 4U);
    const std::vector<State> end(one.seen.end() - 4, one.seen.end());
    EXPECT_EQ(end, (std::vector<State>{last, ERRORHANDLING, ERRORRESOLVED, ALIVE})) << NameOf(last);
  }
}

// The report of its host on one notification is enough to look more closely, long before the slave would by itself.
TEST(DcpVanishedMaster, IsNoticedOverUdpAfterAStepThatTookLong) {
  NotingSlave one(std::chrono::hours(1), std::chrono::milliseconds(700));  // longer than the master takes to go
  {
    TestMaster first(TransportProtocol::UDP_IPv4, one.at, one.description.uuid);
    first.Configure(OpMode::NRT, 1, 2, DataType::float64, one.at.port, 5);
    first.Prepare();
    first.Start();
    first.Send(StcDoStep{.state = RUNNING, .steps = 1});
    first.AwaitState(COMPUTING);
  }
  EXPECT_TRUE(one.BecomesFree());
  one.slave.reset();
  const std::vector<State> end(one.seen.end() - 4, one.seen.end());
  EXPECT_EQ(end, (std::vector<State>{COMPUTED, ERRORHANDLING, ERRORRESOLVED, ALIVE}));
}

// It drops what the slave sends to see whether it is there, and goes on.
TEST(DcpVanishedMaster, IsNotTakenForOneThatThinks) {
  NotingSlave one(std::chrono::milliseconds(20));
  TestMaster first(TransportProtocol::UDP_IPv4, one.at, one.description.uuid);
  first.Configure(OpMode::NRT, 1, 2, DataType::float64, one.at.port, 5);
  first.Prepare();
  first.Start();
  for (int n = 0; n < 2; ++n) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    first.SendNumber(3.0, static_cast<std::uint16_t>(n));
    first.Stc(STC_do_step, RUNNING, COMPUTED);
    first.Stc(STC_send_outputs, COMPUTED, RUNNING);
    EXPECT_DOUBLE_EQ(first.AwaitNumber(), 6.0 + 0.001 * (n + 1));
  }
  EXPECT_FALSE(first.Await(RSP_state_ack).empty());  // of a look
}

// One that is there and says nothing keeps its slave, however often others ask.
TEST(DcpVanishedMaster, IsNotTakenForOneThatIsSilent) {
  const SlaveDescription description = test::SmallDescription();
  SmallModel model;
  RunningSlave slave(description, model);
  const Endpoint at = slave.runner.ControlEndpoint(TransportProtocol::UDP_IPv4);
  TestMaster first(TransportProtocol::UDP_IPv4, at, description.uuid);
  first.Configure(OpMode::NRT, 1, 2, DataType::float64, at.port, 5);
  first.Prepare();
  first.Start();
  TestMaster next(TransportProtocol::UDP_IPv4, at, description.uuid);
  const auto until = Transport::Clock::now() + std::chrono::milliseconds(1300);
  while (Transport::Clock::now() < until) {
    EXPECT_EQ(next.Register(), ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  first.Stc(STC_do_step, RUNNING, COMPUTED);
}

}  // namespace
}  // namespace openmi::dcp
