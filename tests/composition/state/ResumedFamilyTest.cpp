// Runs in which a family was exchanged, killed later and resumed: what comes out is what comes out of the same run with
// the same exchange that was never killed.

#include "composition/run/RunCheckpoints.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/families/FamilyFixture.hpp"
#include "tests/composition/state/StateFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

constexpr std::uint64_t kOut = 6;  // passes
constexpr std::uint64_t kIn = 11;  // begins on no step of `b`

/// Two solvers of the library that is exchanged, one with steps of its own, between components that keep states.
std::string Body(const SwapRun& swap, const std::string& keep,
                 const std::string& more = "<Checkpoints Every=\"PT2H\"/>") {
  return ComponentXml("walk", "Walk") + swap.Solver("a", ArgumentXml("gain", "3") + ArgumentXml("unit", "m"), keep) +
         swap.Solver("b", ArgumentXml("time-step", "PT40M") + ArgumentXml("unit", "m"), keep) +
         ComponentXml("pond", "Pond") + LinkXml("walk.level", "a.in") + LinkXml("walk.flow", "pond.inflow") +
         LinkXml("a.out", "pond.back",
                 AdaptorXml("linear", ArgumentXml("relaxation", "0.5") + ArgumentXml("extrapolation", "linear"))) +
         "<Observe Item=\"a.out\"/><Observe Id=\"mean\" Item=\"b.out\" Every=\"PT3H\" As=\"mean\"/>"
         "<Observe Item=\"pond.level\"/>" +
         more + RunXml();
}

/// Makes so many passes, with the exchange on the way. \returns how many checkpoints were taken after it
std::uint64_t Exchange(SwapRun& swap, CompositionRun& run, std::uint64_t passes) {
  run.Begin();
  std::uint64_t before = 0;
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    if (pass == kOut) {
      run.Disengage("a");
      swap.Write("swap_2");
      run.SetArgument("a", "gain", "5");
    }
    if (pass == kIn) {
      run.Engage("b");
      before = run.Record().checkpoints;
    }
    EXPECT_TRUE(run.Advance());
  }
  return run.Record().checkpoints - before;
}

class ExchangedRun : public ::testing::TestWithParam<std::tuple<RunMode, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Ways, ExchangedRun,
                         ::testing::Combine(::testing::Values(RunMode::Pull, RunMode::Step),
                                            ::testing::Values("", "KeepState=\"true\"")));

TEST_P(ExchangedRun, ResumedGivesTheResultsOfOneThatNeverStopped) {
  const Folder folder;
  SwapRun swap;
  const std::string body = Body(swap, std::get<1>(GetParam()));
  RunOptions options = FilesIn(folder.Path() / "whole");
  options.mode = std::get<0>(GetParam());
  std::uint64_t passes = 0;
  {
    Made made(body);
    ASSERT_EQ(made.Text(), "");
    CompositionRun run(*made.composition, made.problems, options);
    Exchange(swap, run, kIn + 1);
    while (run.Advance()) {
    }
    const RunRecord record = run.End();
    ASSERT_TRUE(record.is_complete) << ProblemsOf(record);
    passes = record.passes;
  }
  const std::string whole = BytesOf(folder.Path() / "whole/made.csv");
  ASSERT_GT(whole.size(), 1000U);
  ASSERT_GT(passes, kIn + 5);
  const auto complete_since = [&](bool expected) {
    Made made(body, [&](Composition& composition) {
      if (expected) ExpectResume(composition, options.folder);
    });
    return CompleteSince(*made.composition, options);
  };
  EXPECT_TRUE(complete_since(true)) << "compared with the arguments that were changed in the run";
  EXPECT_FALSE(complete_since(false));
  std::size_t resumed_after = 0;
  for (std::uint64_t killed = kIn + 2; killed < passes; killed += (passes - kIn) / 4) {
    SCOPED_TRACE(killed);
    options.folder = folder.Path() / std::to_string(killed);
    options.resume = false;
    swap.Write("swap_1");
    {
      Made made(body);
      CompositionRun run(*made.composition, made.problems, options);
      if (Exchange(swap, run, killed) == 0) continue;
    }
    options.resume = true;
    const RunRecord resumed = RunAll(body, options, [&](Composition& made) { ExpectResume(made, options.folder); });
    EXPECT_TRUE(resumed.is_complete) << ProblemsOf(resumed);
    EXPECT_THAT(ProblemsOf(resumed), Not(HasSubstr("after the start of the run")))
        << "it was there before it began again";
    EXPECT_EQ(BytesOf(options.folder / "made.csv"), whole);
    EXPECT_TRUE(BytesOf(options.folder / "made.nc") == BytesOf(folder.Path() / "whole/made.nc"));
    ++resumed_after;
    if (HasFailure()) return;
  }
  EXPECT_GE(resumed_after, 2U);
}

