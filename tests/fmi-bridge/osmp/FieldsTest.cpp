#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "fmi-bridge/osmp/fields/FieldPath.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/values/BytesValueSet.hpp"

namespace {

using namespace openmi;
using namespace openmi::osi;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(OsiSchema, TheSubsetKnowsWhatEveryReleaseHas) {
  const Schema& subset = Schema::Subset();
  EXPECT_EQ(subset.Require("GroundTruth").Find("moving_object")->number, 5U);
  EXPECT_EQ(subset.Require("SensorView").Find("global_ground_truth")->message, "GroundTruth");
  EXPECT_EQ(subset.Require("BaseMoving").Find("velocity")->unit, "m/s");
  EXPECT_EQ(subset.Require("HostVehicleData").Find(9U)->name, "version");
  for (const std::string& name : subset.MessageNames()) {
    for (const FieldInfo& field : subset.Require(name).fields) {
      if (field.unit.empty()) continue;
      EXPECT_NO_THROW(Unit::Parse(field.unit)) << name << "." << field.name;
    }
  }
  EXPECT_EQ(Schema::Parse(subset.Text(), "again").Text(), subset.Text());
  EXPECT_THAT([&] { subset.Require("GroundTrut"); }, ThrowsMessage<ArgumentError>(HasSubstr("GroundTruth")));
}

TEST(OsiSchema, RefusesTextsThatAreNoTables) {
  const auto refusal = [](const std::string& text) {
    try {
      Schema::Parse(text, "mine.osi-table");
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal(""), HasSubstr("empty"));
  EXPECT_THAT(refusal("syntax = \"proto2\";"), AllOf(HasSubstr("mine.osi-table:1"), HasSubstr("openmi osmp schema")));
  const std::string head = "openmi osi table 1\nversion 3.7.0\n";
  EXPECT_THAT(refusal(head + "1 x double"), AllOf(HasSubstr(":3"), HasSubstr("before the first field")));
  EXPECT_THAT(refusal(head + "message A\n0 x double"), HasSubstr("1 to 536870911"));
  EXPECT_THAT(refusal(head + "message A\n1x x double"), HasSubstr("number name type"));
  EXPECT_THAT(refusal(head + "message A\n1 x"), HasSubstr("number name type"));
  EXPECT_THAT(refusal(head + "message A\n1 x double\n1 y double"), AllOf(HasSubstr(":5"), HasSubstr("once, found '")));
  EXPECT_THAT(refusal(head + "message A\n1 x double\n2 x double"), HasSubstr("once, found '"));
  EXPECT_THAT(refusal(head + "message A\nmessage A\n"), HasSubstr("'A' again"));
  EXPECT_THAT(refusal(head + "message A\n1 x Vector9d"), AllOf(HasSubstr("Vector9d"), HasSubstr("A.x")));
}

FieldPath PathOf(const std::string& text, const std::string& message = "GroundTruth") {
  return FieldPath::Parse(Schema::Subset(), message, text);
}

TEST(OsiFieldPath, FindsNumberAndUnit) {
  EXPECT_EQ(PathOf("moving_object[*].base.position.x").unit, "m");
  EXPECT_EQ(PathOf("moving_object[*].base.velocity.x").unit, "m/s");
  EXPECT_EQ(PathOf("moving_object[*].base.orientation_rate.yaw").unit, "rad/s");
  EXPECT_EQ(PathOf("moving_object[*].base.position.x").ListText(), "moving_object");
  EXPECT_EQ(PathOf("global_ground_truth.moving_object[*].type", "SensorView").ListText(),
            "global_ground_truth.moving_object");
  EXPECT_EQ(PathOf("moving_object[2].base.position.x").ListText(), "");
  EXPECT_EQ(PathOf("timestamp.seconds").unit, "s");
  EXPECT_EQ(IdPath(Schema::Subset(), "MovingObject").size(), 2U);
  EXPECT_EQ(IdPath(Schema::Subset(), "DetectedMovingObject").size(), 3U);
  EXPECT_EQ(IdPath(Schema::Subset(), "Vector3d").size(), 0U);
}

TEST(OsiFieldPath, SaysWhatIsWrongWithAPathAndWhatToWrite) {
  const auto refuses = [](const std::string& text, const auto& matcher) {
    EXPECT_THAT([&] { PathOf(text); }, ThrowsMessage<ArgumentError>(AllOf(HasSubstr("'" + text + "'"), matcher)));
  };
  refuses("moving_objekt[*].base.position.x", HasSubstr("moving_object"));
  refuses("moving_object.base.position.x", HasSubstr("moving_object[*]"));
  refuses("moving_object[*].base[0].position.x", HasSubstr("not repeated"));
  refuses("moving_object[-1].base.position.x", HasSubstr("a number from 0 on"));
  refuses("moving_object[*", HasSubstr("a number from 0 on"));
  refuses("moving_object[*].base.position", AllOf(HasSubstr("found a message"), HasSubstr("position.x")));
  refuses("moving_object[*].base.position.x.y", HasSubstr("nothing after 'x'"));
  refuses("moving_object[*].future_trajectory[*].position.x", HasSubstr("one '[*]' at most"));
  refuses("map_reference", HasSubstr("found a string"));
  refuses("", HasSubstr("a field of GroundTruth"));
}

TEST(BytesValueSet, ShowsBytesWithoutACopy) {
  BytesValueSet set(2);
  const std::vector<std::byte> mine(5, std::byte{7});
  EXPECT_TRUE(set.GetValue(0, 0).IsEmpty());
  set.Show(0, mine);
  EXPECT_EQ(set.BytesAt(0, 0).data(), mine.data());
  EXPECT_EQ(set.GetValue(0, 0), Value(mine));
  set.Keep(1, mine);
  const std::byte* kept = set.BytesAt(0, 1).data();
  EXPECT_NE(kept, mine.data());
  set.Keep(1, std::span(mine).first(3));
  EXPECT_EQ(set.BytesAt(0, 1).data(), kept) << "memory is used again";
  EXPECT_EQ(set.BytesAt(0, 1).size(), 3U);
  EXPECT_THROW(set.SetValue(0, 0, Value(1.0)), TypeError);
  EXPECT_THROW(set.BytesAt(0, 2), RangeError);
  EXPECT_THROW(set.BytesAt(1, 0), RangeError);
}

}  // namespace
