// Runs held to a clock. The clock is made up but for one short run: what a machine under load does is no test.

#include "composition/run/Pace.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/state/StateFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;
using namespace std::chrono_literals;

constexpr Stamp kBegin{60000.0};
const Pace::Clock::time_point kNoon{1000s};

double Seconds(Pace::Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

TEST(Pace, StepsAreDueByTheFactor) {
  const Pace pace({.factor = 60.0}, kBegin, kNoon);
  EXPECT_EQ(pace.Due(kBegin), kNoon);
  EXPECT_NEAR(Seconds(pace.Due(kBegin + Hours(1.0)) - kNoon), 60.0, 1e-4);
  EXPECT_EQ(pace.Due(kFarFuture), kNoon + 1'000'000'000s) << "no overflow";
}

TEST(Pace, CountsWhatIsLateAndCarriesOnWithTheDelay) {
  Pace pace({.factor = 3600.0, .late_after_seconds = 0.1}, kBegin, kNoon);
  pace.Stepped(kBegin + Hours(1.0), kNoon + 500ms);   // early
  pace.Stepped(kBegin + Hours(2.0), kNoon + 2050ms);  // a little late
  pace.Stepped(kBegin + Hours(3.0), kNoon + 3500ms);  // late
  EXPECT_NEAR(Seconds(pace.Due(kBegin + Hours(4.0)) - kNoon), 4.5, 1e-4);
  pace.Stepped(kBegin + Hours(4.0), kNoon + 4700ms);
  EXPECT_EQ(pace.Figures().steps, 4U);
  EXPECT_EQ(pace.Figures().late, 2U);
  EXPECT_NEAR(pace.Figures().worst_seconds, 0.5, 1e-4);
  EXPECT_NEAR(pace.Figures().lost_seconds, 0.7, 1e-4);
}

TEST(Pace, CatchesUpWithAnOriginThatStays) {
  Pace pace({.factor = 3600.0, .late = LatePolicy::CatchUp, .late_after_seconds = 0.1}, kBegin, kNoon);
  pace.Stepped(kBegin + Hours(1.0), kNoon + 2500ms);
  EXPECT_NEAR(Seconds(pace.Due(kBegin + Hours(2.0)) - kNoon), 2.0, 1e-4);
  pace.Stepped(kBegin + Hours(2.0), kNoon + 2600ms);
  pace.Stepped(kBegin + Hours(3.0), kNoon + 2700ms);
  EXPECT_EQ(pace.Figures().late, 2U);
  EXPECT_EQ(pace.Figures().lost_seconds, 0.0);
}

TEST(Pace, FailsWhereItIsToldTo) {
  Pace pace({.factor = 2.0, .late = LatePolicy::Fail, .late_after_seconds = 0.1}, kBegin, kNoon);
  EXPECT_NO_THROW(pace.Stepped(kBegin + Days{10.0 / 86400.0}, kNoon + 5s));
  EXPECT_THAT([&] { pace.Stepped(kBegin + Days{20.0 / 86400.0}, kNoon + 11s); },
              ThrowsMessage<ModelError>(AllOf(HasSubstr("pace of 2"), HasSubstr("1 s late"), HasSubstr("LateAfter"))));
}

TEST(Pace, APauseMovesTheOrigin) {
  Pace pace({.factor = 3600.0}, kBegin, kNoon);
  pace.Paused(7s);
  EXPECT_NEAR(Seconds(pace.Due(kBegin + Hours(1.0)) - kNoon), 8.0, 1e-4);
}

std::string Paced(const std::string& attributes) {
  return ComponentXml("walk", "Walk") + ComponentXml("pond", "Pond") + LinkXml("walk.flow", "pond.inflow") +
         RunXml("2015-12-02T00:00Z", attributes);
}

TEST(Pace, ARunIsNotFasterThanItsPace) {
  Made made(Paced("Pace=\"864000\""));  // a day in 0.1 s
  ASSERT_THAT(made.Text(), IsEmpty());
  const auto begin = std::chrono::steady_clock::now();
  const RunRecord record = made.Run();
  EXPECT_GE(Seconds(std::chrono::steady_clock::now() - begin), 0.095);  // the last step is not waited for
  EXPECT_TRUE(record.is_complete);
  EXPECT_EQ(record.pace.factor, 864000.0);
  EXPECT_EQ(record.pace.steps, 24U);
}

TEST(Pace, APausedRunIsNotLate) {
  Made made(Paced("Pace=\"864000\" Late=\"fail\" LateAfter=\"20 s\""));
  RunOptions options = FilesIn({});
  options.write_results = false;
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  run.Pause();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(run.Advance());
  run.Resume();
  while (run.Advance()) {
  }
  EXPECT_TRUE(run.End().is_complete);
}

TEST(Pace, AnImpossiblePaceIsCountedOrFails) {
  Made made(Paced("Pace=\"1e18\" LateAfter=\"1e-9 s\" Late=\"catch-up\""));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  EXPECT_TRUE(record.is_complete);
  EXPECT_EQ(record.pace.late, 24U);
  Made failing(Paced("Pace=\"1e18\" LateAfter=\"1e-9 s\" Late=\"fail\""));
  const RunRecord failed = failing.Run();
  EXPECT_FALSE(failed.is_complete);
  EXPECT_EQ(failed.passes, 1U);
  EXPECT_THAT(ErrorsOf(failed), HasSubstr("in time at a pace of 1e+18"));
}

}  // namespace
}  // namespace openmi::testing
