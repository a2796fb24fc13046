#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <random>
#include <sstream>

#include "fmi-bridge/broker/component/Stream.hpp"
#include "fmi-bridge/broker/recording/RecordedSource.hpp"
#include "fmi-bridge/broker/recording/RecordingSink.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tests/fmi-bridge/broker/CaseTable.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/testing/Driver.hpp"

namespace openmi::broker {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Lines(const std::vector<std::string>& bodies) {
  std::string lines;
  for (const std::string& body : bodies) lines += body + "\n";
  return lines;
}

TEST(WallTime, ReadsWhatItWrites) {
  for (const char* text : {"2019-01-04T16:41:24Z", "2019-01-04T16:41:24.1Z", "1969-12-31T23:59:59.999999999Z",
                           "1700-02-28T00:00:00Z", "2261-12-31T23:59:59Z"}) {
    ASSERT_TRUE(ParseWallTime(text)) << text;
    EXPECT_EQ(FormatWallTime(*ParseWallTime(text)), text);
  }
  EXPECT_EQ(ParseWallTime("1970-01-01T01:00:00.000000001+01:00"), 1);
  EXPECT_EQ(ParseWallTime("1970-01-01T00:00", 60), -3600 * kNanosPerSecond);
}

TEST(WallTime, RefusesWhatIsNone) {
  for (const char* text : {"",
                           "2019",
                           "2019-01-04",
                           "2019-01-04T16",
                           "2019-01-04T16:41:24",
                           "2019-13-04T16:41:24Z",
                           "2019-02-29T16:41:24Z",
                           "2019-01-04T25:00:00Z",
                           "2019-01-04T24:00:01Z",
                           "2019-01-04T16:60:24Z",
                           "2019-01-04T16:41:61Z",
                           "2019-01-04T16:41:24.Z",
                           "2019-01-04T16:41:24.1",
                           "2019-01-04T16:41:24+2",
                           "2019-01-04T16:41:24+24:00",
                           "2019-01-04T16:41:24ZZ",
                           "1500-01-01T00:00:00Z",
                           "2300-01-01T00:00:00Z",
                           "2019-1-04T16:41:24Z",
                           "+2019-01-04T16:41:24Z",
                           "2019-01-04T16:41:24+02:0"}) {
    EXPECT_FALSE(ParseWallTime(text)) << text;
  }
}

TEST(WallTime, GoesThroughStamps) {
  const Nanos time = *ParseWallTime("2019-01-04T16:41:24.123456Z");
  EXPECT_EQ(NanosOf(StampOf(time)), time);
  EXPECT_EQ(NanosOf(Days{0.1 / 86400.0}), 100'000'000);
}

TEST(Fields, AreRead) {
  const std::vector<Field> fields = ParseFields("level[m], pose.x = x [m s-1], \"axes[0]\"=y:integer, on:boolean");
  ASSERT_EQ(fields.size(), 4U);
  EXPECT_EQ(fields[0].unit, "m");
  EXPECT_EQ(fields[1].source, "pose.x");
  EXPECT_EQ(fields[1].name, "x");
  EXPECT_EQ(fields[1].unit, "m s-1");
  EXPECT_EQ(fields[2].source, "axes[0]");
  EXPECT_EQ(fields[2].type, FieldType::Integer);
  EXPECT_EQ(fields[3].type, FieldType::Boolean);
  EXPECT_TRUE(ParseFields("").empty());
}

TEST(Fields, AreRefusedWithTheirPlace) {
  for (const char* text : {"a,,b", "a:float", "a[m", "\"a", "a,a", "x=a,y=a", "=a", "a=", "a[m] b"}) {
    EXPECT_THROW(ParseFields(text), FormatError) << text;
  }
  try {
    ParseFields("a, b:float");
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected real, integer, boolean or string in place of 'float' at place 11"));
  }
}

TEST(Recording, IsOnTheDiskAfterASync) {
  const ScratchFolder folder;
  RecordingWriter writer(folder.Path() / "r.jsonl", true);
  writer.Append({.received = 0, .id = "1", .body = R"({"a":1})"});
  EXPECT_EQ(writer.SyncedSize(), 0U);
  writer.Flush();
  EXPECT_EQ(writer.SyncedSize(), 0U);
  writer.Sync();
  EXPECT_EQ(writer.SyncedSize(), writer.Size());
  EXPECT_EQ(std::filesystem::file_size(folder.Path() / "r.jsonl"), writer.Size());
}

TEST(Recording, KeepsBodiesAsTheyCame) {
  const ScratchFolder folder;
  const std::vector<std::string> bodies = {R"({"time":"x","a":1})", "{\n}", "", std::string("\0\xff{", 3), "[1]"};
  const std::vector<std::string> ids = {"7", "", "with \"quotes\"", "hex:00", "é"};
  {
    RecordingWriter writer(folder / "r.jsonl", false);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      writer.Append({.received = static_cast<Nanos>(i), .id = ids[i], .body = bodies[i]});
    }
  }
  RecordedSource source(folder / "r.jsonl");
  source.Open();
  Delivery delivery;
  StreamCounts counts;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ASSERT_EQ(source.Take(delivery, {}, counts), Taken::Message);
    EXPECT_EQ(delivery.body, bodies[i]);
    EXPECT_EQ(delivery.id, ids[i]);
    EXPECT_EQ(source.Received(), static_cast<Nanos>(i));
  }
  EXPECT_EQ(source.Take(delivery, {}, counts), Taken::End);
}

