// The platoon before the road block: what it does, and that it does the same wherever its simulator runs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <set>
#include <sstream>
#include <thread>

#include "examples/platoon/Simulator.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/omi/SafeProbe.hpp"
#include "tests/examples/PlatoonRun.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace platoon {
namespace {

using Outputs = std::array<double, Simulator::kOutputCount>;

Outputs OutputsOf(const Simulator& simulator) {
  Outputs outputs{};
  simulator.GetOutputs(outputs);
  return outputs;
}

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

double Smallest(const std::vector<double>& values) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const double value : values) smallest = std::fmin(smallest, value);
  return smallest;
}

TEST(PlatoonSimulator, GivesTheSameInWhateverPartsAStepIsAskedFor) {
  const std::array<double, Simulator::kInputCount> pedals = {0.1, 0.0, 0.0, 0.3};
  Simulator whole, parts;
  whole.SetInputs(pedals);
  parts.SetInputs(pedals);
  whole.Advance(12.0);
  for (int i = 0; i < 1200; ++i) parts.Advance(0.01);
  EXPECT_EQ(OutputsOf(whole), OutputsOf(parts));
}

TEST(PlatoonSimulator, LeaderStandsWhereItMeansTo) {
  for (const double speed : {28.0, 30.0, 36.0}) {
    for (const double place : {5.0, 10.0, 20.0}) {
      Simulator simulator({.speed = speed, .stand_before_block = place});
      simulator.Advance(30.0);
      const Outputs outputs = OutputsOf(simulator);
      EXPECT_EQ(outputs[7], 0.0) << speed;
      EXPECT_NEAR(outputs.back(), place, 0.3) << speed;
    }
  }
}

TEST(PlatoonSimulator, RoadIsAsLongAsItSays) {
  const Road road(180.0, 80.0, 500.0, 550.0);
  double length = 0.0;
  for (int i = 0; i < 5500; ++i) {
    const Road::Place a = road.At(0.1 * i);
    const Road::Place b = road.At(0.1 * (i + 1));
    length += std::hypot(b.x - a.x, b.y - a.y);
    EXPECT_NEAR(std::remainder(std::atan2(b.y - a.y, b.x - a.x) - 0.5 * (a.heading + b.heading), 2.0 * M_PI), 0.0,
                1e-5);
  }
  EXPECT_NEAR(length, 550.0, 1e-4);
  EXPECT_NEAR(road.At(550.0).curvature, 1.0 / 500.0, 1e-15);
}

TEST(PlatoonSimulator, RefusesABeginThatNobodyCouldDrive) {
  EXPECT_THROW(Simulator({.speed = 0.0}), std::invalid_argument);
  EXPECT_THROW(Simulator({.to_block = 5.0}), std::invalid_argument);
  EXPECT_THROW(Simulator({.time_gap = std::nan("")}), std::invalid_argument);
}

// The description is written by hand.
TEST(PlatoonSimulator, IsWhatItsDescriptionSays) {
  openmi::Problems problems;
  const auto description =
      openmi::dcp::LoadSlaveDescription(OPENMI_SOURCE_DIR "/examples/platoon/platoon.dcpx", problems);
  EXPECT_TRUE(problems.empty());
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  for (const auto& variable : description.variables) {
    const Signal* signal = nullptr;
    if (variable.kind == openmi::dcp::VariableKind::Input) {
      ASSERT_LT(inputs, Simulator::kInputs.size());
      signal = &Simulator::kInputs[inputs++];
    } else if (variable.kind == openmi::dcp::VariableKind::Output) {
      ASSERT_LT(outputs, Simulator::kOutputs.size());
      signal = &Simulator::kOutputs[outputs++];
    } else {
      continue;
    }
    EXPECT_EQ(variable.name, signal->name);
    ASSERT_NE(variable.attributes.unit, openmi::dcp::kNowhere);
    EXPECT_EQ(description.units[static_cast<std::size_t>(variable.attributes.unit)].name, signal->unit);
  }
  EXPECT_EQ(inputs, Simulator::kInputs.size());
  EXPECT_EQ(outputs, Simulator::kOutputs.size());
}

