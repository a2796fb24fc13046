#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "composition/run/RunCheckpoints.hpp"
#include "fmi-bridge/osmp/schema/MessageType.hpp"
#include "fmi-bridge/osmp/trace/McapReader.hpp"
#include "fmi-bridge/osmp/trace/TraceReader.hpp"
#include "fmi-bridge/osmp/values/OsiArguments.hpp"
#include "fmi-bridge/osmp/wire/CommonMessages.hpp"
#include "fmi-bridge/osmp/wire/OsiFields.hpp"
#include "tests/composition/state/StateFixture.hpp"

namespace {

using namespace openmi;
using namespace openmi::osi;
using openmi::testing::ArgumentXml;
using openmi::testing::LinkXml;
using openmi::testing::Made;

/// The mode of the run, and where the components are that give the messages and that take them.
using Setting = std::tuple<RunMode, std::string, std::string>;

/// Components of different steps in one run, in which the faster ones are ahead of who follows them.
class EachMessageOnce : public ::testing::TestWithParam<Setting> {
 protected:
  /// Ground truths each `step` seconds until 3 s, with a car at x = 10 t.
  std::string TraceOf(const std::string& name, double step) const {
    TraceWriter trace((folder_ / name));
    MessageWriter writer;
    for (int i = 0; i * step < 3.0 + 1e-9; ++i) {
      writer.Clear();
      WriteHead(writer, {3, 8, 0}, TimestampOf(i * step));
      osi::MovingObject car{.id = 10, .base = {}, .type = 2};
      car.base.position.a = 10.0 * i * step;
      osi::Write(writer, field::ground_truth::kMovingObject, car);
      trace.Write(writer.Written());
    }
    trace.Close();
    return (folder_ / name);
  }
  static std::string Component(const std::string& id, const std::string& type, const std::string& isolation,
                               const std::string& arguments) {
    return "<Component Id=\"" + id + "\" Type=\"openmi.osi." + type +
           "\" Assembly=\"openmi-osmp-bridge\" Isolation=\"" + isolation + "\">" + arguments + "</Component>\n";
  }
  /// A trace of a step of 0.1 s, and a view of it each second, which takes it ahead.
  std::string Body() const {
    const std::string from = std::get<1>(GetParam());
    return Component("trace", "Trace", from, ArgumentXml("file", TraceOf("fast_gt.osi", 0.1))) +
           Component("view", "Message", from,
                     ArgumentXml("message", "SensorView") + ArgumentXml("fields", "truth=global_ground_truth") +
                         ArgumentXml("time-step", "PT1S")) +
           LinkXml("trace.message", "view.truth");
  }
  std::string Taker(const std::string& id, const std::string& type, const std::string& arguments) const {
    return Component(id, type, std::get<2>(GetParam()), arguments);
  }
  static void Run(const std::string& body, const std::string& triggers) {
    Made made(body + "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-01T00:00:03Z\" Trigger=\"" + triggers + "\"/>");
    ASSERT_EQ(made.Text(), "");
    const RunRecord record = made.Run(std::get<0>(GetParam()));
    EXPECT_TRUE(record.is_complete) << openmi::testing::ErrorsOf(record);
  }
  std::vector<double> TimesIn(const std::string& file) const {
    std::vector<double> times;
    TraceReader reader((folder_ / file));
    while (const auto message = reader.Next()) {
      const Timestamp time = TimeOf(*message, MessageTypeByContent(*message)).value_or(Timestamp{});
      times.push_back(static_cast<double>(NanosOf(time)) / 1e9);
    }
    return times;
  }
  static std::vector<double> Each(double step, int first = 0) {
    std::vector<double> times;
    for (int i = first; i * step < 3.0 + 1e-9; ++i) times.push_back(std::round(i * step * 1e9) / 1e9);
    return times;
  }

  openmi::testing::Folder folder_;
};

TEST_P(EachMessageOnce, AlsoOfAProviderThatIsAhead) {
  Run(Body() + Taker("slow", "Recorder", ArgumentXml("file", (folder_ / "slow_sv.osi"))) +
          Taker("fast", "Recorder", ArgumentXml("file", (folder_ / "again_gt.osi"))) +
          LinkXml("view.message", "slow.message") + LinkXml("trace.message", "fast.message"),
      "slow fast");
  EXPECT_EQ(TimesIn("again_gt.osi"), Each(0.1));
  EXPECT_EQ(TimesIn("slow_sv.osi"), Each(1.0, 1)) << "a view is made in each step, and none before the first";
}

TEST_P(EachMessageOnce, AlsoOfAProviderThatWasAheadWhenTheRunStopped) {
  const std::string body = Body() + Taker("slow", "Recorder", ArgumentXml("file", (folder_ / "slow_sv.osi"))) +
                           Taker("fast", "Recorder", ArgumentXml("file", (folder_ / "again_gt.osi"))) +
                           LinkXml("view.message", "slow.message") + LinkXml("trace.message", "fast.message") +
                           "<Checkpoints Every=\"PT0.3S\"/><Run From=\"2020-01-01T00:00Z\" "
                           "To=\"2020-01-01T00:00:03Z\" Trigger=\"slow fast\"/>";
  RunOptions options = openmi::testing::FilesIn(folder_ / "out");
  options.mode = std::get<0>(GetParam());
  openmi::testing::RunSome(body, options, 15);
  options.resume = true;
  const RunRecord record =
      openmi::testing::RunAll(body, options, [&](Composition& made) { ExpectResume(made, options.folder); });
  EXPECT_TRUE(record.is_complete) << openmi::testing::ErrorsOf(record);
  EXPECT_EQ(TimesIn("again_gt.osi"), Each(0.1));
  EXPECT_EQ(TimesIn("slow_sv.osi"), Each(1.0, 1));
}

TEST_P(EachMessageOnce, OfEachChannel) {
  Run(Body() + Component("other", "Trace", std::get<1>(GetParam()), ArgumentXml("file", TraceOf("b_gt.osi", 0.25))) +
          Taker("all", "Recorder",
                ArgumentXml("file", (folder_ / "all.mcap")) +
                    ArgumentXml("channels", "slow=view fast=truth third=other")) +
          LinkXml("view.message", "all.slow") + LinkXml("trace.message", "all.fast") +
          LinkXml("other.message", "all.third"),
      "all");
  McapReader reader((folder_ / "all.mcap"));
  ASSERT_EQ(reader.Channels().size(), 3u);
  for (const auto& [topic, step] : {std::pair("view", 1.0), std::pair("truth", 0.1), std::pair("other", 0.25)}) {
    const auto channel = std::ranges::find(reader.Channels(), topic, &McapChannel::topic);
    ASSERT_NE(channel, reader.Channels().end());
    std::vector<double> times;
    for (const McapPlace& place : reader.MessagesOf(channel->id))
      times.push_back(static_cast<double>(place.nanos) / 1e9);
    EXPECT_EQ(times, Each(step, topic == std::string("view") ? 1 : 0)) << topic;
  }
}

INSTANTIATE_TEST_SUITE_P(, EachMessageOnce,
                         ::testing::Combine(::testing::Values(RunMode::Pull, RunMode::Step),
                                            ::testing::Values("none", "instance"),
                                            ::testing::Values("none", "instance")));

}  // namespace
