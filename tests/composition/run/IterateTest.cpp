// Loops that are iterated within each step: known answers, tolerances, what happens when they do not converge, and that
// nobody outside hears of what was given up.

#include <cmath>
#include <cstring>
#include <map>

#include "tests/composition/run/RunFixture.hpp"
#include "tests/support/LoopProblems.hpp"

namespace openmi::testing {
namespace {

using loops::FirstOrder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kTight = "RelativeTolerance=\"1e-11\" AbsoluteTolerance=\"1e-13\"";

/// The largest difference from the solution as one system, over all steps and both sides.
double ErrorOf(const loops::Problem2& problem, const RunRecord& record) {
  const auto exact = loops::Monolithic(problem);
  double largest = record.series.size() == 2 ? 0.0 : 1e300;
  for (std::size_t side = 0; side < record.series.size(); ++side) {
    const RecordedSeries& series = record.series[side];
    if (series.values.size() != exact.size() + 1) return 1e300;  // the initial value and one a step
    for (std::size_t i = 0; i < exact.size(); ++i) {
      largest = std::fmax(largest, std::fabs(series.values[i + 1] - exact[i][side]));
    }
  }
  return largest;
}

std::string First(const std::string& id, double time, double gain, double bias, double initial,
                  const std::string& more = {}) {
  return Comp(id, "loops.first-order",
              Arg("T", std::to_string(time)) + Arg("gain", std::to_string(gain)) + Arg("bias", std::to_string(bias)) +
                  Arg("initial", std::to_string(initial)) + more);
}
/// A pair that contracts: gains of 1 and 0.8, T of three and five steps.
std::string Pair(const std::string& more_a = {}, const std::string& more_b = {}) {
  return First("a", 3.0, 1.0, 2.0, 1.0, more_a) + First("b", 5.0, 0.8, 0.0, 4.0, more_b) + Lnk("a.out", "b.in") +
         Lnk("b.out", "a.in");
}
std::string Iterate(const std::string& more = {}, const std::string& children = {}) {
  return "<Iterate Components=\"a b\" " + more + ">" + children + "</Iterate>\n";
}

TEST(IteratedLoops, GiveTheSolutionOfTheWholeSystem) {
  for (const loops::Problem2& problem : {loops::Reservoirs(), loops::Oscillator(), loops::StiffPair()}) {
    for (const char* method : {"anderson", "quasi-newton", "aitken"}) {
      for (const char* order : {"gauss-seidel", "jacobi"}) {
        const std::string iterate = std::string("Method=\"") + method + "\" Order=\"" + order + "\" " + kTight +
                                    " MaxIterations=\"200\" Relaxation=\"0.3\"";
        Made made(loops::CompositionXml(problem, iterate));
        ASSERT_THAT(made.Text(), IsEmpty());
        for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
          Made run(loops::CompositionXml(problem, iterate));
          const RunRecord record = run.Run(mode);
          if (std::string(method) == "aitken" && std::string(order) == "jacobi" && problem.name == "stiff-pair") {
            // One factor for both values cannot turn a rotation: it may fail, and says so then.
            if (!ErrorsOf(record).empty()) {
              EXPECT_THAT(ErrorsOf(record), HasSubstr("to converge within"));
            }
            continue;
          }
          ASSERT_THAT(ErrorsOf(record), IsEmpty()) << problem.name << " " << iterate;
          EXPECT_LE(ErrorOf(problem, record), 1e-9) << problem.name << " " << iterate;
          ASSERT_EQ(record.loops.size(), 1U);
          EXPECT_EQ(record.loops[0].steps, static_cast<std::uint64_t>(problem.steps));
          EXPECT_GE(record.loops[0].iterations, record.loops[0].steps);
          EXPECT_EQ(record.loops[0].unconverged, 0U);
        }
      }
    }
  }
}

TEST(IteratedLoops, StaggeredRunsAreOffByWhatLags) {
  const loops::Problem2 problem = loops::Reservoirs();
  Made made(loops::CompositionXml(problem, ""));
  ASSERT_THAT(made.Text(), IsEmpty());
  const double error = ErrorOf(problem, made.Run());
  EXPECT_GT(error, 1e-3);
  EXPECT_LT(error, 1e3);
}

TEST(IteratedLoops, JacobiDivergesOnTheStiffPairWhereAndersonConverges) {
  const loops::Problem2 problem = loops::StiffPair();
  Made plain(loops::CompositionXml(
      problem, std::string("Method=\"fixed-point\" Order=\"jacobi\" MaxIterations=\"100\" ") + kTight));
  const RunRecord failed = plain.Run();
  EXPECT_FALSE(failed.is_complete);
  EXPECT_THAT(ErrorsOf(failed),
              HasSubstr("expected the loop a -> b -> a to converge within 100 iterations at 2015-12-01T01:00"));
  EXPECT_THAT(ErrorsOf(failed), HasSubstr("take Method=\"quasi-newton\""));
  for (const RecordedSeries& series : failed.series)
    EXPECT_EQ(series.values.size(), 1U);  // nothing of what was given up
  Made anderson(loops::CompositionXml(problem, std::string("Method=\"anderson\" Order=\"jacobi\" ") + kTight));
  const RunRecord record = anderson.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_LE(ErrorOf(problem, record), 1e-9);
  EXPECT_LE(record.loops[0].most, 8U);
}

TEST(IteratedLoops, OutsideIsAskedOnceAndHearsOnlyWhatIsTaken) {
  // A source feeds the loop from outside, a sink below takes from it, both weighed and observed.
  const std::string text =
      Comp("src", "Source", Arg("gives", "instant") + Arg("unit", "m")) + First("a", 3.0, 1.0, 0.0, 1.0) +
      First("b", 5.0, 0.8, 0.0, 4.0) + First("c", 2.0, 0.5, 0.0, 0.0) +
      Comp("s", "Sink", Arg("asks", "instant") + Arg("unit", "m")) + Lnk("a.out", "b.in") + Lnk("b.out", "c.in") +
      Lnk("c.out", "a.in") + Lnk("b.out", "s.in") +
      "<Iterate Components=\"a b c\" Order=\"jacobi\" Method=\"fixed-point\" RelativeTolerance=\"1e-10\" "
      "AbsoluteTolerance=\"1e-12\"/>"
      "<Observe Item=\"b.out\"/><Observe Item=\"src.out\"/>" +
      RunFor();
  for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
    Made made(text);
    ASSERT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run(mode);
    ASSERT_THAT(ErrorsOf(record), IsEmpty());
    EXPECT_GT(record.loops[0].iterations, 3 * record.loops[0].steps);
    EXPECT_GT(made.Get<FirstOrder>("a").updates, 24U * 3U);
    const Sink& sink = made.Get<Sink>("s");
    ASSERT_EQ(sink.rows.size(), 24U);
    ASSERT_EQ(record.series[0].times.size(), 25U);
    for (std::size_t i = 0; i < 24; ++i) {
      EXPECT_EQ(record.series[0].values[i + 1], sink.rows[i][0]) << i;
      EXPECT_TRUE(SameTime(Stamp{record.series[0].times[i + 1]}, Stamp{sink.times[i]})) << i;
    }
  }
}

