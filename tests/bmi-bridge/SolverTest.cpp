// Wrappers round solvers with global data: those of the examples against the solvers called by hand, and what goes
// wrong.

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "bmi-bridge/solver/SolverComponent.hpp"
#include "examples/legacy-solvers/Channel.cpp"
#include "examples/legacy-solvers/Gate.cpp"
#include "examples/legacy-solvers/Pond.cpp"
#include "openmi/omi/SafeProbe.hpp"
#include "tests/bmi-bridge/BmiFixture.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi {
namespace {

using testing::HasSubstr;

const Stamp kBegin{58849.0};
const std::string kExamples = OPENMI_SOURCE_DIR "/examples/legacy-solvers";

std::vector<double> RowOf(IBaseOutput* output) {
  const std::span<const double> row = dynamic_cast<NumericOutput&>(*output).LastRow();
  return {row.begin(), row.end()};
}

/// Means over steps of `length` seconds.
std::unique_ptr<TableComponent> Series(int steps, double length, const std::function<double(int)>& value,
                                       const std::string& unit, bool spans) {
  std::vector<TableRow> rows;
  if (!spans) rows.push_back({kBegin, {value(0)}});
  for (int i = 0; i < steps; ++i) {
    if (spans) rows.push_back({kBegin + Seconds(length * i), {value(i)}, Seconds(length)});
    if (!spans) rows.push_back({kBegin + Seconds(length * (i + 1)), {value(i)}});
  }
  return std::make_unique<TableComponent>(rows, unit);
}

/// A component with a series for its first input, prepared.
struct Linked {
  Linked(SteppingComponent& what, std::unique_ptr<TableComponent> from) : component(what), series(std::move(from)) {
    Driver(component).Set("start-time", "2020-01-01T00:00Z");
    component.Initialize();
    Driver driver(*series);
    driver.Initialize();
    input = dynamic_cast<NumericInput*>(component.Inputs()[0]);
    series->Output().AddConsumer(*input);
    driver.Prepare();
    component.Prepare();
  }
  ~Linked() { series->Output().RemoveConsumer(*input); }
  SteppingComponent& component;
  std::unique_ptr<TableComponent> series;
  NumericInput* input;
};

double Flow(int step) {
  return 0.2 + 0.1 * std::sin(step);
}

TEST(Solver, OneThatFailsSaysWhichFilesAreNotThere) {
  Pond pond;
  Driver driver(pond);
  driver.Set("file", kExamples + "/no-such.dat").Set("start-time", "2020-01-01T00:00Z");
  try {
    driver.Initialize();
    ADD_FAILURE() << "pond_init has no file to read";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("expected pond_init of the solver to succeed"),
                                             HasSubstr("the argument 'file' names '" + kExamples +
                                                       "/no-such.dat', which does not exist (yet); look at what the "
                                                       "solver prints and writes")));
  }
}

TEST(Solver, GlobalArraysOfCGiveWhatTheyGiveByHand) {
  const std::string file = kExamples + "/pond.dat";
  std::vector<std::vector<double>> levels;
  std::vector<double> outflow;
  ASSERT_EQ(pond_init(file.c_str()), 0);
  for (int i = 0; i < 100; ++i) {
    pond_inflow = Flow(i);
    pond_step(600.0);
    levels.emplace_back(pond_level, pond_level + POND_COUNT);
    outflow.push_back(pond_outflow);
  }
  pond_finish();
  Pond pond;
  Driver(pond).Set("file", file);
  const Linked linked(pond, Series(100, 600.0, Flow, "m3 s-1", true));
  EXPECT_EQ(RowOf(pond.Outputs()[0]), (std::vector<double>{0.5, 0.4, 0.2})) << "as the file says";
  for (int i = 0; i < 100; ++i) {
    pond.Update({});
    ASSERT_EQ(RowOf(pond.Outputs()[0]), levels[static_cast<std::size_t>(i)]) << i;
    ASSERT_EQ(RowOf(pond.Outputs()[1]), std::vector<double>{outflow[static_cast<std::size_t>(i)]}) << i;
  }
  pond.Finish();
}