TEST(Recording, ALineThatWasNotFinishedIsCutOff) {
  const ScratchFolder folder;
  const std::string file = folder.Write("r.jsonl", "{\"a\":1}\n{\"a\":2");
  {
    RecordingWriter writer(file, true);
    writer.Append({.received = 0, .id = {}, .body = "{}"});
    EXPECT_EQ(writer.Size(), std::filesystem::file_size(file) + 46);
  }
  EXPECT_EQ(folder.Read("r.jsonl"), "{\"a\":1}\n{\"received\":\"1970-01-01T00:00:00Z\",\"body\":{}}\n");
}

TEST(Recording, LongLinesArePassedOverInBoundedMemory) {
  const ScratchFolder folder;
  const std::string file = folder.Write("r.jsonl", "{}\n" + std::string(3'000'000, 'x') + "\r\n\n{\"a\":1}\r\n");
  RecordedSource source(file, 1000);
  source.Open();
  Delivery delivery;
  StreamCounts counts;
  source.Take(delivery, {}, counts);
  ASSERT_EQ(source.Take(delivery, {}, counts), Taken::Message);
  EXPECT_TRUE(delivery.is_oversized);
  EXPECT_EQ(delivery.size, 3'000'001U);
  const std::uint64_t position = source.Position();
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(source.Take(delivery, {}, counts), Taken::Message);
    EXPECT_EQ(delivery.body, "{\"a\":1}");
    EXPECT_EQ(source.Take(delivery, {}, counts), Taken::End);
    source.ReturnTo(position);
  }
}

class TableOfCases : public ::testing::TestWithParam<Case> {};

TEST_P(TableOfCases, AreSeenInARecording) {
  const ScratchFolder folder;
  const std::string file = folder.Write("stream.jsonl", Lines(GetParam().bodies));
  EXPECT_EQ(RunCase(GetParam(), {{"recording", file}}), GetParam().seen);
}