TEST(IteratedLoops, ProvidersOutsideUpdateOnceAStep) {
  // src steps faster than the loop: its rows between must outlive the iterations.
  const std::string loop =
      Comp("src", "Source", Arg("gives", "instant") + Arg("unit", "m3 s-1") + Arg("time-step", "PT10M")) +
      Comp("m0", "KeptRelay", Arg("time-step", "PT20M")) + Comp("m1", "KeptRelay") + Lnk("src.out", "m0.side") +
      Lnk("m0.out", "m1.in") + Lnk("m1.out", "m0.in", Adapt("linear", Arg("extrapolation", "hold"))) +
      "<Iterate Components=\"m0 m1\" Method=\"quasi-newton\" RelativeTolerance=\"1e-10\"/>"
      "<Observe Item=\"src.out\"/><Observe Item=\"m0.out\"/><Observe Item=\"m0.seen\"/>" +
      RunFor();
  Made run(loop);
  ASSERT_THAT(run.Text(), IsEmpty());
  const RunRecord record = run.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_EQ(record.series[0].times.size(), 145U);
  EXPECT_EQ(record.series[1].times.size(), 73U);
  EXPECT_EQ(record.series[2].times.size(), 73U);  // nobody but the observer keeps these rows
  for (const RecordedTiming& timing : record.timings) {
    if (timing.component == "src") {
      EXPECT_EQ(timing.updates, 144U);
    }
  }
}

