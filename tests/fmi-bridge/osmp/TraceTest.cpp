#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/trace/TraceSummary.hpp"
#include "fmi-bridge/osmp/values/Fields.hpp"
#include "fmi-bridge/osmp/values/Recorder.hpp"
#include "fmi-bridge/osmp/values/Trace.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "timespace/items/NumericOutput.hpp"
#include "timespace/testing/Driver.hpp"

namespace {

using namespace openmi;
using namespace openmi::osi;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class OsiTrace : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("osi-trace-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string File(const std::string& name) const { return (folder_ / name).string(); }
  void WriteBytes(const std::string& name, const std::string& bytes) const {
    std::ofstream(File(name), std::ios::binary) << bytes;
  }

  /// A car and a lorry at x = 10 t, y = 0 and 4, with a house beside the road; the times from 100 s on.
  std::string Overtaking(const std::vector<double>& times) const {
    const std::string file = File("20260101T120000Z_gt_380_3212_5_overtaking.osi");
    TraceWriter trace(file);
    MessageWriter writer;
    for (const double time : times) {
      writer.Clear();
      WriteHead(writer, {3, 8, 0}, TimestampOf(100.0 + time));
      writer.Begin(field::ground_truth::kStationaryObject);
      WriteIdentifier(writer, field::stationary_object::kId, 900);
      Base house;
      house.position = {20.0, 15.0, 0.0};
      house.dimension = {10.0, 8.0, 6.0};
      osi::Write(writer, field::stationary_object::kBase, house);
      writer.End();
      for (std::uint64_t id : {10U, 11U}) {
        osi::MovingObject object;
        object.id = id;
        object.type = 2;
        object.base.dimension = {4.0, 2.0, 1.5};
        object.base.position = {10.0 * time, id == 10 ? 0.0 : 4.0, 0.0};
        object.base.velocity = {10.0, 0.0, 0.0};
        osi::Write(writer, field::ground_truth::kMovingObject, object);
      }
      trace.Write(writer.Written());
    }
    trace.Close();
    return file;
  }
  std::filesystem::path folder_;
};

std::string RefusalOfTrace(const std::string& file) {
  try {
    TraceReader reader(file);
    while (reader.Next()) {
    }
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST_F(OsiTrace, WhatIsWrittenIsReadAgain) {
  const std::string file = Overtaking({0.0, 0.1, 0.2});
  TraceReader reader(file);
  int count = 0;
  while (const auto message = reader.Next()) {
    EXPECT_EQ(TimeOf(*message, "GroundTruth"), TimestampOf(100.0 + 0.1 * count));
    ++count;
  }
  EXPECT_EQ(count, 3);
  EXPECT_EQ(reader.Place(), std::filesystem::file_size(file));
}

TEST_F(OsiTrace, FilesThatAreNoTracesAreRefusedAndNamed) {
  EXPECT_THAT(RefusalOfTrace(File("nowhere.osi")), HasSubstr("nowhere.osi"));
  WriteBytes("empty.osi", "");
  EXPECT_EQ(RefusalOfTrace(File("empty.osi")), "accepted");
  WriteBytes("cut.osi", std::string("\x02\0\0\0ab\x05\0\0\0a", 11));
  EXPECT_THAT(RefusalOfTrace(File("cut.osi")),
              AllOf(HasSubstr("expected 5 bytes of message 2 at byte 6"), HasSubstr("found 1"), HasSubstr("cut off")));
  WriteBytes("half.osi", std::string("\x02\0\0\0ab\x05\0", 8));
  EXPECT_THAT(RefusalOfTrace(File("half.osi")), HasSubstr("length of message 2 at byte 6"));
  WriteBytes("lies.osi", std::string("\0\0\0\x80", 4));
  EXPECT_THAT(RefusalOfTrace(File("lies.osi")), AllOf(HasSubstr("2 GiB"), HasSubstr("announcing 2147483648")));
  WriteBytes("a.mcap", "\x89MCAP0\r\n");
  EXPECT_THAT(RefusalOfTrace(File("a.mcap")), AllOf(HasSubstr("MCAP"), HasSubstr(".mcap")));
  WriteBytes("mcap.osi", "\x89MCAP0\r\n");
  EXPECT_THAT(RefusalOfTrace(File("mcap.osi")), HasSubstr("MCAP"));
  WriteBytes("a.txth", "timestamp { seconds: 1 }");
  EXPECT_THAT(RefusalOfTrace(File("a.txth")), HasSubstr("in text"));
  WriteBytes("text.osi", "# A page\nthat somebody wrote\n");
  EXPECT_THAT(RefusalOfTrace(File("text.osi")), AllOf(HasSubstr("found a text"), Not(HasSubstr("message 1"))));
}

TEST_F(OsiTrace, TheNameOrTheContentSaysTheType) {
  EXPECT_EQ(MessageTypeByName("/a_gt_b/20210818T150542Z_sv_312_3200_100_name.osi"), "SensorView");
  EXPECT_EQ(MessageTypeByName("20210818T150542Z_hvd_312_3200_100_x.osi"), "HostVehicleData");
  EXPECT_EQ(MessageTypeByName("svgt.osi"), "");
  MessageWriter truth;
  WriteHead(truth, {}, {});
  osi::MovingObject object;
  object.id = 1;
  osi::Write(truth, field::ground_truth::kMovingObject, object);
  EXPECT_EQ(MessageTypeByContent(truth.Written()), "GroundTruth");
  MessageWriter view;
  WriteHead(view, {}, {});
  view.Length(field::sensor_view::kGlobalGroundTruth, truth.Written());
  EXPECT_EQ(MessageTypeByContent(view.Written()), "SensorView");
  MessageWriter host;
  osi::Write(host, field::host_vehicle_data::kTimestamp, Timestamp{7, 0});
  EXPECT_EQ(MessageTypeByContent(host.Written()), "HostVehicleData");
  EXPECT_EQ(TimeOf(host.Written(), "HostVehicleData"), (Timestamp{7, 0}));
}

TEST_F(OsiTrace, ASummarySaysWhatItHolds) {
  const TraceSummary summary = Summarize(Overtaking({0.0, 0.1, 0.3}));
  EXPECT_EQ(summary.type, "GroundTruth");
  EXPECT_EQ(summary.messages, 3U);
  EXPECT_EQ(summary.first, (Timestamp{100, 0}));
  EXPECT_EQ(summary.last, (Timestamp{100, 300'000'000}));
  EXPECT_NEAR(summary.shortest_step, 0.1, 1e-12);
  EXPECT_NEAR(summary.longest_step, 0.2, 1e-12);
  EXPECT_EQ(summary.versions.at({3, 8, 0}), 3U);
  ASSERT_EQ(summary.tracks.size(), 2U);
  EXPECT_EQ(summary.tracks.at(11).fastest, 10.0);
  EXPECT_THAT(summary.tracks.at(11).x, ElementsAre(0.0, 1.0, 3.0));
  EXPECT_EQ(summary.outlines.size(), 1U);
  EXPECT_EQ(summary.problem, "");
  const std::string svg = BirdsEyeSvg(summary);
  EXPECT_THAT(svg, AllOf(HasSubstr("<svg"), HasSubstr("<style"), HasSubstr("900"), HasSubstr("</svg>")));
  EXPECT_THROW(Summarize(Overtaking({0.0}), "SensorVew"), ArgumentError);
}

TEST_F(OsiTrace, TheContentIsBelievedAndNotTheName) {
  const std::string named = File("20210818T150542Z_sv_312_3200_3_name.osi");
  std::filesystem::rename(Overtaking({0.0, 0.1}), named);
  const TraceSummary summary = Summarize(named);
  EXPECT_EQ(summary.type, "GroundTruth");
  EXPECT_EQ(summary.named, "SensorView");
  EXPECT_EQ(summary.tracks.size(), 2U) << "the objects are found where a ground truth has them";
  EXPECT_EQ(Summarize(named, "SensorView").type, "SensorView") << "as whoever asks says";
}

// The numbers of a ground truth's road markings and environment are those of a sensor's detections.
TEST_F(OsiTrace, AGroundTruthWithRoadMarkingsIsNoSensorData) {
  constexpr std::uint32_t kRoadMarking = 8, kEnvironmentalConditions = 12, kAmbientIllumination = 1;
  MessageWriter truth;
  WriteHead(truth, {}, Timestamp{7, 0});
  osi::MovingObject object;
  object.id = 1;
  osi::Write(truth, field::ground_truth::kMovingObject, object);
  truth.Begin(kRoadMarking);
  osi::WriteIdentifier(truth, 1, 5);
  osi::Write(truth, 2, osi::Base{.dimension = {1.0, 1.0, 0.0}});
  truth.End();
  truth.Begin(kEnvironmentalConditions);
  truth.Unsigned(kAmbientIllumination, 3);
  truth.End();
  EXPECT_EQ(MessageTypeByContent(truth.Written()), "GroundTruth");
}

TEST_F(OsiTrace, ASummaryKeepsWhatIsBeforeADamage) {
  const std::string file = Overtaking({0.0, 0.1, 0.2});
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 5);
  const TraceSummary summary = Summarize(file);
  EXPECT_EQ(summary.messages, 2U);
  EXPECT_THAT(summary.problem, HasSubstr("message 3"));
  TraceWriter damaged(File("x_gt_y.osi"));
  const std::vector<std::byte> bad = {std::byte{0x0A}, std::byte{0x7F}};
  damaged.Write(bad);
  damaged.Close();
  EXPECT_THAT(Summarize(File("x_gt_y.osi")).problem, AllOf(HasSubstr("message 1"), HasSubstr("announcing 127")));
}

IBaseInput& InputOf(IBaseLinkableComponent& component) {
  return *component.Inputs()[0];
}
IBaseOutput& OutputOf(IBaseLinkableComponent& component) {
  return *component.Outputs()[0];
}

bool AreTheSame(const std::string& a, const std::string& b) {
  TraceReader first(a);
  TraceReader second(b);
  while (const auto expected = first.Next()) {
    const auto found = second.Next();
    if (!found || !std::ranges::equal(*expected, *found)) return false;
  }
  return !second.Next();
}

class PlayedTrace : public OsiTrace {
 protected:
  void Begin(Driver& driver) { driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T00:00:01Z"); }
  Trace trace_;
  Driver driver_{trace_};
};

TEST_F(PlayedTrace, GivesTheMessagesAtTheirTimes) {
  Fields fields;
  Driver fields_driver(fields);
  Begin(driver_);
  Begin(fields_driver);
  driver_.Set("file", Overtaking({0.0, 0.1, 0.3}));
  fields_driver.Set("fields", "x=moving_object[*].base.position.x t=timestamp.nanos").Set("objects", "11");
  driver_.Initialize();
  fields_driver.Initialize();
  OutputOf(trace_).AddConsumer(InputOf(fields));
  driver_.Prepare();
  fields_driver.Prepare();
  std::vector<double> x;
  for (int i = 0; i < 4; ++i) {
    fields_driver.Update();
    x.push_back(dynamic_cast<NumericOutput*>(fields.Outputs()[0])->LastRow()[0]);
  }
  EXPECT_THAT(x, ElementsAre(1.0, 1.0, 3.0, 3.0)) << "at 0.1, 0.2, 0.3, 0.4 s; the last one stays";
}

TEST_F(PlayedTrace, BecomesARowForEachMessageAlsoWhenItIsAhead) {
  Fields fields;
  Driver fields_driver(fields);
  Begin(driver_);
  Begin(fields_driver);
  driver_.Set("file", Overtaking({0.0, 0.1, 0.2, 0.3, 0.4, 0.5}));
  fields_driver.Set("fields", "x=moving_object[*].base.position.x").Set("objects", "11");
  driver_.Initialize();
  fields_driver.Initialize();
  OutputOf(trace_).AddConsumer(InputOf(fields));
  driver_.Prepare();
  fields_driver.Prepare();
  for (int i = 0; i < 5; ++i) driver_.Update();
  for (int i = 1; i <= 5; ++i) {
    fields_driver.Update();
    EXPECT_NEAR(dynamic_cast<NumericOutput*>(fields.Outputs()[0])->LastRow()[0], i, 1e-9);
  }
}

TEST_F(PlayedTrace, FollowsItsOwnStepsAndTheZeroOfTheStampsWhereAskedTo) {
  Begin(driver_);
  driver_.Set("file", Overtaking({-99.8, -99.7})).Set("time-zero", "stamps");
  driver_.Set("steps", "time-step").Set("time-step", "PT0.05S");
  driver_.Initialize();
  driver_.Prepare();
  const auto bytes = [this] {
    return dynamic_cast<const IBytesRows&>(dynamic_cast<ValueOutput&>(OutputOf(trace_)).Values()).BytesAt(0, 0);
  };
  EXPECT_TRUE(bytes().empty());
  for (int i = 0; i < 3; ++i) driver_.Update();
  EXPECT_TRUE(bytes().empty()) << "nothing before 0.2 s";
  driver_.Update();
  EXPECT_EQ(TimeOf(bytes(), "GroundTruth"), TimestampOf(0.2));
  driver_.Update();
  driver_.Update();
  EXPECT_EQ(TimeOf(bytes(), "GroundTruth"), TimestampOf(0.3));
}

TEST_F(PlayedTrace, TracesThatCannotBePlayedAreNamed) {
  const auto refusal = [this](const std::string& file) {
    Trace trace;
    Driver driver(trace);
    Begin(driver);
    driver.Set("file", file);
    try {
      driver.Initialize();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal(Overtaking({0.1, 0.0})), AllOf(HasSubstr("message 2"), HasSubstr("earlier")));
  EXPECT_THAT(refusal(Overtaking({})),
              AllOf(HasSubstr("expected messages, found an empty file"), Not(HasSubstr("message 0"))));
  WriteBytes("none.osi", std::string("\x02\0\0\0\x08\x01", 6));
  EXPECT_THAT(refusal(File("none.osi")), HasSubstr("time stamp"));
  WriteBytes("bad.osi", std::string("\x02\0\0\0\x0A\x7F", 6));
  EXPECT_THAT(refusal(File("bad.osi")), AllOf(HasSubstr("message 1"), HasSubstr("announcing 127")));
  EXPECT_EQ(refusal(Overtaking({0.0, 0.0, 0.1})), "accepted");
}

TEST_F(PlayedTrace, ARecorderWritesTheSameTraceAgain) {
  const std::string file = Overtaking({0.0, 0.1, 0.2, 0.3, 0.4});
  Recorder recorder;
  Driver recorder_driver(recorder);
  Begin(driver_);
  Begin(recorder_driver);
  driver_.Set("file", file);
  recorder_driver.Set("file", File("again.osi"));
  driver_.Initialize();
  recorder_driver.Initialize();
  OutputOf(trace_).AddConsumer(InputOf(recorder));
  driver_.Prepare();
  recorder_driver.Prepare();
  recorder_driver.Update();
  recorder_driver.Update();
  const auto& state = recorder.KeepCurrentState();
  const auto& trace_state = trace_.KeepCurrentState();
  for (int i = 0; i < 3; ++i) recorder_driver.Update();
  trace_.RestoreState(trace_state);
  recorder.RestoreState(state);  // what came behind is written again, not twice
  recorder_driver.UpdateToEnd();
  recorder_driver.Finish();
  EXPECT_TRUE(AreTheSame(file, File("again.osi")));
}

TEST_F(PlayedTrace, MessagesOfAllSizesCrossTheBordersOfProcesses) {
  {
    TraceWriter writer(File("sizes_gt_all.osi"));
    const std::size_t sizes[] = {1, 900, 70'000, 3, 70'001, 1, 8, 200'000, 16, 17, 15, 300'000, 2, 2, 2, 5, 400'000};
    double time = 0.0;
    for (const std::size_t size : sizes) {
      MessageWriter message;
      WriteHead(message, {3, 8, 0}, TimestampOf(time));
      message.Length(1000, std::vector<std::byte>(size, std::byte{static_cast<unsigned char>(size)}));
      writer.Write(message.Written());
      time += 0.1;
    }
    writer.Close();
  }
  for (const char* isolation : {"none", "instance"}) {
    const auto component = [isolation](const std::string& id, const std::string& type, const std::string& file) {
      return "<Component Id=\"" + id + "\" Type=\"openmi.osi." + type +
             "\" Assembly=\"openmi-osmp-bridge\" Isolation=\"" + isolation + "\">" +
             openmi::testing::ArgumentXml("file", file) + "</Component>";
    };
    openmi::testing::Made made(component("trace", "Trace", File("sizes_gt_all.osi")) +
                               component("recorder", "Recorder", File("again.osi")) +
                               openmi::testing::LinkXml("trace.message", "recorder.message") +
                               "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-01T00:00:02Z\"/>");
    ASSERT_EQ(made.Text(), "");
    EXPECT_TRUE(made.Run().is_complete);
    EXPECT_TRUE(AreTheSame(File("sizes_gt_all.osi"), File("again.osi"))) << isolation;
  }
}

}  // namespace
