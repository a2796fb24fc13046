// States of a whole run in memory: back, on, and elsewhere.

#include "composition/control/RunDesk.hpp"
#include "composition/state/Checkpoint.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/state/StateFixture.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

RunOptions InMemory() {
  RunOptions options;
  options.write_results = false;
  return options;
}

/// The rows that were observed until now.
std::vector<std::vector<double>> Observed(CompositionRun& run) {
  std::vector<std::vector<double>> all;
  for (const RecordedSeries& series : run.Record().series) {
    all.push_back(series.times);
    all.push_back(series.values);
  }
  return all;
}

const std::string kLoop = "<Iterate Components=\"upper lower\" Method=\"quasi-newton\" Guess=\"quadratic\"/>";

/// Two ponds that are iterated, with a method that learns from earlier steps.
std::string Iterated(const std::string& more = {}) {
  return ComponentXml("walk", "Walk") + ComponentXml("upper", "Pond") + ComponentXml("lower", "Pond") +
         LinkXml("walk.flow", "upper.inflow") + LinkXml("upper.outflow", "lower.inflow") +
         LinkXml("lower.level", "upper.back") + kLoop +
         "<Observe Item=\"upper.level\"/><Observe Item=\"lower.level\"/>" +
         "<Compare Simulated=\"upper.level\" Observed=\"lower.level\" Measures=\"nse\"/>" + more +
         RunXml("2015-12-03T00:00Z", "Trigger=\"lower\"");
}

class StateOfARun : public ::testing::TestWithParam<std::string> {};

TEST_P(StateOfARun, IsGoneBackToAsOftenAsWanted) {
  Made made(GetParam());
  ASSERT_EQ(made.Text(), "");
  CompositionRun run(*made.composition, made.problems, InMemory());
  run.Begin();
  ASSERT_TRUE(run.AdvanceTo(Stamp{kDayOne + 0.5}));
  const Checkpoint state = run.SaveState();
  while (run.Advance()) {
  }
  ASSERT_EQ(run.State(), RunState::Over);
  const auto whole = Observed(run);
  const std::uint64_t passes = run.Passes();
  ASSERT_GT(whole.at(0).size(), 10U);
  for (const int steps : {1000, 3, 1000}) {
    run.RestoreState(state);
    EXPECT_NEAR(run.Now().mjd, state.time.mjd, 1e-9);
    EXPECT_EQ(run.State(), RunState::Running);
    EXPECT_LT(Observed(run).at(0).size(), whole.at(0).size());
    for (int i = 0; i < steps && run.Advance(); ++i) {
    }
  }
  EXPECT_EQ(Observed(run), whole);
  EXPECT_EQ(run.Passes(), passes);
  const RunRecord record = run.End();
  EXPECT_TRUE(record.is_complete) << ProblemsOf(record);
}

TEST_P(StateOfARun, GoesToAnotherRunAsBytes) {
  Made made(GetParam());
  CompositionRun run(*made.composition, made.problems, InMemory());
  run.Begin();
  run.AdvanceTo(Stamp{kDayOne + 0.5});
  const std::vector<std::byte> bytes = run.SerializeState(run.SaveState());
  while (run.Advance()) {
  }
  Made other(GetParam());
  CompositionRun again(*other.composition, other.problems, InMemory());
  EXPECT_THAT([&] { again.SaveState(); }, ThrowsMessage<StateError>(HasSubstr("expected a run under way")));
  again.Begin();
  again.RestoreState(again.DeserializeState(bytes));
  while (again.Advance()) {
  }
  EXPECT_EQ(Observed(again), Observed(run));
  std::vector<std::byte> changed = bytes;
  changed[changed.size() / 2] ^= std::byte{4};
  EXPECT_THAT([&] { again.DeserializeState(changed); }, ThrowsMessage<FormatError>(HasSubstr("expected")));
  changed.resize(20);
  EXPECT_THAT([&] { again.DeserializeState(changed); }, ThrowsMessage<FormatError>(HasSubstr("expected")));
}

INSTANTIATE_TEST_SUITE_P(Bodies, StateOfARun, ::testing::Values(Watershed(), Iterated()));

TEST(RunStates, OfAnotherCompositionAreRefused) {
  Made made(Watershed());
  CompositionRun run(*made.composition, made.problems, InMemory());
  run.Begin();
  run.Advance();
  const std::vector<std::byte> bytes = run.SerializeState(run.SaveState());
  Made other(Watershed(ArgumentXml("seed", "0.4")));
  CompositionRun again(*other.composition, other.problems, InMemory());
  again.Begin();
  EXPECT_THAT([&] { again.DeserializeState(bytes); }, ThrowsMessage<ArgumentError>(HasSubstr("seed")));
}