TEST(Solver, CommonBlocksOfFortranGiveWhatTheyGiveByHand) {
  std::vector<std::vector<double>> flows;
  std::vector<std::vector<double>> stores;
  const double travel = 7200.0;
  const double step = 900.0;
  int error = 0;
  chinit_(&travel, &error);
  for (int i = 0; i < 60; ++i) {
    chan_.inflow = Flow(i);
    chstep_(&step);
    flows.emplace_back(chan_.flow, chan_.flow + 4);
    stores.emplace_back(chan_.store, chan_.store + 4);  // single precision
  }
  Channel channel;
  const Linked linked(channel, Series(60, step, Flow, "m3 s-1", true));
  for (std::size_t i = 0; i < 60; ++i) {
    channel.Update({});
    ASSERT_EQ(RowOf(channel.Outputs()[0]), flows[i]) << i;
    ASSERT_EQ(RowOf(channel.Outputs()[1]), stores[i]) << i;
  }
  channel.Finish();
  Channel wrong;
  Driver(wrong).Set("travel-time", "-1");
  EXPECT_THROW(wrong.Initialize(), ModelError);
}

TEST(Solver, GeneratedCodeGivesWhatItGivesByHand) {
  const auto level = [](int i) { return 0.6 + 0.02 * i; };
  std::vector<double> openings;
  gate_model_initialize();
  gate_model_U.setpoint = 0.7;
  for (int i = 0; i < 50; ++i) {
    gate_model_U.level = level(i);
    gate_model_step();
    openings.push_back(gate_model_Y.opening);
  }
  Gate gate;
  Driver(gate).Set("setpoint", "0.7").Set("end-time", "2020-01-01T00:49:30Z");
  const Linked linked(gate, Series(50, 60.0, level, "m", false));
  for (std::size_t i = 0; i < 50; ++i) {
    gate.Update({});
    ASSERT_EQ(RowOf(gate.Outputs()[0]), std::vector<double>{openings[i]}) << i;
  }
  EXPECT_EQ(gate.Status(), LinkableComponentStatus::Done) << "its last step goes beyond the end";
  gate.Finish();
}

TEST(Solver, WrappersAreShort) {
  for (const char* name : {"Pond.cpp", "Channel.cpp", "Gate.cpp"}) {
    std::ifstream file(kExamples + "/" + name);
    std::string line;
    int lines = 0;
    while (std::getline(file, line)) ++lines;
    EXPECT_GT(lines, 20) << name;
    EXPECT_LE(lines, 50) << name;
  }
}

TEST(Solver, GlobalDataExistOnce) {
  Pond first;
  Driver(first).Set("file", kExamples + "/pond.dat").Set("start-time", "2020-01-01T00:00Z").Initialize();
  Pond second;
  Driver(second).Set("file", kExamples + "/pond.dat").Set("start-time", "2020-01-01T00:00Z");
  try {
    second.Initialize();
    FAIL() << "expected a refusal";
  } catch (const StateError& error) {
    EXPECT_THAT(error.what(), HasSubstr("Isolation=\"instance\""));
  }
  first.Prepare();
  first.Update({});
  first.Finish();
  Pond third;
  Driver(third).Set("file", kExamples + "/pond.dat");
  EXPECT_NO_THROW(third.Initialize());
}

TEST(Solver, IsolationGivesASecondOne) {
  const ScratchFolder folder("solver");
  ChildLimits limits;
  limits.time = std::chrono::minutes(1);
  const ChildResult run = RunInChild({std::string(OPENMI_BINARY_DIR) + "/bin/openmi", "run", kExamples + "/ponds.xml",
                                      "--results", folder.Path().string(), "--quiet"},
                                     limits);
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  const std::string csv = folder.Read("ponds.csv");
  const std::string last = csv.substr(csv.rfind("2020-01-04T00:00:00Z,") + 21);
  double upper = 0.0;
  double lower = 0.0;
  ASSERT_EQ(std::sscanf(last.c_str(), "%lf,%*f,%*f,%lf", &upper, &lower), 2) << last;
  EXPECT_NEAR(upper, 0.3 * 2e4 / 2000.0, 1e-4) << "inflow and outflow of the first pond are in balance";
  EXPECT_NEAR(lower, upper, 0.05) << "and of the lower row, some hours later";
  EXPECT_NE(lower, upper) << "which has levels of its own";
}

