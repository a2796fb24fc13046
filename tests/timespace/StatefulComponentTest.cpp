#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "openmi/sdk/Error.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/testing/Driver.hpp"
#include "timespace/testing/ProbeInput.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A logistic map: chaotic, so that the last bit of a state shows after some steps.
class Chaos final : public StatefulSteppingComponent {
 public:
  explicit Chaos(const std::string& id = "chaos", int version = 1)
      : StatefulSteppingComponent(id, "PT0.001S"), version_(version) {
    value_ = AddOutput("value", "1", {.initial = 0.3});
    mean_ = AddOutput("mean", "1", {.gives = OutputTime::Span});
    SetRestartable(true);
  }
  double hidden = 0.1;
  bool refuse = false;
  bool fail = false;

 private:
  void Start(Stamp) override { hidden = 0.1; }
  void Step(Stamp, Stamp) override {
    hidden = 3.99 * hidden * (1.0 - hidden);
    const double before = value_.Get();
    if (fail) throw ModelError({}, "the solver gives up");
    value_.Set(3.97 * before * (1.0 - before));
    mean_.Set(0.5 * (before + value_.Get()) + hidden);
  }
  void SaveState(StateWriter& writer) const override { writer.Write(hidden); }
  void LoadState(StateReader& reader) override {
    hidden = reader.ReadDouble();
    if (refuse && hidden != 0.5) throw ModelError({}, "the solver does not want it");
  }
  int StateVersion() const override { return version_; }
  int version_;
  ScalarOutput value_, mean_;
};

void Prepare(Chaos& chaos) {
  Driver driver(chaos);
  driver.Set("start-time", "2020-01-01T00:00:00.0004Z").Set("end-time", "2020-01-01T01:00Z");
  driver.Initialize();
  driver.Prepare();
}

/// Bits of the values and times of the next steps.
std::vector<std::vector<double>> NextSteps(Chaos& chaos, int steps) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < steps; ++i) {
    chaos.Update({});
    std::vector<double>& row = rows.emplace_back();
    row.push_back(chaos.CurrentTime().mjd);
    for (const IBaseOutput* output : chaos.Outputs()) {
      const auto& item = dynamic_cast<const NumericOutput&>(*output);
      row.push_back(item.LastRow()[0]);
      row.push_back(item.TimeSet()->Times()[0]->StampAsModifiedJulianDay());
      row.push_back(item.TimeSet()->Times()[0]->DurationInDays());
    }
  }
  return rows;
}

TEST(StatefulComponent, GoesOnFromARestoredStateToTheLastBit) {
  Chaos chaos;
  Prepare(chaos);
  NextSteps(chaos, 137);
  const IIdentifiable& kept = chaos.KeepCurrentState();
  const auto first = NextSteps(chaos, 500);
  chaos.RestoreState(kept);
  EXPECT_EQ(NextSteps(chaos, 500), first);
  chaos.RestoreState(kept);  // it stays kept
  EXPECT_EQ(NextSteps(chaos, 500), first);
}

TEST(StatefulComponent, StatesTravelAsBytesToAnotherInstance) {
  Chaos chaos;
  Prepare(chaos);
  NextSteps(chaos, 41);
  const Bytes bytes = chaos.ConvertToByteArray(chaos.KeepCurrentState());
  const auto first = NextSteps(chaos, 300);
  Chaos other;
  Prepare(other);
  const IIdentifiable& received = other.ConvertFromByteArray(bytes);
  EXPECT_EQ(other.hidden, 0.1);  // converting does not make it current
  other.RestoreState(received);
  EXPECT_EQ(NextSteps(other, 300), first);
  EXPECT_EQ(other.ConvertToByteArray(received), bytes);
}

TEST(StatefulComponent, RestoresRowsThatSomebodyMayStillAskFor) {
  Chaos chaos;
  Prepare(chaos);
  ProbeInput probe;
  auto& value = dynamic_cast<NumericOutput&>(*chaos.Outputs()[0]);
  value.AddConsumer(probe);
  NextSteps(chaos, 20);
  const Stamp tenth = value.History().End(10);
  const double then = probe.Value(value, tenth);
  const IIdentifiable& kept = chaos.KeepCurrentState();
  probe.PromiseNothingBefore(value.History().LatestEnd());
  NextSteps(chaos, 20);
  EXPECT_THROW(probe.Value(value, tenth), RangeError);
  chaos.RestoreState(kept);
  probe.PromiseNothingBefore(kFarPast);
  EXPECT_EQ(probe.Value(value, tenth), then);
}

