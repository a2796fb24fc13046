// The platoon before the road block: what it does, and that it does the same wherever its simulator runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "examples/platoon/Simulator.hpp"
#include "fmi-bridge/dcp/description/SlaveDescriptionReader.hpp"
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

// Whatever the clock does to the steps, both ends must have the same in the same step; unless the machine was too busy.
TEST(Platoon, KeepsPaceInSoftRealTimeWithTheSameValues) {
  const ScratchFolder folder;
  const std::string slave_log = folder / "slave.csv";
  const std::string master_log = folder / "master.csv";
  SimulatorProcess simulator(slave_log);
  const PlatoonRun run("srt", {{"port", simulator.Port()}, {"exchange-log", master_log}}, 1.0, {{"start-delay", "0.3"}},
                       {"dcp:overruns", "dcp:held-steps"});
  const std::string said = simulator.Stop();
  EXPECT_NE(said.find("as slave 1 in SRT"), std::string::npos) << said;
  EXPECT_GE(run.record.wall_seconds, 0.9);
  if (run.Column("simulator.dcp:overruns").back() > 0.0 || run.Column("simulator.dcp:held-steps").back() > 0.0 ||
      said.find("overruns 0\n") == std::string::npos) {
    GTEST_SKIP() << "this machine did not keep pace: " << said;
  }
  // The slave goes on until it is stopped.
  const std::string log = TextOf(master_log);
  EXPECT_EQ(std::ranges::count(log, '\n'), 2 + 2 * 102);
  EXPECT_EQ(TextOf(slave_log).substr(0, log.size()), log);
  ExpectTheSame(run, PlatoonRun("local", {}, 1.0));
}

// As scripts/run does: the command, then the program that draws.
TEST(Platoon, IsDrawnAsAPictureThatMovesAndStatesWhatCameOut) {
  const ScratchFolder folder;
  const openmi::ChildResult run =
      openmi::RunInChild({OPENMI_BINARY_DIR "/bin/openmi", "run", OPENMI_SOURCE_DIR "/examples/platoon/platoon.xml",
                          "--set", "simulator=local", "--results", folder / "r", "--no-report"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
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
