#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/run/BusFrames.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/run/ComponentRun.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::fmi {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string FileText(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string FramesOf(const std::vector<unsigned char>& operations) {
  const ScratchFolder folder;
  const std::string path = folder / "can.log";
  BusFrames(path).Take(Stamp{40587.0} + Seconds(1436509052.249713), "a.Can 1", std::as_bytes(std::span(operations)));
  return FileText(path);
}

// Two nodes, linked both ways; `sends` is updated with its own step, and `receives` asks it.
class Nodes {
 public:
  Nodes(double period, double step, const std::string& log = {}) : one_(3, "CanNode", 2.0), two_(3, "CanNode", 2.0) {
    for (ComponentRun* node : {&one_, &two_}) {
      node->driver.Set("time-step", fmt::format("PT{}S", step))
          .Set("period", fmt::format("{}", node == &one_ ? period : 100.0));
      if (!log.empty() && node == &one_) node->driver.Set("bus-frames", log);
      node->driver.Initialize();
    }
    for (const char* part : {"Data", "Clock"}) {
      const std::string out = std::string("Can.Tx_") + part;
      const std::string in = std::string("Can.Rx_") + part;
      one_.Output(out).AddConsumer(two_.Input(in));
      ends_.emplace_back(&one_.Output(out), &two_.Input(in));
    }
    for (ComponentRun* node : {&one_, &two_}) {
      EXPECT_TRUE(node->driver.Validate());
      node->driver.Prepare();
    }
    while (two_.fmu.Status() == LinkableComponentStatus::Updated) two_.driver.Update();
  }
  ~Nodes() {
    for (auto& [output, input] : ends_) output->RemoveConsumer(*input);
  }
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;

  double Sent() { return one_.Number("sent"); }
  double Received() { return two_.Number("frames"); }
  double Sum() { return two_.Number("sum"); }

 private:
  ComponentRun one_;
  ComponentRun two_;
  std::vector<std::pair<IBaseOutput*, IBaseInput*>> ends_;
};

TEST(Bus, EachFrameArrivesOnceHoweverManyAreSentInAStep) {
  for (const double period : {0.3, 0.1, 0.04, 0.03}) {
    Nodes nodes(period, 0.1);
    SCOPED_TRACE(period);
    EXPECT_GE(nodes.Sent(), std::floor(2.0 / period) - 1.0);
    EXPECT_EQ(nodes.Received(), nodes.Sent());
    EXPECT_EQ(nodes.Sum(), nodes.Sent() * (nodes.Sent() + 1.0) / 2.0);
  }
}

TEST(Bus, FramesAreRecordedAsCandumpWritesThem) {
  const ScratchFolder folder;
  const std::string path = folder / "can.log";
  { const Nodes nodes(0.5, 0.25, path); }
  EXPECT_EQ(FileText(path),
            "(1577836800.500000) x.Can 001#01\n(1577836801.000000) x.Can 001#02\n(1577836801.500000) x.Can 001#03\n"
            "(1577836802.000000) x.Can 001#04\n");
}

TEST(Bus, FramesAreRecordedWithTheTimesOfTheirTicks) {
  const ScratchFolder folder;
  const std::string path = folder / "can.log";
  { const Nodes nodes(0.3, 0.5, path); }
  EXPECT_EQ(FileText(path),
            "(1577836800.300000) x.Can 001#01\n(1577836800.600000) x.Can 001#02\n(1577836800.900000) x.Can 001#03\n"
            "(1577836801.200000) x.Can 001#04\n(1577836801.500000) x.Can 001#05\n(1577836801.800000) x.Can 001#06\n");
}