TEST(StatefulComponent, TheEndOfOneRunIsTheBeginOfTheNext) {
  const auto ready = [](Chaos& chaos, const char* start, const char* end) {
    Driver driver(chaos);
    driver.Set("start-time", start).Set("end-time", end).Set("time-step", "PT1S");
    driver.Initialize();
    driver.Prepare();
  };
  Chaos whole, first, second;
  ready(whole, "2020-01-01T00:00Z", "2020-01-01T00:02Z");
  ready(first, "2020-01-01T00:00Z", "2020-01-01T00:01Z");
  ready(second, "2020-01-01T00:01Z", "2020-01-01T00:02Z");
  Driver(first).UpdateToEnd();
  second.RestoreState(second.ConvertFromByteArray(first.ConvertToByteArray(first.KeepCurrentState())));
  NextSteps(whole, 60);
  const auto expected = NextSteps(whole, 60);
  const auto found = NextSteps(second, 60);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(SameTime(Stamp{found[i][0]}, Stamp{expected[i][0]}));
    EXPECT_EQ(found[i][1], expected[i][1]) << i;
    EXPECT_EQ(found[i][4], expected[i][4]) << i;
  }
  EXPECT_EQ(second.Status(), LinkableComponentStatus::Done);
}

TEST(StatefulComponent, ComesBackFromDone) {
  Chaos chaos;
  Driver driver(chaos);
  driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T00:00:00.020Z");
  driver.Initialize();
  driver.Prepare();
  const IIdentifiable& kept = chaos.KeepCurrentState();
  driver.UpdateToEnd();
  const double last = chaos.hidden;
  ASSERT_EQ(chaos.Status(), LinkableComponentStatus::Done);
  chaos.RestoreState(kept);
  EXPECT_EQ(chaos.Status(), LinkableComponentStatus::Updated);
  EXPECT_EQ(chaos.hidden, 0.1);
  driver.UpdateToEnd();
  EXPECT_EQ(chaos.hidden, last);
}

TEST(StatefulComponent, ComesBackFromAFailure) {
  Chaos chaos;
  Prepare(chaos);
  NextSteps(chaos, 3);
  const IIdentifiable& kept = chaos.KeepCurrentState();
  const auto first = NextSteps(chaos, 10);
  chaos.fail = true;
  EXPECT_THROW(chaos.Update({}), ModelError);
  ASSERT_EQ(chaos.Status(), LinkableComponentStatus::Failed);
  EXPECT_THROW(chaos.KeepCurrentState(), StateError);
  chaos.fail = false;
  chaos.RestoreState(kept);
  EXPECT_EQ(NextSteps(chaos, 10), first);
}

TEST(StatefulComponent, RefusesUnknownStatesAndCallsAtTheWrongTime) {
  Chaos chaos;
  EXPECT_THAT([&] { chaos.KeepCurrentState(); }, ThrowsMessage<StateError>(HasSubstr("found Created")));
  Prepare(chaos);
  const std::string id = chaos.KeepCurrentState().Id();
  const Identifier known(id), unknown("no-such-state");
  chaos.RestoreState(known);  // by id, not by address
  EXPECT_THAT([&] { chaos.RestoreState(unknown); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("'no-such-state'"), HasSubstr(id))));
  EXPECT_THROW(chaos.ClearState(unknown), ArgumentError);
  EXPECT_THROW(chaos.ConvertToByteArray(unknown), ArgumentError);
  chaos.ClearState(known);
  EXPECT_THROW(chaos.RestoreState(known), ArgumentError);
  EXPECT_THROW(chaos.ClearState(known), ArgumentError);
}

