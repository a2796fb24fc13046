#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "openmi/omi/SafeProbe.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "tests/fmi-bridge/dcp/support/ServedSlave.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi::dcp {
namespace {

using test::FedSlave;
using test::ServedSlave;
using test::SlaveRun;
using ::testing::HasSubstr;

class DcpSlaveComponent : public ::testing::TestWithParam<TransportProtocol> {};
INSTANTIATE_TEST_SUITE_P(Over, DcpSlaveComponent,
                         ::testing::Values(TransportProtocol::UDP_IPv4, TransportProtocol::TCP_IPv4),
                         [](const auto& one) { return std::string(NameOf(one.param)); });

TEST_P(DcpSlaveComponent, StepsInNonRealTime) {
  ServedSlave served;
  SlaveRun run(served, GetParam());
  run.driver.Set("gain", "3");
  const FedSlave fed(run, 20);
  NumericOutput& y = run.Output("y");
  EXPECT_DOUBLE_EQ(y.LastRow()[0], 3.0 * 0.5);  // of its start value, at initialization
  for (int n = 1; n <= 20; ++n) {
    run.driver.Update();
    ASSERT_DOUBLE_EQ(y.LastRow()[0], 3.0 * n + 0.01 * n) << n;
  }
  EXPECT_EQ(run.slave.Status(), LinkableComponentStatus::Done);
  run.driver.Finish();
  EXPECT_EQ(served.model.steps, 20);
  EXPECT_EQ(served.model.stopped, 1);
}

TEST_P(DcpSlaveComponent, CanBeDrivenAgain) {
  ServedSlave served;
  for (int round = 0; round < 3; ++round) {
    SlaveRun run(served, GetParam(), "2020-01-01T00:00:00.03Z");
    run.Prepare();
    run.driver.UpdateToEnd();
    EXPECT_DOUBLE_EQ(run.Output("y").LastRow()[0], 2.0 * 0.5 + 0.03);
    run.driver.Finish();
  }
}

TEST_P(DcpSlaveComponent, ShowsItemsAndArgumentsWithUnits) {
  ServedSlave served;
  SlaveRun run(served, GetParam(), "2020-01-01T00:00:00.01Z");
  run.driver.Set("n", "5").Set("array in", "1 2 3 4 5").Set("u", "7");
  run.Prepare();
  const auto& quantity = dynamic_cast<const IQuantity&>(run.Output("y").ValueDefinition());
  EXPECT_EQ(quantity.Unit().Caption(), "mm");
  EXPECT_DOUBLE_EQ(quantity.Unit().ConversionFactorToSI(), 1e-3);
  NumericOutput& array = run.Output("array out");
  ASSERT_EQ(array.LastRow().size(), 5U);
  EXPECT_EQ(dynamic_cast<const IElementSet&>(*array.SpatialDefinition()).GetElementId(4)->Id(), "array out[5]");
  EXPECT_DOUBLE_EQ(array.LastRow()[4], 10.0);
  EXPECT_DOUBLE_EQ(run.Output("y").LastRow()[0], 14.0);
  run.driver.UpdateToEnd();
  EXPECT_DOUBLE_EQ(run.Output("y").LastRow()[0], 14.01);
  run.driver.Finish();
}

/// Two hosts with a cable between them, while this lives: network namespaces of this machine.
class TwoHosts {
 public:
  TwoHosts() {
    Run("ip netns add " + Name(1)) && Run("ip netns add " + Name(2)) &&
        Run("ip -n " + Name(1) + " link add v1 type veth peer name v2 netns " + Name(2)) && Up(1) && Up(2);
  }
  ~TwoHosts() {
    for (const int host : {1, 2})
      static_cast<void>(std::system(("ip netns del " + Name(host) + " 2> /dev/null").c_str()));
  }
  TwoHosts(const TwoHosts&) = delete;
  TwoHosts& operator=(const TwoHosts&) = delete;
  bool IsMade() const { return problem_.empty(); }
  /// The command that failed, and what it said.
  const std::string& Problem() const { return problem_; }
  /// Why this machine does not let the process make such hosts; empty: it does.
  static std::string Refusal() {
    if (std::system("ip -V > /dev/null 2>&1") != 0) return "there is no command ip (package iproute2)";
    const pid_t child = fork();
    if (child == 0) _exit(unshare(CLONE_NEWNET) == 0 ? 0 : errno);
    int status = 0;
    waitpid(child, &status, 0);
    const int error = WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
    return error == 0 ? "" : std::string("no right to make network namespaces: ") + std::strerror(error);
  }
  static std::string Address(int host) { return "10.231.77." + std::to_string(host); }
  /// Calls `work` on a host: sockets that it opens are there.
  template <class Work>
  void On(int host, Work work) const {
    std::thread([&] {
      const int there = open(("/run/netns/" + Name(host)).c_str(), O_RDONLY | O_CLOEXEC);
      ASSERT_EQ(setns(there, CLONE_NEWNET), 0);
      close(there);
      work();
    }).join();
  }

