// States of models: by the variables of NextGen, by a list of variables, by replay; false claims; steps tried again.

#include <cmath>

#include "composition/state/ComponentState.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "tests/bmi-bridge/BmiFixture.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi::bmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Another value at each time.
class Source final : public StatefulSteppingComponent {
 public:
  Source() : StatefulSteppingComponent("source") { flow_ = AddOutput("flow", "m3 s-1"); }

 private:
  void Start(Stamp begin) override { flow_.Set(At(begin)); }
  void Step(Stamp, Stamp to) override { flow_.Set(At(to)); }
  void SaveState(StateWriter&) const override {}
  void LoadState(StateReader&) override {}
  static double At(Stamp time) { return 0.01 * std::fmod(std::round(time.mjd * 1440.0) * 0.618, 1.0); }
  ScalarOutput flow_;
};

/// The store, fed by a source.
struct StoreBench {
  StoreBench(const std::string& lines, const Bench::Arguments& arguments, const std::string& library = "store_model")
      : store(TestLibrary(library), arguments), feed(source) {
    store.driver.Set("config-file", folder.Write("store.cfg", lines));
    store.driver.Initialize();
    feed.Set("start-time", "2020-01-01T00:00Z").Set("time-step", "PT1M");
    feed.Initialize();
    source.Outputs()[0]->AddConsumer(store.Input());
    EXPECT_TRUE(store.driver.Validate());
    feed.Prepare();
    store.driver.Prepare();
  }
  ~StoreBench() { store.Input().Provider()->RemoveConsumer(store.Input()); }
  void Run(int steps) {
    for (int i = 0; i < steps; ++i) store.driver.Update();
  }
  std::vector<double> Next(int steps) {
    std::vector<double> values;
    for (int i = 0; i < steps; ++i) {
      store.driver.Update();
      values.push_back(store.Row(0).at(0));
    }
    return values;
  }
  /// Goes back after `steps` steps and makes them again.
  std::vector<double> NextTwice(int steps) {
    const IIdentifiable& here = source.KeepCurrentState();
    const IIdentifiable& kept = Component().KeepCurrentState();
    const std::vector<double> values = Next(steps);
    source.RestoreState(here);
    Component().RestoreState(kept);
    EXPECT_EQ(Next(steps), values);
    return values;
  }
  BmiComponent& Component() { return store.component; }
  StateAbility Ability() { return AbilityOf(store.component); }

  ScratchFolder folder{"store"};
  Source source;
  Bench store;
  Driver feed;
};

struct KeptBy {
  const char* lines;
  Bench::Arguments arguments;
};

std::vector<KeptBy> GoodWays() {
  return {{"protocol 1", {}},
          {"protocol 2", {}},
          {"protocol 2\nhotstart 1", {}},
          {"rows 2000\nprotocol 2", {}},
          {"", {{"state-variables", "store; inlet; inflow"}}},
          {"", {{"states", "replay"}}},
          {"season 1", {{"states", "replay"}}}};
}

TEST(ModelStates, GiveTheSameValuesInANewComponentAndInTheSame) {
  for (const KeptBy& way : GoodWays()) {
    StoreBench first(way.lines, way.arguments);
    ASSERT_TRUE(KeepsState(first.Component())) << way.lines << ": " << first.Ability().why_not;
    first.Run(7);
    const Bytes bytes = StateBytesOf(first.Component());
    const std::vector<double> values = first.NextTwice(20);

    StoreBench second(way.lines, way.arguments);
    RestoreStateBytes(second.Component(), bytes);
    EXPECT_EQ(second.Next(20), values) << way.lines;
    // A model with hot starts only has its own time, and keeps it in its bytes.
    const bool has_time = std::string(way.lines).find("hotstart") == std::string::npos;
    if (has_time) {
      EXPECT_TRUE(StateBytesOf(second.Component()) == StateBytesOf(first.Component())) << way.lines;
    }
  }
}