TEST(RunStates, AreRefusedWhereResultsAreWrittenOrAComponentKeepsNone) {
  const Folder folder;
  {
    Made made(Watershed());
    CompositionRun run(*made.composition, made.problems, FilesIn(folder.Path()));
    run.Begin();
    run.Advance();
    const Checkpoint state = run.SaveState();
    EXPECT_THAT([&] { run.RestoreState(state); }, ThrowsMessage<StateError>(HasSubstr("writes no results")));
  }
  Made made(ComponentXml("rain", "Source") + RunXml());
  CompositionRun run(*made.composition, made.problems, InMemory());
  run.Begin();
  EXPECT_THAT([&] { run.SaveState(); }, ThrowsMessage<StateError>(HasSubstr("keep their state")));
}

TEST(RunStates, OfAnotherFormAreRefusedByName) {
  Made made(Watershed());
  CompositionRun run(*made.composition, made.problems, InMemory());
  run.Begin();
  run.Advance();
  Checkpoint state = run.SaveState();
  StateWriter earlier;  // it began with the name of the first part
  earlier.Write(std::string("walk.flow"));
  state.host = earlier.Take();
  EXPECT_THAT([&] { run.RestoreState(state); }, ThrowsMessage<FormatError>(HasSubstr("found one of another")));
}

TEST(RunStates, BalancesOfManyStepsTakeNoMoreThanThoseOfFew) {
  Made made(ComponentXml("walk", "Walk") + ComponentXml("upper", "Pond", ArgumentXml("time-step", "PT3H")) +
            LinkXml("walk.flow", "upper.inflow", AdaptorXml("mean-over-span")) +
            RunXml("2016-12-01T00:00Z", "Trigger=\"upper\" WarmUp=\"PT6H\""));
  ASSERT_EQ(made.Text(), "");
  CompositionRun run(*made.composition, made.problems, InMemory());
  run.Begin();
  for (int i = 0; i < 10; ++i) run.Advance();
  const std::size_t few = run.SaveState().host.size();
  for (int i = 0; i < 2000; ++i) run.Advance();
  EXPECT_LE(run.SaveState().host.size(), few + 500);
  const RunRecord record = run.End();
  ASSERT_EQ(record.links.size(), 1U);
  EXPECT_TRUE(record.links[0].second.is_weighed);
}

TEST(RunStates, HoldOverridesInForce) {
  Made made(Watershed());
  CompositionRun run(*made.composition, made.problems, InMemory());
  RunDesk desk(run);
  run.Begin();
  run.AdvanceTo(Stamp{kDayOne + 0.25});
  desk.Override("lower.inflow", std::vector<double>{1.5});
  const Checkpoint state = run.SaveState();
  while (run.Advance()) {
  }
  const auto whole = Observed(run);
  run.RestoreState(state);
  desk.Free("lower.inflow");
  desk.Override("upper.back", std::vector<double>{0.5});
  run.RestoreState(state);
  EXPECT_TRUE(desk.Values("lower.inflow").is_overridden);
  EXPECT_FALSE(desk.Values("upper.back").is_overridden);
  while (run.Advance()) {
  }
  EXPECT_EQ(Observed(run), whole);
}

/// Iterated loops learn from step to step; a resumed run has learned the same.
TEST(RunStates, OfIteratedLoopsResumeExactlyFromTheDisk) {
  setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
  const Folder folder;
  const std::string body = Iterated("<Checkpoints Every=\"PT3H\"/>");
  RunOptions options = FilesIn(folder.Path() / "whole");
  const RunRecord whole = RunAll(body, options);
  ASSERT_TRUE(whole.is_complete) << ProblemsOf(whole);
  ASSERT_EQ(whole.loops.size(), 1U);
  ASSERT_GT(whole.loops[0].iterations, whole.loops[0].steps);
  for (const std::uint64_t passes : {5U, 17U, 40U}) {
    options.folder = folder.Path() / std::to_string(passes);
    options.resume = false;
    RunSome(body, options, passes);
    options.resume = true;
    const RunRecord resumed = RunAll(body, options);
    EXPECT_GT(resumed.resumed->mjd, kDayOne);
    EXPECT_EQ(BytesOf(options.folder / "made.csv"), BytesOf(folder.Path() / "whole/made.csv")) << passes;
    ASSERT_EQ(resumed.loops.size(), 1U);
    EXPECT_EQ(resumed.loops[0].iterations, whole.loops[0].iterations) << passes;
  }
}

}  // namespace
}  // namespace openmi::testing