TEST(IteratedLoops, MembersWithShorterStepsMakeSeveral) {
  // a steps 20 minutes, b an hour; a takes b's level on a line. The same two, solved as one system over each hour.
  const std::string text = First("a", 3.0, 1.0, 2.0, 1.0, Arg("time-step", "PT20M")) + First("b", 5.0, 0.8, 0.0, 4.0) +
                           Lnk("a.out", "b.in") + Lnk("b.out", "a.in", Adapt("linear")) + Iterate(kTight) +
                           "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>" + RunFor();
  for (const char* order : {"a b", "b a"}) {
    std::string ordered = text;
    ordered.replace(ordered.find("Components=\"a b\""), 16, std::string("Components=\"") + order + "\"");
    Made made(ordered);
    ASSERT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run();
    ASSERT_THAT(ErrorsOf(record), IsEmpty()) << order;
    ASSERT_EQ(record.series[0].values.size(), 73U);
    ASSERT_EQ(record.series[1].values.size(), 25U);
    double a = 1.0;
    double b = 4.0;
    for (std::size_t hour = 0; hour < 24; ++hour) {
      // Unknowns a1, a2, a3 and b1: s = 1/9 of T in each third, b on a line from b0 to b1.
      const double s = 1.0 / 9.0;
      const double r = 1.0 / 5.0;
      const auto y = loops::Solve({{1.0 + s, 0.0, 0.0, -s / 3.0},
                                   {-1.0, 1.0 + s, 0.0, -s * 2.0 / 3.0},
                                   {0.0, -1.0, 1.0 + s, -s},
                                   {0.0, 0.0, -r * 0.8, 1.0 + r}},
                                  {a + s * (2.0 + b * 2.0 / 3.0), s * (2.0 + b / 3.0), s * 2.0, b});
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(record.series[0].values[hour * 3 + k + 1], y[k], 1e-9) << hour;
      EXPECT_NEAR(record.series[1].values[hour + 1], y[3], 1e-9) << hour;
      a = y[2];
      b = y[3];
    }
  }
}

TEST(IteratedLoops, StepsThatDoNotMeetAreTakenTogetherWhereTheyDo) {
  // 40 and 60 minutes meet every two hours.
  const std::string text = First("a", 3.0, 1.0, 2.0, 1.0, Arg("time-step", "PT40M")) + First("b", 5.0, 0.8, 0.0, 4.0) +
                           Lnk("a.out", "b.in", Adapt("linear")) + Lnk("b.out", "a.in", Adapt("linear")) +
                           Iterate(kTight) + "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>" + RunFor();
  Made made(text);
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_EQ(record.loops[0].steps, 12U);
  EXPECT_EQ(record.series[0].values.size(), 37U);
  EXPECT_EQ(record.series[1].values.size(), 25U);
  double a = 1.0;
  double b = 4.0;
  for (std::size_t k = 0; k < 12; ++k) {
    // a at 40, 80, 120 min, b at 60, 120: each takes the other on a line between its rows.
    const double s = 2.0 / 9.0;
    const double r = 0.2;
    const auto y = loops::Solve({{1.0 + s, 0.0, 0.0, -s * 2.0 / 3.0, 0.0},
                                 {-1.0, 1.0 + s, 0.0, -s * 2.0 / 3.0, -s / 3.0},
                                 {0.0, -1.0, 1.0 + s, 0.0, -s},
                                 {-r * 0.4, -r * 0.4, 0.0, 1.0 + r, 0.0},
                                 {0.0, 0.0, -r * 0.8, -1.0, 1.0 + r}},
                                {a + s * (2.0 + b / 3.0), s * 2.0, s * 2.0, b, 0.0});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(record.series[0].values[k * 3 + i + 1], y[i], 1e-9) << k;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(record.series[1].values[k * 2 + i + 1], y[3 + i], 1e-9) << k;
    a = y[2];
    b = y[4];
  }
}