INSTANTIATE_TEST_SUITE_P(Broker, TableOfCases, ::testing::ValuesIn(ReadCases()), [](const auto& one) {
  std::string name;
  for (const char c : one.param.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name + std::to_string(one.index);
});

TEST(TableOfCasesItself, HasFortyRows) {
  EXPECT_GE(ReadCases().size(), 41U);
}

/// A stream with gaps, late messages and jumps.
std::vector<std::string> WildStream(int count) {
  std::mt19937 random(7);
  std::vector<std::string> bodies;
  for (int i = 0; i < count; ++i) {
    const double jitter = static_cast<double>(random() % 1000) / 500.0;
    bodies.push_back(BodyOf(fmt::format("{} {}={}", i * 0.25 + (i == 0 ? 0.0 : jitter), i % 3 == 0 ? "b" : "a", i)));
  }
  return bodies;
}

/// A message of a random stream: one field, a stamp in tenths of a second.
struct Draw {
  int tenth = 0;
  int field = 0;  // 0: a, 1: b
  int value = 0;
};

/// Out of order, with stamps that are the same and that lie on the grid of steps, and with gaps.
std::vector<Draw> RandomStream(unsigned seed, int count) {
  std::mt19937 random(seed);
  const auto below = [&random](unsigned most) { return static_cast<int>(random() % most); };
  const int spread = 1 + below(25);    // tenths, of the disorder
  const int grain = below(2) ? 1 : 5;  // with 5 each second stamp is the end of a step
  std::vector<Draw> stream{{0, 0, 0}};
  int clock = 0;
  for (int i = 1; i < count; ++i) {
    if (below(3) == 0) clock += below(20) == 0 ? 60 : below(12);
    const int tenth = (clock + below(static_cast<unsigned>(spread))) / grain * grain;
    stream.push_back({tenth, below(2), i});
  }
  return stream;
}

/// What the document says of fields a and b after each of `steps` steps of a second, written down without a stepper.
///
/// A step to t reads until a message at or past t has been read. Of what was read, values of the same interval
/// ]t - h, t] override each other in the order received, and those of a later interval override earlier ones; what is
/// older than the end of the step before it was read is ignored. Source: INTO-CPS External Data Broker FMU 0.01,
/// chapters 2 and 3. The equal sign at that end (a message at exactly t that is read later) is this project's reading:
/// of equal stamps the last one received wins.
std::vector<std::array<double, 2>> ByTheDocument(const std::vector<Draw>& stream, int steps) {
  std::vector<int> read_in(stream.size(), steps + 1);  // the step that a message is read in
  std::size_t read = 1;
  read_in[0] = 0;
  for (int step = 1; step <= steps; ++step) {
    const auto ends = [step](const Draw& one) { return one.tenth >= 10 * step; };
    const auto end = std::find_if(stream.begin(), stream.end(), ends);
    const auto needed = static_cast<std::size_t>(end - stream.begin()) + (end == stream.end() ? 0 : 1);
    for (; read < needed; ++read) read_in[read] = step;
  }
  std::vector<std::array<double, 2>> seen;
  for (int step = 0; step <= steps; ++step) {
    std::array<double, 2> row{std::nan(""), std::nan("")};
    std::array<int, 2> interval{-1, -1};
    for (std::size_t i = 0; i < stream.size(); ++i) {
      const Draw& one = stream[i];
      const auto field = static_cast<std::size_t>(one.field);
      const int of = (one.tenth + 9) / 10;  // the interval ]of - 1, of]
      if (read_in[i] > step || of > step) continue;
      if (one.tenth < 10 * (read_in[i] - 1) || of < interval[field]) continue;
      interval[field] = of;
      row[field] = one.value;
    }
    seen.push_back(row);
  }
  return seen;
}

TEST(StreamComponent, ShowsWhatTheDocumentSaysOfRandomStreams) {
  constexpr int kSteps = 30;
  int on_the_grid = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::vector<Draw> stream = RandomStream(seed, 250);
    for (std::size_t i = 1; i < stream.size(); ++i) {
      on_the_grid += stream[i].tenth % 10 == 0 && stream[i].tenth == stream[i - 1].tenth ? 1 : 0;
    }
    stream.push_back({10 * kSteps, 0, 1000});  // so that every step meets its end
    std::string lines;
    for (const Draw& one : stream) {
      lines += BodyOf(fmt::format("{} {}={}", one.tenth / 10.0, one.field == 0 ? "a" : "b", one.value)) + "\n";
    }
    const ScratchFolder folder;
    Stream component;
    Driver driver(component);
    driver.Set("start-time", TimeAt(0)).Set("end-time", TimeAt(kSteps)).Set("time-step", "PT1S");
    driver.Set("fields", "a, b").Set("recording", folder.Write("stream.jsonl", lines)).Set("time-zero", "own");
    driver.Initialize();
    driver.Prepare();
    const auto expected = ByTheDocument(stream, kSteps);
    for (int step = 0; step <= kSteps; ++step) {
      if (step > 0) driver.Update();
      for (std::size_t field = 0; field < 2; ++field) {
        const double right = expected[static_cast<std::size_t>(step)][field];
        ASSERT_EQ(Shown(*component.Outputs()[field]), std::isnan(right) ? "-" : fmt::format("{:.0f}", right))
            << "seed " << seed << ", step " << step << ", field " << field;
      }
    }
    driver.Finish();
  }
  EXPECT_GT(on_the_grid, 100);
}

