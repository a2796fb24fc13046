#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "timespace/SteppingComponent.hpp"

namespace openmi {
namespace {

using ::testing::HasSubstr;
using S = LinkableComponentStatus;

class Reservoir : public SteppingComponent {
 public:
  explicit Reservoir(double inflow = NAN) : SteppingComponent("linear-reservoir") {
    k_ = AddArgument<double>("k", {.caption = "storage coefficient", .unit = "d", .value = 2.0, .minimum = 1e-6});
    InputOptions options;
    if (!std::isnan(inflow)) options.default_value = inflow;
    inflow_ = AddInput("inflow", "m3 s-1", options);
    outflow_ = AddOutput("outflow", "m3 s-1");
  }

 private:
  void Step(Stamp from, Stamp to) override {
    const double decay = std::exp(-(to - from).count / k_.Value());
    outflow_.Set(outflow_.Get() * decay + inflow_.Get() * (1.0 - decay));
  }
  Argument<double> k_;
  ScalarInput inflow_;
  ScalarOutput outflow_;
};

void Set(IBaseLinkableComponent& component, const std::string& key, const std::string& value) {
  for (IArgument* argument : component.Arguments()) {
    if (argument->Id() == key) argument->SetValueAsString(value);
  }
}

void SetTimes(IBaseLinkableComponent& component, const std::string& step = "PT1H") {
  Set(component, "start-time", "2020-01-01T00:00Z");
  Set(component, "end-time", "2020-01-03T00:00Z");
  Set(component, "time-step", step);
}

TEST(SteppingComponent, FollowsTheExactSolutionOfALinearReservoir) {
  Reservoir reservoir(3.0);
  SetTimes(reservoir);
  reservoir.Initialize();
  reservoir.Validate();
  reservoir.Prepare();
  while (reservoir.Status() == S::Updated) reservoir.Update({});
  EXPECT_EQ(reservoir.Status(), S::Done);
  const double value = *reservoir.Outputs()[0]->Values().GetValue(std::vector<std::size_t>{0, 0}).As<double>();
  EXPECT_NEAR(value, 3.0 * (1.0 - std::exp(-1.0)), 1e-12);  // two days with k = 2 d
}

TEST(SteppingComponent, PullsItsProviderAndEndsWhereTheRunEnds) {
  Reservoir upper(3.0);
  Reservoir lower;
  for (Reservoir* reservoir : {&upper, &lower}) {
    SetTimes(*reservoir);
    reservoir->Initialize();
  }
  upper.Outputs()[0]->AddConsumer(*lower.Inputs()[0]);
  EXPECT_THAT(lower.Validate(), ::testing::IsEmpty());
  EXPECT_EQ(lower.Status(), S::Valid);
  upper.Prepare();
  lower.Prepare();
  int steps = 0;
  while (lower.Status() == S::Updated) {
    lower.Update({});
    ++steps;
    EXPECT_TRUE(SameTime(upper.CurrentTime(), lower.CurrentTime()));
  }
  EXPECT_EQ(steps, 48);
  lower.Finish();
  upper.Finish();
  EXPECT_EQ(lower.Status(), S::Finished);
  EXPECT_THROW(lower.Update({}), StateError);
}

TEST(SteppingComponent, SaysWhichInputHasNoProvider) {
  Reservoir reservoir;
  SetTimes(reservoir);
  reservoir.Initialize();
  EXPECT_THAT(reservoir.Validate(), ::testing::ElementsAre(HasSubstr("linear-reservoir.inflow")));
  EXPECT_EQ(reservoir.Status(), S::Invalid);
  EXPECT_THROW(reservoir.Prepare(), StateError);
}

TEST(SteppingComponent, LoopOfTwoAnswersWithTheLastValueInsteadOfHanging) {
  Reservoir a;
  Reservoir b;
  for (Reservoir* reservoir : {&a, &b}) {
    SetTimes(*reservoir);
    reservoir->Initialize();
  }
  a.Outputs()[0]->AddConsumer(*b.Inputs()[0]);
  b.Outputs()[0]->AddConsumer(*a.Inputs()[0]);
  a.Prepare();
  b.Prepare();
  while (a.Status() == S::Updated) a.Update({});
  EXPECT_EQ(a.Status(), S::Done);
  EXPECT_TRUE(SameTime(b.CurrentTime(), a.CurrentTime()));
}

TEST(SteppingComponent, RefusesStepsThatTimesDoNotTell) {
  for (const char* step : {"PT0.000002S", "PT0.000001S", "PT0S"}) {
    Reservoir reservoir(1.0);
    SetTimes(reservoir, step);
    EXPECT_THAT([&] { reservoir.Initialize(); },
                ::testing::ThrowsMessage<ArgumentError>(::testing::HasSubstr("expected a time step above ")))
        << step;
  }
  Reservoir reservoir(1.0);
  SetTimes(reservoir, "PT0.000003S");
  EXPECT_NO_THROW(reservoir.Initialize());
}

TEST(SteppingComponent, AMillionStepsOfAMillisecondDoNotDrift) {
  Reservoir reservoir(1.0);
  Set(reservoir, "start-time", "2020-01-01T00:00Z");
  Set(reservoir, "end-time", "2020-01-01T00:16:40Z");
  Set(reservoir, "time-step", "PT0.001S");
  reservoir.Initialize();
  reservoir.Prepare();
  int steps = 0;
  for (; reservoir.Status() == S::Updated; ++steps) reservoir.Update({});
  EXPECT_EQ(steps, 1'000'000);
}

// 64 bits of nanoseconds hold 292 years.
TEST(SteppingComponent, RunsForAThousandYears) {
  Reservoir reservoir(1.0);
  Set(reservoir, "start-time", "2020-01-01T00:00Z");
  Set(reservoir, "end-time", "3020-01-01T00:00Z");
  Set(reservoir, "time-step", "P30D");
  reservoir.Initialize();
  reservoir.Prepare();
  int steps = 0;
  for (; reservoir.Status() == S::Updated; ++steps) {
    reservoir.Update({});
    const double days = reservoir.CurrentTime().mjd - 58849.0;
    ASSERT_EQ(days, std::min(30.0 * (steps + 1), 365242.0));
  }
  EXPECT_EQ(steps, 12175);
}

TEST(SteppingComponent, NamesTheAdaptorThatWouldHelpWhenTimesDoNotFit) {
  Reservoir upper(3.0);
  Reservoir lower;
  SetTimes(upper, "PT1H");
  SetTimes(lower, "PT45M");
  upper.Initialize();
  lower.Initialize();
  upper.Outputs()[0]->AddConsumer(*lower.Inputs()[0]);
  upper.Prepare();
  lower.Prepare();
  EXPECT_THAT([&] { lower.Update({}); }, ::testing::ThrowsMessage<LinkError>(::testing::AllOf(
                                             HasSubstr("linear-reservoir.outflow"), HasSubstr("linear"))));
  EXPECT_EQ(lower.Status(), S::Failed);
}

}  // namespace
}  // namespace openmi
