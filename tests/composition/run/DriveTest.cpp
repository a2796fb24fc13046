// Runs that are driven from outside, pass by pass.

#include <future>
#include <thread>

#include "openmi/sdk/Error.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

RunOptions NoFiles() {
  RunOptions options;
  options.write_results = false;
  return options;
}

std::string Chain() {
  return R"(
      <Component Id="a" Type="test.Source" Assembly="here"/>
      <Component Id="t" Type="test.Tank" Assembly="here"/>
      <Link From="a.out" To="t.inflow"/>
      <Observe Item="t.outflow"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )";
}

TEST(Drive, PassByPassGivesWhatRunGives) {
  Made whole(Chain());
  const RunRecord expected = whole.Run();
  Made made(Chain());
  CompositionRun run(*made.composition, made.problems, NoFiles());
  EXPECT_EQ(run.State(), RunState::Created);
  run.Begin();
  EXPECT_EQ(run.State(), RunState::Running);
  std::vector<double> times;
  while (run.Advance()) {
    times.push_back(run.Now().mjd);
    EXPECT_EQ(run.Passes(), times.size());
  }
  EXPECT_EQ(run.State(), RunState::Over);
  EXPECT_FALSE(run.Advance());
  const RunRecord record = run.End();
  EXPECT_EQ(run.State(), RunState::Ended);
  ASSERT_EQ(times.size(), 24U);
  EXPECT_DOUBLE_EQ(times[11], kDayOne + 0.5);
  EXPECT_TRUE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_EQ(record.series[0].values, expected.series[0].values);
  EXPECT_EQ(record.passes, expected.passes);
}

TEST(Drive, RefusesCallsOutOfOrder) {
  Made made(Chain());
  CompositionRun run(*made.composition, made.problems, NoFiles());
  EXPECT_THAT([&] { run.Advance(); }, ThrowsMessage<StateError>(HasSubstr("expected Begin before Advance")));
  EXPECT_THAT([&] { run.End(); }, ThrowsMessage<StateError>(HasSubstr("not begun")));
  run.Begin();
  EXPECT_THAT([&] { run.Begin(); }, ThrowsMessage<StateError>(HasSubstr("not begun")));
  run.End();
  EXPECT_THAT([&] { run.End(); }, ThrowsMessage<StateError>(HasSubstr("ended")));
  EXPECT_FALSE(run.Advance());
}

TEST(Drive, PausesGoesOnForSomePassesAndForGood) {
  Made made(Chain());
  CompositionRun run(*made.composition, made.problems, NoFiles());
  run.Begin();
  run.Pause();
  EXPECT_EQ(run.State(), RunState::Paused);
  EXPECT_TRUE(run.Advance());
  EXPECT_EQ(run.Passes(), 0U);
  EXPECT_EQ(run.Step(3), 3U);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(run.Advance());
  EXPECT_EQ(run.Passes(), 3U);
  EXPECT_EQ(run.State(), RunState::Paused);
  EXPECT_EQ(run.Step(2), 5U);
  EXPECT_TRUE(run.Advance());
  EXPECT_EQ(run.Step(3), 8U) << "those left are made as well";
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(run.Advance());
  EXPECT_EQ(run.Passes(), 8U);
  run.Resume();
  while (run.Advance()) {
  }
  EXPECT_TRUE(run.End().is_complete);
}

TEST(Drive, HooksRunBetweenAllPassesAndMayTakeThemselvesOut) {
  Made made(Chain());
  CompositionRun run(*made.composition, made.problems, NoFiles());
  std::vector<std::uint64_t> seen;
  int calls = 0;
  run.BetweenPasses().Add([&] { seen.push_back(run.Passes()); });
  std::size_t once = 0;
  once = run.BetweenPasses().Add([&] {
    ++calls;
    run.BetweenPasses().Remove(once);
  });
  run.Run();
  ASSERT_EQ(seen.size(), 25U);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i);
  EXPECT_EQ(calls, 1);
}

TEST(Drive, TasksOfOtherThreadsRunAtAQuietMomentOfAPausedRunToo) {
  Made made(Chain());
  CompositionRun run(*made.composition, made.problems, NoFiles());
  run.Pause();
  std::promise<std::pair<LinkableComponentStatus, std::thread::id>> told;
  std::thread operator_thread([&] {
    run.BetweenPasses().Post([&] {
      told.set_value({made.composition->Instances()[1].Component().Status(), std::this_thread::get_id()});
    });
    auto [status, thread] = told.get_future().get();
    EXPECT_EQ(status, LinkableComponentStatus::Updated);
    EXPECT_NE(thread, std::this_thread::get_id());
    run.Resume();
  });
  EXPECT_TRUE(run.Run().is_complete);
  operator_thread.join();
}

TEST(Drive, EndsOnRequestWithWhatWasComputed) {
  Made made(Chain());
  CompositionRun run(*made.composition, made.problems, NoFiles());
  run.BetweenPasses().Add([&] {
    if (run.Passes() == 6) run.RequestEnd("the operator asked for it");
  });
  const RunRecord record = run.Run();
  EXPECT_FALSE(record.is_complete);
  EXPECT_EQ(record.passes, 6U);
  EXPECT_EQ(record.series[0].times.size(), 6U);
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_THAT(FormatProblem(record.problems.back()),
              HasSubstr("ended at 2015-12-01T06:00:00Z of 2015-12-02T00:00:00Z: the operator asked for it"));
  EXPECT_EQ(made.composition->Instances()[0].Component().Status(), LinkableComponentStatus::Finished);
}

TEST(Drive, WhatAHookThrowsEndsTheRunAndIsRecorded) {
  Made made(Chain());
  CompositionRun run(*made.composition, made.problems, NoFiles());
  run.BetweenPasses().Add([&] {
    if (run.Passes() == 2) throw 7;
  });
  const RunRecord record = run.Run();
  EXPECT_EQ(record.passes, 2U);
  EXPECT_THAT(ErrorsOf(record), HasSubstr("not a std::exception"));
}

}  // namespace
}  // namespace openmi::testing
