// What links carry and components hold: the figures of LinkMeter and ComponentMeter.

#include <cmath>

#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

LinkBalanceFigures BalanceOf(const std::string& source, const std::string& sink, const std::string& adaptors,
                             const std::string& run = RunFor()) {
  Made made(source + sink + Lnk("a.out", "s.in", adaptors) + run);
  EXPECT_THAT(made.Text(), IsEmpty());
  if (HasErrors(made.problems)) return {};
  const RunRecord record = made.Run();
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_EQ(record.links.size(), 1U);
  return record.links.empty() ? LinkBalanceFigures{} : record.links[0].second;
}

/// The sum of TestValue over steps 1 to `steps` and all elements, each element times its weight.
double SumOf(std::int64_t steps, const std::vector<double>& weights = {1.0}) {
  double sum = 0.0;
  for (std::int64_t step = 1; step <= steps; ++step) {
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * TestValue(step, i);
  }
  return sum;
}

void ExpectClosed(const LinkBalanceFigures& figures, double expected, const std::string& unit = "m3") {
  EXPECT_EQ(figures.unit, unit);
  EXPECT_NEAR(figures.left / expected, 1.0, 1e-9);  // hours as doubles of days: 1e-10 of a step
  EXPECT_LT(std::fabs(figures.relative_difference), 1e-12);
  EXPECT_EQ(figures.missing, 0U);
}

TEST(LinkBalance, SameSteps) {
  ExpectClosed(BalanceOf(Comp("a", "Source"), Comp("s", "Sink"), ""), 3600.0 * SumOf(24));
}

TEST(LinkBalance, QuartersToHoursThroughTheMean) {
  ExpectClosed(BalanceOf(Comp("a", "Source", Arg("time-step", "PT15M")), Comp("s", "Sink"), Adapt("mean-over-span")),
               900.0 * SumOf(96));
}

TEST(LinkBalance, HoursToQuartersAndUnevenSteps) {
  ExpectClosed(BalanceOf(Comp("a", "Source"), Comp("s", "Sink", Arg("time-step", "PT15M")), Adapt("mean-over-span")),
               3600.0 * SumOf(24));
  ExpectClosed(BalanceOf(Comp("a", "Source", Arg("time-step", "PT40M")), Comp("s", "Sink", Arg("time-step", "PT90M")),
                         Adapt("mean-over-span")),
               2400.0 * SumOf(36));
}

TEST(LinkBalance, AmountsThroughSumAndDivision) {
  ExpectClosed(BalanceOf(Comp("a", "Source", Arg("unit", "m3") + Arg("time-step", "PT15M")), Comp("s", "Sink"),
                         Adapt("sum-over-span") + Adapt("divide-by-span")),
               SumOf(96));
}

TEST(LinkBalance, UnitsConvertedOnTheWay) {
  const auto figures = BalanceOf(Comp("a", "Source", Arg("unit", "L s-1")), Comp("s", "Sink"), "");
  ExpectClosed(figures, 3.6 * SumOf(24));
}

TEST(LinkBalance, DepthsWithoutAreaAreMetres) {
  const auto figures =
      BalanceOf(Comp("a", "Source", Arg("unit", "mm h-1")), Comp("s", "Sink", Arg("unit", "m s-1")), "");
  ExpectClosed(figures, 1e-3 * SumOf(24), "m");
}

TEST(LinkBalance, DepthRateOverPolygonsAreaWeighted) {
  // Two sources of 2 x 1 and 1 x 1 m; the target takes the first whole and half of the second.
  const auto figures = BalanceOf(
      Comp("a", "Source", Arg("unit", "mm h-1") + Arg("elements", "polygons a 0 0 2 1 ; b 2 0 3 1")),
      Comp("s", "Sink", Arg("unit", "mm h-1") + Arg("elements", "polygons t 0 0 2.5 1")), Adapt("area-weighted-mean"));
  ExpectClosed(figures, 1e-3 * SumOf(24, {2.0, 0.5}));
  EXPECT_THAT(figures.note, HasSubstr("areas in common"));
}

TEST(LinkBalance, TimesElementArea) {
  const auto figures = BalanceOf(Comp("a", "Source", Arg("unit", "mm h-1") + Arg("elements", "areas a 2e6 ; b 5e6")),
                                 Comp("s", "Sink", Arg("elements", "a b")), Adapt("times-element-area"));
  ExpectClosed(figures, 1e-3 * SumOf(24, {2e6, 5e6}));
  EXPECT_THAT(figures.note, HasSubstr("attribute 'area'"));
}

TEST(LinkBalance, ByIdInAnotherOrderAndPartOfTheElements) {
  ExpectClosed(BalanceOf(Comp("a", "Source", Arg("elements", "a b c")), Comp("s", "Sink", Arg("elements", "c a")),
                         Adapt("by-id")),
               3600.0 * SumOf(24, {1.0, 0.0, 1.0}));
}