TEST(Platoon, StopsBeforeTheBlockWithoutCollision) {
  const PlatoonRun run("local");
  EXPECT_GE(run.Column("instruments.speed")[1], 100.0 / 3.6);
  double hardest = 0.0;  // of the vehicle ahead
  for (std::size_t i = 0; i < Simulator::kVehicles; ++i) {
    const std::vector<double> speed = run.Column("instruments.speed", i);
    EXPECT_EQ(speed.back(), 0.0);
    EXPECT_GT(speed[speed.size() / 3], 0.0);
    const double hard = -Smallest(run.Column("instruments.acceleration", i));
    if (i > 0) {
      EXPECT_LT(hard, 1.01 * hardest) << "the brakes get harder from vehicle to vehicle";
    }
    hardest = hard;
    // Below 0.1 m/s the leader, who releases his brakes at 2 m/s3, brakes with at most sqrt(2 * 2 * 0.1) = 0.63 m/s2.
    const std::vector<double> acceleration = run.Column("instruments.acceleration", i);
    for (std::size_t row = 0; row < speed.size(); ++row) {
      if (speed[row] > 0.0 && speed[row] < 0.1) {
        EXPECT_GT(acceleration[row], -0.7) << i << " row " << row;
      }
    }
  }
  const double to_block = run.Column("simulator.leader.distance-to-block").back();
  EXPECT_GE(to_block, 5.0);
  EXPECT_LE(to_block, 20.0);
  for (std::size_t i = 0; i < Simulator::kFollowers; ++i) {
    const std::vector<double> gap = run.Column("instruments.gap", i);
    EXPECT_NEAR(gap[1], 30.0, 1e-6) << "a second at 30 m/s";
    // The control's own distance of a stand, which no follower falls below, and comes near to.
    EXPECT_GE(Smallest(gap), 3.0);
    EXPECT_LT(gap.back(), 3.2);
    EXPECT_GE(Smallest(run.Column("instruments.time-gap", i)), 0.6) << "above 5 m/s";
    // The sensor sees what was there a step before, and along a straight line in place of the bend.
    const std::vector<double> seen = run.Column("sight-" + std::to_string(i + 1) + ".distance");
    for (std::size_t row = 2; row < seen.size(); ++row) ASSERT_NEAR(seen[row], gap[row - 1], 0.01) << row;
  }
}

void ExpectTheSame(const PlatoonRun& a, const PlatoonRun& b) {
  ASSERT_GE(a.record.series.size(), b.record.series.size());
  for (std::size_t i = 0; i < b.record.series.size(); ++i) {
    const auto& left = a.record.series[i].values;
    const auto& right = b.record.series[i].values;
    ASSERT_EQ(left.size(), right.size());
    for (std::size_t j = 0; j < left.size(); ++j) {
      if (std::isnan(left[j]) && std::isnan(right[j])) continue;
      ASSERT_NEAR(left[j], right[j], 1e-12) << a.record.series[i].spec->id << " row " << j;
    }
  }
}

TEST(Platoon, IsTheSameOverUdpOverTcpAndInProcessAndBothEndsLogTheSameExchanges) {
  const ScratchFolder folder;
  const PlatoonRun local("local");
  for (const char* way : {"udp", "nrt"}) {
    const std::string slave_log = folder / "slave.csv";
    const std::string master_log = folder / "master.csv";
    SimulatorProcess simulator(slave_log);
    const PlatoonRun run(way, {{"port", simulator.Port()}, {"exchange-log", master_log}});
    simulator.Stop();
    ExpectTheSame(local, run);
    const std::string log = TextOf(master_log);
    // Names; the start, and once more with what the followers answer to it; and 3000 steps.
    EXPECT_EQ(std::ranges::count(log, '\n'), 2 + 2 * 3002) << way;
    EXPECT_NE(log.find("\noutput,30.000000000,"), std::string::npos);
    EXPECT_TRUE(log == TextOf(slave_log)) << way << ": the logs of master and slave differ";
  }
}