TEST(IteratedLoops, ToleranceOfOneItemCounts) {
  const auto iterations = [](const std::string& children) {
    Made made(Pair() + Iterate("Method=\"fixed-point\" Order=\"jacobi\" RelativeTolerance=\"1e-3\"", children) +
              RunFor());
    EXPECT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run();
    EXPECT_THAT(ErrorsOf(record), IsEmpty());
    return record.loops.at(0).iterations;
  };
  const auto loose = iterations("");
  const auto tight = iterations("<Tolerance Item=\"a.in\" Relative=\"1e-12\"/>");
  const auto absolute =
      iterations("<Tolerance Item=\"a.in\" Absolute=\"100\"/><Tolerance Item=\"b.in\" Absolute=\"100\"/>");
  EXPECT_GT(tight, 2 * loose);
  EXPECT_EQ(absolute, 24U);  // once a step: everything is near enough
}

TEST(IteratedLoops, WithoutConvergenceCanBeTakenWithAWarning) {
  Made made(Pair() +
            Iterate("Method=\"fixed-point\" RelativeTolerance=\"1e-12\" MaxIterations=\"3\" OnFailure=\"warn\"") +
            RunFor());
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_TRUE(record.is_complete);
  EXPECT_EQ(record.loops[0].unconverged, 24U);
  EXPECT_EQ(record.loops[0].iterations, 72U);
  std::string warnings;
  for (const Problem& problem : record.problems) warnings += problem.problem + "\n";
  EXPECT_THAT(warnings, HasSubstr("found 24 of 24 steps that did not and were taken all the same"));
}

TEST(IteratedLoops, WithoutConvergenceCanTakeShorterSteps) {
  // Gains of -3 and 2, T of an hour: round the loop comes -6 s^2 / (1 + s)^2 for s = h / T. Whole hours diverge (-1.5),
  // halves contract (-0.67).
  const std::string body = First("a", 1.0, -3.0, 1.0, 1.0) + First("b", 1.0, 2.0, -0.5, 0.0) + Lnk("a.out", "b.in") +
                           Lnk("b.out", "a.in") + "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>";
  Made made(body +
            Iterate(std::string("Method=\"fixed-point\" Guess=\"last\" MaxIterations=\"90\" OnFailure=\"shorten\" ") +
                    kTight) +
            RunFor("2015-12-01T06:00Z"));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_TRUE(record.is_complete);
  EXPECT_GE(record.loops[0].shortened, 6U);
  // The same as with steps of half an hour from the beginning.
  Made halves(First("a", 1.0, -3.0, 1.0, 1.0, Arg("time-step", "PT30M")) +
              First("b", 1.0, 2.0, -0.5, 0.0, Arg("time-step", "PT30M")) + Lnk("a.out", "b.in") + Lnk("b.out", "a.in") +
              "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>" + Iterate(kTight) + RunFor("2015-12-01T06:00Z"));
  const RunRecord expected = halves.Run();
  ASSERT_THAT(ErrorsOf(expected), IsEmpty());
  ASSERT_EQ(record.series[0].values.size(), expected.series[0].values.size());
  for (std::size_t i = 0; i < record.series[0].values.size(); ++i) {
    EXPECT_NEAR(record.series[0].values[i], expected.series[0].values[i], 1e-9) << i;
    EXPECT_TRUE(SameTime(Stamp{record.series[0].times[i]}, Stamp{expected.series[0].times[i]})) << i;
  }
}

TEST(IteratedLoops, ThatNeverConvergeFailAfterTheLastHalving) {
  Made made(First("a", 1e-6, -3.0, 1.0, 1.0) + First("b", 1e-6, 2.0, -0.5, 0.0) + Lnk("a.out", "b.in") +
            Lnk("b.out", "a.in") + Iterate("Method=\"fixed-point\" MaxIterations=\"20\" OnFailure=\"shorten\"") +
            RunFor());
  const RunRecord record = made.Run();
  EXPECT_FALSE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record), HasSubstr("the step having been halved 12 times"));
}

