// Families whose new code is loaded and initialized beside the run.

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <thread>

#include "composition/families/Families.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/families/FamilyFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

/// The slow build takes some tenths of a second to initialize, in which this run makes thousands of passes.
std::string Body(const SwapRun& swap, const std::string& arguments = {}) {
  return ComponentXml("rain", "Source", ArgumentXml("unit", "1") + ArgumentXml("gives", "instant")) +
         swap.Solver("a", arguments) +
         ComponentXml("sa", "Sink", ArgumentXml("unit", "1") + ArgumentXml("asks", "instant")) +
         LinkXml("rain.out", "a.in") + LinkXml("a.out", "sa.in") + RunXml("2999-12-02T00:00Z");
}

/// What EngageBeside told; nothing: nobody was told yet.
struct Told {
  std::optional<std::string> text;
  std::function<void(const Error*)> Hear() {
    return [this](const Error* error) { text = error != nullptr ? error->what() : ""; };
  }
};

class Beside : public ::testing::TestWithParam<RunMode> {
 protected:
  /// Runs for some hours, lets the solver leave, and puts another build in its place.
  void Leave(const std::string& build, const std::string& arguments = {}) {
    swap_.Begin(Body(swap_, arguments), GetParam());
    swap_.RunTo(6);
    swap_.Run().Disengage("a");
    swap_.Write(build);
    swap_.RunTo(8);
  }
  bool IsStarting() { return swap_.Run().TheFamilies().Find("a").is_starting; }
  /// Makes passes until somebody was told. \returns how many were made meanwhile
  std::uint64_t RunUntilTold(const Told& told) {
    const std::uint64_t before = swap_.Run().Passes();
    while (!told.text && swap_.Run().Advance()) {
    }
    return swap_.Run().Passes() - before;
  }
  std::string End() {
    swap_.Run().RequestEnd("enough");
    return swap_.End();
  }
  SwapRun swap_;
};

INSTANTIATE_TEST_SUITE_P(Modes, Beside, ::testing::Values(RunMode::Pull, RunMode::Step));

TEST_P(Beside, TheRunGoesOnWhileSlowCodeStarts) {
  Leave("swap_slow");
  Told told;
  swap_.Run().EngageBeside("a", told.Hear());
  EXPECT_FALSE(told.text);
  EXPECT_TRUE(IsStarting());
  EXPECT_EQ(swap_.Run().TheFamilies().StatusOf("a"), FamilyStatus::Disengaged);
  const std::uint64_t passes = RunUntilTold(told);
  EXPECT_GT(passes, 20U) << "the run did not stand still meanwhile";
  EXPECT_EQ(told.text, "");
  EXPECT_FALSE(IsStarting());
  EXPECT_EQ(swap_.Run().TheFamilies().StatusOf("a"), FamilyStatus::Engaged);
  const Sink& sink = swap_.TheSink("sa");
  const std::size_t held = sink.rows.size() - 1;  // it came in before the last pass
  const double last = Single(sink, 5);
  for (std::size_t i = 6; i < held; ++i) ASSERT_EQ(Single(sink, i), last) << "the last value holds while it starts";
  for (int i = 0; i < 10; ++i) swap_.Run().Advance();
  EXPECT_NE(Single(sink, sink.rows.size() - 1), last);
  // It began where the run was when it was asked for, at 8 h, and stepped from there: out = 7 sum of in.
  double level = 0.0;
  for (std::size_t step = 9; step <= sink.rows.size(); ++step) level += TestValue(static_cast<std::int64_t>(step), 0);
  EXPECT_NEAR(Single(sink, sink.rows.size() - 1), 7.0 * level, 1e-6 * level);
  for (std::size_t i = 0; i < sink.times.size(); ++i) {
    ASSERT_NEAR(sink.times[i], kDayOne + static_cast<double>(i + 1) / 24.0, 1e-6) << "no step missed";
  }
  EXPECT_THAT(End(), IsEmpty());
}

TEST_P(Beside, CodeThatDoesNotStartIsToldOfAndStaysOut) {
  Leave("swap_3");
  Told told;
  swap_.Run().EngageBeside("a", told.Hear());
  RunUntilTold(told);
  ASSERT_TRUE(told.text);
  EXPECT_THAT(*told.text, HasSubstr("version 3 does not start"));
  EXPECT_THAT(swap_.Run().TheFamilies().Find("a").problem, HasSubstr("version 3 does not start"));
  EXPECT_EQ(MappedSolvers(), 0U);
  swap_.Write("swap_2");
  Told again;
  swap_.Run().EngageBeside("a", again.Hear());
  RunUntilTold(again);
  EXPECT_EQ(again.text, "");
  EXPECT_GT(MappedSolvers(), 0U);
  EXPECT_THAT(End(), IsEmpty());
}