/// What this machine can do meanwhile: two threads that send each other a byte every 10 ms of the clock, as the platoon
/// does with all it exchanges, and the longest that one took from the moment that it was due.
class PaceWitness {
 public:
  PaceWitness() {
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends_.data()) != 0) {
      throw std::runtime_error("expected two connected sockets, found none");
    }
    echo_ = std::thread([this] {
      for (char byte = 0; recv(ends_[1], &byte, 1, 0) == 1;) send(ends_[1], &byte, 1, MSG_NOSIGNAL);
    });
    asker_ = std::thread([this] {
      for (auto due = Clock::now(); !is_over_; due += std::chrono::milliseconds(10)) {
        std::this_thread::sleep_until(due);
        char byte = 0;
        send(ends_[0], &byte, 1, MSG_NOSIGNAL);
        recv(ends_[0], &byte, 1, 0);
        longest_ = std::max(longest_, Clock::now() - due);
      }
      shutdown(ends_[0], SHUT_RDWR);
    });
  }
  PaceWitness(const PaceWitness&) = delete;
  PaceWitness& operator=(const PaceWitness&) = delete;
  ~PaceWitness() {
    End();
    for (const int one : ends_) close(one);
  }
  /// \returns whether each byte was back before half of its step was over
  bool KeptPace() {
    End();
    return longest_ < std::chrono::milliseconds(5);
  }

 private:
  using Clock = std::chrono::steady_clock;
  void End() {
    is_over_ = true;
    if (asker_.joinable()) asker_.join();
    if (echo_.joinable()) echo_.join();
  }
  std::array<int, 2> ends_{};
  std::atomic<bool> is_over_ = false;
  Clock::duration longest_{};
  std::thread echo_;
  std::thread asker_;
};

/// The lines of a log that begin with `way`, without their times.
std::vector<std::string> Exchanged(const std::string& log, const std::string& way) {
  std::vector<std::string> values;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(way + ",", 0) == 0) values.push_back(line.substr(line.find(',', way.size() + 1)));
  }
  return values;
}

/// A run of three seconds in soft real time, and what both ends say of it.
struct RealTimeRun {
  std::string said;  // by the slave
  std::string slave_log;
  std::string master_log;
  double not_kept = 0.0;  // steps, as the master counts them
  bool could_keep = false;
  std::unique_ptr<PlatoonRun> run;

  static constexpr double kSeconds = 3.0;
  static constexpr int kSteps = 300;
  bool IsKept() const { return not_kept == 0.0 && said.find("overruns 0\n") != std::string::npos; }

  RealTimeRun() {
    const ScratchFolder folder;
    SimulatorProcess simulator(folder / "slave.csv");
    PaceWitness witness;
    run = std::make_unique<PlatoonRun>(
        "srt", openmi::Variables{{"port", simulator.Port()}, {"exchange-log", folder / "master.csv"}}, kSeconds,
        std::vector<std::pair<std::string, std::string>>{{"start-delay", "0.3"}},
        std::vector<std::string>{"dcp:overruns", "dcp:held-steps"});
    could_keep = witness.KeptPace();
    said = simulator.Stop();
    slave_log = TextOf(folder / "slave.csv");
    master_log = TextOf(folder / "master.csv");
    not_kept = run->Column("simulator.dcp:overruns").back() + run->Column("simulator.dcp:held-steps").back();
  }
};