TEST(IteratedLoops, AFailingMemberIsNamedAndNothingGivenUpIsHeard) {
  Made made(Pair(Arg("fail-at-update", "7")) + Iterate("Method=\"fixed-point\" RelativeTolerance=\"1e-12\"") +
            "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>" + RunFor());
  const RunRecord record = made.Run();
  EXPECT_FALSE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record), HasSubstr("a: expected the model to compute, found 'the solver met a negative depth'"));
  EXPECT_EQ(record.series[0].values.size(), record.series[1].values.size());
}

TEST(IteratedLoops, SpansNeedNoFirstValue) {
  Made made(Comp("a", "KeptRelay", Arg("moments", "span") + Arg("add", "1")) +
            Comp("b", "KeptRelay", Arg("moments", "span") + Arg("add", "2")) + Lnk("a.out", "b.in") +
            Lnk("b.out", "a.in") + Iterate(kTight) + "<Observe Item=\"a.out\"/>" + RunFor("2015-12-01T03:00Z"));
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_THAT(made.Text(Problem::Warning), Not(HasSubstr("carry instants")));
  const RunRecord record = made.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  ASSERT_EQ(record.series[0].values.size(), 3U);
  for (const double value : record.series[0].values) EXPECT_NEAR(value, 8.0 / 3.0, 1e-10);  // x = 0.5 (0.5 x + 2) + 1
}

TEST(IteratedLoops, WithoutAFirstValueGiveTheSolutionToo) {
  for (const std::string method : {"quasi-newton", "anderson", "aitken", "relaxation", "fixed-point"}) {
    Made made(Comp("a", "KeptRelay", Arg("blank", "1") + Arg("add", "1")) +
              Comp("b", "KeptRelay", Arg("blank", "1") + Arg("add", "2")) + Lnk("a.out", "b.in") +
              Lnk("b.out", "a.in") + Iterate(std::string(kTight) + " MaxIterations=\"100\" Method=\"" + method + "\"") +
              "<Observe Item=\"a.out\"/>" + RunFor("2015-12-01T03:00Z"));
    EXPECT_THAT(made.Text(Problem::Note), HasSubstr("has a value before the first step: its iterations begin with 0"));
    const RunRecord record = made.Run();
    ASSERT_THAT(ErrorsOf(record), IsEmpty()) << method;
    ASSERT_EQ(record.series[0].values.size(), 4U);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_NEAR(record.series[0].values[i], 8.0 / 3.0, 1e-9) << method;
    EXPECT_EQ(record.loops[0].missing, 0U);
  }
}

TEST(IteratedLoops, CarryOnAfterAMissingValueFromOutside) {
  Made made(Comp("s", "Source", Arg("gives", "instant") + Arg("missing-at", "2") + Arg("scale", "0")) +
            Comp("a", "KeptRelay", Arg("add", "1")) + Comp("b", "KeptRelay", Arg("add", "2")) + Lnk("s.out", "a.side") +
            Lnk("a.out", "b.in") + Lnk("b.out", "a.in") + Iterate(kTight) + "<Observe Item=\"a.out\"/>" +
            RunFor("2015-12-01T05:00Z"));
  const RunRecord record = made.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  const std::vector<double>& values = record.series[0].values;
  ASSERT_EQ(values.size(), 6U);
  EXPECT_NEAR(values[1], 8.0 / 3.0, 1e-9);
  EXPECT_TRUE(std::isnan(values[2]));  // that hour, and no other
  for (std::size_t i = 3; i < 6; ++i) EXPECT_NEAR(values[i], 8.0 / 3.0, 1e-9) << i;
  EXPECT_EQ(record.loops[0].missing, 1U);
}

TEST(IteratedLoops, AValueThatGetsLostOnTheWayHasNotConverged) {
  Made made(Comp("a", "KeptRelay", Arg("factor", "3") + Arg("lost-above", "1000")) +
            Comp("b", "KeptRelay", Arg("factor", "3") + Arg("lost-above", "1000")) + Lnk("a.out", "b.in") +
            Lnk("b.out", "a.in") + Iterate("Method=\"fixed-point\"") + RunFor("2015-12-01T03:00Z"));
  const RunRecord record = made.Run();
  EXPECT_FALSE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record), HasSubstr("to converge within 50 iterations"));
}

