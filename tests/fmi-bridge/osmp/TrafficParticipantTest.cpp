// Our traffic participant, as a component.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/fmi-bridge/osmp/ModelPair.hpp"

namespace openmi::osmp {
namespace {

namespace action = osi::field::traffic_action;

osi::MovingObject Own(Pair& pair) {
  osi::MovingObject object;
  for (osi::FieldReader in(BytesOf(ItemNamed<ValueOutput>(pair.fmu, "OSMPTrafficUpdateOut"))); in.Next();) {
    if (in.Number() == osi::field::traffic_update::kUpdate) osi::Merge(in.Content(), object);
  }
  return object;
}

std::string ParticipantPath(int version) {
  return fmi::ExamplePath(version, "TrafficParticipant").string();
}

TEST(TrafficParticipant, TakesUpTheSpeedItWantsAndKeepsItsDistance) {
  for (const int version : {2, 3}) {
    // It begins at 10 m/s; another stands 150 m before it.
    Pair pair(ParticipantPath(version), [](int step) {
      return SensorViewBytes(0.02 * step, 1, {{.id = 1, .speed = 10}, {.id = 2, .x = 150}});
    });
    pair.driver.Set("wanted_speed", "15").Set("end-time", "2020-01-01T00:01:00Z");
    pair.source_driver.Set("end-time", "2020-01-01T00:01:00Z");
    pair.Initialize();
    pair.Prepare();
    double fastest = 0.0;
    double before = 0.0;
    for (int i = 0; i < 2900; ++i) {
      pair.driver.Update();
      const osi::MovingObject own = Own(pair);
      EXPECT_EQ(own.id, 1u);
      EXPECT_GE(own.base.position.a, before);
      before = own.base.position.a;
      fastest = std::max(fastest, own.base.velocity.a);
    }
    EXPECT_GT(fastest, 11.0);
    EXPECT_LT(fastest, 15.0);
    // 4 m behind its middle to the front of the other, its own 2 m, and the gap of 2 m.
    EXPECT_NEAR(before, 150.0 - 4.0 - 2.0, 0.5);
    EXPECT_LT(Own(pair).base.velocity.a, 0.1);
  }
}

Bytes8 Command(std::uint32_t kind, const std::function<void(osi::MessageWriter&)>& fill, std::uint64_t to = 0) {
  osi::MessageWriter out;
  osi::WriteHead(out, {}, {});
  if (to != 0) osi::WriteIdentifier(out, osi::field::traffic_command::kParticipantId, to);
  out.Begin(osi::field::traffic_command::kAction);
  out.Begin(kind);
  out.Begin(action::kHeader);
  osi::WriteIdentifier(out, action::kActionId, 4711);
  out.End();
  fill(out);
  out.End();
  out.End();
  const osi::Message written = out.Written();
  return {written.begin(), written.end()};
}

TEST(TrafficParticipant, DoesAsItIsTold) {
  Pair pair(
      ParticipantPath(2),
      [](int step) {
        if (step == 1) return Command(action::kSpeed, [](auto& out) { out.Double(action::speed::kTarget, 5.0); });
        if (step == 300) {
          return Command(action::kTeleport, [](auto& out) {
            osi::Write(out, action::position::kPosition, osi::Triple{1000.0, 7.0, 0.0});
          });
        }
        if (step == 310) {
          return Command(action::kFollowTrajectory, [](auto& out) {
            for (int i = 1; i <= 2; ++i) {
              out.Begin(action::follow::kPoint);
              osi::Write(out, osi::field::state_point::kTimestamp, osi::TimestampOf(0.5 * i));
              osi::Write(out, osi::field::state_point::kPosition, osi::Triple{1000.0, 7.0 + 10.0 * i, 0.0});
              out.End();
            }
          });
        }
        if (step == 400) return Command(action::kLaneChange, [](auto&) {});
        return Bytes8();
      },
      "TrafficCommand");
  pair.driver.Set("initial_speed", "10").Set("id", "9");
  pair.Initialize("OSMPTrafficCommandIn");
  pair.Prepare();
  for (int i = 1; i < 300; ++i) pair.driver.Update();
  EXPECT_NEAR(Own(pair).base.velocity.a, 5.0, 0.1);
  pair.driver.Update();
  EXPECT_NEAR(Own(pair).base.position.a, 1000.1, 0.05);
  EXPECT_EQ(Own(pair).base.position.b, 7.0);
  for (int i = 301; i < 310 + 50; ++i) pair.driver.Update();
  EXPECT_NEAR(Own(pair).base.position.b, 27.0, 0.5);  // half a second for each 10 m
  EXPECT_NEAR(Own(pair).base.velocity.b, 20.0, 1e-6);
  EXPECT_NEAR(Own(pair).base.orientation.c, std::acos(0.0), 1e-12);
  const auto& answers = ItemNamed<ValueOutput>(pair.fmu, "OSMPTrafficCommandUpdateOut");
  EXPECT_TRUE(BytesOf(answers).empty());
  for (int i = 360; i < 400; ++i) pair.driver.Update();
  pair.driver.Update();
  std::uint64_t dismissed = 0;
  for (osi::FieldReader in(BytesOf(answers)); in.Next();) {
    if (in.Number() != osi::field::traffic_command_update::kDismissedAction) continue;
    for (osi::FieldReader one(in.Content()); one.Next();) {
      if (one.Number() == osi::field::traffic_command_update::dismissed::kActionId) {
        dismissed = osi::ReadIdentifier(one.Content()).value_or(0);
      }
    }
  }
  EXPECT_EQ(dismissed, 4711u);
}

TEST(TrafficParticipant, ObeysNoCommandToAnother) {
  for (const auto& [to, wanted] : {std::pair(8, 15.0), std::pair(9, 5.0), std::pair(0, 5.0)}) {
    Pair pair(
        ParticipantPath(2),
        [to = to](int) {
          return Command(
              action::kSpeed, [](auto& out) { out.Double(action::speed::kTarget, 5.0); },
              static_cast<std::uint64_t>(to));
        },
        "TrafficCommand");
    pair.driver.Set("initial_speed", "15").Set("wanted_speed", "15").Set("id", "9");
    pair.Initialize("OSMPTrafficCommandIn");
    pair.Prepare();
    for (int i = 0; i < 450; ++i) pair.driver.Update();
    EXPECT_NEAR(Own(pair).base.velocity.a, wanted, 0.1) << "a command to " << to;
  }
}

}  // namespace
}  // namespace openmi::osmp