TEST(ExchangedRun, FromBeforeTheExchangeTheLibraryThatIsAnotherIsNamed) {
  const Folder folder;
  SwapRun swap;
  const std::string body = Body(swap, "");
  const RunOptions first = FilesIn(folder.Path());
  {
    Made made(body);
    CompositionRun run(*made.composition, made.problems, first);
    Exchange(swap, run, kIn);  // killed while the family was out
  }
  RunOptions options = first;
  options.resume = true;
  const auto resume = [&] {
    return RunAll(body, options, [&](Composition& made) { ExpectResume(made, options.folder); });
  };
  EXPECT_THAT(resume, ThrowsMessage<ArgumentError>(
                          AllOf(HasSubstr("the library of component 'a' was"), HasSubstr("--resume-changed"))));
  swap.Write("swap_1");  // taken back: from the last checkpoint before the exchange, with the old code
  const RunRecord record = resume();
  EXPECT_TRUE(record.is_complete) << ProblemsOf(record);
  EXPECT_LT(record.resumed->mjd, kDayOne + 6.0 / 24.0);
  EXPECT_GT(record.resumed->mjd, kDayOne);
}

TEST(ExchangedRun, ItsStateGoesIntoARunWithoutTheExchange) {
  SwapRun swap("swap_2");
  const std::string body = Body(swap, "", "");
  RunOptions options;
  options.write_results = false;
  Made one(body);
  CompositionRun exchanged(*one.composition, one.problems, options);
  exchanged.Begin();
  while (exchanged.Passes() < kOut) exchanged.Advance();
  exchanged.Disengage("a");
  exchanged.Engage("a");  // sets start-time, and nothing else
  const std::vector<std::byte> bytes = exchanged.SerializeState(exchanged.SaveState());
  Made other(body);
  CompositionRun plain(*other.composition, other.problems, options);
  plain.Begin();
  plain.RestoreState(plain.DeserializeState(bytes));
  while (plain.Advance()) {
  }
  while (exchanged.Advance()) {
  }
  const RunRecord a = exchanged.End();
  const RunRecord b = plain.End();
  EXPECT_TRUE(b.is_complete) << ProblemsOf(b);
  ASSERT_EQ(b.series.size(), 3U);
  EXPECT_GT(b.series[2].values.size(), 20U);
  EXPECT_EQ(a.series[2].values, b.series[2].values);
}

TEST(IsolatedRun, GoesOnInOneProcessAndTheOtherWayRound) {
  constexpr const char* kIsolated = "Isolation=\"process\"";
  for (const auto& [first, then] : {std::pair(kIsolated, ""), std::pair("", kIsolated)}) {
    SCOPED_TRACE(first);
    const Folder folder;
    const SwapRun swap;
    const RunRecord whole = RunAll(Body(swap, then), FilesIn(folder.Path() / "whole"));
    ASSERT_TRUE(whole.is_complete) << ProblemsOf(whole);
    RunOptions options = FilesIn(folder.Path() / "cut");
    RunSome(Body(swap, first), options, kIn);
    options.resume = true;
    const RunRecord resumed =
        RunAll(Body(swap, then), options, [&](Composition& made) { ExpectResume(made, options.folder); });
    EXPECT_TRUE(resumed.is_complete) << ProblemsOf(resumed);
    EXPECT_GT(resumed.resumed->mjd, kDayOne);
    ASSERT_EQ(resumed.series.size(), whole.series.size());
    for (std::size_t i = 0; i < whole.series.size(); ++i) {
      EXPECT_EQ(resumed.series[i].values, whole.series[i].values) << i;
    }
  }
}

}  // namespace
}  // namespace openmi::testing