TEST(CheckOfLoops, WarnsWhereNothingHasAValueBeforeTheFirstStep) {
  const auto text = [](const std::string& first, const std::string& adaptors) {
    return Comp("a", "KeptRelay", Arg("blank", first)) + Comp("b", "KeptRelay", Arg("blank", "1")) +
           Lnk("a.out", "b.in", adaptors) + Lnk("b.out", "a.in") + RunFor();
  };
  const char* kWords = "carry a value before the first step";
  EXPECT_THAT(Made(text("1", "")).Text(Problem::Warning), HasSubstr(kWords));
  EXPECT_THAT(Made(text("0", "")).Text(Problem::Warning), Not(HasSubstr(kWords)));
  EXPECT_THAT(Made(text("1", Adapt("fill-missing"))).Text(Problem::Warning), Not(HasSubstr(kWords)));
}

TEST(IteratedLoops, ThroughAdaptorsThatKeepRows) {
  // linear-operation below a time adaptor maps rows as they come, those that are taken back, too.
  const std::string scaled = Adapt("linear-operation", Arg("a", "2") + Arg("b", "0"));
  const std::string back = Adapt("linear-operation", Arg("a", "0.5") + Arg("b", "0")) + Adapt("linear");
  const auto text = [&](const std::string& there, const std::string& here) {
    return First("a", 3.0, 1.0, 2.0, 1.0) + First("b", 5.0, 0.8, 0.0, 4.0) + Lnk("a.out", "b.in", there) +
           Lnk("b.out", "a.in", here) + Iterate(kTight) + "<Observe Item=\"a.out\"/>" + RunFor();
  };
  Made plain(text("", ""));
  Made adapted(text(scaled + back, Adapt("linear")));
  ASSERT_THAT(plain.Text() + adapted.Text(), IsEmpty());
  const RunRecord a = plain.Run();
  const RunRecord b = adapted.Run();
  ASSERT_THAT(ErrorsOf(a) + ErrorsOf(b), IsEmpty());
  ASSERT_EQ(a.series[0].values.size(), b.series[0].values.size());
  for (std::size_t i = 0; i < a.series[0].values.size(); ++i) {
    EXPECT_NEAR(a.series[0].values[i], b.series[0].values[i], 1e-10) << i;
  }
}

TEST(CheckOfLoops, SaysHowEachWillBeRun) {
  Made staggered(Pair() + RunFor());
  EXPECT_THAT(
      staggered.Text(Problem::Note),
      AllOf(HasSubstr("loop of links: a -> b -> a; when a request comes back around it, the answer is the latest"),
            HasSubstr("<Iterate Components=\"a b\"/>"), HasSubstr("remove one of its links")));
  Made iterated(Pair() + Iterate("Method=\"aitken\" Order=\"jacobi\" MaxIterations=\"33\"") + RunFor());
  EXPECT_THAT(iterated.Text(Problem::Note),
              HasSubstr("loop of links: a -> b -> a; iterated to convergence in each step, all at once (Jacobi) by "
                        "Aitken's relaxation, at most 33 times"));
}

TEST(CheckOfLoops, RefusesMembersThatKeepNoStateAndNamesTheCycle) {
  Made made(First("a", 3.0, 1.0, 2.0, 1.0) + Comp("b", "Relay") + Lnk("a.out", "b.in") + Lnk("b.out", "a.in") +
            Iterate() + RunFor());
  EXPECT_THAT(made.Text(),
              HasSubstr("expected every component of the loop a -> b -> a to keep states (IManageState), so "
                        "that a step can be repeated; found that 'b' does not"));
}

TEST(CheckOfLoops, RefusesWhatIsNoWholeLoop) {
  Made none(First("a", 1.0, 1.0, 0.0, 0.0) + First("b", 1.0, 1.0, 0.0, 0.0) + Lnk("a.out", "b.in") + Iterate() +
            RunFor());
  EXPECT_THAT(none.Text(), HasSubstr("found 'a b' in no loop"));
  const std::string three = First("a", 1.0, 1.0, 0.0, 0.0) + First("b", 1.0, 1.0, 0.0, 0.0) +
                            First("c", 1.0, 1.0, 0.0, 0.0) + Lnk("a.out", "b.in") + Lnk("b.out", "c.in") +
                            Lnk("c.out", "a.in");
  Made part(three + Iterate() + RunFor());
  EXPECT_THAT(part.Text(),
              HasSubstr("expected all components of the loop a -> b -> c -> a in 'Components' of Iterate, and "
                        "no others; found 'a b'"));
  EXPECT_THAT(part.Text(), HasSubstr("write Components=\"a b c\""));
}

