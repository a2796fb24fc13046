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
  return ComponentXml(id, "loops.first-order",
                      ArgumentXml("T", std::to_string(time)) + ArgumentXml("gain", std::to_string(gain)) +
                          ArgumentXml("bias", std::to_string(bias)) + ArgumentXml("initial", std::to_string(initial)) +
                          more);
}
/// A pair that contracts: gains of 1 and 0.8, T of three and five steps.
std::string Pair(const std::string& more_a = {}, const std::string& more_b = {}) {
  return First("a", 3.0, 1.0, 2.0, 1.0, more_a) + First("b", 5.0, 0.8, 0.0, 4.0, more_b) + LinkXml("a.out", "b.in") +
         LinkXml("b.out", "a.in");
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
  const std::string text = R"(
      <Component Id="src" Type="test.Source" Assembly="here">
        <Argument Key="gives" Value="instant"/>
        <Argument Key="unit" Value="m"/>
      </Component>
      <Component Id="a" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="3"/>
        <Argument Key="gain" Value="1"/>
        <Argument Key="bias" Value="0"/>
        <Argument Key="initial" Value="1"/>
      </Component>
      <Component Id="b" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="5"/>
        <Argument Key="gain" Value="0.8"/>
        <Argument Key="bias" Value="0"/>
        <Argument Key="initial" Value="4"/>
      </Component>
      <Component Id="c" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="2"/>
        <Argument Key="gain" Value="0.5"/>
        <Argument Key="bias" Value="0"/>
        <Argument Key="initial" Value="0"/>
      </Component>
      <Component Id="s" Type="test.Sink" Assembly="here">
        <Argument Key="asks" Value="instant"/>
        <Argument Key="unit" Value="m"/>
      </Component>
      <Link From="a.out" To="b.in"/>
      <Link From="b.out" To="c.in"/>
      <Link From="c.out" To="a.in"/>
      <Link From="b.out" To="s.in"/>
      <Iterate Components="a b c" Order="jacobi" Method="fixed-point" RelativeTolerance="1e-10" AbsoluteTolerance="1e-12"/>
      <Observe Item="b.out"/>
      <Observe Item="src.out"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )";
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
  const std::string loop = R"(
      <Component Id="src" Type="test.Source" Assembly="here">
        <Argument Key="gives" Value="instant"/>
        <Argument Key="unit" Value="m3 s-1"/>
        <Argument Key="time-step" Value="PT10M"/>
      </Component>
      <Component Id="m0" Type="test.KeptRelay" Assembly="here">
        <Argument Key="time-step" Value="PT20M"/>
      </Component>
      <Component Id="m1" Type="test.KeptRelay" Assembly="here"/>
      <Link From="src.out" To="m0.side"/>
      <Link From="m0.out" To="m1.in"/>
      <Link From="m1.out" To="m0.in">
        <Adaptor Id="linear">
          <Argument Key="extrapolation" Value="hold"/>
        </Adaptor>
      </Link>
      <Iterate Components="m0 m1" Method="quasi-newton" RelativeTolerance="1e-10"/>
      <Observe Item="src.out"/>
      <Observe Item="m0.out"/>
      <Observe Item="m0.seen"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )";
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

TEST(IteratedLoops, ToleranceOfOneItemCounts) {
  const auto iterations = [](const std::string& children) {
    Made made(Pair() + Iterate("Method=\"fixed-point\" Order=\"jacobi\" RelativeTolerance=\"1e-3\"", children) +
              RunXml());
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

TEST(IteratedLoops, WithoutConvergenceCanTakeShorterSteps) {
  // Gains of -3 and 2, T of an hour: round the loop comes -6 s^2 / (1 + s)^2 for s = h / T. Whole hours diverge (-1.5),
  // halves contract (-0.67).
  const std::string body = R"(
      <Component Id="a" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="1"/>
        <Argument Key="gain" Value="-3"/>
        <Argument Key="bias" Value="1"/>
        <Argument Key="initial" Value="1"/>
      </Component>
      <Component Id="b" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="1"/>
        <Argument Key="gain" Value="2"/>
        <Argument Key="bias" Value="-0.5"/>
        <Argument Key="initial" Value="0"/>
      </Component>
      <Link From="a.out" To="b.in"/>
      <Link From="b.out" To="a.in"/>
      <Observe Item="a.out"/>
      <Observe Item="b.out"/>
    )";
  Made made(body +
            Iterate(std::string("Method=\"fixed-point\" Guess=\"last\" MaxIterations=\"90\" OnFailure=\"shorten\" ") +
                    kTight) +
            RunXml("2015-12-01T06:00Z"));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_TRUE(record.is_complete);
  EXPECT_GE(record.loops[0].shortened, 6U);
  // The same as with steps of half an hour from the beginning.
  Made halves(R"(
      <Component Id="a" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="1"/>
        <Argument Key="gain" Value="-3"/>
        <Argument Key="bias" Value="1"/>
        <Argument Key="initial" Value="1"/>
        <Argument Key="time-step" Value="PT30M"/>
      </Component>
      <Component Id="b" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="1"/>
        <Argument Key="gain" Value="2"/>
        <Argument Key="bias" Value="-0.5"/>
        <Argument Key="initial" Value="0"/>
        <Argument Key="time-step" Value="PT30M"/>
      </Component>
      <Link From="a.out" To="b.in"/>
      <Link From="b.out" To="a.in"/>
      <Observe Item="a.out"/>
      <Observe Item="b.out"/>
      <Iterate Components="a b" RelativeTolerance="1e-11" AbsoluteTolerance="1e-13"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-01T06:00Z"/>
    )");
  const RunRecord expected = halves.Run();
  ASSERT_THAT(ErrorsOf(expected), IsEmpty());
  ASSERT_EQ(record.series[0].values.size(), expected.series[0].values.size());
  for (std::size_t i = 0; i < record.series[0].values.size(); ++i) {
    EXPECT_NEAR(record.series[0].values[i], expected.series[0].values[i], 1e-9) << i;
    EXPECT_TRUE(SameTime(Stamp{record.series[0].times[i]}, Stamp{expected.series[0].times[i]})) << i;
  }
}

TEST(IteratedLoops, ThatNeverConvergeFailAfterTheLastHalving) {
  Made made(R"(
      <Component Id="a" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="1e-06"/>
        <Argument Key="gain" Value="-3"/>
        <Argument Key="bias" Value="1"/>
        <Argument Key="initial" Value="1"/>
      </Component>
      <Component Id="b" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="1e-06"/>
        <Argument Key="gain" Value="2"/>
        <Argument Key="bias" Value="-0.5"/>
        <Argument Key="initial" Value="0"/>
      </Component>
      <Link From="a.out" To="b.in"/>
      <Link From="b.out" To="a.in"/>
      <Iterate Components="a b" Method="fixed-point" MaxIterations="20" OnFailure="shorten"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
  const RunRecord record = made.Run();
  EXPECT_FALSE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record), HasSubstr("the step having been halved 12 times"));
}