void Set(Driver& driver, const std::string& file) {
  driver.Set("start-time", TimeAt(0)).Set("end-time", TimeAt(40)).Set("time-step", "PT0.5S");
  driver.Set("fields", "a, b, s:string").Set("recording", file).Set("on-timeout", "hold").Set("look-ahead", "3");
}

std::string ShownOf(Stream& stream) {
  std::string shown;
  for (IBaseOutput* output : stream.Outputs()) shown += Shown(*output) + " ";
  return shown;
}

TEST(StreamComponent, GoesOnFromAKeptState) {
  const ScratchFolder folder;
  const std::string file = folder.Write("stream.jsonl", Lines(WildStream(200)));
  Stream stream;
  Driver driver(stream);
  Set(driver, file);
  driver.Initialize();
  driver.Prepare();
  for (int i = 0; i < 11; ++i) driver.Update();
  const std::string here = ShownOf(stream);
  const Bytes bytes = stream.ConvertToByteArray(stream.KeepCurrentState());
  std::vector<std::string> expected;
  for (int i = 0; i < 40; ++i) {
    driver.Update();
    expected.push_back(ShownOf(stream));
  }
  const StreamCounts counts = stream.Counts();

  Stream other;
  Driver second(other);
  Set(second, file);
  second.Initialize();
  second.Prepare();
  other.RestoreState(other.ConvertFromByteArray(bytes));
  EXPECT_EQ(ShownOf(other), here);
  std::vector<std::string> found;
  for (int i = 0; i < 40; ++i) {
    second.Update();
    found.push_back(ShownOf(other));
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(other.Counts(), counts);
  driver.Finish();
  second.Finish();
}

TEST(StreamComponent, StreamsShareTimeZero) {
  const ScratchFolder folder;
  Stream first;
  Stream second;
  Stream alone;
  const std::vector<Stream*> streams = {&first, &second, &alone};
  const std::vector<std::string> bodies = {Lines({BodyOf("10 a=1"), BodyOf("11 a=2")}),
                                           Lines({BodyOf("9 a=5"), BodyOf("10.5 a=6"), BodyOf("12 a=7")}),
                                           Lines({BodyOf("9 a=5"), BodyOf("10.5 a=6"), BodyOf("12 a=7")})};
  for (std::size_t i = 0; i < streams.size(); ++i) {
    Driver driver(*streams[i]);
    driver.Set("start-time", TimeAt(0)).Set("fields", "a");
    driver.Set("recording", folder.Write(fmt::format("{}.jsonl", i), bodies[i]));
    if (i == 2) driver.Set("time-zero", "own");
    driver.Initialize();
    driver.Prepare();
  }
  EXPECT_EQ(ShownOf(first) + ShownOf(second) + ShownOf(alone), "1 - 5 ");
  for (Stream* stream : streams) stream->Update({});
  EXPECT_EQ(ShownOf(first) + ShownOf(second) + ShownOf(alone), "2 6 5 ");
  for (Stream* stream : streams) stream->Finish();
}

TEST(StreamComponent, SaysWhatItWaitedFor) {
  const ScratchFolder folder;
  Stream stream;
  stream.SetCaption("robot");
  Driver driver(stream);
  driver.Set("start-time", TimeAt(0)).Set("fields", "a").Set("time-step", "PT1S");
  driver.Set("recording", folder.Write("r.jsonl", Lines({BodyOf("0 a=1"), "{", BodyOf("0.5 a=2")})));
  driver.Initialize();
  driver.Prepare();
  try {
    driver.Update();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected a message at or past 2019-01-04T16:41:25Z (1 s of simulation time), "
                                        "found the end of the recording; so far: 3 taken, 2 applied, 1 malformed"));
    EXPECT_THAT(error.what(), HasSubstr("robot"));
    EXPECT_THAT(error.Remedy(), HasSubstr("on-timeout"));
  }
}

