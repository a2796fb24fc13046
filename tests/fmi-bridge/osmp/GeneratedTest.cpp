// Our codec against the code that protobuf generates of the same subset, and tables of releases against the subset:
// a program of its own, for no other process of ours holds protobuf.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/fields/FieldTable.hpp"
#include "fmi-bridge/osmp/wire/CommonMessages.hpp"
#include "openmi/sdk/Error.hpp"
#include "osi_subset.pb.h"
#include "tools/osi-table/ReadRelease.hpp"

namespace {

using namespace openmi::osi;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Message BytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

class RandomTruth {
 public:
  explicit RandomTruth(std::uint64_t seed) : random_(seed) {}

  osi3::GroundTruth Make() {
    osi3::GroundTruth truth;
    if (Often()) truth.mutable_timestamp()->set_nanos(static_cast<std::uint32_t>(random_() % 1'000'000'000));
    if (Often()) truth.mutable_host_vehicle_id()->set_value(random_() >> random_() % 64);
    const bool alike = Often();
    const auto count = random_() % 40;
    for (std::uint64_t i = 0; i < count; ++i) {
      osi3::MovingObject& object = *truth.add_moving_object();
      if (alike || Often()) object.mutable_id()->set_value(alike ? 1000 + i : random_() >> random_() % 64);
      if (alike || Often()) Fill(*object.mutable_base(), alike);
      if (alike || Often()) object.set_type(static_cast<std::int32_t>(random_() % 5) - (Often() ? 0 : 3));
      if (!alike && Often()) {
        for (auto left = random_() % 4; left > 0; --left) {
          object.add_future_trajectory()->mutable_position()->set_x(Number());
        }
        object.set_model_reference("car");
      }
    }
    return truth;
  }

 private:
  bool Often() { return random_() % 4 != 0; }
  double Number() { return static_cast<double>(static_cast<std::int64_t>(random_())) * 1e-12; }
  void Fill(osi3::BaseMoving& base, bool alike) {
    if (alike || Often()) {
      base.mutable_position()->set_x(Number());
      if (alike || Often()) base.mutable_position()->set_y(Number());
      if (alike || Often()) base.mutable_position()->set_z(Number());
    }
    if (alike || Often()) base.mutable_velocity()->set_x(Number());
    if (alike || Often()) base.mutable_orientation_rate()->set_yaw(Number());
  }
  std::mt19937_64 random_;
};

const std::vector<std::string> kPaths = {
    "moving_object[*].base.position.x",
    "moving_object[*].base.position.z",
    "moving_object[*].base.velocity.x",
    "moving_object[*].base.orientation_rate.yaw",
    "moving_object[*].type",
    "moving_object[*].future_trajectory[1].position.x",
    "moving_object[3].base.position.x",
    "timestamp.nanos",
    "host_vehicle_id.value",
};

std::vector<FieldPath> PathsOf(const std::vector<std::string>& texts) {
  std::vector<FieldPath> paths;
  for (const std::string& text : texts) paths.push_back(FieldPath::Parse(Schema::Subset(), "GroundTruth", text));
  return paths;
}

void ExpectSame(bool is_set, double expected, double found, const std::string& where) {
  if (is_set) {
    EXPECT_EQ(found, expected) << where;
  } else {
    EXPECT_TRUE(std::isnan(found)) << where;
  }
}

TEST(FieldTable, ReadsWhatGeneratedCodeReads) {
  FieldTable table(Schema::Subset(), "GroundTruth", PathsOf(kPaths));
  RandomTruth random(1);
  for (int round = 0; round < 400; ++round) {
    const osi3::GroundTruth truth = random.Make();
    const std::string bytes = truth.SerializeAsString();
    table.Read(BytesOf(bytes));
    const std::string where = "round " + std::to_string(round);
    ASSERT_EQ(table.Count(0), static_cast<std::size_t>(truth.moving_object_size())) << where;
    for (int i = 0; i < truth.moving_object_size(); ++i) {
      const osi3::MovingObject& object = truth.moving_object(i);
      const auto at = static_cast<std::size_t>(i);
      EXPECT_EQ(table.Ids(0)[at], object.has_id() ? object.id().value() : FieldTable::kNoId) << where;
      const osi3::BaseMoving& base = object.base();
      ExpectSame(base.position().has_x(), base.position().x(), table.Column(0)[at], where);
      ExpectSame(base.position().has_z(), base.position().z(), table.Column(1)[at], where);
      ExpectSame(base.velocity().has_x(), base.velocity().x(), table.Column(2)[at], where);
      ExpectSame(base.orientation_rate().has_yaw(), base.orientation_rate().yaw(), table.Column(3)[at], where);
      ExpectSame(object.has_type(), object.type(), table.Column(4)[at], where);
      const bool has_second = object.future_trajectory_size() > 1;
      ExpectSame(has_second, has_second ? object.future_trajectory(1).position().x() : 0.0, table.Column(5)[at], where);
    }
    const bool has_fourth = truth.moving_object_size() > 3 && truth.moving_object(3).base().position().has_x();
    ExpectSame(has_fourth, has_fourth ? truth.moving_object(3).base().position().x() : 0.0, table.Column(6)[0], where);
    ExpectSame(truth.timestamp().has_nanos(), truth.timestamp().nanos(), table.Column(7)[0], where);
    ExpectSame(truth.host_vehicle_id().has_value(), static_cast<double>(truth.host_vehicle_id().value()),
               table.Column(8)[0], where);
  }
}

// The same message in two halves is what both merge.
TEST(FieldTable, MergesAsGeneratedCodeDoes) {
  RandomTruth random(2);
  FieldTable table(Schema::Subset(), "GroundTruth", PathsOf({"moving_object[*].base.position.x", "timestamp.nanos"}));
  for (int round = 0; round < 50; ++round) {
    const std::string bytes = random.Make().SerializeAsString() + random.Make().SerializeAsString();
    osi3::GroundTruth truth;
    ASSERT_TRUE(truth.ParseFromString(bytes));
    table.Read(BytesOf(bytes));
    ASSERT_EQ(table.Count(0), static_cast<std::size_t>(truth.moving_object_size()));
    ExpectSame(truth.timestamp().has_nanos(), truth.timestamp().nanos(), table.Column(1)[0], "nanos");
  }
}

// What generated code accepts, ours accepts; a cut or changed byte never does harm.
TEST(FieldReader, AcceptsWhatGeneratedCodeAccepts) {
  RandomTruth random(3);
  std::mt19937_64 dice(4);
  FieldTable table(Schema::Subset(), "GroundTruth", PathsOf(kPaths));
  int accepted = 0;
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = random.Make().SerializeAsString();
    if (bytes.empty()) continue;
    if (round % 2 == 0) bytes.resize(dice() % bytes.size());
    for (auto changes = dice() % 3; changes > 0 && !bytes.empty(); --changes) {
      bytes[dice() % bytes.size()] = static_cast<char>(dice());
    }
    osi3::GroundTruth truth;
    const bool peer = truth.ParseFromString(bytes);
    bool ours = true;
    try {
      table.Read(BytesOf(bytes));
    } catch (const WireError&) {
      ours = false;
    }
    EXPECT_TRUE(ours || !peer) << "round " << round;
    (ours ? accepted : refused) += 1;
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 100);
}

TEST(MessageWriter, WritesTheBytesOfGeneratedCode) {
  osi3::GroundTruth truth;
  MessageWriter writer;
  truth.mutable_version()->set_version_major(3);
  truth.mutable_version()->set_version_minor(8);
  truth.mutable_version()->set_version_patch(0);
  truth.mutable_timestamp()->set_seconds(-1);
  truth.mutable_timestamp()->set_nanos(5);
  WriteHead(writer, {3, 8, 0}, {-1, 5});
  for (int i = 0; i < 50; ++i) {
    MovingObject object;
    object.id = std::uint64_t{1} << i;
    object.type = i % 5;
    object.base.dimension = {4.5, 1.8, 1.5};
    object.base.position = {1.0 * i, -2.0, kUnset};
    osi3::MovingObject& peer = *truth.add_moving_object();
    peer.mutable_id()->set_value(*object.id);
    if (object.type != 0) peer.set_type(object.type);
    peer.mutable_base()->mutable_dimension()->set_length(4.5);
    peer.mutable_base()->mutable_dimension()->set_width(1.8);
    peer.mutable_base()->mutable_dimension()->set_height(1.5);
    peer.mutable_base()->mutable_position()->set_x(1.0 * i);
    peer.mutable_base()->mutable_position()->set_y(-2.0);
    Write(writer, field::ground_truth::kMovingObject, object);
  }
  const Message ours = writer.Written();
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(ours.data()), ours.size()), truth.SerializeAsString());
}

