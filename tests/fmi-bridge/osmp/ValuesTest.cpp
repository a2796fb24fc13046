#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "composition/link/Composition.hpp"
#include "fmi-bridge/osmp/values/Fields.hpp"
#include "fmi-bridge/osmp/values/MessageAssembly.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/items/NumericOutput.hpp"
#include "timespace/testing/Driver.hpp"

namespace {

using namespace openmi;
using namespace openmi::osi;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Vehicles on a road: x = place + 10 t; the second is there only from 0.05 s to 0.15 s.
class Traffic final : public SteppingComponent {
 public:
  Traffic() : SteppingComponent("traffic", "PT0.02S") {
    auto where = std::make_shared<ObjectElements>("vehicles");
    where->Set(std::vector<std::uint64_t>{10, 11, 12});
    x_ = AddOutput("x", "m", where);
    type_ = AddOutput("v", "km/h", where);
  }

 private:
  void Step(Stamp, Stamp) override {
    const double t = 0.02 * static_cast<double>(StepCount() + 1);  // a stamp is rounded
    const auto row = x_.Item().NextRow();
    for (std::size_t i = 0; i < 3; ++i) row[i] = 100.0 * static_cast<double>(i) + 10.0 * t;
    if (t < 0.05 || t > 0.15) row[1] = kNaN;
    std::ranges::fill(type_.Item().NextRow(), 36.0);
    if (std::isnan(row[1])) type_.Item().NextRow()[1] = kNaN;
  }
  ArrayOutput x_;
  ArrayOutput type_;
};

template <class Item, class Items>
Item& ItemOf(Items items, const std::string& id) {
  for (auto* item : items) {
    if (item->Id() == id) return dynamic_cast<Item&>(*item);
  }
  throw std::runtime_error("no item " + id);
}

void Link(IBaseLinkableComponent& from, const std::string& output, IBaseLinkableComponent& to,
          const std::string& input) {
  ItemOf<IBaseOutput>(from.Outputs(), output).AddConsumer(ItemOf<IBaseInput>(to.Inputs(), input));
}

std::vector<double> RowOf(IBaseLinkableComponent& component, const std::string& output) {
  const auto row = ItemOf<NumericOutput>(component.Outputs(), output).LastRow();
  return {row.begin(), row.end()};
}

std::vector<std::string> IdsOf(IBaseLinkableComponent& component, const std::string& output) {
  const auto* elements =
      dynamic_cast<const IElementSet*>(ItemOf<NumericOutput>(component.Outputs(), output).SpatialDefinition());
  std::vector<std::string> ids;
  for (int i = 0; i < elements->ElementCount(); ++i) ids.push_back(elements->GetElementId(i)->Id());
  return ids;
}

/// Traffic -> GroundTruth -> SensorView -> fields.
class OsiValues : public ::testing::Test {
 protected:
  static void Begin(Driver& driver) {
    driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T00:01Z");
  }
  void Initialize(const std::string& objects = "") {
    Begin(traffic_driver_);
    Begin(truth_driver_);
    Begin(view_driver_);
    Begin(fields_driver_);
    truth_driver_.Set("fields", "x=moving_object[*].base.position.x v=moving_object[*].base.velocity.x");
    truth_driver_.Set("objects", "10 11 12").Set("constants", "moving_object[*].type=2, host_vehicle_id.value=10");
    view_driver_.Set("message", "SensorView").Set("fields", "truth=global_ground_truth");
    view_driver_.Set("constants", "host_vehicle_id.value=10 sensor_id.value=18446744073709551615");
    fields_driver_.Set("message", "SensorView").Set("objects", objects);
    fields_driver_.Set("fields",
                       "x=global_ground_truth.moving_object[*].base.position.x "
                       "v=global_ground_truth.moving_object[*].base.velocity.x "
                       "type=global_ground_truth.moving_object[*].type "
                       "host=global_ground_truth.host_vehicle_id.value, nanos=timestamp.nanos");
    for (Driver* driver : All()) driver->Initialize();
    Link(traffic_, "x", truth_, "x");
    Link(traffic_, "v", truth_, "v");
    Link(truth_, "message", view_, "truth");
    Link(view_, "message", fields_, "message");
  }
  void Prepare() {
    for (Driver* driver : All()) driver->Prepare();
  }
  std::vector<Driver*> All() { return {&traffic_driver_, &truth_driver_, &view_driver_, &fields_driver_}; }