// ---- A solver that a test bends.

struct Odd {
  double level[2] = {1.0, 2.0};
  int count = 0;
  double inflow = 0.0;
  double lateral[3] = {};
  double storage[3] = {};
  int opened = 0;
  int closed = 0;
  std::function<void()> open = [] {};
  std::function<double(double, double)> advance = [](double, double until) { return until; };
  double length = 0.0;
  std::string where;
} odd;

class OddSolver final : public SolverComponent {
 public:
  OddSolver() : SolverComponent("odd", "100 s") { SetMovesAbout(); }

 private:
  void Open() override {
    ++odd.opened;
    odd.open();
    BindOutput("level", "m", odd.level, {});  // no options, and not no elements
    BindOutput("count", "1", odd.count, {.gives = OutputTime::Span});
    BindInput("inflow", "m3 s-1", odd.inflow, {.default_value = 0.5});
    const auto reaches = std::make_shared<const ElementSet>(ElementSet::IdBased("reaches", {"a", "b", "c"}));
    BindInput("lateral-inflow", "m3 s-1", odd.lateral, reaches, {.default_value = 0.0});
    BindOutput("storage", "m3", odd.storage, reaches);
  }
  double Advance(double now, double until) override {
    odd.where = std::filesystem::current_path();
    return odd.advance(now, until);
  }
  double NextStepLength() override { return odd.length > 0.0 ? odd.length : SolverComponent::NextStepLength(); }
  void Close() override { ++odd.closed; }
};

class SolverSteps : public testing::Test {
 protected:
  SolverSteps() {
    odd = Odd();
    Driver(solver_).Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T00:05Z");
  }
  void Prepare() {
    solver_.Initialize();
    solver_.Prepare();
  }
  NumericOutput& Level() { return dynamic_cast<NumericOutput&>(*solver_.Outputs()[0]); }
  double Seconds(Stamp stamp) { return std::round(ToSeconds(stamp - kBegin) * 1e5) / 1e5; }
  OddSolver solver_;
};

TEST_F(SolverSteps, GiveWhatIsNotLinkedItsDefault) {
  Prepare();
  solver_.Update({});
  EXPECT_EQ(odd.inflow, 0.5);
}

TEST_F(SolverSteps, GiveArraysElementsInTheOrderOfOtherComponents) {
  solver_.Initialize();
  const auto* storage = dynamic_cast<const ITimeSpaceOutput*>(solver_.Outputs()[2]);
  ASSERT_NE(storage, nullptr);
  const auto* reaches = dynamic_cast<const IElementSet*>(storage->SpatialDefinition());
  ASSERT_NE(reaches, nullptr);
  EXPECT_EQ(reaches->GetElementId(2)->Id(), "c");
}