TEST(LinkBalance, ALeakShows) {
  const auto figures = BalanceOf(Comp("a", "LeakySource"), Comp("s", "Sink"), Adapt("leak"));
  EXPECT_NEAR(figures.relative_difference, -0.02, 1e-12);
  EXPECT_NEAR(figures.left, 3600.0 * SumOf(24), 1e-3);
  EXPECT_NEAR(figures.arrived, 0.98 * 3600.0 * SumOf(24), 1e-3);
}

TEST(LinkBalance, ALeakShowsBehindOtherAdaptors) {
  const auto figures = BalanceOf(
      Comp("a", "LeakySource",
           Arg("unit", "mm h-1") + Arg("elements", "polygons a 0 0 2 1 ; b 2 0 3 1") + Arg("time-step", "PT15M")),
      Comp("s", "Sink", Arg("unit", "m s-1") + Arg("elements", "polygons t 0 0 3 1")),
      Adapt("area-weighted-mean") + Adapt("leak") + Adapt("mean-over-span"));
  EXPECT_NEAR(figures.relative_difference, -0.02, 1e-12);
}

TEST(LinkBalance, TheWarmUpIsLeftOut) {
  const auto whole = BalanceOf(Comp("a", "Source"), Comp("s", "Sink"), "");
  const auto later =
      BalanceOf(Comp("a", "Source"), Comp("s", "Sink"), "", RunFor("2015-12-02T00:00Z", "WarmUp=\"PT6H\""));
  EXPECT_NEAR(later.left, 3600.0 * (SumOf(24) - SumOf(6)), 1e-3);
  EXPECT_NEAR(whole.left - later.left, 3600.0 * SumOf(6), 1e-3);
  EXPECT_LT(std::fabs(later.relative_difference), 1e-12);
}

TEST(LinkBalance, MissingValuesAreLeftOutAndCounted) {
  const auto figures = BalanceOf(Comp("a", "Source", Arg("missing-at", "5")), Comp("s", "Sink"), "");
  EXPECT_EQ(figures.missing, 2U);  // the one value, on either side
  EXPECT_NEAR(figures.left, 3600.0 * (SumOf(24) - TestValue(5, 0)), 1e-3);
  EXPECT_LT(std::fabs(figures.relative_difference), 1e-12);
}

TEST(LinkBalance, InstantsHoldOverTheStepThatEndsThere) {
  ExpectClosed(BalanceOf(Comp("a", "Source", Arg("gives", "instant")), Comp("s", "Sink", Arg("asks", "instant")), ""),
               3600.0 * SumOf(24));
}

TEST(LinkBalance, OnlyFluxesAreWeighed) {
  Made made(Comp("a", "Source", Arg("unit", "m") + Arg("gives", "instant")) +
            Comp("s", "Sink", Arg("unit", "m") + Arg("asks", "instant")) + Lnk("a.out", "s.in") + RunFor());
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_TRUE(made.Run().links.empty());  // water levels
}

TEST(LinkBalance, ALengthPerTimeWithoutAreaIsAFluxOnlyInSpans) {
  const auto weighed = [](const std::string& unit, const std::string& gives, const std::string& asks,
                          const std::string& elements = {}) {
    const std::string where = elements.empty() ? "" : Arg("elements", elements);
    Made made(Comp("a", "Source", Arg("unit", unit) + Arg("gives", gives) + where) +
              Comp("s", "Sink", Arg("unit", unit) + Arg("asks", asks) + where) +
              Lnk("a.out", "s.in", gives == "instant" && asks == "span" ? Adapt("mean-over-span") : "") + RunFor());
    EXPECT_FALSE(HasErrors(made.problems)) << made.Text();
    return !made.Run().links.empty();
  };
  EXPECT_TRUE(weighed("mm h-1", "span", "span"));
  EXPECT_FALSE(weighed("m s-1", "instant", "instant")) << "the speed of a vehicle, as likely as not";
  EXPECT_FALSE(weighed("m s-1", "instant", "span"));
  EXPECT_FALSE(weighed("m s-1", "instant", "instant", "leader follower"));
  EXPECT_TRUE(weighed("mm h-1", "instant", "instant", "areas x 2e6 ; y 3e6")) << "a depth over areas";
  EXPECT_TRUE(weighed("m3 s-1", "instant", "instant"));
  EXPECT_TRUE(weighed("kg m-2 s-1", "instant", "instant"));
}