TEST(StreamComponent, TellsAtTheEndWhatNeverCame) {
  const ScratchFolder folder;
  Stream stream;
  Driver driver(stream);
  driver.Set("start-time", TimeAt(0)).Set("fields", "a, batery, s:string, gone").Set("time-step", "PT1S");
  driver.Set("recording", folder.Write("r.jsonl", Lines({BodyOf("0 a=1 battery=0.5 s=7"), BodyOf("1 a=2 x=1")})));
  driver.Initialize();
  EXPECT_TRUE(stream.Remarks().empty());
  driver.Prepare();
  driver.Update();
  const Problems remarks = stream.Remarks();
  ASSERT_EQ(remarks.size(), 3U);
  EXPECT_EQ(remarks[0].severity, Problem::Warning);
  EXPECT_EQ(remarks[0].where.item, "fields");
  EXPECT_THAT(remarks[0].problem, HasSubstr("'batery' for output 'batery', found none in 2 messages; what came and is "
                                            "no field: battery, x"));
  EXPECT_EQ(remarks[0].remedy, "did you mean 'battery'?");
  EXPECT_THAT(remarks[1].problem, HasSubstr("'s' for output 's', found none in 2 messages but a number where string"));
  EXPECT_THAT(remarks[2].problem, HasSubstr("'gone'"));
  EXPECT_THAT(remarks[2].remedy, HasSubstr("correct the name"));
  driver.Finish();
}

// What a message holds may be no text at all.
TEST(StreamComponent, ItsLogIsAlwaysUtf8) {
  const ScratchFolder folder;
  Stream stream;
  Driver driver(stream);
  driver.Set("start-time", TimeAt(0)).Set("time-step", "PT1S").Set("fields", "a").Set("time-zero", "own");
  driver.Set("recording",
             folder.Write("stream.jsonl", Lines({BodyOf("0 a=1"), "{\"time\":\"yester\xff\xfe day\",\"a\":1}",
                                                 "{\"\xffx\":1}", BodyOf("1 a=2")})));
  driver.Set("log-file", folder / "log.txt");
  driver.Initialize();
  driver.Prepare();
  driver.Update();
  driver.Finish();
  std::ostringstream text;
  text << std::ifstream(folder / "log.txt").rdbuf();
  EXPECT_GT(text.str().size(), 100U);
  EXPECT_EQ(FindInvalidUtf8(text.str()), std::string::npos) << text.str();
}