TEST(IteratedLoops, AFailingMemberIsNamedAndNothingGivenUpIsHeard) {
  Made made(R"(
      <Component Id="a" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="3"/>
        <Argument Key="gain" Value="1"/>
        <Argument Key="bias" Value="2"/>
        <Argument Key="initial" Value="1"/>
        <Argument Key="fail-at-update" Value="7"/>
      </Component>
      <Component Id="b" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="5"/>
        <Argument Key="gain" Value="0.8"/>
        <Argument Key="bias" Value="0"/>
        <Argument Key="initial" Value="4"/>
      </Component>
      <Link From="a.out" To="b.in"/>
      <Link From="b.out" To="a.in"/>
      <Iterate Components="a b" Method="fixed-point" RelativeTolerance="1e-12"/>
      <Observe Item="a.out"/>
      <Observe Item="b.out"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
  const RunRecord record = made.Run();
  EXPECT_FALSE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record), HasSubstr("a: expected the model to compute, found 'the solver met a negative depth'"));
  EXPECT_EQ(record.series[0].values.size(), record.series[1].values.size());
}

TEST(IteratedLoops, AValueThatGetsLostOnTheWayHasNotConverged) {
  Made made(R"(
      <Component Id="a" Type="test.KeptRelay" Assembly="here">
        <Argument Key="factor" Value="3"/>
        <Argument Key="lost-above" Value="1000"/>
      </Component>
      <Component Id="b" Type="test.KeptRelay" Assembly="here">
        <Argument Key="factor" Value="3"/>
        <Argument Key="lost-above" Value="1000"/>
      </Component>
      <Link From="a.out" To="b.in"/>
      <Link From="b.out" To="a.in"/>
      <Iterate Components="a b" Method="fixed-point"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-01T03:00Z"/>
    )");
  const RunRecord record = made.Run();
  EXPECT_FALSE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record), HasSubstr("to converge within 50 iterations"));
}

TEST(CheckOfLoops, WarnsWhereNothingHasAValueBeforeTheFirstStep) {
  const auto text = [](const std::string& first, const std::string& adaptors) {
    return ComponentXml("a", "KeptRelay", ArgumentXml("blank", first)) +
           ComponentXml("b", "KeptRelay", ArgumentXml("blank", "1")) + LinkXml("a.out", "b.in", adaptors) +
           LinkXml("b.out", "a.in") + RunXml();
  };
  const char* kWords = "carry a value before the first step";
  EXPECT_THAT(Made(text("1", "")).Text(Problem::Warning), HasSubstr(kWords));
  EXPECT_THAT(Made(text("0", "")).Text(Problem::Warning), Not(HasSubstr(kWords)));
  EXPECT_THAT(Made(text("1", AdaptorXml("fill-missing"))).Text(Problem::Warning), Not(HasSubstr(kWords)));
}