  Traffic traffic_;
  MessageAssembly truth_;
  MessageAssembly view_;
  Fields fields_;
  Driver traffic_driver_{traffic_};
  Driver truth_driver_{truth_};
  Driver view_driver_{view_};
  Driver fields_driver_{fields_};
};

TEST_F(OsiValues, VehiclesBecomeAGroundTruthASensorViewAndNumbersAgain) {
  Initialize();
  Prepare();
  EXPECT_THAT(IdsOf(fields_, "x"), ElementsAre());
  fields_driver_.Update();
  EXPECT_THAT(IdsOf(fields_, "x"), ElementsAre("10", "12")) << "11 is not there yet";
  ASSERT_EQ(RowOf(fields_, "x").size(), 2U);
  EXPECT_NEAR(RowOf(fields_, "x")[1], 200.2, 1e-9);
  EXPECT_EQ(RowOf(fields_, "nanos"), std::vector{20'000'000.0});
  EXPECT_EQ(RowOf(fields_, "host"), std::vector{10.0});
  EXPECT_THAT(RowOf(fields_, "type"), ElementsAre(2.0, 2.0));
  const ISpatialDefinition* elements = ItemOf<NumericOutput>(fields_.Outputs(), "x").SpatialDefinition();
  const int before = elements->Version();
  fields_driver_.Update();
  EXPECT_EQ(elements->Version(), before);
  fields_driver_.Update();
  EXPECT_THAT(IdsOf(fields_, "x"), ElementsAre("10", "11", "12"));
  EXPECT_EQ(elements->Version(), before + 1);
  for (int i = 0; i < 7; ++i) fields_driver_.Update();
  EXPECT_THAT(IdsOf(fields_, "x"), ElementsAre("10", "12")) << "11 is gone";
  EXPECT_EQ(RowOf(fields_, "nanos"), std::vector{200'000'000.0});
  EXPECT_EQ(elements->Version(), before + 2);
}

TEST_F(OsiValues, AHostVehicleThatIsNotThereIsTold) {
  Initialize();
  Prepare();
  fields_driver_.Update();
  EXPECT_TRUE(truth_.Remarks().empty());
  EXPECT_TRUE(view_.Remarks().empty());

  Traffic traffic;
  MessageAssembly truth, view;
  Driver traffic_driver(traffic), truth_driver(truth), view_driver(view);
  for (Driver* driver : {&traffic_driver, &truth_driver, &view_driver}) Begin(*driver);
  truth_driver.Set("fields", "x=moving_object[*].base.position.x").Set("objects", "10 11 12");
  view_driver.Set("message", "SensorView").Set("fields", "truth=global_ground_truth");
  view_driver.Set("constants", "host_vehicle_id.value=77");
  for (Driver* driver : {&traffic_driver, &truth_driver, &view_driver}) driver->Initialize();
  Link(traffic, "x", truth, "x");
  Link(truth, "message", view, "truth");
  for (Driver* driver : {&traffic_driver, &truth_driver, &view_driver}) driver->Prepare();
  for (int i = 0; i < 4; ++i) view_driver.Update();
  ASSERT_EQ(view.Remarks().size(), 1U) << "told once";
  EXPECT_THAT(view.Remarks()[0].problem,
              HasSubstr("expected host_vehicle_id 77 among the moving objects of the ground truth, found 10 12"));
  EXPECT_THAT(view.Remarks()[0].remedy, HasSubstr("host_vehicle_id.value"));
  EXPECT_TRUE(truth.Remarks().empty()) << "it names no host vehicle";
}

TEST_F(OsiValues, NamedObjectsAreAlwaysThereAndMissingWhereTheyAreNot) {
  Initialize("12 11 99");
  Prepare();
  EXPECT_THAT(IdsOf(fields_, "x"), ElementsAre("12", "11", "99"));
  fields_driver_.Update();
  const std::vector<double> row = RowOf(fields_, "x");
  ASSERT_EQ(row.size(), 3U);
  EXPECT_NEAR(row[0], 200.2, 1e-9);
  EXPECT_TRUE(std::isnan(row[1]) && std::isnan(row[2]));
  for (int i = 0; i < 4; ++i) fields_driver_.Update();
  EXPECT_NEAR(RowOf(fields_, "x")[1], 101.0, 1e-9);
  EXPECT_NEAR(RowOf(fields_, "x")[0], 201.0, 1e-9);
}

TEST_F(OsiValues, IdsThatNoMessageHasAreTold) {
  Initialize("12 0 99");
  Prepare();
  fields_driver_.Update();
  ASSERT_EQ(fields_.Remarks().size(), 1U);
  EXPECT_THAT(fields_.Remarks()[0].problem, HasSubstr("none has the objects 0, 99; there are 10, 12"));
  EXPECT_EQ(fields_.Remarks()[0].where.item, "objects");
  for (int i = 0; i < 3; ++i) fields_driver_.Update();
  EXPECT_THAT(fields_.Remarks()[0].problem, HasSubstr("there are 10, 11, 12")) << "11 came later";
  fields_.RestoreState(fields_.KeepCurrentState());  // as a loop that is iterated does
  ASSERT_EQ(fields_.Remarks().size(), 1U);
}

TEST_F(OsiValues, NoIdIsToldThatAMessageHad) {
  Initialize("11");
  Prepare();
  for (int i = 0; i < 10; ++i) fields_driver_.Update();
  EXPECT_TRUE(fields_.Remarks().empty()) << "it was there for a while";
}

TEST_F(OsiValues, UnitsAreThoseOfTheFields) {
  Initialize();
  const auto unit = [this](const std::string& item) {
    return dynamic_cast<const IQuantity&>(ItemOf<NumericOutput>(fields_.Outputs(), item).ValueDefinition())
        .Unit()
        .Caption();
  };
  EXPECT_EQ(unit("x"), "m");
  EXPECT_EQ(unit("v"), "m/s");
  EXPECT_EQ(unit("type"), "1");
}

TEST_F(OsiValues, AMessageStaysReadableUntilTheSecondStepAfterIt) {
  Initialize();
  Prepare();
  fields_driver_.Update();
  auto& output = ItemOf<ValueOutput>(truth_.Outputs(), "message");
  const Message first = dynamic_cast<const IBytesRows&>(output.Values()).BytesAt(0, 0);
  const std::vector<std::byte> copy(first.begin(), first.end());
  fields_driver_.Update();
  const Message second = dynamic_cast<const IBytesRows&>(output.Values()).BytesAt(0, 0);
  EXPECT_NE(second.data(), first.data());
  EXPECT_TRUE(std::ranges::equal(first, copy));
}

TEST_F(OsiValues, GoesOnFromARestoredState) {
  Initialize("10 11");
  Prepare();
  for (int i = 0; i < 3; ++i) fields_driver_.Update();
  const auto bytes = fields_.ConvertToByteArray(fields_.KeepCurrentState());
  const auto& state = truth_.KeepCurrentState();
  const Message shown =
      dynamic_cast<const IBytesRows&>(ItemOf<ValueOutput>(truth_.Outputs(), "message").Values()).BytesAt(0, 0);
  const std::vector<std::byte> copy(shown.begin(), shown.end());
  fields_driver_.Update();
  fields_driver_.Update();
  truth_.RestoreState(state);
  const Message again =
      dynamic_cast<const IBytesRows&>(ItemOf<ValueOutput>(truth_.Outputs(), "message").Values()).BytesAt(0, 0);
  EXPECT_TRUE(std::ranges::equal(again, copy));
  fields_.RestoreState(fields_.ConvertFromByteArray(bytes));
  EXPECT_NEAR(RowOf(fields_, "x")[0], 0.6, 1e-9);
}

TEST_F(OsiValues, ArgumentsThatCannotBeAreNamed) {
  const auto refusal = [](const std::string& key, const std::string& value) {
    Fields fields;
    Driver driver(fields);
    Begin(driver);
    driver.Set("fields", "timestamp.nanos").Set(key, value);
    try {
      driver.Initialize();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal("message", "GroundTruht"), HasSubstr("GroundTruth"));
  EXPECT_THAT(refusal("fields", ","), HasSubstr("found none"));
  EXPECT_THAT(refusal("fields", "=timestamp.nanos"), HasSubstr("before '='"));
  EXPECT_THAT(refusal("fields", "timestamp.nanos timestamp.nanos"), HasSubstr("again"));
  EXPECT_THAT(refusal("fields", "moving_objet[*].type"), AllOf(HasSubstr("fields"), HasSubstr("moving_object")));
  EXPECT_THAT(refusal("objects", "10 x"), HasSubstr("'x'"));
  EXPECT_THAT(refusal("objects", "10 -1"), HasSubstr("'-1'"));
  EXPECT_THAT(refusal("objects", "10 10"), HasSubstr("10 again"));
  EXPECT_THAT(refusal("osi-table-file", "/nowhere/x"), HasSubstr("/nowhere/x"));
}

TEST_F(OsiValues, WhatCannotBePutTogetherIsNamed) {
  const auto refusal = [](const std::vector<std::pair<std::string, std::string>>& settings) {
    MessageAssembly assembly;
    Driver driver(assembly);
    Begin(driver);
    driver.Set("fields", "x=moving_object[*].base.position.x").Set("objects", "1");
    for (const auto& [key, value] : settings) driver.Set(key, value);
    try {
      driver.Initialize();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal({}), "accepted");
  EXPECT_THAT(refusal({{"objects", ""}}), HasSubstr("ids of the objects"));
  EXPECT_THAT(refusal({{"constants", "moving_object[*].type"}}), HasSubstr("path=number"));
  EXPECT_THAT(refusal({{"constants", "moving_object[*].base.position.x=1"}}), HasSubstr("set once"));
  EXPECT_THAT(refusal({{"constants", "moving_object[*].id.value=1"}}), HasSubstr("'objects'"));
  EXPECT_THAT(refusal({{"constants", "country_code=-1"}}), HasSubstr("found -1"));
  EXPECT_THAT(refusal({{"fields", "moving_object[2].base.position.x"}}), HasSubstr("known by id"));
  EXPECT_THAT(refusal({{"fields", "moving_object[*].base"}}), HasSubstr("not repeated"));
  EXPECT_THAT(refusal({{"osi-version", "3.7"}}), HasSubstr("3.7.0"));
  EXPECT_THAT(
      refusal({{"message", "SensorView"}, {"fields", "global_ground_truth global_ground_truth.host_vehicle_id.value"}}),
      HasSubstr("found both"));
}

// A provider of whatever bytes.
class Bytes5 final : public SteppingComponent {
 public:
  explicit Bytes5(std::vector<std::byte> bytes) : SteppingComponent("bytes", "PT0.02S"), bytes_(std::move(bytes)) {
    output_ = &AddItem<ValueOutput>("message", MessageDefinition("GroundTruth"));
  }

 private:
  void Step(Stamp, Stamp to) override {
    output_->ShowBytes(0, bytes_);
    output_->Publish(to);
  }
  std::vector<std::byte> bytes_;
  ValueOutput* output_;
};

std::string RefusalOfBytes(std::vector<std::byte> bytes) {
  Bytes5 source(std::move(bytes));
  Fields fields;
  Driver source_driver(source);
  Driver driver(fields);
  for (Driver* one : {&source_driver, &driver}) one->Set("start-time", "2020-01-01T00:00Z");
  driver.Set("fields", "x=moving_object[*].base.position.x");
  source_driver.Initialize();
  driver.Initialize();
  Link(source, "message", fields, "message");
  source_driver.Prepare();
  driver.Prepare();
  try {
    driver.Update();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted " + std::to_string(RowOf(fields, "x").size());
}

TEST_F(OsiValues, MessagesThatAreNoneAreRefusedAndNamed) {
  EXPECT_EQ(RefusalOfBytes({}), "accepted 0") << "no message: no objects";
  EXPECT_THAT(RefusalOfBytes({std::byte{0x2A}, std::byte{0x7F}}),
              AllOf(HasSubstr("message"), HasSubstr("expected a GroundTruth"), HasSubstr("announcing 127")));
  MessageWriter writer;
  osi::MovingObject object;
  object.id = 5;
  for (int i = 0; i < 2; ++i) osi::Write(writer, field::ground_truth::kMovingObject, object);
  const Message twice = writer.Written();
  EXPECT_THAT(RefusalOfBytes({twice.begin(), twice.end()}), AllOf(HasSubstr("moving_object"), HasSubstr("5 again")));
}

TEST_F(OsiValues, AMessageOfAnotherTypeIsRefused) {
  MessageAssembly update, view;
  Driver update_driver(update), driver(view);
  for (Driver* one : {&update_driver, &driver}) Begin(*one);
  update_driver.Set("message", "TrafficUpdate").Set("fields", "x=update[*].base.position.x").Set("objects", "1");
  driver.Set("message", "SensorView").Set("fields", "truth=global_ground_truth");
  update_driver.Initialize();
  driver.Initialize();
  Link(update, "message", view, "truth");
  EXPECT_THAT([&] { driver.Prepare(); },
              ThrowsMessage<LinkError>(HasSubstr("expected messages of type GroundTruth, found 'message', which gives "
                                                 "TrafficUpdate")));
}

TEST_F(OsiValues, NobodyBehindAnInputIsSaid) {
  Fields fields;
  Driver driver(fields);
  Begin(driver);
  driver.Set("fields", "timestamp.nanos");
  driver.Initialize();
  EXPECT_THAT([&] { driver.Prepare(); }, ThrowsMessage<LinkError>(HasSubstr("link an output of bytes")));
}

/// What a check says of ground truth that goes into an input for other messages, or for its own.
Problems CheckOfLink(const std::string& wanted, const std::string& isolation) {
  Problems problems;
  Composition composition(
      ReadCompositionText("<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"messages\">\n"
                          "<Component Id=\"truth\" Type=\"openmi.osi.Message\" Assembly=\"openmi-osmp-bridge\"" +
                              isolation +
                              ">"
                              "<Argument Key=\"fields\" Value=\"x=moving_object[*].base.position.x\"/><Argument "
                              "Key=\"objects\" Value=\"1\"/></Component>\n"
                              "<Component Id=\"fields\" Type=\"openmi.osi.Fields\" Assembly=\"openmi-osmp-bridge\">"
                              "<Argument Key=\"message\" Value=\"" +
                              wanted +
                              "\"/>"
                              "<Argument Key=\"fields\" Value=\"id=host_vehicle_id.value\"/></Component>\n"
                              "<Link From=\"truth.message\" To=\"fields.message\"/>\n"
                              "<Run From=\"2020-01-01T00:00:00Z\" To=\"2020-01-01T00:00:01Z\"/></Composition>\n",
                          "messages.xml", problems));
  composition.Load(problems);
  composition.Connect(problems);
  return problems;
}

TEST(MessageTypes, AreHeldAgainstEachOtherWhereItemsAreLinked) {
  for (const std::string isolation : {"", " Isolation=\"process\""}) {
    EXPECT_FALSE(HasErrors(CheckOfLink("GroundTruth", isolation)));
    const Problems problems = CheckOfLink("SensorView", isolation);
    ASSERT_TRUE(HasErrors(problems)) << isolation;
    EXPECT_THAT(
        FormatProblem(problems.back()),
        AllOf(HasSubstr("messages.xml:4"), HasSubstr("expected messages osi3::SensorView, found osi3::GroundTruth")));
  }
}

}  // namespace
