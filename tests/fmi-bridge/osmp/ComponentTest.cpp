// OSMP models as components: our own, and one that shows what no model should.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/simulate/Simulation.hpp"
#include "fmi-bridge/osmp/component/SensorViewConfig.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/osmp/ModelPair.hpp"
#include "tests/fmi-bridge/osmp/ModelText.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::osmp {
namespace {

using testing::HasSubstr;

const fmi::LayerRegistration kOsmp(MakeOsmpLayer);

/// What a SensorData says of moving objects.
struct Detected {
  std::uint64_t id = 0;
  osi::Base base;
};
std::vector<Detected> Detections(osi::Message data) {
  namespace field = osi::field;
  std::vector<Detected> all;
  for (osi::FieldReader in(data); in.Next();) {
    if (in.Number() != field::sensor_data::kMovingObject) continue;
    Detected one;
    for (osi::FieldReader object(in.Content()); object.Next();) {
      if (object.Number() == field::detected_moving_object::kBase) osi::Merge(object.Content(), one.base);
      if (object.Number() != field::detected_moving_object::kHeader) continue;
      for (osi::FieldReader header(object.Content()); header.Next();) {
        if (header.Number() == field::detected_item_header::kGroundTruthId) {
          one.id = osi::ReadIdentifier(header.Content()).value_or(0);
        }
      }
    }
    all.push_back(one);
  }
  return all;
}
std::vector<std::uint64_t> Ids(osi::Message data) {
  std::vector<std::uint64_t> ids;
  for (const Detected& one : Detections(data)) ids.push_back(one.id);
  return ids;
}

/// The host heads along y from (100, 50): what is before it, aside, behind, far, and behind another.
std::vector<Thing> Scene() {
  const double north = std::acos(0.0);
  return {{.id = 1, .x = 100, .y = 50, .yaw = north},
          {.id = 2, .x = 100, .y = 90, .yaw = north, .speed = 3},
          {.id = 3, .x = 100, .y = 30},
          {.id = 4, .x = 140, .y = 51},
          {.id = 5, .x = 110, .y = 90},
          {.id = 6, .x = 100, .y = 110, .length = 2, .width = 1},
          {.id = 7, .x = 100, .y = 400}};
}

TEST(ObjectListSensor, SeesWhatIsBeforeItAndNotHidden) {
  for (const int version : {2, 3}) {
    Pair pair(SensorPath(version), [](int step) { return SensorViewBytes(0.02 * step, 1, Scene()); });
    pair.Initialize();
    pair.Prepare();
    EXPECT_TRUE(pair.Data().empty());
    pair.driver.Update();
    // 6 is behind 2, which is wider; 3 behind the host, 4 outside the field of view, 7 too far.
    EXPECT_EQ(Ids(pair.Data()), (std::vector<std::uint64_t>{2, 5}));
    const std::vector<Detected> all = Detections(pair.Data());
    EXPECT_NEAR(all[0].base.position.a, 40.0, 1e-9);
    EXPECT_NEAR(all[0].base.position.b, 0.0, 1e-9);
    EXPECT_NEAR(all[1].base.position.a, 40.0, 1e-9);
    EXPECT_NEAR(all[1].base.position.b, -10.0, 1e-9);  // aside to the right
    EXPECT_NEAR(all[0].base.orientation.c, 0.0, 1e-9);
    EXPECT_NEAR(all[0].base.velocity.b, -3.0, 1e-9);  // along x, which is to the right
    const osi::MessageHead head = osi::ReadHead(pair.Data());
    EXPECT_EQ(head.time, osi::TimestampOf(0.02));
    EXPECT_TRUE(head.version.has_value());
  }
}

TEST(ObjectListSensor, RangeAndFieldOfViewAreArguments) {
  Pair pair(SensorPath(2), [](int step) { return SensorViewBytes(0.02 * step, 1, Scene()); });
  pair.driver.Set("range", "500").Set("field_of_view", "6.3");
  pair.Initialize();
  pair.Prepare();
  pair.driver.Update();
  EXPECT_THAT(Ids(pair.Data()), testing::UnorderedElementsAre(2, 3, 4, 5));  // 7 is behind 2, too
}

TEST(ObjectListSensor, NoiseFollowsFromTheSeedAlone) {
  const auto run = [](int version, const std::string& seed) {
    Pair pair(SensorPath(version), [](int step) { return SensorViewBytes(0.02 * step, 1, Scene()); });
    pair.driver.Set("noise", "0.5").Set("seed", seed);
    pair.Initialize();
    pair.Prepare();
    std::vector<std::vector<std::byte>> all;
    for (int i = 0; i < 20; ++i) {
      pair.driver.Update();
      all.emplace_back(pair.Data().begin(), pair.Data().end());
    }
    return all;
  };
  const auto first = run(2, "1");
  EXPECT_EQ(first, run(2, "1"));
  EXPECT_EQ(first, run(3, "1"));  // the same model in the other encoding
  EXPECT_NE(first, run(2, "2"));
  EXPECT_NE(first[0], first[1]);
  double sum = 0.0;
  double squares = 0.0;
  for (const auto& data : first) {
    for (const Detected& one : Detections(data)) {
      const double error = one.base.position.a - 40.0;
      sum += error;
      squares += error * error;
    }
  }
  EXPECT_NEAR(std::sqrt(squares / 40.0), 0.5, 0.25);
  EXPECT_LT(std::abs(sum / 40.0), 0.4);
}

TEST(OsmpComponent, AMessageIsNotCopiedOnItsWay) {
  Pair pair(SensorPath(2), [](int step) { return SensorViewBytes(0.02 * step, 1, Scene()); });
  pair.Initialize();
  pair.Prepare();
  pair.driver.Update();
  auto& input = ItemNamed<ValueInput>(pair.fmu, "OSMPSensorViewIn");
  EXPECT_EQ(input.GetBytes(0).data(), BytesOf(pair.source.Output()).data());
  // Two buffers in turn: what was shown after step n is there until step n + 2.
  const osi::Message first = pair.Data();
  const std::vector<std::byte> copy(first.begin(), first.end());
  pair.driver.Update();
  EXPECT_NE(pair.Data().data(), first.data());
  EXPECT_TRUE(std::ranges::equal(first, copy));
  pair.driver.Update();
  EXPECT_EQ(pair.Data().data(), first.data());
}

// As in a run that brings the provider on first: the model's buffer stays as it is for a step more, so nothing is
// copied for a consumer that then asks for the same time.
TEST(OsmpComponent, AMessageIsNotCopiedForAConsumerOneStepBehind) {
  Pair pair(SensorPath(2), [](int step) { return SensorViewBytes(0.02 * step, 1, Scene()); });
  pair.Initialize();
  ScriptedSource idle("none", {});
  ValueInput behind("behind", items::PlainDefinitionOf("SensorData", ValueKind::Binary), nullptr, &idle);
  ValueOutput& output = ItemNamed<ValueOutput>(pair.fmu, "OSMPSensorDataOut");
  output.AddConsumer(behind);
  pair.Prepare();
  std::vector<std::byte> copy;
  osi::Message shown;
  for (int step = 1; step <= 4; ++step) {
    pair.driver.Update();
    const osi::Message latest = pair.Data();
    if (step > 1) {
      behind.Pull(pair.fmu.CurrentTime() - Days{0.02 / 86400.0});
      EXPECT_EQ(behind.GetBytes(0).data(), shown.data()) << step;
      EXPECT_TRUE(std::ranges::equal(behind.GetBytes(0), copy)) << step;
    }
    shown = latest;
    copy.assign(latest.begin(), latest.end());
  }
  // Two steps behind, the model's buffer is written again: what was there is copied.
  behind.Pull(pair.fmu.CurrentTime());
  pair.driver.Update();
  pair.driver.Update();
  behind.Pull(pair.fmu.CurrentTime() - Days{0.04 / 86400.0});
  EXPECT_NE(behind.GetBytes(0).data(), shown.data());
  EXPECT_TRUE(std::ranges::equal(behind.GetBytes(0), copy));
  EXPECT_LE(output.RowCount(), 3u);
  output.RemoveConsumer(behind);
}

TEST(OsmpComponent, WhatIsShownStaysWhenTheModelIsGone) {
  Pair pair(SensorPath(2), [](int step) { return SensorViewBytes(0.02 * step, 1, Scene()); });
  pair.Initialize();
  pair.Prepare();
  pair.driver.Update();
  const std::vector<std::byte> before(pair.Data().begin(), pair.Data().end());
  const ValueOutput& output = ItemNamed<ValueOutput>(pair.fmu, "OSMPSensorDataOut");
  const osi::Message shown = BytesOf(output);
  pair.driver.Finish();
  EXPECT_NE(BytesOf(output).data(), shown.data());
  EXPECT_TRUE(std::ranges::equal(BytesOf(output), before));
}

TEST(OsmpComponent, NoMessageIsNoMessage) {
  for (const int version : {2, 3}) {
    Pair pair(SensorPath(version),
              [](int step) { return step % 2 == 0 ? Bytes8() : SensorViewBytes(0.02 * step, 1, Scene()); });
    pair.Initialize();
    pair.Prepare();
    pair.driver.Update();
    EXPECT_FALSE(pair.Data().empty());
    pair.driver.Update();
    EXPECT_TRUE(pair.Data().empty());
  }
}

TEST(OsmpComponent, ConfigurationsAreNegotiated) {
  for (const int version : {2, 3}) {
    Pair pair(SensorPath(version), [](int step) { return SensorViewBytes(0.02 * step, 1, Scene()); });
    const ScratchFolder folder("osmp");
    const std::string log = folder / "log";
    pair.driver.Set("range", "77").Set("log-file", log);
    pair.Initialize();
    pair.Prepare();
    // What the model wants is an output: with the range that it was given.
    double range = 0.0;
    for (osi::FieldReader in(BytesOf(ItemNamed<ValueOutput>(pair.fmu, "OSMPSensorViewInConfigRequest"))); in.Next();) {
      if (in.Number() == osi::field::sensor_view_configuration::kRange) in.Read(range);
    }
    EXPECT_EQ(range, 77.0);
    pair.driver.Update();
    std::ifstream in(log);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    EXPECT_THAT(text, testing::Not(HasSubstr("rule 59")));  // it echoes what it was set to
  }
}

/// The sensor of FMI 2.0 in a folder, with the request for a configuration read where the ground truth lies: what it
/// was configured to is not what it holds.
std::string SensorThatForgets(const ScratchFolder& folder) {
  const auto files = UnpackedArchive::Open(SensorPath(2));
  const std::filesystem::path copy(folder / "sensor");
  std::filesystem::copy(files->Folder(), copy, std::filesystem::copy_options::recursive);
  std::filesystem::permissions(copy / "modelDescription.xml", std::filesystem::perms::owner_write,
                               std::filesystem::perm_options::add);
  std::ifstream in(copy / "modelDescription.xml");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  in.close();
  const auto reference_of = [&text](const std::string& name) {
    const std::size_t at = text.find("valueReference=\"", text.find("name=\"" + name + "\"")) + 16;
    return std::pair(at, text.substr(at, text.find('"', at) - at));
  };
  for (const char* part : {".base.lo", ".base.hi", ".size"}) {
    const std::string other = reference_of(std::string("OSMPGroundTruthInit") + part).second;
    const auto [at, own] = reference_of(std::string("OSMPSensorViewInConfigRequest") + part);
    text.replace(at, own.size(), other);
  }
  std::filesystem::remove(copy / "modelDescription.xml");
  std::ofstream(copy / "modelDescription.xml") << text;
  return copy;
}

TEST(OsmpComponent, AConfigurationThatIsNotHeldIsReportedWithoutALogFile) {
  const ScratchFolder folder("osmp");
  for (const bool forgets : {false, true}) {
    Pair pair(forgets ? SensorThatForgets(folder) : SensorPath(2),
              [](int step) { return SensorViewBytes(0.02 * step, 1, Scene()); });
    pair.Initialize();
    pair.Prepare();
    pair.driver.Update();
    const Problems remarks = pair.fmu.Remarks();
    ASSERT_EQ(remarks.size(), forgets ? 1u : 0u);
    if (!forgets) continue;
    EXPECT_EQ(remarks[0].where.item, "OSMPSensorViewInConfig");
    EXPECT_THAT(remarks[0].problem, HasSubstr("OSMP rule 59: expected OSMPSensorViewInConfigRequest to hold what "
                                              "OSMPSensorViewInConfig was set to, found other data"));
  }
}

TEST(SensorViewConfig, AnAnswerIsTheRequestWithWhatTheGiverSays) {
  namespace config = osi::field::sensor_view_configuration;
  osi::MessageWriter request;
  osi::Write(request, osi::field::kVersion, osi::InterfaceVersion{});
  request.Double(config::kRange, 100.0);
  osi::Write(request, config::kUpdateCycleTime, osi::TimestampOf(0.03));
  osi::Write(request, config::kSimulationStartTime, osi::TimestampOf(5.0));
  osi::MessageWriter own;
  own.Double(config::kRange, 60.0);
  osi::WriteIdentifier(own, config::kSensorId, 17);
  const auto answer = AnswerRequest(request.Written(), {.start = 2.0, .step = 0.02, .own = own.Written()});
  double range = 0.0;
  std::uint64_t sensor = 0;
  osi::Timestamp start;
  bool has_cycle = false;
  for (osi::FieldReader in(answer); in.Next();) {
    if (in.Number() == config::kRange) in.Read(range);
    if (in.Number() == config::kSensorId) sensor = osi::ReadIdentifier(in.Content()).value_or(0);
    if (in.Number() == config::kSimulationStartTime) osi::Merge(in.Content(), start);
    has_cycle |= in.Number() == config::kUpdateCycleTime;
  }
  EXPECT_EQ(range, 60.0);
  EXPECT_EQ(sensor, 17u);
  EXPECT_EQ(start, osi::TimestampOf(2.0));
  EXPECT_FALSE(has_cycle) << "30 ms are no multiple of 20 ms";
  EXPECT_TRUE(HoldSameData(answer, answer));
  EXPECT_FALSE(HoldSameData(answer, request.Written()));
}

/// An FMU of PlainModel.cpp, unpacked in a folder.
std::string PlainFmu(const ScratchFolder& folder) {
  const std::filesystem::path root = folder.Path() / "plain";
  std::filesystem::create_directories(root / "binaries" / "linux64");
  std::string text = ModelText2(
      TripleText2("OSMPSensorViewIn", "SensorView", kInputAttributes, 0) +
      TripleText2("OSMPSensorDataOut", "SensorData", kOutputAttributes, 3) +
      R"(<ScalarVariable name="fault" valueReference="40" causality="parameter" variability="fixed"><Integer start="0"/></ScalarVariable>)"
      R"(<ScalarVariable name="seen" valueReference="50" causality="output" variability="discrete" initial="exact"><Integer start="0"/></ScalarVariable>)");
  std::ofstream(root / "modelDescription.xml") << text;
  std::filesystem::copy_file(OPENMI_PLAIN_MODEL, root / "binaries" / "linux64" / "m.so",
                             std::filesystem::copy_options::overwrite_existing);
  return root.string();
}

TEST(OsmpComponent, AModelThatEndsTheSimulationGivesNoMessageAfterIt) {
  const ScratchFolder folder("osmp");
  const std::string path = PlainFmu(folder);
  Pair pair(path, [](int) { return SensorViewBytes(0.0, 1, {}); });
  pair.driver.Set("fault", "5");
  pair.Initialize();
  pair.Prepare();
  for (int step = 1; step <= 5; ++step) {
    pair.driver.Update();
    EXPECT_EQ(pair.Data().empty(), step > 3) << step;
  }
  ASSERT_EQ(pair.fmu.Remarks().size(), 1u);
  EXPECT_THAT(pair.fmu.Remarks()[0].problem, HasSubstr("ended the simulation at 2020-01-01T00:00:00.06Z"));

  Problems problems;
  fmi::MemoryRecorder rows;
  fmi::SimulationOptions options;
  options.stop = 1.0;
  options.start_values = {{"fault", "5"}};
  const auto result = fmi::Simulate(path, fmi::ReadFmuDescription(path, problems), options, rows);
  EXPECT_TRUE(result.ended_by_fmu);
  EXPECT_NEAR(result.end, 0.06, 1e-12);
  EXPECT_EQ(result.steps, 3u);
  EXPECT_EQ(rows.times.size(), 4u);
}

TEST(OsmpComponent, WhatNoModelShouldShowIsRefusedByItsRule) {
  const ScratchFolder folder("osmp");
  const std::string path = PlainFmu(folder);
  const std::pair<const char*, const char*> cases[] = {
      {"1", "OSMP rule 51: expected a size, found -2"},
      {"2", "OSMP rule 52: expected an address with a size of 16, found none"},
      {"3", "OSMP rule 54: expected an encoded SensorData, found: "}};
  for (const auto& [fault, message] : cases) {
    Pair pair(path, [](int) { return SensorViewBytes(0.0, 1, {}); });
    pair.driver.Set("fault", fault);
    pair.Initialize();
    pair.source_driver.Prepare();
    try {
      pair.driver.Prepare();
      ADD_FAILURE() << fault;
    } catch (const ModelError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
      EXPECT_THAT(error.what(), HasSubstr("OSMPSensorDataOut"));
    }
  }
  for (const char* fault : {"0", "4"}) {  // a message; an address without a size, which is none
    Pair pair(path, [](int) { return SensorViewBytes(0.0, 1, {}); });
    pair.driver.Set("fault", fault);
    pair.Initialize();
    pair.Prepare();
    EXPECT_EQ(pair.Data().size(), fault == std::string("0") ? 16u : 0u);
  }
}

TEST(OsmpComponent, TwoGibibytesAreRefused) {
  fmi::ModelDescription description;
  description.variables.resize(3);
  const BinaryVariable variable{.name = "OSMPSensorViewIn", .parts = {0, 1, 2}};
  MessagePorts ports;
  ports.Add(variable, description);
  static const std::byte kSomewhere{};
  try {
    ports.Edit(0, osi::Message(&kSomewhere, std::size_t{1} << 31));  // nobody looks there
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("OSMP rule 53: expected a message below 2 GiB, found one of 2147483648 bytes"));
  }
}

