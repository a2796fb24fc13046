#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/slave/openmi_dcp.h"
#include "tests/fmi-bridge/dcp/support/SmallSlave.hpp"
#include "tests/fmi-bridge/dcp/support/TestMaster.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::dcp {
namespace {

using enum PduType;
using enum State;
using test::SmallDescription;
using test::TestMaster;

/// What a simulator in C keeps.
struct Doubler {
  openmi_dcp_slave* slave = nullptr;
  int in = -1;
  int out = -1;
  bool fails = false;
};

int DoubleIt(void* user, double, double) {
  auto* self = static_cast<Doubler*>(user);
  double value = 0.0;
  if (self->fails || openmi_dcp_get(self->slave, self->in, &value, 1) != 0) return 1;
  value *= 2.0;
  return openmi_dcp_set(self->slave, self->out, &value, 1);
}

TEST(DcpC, RunsASimulatorByItsHooks) {
  const SlaveDescription description = SmallDescription();
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "openmi-dcp-c.dcpx";
  WriteSlaveDescription(description, path);
  Doubler doubler;
  openmi_dcp_hooks hooks{};
  EXPECT_EQ(openmi_dcp_open(path.c_str(), &hooks, &doubler, nullptr, 0, 0), nullptr);  // no step
  hooks.step = DoubleIt;
  doubler.slave = openmi_dcp_open(path.c_str(), &hooks, &doubler, nullptr, 0, 0);
  std::filesystem::remove(path);
  char text[200];
  openmi_dcp_last_error(text, sizeof text);
  ASSERT_NE(doubler.slave, nullptr) << text;
  EXPECT_EQ(openmi_dcp_find(doubler.slave, "nothing"), -1);
  openmi_dcp_last_error(text, sizeof text);
  EXPECT_NE(std::string(text).find("'nothing'"), std::string::npos);
  EXPECT_EQ(openmi_dcp_count(doubler.slave, openmi_dcp_find(doubler.slave, "array in")), 3u);
  double two[2];
  EXPECT_EQ(openmi_dcp_get(doubler.slave, 5, two, 2), -1);
  EXPECT_EQ(openmi_dcp_get(doubler.slave, 99, two, 2), -1);
  EXPECT_EQ(openmi_dcp_get(doubler.slave, openmi_dcp_find(doubler.slave, "text in"), two, 1), -1);
  EXPECT_EQ(openmi_dcp_get(nullptr, 0, two, 1), -1);
  EXPECT_EQ(openmi_dcp_set_text(doubler.slave, openmi_dcp_find(doubler.slave, "text out"), "abc", 3), 0);
  size_t size = 0;
  EXPECT_STREQ(openmi_dcp_get_text(doubler.slave, openmi_dcp_find(doubler.slave, "text out"), &size), "abc");
  EXPECT_EQ(size, 3u);
  doubler.in = openmi_dcp_find(doubler.slave, "u");
  doubler.out = openmi_dcp_find(doubler.slave, "y");
  const Endpoint control{.address = kLoopback, .port = static_cast<std::uint16_t>(openmi_dcp_port(doubler.slave, 0))};
  int outcome = 0;
  std::thread work([&] { outcome = openmi_dcp_run(doubler.slave); });
  {
    TestMaster master(TransportProtocol::UDP_IPv4, control, description.uuid);
    master.Configure(OpMode::NRT, 1, 2, DataType::float64, control.port);
    master.Prepare();
    master.Start();
    master.SendNumber(21.0, 0);
    master.Stc(STC_do_step, RUNNING, COMPUTED);
    master.Stc(STC_send_outputs, COMPUTED, RUNNING);
    EXPECT_EQ(master.AwaitNumber(), 42.0);
    doubler.fails = true;
    master.Stc(STC_do_step, RUNNING, ERRORRESOLVED);
  }
  openmi_dcp_stop(doubler.slave);
  work.join();
  EXPECT_EQ(outcome, -1);
  openmi_dcp_close(doubler.slave);
  openmi_dcp_close(nullptr);
}

/// A simulator in C whose step takes until it is told that it may end.
struct Sleeper {
  openmi_dcp_slave* slave = nullptr;
  std::atomic<bool> may_go = false;
};

int SleepAndAttend(void* user, double, double end) {
  auto* self = static_cast<Sleeper*>(user);
  while (!self->may_go) {
    openmi_dcp_attend(self->slave);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return openmi_dcp_set(self->slave, openmi_dcp_find(self->slave, "y"), &end, 1);
}

TEST(DcpC, AnswersWithinALongStepWhereTheSimulatorAttends) {
  const SlaveDescription description = SmallDescription();
  const ScratchFolder folder;
  const std::string path = folder / "sleeper.dcpx";
  WriteSlaveDescription(description, path);
  openmi_dcp_attend(nullptr);  // is told by the last error only
  char text[200];
  EXPECT_GT(openmi_dcp_last_error(text, sizeof text), 0u);
  Sleeper sleeper;
  openmi_dcp_hooks hooks{};
  hooks.step = SleepAndAttend;
  sleeper.slave = openmi_dcp_open(path.c_str(), &hooks, &sleeper, nullptr, 0, 0);
  ASSERT_NE(sleeper.slave, nullptr);
  openmi_dcp_attend(sleeper.slave);  // outside of a hook: nothing happens
  EXPECT_EQ(openmi_dcp_report(sleeper.slave, 2, "warm"), 0);
  EXPECT_EQ(openmi_dcp_report(sleeper.slave, 5, "hot"), -1);
  EXPECT_EQ(openmi_dcp_report(sleeper.slave, 2, nullptr), -1);
  EXPECT_EQ(openmi_dcp_report(nullptr, 2, "cold"), -1);
  const TransportProtocol protocol = TransportProtocol::TCP_IPv4;
  const Endpoint at{.address = kLoopback, .port = static_cast<std::uint16_t>(openmi_dcp_port(sleeper.slave, 1))};
  int outcome = -1;
  std::thread work([&] { outcome = openmi_dcp_run(sleeper.slave); });
  {
    TestMaster master(protocol, at, description.uuid);
    master.Configure(OpMode::NRT, 1, 2, DataType::float64, at.port);
    master.Prepare();
    master.Start();
    master.Stc(STC_do_step, RUNNING, COMPUTING);
    for (int i = 0; i < 3; ++i) {
      master.Send(InfPlain{.type = INF_state});
      const std::vector<std::byte> answer = master.Await(RSP_state_ack);
      ASSERT_FALSE(answer.empty());
      EXPECT_EQ(std::get<RspStateAck>(Decode(answer).pdu).state, COMPUTING);
    }
    sleeper.may_go = true;
    master.AwaitState(COMPUTED);
    master.Stc(STC_send_outputs, COMPUTED, RUNNING);
    EXPECT_DOUBLE_EQ(master.AwaitNumber(), 1e-3);
    master.Stc(STC_stop, RUNNING, STOPPED);
    master.Stc(STC_deregister, STOPPED, ALIVE);
  }
  openmi_dcp_stop(sleeper.slave);
  work.join();
  EXPECT_EQ(outcome, 0);
  openmi_dcp_close(sleeper.slave);
}

}  // namespace
}  // namespace openmi::dcp
