// The ground truth that models are initialized with.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "fmi-bridge/fmi/run/Instance.hpp"
#include "fmi-bridge/osmp/component/GroundTruth.hpp"
#include "tests/fmi-bridge/osmp/ModelPair.hpp"
#include "tests/fmi-bridge/support/ProcessMemory.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::osmp {
namespace {

using testing::HasSubstr;

std::string WriteFile(const ScratchFolder& folder, const std::string& name, osi::Message bytes) {
  const std::string path = folder / name;
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return path;
}

/// The host and another, with a wall between them that stands (or does not).
std::vector<Thing> Two() {
  return {{.id = 1, .x = 0, .y = 0}, {.id = 2, .x = 40, .y = 0}};
}
std::vector<Thing> Wall(double x = 20.0, std::uint64_t id = 100) {
  return {{.id = id, .x = x, .y = 0, .length = 0.2, .width = 10}};
}

TEST(StaticContent, NamesObjectAndFieldThatChanged) {
  const Bytes8 init = GroundTruthBytes({}, Wall());
  const StaticContent content(init);
  EXPECT_EQ(content.ObjectCount(), 1u);
  EXPECT_FALSE(content.Compare(SensorViewBytes(0.0, 1, Two(), Wall()), true));
  EXPECT_FALSE(content.Compare(SensorViewBytes(0.0, 1, Two()), true)) << "what is static may be left out";
  const auto moved = content.Compare(SensorViewBytes(0.0, 1, Two(), Wall(21.0)), true);
  ASSERT_TRUE(moved);
  EXPECT_FALSE(moved->is_id);
  EXPECT_EQ(moved->object, "stationary_object 100");
  EXPECT_EQ(moved->field, "base.position.x");
  const auto other = content.Compare(SensorViewBytes(0.0, 1, Two(), Wall(20.0, 101)), true);
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->is_id);
  EXPECT_THAT(other->problem, HasSubstr("stationary_object 101"));
  const auto kind = content.Compare(SensorViewBytes(0.0, 1, {{.id = 100}}), true);
  ASSERT_TRUE(kind);
  EXPECT_TRUE(kind->is_id);
  EXPECT_EQ(kind->problem,
            "expected id 100 to be that of a stationary_object, as in OSMPGroundTruthInit, found a moving_object");
}

TEST(StaticContent, TwoObjectsOfOneIdAreRefused) {
  EXPECT_THROW(StaticContent(GroundTruthBytes({{.id = 7}}, Wall(1.0, 7))), osi::WireError);
}

TEST(StaticContent, WhatMovesIsReducedToWhatStays) {
  const Bytes8 view = SensorViewBytes(3.0, 1, Two(), Wall());
  const std::vector<std::byte> reduced = ReduceToStatic(view, true);
  EXPECT_EQ(reduced, ReduceToStatic(GroundTruthBytes(Two(), Wall()), false));
  int moving = 0;
  for (osi::FieldReader in(reduced); in.Next();) {
    EXPECT_NE(in.Number(), osi::field::kTimestamp);
    if (in.Number() != osi::field::ground_truth::kMovingObject) continue;
    ++moving;
    for (osi::FieldReader object(in.Content()); object.Next();) {
      EXPECT_NE(object.Number(), osi::field::moving_object::kBase);
    }
  }
  EXPECT_EQ(moving, 2);
  const StaticContent content(reduced);
  EXPECT_FALSE(content.Compare(SensorViewBytes(4.0, 1, {{.id = 1, .x = 9}, {.id = 2, .x = 70}}, Wall()), true));
}

TEST(GroundTruth, IsReadOnceForAll) {
  const ScratchFolder folder("osmp");
  const std::string path = WriteFile(folder, "map.osi", GroundTruthBytes({}, Wall()));
  const auto first = GroundTruth::OfFile(path);
  EXPECT_EQ(first, GroundTruth::OfFile(path));
  const Bytes8 view = SensorViewBytes(0.0, 1, Two(), Wall());
  const auto of_item = GroundTruth::OfMessage(view, true, "x");
  EXPECT_EQ(of_item, GroundTruth::OfMessage(SensorViewBytes(9.0, 1, Two(), Wall()), true, "y"));
  EXPECT_THROW(GroundTruth::OfFile(folder / "none"), Error);
  const std::string bad = WriteFile(folder, "bad.osi", std::vector<std::byte>{std::byte{0x2A}, std::byte{0x7F}});
  try {
    GroundTruth::OfFile(bad);
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("OSMP rule 54: expected an encoded GroundTruth, found: "));
  }
}