TEST_P(Beside, IsGivenUpByWhoeverDisengagesAgain) {
  Leave("swap_slow");
  Told told;
  Told another;
  swap_.Run().EngageBeside("a", told.Hear());
  swap_.Run().EngageBeside("a", another.Hear());
  EXPECT_THAT([&] { swap_.Run().SetArgument("a", "gain", "2"); },
              ThrowsMessage<StateError>(HasSubstr("being engaged")));
  swap_.Run().Disengage("a");
  EXPECT_FALSE(IsStarting());
  EXPECT_EQ(MappedSolvers(), 0U);
  swap_.Run().Advance();
  ASSERT_TRUE(told.text && another.text);
  EXPECT_THAT(*told.text, HasSubstr("abandoned"));
  swap_.Run().SetArgument("a", "gain", "2");
  swap_.Run().Engage("a");
  EXPECT_EQ(swap_.Run().TheFamilies().StatusOf("a"), FamilyStatus::Engaged);
  EXPECT_THAT(End(), IsEmpty());
}

TEST_P(Beside, WhoeverWantsItAtOnceWaits) {
  Leave("swap_slow");
  Told told;
  swap_.Run().EngageBeside("a", told.Hear());
  swap_.Run().Engage("a");
  EXPECT_EQ(swap_.Run().TheFamilies().StatusOf("a"), FamilyStatus::Engaged);
  swap_.Run().Advance();
  EXPECT_EQ(told.text, "");
  EXPECT_THAT(End(), IsEmpty());
}

TEST_P(Beside, TheEndOfTheRunIsToldToWhoeverWaits) {
  Leave("swap_slow");
  Told told;
  swap_.Run().EngageBeside("a", told.Hear());
  EXPECT_THAT(End(), IsEmpty());
  ASSERT_TRUE(told.text);
  EXPECT_THAT(*told.text, HasSubstr("found it ended"));
  EXPECT_EQ(MappedSolvers(), 0U);
}

TEST_P(Beside, CodeThatIsToBeAloneStartsInTheQuietMoment) {
  SwapRun swap("swap_slow");
  swap.Begin(Body(swap, ArgumentXml("gives", "alone")), GetParam());
  swap.RunTo(6);
  swap.Run().Disengage("a");
  Told told;
  swap.Run().EngageBeside("a", told.Hear());
  EXPECT_EQ(told.text, "") << "it is in already";
  EXPECT_EQ(swap.Run().TheFamilies().StatusOf("a"), FamilyStatus::Engaged);
  swap.Run().RequestEnd("enough");
  EXPECT_THAT(swap.End(), IsEmpty());
}

TEST(BesideClaims, AComponentStaysUntilItHasAnsweredWhatItClaims) {
  int ends[2] = {};
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  setenv("OPENMI_TEST_CLAIMS", std::to_string(ends[1]).c_str(), 1);
  const auto next = [&] {
    char letter = '-';
    return read(ends[0], &letter, 1) == 1 ? letter : '-';
  };
  SwapRun swap("claims");
  const SwapRun other("claims", "libother.so");
  swap.Begin(ComponentXml("rain", "Source", ArgumentXml("unit", "1") + ArgumentXml("gives", "instant")) +
                 swap.Solver("a") + other.Solver("b", ArgumentXml("heard", "true")) +
                 ComponentXml("sa", "Sink", ArgumentXml("unit", "1") + ArgumentXml("asks", "instant")) +
                 ComponentXml("sb", "Sink", ArgumentXml("unit", "1") + ArgumentXml("asks", "instant")) +
                 LinkXml("rain.out", "a.in") + LinkXml("rain.out", "b.in") + LinkXml("a.out", "sa.in") +
                 LinkXml("b.out", "sb.in") + RunXml("2999-12-02T00:00Z"),
             RunMode::Step);
  swap.RunTo(6);
  swap.Run().Disengage("a");
  swap.Run().BetweenPasses().Run();
  // What it was asked until here; the last letter is a mark of this test.
  ASSERT_EQ(write(ends[1], "-", 1), 1);
  while (next() != '-') {
  }
  Told told;
  swap.Run().EngageBeside("a", told.Hear());
  ASSERT_EQ(next(), 'A') << "the new code asks what the other one claims";
  swap.Run().Disengage("b");  // meanwhile
  EXPECT_EQ(next(), 'B');
  EXPECT_EQ(next(), 'C');
  while (!told.text && swap.Run().Advance()) {
  }
  EXPECT_EQ(told.text, "");
  swap.Run().RequestEnd("enough");
  EXPECT_THAT(swap.End(), IsEmpty());
  unsetenv("OPENMI_TEST_CLAIMS");
  close(ends[0]);
  close(ends[1]);
}

TEST(BesideThreads, CodeWithAThreadOfItsOwnStartsThere) {
  for (int i = 0; i < 3; ++i) {
    SwapRun swap("swap_thread_1");
    swap.Begin(Body(swap));
    swap.RunTo(6);
    swap.Run().Disengage("a");
    EXPECT_EQ(MappedSolvers(), 0U);
    swap.Write("swap_thread_2");
    Told told;
    swap.Run().EngageBeside("a", told.Hear());
    while (!told.text && swap.Run().Advance()) {
    }
    EXPECT_EQ(told.text, "");
    swap.Run().Advance();
    swap.Run().Disengage("a");
    EXPECT_EQ(MappedSolvers(), 0U) << "its thread locals went with its thread";
    swap.Run().RequestEnd("enough");
    EXPECT_THAT(swap.End(), IsEmpty());
  }
}

}  // namespace
}  // namespace openmi::testing