TEST(OsmpComponent, AnInputLivesToTheEndOfTheStep) {
  const ScratchFolder folder("osmp");
  Pair pair(PlainFmu(folder), [](int step) { return SensorViewBytes(0.02 * step, 1, Scene()); });
  pair.driver.Set("fault", "0");
  pair.Initialize();
  pair.Prepare();
  auto& seen = ItemNamed<NumericOutput>(pair.fmu, "seen");
  for (int i = 0; i < 20; ++i) {
    // Others may have the source run one step ahead of what is asked: its older bytes are overwritten only then.
    pair.driver.Update();
    EXPECT_EQ(seen.LastRow()[0], static_cast<double>(BytesOf(pair.source.Output()).size()));
  }
}

TEST(OsmpComponent, AMessageThatIsNoneIsRefusedBeforeTheModelGetsIt) {
  Pair pair(SensorPath(2), [](int) { return Bytes8{std::byte{0x12}, std::byte{0x7F}, std::byte{0}}; });
  pair.Initialize();
  pair.Prepare();
  try {
    pair.driver.Update();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("OSMPSensorViewIn: OSMP rule 54: expected an encoded SensorView, found: "));
  }
}

TEST(OsmpComponent, AnotherMessageThanTheInputTakesIsRefused) {
  Pair pair(
      SensorPath(2), [](int) { return Bytes8(); }, "GroundTruth");
  pair.Initialize();
  pair.source_driver.Prepare();
  EXPECT_THAT(
      [&] { pair.driver.Prepare(); },
      testing::ThrowsMessage<LinkError>(HasSubstr("expected messages of type SensorView, found 'GroundTruth'")));
}