TEST(IteratedLoops, ThroughAdaptorsThatKeepRows) {
  // linear-operation below a time adaptor maps rows as they come, those that are taken back, too.
  const std::string scaled = AdaptorXml("linear-operation", ArgumentXml("a", "2") + ArgumentXml("b", "0"));
  const std::string back =
      AdaptorXml("linear-operation", ArgumentXml("a", "0.5") + ArgumentXml("b", "0")) + AdaptorXml("linear");
  const auto text = [&](const std::string& there, const std::string& here) {
    return First("a", 3.0, 1.0, 2.0, 1.0) + First("b", 5.0, 0.8, 0.0, 4.0) + LinkXml("a.out", "b.in", there) +
           LinkXml("b.out", "a.in", here) + Iterate(kTight) + "<Observe Item=\"a.out\"/>" + RunXml();
  };
  Made plain(text("", ""));
  Made adapted(text(scaled + back, AdaptorXml("linear")));
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
  Made staggered(R"(
      <Component Id="a" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="3"/>
        <Argument Key="gain" Value="1"/>
        <Argument Key="bias" Value="2"/>
        <Argument Key="initial" Value="1"/>
      </Component>
      <Component Id="b" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="5"/>
        <Argument Key="gain" Value="0.8"/>
        <Argument Key="bias" Value="0"/>
        <Argument Key="initial" Value="4"/>
      </Component>
      <Link From="a.out" To="b.in"/>
      <Link From="b.out" To="a.in"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
  EXPECT_THAT(
      staggered.Text(Problem::Note),
      AllOf(HasSubstr("loop of links: a -> b -> a; when a request comes back to the component that began it, the "
                      "answer is the last available value"),
            HasSubstr("<Iterate Components=\"a b\"/>"), HasSubstr("remove one of its links")));
  Made iterated(R"(
      <Component Id="a" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="3"/>
        <Argument Key="gain" Value="1"/>
        <Argument Key="bias" Value="2"/>
        <Argument Key="initial" Value="1"/>
      </Component>
      <Component Id="b" Type="test.loops.first-order" Assembly="here">
        <Argument Key="T" Value="5"/>
        <Argument Key="gain" Value="0.8"/>
        <Argument Key="bias" Value="0"/>
        <Argument Key="initial" Value="4"/>
      </Component>
      <Link From="a.out" To="b.in"/>
      <Link From="b.out" To="a.in"/>
      <Iterate Components="a b" Method="aitken" Order="jacobi" MaxIterations="33"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
  EXPECT_THAT(iterated.Text(Problem::Note),
              HasSubstr("loop of links: a -> b -> a; iterated to convergence in each step, all at once (Jacobi) by "
                        "Aitken's relaxation, at most 33 times"));
}

TEST(ExtrapolatedLoops, OnALinkThatNoQuestionComesBackAlongAreReported) {
  const auto warnings = [](const std::string& there, const std::string& back) {
    const auto link = [](const std::string& from, const std::string& to, const std::string& loop) {
      return "<Link From=\"" + from + "\" To=\"" + to + "\" " + loop + "/>\n";
    };
    Made made(ComponentXml("a", "KeptRelay") + ComponentXml("b", "KeptRelay") + link("a.out", "b.in", there) +
              link("b.out", "a.in", back) + RunXml("2015-12-01T04:00Z", "Trigger=\"a\""));
    std::string text;
    for (const Problem& problem : made.Run().problems) text += FormatProblem(problem) + "\n";
    return text;
  };
  const char* kWords = "found that none came back: it had no effect";
  // a is asked first and asks b, whose question comes back to a.
  EXPECT_THAT(warnings("Loop=\"extrapolate\"", ""), Not(HasSubstr(kWords)));
  EXPECT_THAT(warnings("", "Loop=\"extrapolate\""), HasSubstr(kWords));
}

TEST(ExtrapolatedLoops, AreWarnedOfWhereTheyDoNothing) {
  Made none(R"(
      <Component Id="a" Type="test.Source" Assembly="here">
        <Argument Key="gives" Value="instant"/>
      </Component>
      <Component Id="s" Type="test.Sink" Assembly="here">
        <Argument Key="asks" Value="instant"/>
      </Component>
      <Link From="a.out" To="s.in" Loop="extrapolate"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
  EXPECT_THAT(none.Text(Problem::Warning),
              HasSubstr("expected Loop=\"extrapolate\" on a link of a loop, found one that is in none"));
  Made adaptor(ComponentXml("m0", "Relay") + ComponentXml("m1", "Relay") +
               "<Link From=\"m0.out\" To=\"m1.in\" Loop=\"extrapolate\">" + AdaptorXml("linear") + "</Link>" +
               LinkXml("m1.out", "m0.in") + RunXml());
  EXPECT_THAT(adaptor.Text(Problem::Warning), HasSubstr("by its own argument 'relaxation'"));
}

/// Two that iterate, the second of which fails when it begins a step eight hours after the start; one outside listens.
std::string FailingLoop(const std::string& how) {
  std::string failing = ComponentXml("b", "KeptRelay", ArgumentXml("throw-after", "8"));
  failing.insert(failing.find(" Id="), how);
  return ComponentXml("a", "KeptRelay") + failing + ComponentXml("s", "Relay") + LinkXml("a.out", "b.in") +
         LinkXml("b.out", "a.in") + LinkXml("a.out", "s.in") + "<Iterate Components=\"a b\" " + kTight + "/>" +
         "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>" + RunXml();
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