 private:
  static std::string Name(int host) { return "openmi-" + std::to_string(getpid()) + "-" + std::to_string(host); }
  bool Run(const std::string& command) {
    const ChildResult result = RunInChild({"sh", "-c", command});
    if (result.exit_code != 0) problem_ = command + ": " + result.err;
    return result.exit_code == 0;
  }
  bool Up(int host) {
    const std::string device = " dev v" + std::to_string(host);
    return Run("ip -n " + Name(host) + " addr add " + Address(host) + "/24" + device) &&
           Run("ip -n " + Name(host) + " link set" + device + " up");
  }
  std::string problem_;
};

TEST_P(DcpSlaveComponent, GivesTheSameBetweenTwoHosts) {
  if (const std::string refusal = TwoHosts::Refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
  const TwoHosts hosts;
  ASSERT_TRUE(hosts.IsMade()) << hosts.Problem();
  std::unique_ptr<ServedSlave> far;
  hosts.On(1, [&] { far = std::make_unique<ServedSlave>(SlaveOptions{.host = TwoHosts::Address(1)}); });
  ServedSlave near;
  const auto values = [](const ServedSlave& served, const std::string& host) {
    SlaveRun run(served, GetParam());
    run.driver.Set("host", host).Set("gain", "0.3");
    const FedSlave fed(run, 20);
    std::vector<double> rows;
    for (int n = 1; n <= 20; ++n) {
      run.driver.Update();
      rows.push_back(run.Output("y").LastRow()[0]);
    }
    run.driver.Finish();
    return rows;
  };
  std::vector<double> from_far;
  hosts.On(2, [&] { from_far = values(*far, TwoHosts::Address(1)); });
  EXPECT_EQ(from_far.size(), 20U);
  EXPECT_EQ(from_far, values(near, "127.0.0.1"));
  hosts.On(1, [&] { far.reset(); });
}

TEST_P(DcpSlaveComponent, StepsInLockStep) {
  ServedSlave served({.is_lock_step = true});
  SlaveRun run(served, GetParam());
  run.driver.Set("synchronization", "lock-step");
  const FedSlave fed(run, 20);
  for (int n = 1; n <= 20; ++n) {
    run.driver.Update();
    ASSERT_DOUBLE_EQ(run.Output("y").LastRow()[0], 2.0 * n + 0.01 * n) << n;
  }
  run.driver.Finish();
  EXPECT_EQ(served.model.steps, 20);
}

TEST(DcpSlaveComponent, RunsInSoftRealTime) {
  ServedSlave served;
  SlaveRun run(served, TransportProtocol::UDP_IPv4, "2020-01-01T00:00:01.5Z");
  run.driver.Set("mode", "srt").Set("start-delay", "0.3").Set("time-step", "PT0.1S").Set("counters", "true");
  run.Prepare();
  run.driver.UpdateToEnd();
  // The slave runs by its own clock; its time is a step or two from ours.
  const double y = run.Output("y").LastRow()[0];
  EXPECT_GT(y, 1.0);
  EXPECT_EQ(run.Output("dcp:data-missed").LastRow()[0], 0.0);
  run.driver.Finish();
  EXPECT_GE(served.model.steps, 13);
}

TEST_P(DcpSlaveComponent, WritesDownWhatTheSlaveReports) {
  for (const bool is_notified : {true, false}) {
    SlaveDescription described = test::ServedDescription();
    described.log->templates.push_back(
        {.id = 7, .category = 1, .level = LogLevel::Warning, .message = "100 %%: %String"});
    described.log->templates.push_back({.id = 8, .category = 1, .level = LogLevel::Error, .message = "%string"});
    // By itself, or when it is asked at the end.
    described.capabilities.can_provide_log_on_notification = is_notified;
    ServedSlave served({}, described);
    served.model.says = "h";  // too long for one entry, and no character may be cut
    for (int i = 0; i < 3000; ++i) served.model.says += "\xc3\xa9";
    SlaveRun run(served, GetParam());
    const std::string file = served.folder / "log.txt";
    run.driver.Set("log-level", "warning").Set("log-file", file);
    run.Prepare();
    run.driver.Update();
    served.model.fails = true;
    EXPECT_THROW(run.driver.Update(), ModelError);
    run.driver.Finish();
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    const std::string entry = " x: 100 %: " + served.model.says.substr(0, 3999) + "\n";
    EXPECT_NE(text.str().find(entry), std::string::npos);
    EXPECT_NE(text.str().find("x: Step failed: the spring broke\n"), std::string::npos);
  }
}

// Others were waited for: what came meanwhile is taken step after step, and not the newest at once.
TEST(DcpSlaveComponent, TakesInTurnWhatCameBeforeItWasAsked) {
  // Of steps so long that a busy machine does not delay their data by half a step.
  SlaveDescription slow = test::ServedDescription();
  for (Variable& variable : slow.variables) {
    if (variable.kind == VariableKind::Output) variable.steps.most = 400;
  }
  ServedSlave served({}, slow);
  SlaveRun run(served, TransportProtocol::UDP_IPv4, "2020-01-01T00:00:06Z");
  run.driver.Set("mode", "srt").Set("start-delay", "0.1").Set("time-step", "PT0.4S").Set("counters", "true");
  run.Prepare();
  run.driver.Update();
  std::this_thread::sleep_for(std::chrono::milliseconds(3000));
  run.driver.Update();
  for (int step = 0; step < 4; ++step) {
    const double before = run.Output("y").LastRow()[0];
    run.driver.Update();
    EXPECT_NEAR(run.Output("y").LastRow()[0] - before, 0.4, 1e-9) << step;
  }
  EXPECT_EQ(run.Output("dcp:held-steps").LastRow()[0], 0.0);
  run.driver.Finish();
}

TEST_P(DcpSlaveComponent, TakesEachOutputByAPduOfItsOwn) {
  SlaveDescription wide = test::ServedDescription();
  for (ValueReference i = 0; i < 20; ++i) {
    wide.variables.push_back(wide.variables[1]);
    wide.variables.back().name = "more " + std::to_string(i);
    wide.variables.back().value_reference = 100 + i;
  }
  ServedSlave served({}, wide);
  SlaveRun run(served, GetParam());
  run.driver.Set("group-size", "1");
  run.Prepare();
  for (int n = 1; n <= 3; ++n) run.driver.Update();
  EXPECT_DOUBLE_EQ(run.Output("y").LastRow()[0], 1.03);
  run.driver.Finish();
}

/// Ports of the loopback that no program has now.
std::vector<std::uint16_t> FreePorts(int count) {
  const auto transport = MakeUdpTransport();
  std::vector<std::uint16_t> ports;
  for (int i = 0; i < count; ++i) ports.push_back(transport->Local(transport->Open({kLoopback, 0})).port);
  return ports;
}

TEST_P(DcpSlaveComponent, SpreadsDataOverSeveralSockets) {
  SlaveDescription wide = test::ServedDescription();
  for (ValueReference i = 0; i < 4; ++i) {
    wide.variables.push_back(wide.variables[0]);
    wide.variables.back().name = "more " + std::to_string(i);
    wide.variables.back().value_reference = 100 + i;
  }
  const std::vector<std::uint16_t> ports = FreePorts(3);
  for (auto* ip : {&wide.transports.udp, &wide.transports.tcp}) {
    (*ip)->data.emplace();
    for (const std::uint16_t port : ports) (*ip)->data->ranges.push_back({port, port});
  }
  std::set<std::uint16_t> named, from, to;
  SlaveOptions options;
  options.watch = [&](bool is_sent, Endpoint peer, ByteView pdu) {
    const Pdu decoded = Decode(pdu).pdu;
    if (std::holds_alternative<Dat>(decoded)) (is_sent ? to : from).insert(peer.port);
    const auto* network = std::get_if<CfgNetworkInformation>(&decoded);
    if (network != nullptr && network->type == PduType::CFG_source_network_information) named.insert(network->port);
  };
  ServedSlave served(std::move(options), wide);
  SlaveRun run(served, GetParam());
  run.driver.Set("group-size", "1").Set("data-sockets", "3").Set("array in", "1 2 3");
  for (const char* input : {"more 0", "more 1", "more 2", "more 3"}) run.driver.Set(input, "7");
  const FedSlave fed(run, 20);
  for (int n = 1; n <= 20; ++n) {
    run.driver.Update();
    ASSERT_DOUBLE_EQ(run.Output("y").LastRow()[0], 2.0 * n + 0.01 * n);
    ASSERT_DOUBLE_EQ(run.Output("array out").LastRow()[2], 6.0);
  }
  run.driver.Finish();
  served.Kill();
  EXPECT_EQ(named, std::set<std::uint16_t>(ports.begin(), ports.end()));
  EXPECT_EQ(from.size(), 3U);
  EXPECT_EQ(to.size(), 3U);
}

TEST_P(DcpSlaveComponent, IsToldOfAnotherVersion) {
  ServedSlave served;
  served.Kill();
  served.description.minor_version = 7;
  served.Begin({});
  SlaveRun run(served, GetParam());
  EXPECT_THAT([&] { run.Prepare(); }, ::testing::ThrowsMessage<ModelError>(::testing::AllOf(
                                          HasSubstr("INVALID_MINOR_VERSION"), HasSubstr("it does not speak DCP 1.0"))));
}

TEST_P(DcpSlaveComponent, ReportsASlaveThatFails) {
  ServedSlave served;
  SlaveRun run(served, GetParam());
  run.Prepare();
  served.model.fails = true;
  EXPECT_THAT([&] { run.driver.Update(); }, ::testing::ThrowsMessage<ModelError>(HasSubstr("PROTOCOL_ERROR_GENERIC")));
  run.driver.Finish();
  // It was left free.
  served.model.fails = false;
  SlaveRun again(served, GetParam());
  again.Prepare();
  again.driver.Update();
  again.driver.Finish();
}

// It no longer follows this master: the last values must not be held until the end.
TEST(DcpSlaveComponent, ReportsASlaveThatWasStartedAnewInSoftRealTime) {
  ServedSlave served;
  const std::uint16_t port = served.runner->ControlEndpoint(TransportProtocol::UDP_IPv4).port;
  SlaveRun run(served, TransportProtocol::UDP_IPv4, "2020-01-01T00:00:10Z");
  run.driver.Set("mode", "srt").Set("start-delay", "0.1").Set("answer-timeout", "0.1");
  run.Prepare();
  run.driver.Update();
  served.Kill();
  served.Begin({.udp_port = port});
  EXPECT_THAT([&] { run.driver.UpdateToEnd(); },
              ::testing::ThrowsMessage<ModelError>(
                  ::testing::AllOf(HasSubstr("state ALIVE where it was RUNNING"), HasSubstr("let one master use it"))));
}

// What went wrong at the end is for whoever runs the component, and nothing is printed past him.
TEST_P(DcpSlaveComponent, SaysWhatKeptTheSlaveFromBeingStopped) {
  ServedSlave served;
  SlaveRun run(served, GetParam());
  run.Prepare();
  run.driver.Update();
  EXPECT_TRUE(run.slave.Remarks().empty());
  served.Kill();
  ::testing::internal::CaptureStderr();
  run.driver.Finish();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  const Problems remarks = run.slave.Remarks();
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_THAT(FormatProblem(remarks[0]), HasSubstr("expected the slave to stop and deregister, found: "));
}

TEST_P(DcpSlaveComponent, IsToldOfAnotherSlave) {
  ServedSlave served, other;
  served.description.uuid[0] = 1;
  WriteSlaveDescription(served.description, served.path);
  SlaveRun run(served, GetParam());
  run.driver.Set("port", other.Port(GetParam()));
  EXPECT_THAT([&] { run.Prepare(); }, ::testing::ThrowsMessage<ModelError>(HasSubstr("INVALID_UUID")));
}

TEST_P(DcpSlaveComponent, IsRefusedWhereAnotherMasterIs) {
  ServedSlave served;
  SlaveRun first(served, GetParam());
  first.Prepare();
  SlaveRun second(served, GetParam());
  second.driver.Set("answer-timeout", "0.05").Set("tries", "4");
  EXPECT_THROW(second.Prepare(), ModelError);
  first.driver.UpdateToEnd();
  EXPECT_DOUBLE_EQ(first.Output("y").LastRow()[0], 1.2);
  first.driver.Finish();
}

// Requests alone are no sign of life; the state has to be asked for, also while nobody updates.
TEST(DcpSlaveComponent, GivesTheHeartbeatThatASlaveWatches) {
  SlaveDescription watchful = test::ServedDescription();
  watchful.capabilities.can_monitor_heartbeat = true;
  watchful.heartbeat = Heartbeat{.numerator = 2, .denominator = 1};
  ServedSlave served({}, watchful);
  SlaveRun run(served, TransportProtocol::UDP_IPv4);
  run.Prepare();
  for (int n = 1; n <= 10; ++n) {
    std::this_thread::sleep_for(std::chrono::milliseconds(n == 5 ? 3000 : 15));
    ASSERT_NO_THROW(run.driver.Update()) << n;
  }
  EXPECT_DOUBLE_EQ(run.Output("y").LastRow()[0], 1.1);
  run.driver.Finish();
}

// Who waits for the answer of a slave that is gone still gives the others their sign of life.
TEST(DcpSlaveComponent, GivesTheHeartbeatWhileAnotherVanishes) {
  SlaveDescription watchful = test::ServedDescription();
  watchful.capabilities.can_monitor_heartbeat = true;
  watchful.heartbeat = Heartbeat{.numerator = 2, .denominator = 1};
  ServedSlave vanishing({}, watchful), staying({}, watchful);
  SlaveRun first(vanishing, TransportProtocol::UDP_IPv4), second(staying, TransportProtocol::UDP_IPv4);
  first.driver.Set("answer-timeout", "0.75");  // four times: longer than the heartbeat
  first.Prepare();
  second.Prepare();
  vanishing.Kill();
  std::this_thread::sleep_for(std::chrono::milliseconds(3500));
  EXPECT_NO_THROW(second.driver.Update());
  EXPECT_THAT([&] { first.driver.Update(); }, ::testing::ThrowsMessage<ModelError>(HasSubstr("last seen in RUNNING")));
  second.driver.Finish();
}

TEST_P(DcpSlaveComponent, SendsTunableParametersWhileItRuns) {
  SlaveDescription described = test::ServedDescription();
  described.variables[2].attributes.unit = 0;  // the ramp's
  ServedSlave served({}, described);
  SlaveRun run(served, GetParam());
  const FedSlave fed(run, 20, "gain");
  run.driver.Update();
  EXPECT_DOUBLE_EQ(run.Output("y").LastRow()[0], 1.0 * 0.5 + 0.01);
  run.driver.Update();
  EXPECT_DOUBLE_EQ(run.Output("y").LastRow()[0], 2.0 * 0.5 + 0.02);
  run.driver.UpdateToEnd();
  EXPECT_DOUBLE_EQ(run.Output("y").LastRow()[0], 20.0 * 0.5 + 0.2);
  run.driver.Finish();
}

// One step of a slave is one resolution here: only that of the step will do.
TEST_P(DcpSlaveComponent, TakesAResolutionFromARange) {
  ServedSlave served({}, [] {
    SlaveDescription description = test::ServedDescription();
    description.resolutions = {{.numerator = 1, .denominator = 2, .is_fixed = false, .is_recommended = true}};
    description.resolution_ranges = {{.numerator_from = 1, .numerator_to = 9, .denominator = 1000},
                                     {.numerator_from = 5, .numerator_to = 50, .denominator = 1000}};
    description.non_real_time = StepRange{};
    description.capabilities.can_handle_variable_steps = false;
    return description;
  }());
  {
    SlaveRun run(served, GetParam(), "2020-01-01T00:00:00.05Z");
    run.Prepare();
    run.driver.UpdateToEnd();
    EXPECT_DOUBLE_EQ(run.Output("y").LastRow()[0], 2.0 * 0.5 + 0.05);
    run.driver.Finish();
    EXPECT_EQ(served.model.steps, 5);
  }
  SlaveRun run(served, GetParam());
  run.driver.Set("time-step", "PT0.051S").Initialize();
  EXPECT_FALSE(run.driver.Validate());
  EXPECT_THAT(run.driver.Messages().at(0),
              HasSubstr("the slave allows 1/2 s (recommended), 1 to 9/1000 s, 5 to 50/1000 s"));
}

TEST(DcpSlaveComponent, ChecksItsArguments) {
  ServedSlave served;
  {
    ServedSlave fixed({}, [] {
      SlaveDescription description = test::ServedDescription();
      description.variables[1].steps = {};
      return description;
    }());
    SlaveRun run(fixed, TransportProtocol::UDP_IPv4);
    run.driver.Set("synchronization", "lock-step").Initialize();
    EXPECT_FALSE(run.driver.Validate());
    EXPECT_THAT(run.driver.Messages().at(0),
                HasSubstr("expected a time step of 1 times 1/1000 s in lock-step, as the output "
                          "'y' is sent, found 10 times"));
  }
  {
    SlaveRun run(served, TransportProtocol::UDP_IPv4);
    run.driver.Set("time-step", "PT0.0105S").Initialize();
    EXPECT_FALSE(run.driver.Validate());
    EXPECT_THAT(run.driver.Messages().at(0), HasSubstr("expected a multiple of the time resolution of 1/1000 s"));
  }
  {
    SlaveRun run(served, TransportProtocol::UDP_IPv4);
    run.driver.Set("time-resolution", "1/7");
    EXPECT_THAT([&] { run.driver.Initialize(); },
                ::testing::ThrowsMessage<ArgumentError>(HasSubstr(
                    "expected a time resolution that the slave allows (1/1000 s (fixed)), found 1/7; choose one")));
  }
  {
    SlaveRun run(served, TransportProtocol::UDP_IPv4);
    run.driver.Set("synchronization", "lock-step").Initialize();
    EXPECT_FALSE(run.driver.Validate());
    EXPECT_THAT(run.driver.Messages().at(0), HasSubstr("expected a linked input in lock-step"));
  }
  {
    SlaveRun run(served, TransportProtocol::UDP_IPv4);
    run.driver.Set("array in", "1 2");
    EXPECT_THAT([&] { run.driver.Initialize(); },
                ::testing::ThrowsMessage<ArgumentError>(HasSubstr("expected 3 values, found 2")));
  }
}

}  // namespace
}  // namespace openmi::dcp