/// What the sensor of that file says when it is made; empty where nothing is wrong.
std::string ProblemOf(const std::string& ground_truth) {
  fmi::Fmu fmu;
  Driver driver(fmu);
  driver.Set("fmu", SensorPath(2)).Set("OSMPGroundTruthInit", ground_truth);
  driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T00:00:10Z");
  try {
    driver.Initialize();
    driver.Validate();
    driver.Prepare();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(GroundTruth, AMessageOfAnotherTypeIsRefused) {
  const ScratchFolder folder("osmp");
  EXPECT_THAT(ProblemOf(WriteFile(folder, "view.osi", SensorViewBytes(3.0, 1, Two(), Wall()))),
              HasSubstr("OSMP rule 54: expected an encoded GroundTruth, found: the bytes of a SensorView"));
  EXPECT_THAT(ProblemOf(WriteFile(folder, "still.osi", SensorViewBytes(0.0, 1, {}, Wall()))),
              HasSubstr("the bytes of a SensorView"));
  EXPECT_EQ(ProblemOf(WriteFile(folder, "truth.osi", GroundTruthBytes(Two(), Wall(), 1))), "");
  EXPECT_THROW(GroundTruth::OfMessage(SensorViewBytes(3.0, 1, Two(), Wall()), false, "x"), FormatError);
}

TEST(GroundTruth, AFolderIsNamedAsOne) {
  const ScratchFolder folder("osmp");
  EXPECT_THAT(ProblemOf(folder / ""), HasSubstr("expected a file of one serialized osi3::GroundTruth, found a folder"));
}

// Rule 62 of the file itself: what changes does not reach the model.
TEST(GroundTruth, WhatChangesIsLeftOutOfTheFile) {
  const ScratchFolder folder("osmp");
  const std::string path = WriteFile(folder, "all.osi", GroundTruthBytes({{.id = 7, .x = 3.0}}, Wall(), 1));
  const auto truth = GroundTruth::OfFile(path);
  EXPECT_EQ(truth->LeftOut(), (std::set<std::string>{"moving_object.base", "timestamp"}));
  const std::vector<std::byte> bytes(truth->Bytes().begin(), truth->Bytes().end());
  EXPECT_EQ(bytes, ReduceToStatic(GroundTruthBytes({{.id = 7, .x = 3.0}}, Wall(), 1), false));
  Pair pair(SensorPath(2), [](int step) { return SensorViewBytes(0.02 * step, 1, Two()); });
  pair.driver.Set("OSMPGroundTruthInit", path);
  pair.Initialize();
  EXPECT_THAT(pair.driver.Messages(),
              ::testing::Contains(HasSubstr("OSMP rule 62: left out of the file what changes during a run: "
                                            "moving_object.base, timestamp")));
}

TEST(GroundTruth, NoneIsNoted) {
  Pair pair(SensorPath(2), [](int step) { return SensorViewBytes(0.02 * step, 1, Two()); });
  pair.Initialize();
  EXPECT_THAT(pair.driver.Messages(), ::testing::Contains(HasSubstr("OSMPGroundTruthInit: no ground truth is given")));
}

// Rule 64: two instances of one model in one process.
TEST(GroundTruth, IsTheSameForAllInstancesOfAModel) {
  const ScratchFolder folder("osmp");
  const std::string first = WriteFile(folder, "first.osi", GroundTruthBytes({}, Wall()));
  const std::string copy = WriteFile(folder, "copy.osi", GroundTruthBytes({}, Wall()));
  const std::string other = WriteFile(folder, "other.osi", GroundTruthBytes({}, Wall(21.0)));
  {
    Pair pair(SensorPath(2), [](int step) { return SensorViewBytes(0.02 * step, 1, Two(), Wall()); });
    pair.driver.Set("OSMPGroundTruthInit", first);
    pair.Initialize();
    pair.Prepare();
    pair.driver.Update();
    EXPECT_EQ(ProblemOf(copy), "");
    EXPECT_THAT(ProblemOf(other), HasSubstr("OSMP rule 64: expected the same ground truth for all instances"));
  }
  EXPECT_EQ(ProblemOf(other), "") << "the instance with the first one is gone";
}

/// What the sensor lists when the wall is known from the begin only.
std::vector<std::byte> DataWith(const std::string& ground_truth, int version = 2) {
  Pair pair(SensorPath(version), [](int step) { return SensorViewBytes(0.02 * step, 1, Two()); });
  if (!ground_truth.empty()) pair.driver.Set("OSMPGroundTruthInit", ground_truth);
  pair.Initialize();
  pair.Prepare();
  pair.driver.Update();
  pair.driver.Update();
  return {pair.Data().begin(), pair.Data().end()};
}

TEST(GroundTruth, AModelKnowsWhatItWasInitializedWith) {
  const ScratchFolder folder("osmp");
  const std::string path = WriteFile(folder, "map.osi", GroundTruthBytes({}, Wall()));
  for (const int version : {2, 3}) {
    EXPECT_LT(DataWith(path, version).size(), DataWith("", version).size()) << "the wall hides 2";
  }
}

TEST(GroundTruth, ComesFromAnItemToo) {
  Pair pair(SensorPath(2),
            [](int step) { return SensorViewBytes(0.02 * step, 1, Two(), Wall(step < 10 ? 20.0 : 20.5)); });
  pair.driver.Set("check-ground-truth", "always");
  ScriptedSource map("SensorView", [](int) { return SensorViewBytes(0.0, 1, Two(), Wall()); });
  Driver map_driver(map);
  map_driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T00:00:10Z");
  map_driver.Initialize();
  pair.Initialize();
  map.Output().AddConsumer(ItemNamed<ValueInput>(pair.fmu, "OSMPGroundTruthInit"));
  map_driver.Validate();
  map_driver.Prepare();
  pair.Prepare();
  for (int i = 1; i < 10; ++i) pair.driver.Update();
  try {
    pair.driver.Update();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("OSMP rule 62: expected base.position.x of stationary_object 100 as "
                                        "OSMPGroundTruthInit has it, found another value"));
  }
}

TEST(GroundTruth, IdsAreHeldAgainstLaterViews) {
  const ScratchFolder folder("osmp");
  const std::string path = WriteFile(folder, "map.osi", GroundTruthBytes({}, Wall()));
  for (const char* check : {"first", "none"}) {
    Pair pair(SensorPath(2), [](int step) { return SensorViewBytes(0.02 * step, 1, Two(), Wall(20.0, 5)); });
    pair.driver.Set("OSMPGroundTruthInit", path).Set("check-ground-truth", check);
    pair.Initialize();
    pair.Prepare();
    if (check == std::string("none")) {
      pair.driver.Update();
      continue;
    }
    try {
      pair.driver.Update();
      FAIL();
    } catch (const ModelError& error) {
      EXPECT_THAT(error.what(), HasSubstr("OSMP rule 63: "));
      EXPECT_THAT(error.what(), HasSubstr("stationary_object 5"));
    }
  }
}

/// The sensor called by hand, with a ground truth in memory that is overwritten when the rules allow it.
std::vector<std::byte> DataByHand(bool poisoned) {
  fmi::ExampleFmu files(2, "ObjectListSensor");
  fmi::InstanceOptions options;
  options.name = "sensor";
  const auto instance = fmi::Instance::Make(files.files->Folder(), files.description, std::move(options));
  const OsmpModel model = ReadOsmpModel(files.description);
  const auto named = [&](const char* name) -> const BinaryVariable& {
    return *std::ranges::find(model.variables, name, &BinaryVariable::name);
  };
  MessagePorts init, in, out;
  init.Add(named("OSMPGroundTruthInit"), files.description);
  in.Add(named("OSMPSensorViewIn"), files.description);
  out.Add(named("OSMPSensorDataOut"), files.description);
  Bytes8 truth = GroundTruthBytes({}, Wall());
  init.Edit(0, truth);
  instance->EnterInitialization({.start = 0.0, .stop = {}, .tolerance = {}});
  init.Set(*instance);
  instance->ExitInitialization();
  if (poisoned) std::ranges::fill(truth, std::byte{0xEE});
  const Bytes8 view = SensorViewBytes(0.0, 1, Two());
  in.Edit(0, view);
  in.Set(*instance);
  fmi::StepResult result;
  instance->DoStep(0.0, 0.02, true, result);
  out.Get(*instance);
  return {out.Message(0).begin(), out.Message(0).end()};
}

TEST(GroundTruth, IsNotReliedOnAfterInitialization) {
  EXPECT_EQ(DataByHand(true), DataByHand(false));
  EXPECT_FALSE(DataByHand(false).empty());
}

TEST(GroundTruth, FiftyMegabytesAreThereOnceForAHundredModels) {
  const ScratchFolder folder("osmp");
  osi::MessageWriter out;
  for (std::uint64_t id = 1000; id < 1200; ++id) {
    out.Begin(osi::field::ground_truth::kLaneBoundary);
    osi::WriteIdentifier(out, 1, id);
    for (int i = 0; i < 8000; ++i) {
      out.Begin(osi::field::lane_boundary::kBoundaryLine);
      osi::Write(out, 1, osi::Triple{0.1 * i, 2.0, 0.0});
      out.End();
    }
    out.End();
  }
  ASSERT_GT(out.Written().size(), 48'000'000u);
  const std::string path = WriteFile(folder, "map.osi", out.Written());
  const auto whole = static_cast<long>(out.Written().size() / 1000);
  std::vector<std::unique_ptr<fmi::Fmu>> models;
  std::vector<std::unique_ptr<Driver>> drivers;
  const long before = test::ResidentKilobytes();
  for (int i = 0; i < 100; ++i) {
    models.push_back(std::make_unique<fmi::Fmu>());
    drivers.push_back(std::make_unique<Driver>(*models.back()));
    drivers.back()->Set("fmu", SensorPath(2)).Set("OSMPGroundTruthInit", path);
    drivers.back()->Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T00:00:10Z");
    drivers.back()->Initialize();
  }
  const long held = test::ResidentKilobytes() - before;
  for (const auto& driver : drivers) {
    ASSERT_TRUE(driver->Validate());
    driver->Prepare();
  }
  const long after = test::ResidentKilobytes() - before;
  RecordProperty("held_kB", std::to_string(held));
  RecordProperty("after_kB", std::to_string(after));
  std::printf("ground truth %ld kB: %ld kB held when all were initialized, %ld kB when they were prepared\n", whole,
              held, after);
  EXPECT_LT(held, whole + 20'000);
  if (!test::kKeepsFreedMemory) {
    EXPECT_LT(after, 20'000) << "no model needs it any more";
  }
}

}  // namespace
}  // namespace openmi::osmp