TEST(CheckOfLoops, RefusesATolerancesOfWhatIsNoInputOfTheLoop) {
  Made made(Pair() + Iterate("", "<Tolerance Item=\"a.out\" Absolute=\"1\"/>") + RunFor());
  EXPECT_THAT(made.Text(),
              HasSubstr("expected an input that a link of the loop a -> b -> a ends at, found none; there are: "
                        "b.in, a.in"));
}

TEST(CheckOfLoops, RefusesToShortenWholeSteps) {
  Made made(Comp("a", "KeptRelay", Arg("whole", "1")) + Comp("b", "KeptRelay") + Lnk("a.out", "b.in") +
            Lnk("b.out", "a.in") + Iterate("OnFailure=\"shorten\"") + RunFor());
  EXPECT_THAT(made.Text(), HasSubstr("to allow a shorter step (IStepLimit), found that 'a' does not"));
}

/// b's values at each step of a staggered loop of relays, where `from` is what comes back.
TEST(ExtrapolatedLoops, AnswerOnTheLineThroughTheLastTwoRows) {
  const auto text = [](const std::string& loop) {
    return Comp("m0", "Relay", Arg("add", "1")) + Comp("m1", "Relay", Arg("add", "2")) +
           "<Link From=\"m0.out\" To=\"m1.in\" " + loop + "/>" + Lnk("m1.out", "m0.in") +
           RunFor("2015-12-01T12:00Z", "Trigger=\"m0\"");
  };
  Made made(text("Loop=\"extrapolate\""));
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_THAT(made.Text(Problem::Note), HasSubstr("and a straight line through the last two on m0.out -> m1.in"));
  ASSERT_THAT(ErrorsOf(made.Run()), IsEmpty());
  // m0 is asked first and asks m1, which asks back: m0's rows so far answer. At first there is only one.
  double before = 3.0;
  double now = 3.0;
  for (std::size_t i = 0; i < 12; ++i) {
    const double back = i == 0 ? now : now + (now - before);
    EXPECT_NEAR(made.Get<Relay>("m1").got.at(i), back, 1e-9) << i;
    const double m1 = 0.5 * back + 2.0;
    EXPECT_NEAR(made.Get<Relay>("m0").got.at(i), m1, 1e-9) << i;
    before = now;
    now = 0.5 * m1 + 1.0;
  }
}

TEST(ExtrapolatedLoops, OnALinkThatNoQuestionComesBackAlongAreReported) {
  const auto warnings = [](const std::string& there, const std::string& back) {
    const auto link = [](const std::string& from, const std::string& to, const std::string& loop) {
      return "<Link From=\"" + from + "\" To=\"" + to + "\" " + loop + "/>\n";
    };
    Made made(Comp("a", "KeptRelay") + Comp("b", "KeptRelay") + link("a.out", "b.in", there) +
              link("b.out", "a.in", back) + RunFor("2015-12-01T04:00Z", "Trigger=\"a\""));
    std::string text;
    for (const Problem& problem : made.Run().problems) text += FormatProblem(problem) + "\n";
    return text;
  };
  const char* kWords = "found that none did: it changed nothing";
  // a is asked first and asks b, whose question comes back to a.
  EXPECT_THAT(warnings("Loop=\"extrapolate\"", ""), Not(HasSubstr(kWords)));
  EXPECT_THAT(warnings("", "Loop=\"extrapolate\""), HasSubstr(kWords));
}