TEST(StatefulComponent, RefusesBytesThatAreNoStateOfIt) {
  Chaos chaos;
  Prepare(chaos);
  NextSteps(chaos, 5);
  const Bytes bytes = chaos.ConvertToByteArray(chaos.KeepCurrentState());
  // Cut off anywhere, and with any bit of any byte turned: never read beyond, never taken.
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(chaos.ConvertFromByteArray(std::span(bytes).first(length)), FormatError) << length;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    Bytes changed = bytes;
    changed[i] ^= std::byte{static_cast<unsigned char>(1 << (i % 8))};
    EXPECT_THROW(chaos.ConvertFromByteArray(changed), FormatError) << i;
  }
  Bytes longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THROW(chaos.ConvertFromByteArray(longer), FormatError);
  Chaos other("order");
  EXPECT_THAT([&] { other.ConvertFromByteArray(bytes); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("'order'"), HasSubstr("'chaos'"))));
  Chaos newer("chaos", 2);
  EXPECT_THAT([&] { newer.ConvertFromByteArray(bytes); }, ThrowsMessage<FormatError>(HasSubstr("version 2")));
}

TEST(StatefulComponent, RefusesAStateOutsideTheRun) {
  Chaos chaos;
  Prepare(chaos);
  NextSteps(chaos, 5);
  const Bytes bytes = chaos.ConvertToByteArray(chaos.KeepCurrentState());
  Chaos later;
  Driver driver(later);
  driver.Set("start-time", "2021-01-01T00:00Z").Set("end-time", "2021-01-01T01:00Z");
  driver.Initialize();
  driver.Prepare();
  const IIdentifiable& received = later.ConvertFromByteArray(bytes);
  EXPECT_THAT([&] { later.RestoreState(received); }, ThrowsMessage<FormatError>(HasSubstr("2021-01-01")));
}

TEST(StatefulComponent, ARefusedStateChangesNothing) {
  Chaos chaos;
  Prepare(chaos);
  NextSteps(chaos, 5);
  const IIdentifiable& kept = chaos.KeepCurrentState();
  NextSteps(chaos, 5);
  chaos.hidden = 0.5;
  chaos.refuse = true;
  const Stamp now = chaos.CurrentTime();
  EXPECT_THROW(chaos.RestoreState(kept), ModelError);
  EXPECT_EQ(chaos.hidden, 0.5);
  EXPECT_EQ(chaos.CurrentTime(), now);
  EXPECT_EQ(chaos.Status(), LinkableComponentStatus::Updated);
}

TEST(StateBytes, GiveBackWhatWasWritten) {
  StateWriter writer;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> row = {1.0, -0.0, nan, std::numeric_limits<double>::denorm_min()};
  writer.Write(true);
  writer.Write(std::int64_t{-42});
  writer.Write(7);
  writer.Write(0.1);
  writer.Write("text");
  writer.Write(row);
  const std::vector<std::byte> three(3, std::byte{7});
  writer.Write(std::span<const std::byte>(three));
  StateReader reader(writer.Bytes());
  EXPECT_TRUE(reader.ReadBool());
  EXPECT_EQ(reader.ReadInteger(), -42);
  EXPECT_EQ(reader.ReadInteger(), 7);
  EXPECT_EQ(reader.ReadDouble(), 0.1);
  EXPECT_EQ(reader.ReadText(), "text");
  const std::vector<double> back = reader.ReadDoubles();
  ASSERT_EQ(back.size(), row.size());
  EXPECT_TRUE(std::signbit(back[1]));
  EXPECT_TRUE(std::isnan(back[2]));
  EXPECT_EQ(back[3], row[3]);
  EXPECT_EQ(reader.ReadBytes().size(), 3u);
  EXPECT_TRUE(reader.AtEnd());
  EXPECT_THROW(reader.ReadBool(), FormatError);
  StateReader wrong(writer.Bytes());
  EXPECT_THAT([&] { wrong.ReadDouble(); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("a number"), HasSubstr("a boolean"))));
  EXPECT_THROW(wrong.RequireEnd(), FormatError);
}

TEST(StateBytes, RandomBytesAreRefusedNotBelieved) {
  std::mt19937 random(20200101);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes(std::uniform_int_distribution<std::size_t>(0, 40)(random));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    if (!bytes.empty()) bytes[0] = static_cast<std::byte>("bidtDB"[random() % 6]);
    StateReader reader(bytes);
    try {
      switch (random() % 4) {
        case 0:
          static_cast<void>(reader.ReadDoubles());
          break;
        case 1:
          static_cast<void>(reader.ReadText());
          break;
        case 2:
          static_cast<void>(reader.ReadBytes());
          break;
        default:
          static_cast<void>(reader.ReadDouble());
      }
    } catch (const FormatError&) {
    }
  }
}

}  // namespace
}  // namespace openmi
