// Slaves in compositions: side by side, frozen when they vanish, engaged again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "composition/families/Families.hpp"
#include "composition/run/CompositionRun.hpp"
#include "fmi-bridge/dcp/master/Ping.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/fmi-bridge/dcp/support/ServedSlave.hpp"

namespace openmi::dcp {
namespace {

using test::ServedSlave;
using testing::ErrorsOf;
using testing::Made;

std::string Component(const std::string& id, const ServedSlave& served, const std::string& more = {}) {
  const auto argument = [](const std::string& key, const std::string& value) {
    return "<Argument Key=\"" + key + "\" Value=\"" + value + "\"/>";
  };
  return "<Component Id=\"" + id + "\" Type=\"openmi.dcp.Slave\" Assembly=\"openmi-dcp-bridge\" " + more + ">" +
         argument("description", served.path) + argument("transport", "tcp") +
         argument("port", served.Port(TransportProtocol::TCP_IPv4)) + argument("time-step", "PT0.01S") +
         argument("answer-timeout", "0.1") + argument("tries", "2") + "</Component>";
}

std::string RunFor(const std::string& trigger) {
  return "<Run From=\"2020-01-01T00:00:00Z\" To=\"2020-01-01T00:00:00.2Z\" Trigger=\"" + trigger + "\"/>";
}

double LastOf(Composition& composition, const std::string& component, const std::string& output) {
  auto& instance = composition.Instances().at(*composition.IndexOf(component));
  for (IBaseOutput* one : instance.Component().Outputs()) {
    if (one->Id() == output) return dynamic_cast<NumericOutput&>(*one).LastRow()[0];
  }
  throw RangeError({.item = output}, "expected an output, found none");
}

TEST(DcpSlavesInACompositon, FeedEachOtherOnOneThreadAndOnMany) {
  for (const std::size_t threads : {1, 3}) {
    ServedSlave a, b, c;
    Made made(Component("a", a) + Component("b", b) + Component("c", c) + "<Link From=\"a.y\" To=\"c.u\"/>" +
              RunFor("b c"));
    ASSERT_EQ(made.Text(), "");
    RunOptions options;
    options.write_results = options.write_report = false;
    options.threads = threads;
    CompositionRun run(*made.composition, made.problems, options);
    run.Begin();
    while (run.Advance()) {
    }
    EXPECT_DOUBLE_EQ(LastOf(*made.composition, "a", "y"), 1.2);
    EXPECT_DOUBLE_EQ(LastOf(*made.composition, "b", "y"), 1.2);
    EXPECT_DOUBLE_EQ(LastOf(*made.composition, "c", "y"), 2.0 * 1.2e-3 + 0.2);  // mm become m on the link
    EXPECT_EQ(ErrorsOf(run.End()), "");
    EXPECT_EQ(a.model.steps, 20);
    EXPECT_EQ(c.model.steps, 20);
  }
}

// On one thread: that each waits for its own step must not cost the others theirs.
TEST(DcpSlavesInACompositon, BeginTogetherInSoftRealTime) {
  ServedSlave a, b;
  const std::string srt = R"(<Argument Key="mode" Value="srt"/><Argument Key="start-delay" Value="0.3"/></Component>)";
  const auto component = [&](const std::string& id, const ServedSlave& served) {
    std::string text = Component(id, served);
    return text.replace(text.find("</Component>"), 12, srt);
  };
  Made made(component("a", a) + component("b", b) + "<Link From=\"a.y\" To=\"b.u\"/>" + RunFor("b"));
  ASSERT_EQ(made.Text(), "");
  RunOptions options;
  options.write_results = options.write_report = false;
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  while (run.Advance()) {
  }
  EXPECT_EQ(ErrorsOf(run.End()), "");
  EXPECT_GE(b.model.steps, 19);
  // Each steps by its own clock every 10 ms; a second lies between starts that are not common.
  EXPECT_LT(std::abs(a.model.steps - b.model.steps), 50);
}

TEST(DcpSlavesInACompositon, ThatVanishAreFrozenAndEngagedAgain) {
  ServedSlave a, b;
  const auto port = a.runner->ControlEndpoint(TransportProtocol::TCP_IPv4).port;
  Made made(Component("a", a, "OnFailure=\"freeze\"") + Component("b", b) + "<Link From=\"a.y\" To=\"b.u\"/>" +
            RunFor("b"));
  ASSERT_EQ(made.Text(), "");
  RunOptions options;
  options.write_results = options.write_report = false;
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  const auto run_to = [&](double seconds) {
    while (Before(run.Now(), Stamp{58849.0 + seconds / 86400.0}) && run.Advance()) {
    }
  };
  run_to(0.05);
  a.Kill();
  run_to(0.1);
  ASSERT_EQ(run.State(), RunState::Running) << ErrorsOf(run.Record());
  // b goes on with the last value of a.
  EXPECT_NEAR(LastOf(*made.composition, "b", "y"), 2.0 * 1.05e-3 + 0.1, 1e-4);
  a.Begin({.tcp_port = port});
  if (run.TheFamilies().StatusOf("a") == FamilyStatus::Engaged) run.Disengage("a");
  run.Engage("a");
  run_to(0.2);
  EXPECT_DOUBLE_EQ(LastOf(*made.composition, "b", "y"), 2.0 * LastOf(*made.composition, "a", "y") * 1e-3 + 0.2);
  run.End();
  EXPECT_GT(a.model.steps, 5);
  EXPECT_EQ(b.model.steps, 20);
}

// The example of a simulator that is a slave in a program of its own.
TEST(DcpTankExample, FillsAsItsFormulaSays) {
  const std::string program = OPENMI_BINARY_DIR "/examples/dcp-tank/tank-slave";
  const std::string folder = OPENMI_SOURCE_DIR "/examples/dcp-tank/";
  const pid_t child = fork();
  if (child == 0) {
    execl(program.c_str(), program.c_str(), (folder + "tank.dcpx").c_str(), nullptr);
    _exit(127);
  }
  const Endpoint tank{.address = kLoopback, .port = 38571};
  bool is_there = false;
  for (int i = 0; i < 200 && !is_there; ++i) {
    try {
      is_there = Ping(TransportProtocol::TCP_IPv4, tank, 1, std::chrono::milliseconds(500)).has_value();
    } catch (const FileError&) {  // not yet
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  EXPECT_TRUE(is_there);
  if (is_there) {
    Problems problems;
    Composition composition(ReadCompositionFile(folder + "tank.xml", problems));
    composition.Load(problems);
    composition.Connect(problems);
    composition.Validate(problems);
    RunOptions options;
    options.write_results = options.write_report = false;
    CompositionRun run(composition, problems, options);
    run.Begin();
    while (run.Advance()) {
    }
    EXPECT_NEAR(LastOf(composition, "tank", "level"), 2.0 - std::exp(-3.0), 1e-12);
    EXPECT_EQ(ErrorsOf(run.End()), "");
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace openmi::dcp
