// The river basin's plug-ins, loaded as anybody would load them and driven without an engine.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/standard/IManageState.hpp"
#include "tests/examples/TestData.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/optional/IBalance.hpp"

namespace riverbasin {
namespace {

using openmi::IBaseInput;
using openmi::IBaseLinkableComponent;
using openmi::IBaseOutput;
using ::testing::HasSubstr;
using S = openmi::LinkableComponentStatus;

/// Gives whatever a function of step and element says, over the places of the input it feeds.
class Source final : public openmi::SteppingComponent {
 public:
  using Function = std::function<double(int step, std::size_t element)>;
  Source(const std::string& unit, std::shared_ptr<const openmi::ElementSet> where, Function function)
      : SteppingComponent("source"), function_(std::move(function)) {
    out_ = AddOutput("out", unit, where, {.gives = openmi::OutputTime::Span});
    SetRestartable(true);
  }

 private:
  void Start(openmi::Stamp) override { step_ = 0; }
  void Step(openmi::Stamp, openmi::Stamp) override {
    const std::span<double> row = out_.Next();
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = function_(step_, i);
    ++step_;
  }
  Function function_;
  openmi::ArrayOutput out_;
  int step_ = 0;
};

openmi::LoadedComponent Load(const char* library, const char* type) {
  static openmi::ComponentLoader loader;
  openmi::LoadedComponent loaded =
      loader.Load(std::string(OPENMI_BINARY_DIR) + "/lib/openmi2/lib" + library + ".so", type);
  dynamic_cast<openmi::IFileRoot&>(*loaded.component).SetFileRoot(RiverBasin().string());
  return loaded;
}

void Set(IBaseLinkableComponent& component, const std::string& key, const std::string& value) {
  for (openmi::IArgument* argument : component.Arguments()) {
    if (argument->Id() == key) return argument->SetValueAsString(value);
  }
  FAIL() << "no argument " << key;
}

void SetTimes(IBaseLinkableComponent& component, int hours = 240) {
  Set(component, "start-time", "2024-03-01T00:00Z");
  Set(component, "end-time", hours == 240 ? "2024-03-11T00:00Z" : "2024-03-01T01:30Z");
}

IBaseInput& In(IBaseLinkableComponent& component, const std::string& id) {
  const auto inputs = component.Inputs();
  return **std::ranges::find_if(inputs, [&](const IBaseInput* input) { return input->Id() == id; });
}

IBaseOutput& Out(IBaseLinkableComponent& component, const std::string& id) {
  const auto outputs = component.Outputs();
  return **std::ranges::find_if(outputs, [&](const IBaseOutput* output) { return output->Id() == id; });
}

/// A copy of the places that an input asks for.
std::shared_ptr<const openmi::ElementSet> PlacesOf(IBaseInput& input) {
  const auto* where = dynamic_cast<const openmi::ITimeSpaceInput&>(input).SpatialDefinition();
  return std::make_shared<const openmi::ElementSet>(openmi::CopyOf(dynamic_cast<const openmi::IElementSet&>(*where)));
}

double LastValue(IBaseLinkableComponent& component, const std::string& id, std::size_t element = 0) {
  return *Out(component, id).Values().GetValue(std::vector<std::size_t>{0, element}).As<double>();
}

double Residual(const openmi::BalanceTerms& start, const openmi::BalanceTerms& now) {
  return start.storage + now.in - now.out - now.losses - now.storage;
}

struct RunoffRun {
  explicit RunoffRun(Source::Function rain, int hours = 240) {
    runoff = Load("river_basin_runoff", "river-basin.Runoff");
    IBaseLinkableComponent& component = *runoff.component;
    Set(component, "parameters", "data/runoff.par");
    Set(component, "catchments", "data/catchments.geojson");
    SetTimes(component, hours);
    component.Initialize();
    auto where = PlacesOf(In(component, "precipitation"));
    weather = std::make_unique<Source>("mm h-1", where, std::move(rain));
    evaporation = std::make_unique<Source>("mm h-1", nullptr, [](int, std::size_t) { return 0.05; });
    for (Source* source : {weather.get(), evaporation.get()}) {
      SetTimes(*source, hours);
      source->Initialize();
    }
    weather->Outputs()[0]->AddConsumer(In(component, "precipitation"));
    evaporation->Outputs()[0]->AddConsumer(In(component, "potential-evaporation"));
    messages = component.Validate();
    for (IBaseLinkableComponent* each : {static_cast<IBaseLinkableComponent*>(weather.get()),
                                         static_cast<IBaseLinkableComponent*>(evaporation.get()), &component}) {
      each->Prepare();
    }
  }
  openmi::LoadedComponent runoff;
  std::unique_ptr<Source> weather, evaporation;
  std::vector<std::string> messages;
};

TEST(RunoffComponent, ClosesItsBalanceInEveryStepOverTwelveCatchments) {
  RunoffRun run([](int step, std::size_t element) { return step % 50 < 5 ? 4.0 + static_cast<double>(element) : 0.0; });
  EXPECT_THAT(run.messages, ::testing::IsEmpty());
  IBaseLinkableComponent& runoff = *run.runoff.component;
  const auto& balance = dynamic_cast<const openmi::IBalance&>(runoff);
  EXPECT_EQ(balance.BalanceUnit(), "m3");
  EXPECT_NEAR(balance.BalanceArea() / 1e6, 143.8, 0.1);
  const openmi::BalanceTerms start = balance.Balance();
  while (runoff.Status() == S::Updated) {
    runoff.Update({});
    EXPECT_NEAR(Residual(start, balance.Balance()) / start.storage, 0.0, 1e-12);
  }
  EXPECT_EQ(runoff.Status(), S::Done);
  EXPECT_GT(balance.Balance().losses, 0.0);
  EXPECT_GT(balance.Balance().out, 0.05 * balance.Balance().in);
  runoff.Finish();
}

TEST(RunoffComponent, RunsASecondTimeIdentically) {
  std::vector<double> first;
  for (int round = 0; round < 2; ++round) {
    RunoffRun run([](int step, std::size_t) { return step == 10 ? 30.0 : 0.0; });
    IBaseLinkableComponent& runoff = *run.runoff.component;
    std::vector<double> values;
    while (runoff.Status() == S::Updated) {
      runoff.Update({});
      values.push_back(LastValue(runoff, "depth-rate", 3));
    }
    runoff.Finish();
    EXPECT_EQ(runoff.Status(), S::Created);
    if (round == 0) first = values;
    EXPECT_EQ(values, first);
  }
}

TEST(RunoffComponent, AMissingRainIsMissingRunoffFromThenOnInThatCatchmentOnly) {
  RunoffRun run([](int step, std::size_t element) { return step == 3 && element == 5 ? NAN : 1.0; });
  IBaseLinkableComponent& runoff = *run.runoff.component;
  for (int step = 0; step < 3; ++step) runoff.Update({});
  EXPECT_FALSE(std::isnan(LastValue(runoff, "depth-rate", 5)));
  for (int step = 0; step < 5; ++step) runoff.Update({});
  EXPECT_TRUE(std::isnan(LastValue(runoff, "depth-rate", 5)));
  EXPECT_FALSE(std::isnan(LastValue(runoff, "depth-rate", 4)));
  runoff.Finish();
}

TEST(RunoffComponent, GoesOnFromAKeptStateToTheSameBits) {
  RunoffRun run(
      [](int, std::size_t element) { return 1.0 + static_cast<double>(element); });  // the source keeps no state
  IBaseLinkableComponent& runoff = *run.runoff.component;
  auto& states = dynamic_cast<openmi::IManageState&>(runoff);
  for (int step = 0; step < 20; ++step) runoff.Update({});
  const openmi::IIdentifiable& kept = states.KeepCurrentState();
  const auto next_hour = [&] {
    runoff.Update({});
    return LastValue(runoff, "depth-rate", 7);
  };
  const double first = next_hour();
  const openmi::BalanceTerms balance = dynamic_cast<const openmi::IBalance&>(runoff).Balance();
  states.RestoreState(kept);
  EXPECT_NE(dynamic_cast<const openmi::IBalance&>(runoff).Balance().in, balance.in);
  EXPECT_EQ(next_hour(), first);
  EXPECT_EQ(dynamic_cast<const openmi::IBalance&>(runoff).Balance().storage, balance.storage);
  EXPECT_EQ(dynamic_cast<const openmi::IBalance&>(runoff).Balance().in, balance.in);
  runoff.Finish();
}

TEST(RunoffComponent, RefusesPartsOfAStep) {
  RunoffRun run([](int, std::size_t) { return 0.0; }, 1);  // an hour and a half
  IBaseLinkableComponent& runoff = *run.runoff.component;
  runoff.Update({});
  try {
    runoff.Update({});
    FAIL();
  } catch (const openmi::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("whole steps of 1 h"));
  }
  EXPECT_EQ(runoff.Status(), S::Failed);
  runoff.Finish();  // also after a failure: the next test needs the solver
}

TEST(RunoffComponent, SaysWhichCatchmentHasNoShape) {
  openmi::LoadedComponent runoff = Load("river_basin_runoff", "river-basin.Runoff");
  Set(*runoff.component, "parameters", "basin.par");
  Set(*runoff.component, "catchments", "data/catchments.geojson");
  SetTimes(*runoff.component);
  try {
    runoff.component->Initialize();
    FAIL();
  } catch (const openmi::FormatError& error) {
    EXPECT_THAT(error.what(), ::testing::AllOf(HasSubstr("basin.par"), HasSubstr("12"), HasSubstr("3")));
  }
  runoff.component->Finish();
}

/// Creek and reservoir, linked both ways, with a steady lateral inflow per catchment.
struct RiverRun {
  explicit RiverRun(double per_catchment) {
    creek = Load("river_basin_creek", "river-basin.Creek");
    reservoir = Load("river_basin_reservoir", "river-basin.Reservoir");
    Set(*creek.component, "reaches", "data/flowpaths.geojson");
    Set(*creek.component, "catchments", "data/catchments.geojson");
    Set(*creek.component, "outlet-bed-level", "3.5");
    for (IBaseLinkableComponent* component : {creek.component.get(), reservoir.component.get()}) {
      SetTimes(*component);
      component->Initialize();
    }
    IBaseInput& lateral = In(*creek.component, "lateral-inflow");
    auto where = PlacesOf(lateral);
    source = std::make_unique<Source>("m3 s-1", where, [=](int, std::size_t) { return per_catchment; });
    SetTimes(*source);
    source->Initialize();
    source->Outputs()[0]->AddConsumer(lateral);
    Out(*creek.component, "outflow").AddConsumer(In(*reservoir.component, "inflow"));
    Out(*reservoir.component, "level").AddConsumer(In(*creek.component, "tailwater-level"));
    for (IBaseLinkableComponent* component :
         {static_cast<IBaseLinkableComponent*>(source.get()), creek.component.get(), reservoir.component.get()}) {
      component->Prepare();
    }
  }
  openmi::LoadedComponent creek, reservoir;
  std::unique_ptr<Source> source;
};

TEST(CreekAndReservoir, AnswerEachOtherAndLoseNoWater) {
  RiverRun run(1.5);
  const auto& creek = dynamic_cast<const openmi::IBalance&>(*run.creek.component);
  const auto& reservoir = dynamic_cast<const openmi::IBalance&>(*run.reservoir.component);
  const openmi::BalanceTerms creek_start = creek.Balance();
  const openmi::BalanceTerms reservoir_start = reservoir.Balance();
  while (run.reservoir.component->Status() == S::Updated) {
    run.reservoir.component->Update({});
    EXPECT_NEAR(Residual(creek_start, creek.Balance()) / creek.Balance().in, 0.0, 1e-12);
    EXPECT_NEAR(Residual(reservoir_start, reservoir.Balance()) / reservoir_start.storage, 0.0, 1e-12);
    // What leaves the one arrives at the other, in the same step, though they are linked in a loop.
    EXPECT_NEAR(creek.Balance().out / reservoir.Balance().in, 1.0, 1e-12);
  }
  EXPECT_EQ(run.reservoir.component->Status(), S::Done);
  EXPECT_NEAR(creek.Balance().in, 12 * 1.5 * 240 * 3600.0, 1e-3);
  EXPECT_GT(LastValue(*run.reservoir.component, "level"), 3.5) << "high enough to be felt upstream";
  run.creek.component->Finish();
  run.reservoir.component->Finish();
}

TEST(CreekAndReservoir, TheLevelIsFeltInTheLastReach) {
  RiverRun linked(1.5);
  while (linked.reservoir.component->Status() == S::Updated) linked.reservoir.component->Update({});
  const double held = dynamic_cast<const openmi::IBalance&>(*linked.creek.component).Balance().storage;

  openmi::LoadedComponent free = Load("river_basin_creek", "river-basin.Creek");
  Set(*free.component, "reaches", "data/flowpaths.geojson");
  Set(*free.component, "catchments", "data/catchments.geojson");
  SetTimes(*free.component);
  free.component->Initialize();
  Source source("m3 s-1", PlacesOf(In(*free.component, "lateral-inflow")), [](int, std::size_t) { return 1.5; });
  SetTimes(source);
  source.Initialize();
  source.Outputs()[0]->AddConsumer(In(*free.component, "lateral-inflow"));
  source.Prepare();
  free.component->Prepare();
  while (free.component->Status() == S::Updated) free.component->Update({});
  const double unheld = dynamic_cast<const openmi::IBalance&>(*free.component).Balance().storage;
  EXPECT_GT(held, unheld + 50'000.0);
}

TEST(GaugeComponent, TellsTheStageOfItsDischarge) {
  openmi::LoadedComponent gauge = Load("river_basin_gauge", "river-basin.Gauge");
  Set(*gauge.component, "rating-factor", "8");
  Set(*gauge.component, "rating-exponent", "1.5");
  SetTimes(*gauge.component);
  gauge.component->Initialize();
  Source source("m3 s-1", nullptr, [](int, std::size_t) { return 27.0; });
  SetTimes(source);
  source.Initialize();
  source.Outputs()[0]->AddConsumer(In(*gauge.component, "inflow"));
  source.Prepare();
  gauge.component->Prepare();
  gauge.component->Update({});
  EXPECT_DOUBLE_EQ(LastValue(*gauge.component, "discharge"), 27.0);
  EXPECT_NEAR(8.0 * std::pow(LastValue(*gauge.component, "stage"), 1.5), 27.0, 1e-12);
}

}  // namespace
}  // namespace riverbasin