// Whatever the clock does to the steps, no end has values that the other never had, and steps that were not kept are
// counted and said.
void ExpectHonest(const RealTimeRun& one) {
  EXPECT_NE(one.said.find("as slave 1 in SRT"), std::string::npos) << one.said;
  EXPECT_GE(one.run->record.wall_seconds, 0.9 * RealTimeRun::kSeconds);
  EXPECT_EQ(std::ranges::count(one.master_log, '\n'), 2 + 2 * (RealTimeRun::kSteps + 2));
  for (const char* way : {"input", "output"}) {
    const bool is_input = std::string(way) == "input";
    const std::vector<std::string> sent = Exchanged(is_input ? one.master_log : one.slave_log, way);
    const std::set<std::string> known(sent.begin(), sent.end());
    std::vector<std::string> taken = Exchanged(is_input ? one.slave_log : one.master_log, way);
    ASSERT_GT(taken.size(), 10U);
    std::size_t strange = 0;
    for (std::size_t i = 1; i < taken.size(); ++i) strange += known.contains(taken[i]) ? 0 : 1;
    EXPECT_EQ(strange, 0U) << way << "s that the other end never had";
  }
  const bool is_said = std::ranges::any_of(one.run->record.problems, [](const openmi::Problem& problem) {
    return openmi::FormatProblem(problem).find("in real time that keeps its pace") != std::string::npos;
  });
  EXPECT_EQ(is_said, one.not_kept > 0.0);
}

// Pace is judged where the machine can keep it: a bare exchange beside the run was back in time each time. Where it was
// and ours was not, that is tried twice more.
TEST(Platoon, KeepsPaceInSoftRealTimeWhereABareExchangeDoes) {
  int failed = 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const RealTimeRun one;
    ExpectHonest(one);
    if (one.IsKept()) {
      // The slave goes on until it is stopped.
      EXPECT_EQ(one.slave_log.substr(0, one.master_log.size()), one.master_log);
      return ExpectTheSame(*one.run, PlatoonRun("local", {}, RealTimeRun::kSeconds));
    }
    if (one.could_keep) ++failed;
  }
  EXPECT_LT(failed, 3) << "three times a bare exchange kept the pace and the platoon did not";
}

// As scripts/run does: the command, then the program that draws.
TEST(Platoon, IsDrawnAsAPictureThatMovesAndStatesWhatCameOut) {
  const ScratchFolder folder;
  const openmi::ChildResult run =
      openmi::RunInChild({OPENMI_BINARY_DIR "/bin/openmi", "run", OPENMI_SOURCE_DIR "/examples/platoon/platoon.xml",
                          "--set", "simulator=local", "--results", folder / "r"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  // One colour a car, in the report and in the picture.
  const std::string report = TextOf(folder / "r/platoon.html");
  for (const auto& [vehicle, colour] : {std::pair{"leader", "l s0"}, {"follower-1", "l s1"}, {"follower-2", "l s2"}}) {
    std::size_t legends = 0;
    const std::string text = fmt::format(">{}</text>", vehicle);
    for (std::size_t at = 0; (at = report.find(text, at)) != std::string::npos; ++at) {
      const std::size_t line = report.rfind("<line class=\"", at);
      const std::string before = report.substr(line, at - line);
      if (before.find("<text") == std::string::npos || before.find('>') + 1 != before.find("<text")) continue;
      EXPECT_NE(before.find(fmt::format("\"{}\"", colour)), std::string::npos) << before;
      ++legends;
    }
    EXPECT_GE(legends, 2U) << vehicle;
  }
  const openmi::ChildResult view = openmi::RunInChild(
      {OPENMI_BINARY_DIR "/examples/platoon/platoon-view", folder / "r/platoon.csv", folder / "platoon.svg"});
  ASSERT_EQ(view.exit_code, 0) << view.err;
  const PlatoonRun same("local");
  for (std::size_t i = 0; i < Simulator::kVehicles; ++i) {
    const std::vector<double> speed = same.Column("instruments.speed", i);
    std::size_t row = speed.size();
    while (row > 0 && speed[row - 1] == 0.0) --row;
    EXPECT_NE(view.out.find(fmt::format("stands after {:.2f} s\n", 0.01 * static_cast<double>(row))), std::string::npos)
        << view.out;
  }
  const std::string picture = TextOf(folder / "platoon.svg");
  EXPECT_EQ(std::ranges::count(picture, '<'), std::ranges::count(picture, '>'));
  std::size_t moves = 0;
  for (std::size_t at = 0; (at = picture.find("type=\"translate\"", at)) != std::string::npos; ++at) ++moves;
  EXPECT_EQ(moves, Simulator::kVehicles + 3) << "each vehicle, and the cursor of each chart";
}

}  // namespace
}  // namespace platoon
