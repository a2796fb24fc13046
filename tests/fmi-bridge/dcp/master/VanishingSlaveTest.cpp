// A slave that ends without a word in each of its states, and what its master makes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "fmi-bridge/dcp/slave/StateTable.hpp"
#include "tests/fmi-bridge/dcp/support/LossyLink.hpp"
#include "tests/fmi-bridge/dcp/support/ServedSlave.hpp"

namespace openmi::dcp {
namespace {

using enum State;
using test::FedSlave;
using test::ServedDescription;
using test::ServedSlave;
using test::SlaveRun;
using testing::HasSubstr;

/// A port that the system gives to no other socket, so that no slave of another test answers at it when this one is
/// gone. Ports that are in use are left out by the caller.
std::uint16_t OwnPort() {
  static std::atomic<int> count = 0;
  return static_cast<std::uint16_t>(10'000 + 100 * (getpid() % 200) + count++ % 100);
}

/// Starts something at an own port.
template <class Make>
auto AtOwnPort(Make make) {
  for (int attempt = 1;; ++attempt) {
    try {
      return make(OwnPort());
    } catch (const FileError&) {
      if (attempt == 100) throw;
    }
  }
}

/// A slave whose sockets are closed as soon as it has told that it is in a state.
class MortalSlave {
 public:
  /// \param time  1: the first time that it is there
  MortalSlave(State last, int time, bool is_lock_step) : last_(last), left_(time) {
    WriteSlaveDescription(description_, path);
    SlaveOptions options;
    options.tcp_port = 0;
    options.is_lock_step = is_lock_step;
    options.watch = [this](bool is_sent, Endpoint, ByteView pdu) {
      const bool is_change = is_sent && pdu[0] == static_cast<std::byte>(PduType::NTF_state_changed);
      if (is_change && pdu[2] == static_cast<std::byte>(last_) && --left_ == 0) throw Death();
    };
    runner_ = AtOwnPort([&](std::uint16_t port) {
      options.udp_port = port;
      return std::make_unique<SlaveRunner>(description_, model, options);
    });
    udp_ = runner_->ControlEndpoint(TransportProtocol::UDP_IPv4).port;
    tcp_ = runner_->ControlEndpoint(TransportProtocol::TCP_IPv4).port;
    thread_ = std::thread([this] {
      try {
        runner_->Run();
      } catch (const Death&) {
        const std::lock_guard lock(guard_);
        runner_.reset();
        is_dead = true;
      }
    });
  }
  ~MortalSlave() {
    {
      const std::lock_guard lock(guard_);
      if (runner_ != nullptr) runner_->Stop();
    }
    thread_.join();
  }
  MortalSlave(const MortalSlave&) = delete;
  MortalSlave& operator=(const MortalSlave&) = delete;
  std::string Port(TransportProtocol protocol) const {
    return std::to_string(protocol == TransportProtocol::UDP_IPv4 ? udp_ : tcp_);
  }

  ScratchFolder folder;
  std::string path = folder / "small.dcpx";
  test::SmallModel model;
  std::atomic<bool> is_dead = false;

 private:
  struct Death {};
  SlaveDescription description_ = ServedDescription();
  State last_;
  int left_;
  std::mutex guard_;  // of the runner
  std::unique_ptr<SlaveRunner> runner_;
  std::uint16_t udp_ = 0;
  std::uint16_t tcp_ = 0;
  std::thread thread_;
};

/// Where in the life of a component the end of its slave is told.
enum class Told { Prepare, Update, Finish };

constexpr int kSome = -1;  // until the silence is noticed, the last values stay

struct Case {
  const char* mode;  ///< argument of the component; lock-step: SRT so
  State last;
  int time;       ///< when the slave ends: the n-th time that it is there
  Told told;      ///< by
  int steps = 0;  ///< that were made before, or kSome
};

// All nineteen. HRT takes the way of SRT. What a mode has no way to is left out of it:
// - COMPUTING, COMPUTED and SENDING_D are of NRT alone;
// - up to SENDING_I, and from STOPPING on, nothing depends on the mode: there the table has NRT;
// - ALIVE comes twice: before there is a master (IsReportedBeforeItWasRegistered), and here, when it was left.
constexpr Case kCases[] = {
    {"nrt", CONFIGURATION, 1, Told::Prepare},   {"nrt", PREPARING, 1, Told::Prepare},
    {"nrt", PREPARED, 1, Told::Prepare},        {"nrt", CONFIGURING, 1, Told::Prepare},
    {"nrt", CONFIGURED, 1, Told::Prepare},      {"nrt", INITIALIZING, 1, Told::Prepare},
    {"nrt", INITIALIZED, 1, Told::Prepare},     {"nrt", SENDING_I, 1, Told::Prepare},
    {"nrt", CONFIGURED, 2, Told::Prepare},  // once more, initialized
    {"nrt", SYNCHRONIZING, 1, Told::Prepare},   {"nrt", SYNCHRONIZED, 1, Told::Prepare},
    {"srt", SYNCHRONIZING, 1, Told::Update},    {"srt", SYNCHRONIZED, 1, Told::Update},
    {"nrt", RUNNING, 1, Told::Update},          {"nrt", RUNNING, 3, Told::Update, 2},
    {"srt", RUNNING, 1, Told::Update, kSome},   {"lock-step", RUNNING, 1, Told::Update},
    {"nrt", COMPUTING, 3, Told::Update, 2},     {"nrt", COMPUTED, 3, Told::Update, 2},
    {"nrt", SENDING_D, 3, Told::Update, 2},     {"nrt", ERRORHANDLING, 1, Told::Update, 2},
    {"nrt", ERRORRESOLVED, 1, Told::Update, 2}, {"nrt", STOPPING, 1, Told::Finish, 5},
    {"nrt", STOPPED, 1, Told::Finish, 5},       {"nrt", ALIVE, 1, Told::Finish, 5},
};

class DcpVanishingSlave : public testing::TestWithParam<TransportProtocol> {};
INSTANTIATE_TEST_SUITE_P(Over, DcpVanishingSlave,
                         testing::Values(TransportProtocol::UDP_IPv4, TransportProtocol::TCP_IPv4),
                         [](const auto& one) { return std::string(NameOf(one.param)); });

std::string TextOf(const Case& one) {
  return std::string(one.mode) + " in " + std::string(NameOf(one.last)) + " " + std::to_string(one.time);
}

void Drive(const Case& one, TransportProtocol protocol) {
  SCOPED_TRACE(TextOf(one));
  MortalSlave slave(one.last, one.time, one.mode == std::string("lock-step"));
  // Steps of 10 ms: in real time, enough of them to notice the silence also after a late start.
  const int most = one.steps == kSome ? 400 : 5;
  SlaveRun run(slave.path, slave.Port(protocol), protocol,
               one.steps == kSome ? "2020-01-01T00:00:04Z" : "2020-01-01T00:00:00.05Z");
  const std::string log = slave.folder / "log.txt";
  // A slave that still lives may be kept from answering for a while by a busy machine.
  run.driver.Set("answer-timeout", "0.2").Set("tries", "4").Set("change-timeout", "2").Set("log-file", log);
  run.driver.Set("step-timeout", "2").Set("data-timeout", "1").Set("start-delay", "0.1");
  const bool is_lock_step = one.mode == std::string("lock-step");
  run.driver.Set("mode", is_lock_step ? "srt" : one.mode);
  if (is_lock_step) run.driver.Set("synchronization", "lock-step");
  Told told = Told::Prepare;
  int steps = 0;
  std::string report;
  std::unique_ptr<FedSlave> fed;
  try {
    fed = std::make_unique<FedSlave>(run, most);
    told = Told::Update;
    for (; steps < most; ++steps) {
      slave.model.fails = one.last >= ERRORHANDLING && steps == one.steps;
      run.driver.Update();
    }
    told = Told::Finish;
  } catch (const Error& error) {
    report = error.what();
    EXPECT_EQ(run.slave.Status(), LinkableComponentStatus::Failed);
  }
  EXPECT_EQ(told, one.told) << report;
  if (one.steps != kSome) {
    EXPECT_EQ(steps, one.steps);
  }
  // What was computed stays.
  if (told != Told::Prepare) {
    const double last = run.Output("y").LastRow()[0];
    if (one.steps == kSome) {  // in real time it steps in SYNCHRONIZED, too, for as long as that takes
      EXPECT_GE(last, 1.0);
      EXPECT_NEAR(std::remainder(last - 1.0, 0.01), 0.0, 1e-9);
    } else {
      EXPECT_DOUBLE_EQ(last, steps == 0 ? 1.0 : 2.01 * steps);
    }
  }
  run.driver.Finish();
  if (told == Told::Finish && one.last != ALIVE) {
    std::ostringstream text;
    text << std::ifstream(log).rdbuf();
    report = text.str();
  }
  for (int i = 0; i < 10'000 && !slave.is_dead; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(slave.is_dead);
  if (one.last == ALIVE) {
    EXPECT_EQ(report, "");  // nobody needs it any more
  } else {
    EXPECT_THAT(report, testing::AllOf(HasSubstr("slave 'small' at 127.0.0.1:" + slave.Port(protocol)),
                                       HasSubstr("last seen in " + std::string(NameOf(one.last))),
                                       HasSubstr("see that it runs")));
  }
}

TEST_P(DcpVanishingSlave, IsReportedInEveryState) {
  States seen;
  for (const Case& one : kCases) seen = seen | States(one.last);
  for (unsigned i = 0; i < kStates; ++i) EXPECT_TRUE(seen.Has(static_cast<State>(i))) << NameOf(static_cast<State>(i));
  std::vector<std::jthread> all;  // they mostly wait
  for (const Case& one : kCases) all.emplace_back([&one, protocol = GetParam()] { Drive(one, protocol); });
}

TEST_P(DcpVanishingSlave, IsReportedBeforeItWasRegistered) {
  const auto served =
      AtOwnPort([](std::uint16_t own) { return std::make_unique<ServedSlave>(SlaveOptions{.udp_port = own}); });
  const std::string port = served->Port(GetParam());
  served->Kill();
  SlaveRun run(served->path, port, GetParam());
  run.driver.Set("answer-timeout", "0.02").Set("tries", "2");
  const std::string expected = GetParam() == TransportProtocol::UDP_IPv4
                                   ? "expected an answer to STC_register within 20 ms, sent 2 times of"
                                   : "expected a connection with";
  EXPECT_THAT([&] { run.Prepare(); },
              testing::ThrowsMessage<ModelError>(
                  testing::AllOf(HasSubstr(expected + " the slave 'small' at 127.0.0.1:" + port + ", found none"),
                                 HasSubstr("; see that it runs"))));
}

// Nothing tells of its end: the host does not answer either.
TEST(DcpVanishingSlaveBehindALink, IsReportedWhenTheTimeForAStepIsOver) {
  MortalSlave slave(COMPUTING, 2, false);
  const Endpoint at{.address = kLoopback,
                    .port = static_cast<std::uint16_t>(std::stoi(slave.Port(TransportProtocol::UDP_IPv4)))};
  test::LossyLink link(TransportProtocol::UDP_IPv4, at, {});
  SlaveRun run(slave.path, std::to_string(link.Port()), TransportProtocol::UDP_IPv4);
  run.driver.Set("answer-timeout", "0.2").Set("tries", "4").Set("step-timeout", "0.2");
  run.Prepare();
  run.driver.Update();
  EXPECT_THAT([&] { run.driver.Update(); }, testing::ThrowsMessage<ModelError>(testing::AllOf(
                                                HasSubstr("last seen in COMPUTING"), HasSubstr("see that it runs"))));
  EXPECT_DOUBLE_EQ(run.Output("y").LastRow()[0], 1.01);
}

// Who answers after what it has to do is not gone.
TEST_P(DcpVanishingSlave, IsNotTakenForOneThatIsBusy) {
  for (const bool is_lock_step : {false, true}) {
    ServedSlave served({.is_lock_step = is_lock_step});
    // A step takes longer than all tries together; registering takes less also on a busy machine.
    served.model.takes = std::chrono::milliseconds(600);
    SlaveRun run(served, GetParam(), "2020-01-01T00:00:00.02Z");
    run.driver.Set("answer-timeout", "0.1").Set("tries", "4");
    if (is_lock_step) run.driver.Set("synchronization", "lock-step");
    const FedSlave fed(run, 2);
    run.driver.Update();
    run.driver.Update();
    EXPECT_DOUBLE_EQ(run.Output("y").LastRow()[0], 4.02);
    run.driver.Finish();
  }
}

}  // namespace
}  // namespace openmi::dcp