TEST(ExtrapolatedLoops, GoThroughAdaptors) {
  const auto text = [](const std::string& adaptors) {
    return Comp("m0", "Relay", Arg("add", "1")) + Comp("m1", "Relay", Arg("add", "2")) +
           "<Link From=\"m0.out\" To=\"m1.in\" Loop=\"extrapolate\">" + adaptors + "</Link>" + Lnk("m1.out", "m0.in") +
           RunFor("2015-12-01T12:00Z", "Trigger=\"m0\"");
  };
  Made plain(text(""));
  Made scaled(text(Adapt("linear-operation", Arg("a", "4") + Arg("b", "1")) +
                   Adapt("linear-operation", Arg("a", "0.25") + Arg("b", "-0.25"))));
  ASSERT_THAT(plain.Text() + scaled.Text(), IsEmpty());
  ASSERT_THAT(ErrorsOf(plain.Run()) + ErrorsOf(scaled.Run()), IsEmpty());
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(plain.Get<Relay>("m1").got.at(i), scaled.Get<Relay>("m1").got.at(i), 1e-12) << i;
  }
}

TEST(ExtrapolatedLoops, AreWarnedOfWhereTheyDoNothing) {
  Made none(Comp("a", "Source", Arg("gives", "instant")) + Comp("s", "Sink", Arg("asks", "instant")) +
            "<Link From=\"a.out\" To=\"s.in\" Loop=\"extrapolate\"/>" + RunFor());
  EXPECT_THAT(none.Text(Problem::Warning),
              HasSubstr("expected Loop=\"extrapolate\" on a link of a loop, found one that is in none"));
  Made adaptor(Comp("m0", "Relay") + Comp("m1", "Relay") + "<Link From=\"m0.out\" To=\"m1.in\" Loop=\"extrapolate\">" +
               Adapt("linear") + "</Link>" + Lnk("m1.out", "m0.in") + RunFor());
  EXPECT_THAT(adaptor.Text(Problem::Warning), HasSubstr("by its own argument 'relaxation'"));
}

/// Two that iterate, the second of which fails when it begins a step eight hours after the start; one outside listens.
std::string FailingLoop(const std::string& how) {
  std::string failing = Comp("b", "KeptRelay", Arg("throw-after", "8"));
  failing.insert(failing.find(" Id="), how);
  return Comp("a", "KeptRelay") + failing + Comp("s", "Relay") + Lnk("a.out", "b.in") + Lnk("b.out", "a.in") +
         Lnk("a.out", "s.in") + "<Iterate Components=\"a b\" " + kTight + "/>" +
         "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>" + RunFor();
}

TEST(Iterate, AMemberThatFailsIsFrozenWhereTheCompositionSaysSo) {
  for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
    for (const std::size_t threads : {1U, 2U}) {
      Made made(FailingLoop(" OnFailure=\"freeze\""));
      ASSERT_THAT(made.Text(), IsEmpty());
      const RunRecord record = made.Run(mode, threads);
      EXPECT_TRUE(record.is_complete) << ErrorsOf(record);
      ASSERT_EQ(record.series.size(), 2U);
      const std::vector<double>& a = record.series[0].values;
      ASSERT_EQ(a.size(), 25U);
      // Both are at 2 as long as they iterate: x = 0.5 x + 1. What b gave last stands for it then.
      for (std::size_t i = 1; i < a.size(); ++i) EXPECT_NEAR(a[i], 2.0, 1e-9) << i;
    }
  }
}

TEST(Iterate, AStepThatFailsIsTakenBackAndWhatWasTakenBeforeIsKept) {
  for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
    Made made(FailingLoop(""));
    ASSERT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run(mode);
    EXPECT_FALSE(record.is_complete);
    EXPECT_THAT(ErrorsOf(record), HasSubstr("the solver met a negative depth"));
    ASSERT_EQ(record.series.size(), 2U);
    for (const RecordedSeries& series : record.series) {
      ASSERT_EQ(series.values.size(), 9U) << series.series.id;  // the start and eight hours
      EXPECT_NEAR(series.values.back(), 2.0, 1e-9);
    }
    const auto& instances = made.composition->Instances();
    EXPECT_NEAR(instances[0].CurrentTime().mjd, kDayOne + 8.0 / 24.0, 1e-9) << "a is where the step began";
    for (const auto& [id, proxy] : instances[0].proxies) EXPECT_FALSE(proxy->IsQuiet()) << id;
  }
}

}  // namespace
}  // namespace openmi::testing