TEST(OsmpComponent, AModelThatBreaksARuleThatRefusesIsNotRun) {
  const ScratchFolder folder("osmp");
  const std::string path = PlainFmu(folder);
  std::string text = ModelText2(TripleText2("OSMPSensorViewIn", "SensorData", kInputAttributes, 0));
  std::ofstream(std::filesystem::path(path) / "modelDescription.xml") << text;
  fmi::Fmu fmu;
  Driver driver(fmu);
  driver.Set("fmu", path);
  try {
    driver.Initialize();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("OSMP rule 31: expected a MIME type with type=SensorView, found 'SensorData'"));
  }
}

TEST(OsmpComponent, MessagesOfFmi2DoNotCrossToALibraryForWindows) {
  setenv("OPENMI_WINDOWS_HOST", "/bin/cat", 1);  // it is not started
  for (const int version : {2, 3}) {
    const ScratchFolder folder;
    const fmi::ExampleFmu linux_fmu(version, "ObjectListSensor");
    const std::filesystem::path fmu(folder / "fmu");
    std::filesystem::copy(linux_fmu.files->Folder(), fmu, std::filesystem::copy_options::recursive);
    std::filesystem::remove_all(fmu / "binaries");
    std::filesystem::create_directories(fmu / "binaries" / fmi::WindowsFolders(linux_fmu.description.version)[0]);
    std::ofstream(fmu / "binaries" / fmi::WindowsFolders(linux_fmu.description.version)[0] / "ObjectListSensor.dll");
    fmi::Fmu model;
    Driver driver(model);
    driver.Set("fmu", fmu.string());
    std::string error;
    try {
      driver.Initialize();
    } catch (const LoadError& one) {
      error = one.what();
    }
    EXPECT_THAT(error, version == 3 ? testing::Matcher<std::string>(testing::IsEmpty())
                                    : testing::Matcher<std::string>(HasSubstr(
                                          "do not cross to Wine; use the FMU for FMI 3.0, or one for Linux")));
  }
  unsetenv("OPENMI_WINDOWS_HOST");
}

}  // namespace
}  // namespace openmi::osmp