TEST(ModelStates, OfFlatFunctionsAreReplayedInANewModel) {
  StoreBench first("", {{"states", "replay"}, {"instances", "one"}});
  ASSERT_TRUE(KeepsState(first.Component())) << first.Ability().why_not;
  first.Run(3);
  first.NextTwice(5);
}

TEST(ModelStates, AreRefusedWhereTheClaimIsFalse) {
  const auto why = [](const char* lines, const Bench::Arguments& arguments) {
    StoreBench bench(lines, arguments);
    const StateAbility ability = bench.Ability();
    EXPECT_FALSE(ability.in_memory) << lines;
    EXPECT_FALSE(KeepsState(bench.Component())) << lines;
    EXPECT_THROW(bench.Component().KeepCurrentState(), StateError) << lines;
    EXPECT_EQ(bench.Next(3).size(), 3u) << lines;  // the run goes on
    return ability.why_not;
  };
  EXPECT_THAT(why("protocol 2\nforgets 1", {}), AllOf(HasSubstr("the same model"), HasSubstr("'level' is")));
  EXPECT_THAT(why("protocol 1\npoints 1", {}), HasSubstr("child process"));
  EXPECT_THAT(why("protocol 2\nseason 1\nhotstart 1", {}), HasSubstr("instead of"));
  EXPECT_THAT(why("protocol 2\ncrash 1", {}), HasSubstr("a crash there"));
  EXPECT_THAT(why("", {{"state-variables", "store"}}), HasSubstr("instead of"));
  EXPECT_THAT(why("season 1", {{"state-variables", "store; inlet"}}), HasSubstr("instead of"));
  EXPECT_THAT(why("random 1", {{"states", "replay"}}), HasSubstr("a new model"));
  EXPECT_THAT(why("", {}), HasSubstr("no variables for states"));
  EXPECT_THAT(why("protocol 2", {{"states", "none"}}), HasSubstr("'states' is none"));
}

TEST(ModelStates, SayWhichArgumentIsWrong) {
  const auto problem = [](const Bench::Arguments& arguments) -> std::string {
    try {
      StoreBench bench("", arguments);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(problem({{"state-variables", "soil"}}), AllOf(HasSubstr("state-variables"), HasSubstr("'soil'")));
  EXPECT_THAT(problem({{"state-variables", "store"}, {"states", "replay"}}), HasSubstr("one way to keep states"));
  EXPECT_THAT(problem({{"retries", "3"}}), AllOf(HasSubstr("retries"), HasSubstr("no variables for states")));
}

TEST(ModelStates, OfOtherBytesAreRefused) {
  StoreBench first("protocol 2", {});
  StoreBench second("", {{"states", "replay"}});
  first.Run(2);
  const Bytes bytes = StateBytesOf(first.Component());
  EXPECT_THROW(RestoreStateBytes(second.Component(), bytes), FormatError);
  EXPECT_EQ(second.Next(2).size(), 2u);
}

TEST(FailedSteps, AreTriedAgainInHalves) {
  StoreBench coarse("protocol 2\nlimit 20", {{"retries", "2"}});
  coarse.Run(1);
  const double inflow = dynamic_cast<NumericOutput&>(*coarse.source.Outputs()[0]).LastRow()[0];
  double store = 100.0, inlet = 0.0;
  for (int i = 0; i < 4; ++i) {  // quarters of a minute, of the store that the failure did not spoil
    inlet += 0.1 * (inflow - inlet);
    store += 15.0 * (inlet - 1e-4 * store);
  }
  EXPECT_DOUBLE_EQ(coarse.store.Row(1).at(0), store);
  EXPECT_DOUBLE_EQ(coarse.Component().CurrentTime().mjd, 58849.0 + 1.0 / 1440.0);
  StoreBench few("protocol 2\nlimit 10", {{"retries", "2"}});
  EXPECT_THROW(few.Run(1), ModelError);
}

}  // namespace
}  // namespace openmi::bmi
