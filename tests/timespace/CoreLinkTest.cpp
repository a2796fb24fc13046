// Links without time and space, and values that are no plain numbers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/LinkableComponentOf.hpp"
#include "openmi/sdk/NestedValueSet.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "timespace/testing/Driver.hpp"
#include "timespace/testing/ProbeInput.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Indices = std::vector<std::size_t>;

std::unique_ptr<const IValueDefinition> Metres() {
  return std::make_unique<Quantity>(Unit::Parse("m"));
}

/// What a user's own type may look like.
struct GateSchedule {
  std::string gate;
  std::vector<double> openings;
};

/// What says that values are gate schedules.
class ScheduleDefinition final : public DescribedAs<IValueDefinition> {
 public:
  openmi::ValueType ValueType() const override { return openmi::ValueType::ObjectOf<GateSchedule>(); }
  Value MissingDataValue() const override { return {}; }
};

/// Lengths of lists of lists of lists: ragged at each level.
class Planner final : public LinkableComponent {
 public:
  Planner() : LinkableComponent("planner") {
    lengths_ = &TakeOutput(std::make_unique<BaseOutput>(
        "lengths", Metres(), this, std::make_unique<NestedValueSet>(ValueType{ValueKind::Double}, 3)));
    schedules_ = &TakeOutput(std::make_unique<BaseOutput>(
        "schedules", std::make_unique<ScheduleDefinition>(), this,
        std::make_unique<NestedValueSet>(ValueType::ObjectOf<GateSchedule>(), std::initializer_list<std::size_t>{1})));
  }

 private:
  void OnPrepare() override { Fill(0); }
  UpdateResult OnUpdate(std::span<IBaseOutput* const>) override {
    Fill(++round_);
    return round_ < 3 ? UpdateResult::Updated : UpdateResult::Done;
  }
  void Fill(int round) {
    auto& lengths = dynamic_cast<NestedValueSet&>(lengths_->EditValues());
    lengths.Resize({}, 2);
    lengths.Resize({0}, 1);
    lengths.Resize({1}, 3);
    lengths.Resize({0, 0}, 4);
    for (std::size_t i = 0; i < 3; ++i) lengths.Resize({1, i}, i);
    lengths.SetValue(Indices{0, 0, 3}, 30.0 + round);
    lengths.SetValue(Indices{1, 2, 1}, 1.0 + round);
    lengths_->Publish();
    const auto schedule = std::make_shared<const GateSchedule>(GateSchedule{"north", {0.5, 1.0 * round}});
    schedules_->EditValues().SetValue(Indices{0}, Value::Of(schedule));
    schedules_->Publish();
  }
  BaseOutput* lengths_ = nullptr;
  BaseOutput* schedules_ = nullptr;
  int round_ = 0;
};

/// Reads what a planner says.
class Operator final : public LinkableComponent {
 public:
  Operator() : LinkableComponent("operator") {
    lengths_ = &TakeInput(std::make_unique<BaseInput>("lengths", Metres(), this));
    schedules_ = &TakeInput(std::make_unique<BaseInput>("schedules", std::make_unique<ScheduleDefinition>(), this));
  }
  double sum = 0.0;
  double opening = 0.0;

 private:
  UpdateResult OnUpdate(std::span<IBaseOutput* const>) override {
    lengths_->Provider()->Component()->Update({});
    lengths_->SetValues(&lengths_->Provider()->GetValues(*lengths_));
    schedules_->SetValues(&schedules_->Provider()->GetValues(*schedules_));
    const IBaseValueSet& lengths = *lengths_->Values();
    sum = 0.0;
    for (std::size_t i = 0; i < lengths.GetIndexCount({}); ++i) {
      for (std::size_t j = 0; j < lengths.GetIndexCount(Indices{i}); ++j) {
        for (std::size_t k = 0; k < lengths.GetIndexCount(Indices{i, j}); ++k) {
          const double length = lengths.GetValue(Indices{i, j, k}).Number().value();
          if (!std::isnan(length)) sum += length;  // the others were never set
        }
      }
    }
    opening = schedules_->Values()->GetValue(Indices{0}).ObjectAs<GateSchedule>()->openings[1];
    return UpdateResult::Updated;
  }
  BaseInput* lengths_ = nullptr;
  BaseInput* schedules_ = nullptr;
};

TEST(CoreLink, CarriesRaggedValuesOfThreeIndicesAndObjectsOfAUser) {
  Planner planner;
  Operator gate;
  for (LinkableComponent* component :
       {static_cast<LinkableComponent*>(&planner), static_cast<LinkableComponent*>(&gate)}) {
    component->Initialize();
  }
  for (std::size_t i = 0; i < 2; ++i) planner.Outputs()[i]->AddConsumer(*gate.Inputs()[i]);
  planner.Validate();
  gate.Validate();
  planner.Prepare();
  gate.Prepare();
  for (int round = 1; round <= 3; ++round) {
    gate.Update({});
    EXPECT_EQ(gate.sum, 31.0 + 2.0 * round);
    EXPECT_EQ(gate.opening, round);
  }
  EXPECT_EQ(planner.Status(), LinkableComponentStatus::Done);
  const IBaseValueSet& lengths = planner.Outputs()[0]->Values();
  EXPECT_EQ(lengths.NumberOfIndices(), 3u);
  EXPECT_EQ(lengths.GetIndexCount(Indices{0}), 1u);
  EXPECT_EQ(lengths.GetIndexCount(Indices{1}), 3u);
  EXPECT_EQ(lengths.GetIndexCount(Indices{1, 0}), 0u);
  EXPECT_THROW(static_cast<void>(lengths.GetValue(Indices{0, 0})), RangeError);
  EXPECT_THROW(static_cast<void>(lengths.GetValue(Indices{1, 0, 0})), RangeError);
  gate.Finish();
  planner.Finish();
}

TEST(CoreLink, AnswersAnybodyWhoAsks) {
  Planner planner;
  planner.Initialize();
  planner.Prepare();
  ProbeInput stranger;
  EXPECT_EQ(planner.Outputs()[0]->GetValues(stranger).GetValue(Indices{1, 2, 1}), Value(1.0));
}

TEST(CoreLink, AnObjectKeepsItsTypeAndIsShared) {
  const auto schedule = std::make_shared<const GateSchedule>(GateSchedule{"north", {1.0}});
  const Value value = Value::Of(schedule);
  EXPECT_EQ(value.ObjectAs<GateSchedule>(), schedule);
  EXPECT_EQ(value.ObjectAs<std::string>(), nullptr);
  EXPECT_EQ(value.Kind(), ValueKind::Object);
  ObjectValueSet set(ValueType::ObjectOf<GateSchedule>(), 1, 2);
  set.SetValue(0, 1, value);
  EXPECT_EQ(set.GetValue(0, 1).ObjectAs<GateSchedule>()->gate, "north");
  EXPECT_TRUE(set.GetValue(0, 0).IsEmpty());
  EXPECT_THAT([&] { set.SetValue(0, 0, 3.0); }, ThrowsMessage<TypeError>(HasSubstr("found double")));
}

TEST(ProbeInput, RefusesValuesWithoutTimes) {
  ProbeInput probe;
  const NestedValueSet nested(ValueType{ValueKind::Double}, {2, 2, 2});
  EXPECT_THAT([&] { probe.SetValues(&nested); }, ThrowsMessage<TypeError>(HasSubstr("3 indices")));
  probe.SetValues(nullptr);
  EXPECT_EQ(probe.Values(), nullptr);
}

}  // namespace
}  // namespace openmi