TEST_F(SolverSteps, SayHowFarASolverWentBack) {
  const auto failure = [this](double back) {
    odd.advance = [back](double now, double) { return now - back; };
    try {
      solver_.Update({});
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("no failure");
  };
  Prepare();
  solver_.Update({});
  EXPECT_THAT(failure(0.25), testing::HasSubstr("continue from 100 s, found it 0.25 s before that, at 99.75 s"));
}

TEST_F(SolverSteps, SayThatASolverStoodStill) {
  odd.advance = [](double now, double) { return now; };
  Prepare();
  EXPECT_THAT([this] { solver_.Update({}); }, testing::ThrowsMessage<ModelError>(testing::AllOf(
                                                  testing::HasSubstr("continue from 0 s, found it still there"),
                                                  testing::HasSubstr("returns the end of that step"))));
}

TEST_F(SolverSteps, AreMadeUntilTheTimeIsThere) {
  int calls = 0;
  odd.advance = [&](double now, double until) {
    ++calls;
    odd.count = calls;
    return std::min(now + 30.0, until);
  };
  Prepare();
  solver_.Update({});
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(Seconds(solver_.CurrentTime()), 100.0);
  EXPECT_EQ(RowOf(solver_.Outputs()[1]), std::vector<double>{4.0}) << "an int";
}

TEST_F(SolverSteps, BelongToTheSolverWhereItChoosesThem) {
  odd.length = 70.0;
  odd.advance = [&](double now, double until) {
    EXPECT_NEAR(until - now, odd.length, 1e-9);
    odd.length = 35.0;
    return until;
  };
  Prepare();
  solver_.Update({});
  EXPECT_EQ(Seconds(solver_.CurrentTime()), 70.0);
  solver_.Update({});
  EXPECT_EQ(Seconds(solver_.CurrentTime()), 105.0);
}

TEST_F(SolverSteps, MayOvershoot) {
  odd.advance = [](double now, double) { return now + 130.0; };
  Prepare();
  solver_.Update({});
  EXPECT_EQ(Seconds(Level().LatestEnd()), 130.0);
  EXPECT_EQ(Seconds(solver_.CurrentTime()), 100.0);
  solver_.Update({});
  EXPECT_EQ(Seconds(Level().LatestEnd()), 260.0);
  solver_.Update({});
  EXPECT_EQ(Seconds(Level().LatestEnd()), 390.0);
  EXPECT_EQ(solver_.Status(), LinkableComponentStatus::Done);
}

TEST_F(SolverSteps, EndWhereTheSolverStandsStill) {
  odd.advance = [](double now, double) { return now; };
  Prepare();
  EXPECT_THROW(solver_.Update({}), ModelError);
  solver_.Finish();
  EXPECT_EQ(odd.closed, 1);
}

TEST_F(SolverSteps, AreClosedOnceAfterAFailure) {
  odd.advance = [](double, double) -> double { throw ModelError({}, "it broke"); };
  Prepare();
  EXPECT_THROW(solver_.Update({}), ModelError);
  solver_.Finish();
  EXPECT_EQ(odd.closed, 1);
  odd.open = [] { throw ModelError({}, "no file"); };
  OddSolver other;
  EXPECT_THROW(other.Initialize(), ModelError);
  other.Finish();
  EXPECT_EQ(odd.closed, 2) << "also where it could not be opened: something may be open";
}

TEST_F(SolverSteps, FindTheSolverWhereItWent) {
  const std::filesystem::path before = std::filesystem::current_path();
  const ScratchFolder first("solver");
  const ScratchFolder second("solver");
  Driver(solver_).Set("working-directory", first.Path());
  odd.open = [&] {
    EXPECT_EQ(std::filesystem::current_path(), first.Path());
    EXPECT_EQ(chdir(second.Path().c_str()), 0);
  };
  Prepare();
  EXPECT_EQ(std::filesystem::current_path(), before);
  solver_.Update({});
  EXPECT_EQ(odd.where, second.Path());
  EXPECT_EQ(std::filesystem::current_path(), before);
}

class WrongPlaces final : public SolverComponent {
 public:
  WrongPlaces() : SolverComponent("wrong") {}

 private:
  void Open() override {
    BindOutput("level", "m", odd.level, {},
               std::make_shared<ElementSet>(ElementSet::IdBased("three", {"a", "b", "c"})));
  }
  double Advance(double, double until) override { return until; }
  void Close() override {}
};

TEST_F(SolverSteps, NeedAsManyPlacesAsValues) {
  WrongPlaces wrong;
  try {
    wrong.Initialize();
    FAIL() << "expected a refusal";
  } catch (const RangeError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected 2 elements"));
  }
}

}  // namespace
}  // namespace openmi
