#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "fmi-bridge/dcp/slave/SlaveMachine.hpp"
#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"
#include "fmi-bridge/dcp/slave/StepClock.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/dcp/support/SmallSlave.hpp"
#include "tests/fmi-bridge/dcp/support/TestMaster.hpp"
#include "tests/support/Sanitized.hpp"

namespace openmi::dcp {
namespace {

using enum PduType;
using enum State;
using test::RunningSlave;
using test::SmallDescription;
using test::SmallModel;
using test::TestMaster;

/// A free port for data, beside the control port.
std::uint16_t FreePort(TransportProtocol protocol) {
  const auto transport = protocol == TransportProtocol::UDP_IPv4 ? MakeUdpTransport() : MakeTcpTransport();
  return transport->Local(transport->Open({.address = kLoopback, .port = 0})).port;
}

class DcpSlaveRunner : public testing::TestWithParam<TransportProtocol> {
 protected:
  void Serve(SlaveOptions options = {}) {
    slave = std::make_unique<RunningSlave>(description, model, std::move(options));
    control = slave->runner.ControlEndpoint(GetParam());
    master = std::make_unique<TestMaster>(GetParam(), control, description.uuid);
  }
  SlaveDescription description = SmallDescription();
  SmallModel model;
  std::unique_ptr<RunningSlave> slave;
  Endpoint control;
  std::unique_ptr<TestMaster> master;
};
INSTANTIATE_TEST_SUITE_P(Over, DcpSlaveRunner,
                         testing::Values(TransportProtocol::UDP_IPv4, TransportProtocol::TCP_IPv4),
                         [](const auto& one) { return std::string(NameOf(one.param)); });

TEST_P(DcpSlaveRunner, WalksThroughAWholeNonRealTimeExperiment) {
  Serve();
  for (const bool is_control_port : {true, false}) {
    const std::uint16_t port = is_control_port ? control.port : FreePort(GetParam());
    master->Configure(OpMode::NRT, 1, 2, DataType::float64, port);
    master->Prepare();
    master->SendNumber(1.5, 0);
    master->Stc(STC_initialize, CONFIGURED, INITIALIZED);
    master->Stc(STC_send_outputs, INITIALIZED, CONFIGURED);
    EXPECT_EQ(master->AwaitNumber(), 3.0);
    master->Start();
    for (int step = 1; step <= 50; ++step) {
      master->SendNumber(step, static_cast<std::uint16_t>(step));
      master->Stc(STC_do_step, RUNNING, COMPUTED);
      master->Stc(STC_send_outputs, COMPUTED, RUNNING);
      EXPECT_DOUBLE_EQ(master->AwaitNumber(), 2.0 * step + step * 1e-3) << step;
      EXPECT_EQ(master->data_sequence, step);
    }
    master->Stc(STC_stop, RUNNING, STOPPED);
    master->Stc(STC_reset, STOPPED, CONFIGURATION);
    master->Stc(STC_deregister, CONFIGURATION, ALIVE);
  }
  EXPECT_EQ(model.steps, 100);
  EXPECT_EQ(model.initialized, 2);
  EXPECT_EQ(model.stopped, 2);
  EXPECT_EQ(model.resets, 2);
}

TEST_P(DcpSlaveRunner, CarriesTextsUpToWhatTheTransportCan) {
  Serve();
  master->Configure(OpMode::NRT, 4, 5, DataType::string, control.port);
  master->Prepare();
  master->Start();
  std::uint16_t sequence = 0;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1015}, std::size_t{1016}, std::size_t{60'000}}) {
    TypedValue text(DataType::string, 1, 60'000);
    ASSERT_TRUE(text.SetText(std::string(size, 'x')));
    master->SendData(text, sequence++);
    master->Stc(STC_do_step, RUNNING, COMPUTED);
    master->Stc(STC_send_outputs, COMPUTED, RUNNING);
    TypedValue back(DataType::string, 1, 60'000);
    master->AwaitData(back);
    EXPECT_EQ(back.Text().size(), size);
  }
}

TEST_P(DcpSlaveRunner, SendsByTheClockInSoftRealTimeAndStopsAtTheControlPort) {
  Serve();
  master->Configure(OpMode::SRT, 1, 2, DataType::float64, control.port, 5);
  master->Prepare();
  master->SendNumber(1.0, 0);
  const auto begin = Transport::Clock::now();  // before the slave's clock starts, however long its answers take
  master->Start();
  double first = master->AwaitNumber();
  for (int i = 1; i <= 20; ++i) {
    const double value = master->AwaitNumber();
    EXPECT_NEAR(value - first, 0.005 * i, 1e-12);  // each step is 5 ms of simulated time, none is left out
  }
  const double seconds = std::chrono::duration<double>(Transport::Clock::now() - begin).count();
  EXPECT_GT(seconds, 0.09);
  master->SendNumber(3.0, 1);
  master->Stc(STC_stop, RUNNING, STOPPED);
  EXPECT_GE(slave->runner.StepLateness().Count(), 20u);
  EXPECT_EQ(model.stopped, 1);
}

TEST_P(DcpSlaveRunner, StepsWhenDataComeInLockStep) {
  Serve({.is_lock_step = true});
  master->Configure(OpMode::SRT, 1, 2, DataType::float64, control.port);
  master->Prepare();
  master->Start();
  for (int step = 1; step <= 200; ++step) {
    master->SendNumber(step, static_cast<std::uint16_t>(step));
    EXPECT_DOUBLE_EQ(master->AwaitNumber(), 2.0 * step + step * 1e-3);
  }
  EXPECT_EQ(model.steps, 200);
}

TEST_P(DcpSlaveRunner, SendsOutputsOfInitializationOnlyThere) {
  Serve();
  master->Configure(OpMode::NRT, 1, 2, DataType::float64, control.port, 1, Scope::Initialization);
  master->Prepare();
  master->SendNumber(4.0, 0);
  master->Stc(STC_initialize, CONFIGURED, INITIALIZED);
  master->Stc(STC_send_outputs, INITIALIZED, CONFIGURED);
  EXPECT_EQ(master->AwaitNumber(), 8.0);
  master->Start();
  master->Stc(STC_do_step, RUNNING, COMPUTED);
  master->Stc(STC_send_outputs, COMPUTED, RUNNING);
  master->Stc(STC_do_step, RUNNING, COMPUTED);
  EXPECT_EQ(master->Ask(InfPlain{.type = INF_error}), ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE);
  EXPECT_EQ(master->data_sequence, 0);  // and nothing came after the first
}

TEST_P(DcpSlaveRunner, ReportsAModelThatFailsAndHealsWhenReset) {
  Serve();
  master->Configure(OpMode::NRT, 1, 2, DataType::float64, control.port);
  master->Prepare();
  master->Start();
  model.fails = true;
  master->Stc(STC_do_step, RUNNING, ERRORRESOLVED);
  master->Send(InfPlain{.type = INF_error});
  const auto answer = master->Await(RSP_error_ack);
  ASSERT_FALSE(answer.empty());
  EXPECT_EQ(std::get<RspErrorAck>(Decode(answer).pdu).error, ErrorCode::PROTOCOL_ERROR_GENERIC);
  EXPECT_EQ(slave->runner.Problem(), "Step failed: the spring broke");
  EXPECT_EQ(model.stopped, 1);
  model.fails = false;
  master->Stc(STC_reset, ERRORRESOLVED, CONFIGURATION);
  EXPECT_NE(master->Ask(StcPlain{.type = STC_configure, .state = CONFIGURATION}), ErrorCode::NONE);
  EXPECT_EQ(model.resets, 1);
  master->Stc(STC_deregister, CONFIGURATION, ALIVE);
  master->Configure(OpMode::NRT, 1, 2, DataType::float64, control.port);
  master->Prepare();
  master->Start();
  master->Stc(STC_do_step, RUNNING, COMPUTED);
  master->Stc(STC_send_outputs, COMPUTED, RUNNING);
  EXPECT_DOUBLE_EQ(master->AwaitNumber(), 1e-3);  // time and inputs started anew
}

TEST_P(DcpSlaveRunner, GoesToErrorWhenTheHeartbeatStopsAndCanBeRegisteredAnew) {
  description.capabilities.can_monitor_heartbeat = true;
  description.heartbeat = Heartbeat{.numerator = 2, .denominator = 1};
  Serve();
  master->Configure(OpMode::NRT, 1, 2, DataType::float64, control.port);
  master->Prepare();
  master->Start();
  for (int i = 0; i < 12; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    master->Send(InfPlain{.type = INF_state});
    const auto answer = master->Await(RSP_state_ack);
    ASSERT_FALSE(answer.empty());
    EXPECT_EQ(std::get<RspStateAck>(Decode(answer).pdu).state, RUNNING);
  }
  master->AwaitState(ERRORRESOLVED);
  TestMaster second(GetParam(), control, description.uuid);
  EXPECT_EQ(second.Register(), ErrorCode::NONE);
  second.AwaitState(CONFIGURATION);
}

TEST_P(DcpSlaveRunner, SendsDataOnlyToTheMastersHostOrOneThatIsListed) {
  Serve({.data_hosts = {"10.1.2.3"}});
  ASSERT_EQ(master->Register(), ErrorCode::NONE);
  const auto target = [&](std::uint32_t address) {
    return master->Network(CFG_target_network_information, 2, {.address = address, .port = 9});
  };
  EXPECT_EQ(target(kLoopback), ErrorCode::NONE);
  EXPECT_EQ(target(0x0A010203), ErrorCode::NONE);
  EXPECT_EQ(target(0x0A010204), ErrorCode::INVALID_NETWORK_INFORMATION);
}

TEST_P(DcpSlaveRunner, HoldsToItsMasterWhenASecondComes) {
  Serve();
  master->Configure(OpMode::NRT, 1, 2, DataType::float64, control.port);
  TestMaster second(GetParam(), control, description.uuid);
  second.sequence = 7;
  EXPECT_EQ(second.Register(), ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE);
  second.Send(InfPlain{.type = INF_state});
  const auto answer = second.Await(RSP_state_ack);
  ASSERT_FALSE(answer.empty());
  EXPECT_EQ(std::get<RspStateAck>(Decode(answer).pdu).state, CONFIGURATION);
  master->Prepare();
  EXPECT_EQ(master->last_state, CONFIGURED);
}

// Who knows the slave's id, state and next number is not the master for that.
TEST_P(DcpSlaveRunner, FollowsNobodyWhoGuessesItsNumbers) {
  std::vector<std::string> lines;
  Serve({.show = [&](const std::string& line) { lines.push_back(line); }});
  master->Configure(OpMode::NRT, 1, 2, DataType::float64, control.port);
  TestMaster second(GetParam(), control, description.uuid);
  for (int i = 0; i < 12; ++i) {
    second.sequence = master->sequence;
    second.Send(StcPlain{.type = STC_deregister, .state = CONFIGURATION});
    second.Send(InfPlain{.type = INF_state});  // answered after it, to whoever asks
    const auto answer = second.Await(RSP_state_ack);
    ASSERT_FALSE(answer.empty());
    EXPECT_EQ(std::get<RspStateAck>(Decode(answer).pdu).state, CONFIGURATION);
  }
  master->Prepare();
  EXPECT_EQ(master->last_state, CONFIGURED);
  const Endpoint at = master->transport->Local(master->control_socket);
  slave.reset();
  std::erase_if(lines, [](const std::string& line) { return line.rfind("refused", 0) != 0; });
  ASSERT_EQ(lines.size(), 2U);  // at 1 and 10
  EXPECT_EQ(lines[0].rfind("refused 1 request(s) of others, the last from 127.0.0.1:", 0), 0U) << lines[0];
  EXPECT_NE(lines[1].find("refused 10 request(s) of others"), std::string::npos) << lines[1];
  EXPECT_NE(lines[1].find("the master is at " + ToText(at) + ", and requests from other addresses are refused"),
            std::string::npos);
}

TEST_P(DcpSlaveRunner, TakesDataOfTheirFirstSenderOnly) {
  std::vector<std::string> lines;
  Serve({.show = [&](const std::string& line) { lines.push_back(line); }});
  master->Configure(OpMode::NRT, 1, 2, DataType::float64, control.port);
  master->Prepare();
  master->Start();
  TestMaster second(GetParam(), control, description.uuid);
  second.input_socket = second.control_socket;
  second.input_at = control;
  const auto step = [&](TestMaster& sender, std::uint16_t number) {
    sender.SendNumber(100.0 + number, number);
    // What was sent before it is there: the slave answers in the order of what comes by one connection.
    sender.Send(InfPlain{.type = INF_state});
    EXPECT_FALSE(sender.Await(RSP_state_ack).empty());
    master->Stc(STC_do_step, RUNNING, COMPUTED);
    master->Stc(STC_send_outputs, COMPUTED, RUNNING);
    return master->AwaitNumber();
  };
  EXPECT_DOUBLE_EQ(step(*master, 0), 200.001);
  EXPECT_DOUBLE_EQ(step(second, 1), 200.002);
  EXPECT_DOUBLE_EQ(step(*master, 2), 204.003);
  slave.reset();
  const auto told = [](const std::string& line) { return line.rfind("refused 1 data PDU(s)", 0) == 0; };
  EXPECT_EQ(std::ranges::count_if(lines, told), 1);
}

TEST_P(DcpSlaveRunner, SaysWhoEndedAnExperimentAndWhy) {
  std::vector<std::string> lines;
  Serve({.show = [&](const std::string& line) { lines.push_back(line); }});
  const std::string at = ToText(master->transport->Local(master->control_socket));
  for (const bool fails : {false, true}) {
    model.fails = fails;
    master->Configure(OpMode::NRT, 1, 2, DataType::float64, control.port);
    master->Prepare();
    master->Start();
    if (fails) {
      master->Send(StcDoStep{.state = RUNNING, .steps = 1});
      master->AwaitState(ERRORRESOLVED);
      master->Stc(STC_deregister, ERRORRESOLVED, ALIVE);
      continue;
    }
    master->Stc(STC_do_step, RUNNING, COMPUTED);
    master->Stc(STC_send_outputs, COMPUTED, RUNNING);
    master->Stc(STC_stop, RUNNING, STOPPED);
    master->Stc(STC_deregister, STOPPED, ALIVE);
  }
  slave.reset();
  const auto has = [&](const std::string& wanted) { return std::ranges::find(lines, wanted) != lines.end(); };
  EXPECT_TRUE(has("stopped by the master at " + at + " after 0.001 s simulated in 1 steps"));
  EXPECT_TRUE(has("left by the master at " + at + ": free for the next"));
  EXPECT_TRUE(
      has("free for the next master; the experiment of the one at " + at + " ended: Step failed: the spring broke"));
}

TEST_P(DcpSlaveRunner, GivesAMasterUpThatOnlyRegistered) {
  for (const int seconds : {3600, 0}) {
    Serve({.longest_idle_registration = std::chrono::seconds(seconds)});
    ASSERT_EQ(master->Register(), ErrorCode::NONE);
    TestMaster second(GetParam(), control, description.uuid);
    EXPECT_EQ(second.Register(),
              seconds > 0 ? ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE : ErrorCode::NONE);
    if (seconds > 0) continue;
    second.ConfigureRegistered(1, 2, DataType::float64, control.port);
    second.Prepare();
    EXPECT_EQ(second.last_state, CONFIGURED);
    // One that goes on is not given up.
    TestMaster third(GetParam(), control, description.uuid);
    EXPECT_EQ(third.Register(), ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE);
  }
}

TEST_P(DcpSlaveRunner, SurvivesGarbageInEveryState) {
  Serve();
  std::mt19937 random(20261122);
  const auto throw_garbage = [&] {
    for (int i = 0; i < 50; ++i) {
      std::vector<std::byte> bytes(random() % 60 + 1);
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
      if (bytes.size() > 3) bytes[3] = std::byte{99};  // not for this slave: its sequence numbers stay
      if (bytes[0] >= std::byte{0xF0}) bytes[0] = std::byte{0x70};
      master->SendBytes(bytes);
    }
  };
  throw_garbage();
  master->Configure(OpMode::NRT, 1, 2, DataType::float64, control.port);
  throw_garbage();
  master->Prepare();
  throw_garbage();
  master->Start();
  throw_garbage();
  master->Stc(STC_do_step, RUNNING, COMPUTED);
  throw_garbage();
  master->Stc(STC_send_outputs, COMPUTED, RUNNING);
  EXPECT_DOUBLE_EQ(master->AwaitNumber(), 1e-3);
}

// What comes within a long step is kept for after it; a stranger must not fill the memory that way.
TEST(DcpSlaveFlood, KeepsOnlySoMuchOfAFloodWithinAStep) {
  constexpr std::size_t kSize = 60'000;
  constexpr std::size_t kSent = 2'000;
  class Flooded final : public SlaveModel {
   public:
    void Step(SlaveValues&, const StepSpan&) override {
      std::vector<std::byte> pdu(kSize);
      static_cast<void>(Encode(Dat{.type = DAT_input_output, .sequence = 0, .id = 99, .payload = {}}, pdu));
      const auto stranger = MakeUdpTransport();
      const SocketId socket = stranger->Open({.address = kLoopback, .port = 0});
      for (std::size_t i = 0; i < kSent; ++i) {
        stranger->Send(socket, runner->ControlEndpoint(TransportProtocol::UDP_IPv4), pdu);
        Attend();
      }
    }
    void Stop(SlaveValues&) override { dropped = runner->Machine().Total().dropped; }
    SlaveRunner* runner = nullptr;
    std::atomic<std::uint64_t> dropped = 0;
  };
  const SlaveDescription description = SmallDescription();
  Flooded model;
  RunningSlave served(description, model);
  model.runner = &served.runner;
  const Endpoint at = served.runner.ControlEndpoint(TransportProtocol::UDP_IPv4);
  TestMaster master(TransportProtocol::UDP_IPv4, at, description.uuid);
  master.Configure(OpMode::NRT, 1, 2, DataType::float64, at.port);
  master.Prepare();
  master.Start();
  master.SendNumber(3.0, 0);
  master.Stc(STC_do_step, RUNNING, COMPUTED);
  master.Stc(STC_stop, COMPUTED, STOPPED);
  EXPECT_GT(model.dropped, 500u);  // it was flooded
  EXPECT_LT(model.dropped * kSize, std::uint64_t{48} << 20);
}

// One thread serves and computes; a simulator that is patient with others lets it do both.
TEST_P(DcpSlaveRunner, AnswersWithinALongStepWhereTheSimulatorAttends) {
  class Long final : public SlaveModel {
   public:
    void Step(SlaveValues& values, const StepSpan&) override {
      while (!may_go) {
        Attend();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      values.At(1).SetNumber(values.At(0).Number());
    }
    std::atomic<bool> may_go = false;
  };
  Long patient;
  RunningSlave served(description, patient);
  const Endpoint at = served.runner.ControlEndpoint(GetParam());
  TestMaster asker(GetParam(), at, description.uuid);
  asker.Configure(OpMode::NRT, 1, 2, DataType::float64, at.port);
  asker.Prepare();
  asker.Start();
  asker.SendNumber(3.0, 0);
  asker.Stc(STC_do_step, RUNNING, COMPUTING);
  asker.Send(InfPlain{.type = INF_state});
  const std::vector<std::byte> bytes = asker.Await(RSP_state_ack);
  ASSERT_FALSE(bytes.empty());
  EXPECT_EQ(std::get<RspStateAck>(Decode(bytes).pdu).state, COMPUTING);
  EXPECT_EQ(asker.Ask(StcDoStep{.state = COMPUTING, .steps = 1}),
            ErrorCode::PROTOCOL_ERROR_STATE_TRANSITION_IN_PROGRESS);
  asker.SendNumber(5.0, 1);  // for the next step
  asker.Send(InfPlain{.type = INF_state});
  ASSERT_FALSE(asker.Await(RSP_state_ack).empty());
  patient.may_go = true;
  asker.AwaitState(COMPUTED);
  asker.Stc(STC_send_outputs, COMPUTED, RUNNING);
  EXPECT_EQ(asker.AwaitNumber(), 3.0);
  asker.Stc(STC_do_step, RUNNING, COMPUTED);
  asker.Stc(STC_send_outputs, COMPUTED, RUNNING);
  EXPECT_EQ(asker.AwaitNumber(), 5.0);
  // A stop is obeyed when the hook has ended.
  patient.may_go = false;
  asker.Stc(STC_do_step, RUNNING, COMPUTING);
  EXPECT_EQ(asker.Ask(StcPlain{.type = STC_stop, .state = COMPUTING}), ErrorCode::NONE);
  patient.may_go = true;
  asker.AwaitState(STOPPED);
}

TEST(DcpSlaveRunnerHard, GoesToErrorWhenAStepMissesItsDeadline) {
  class Slow final : public SlaveModel {
    void Step(SlaveValues&, const StepSpan& span) override {
      if (span.begin > 0.02) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
  };
  SlaveDescription description = SmallDescription();
  Slow model;
  std::vector<std::string> told;
  RunningSlave slave(description, model, {.show = [&](const std::string& line) { told.push_back(line); }});
  const Endpoint control = slave.runner.ControlEndpoint(TransportProtocol::UDP_IPv4);
  TestMaster master(TransportProtocol::UDP_IPv4, control, description.uuid);
  master.Configure(OpMode::HRT, 1, 2, DataType::float64, control.port, 10);
  master.Prepare();
  master.Stc(STC_run, CONFIGURED, SYNCHRONIZED);
  master.AwaitState(ERRORRESOLVED);
  EXPECT_NE(slave.runner.Problem().find("missed its deadline in hard real time"), std::string::npos);
}

TEST(DcpRealTimeThread, HasItsSchedulingAndMemoryOrSaysWhyNot) {
  const auto is_fifo = [] { return sched_getscheduler(0) == SCHED_FIFO; };
  std::thread([&] {
    const bool is_had = [&] {
      const RealTimeThread hard(true);
      EXPECT_EQ(is_fifo(), hard.Refusal().find("real-time scheduling is not permitted") == std::string::npos);
      return is_fifo();
    }();
    EXPECT_FALSE(is_had && is_fifo());
    const RealTimeThread soft(false);
    EXPECT_FALSE(is_fifo());
    EXPECT_EQ(soft.Refusal(), "");
  }).join();
  // Without any right: in a process of its own.
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none{.rlim_cur = 0, .rlim_max = 0};
    setrlimit(RLIMIT_RTPRIO, &none);
    setrlimit(RLIMIT_MEMLOCK, &none);
    if (geteuid() == 0 && setuid(65534) != 0) _exit(2);
    const RealTimeThread hard(true);
    // AddressSanitizer makes an own mlockall of it, which does nothing and says that it did.
    const bool says_both =
        hard.Refusal().find("real-time scheduling is not permitted") != std::string::npos &&
        (openmi::test::kIsSanitized || hard.Refusal().find("memory cannot be locked") != std::string::npos) &&
        hard.Refusal().find("ulimit -r") != std::string::npos;
    _exit(says_both ? 0 : 1);
  }
  int outcome = -1;
  waitpid(child, &outcome, 0);
  EXPECT_EQ(outcome, 0);
}

TEST(DcpSlaveRunnerStart, SaysWhenItsPortIsInUse) {
  const SlaveDescription description = SmallDescription();
  SmallModel model;
  const SlaveRunner first(description, model);
  const std::uint16_t port = first.ControlEndpoint(TransportProtocol::UDP_IPv4).port;
  EXPECT_THROW(SlaveRunner(description, model, {.udp_port = port}), FileError);
}

TEST(DcpSlaveRunnerStart, WaitsForAStartTimeInTheFuture) {
  const SlaveDescription description = SmallDescription();
  SmallModel model;
  RunningSlave slave(description, model);
  const Endpoint control = slave.runner.ControlEndpoint(TransportProtocol::UDP_IPv4);
  TestMaster master(TransportProtocol::UDP_IPv4, control, description.uuid);
  master.Configure(OpMode::SRT, 1, 2, DataType::float64, control.port, 10);
  master.Prepare();
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
  EXPECT_EQ(master.Ask(StcRun{.state = CONFIGURED, .time = now.count() - 5}), ErrorCode::INVALID_START_TIME);
  EXPECT_EQ(master.Ask(StcRun{.state = CONFIGURED, .time = now.count() + 1}), ErrorCode::NONE);
  master.AwaitState(SYNCHRONIZED);
  EXPECT_GE(std::chrono::system_clock::now().time_since_epoch(), now + std::chrono::seconds(1));
}

TEST(DcpLateness, FitsTheDriftAndFillsItsBins) {
  Lateness lateness;
  for (int i = 1; i <= 1000; ++i) lateness.Add(i * 0.01, 20e-6 + 1e-7 * i * 0.01);
  lateness.AddOverrun();
  EXPECT_NEAR(lateness.Drift(), 1e-7, 1e-12);
  EXPECT_EQ(lateness.Bins()[5], 1000u);  // 20 to 50 us
  EXPECT_NEAR(lateness.Largest(), 21e-6, 1e-12);
  EXPECT_EQ(lateness.Overruns(), 1u);
  EXPECT_NE(lateness.Describe().find("overruns 1"), std::string::npos);
}

TEST(DcpStepClock, CountsInWholeStepsOverDays) {
  StepClock clock;
  clock.Set({.numerator = 1, .denominator = 3000, .is_fixed = true, .is_recommended = {}}, 1);
  const auto start = StepClock::Clock::now();
  clock.Start(start);
  for (int i = 0; i < 30'000'000 - 1; ++i) clock.Advance();
  EXPECT_EQ(clock.Due() - start, std::chrono::seconds(10'000));
}

}  // namespace
}  // namespace openmi::dcp