TEST(Bus, FramesSentAtTheStartOfAStepAreOfThatStep) {
  const ScratchFolder folder;
  const std::string path = folder / "can.log";
  const std::vector<unsigned char> frame{0x10, 0, 0, 0, 17, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 7};
  const auto take = [&frame](BusFrames& frames, double second) {
    frames.Take(Stamp{40587.0} + Seconds(second), "a", std::as_bytes(std::span(frame)));
  };
  const auto start = [](BusFrames& frames, double second) { frames.StartStep(Stamp{40587.0} + Seconds(second)); };
  {
    BusFrames frames(path);
    start(frames, 0.0);
    take(frames, 1.0);  // at the end of the step
    start(frames, 1.0);
    take(frames, 1.0);  // in answer to what arrived
    take(frames, 1.5);
    start(frames, 2.0);
  }
  constexpr char kAll[] = "(0000000001.000000) a 001#07\n(0000000001.000001) a 001#07\n(0000000001.500000) a 001#07\n";
  EXPECT_EQ(FileText(path), kAll);
  BusFrames resumed(path);
  resumed.Drop();
  start(resumed, 1.0);
  EXPECT_EQ(FileText(path), "(0000000001.000000) a 001#07\n");
  take(resumed, 1.0);
  take(resumed, 1.5);
  resumed.Keep();
  EXPECT_EQ(FileText(path), kAll);
}

TEST(Bus, FramesOfAStepThatIsTakenBackAreNotWritten) {
  const ScratchFolder folder;
  const std::string path = folder / "can.log";
  const std::vector<unsigned char> frame{0x10, 0, 0, 0, 17, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 7};
  const auto take = [&frame](BusFrames& frames, double second) {
    frames.Take(Stamp{40587.0} + Seconds(second), "a", std::as_bytes(std::span(frame)));
  };
  {
    BusFrames frames(path);
    take(frames, 1.0);
    frames.Drop();  // an iterated loop
    take(frames, 1.0);
    frames.Keep();  // a checkpoint
    frames.StartStep(Stamp{40587.0} + Seconds(1.0));
    take(frames, 2.0);
    frames.StartStep(Stamp{40587.0} + Seconds(2.0));
    take(frames, 3.0);
  }
  EXPECT_EQ(FileText(path),
            "(0000000001.000000) a 001#07\n(0000000002.000000) a 001#07\n(0000000003.000000) a 001#07\n");
  BusFrames resumed(path);
  resumed.Drop();
  resumed.StartStep(Stamp{40587.0} + Seconds(1.0));
  EXPECT_EQ(FileText(path), "(0000000001.000000) a 001#07\n");
  take(resumed, 2.0);
  resumed.Keep();
  EXPECT_EQ(FileText(path), "(0000000001.000000) a 001#07\n(0000000002.000000) a 001#07\n");
}

TEST(Bus, FramesOfAllKindsAreWritten) {
  EXPECT_EQ(FramesOf({0x10, 0, 0, 0, 18, 0, 0, 0, 0xA3, 1, 0, 0, 0, 0, 2, 0, 0xDE, 0xAD}),
            "(1436509052.249713) a.Can_1 1A3#DEAD\n");
  EXPECT_EQ(FramesOf({0x10, 0, 0, 0, 16, 0, 0, 0, 0xF0, 0xDE, 0xBC, 0x1A, 1, 1, 0, 0}),
            "(1436509052.249713) a.Can_1 1ABCDEF0#R\n")
      << "extended, and a request";
  EXPECT_EQ(FramesOf({0x11, 0, 0, 0, 18, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 7}),
            "(1436509052.249713) a.Can_1 001##307\n")
      << "CAN FD with a switched rate and an error state";
  EXPECT_EQ(FramesOf({0x20, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0}), "") << "a confirmation is no frame";
}

TEST(Bus, DamagedOperationsAreErrors) {
  for (const std::vector<unsigned char>& bytes :
       std::vector<std::vector<unsigned char>>{{0x10},
                                               {0x10, 0, 0, 0, 3, 0, 0, 0},
                                               {0x10, 0, 0, 0, 0, 0, 0, 0},
                                               {0x10, 0, 0, 0, 17, 0, 0, 0, 1},
                                               {0x10, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0},
                                               {0x10, 0, 0, 0, 10, 0, 0, 0, 1, 0},
                                               {0x10, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0, 9, 0},
                                               {0x11, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}}) {
    EXPECT_THAT([&] { FramesOf(bytes); }, ThrowsMessage<FormatError>(HasSubstr("bus operation")));
  }
}

}  // namespace
}  // namespace openmi::fmi