// Each run starts its log anew, for all its streams; one that goes on from a state goes on in the log too.
TEST(StreamComponent, ItsLogBeginsAnewUnlessTheRunGoesOn) {
  const ScratchFolder folder;
  const std::string recording = folder.Write("stream.jsonl", Lines({BodyOf("0 a=1"), "no JSON", BodyOf("9 a=2")}));
  const std::string path = folder.Write("log.txt", "of an earlier run\n");
  const auto count = [&path](const std::string& word) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    int found = 0;
    for (std::size_t at = 0; (at = text.str().find(word, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  std::vector<std::byte> kept;
  for (const bool goes_on : {false, true}) {
    Stream one, other;
    std::deque<Driver> drivers;
    for (Stream* stream : {&one, &other}) {
      Driver& driver = drivers.emplace_back(*stream);
      driver.Set("start-time", TimeAt(0)).Set("time-step", "PT1S").Set("fields", "a").Set("time-zero", "own");
      driver.Set("recording", recording).Set("log-file", path);
      driver.Initialize();
      driver.Prepare();
    }
    if (goes_on) {
      for (Stream* stream : {&one, &other}) stream->RestoreState(stream->ConvertFromByteArray(kept));
    }
    EXPECT_EQ(count("time zero is"), goes_on ? 4 : 2) << "at once";
    for (Driver& driver : drivers) driver.Update();
    if (!goes_on) {
      const IIdentifiable& id = one.KeepCurrentState();
      kept = one.ConvertToByteArray(id);
    }
    for (Driver& driver : drivers) driver.Finish();
    EXPECT_EQ(count("of an earlier run"), 0);
    EXPECT_EQ(count("time zero is"), goes_on ? 4 : 2);
  }
}

TEST(StreamComponent, NamesTheFirstDozenOfOtherMembers) {
  const MessageParser none({});
  EXPECT_TRUE(none.OtherMembers().empty());
  MessageParser parser(ParseFields("a"));
  Message message;
  StreamCounts counts;
  parser.Parse(R"({"time":"2019-01-04T16:41:24Z","q":[1,2,3],"p":{"x":1},"internal_status":1})", message, counts);
  EXPECT_THAT(parser.OtherMembers(), ElementsAre("q[0]", "p.x"));
  for (int i = 0; i < 20; ++i) {
    parser.Parse(fmt::format(R"({{"time":"2019-01-04T16:41:24Z","m{}":1}})", i), message, counts);
  }
  EXPECT_EQ(parser.OtherMembers().size(), 12U);
  EXPECT_TRUE(parser.HasMoreOthers());
}

TEST(StreamComponent, RefusesArgumentsThatMakeNoSense) {
  const auto fails = [](const Settings& settings) {
    Stream stream;
    Driver driver(stream);
    driver.Set("start-time", TimeAt(0));
    for (const auto& [key, value] : settings) driver.Set(key, value);
    try {
      driver.Initialize();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  EXPECT_THAT(fails({{"recording", "x"}, {"fields", "a[blarg]"}}),
              AllOf(HasSubstr("fields: 'a': "), HasSubstr("expected a unit, found 'blarg'")));
  EXPECT_THAT(fails({{"recording", "x"}, {"fields", "a,,b"}}), HasSubstr("at place 3 of the fields, found a comma"));
  EXPECT_THAT(
      fails({{"recording", "nowhere.jsonl"}, {"fields", "a"}}),
      AllOf(HasSubstr("nowhere.jsonl"), HasSubstr("expected a recording, found no file"), HasSubstr("correct")));
  EXPECT_THAT(fails({{"recording", "/"}, {"fields", "a"}}), HasSubstr("expected a recording, found a folder"));
  EXPECT_THAT(fails({{"fields", "a"}}), HasSubstr("expected a recording, a queue, or an exchange"));
  EXPECT_THAT(fails({{"recording", "x"}}), HasSubstr("expected fields"));
  EXPECT_THAT(fails({{"recording", "x"}, {"fields", "a:b"}}), HasSubstr("real, integer"));
  EXPECT_THAT(fails({{"recording", "x"}, {"fields", "a"}, {"utc-offset", "one"}}), HasSubstr("expected a zone"));
  EXPECT_THAT(fails({{"source", "recording"}, {"fields", "a"}}), HasSubstr("expected a recording, found none"));
  EXPECT_THAT(fails({{"queue", "q"}, {"fields", "a"}, {"publish", "x"}}), HasSubstr("publish-routing-key"));
}

TEST(StreamComponent, PublishesWhatChanged) {
  const ScratchFolder folder;
  Stream stream;
  stream.SetCaption("robot");
  Driver driver(stream);
  driver.Set("start-time", TimeAt(0)).Set("end-time", TimeAt(3)).Set("fields", "a").Set("time-step", "PT1S");
  driver.Set("recording", folder.Write("r.jsonl", Lines({BodyOf("0 a=1"), BodyOf("5 a=2")})));
  driver.Set("publish", "gate opening=u[m], v").Set("publish-file", folder / "out.jsonl");
  driver.Run();
  EXPECT_EQ(folder.Read("out.jsonl"),
            "{\"received\":\"2019-01-04T16:41:25Z\",\"id\":\"robot@2019-01-04T16:41:25Z\",\"body\":"
            "{\"gate opening\":null,\"v\":null,\"time\":\"2019-01-04T16:41:25Z\",\"simstep\":\"1000.000000\"}}\n");
}

TEST(RobotExample, ItsRecordingIsMadeByItsProgram) {
  const ScratchFolder folder;
  const std::string made = folder / "robot.jsonl";
  ASSERT_EQ(std::system(
                fmt::format("'{}/examples/line-following-robot/record_robot' > '{}'", OPENMI_BINARY_DIR, made).c_str()),
            0);
  std::ostringstream kept;
  kept << std::ifstream(OPENMI_SOURCE_DIR "/examples/line-following-robot/robot.jsonl").rdbuf();
  EXPECT_TRUE(folder.Read("robot.jsonl") == kept.str());
}

TEST(RobotExample, RunsFromItsRecordingUnlessToldOtherwise) {
  const ScratchFolder folder;
  const auto run = [&folder](const std::string& more) {
    return std::system(fmt::format("'{0}/bin/openmi' run '{1}/examples/line-following-robot/line-following-robot.xml' "
                                   "--results '{2}' {3} > '{2}/out' 2>&1",
                                   OPENMI_BINARY_DIR, OPENMI_SOURCE_DIR, folder.Path().string(), more)
                           .c_str());
  };
  ASSERT_EQ(run(""), 0) << folder.Read("out");
  const std::string table = folder.Read("line-following-robot.csv");
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = table.find("\n2019-01-04T15:41:", at)) != std::string::npos; ++at) ++rows;
  EXPECT_EQ(rows, 591U);  // 590 steps and the begin
  EXPECT_NE(run("--set source=broker --set port=1 --overwrite"), 0);
  EXPECT_THAT(folder.Read("out"), HasSubstr("expected a broker, found none"));
}

TEST(StreamComponent, ASecretIsNeverShown) {
  Stream stream;
  for (IArgument* argument : stream.Arguments()) {
    EXPECT_EQ(IsSecret(*argument), argument->Id() == "password") << argument->Id();
  }
}

// Said before the run: what a password goes through unencrypted is for its owner to know.
TEST(Stream, SaysWhereThePasswordTravelsUnencrypted) {
  const auto notes = [](const char* host, const char* tls) {
    Stream stream;
    Driver driver(stream);
    driver.Set("source", "broker").Set("host", host).Set("tls", tls).Set("queue", "q").Set("fields", "level");
    driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T01:00Z");
    driver.Initialize();
    EXPECT_TRUE(driver.Validate());
    return driver.Messages();
  };
  EXPECT_THAT(notes("broker.example", "false"),
              ::testing::ElementsAre(::testing::AllOf(
                  ::testing::HasSubstr(".tls: user 'guest' and the password go to broker.example unencrypted"),
                  ::testing::HasSubstr("set tls to true"))));
  EXPECT_THAT(notes("broker.example", "true"), ::testing::IsEmpty());
  for (const char* here : {"localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_THAT(notes(here, "false"), ::testing::IsEmpty()) << here;
  }
  for (const char* away : {"127.broker.example", "127.0.0.1.example", "10.0.0.127", "::2", "::ffff:10.0.0.1"}) {
    EXPECT_THAT(notes(away, "false"), ::testing::SizeIs(1)) << away;
  }
}

}  // namespace
}  // namespace openmi::broker