class OsiRelease : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("osi-release-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void WriteFile(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::filesystem::path folder_;
};

std::string WithoutEnums(std::string text) {
  for (auto at = text.find(" enum"); at != std::string::npos; at = text.find(" enum", at))
    text.replace(at, 5, " int32");
  return text;
}

TEST_F(OsiRelease, TheSubsetAsProtoGivesTheSubsetBack) {
  WriteFile("osi_subset.proto", Schema::Subset().Proto());
  Schema read = ReadRelease(folder_.string());
  EXPECT_EQ(read.Version(), "unknown");
  read.SetVersion(Schema::Subset().Version());
  EXPECT_EQ(read.Text(), WithoutEnums(Schema::Subset().Text()));
}

// As a checkout is: a template in the place of the file with the version; units in comments; newer fields.
TEST_F(OsiRelease, ReadsAFreshCheckout) {
  WriteFile("VERSION", "VERSION_MAJOR = 3\nVERSION_MINOR = 9\nVERSION_PATCH = 1\n");
  WriteFile("osi_version.proto.in",
            "syntax = \"proto2\";\nimport \"google/protobuf/descriptor.proto\";\npackage osi3;\n"
            "message InterfaceVersion { optional uint32 version_major = 1; optional uint32 version_minor = 2;\n"
            "  optional uint32 version_patch = 3; }\n"
            "extend google.protobuf.FileOptions { optional InterfaceVersion current_interface_version = 81000; }\n"
            "option (current_interface_version).version_major = @VERSION_MAJOR@;\n"
            "option (current_interface_version).version_minor = @VERSION_MINOR@;\n"
            "option (current_interface_version).version_patch = @VERSION_PATCH@;\n");
  WriteFile("osi_groundtruth.proto",
            "syntax = \"proto2\";\nimport \"osi_version.proto\";\npackage osi3;\n"
            "message GroundTruth { optional InterfaceVersion version = 1;\n"
            "  // How fast.\n  //\n  // Unit: m/s\n  //\n  optional double flow = 99;\n"
            "  // Unit: m, m/s, or m/s^2\n  optional double many = 100;\n  enum Kind { A = 0; }\n"
            "  repeated Kind kind = 101; message Inner { optional bytes data = 1; } repeated Inner inner = 102; }\n"
            "message SensorView { optional GroundTruth global_ground_truth = 7; }\n");
  const Schema read = ReadRelease(folder_.string());
  EXPECT_EQ(read.Version(), "3.9.1");
  EXPECT_EQ(read.Require("GroundTruth").Find("flow")->unit, "m/s");
  EXPECT_EQ(read.Require("GroundTruth").Find("many")->unit, "");
  EXPECT_EQ(read.Require("GroundTruth").Find("inner")->message, "GroundTruth.Inner");
  EXPECT_TRUE(read.Require("GroundTruth").Find("kind")->is_repeated);
  EXPECT_EQ(Schema::Parse(read.Text(), "again").Text(), read.Text());
}