TEST(LinkBalance, AProviderThatRanFurtherIsCutAtTheConsumer) {
  // The provider's last step ends four hours after the consumer's.
  const auto figures = BalanceOf(Comp("a", "Source", Arg("time-step", "PT7H")), Comp("s", "Sink"),
                                 Adapt("mean-over-span"), RunFor("2015-12-01T17:00Z"));
  EXPECT_LT(std::fabs(figures.relative_difference), 1e-12);
}

TEST(ComponentBalance, Closes) {
  Made made(Comp("a", "Source") + Comp("t", "Tank") + Comp("s", "Sink") + Lnk("a.out", "t.inflow") +
            Lnk("t.outflow", "s.in") + RunFor());
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  ASSERT_EQ(record.components.size(), 1U);
  const auto& [id, figures] = record.components[0];
  EXPECT_EQ(id, "t");
  EXPECT_EQ(figures.start, 5000.0);
  EXPECT_NEAR(figures.in, 3600.0 * SumOf(24), 1e-3);
  EXPECT_GT(figures.losses, 0.0);
  EXPECT_LT(std::fabs(figures.relative), 1e-12);
  EXPECT_LT(std::fabs(figures.worst_step), 1e-9);
  ASSERT_EQ(record.links.size(), 2U);
  for (const auto& [link, balance] : record.links) EXPECT_LT(std::fabs(balance.relative_difference), 1e-12) << link;
  EXPECT_NEAR(figures.out, record.links[1].second.arrived, 1e-3);
}

TEST(ComponentBalance, FindsTheWorstStep) {
  for (RunMode mode : {RunMode::Pull, RunMode::Step}) {
    Made made(Comp("a", "Source") + Comp("t", "Tank", Arg("lost", "50") + Arg("lose-at", "9")) + Comp("s", "Sink") +
              Lnk("a.out", "t.inflow") + Lnk("t.outflow", "s.in") + RunFor());
    ASSERT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run(mode);
    ASSERT_EQ(record.components.size(), 1U);
    const ComponentBalanceFigures& figures = record.components[0].second;
    EXPECT_NEAR(figures.residual, 50.0, 1e-9);
    EXPECT_NEAR(figures.worst_step, 50.0, 1e-9);
    EXPECT_NEAR(figures.worst_time.mjd, kDayOne + 9.0 / 24.0, 1e-9);
  }
}

TEST(ComponentBalance, ALossInTheWarmUpDoesNotCount) {
  Made made(Comp("a", "Source") + Comp("t", "Tank", Arg("lost", "50") + Arg("lose-at", "3")) +
            Lnk("a.out", "t.inflow") + RunFor("2015-12-02T00:00Z", "WarmUp=\"PT6H\""));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  ASSERT_EQ(record.components.size(), 1U);
  EXPECT_LT(std::fabs(record.components[0].second.residual), 1e-9);
  EXPECT_NEAR(record.components[0].second.in, 3600.0 * (SumOf(24) - SumOf(6)), 1e-3);
}

TEST(ComponentBalance, OfARunThatEndedInItsWarmUpSaysNothing) {
  for (const std::uint64_t passes : {3U, 6U, 7U}) {
    Made one(Comp("a", "Source") + Comp("t", "Tank") + Lnk("a.out", "t.inflow") +
             RunFor("2015-12-02T00:00Z", "WarmUp=\"PT6H\""));
    RunOptions options;
    options.write_results = options.write_report = false;
    CompositionRun run(*one.composition, one.problems, options);
    run.Begin();
    while (run.Passes() < passes) run.Advance();
    const RunRecord record = run.End();
    ASSERT_EQ(record.links.size(), 1U);
    ASSERT_EQ(record.components.size(), 1U);
    EXPECT_EQ(record.links[0].second.is_weighed, passes == 7) << passes;
    EXPECT_EQ(record.components[0].second.is_weighed, passes == 7) << passes;
    EXPECT_EQ(std::isnan(record.links[0].second.relative_difference), passes < 7) << passes;
    EXPECT_EQ(std::isnan(record.components[0].second.residual), passes < 7) << passes;
  }
}

TEST(ComponentBalance, WithinALoopEveryStepIsSampled) {
  // t1 flows into t2 and back: pulled from within each other.
  Made made(Comp("t1", "Tank", Arg("first", "2")) + Comp("t2", "Tank", Arg("lost", "-7") + Arg("lose-at", "4")) +
            Lnk("t1.outflow", "t2.inflow") + Lnk("t2.outflow", "t1.inflow") + RunFor());
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  ASSERT_EQ(record.components.size(), 2U);
  EXPECT_NEAR(record.components[0].second.residual, 0.0, 1e-9);
  EXPECT_NEAR(record.components[1].second.worst_step, -7.0, 1e-9);
  EXPECT_NEAR(record.components[1].second.worst_time.mjd, kDayOne + 4.0 / 24.0, 1e-9);
}

}  // namespace
}  // namespace openmi::testing