TEST_F(OsiRelease, SaysWhatIsWrong) {
  EXPECT_THAT([&] { ReadRelease((folder_ / "nowhere").string()); },
              ThrowsMessage<openmi::FileError>(HasSubstr("found nothing there")));
  EXPECT_THAT([&] { ReadRelease(folder_.string()); },
              ThrowsMessage<openmi::FileError>(HasSubstr("osi_groundtruth.proto")));
  WriteFile("a.proto", "syntax = \"proto2\"; package osi3; message A { optional B b = 1; }");
  EXPECT_THAT([&] { ReadRelease(folder_.string()); },
              ThrowsMessage<openmi::FormatError>(AllOf(HasSubstr("a.proto:1"), HasSubstr("\"B\" is not defined"))));
  WriteFile("a.proto", "syntax = \"proto2\"; package osi3; message A { optional double b = 1; }");
  EXPECT_THAT([&] { ReadRelease(folder_.string()); }, ThrowsMessage<openmi::FileError>(HasSubstr("GroundTruth")));
  WriteFile("a.pb", "no set at all");
  EXPECT_THAT([&] { ReadRelease((folder_ / "a.pb").string()); },
              ThrowsMessage<openmi::FormatError>(HasSubstr("--descriptor_set_out")));
}

}  // namespace
