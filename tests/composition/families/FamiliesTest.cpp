// Families taken out of a run and put back: the new code runs, the old is out of memory, the others notice nothing.

#include <unistd.h>

#include <map>

#include "composition/report/ReportModel.hpp"
#include "composition/report/RunReport.hpp"
#include "openmi/sdk/Sanitizers.hpp"
#include "tests/composition/families/FamilyFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FamilyRuns : public ::testing::TestWithParam<RunMode> {};
INSTANTIATE_TEST_SUITE_P(Modes, FamilyRuns, ::testing::Values(RunMode::Pull, RunMode::Step));

struct SinkRows {
  std::vector<double> times;
  std::vector<std::vector<double>> rows;
};

/// Two solvers of the plug-in with their sinks, and a chain that has nothing to do with them. Hourly steps.
std::string BesideSwap(const SwapRun& swap) {
  return ComponentXml("rain", "Source", ArgumentXml("unit", "1") + ArgumentXml("gives", "instant")) +
         swap.Solver("a", ArgumentXml("gain", "3")) + swap.Solver("b") +
         ComponentXml("sa", "Sink", ArgumentXml("unit", "1") + ArgumentXml("asks", "instant")) +
         ComponentXml("sb", "Sink", ArgumentXml("unit", "1") + ArgumentXml("asks", "instant")) +
         ComponentXml("other", "Source", ArgumentXml("unit", "1") + ArgumentXml("time-step", "PT20M")) +
         ComponentXml("so", "Sink", ArgumentXml("unit", "1") + ArgumentXml("time-step", "PT30M")) +
         LinkXml("rain.out", "a.in") + LinkXml("a.out", "sa.in") + LinkXml("b.out", "sb.in") +
         LinkXml("other.out", "so.in", AdaptorXml("mean-over-span")) + RunXml();
}

TEST_P(FamilyRuns, TheNewCodeRunsAndTheOthersNoticeNothing) {
  std::map<std::string, SinkRows> undisturbed;
  {
    SwapRun swap;
    swap.Begin(BesideSwap(swap), GetParam());
    ASSERT_THAT(swap.End(), IsEmpty());
    for (const char* id : {"sa", "sb", "so"}) undisturbed[id] = {swap.TheSink(id).times, swap.TheSink(id).rows};
  }

  SwapRun swap;
  swap.Begin(BesideSwap(swap), GetParam());
  swap.RunTo(6);
  EXPECT_GT(MappedSolvers(), 0U);
  swap.Run().Disengage("a");
  EXPECT_EQ(MappedSolvers(), 0U);
  EXPECT_EQ(swap.Run().TheFamilies().StatusOf("b"), FamilyStatus::Disengaged);
  EXPECT_THAT(swap.Run().TheFamilies().Find("a").problem, IsEmpty());
  swap.Write("swap_2");
  swap.RunTo(12);
  swap.Run().Engage("b");
  EXPECT_EQ(swap.Run().TheFamilies().StatusOf("a"), FamilyStatus::Engaged);
  EXPECT_GT(MappedSolvers(), 0U);
  ASSERT_THAT(swap.End(), IsEmpty());
  EXPECT_TRUE(swap.Record().is_complete);

  EXPECT_EQ(swap.TheSink("so").rows, undisturbed["so"].rows);
  EXPECT_EQ(swap.TheSink("so").times, undisturbed["so"].times);
  for (const char* id : {"sa", "sb"}) {
    const Sink& sink = swap.TheSink(id);
    const SinkRows& before = undisturbed[id];
    ASSERT_EQ(sink.rows.size(), 24U) << id;
    EXPECT_EQ(sink.times, before.times) << id;
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(sink.rows[i], before.rows[i]) << id << i;
    for (std::size_t i = 6; i < 12; ++i) EXPECT_EQ(sink.rows[i], before.rows[5]) << id << i;
  }
  // Version 2 begins anew at 12 h: 2 * (level + gain * in).
  double level = 0.0;
  for (std::size_t i = 12; i < 24; ++i) {
    level += 1.0;
    EXPECT_EQ(Single(swap.TheSink("sb"), i), 2.0 * (level + 1.0)) << i;
  }
  level = 0.0;
  for (std::size_t i = 12; i < 24; ++i) {
    const double in = TestValue(static_cast<std::int64_t>(i) + 1, 0);
    level += in;
    EXPECT_EQ(Single(swap.TheSink("sa"), i), 2.0 * (level + 3.0 * in)) << i;
  }
}

TEST_P(FamilyRuns, TwiceIsOnceAndWhatIsUnknownIsNamed) {
  SwapRun swap;
  swap.Begin(BesideSwap(swap), GetParam());
  swap.RunTo(2);
  const auto& families = swap.Run().TheFamilies();
  ASSERT_EQ(families.All().size(), 2U);
  EXPECT_EQ(families.Find("libsolver.so").key, swap.Library().string());
  EXPECT_EQ(families.Find(swap.Library().string()).members.size(), 2U);
  swap.Run().Engage("a");
  EXPECT_EQ(families.StatusOf("a"), FamilyStatus::Engaged);
  swap.Run().Disengage("a");
  swap.Run().Disengage("libsolver.so");
  EXPECT_EQ(families.Find("b").disengagements, 1U);
  swap.Run().Engage("b");
  swap.Run().Engage("a");
  EXPECT_EQ(families.StatusOf("a"), FamilyStatus::Engaged);
  EXPECT_THAT([&] { swap.Run().Disengage("aa"); },
              ::testing::ThrowsMessage<ArgumentError>(HasSubstr("expected a family or a component, found 'aa'")));
  EXPECT_THAT(swap.End(), IsEmpty());
}

TEST_P(FamilyRuns, AnEngagementAtOnceGoesOnFromThatTime) {
  SwapRun swap;
  swap.Begin(BesideSwap(swap), GetParam());
  swap.RunTo(6);
  swap.Run().Disengage("a");
  swap.Run().Engage("a");
  ASSERT_THAT(swap.End(), IsEmpty());
  EXPECT_EQ(swap.TheSink("sb").rows.size(), 24U);
  EXPECT_EQ(Single(swap.TheSink("sb"), 6), 2.0);  // from level 0 again
}

TEST_P(FamilyRuns, CodeThatDoesNotStartLeavesTheFamilyOutAndTheRunGoesOn) {
  const std::pair<const char*, const char*> builds[] = {{"swap_undefined", "DefinedNowhere"},
                                                        {"swap_3", "version 3 does not start"},
                                                        {"swap_4", "expected the unit '1', found 'm'"}};
  for (const auto& [build, reason] : builds) {
    SwapRun swap;
    swap.Begin(BesideSwap(swap), GetParam());
    swap.RunTo(6);
    swap.Run().Disengage("a");
    swap.Write(build);
    swap.RunTo(8);
    EXPECT_THAT([&] { swap.Run().Engage("a"); }, ::testing::ThrowsMessage<Error>(HasSubstr(reason))) << build;
    EXPECT_EQ(swap.Run().TheFamilies().StatusOf("a"), FamilyStatus::Disengaged) << build;
    EXPECT_THAT(swap.Run().TheFamilies().Find("a").problem, HasSubstr(reason)) << build;
    EXPECT_EQ(MappedSolvers(), 0U) << build;
    swap.RunTo(10);
    swap.Write("swap_2");
    swap.Run().Engage("a");
    EXPECT_THAT(swap.Run().TheFamilies().Find("a").problem, IsEmpty()) << build;
    ASSERT_THAT(swap.End(), IsEmpty()) << build;
    const Sink& sink = swap.TheSink("sb");
    ASSERT_EQ(sink.rows.size(), 24U);
    for (std::size_t i = 6; i < 10; ++i) EXPECT_EQ(sink.rows[i], sink.rows[5]) << build << i;
    EXPECT_EQ(Single(sink, 10), 4.0) << build;
    EXPECT_EQ(Single(sink, 23), 2.0 * 15.0) << build;
  }
}

TEST_P(FamilyRuns, AFileRemovedMeanwhileIsNamed) {
  SwapRun swap;
  swap.Begin(BesideSwap(swap), GetParam());
  swap.RunTo(3);
  std::filesystem::remove(swap.Library());
  swap.RunTo(4);  // the private copy goes on
  swap.Run().Disengage("a");
  EXPECT_THAT([&] { swap.Run().Engage("a"); }, ::testing::ThrowsMessage<Error>(HasSubstr("libsolver.so")));
  EXPECT_THAT(swap.End(), IsEmpty());
  EXPECT_EQ(swap.TheSink("sb").rows.size(), 24U);
}

TEST(Families, AnArgumentThatAnOperatorSetIsToldAsTheOperators) {
  SwapRun swap;
  swap.Begin(ComponentXml("rain", "Source", ArgumentXml("unit", "1") + ArgumentXml("gives", "instant")) +
             swap.Solver("a", ArgumentXml("gain", "2")) + LinkXml("rain.out", "a.in") + "<Observe Item=\"a.out\"/>" +
             RunXml());
  swap.RunTo(3);
  const auto origin = [&swap](const std::string& key) {
    const ReportModel model = DescribeRun(*swap.Model().composition, swap.Run().Record(), {});
    for (const ReportArgument& one : model.arguments) {
      if (one.component == "a" && one.key == key) return one.value + " " + one.origin;
    }
    return std::string("none");
  };
  EXPECT_EQ(origin("gain"), "2 composition");
  swap.Run().Disengage("a");
  swap.Run().SetArgument("a", "gain", "3");
  swap.Run().Engage("a");
  EXPECT_EQ(origin("gain"), "3 operator");
  EXPECT_EQ(origin("unit"), "1 default");
  EXPECT_THAT(swap.End(), IsEmpty());
  std::string notes;
  for (const Problem& problem : swap.Record().problems) notes += FormatProblem(problem) + "\n";
  EXPECT_THAT(notes, HasSubstr("a.gain: set to '3' for when its family is engaged at 2015-12-01T03:00:00Z"));
}

TEST_P(FamilyRuns, AFileOfTheSameNameElsewhereDoesNotTakeThePlaceOfOneThatWasRemoved) {
  const Folder elsewhere;
  SwapRun swap;
  const std::string body = ComponentXml("rain", "Source", ArgumentXml("unit", "1") + ArgumentXml("gives", "instant")) +
                           "<Component Id=\"a\" Type=\"Swap\" Assembly=\"libsolver.so\"/>\n" +
                           LinkXml("rain.out", "a.in") + "<Observe Item=\"a.out\"/>" + RunXml();
  const std::string first = swap.Library().parent_path().string();
  setenv("OPENMI_PATH", (first + ":" + elsewhere.Path().string()).c_str(), 1);
  swap.Begin(body, GetParam());
  swap.RunTo(3);
  swap.Run().Disengage("a");
  const auto other = elsewhere.Path() / "libsolver.so";
  std::filesystem::rename(swap.Library(), other);
  EXPECT_THAT([&] { swap.Run().Engage("a"); },
              ::testing::ThrowsMessage<Error>(AllOf(HasSubstr("found no such file there"), HasSubstr(other.string()))));
  std::filesystem::rename(other, swap.Library());
  swap.Run().Engage("a");
  unsetenv("OPENMI_PATH");
  EXPECT_THAT(swap.End(), IsEmpty());
}

TEST_P(FamilyRuns, AKeptStateGoesOnAsIfNothingHadBeen) {
  const auto body = [](const SwapRun& swap) {
    return ComponentXml("rain", "Source", ArgumentXml("unit", "1") + ArgumentXml("gives", "instant")) +
           swap.Solver("a", {}, "KeepState=\"true\"") + "<Observe Item=\"a.out\"/>" + LinkXml("rain.out", "a.in") +
           ComponentXml("other", "Source", ArgumentXml("unit", "1")) +
           ComponentXml("so", "Sink", ArgumentXml("unit", "1")) + LinkXml("other.out", "so.in") + RunXml();
  };
  SwapRun undisturbed;
  undisturbed.Begin(body(undisturbed), GetParam());
  ASSERT_THAT(undisturbed.End(), IsEmpty());
  SwapRun swap;
  swap.Begin(body(swap), GetParam());
  swap.RunTo(6);
  swap.Run().Disengage("a");
  swap.RunTo(11);
  swap.Run().Engage("a");
  swap.RunTo(14);
  swap.Run().Disengage("a");
  swap.Run().Engage("a");
  ASSERT_THAT(swap.End(), IsEmpty());
  ASSERT_EQ(swap.Record().series.size(), 1U);
  EXPECT_EQ(swap.Record().series[0].times, undisturbed.Record().series[0].times);
  EXPECT_EQ(swap.Record().series[0].values, undisturbed.Record().series[0].values);
}

TEST_P(FamilyRuns, AStateThatTheNewCodeDoesNotTakeLetsItBeginAnew) {
  SwapRun swap;
  swap.Begin(swap.Solver("b", {}, "KeepState=\"true\"") +
                 ComponentXml("sb", "Sink", ArgumentXml("unit", "1") + ArgumentXml("asks", "instant")) +
                 LinkXml("b.out", "sb.in") + RunXml(),
             GetParam());
  swap.RunTo(6);
  swap.Run().Disengage("b");
  swap.Write("swap_5");
  swap.RunTo(8);
  swap.Run().Engage("b");
  ASSERT_THAT(swap.End(), IsEmpty());
  EXPECT_EQ(Single(swap.TheSink("sb"), 8), 5.0 * 2.0);
  std::string told;
  for (const Problem& problem : swap.Record().problems) told += FormatProblem(problem) + "\n";
  EXPECT_THAT(told, HasSubstr("b started anew at 2015-12-01T08:00:00Z: the state was not restored, expected a state of "
                              "version 2, found 1"));
}

TEST(Families, TellWhoBeganAnewAndWhyAndAreNamedInOneWay) {
  SwapRun swap;
  swap.Begin(swap.Solver("a") + swap.Solver("b", {}, "KeepState=\"true\"") +
             ComponentXml("source", "Source", ArgumentXml("unit", "1")) + "<Observe Item=\"source.out\"/>" + RunXml());
  swap.RunTo(6);
  const Families& families = swap.Run().TheFamilies();
  EXPECT_EQ(families.TextOf("a"), "libsolver.so (a, b)");
  EXPECT_EQ(families.TextOf("source"), "built-in (source)");
  EXPECT_THAT([&] { families.Find("nobody"); },
              ::testing::ThrowsMessage<Error>(HasSubstr("there are: a, b, source, libsolver.so, built-in")));
  swap.Run().Disengage("b");
  EXPECT_THAT(families.Find("a").told, IsEmpty());
  swap.Run().Engage("a");
  EXPECT_THAT(families.Find("a").told, ElementsAre("a started anew at 2015-12-01T06:00:00Z")) << "b kept its state";
  // A component of another SDK, or one without a state of its own, cannot keep it: it is said when it leaves, too.
  swap.Run().Disengage("source");
  swap.Run().Engage("source");
  EXPECT_THAT(families.Find("source").told, ElementsAre("source started anew at 2015-12-01T06:00:00Z"));
  ASSERT_THAT(swap.End(), IsEmpty());
  std::string told;
  for (const Problem& problem : swap.Record().problems) told += FormatProblem(problem) + "\n";
  EXPECT_THAT(told, AllOf(HasSubstr("family libsolver.so (a, b) disengaged at 2015-12-01T06:00:00Z"),
                          HasSubstr("family libsolver.so (a, b) engaged at 2015-12-01T06:00:00Z")));
}

TEST(Families, AStateThatIsWantedAndNotKeptIsToldWhenTheFamilyLeavesAndComesBack) {
  SwapRun swap;
  std::string source = ComponentXml("source", "Source", ArgumentXml("unit", "1"));
  source.replace(source.find(" Type="), 0, " KeepState=\"true\"");
  swap.Begin(source + ComponentXml("other", "Source", ArgumentXml("unit", "1")) + "<Observe Item=\"source.out\"/>" +
             RunXml());
  EXPECT_THAT(swap.Model().Text(Problem::Warning),
              HasSubstr("source: expected a component that keeps its state, for KeepState, found one that does not"));
  swap.RunTo(6);
  swap.Run().Disengage("source");
  const Families& families = swap.Run().TheFamilies();
  EXPECT_THAT(families.Find("source").told,
              ElementsAre("source will start anew: expected a component that keeps its state as bytes, found one that "
                          "does not"));
  swap.Run().Engage("source");
  EXPECT_THAT(families.Find("source").told,
              ElementsAre("other started anew at 2015-12-01T06:00:00Z",
                          "source started anew at 2015-12-01T06:00:00Z: expected a component that keeps its state as "
                          "bytes, found one that does not"));
  EXPECT_THAT(swap.End(), IsEmpty());
}

TEST_P(FamilyRuns, AMemberOfALoopIsHeldAndComesBack) {
  SwapRun swap;
  swap.Begin(swap.Solver("a", ArgumentXml("gain", "0") + ArgumentXml("unit", "m3 s-1")) +
                 ComponentXml("relay", "Relay", ArgumentXml("factor", "0.125")) + LinkXml("a.out", "relay.in") +
                 LinkXml("relay.out", "a.in") +
                 ComponentXml("sink", "Sink", ArgumentXml("unit", "m3 s-1") + ArgumentXml("asks", "instant")) +
                 LinkXml("a.out", "sink.in") + RunXml(),
             GetParam());
  swap.RunTo(5);
  swap.Run().Disengage("a");
  EXPECT_EQ(MappedSolvers(), 0U);
  const std::vector<double> held = swap.TheSink("sink").rows.back();
  swap.RunTo(10);
  EXPECT_EQ(swap.TheSink("sink").rows.back(), held);
  swap.Run().Engage("a");
  ASSERT_THAT(swap.End(), IsEmpty());
  EXPECT_TRUE(swap.Record().is_complete);
  ASSERT_EQ(swap.TheSink("sink").rows.size(), 24U);
  EXPECT_NE(swap.TheSink("sink").rows.back(), held);
}

TEST_P(FamilyRuns, SpansAreHeldStepByStep) {
  SwapRun swap;
  swap.Begin(swap.Solver("a", ArgumentXml("gives", "span")) +
                 ComponentXml("sum", "Sink", ArgumentXml("unit", "1") + ArgumentXml("time-step", "PT3H")) +
                 LinkXml("a.out", "sum.in", AdaptorXml("sum-over-span")) + RunXml(),
             GetParam());
  swap.RunTo(6);
  swap.Run().Disengage("a");
  swap.RunTo(12);
  swap.Run().Engage("a");
  ASSERT_THAT(swap.End(), IsEmpty());
  const Sink& sink = swap.TheSink("sum");
  ASSERT_EQ(sink.rows.size(), 8U);
  EXPECT_EQ(Single(sink, 1), 5.0 + 6.0 + 7.0);
  EXPECT_EQ(Single(sink, 2), 3 * 7.0);
  EXPECT_EQ(Single(sink, 3), 3 * 7.0);
  EXPECT_EQ(Single(sink, 4), 2.0 + 3.0 + 4.0);
}

TEST_P(FamilyRuns, WhatTheLastInTheChainLeavesIsAskedForByTheRun) {
  SwapRun swap;
  swap.Begin(ComponentXml("rain", "Source", ArgumentXml("unit", "1") + ArgumentXml("gives", "instant")) +
                 swap.Solver("a") + LinkXml("rain.out", "a.in") + "<Observe Item=\"rain.out\"/>" + RunXml(),
             GetParam());
  swap.RunTo(6);
  swap.Run().Disengage("a");
  ASSERT_THAT(swap.End(), IsEmpty());
  EXPECT_TRUE(swap.Record().is_complete);
  EXPECT_EQ(swap.Record().series[0].times.size(), 25U);
}

TEST_P(FamilyRuns, CodeThatCrashesAtItsStartHarmsItsOwnProcessOnly) {
  SwapRun swap;
  swap.Begin(swap.Solver("b", {}, "Isolation=\"process\"") +
                 ComponentXml("sb", "Sink", ArgumentXml("unit", "1") + ArgumentXml("asks", "instant")) +
                 LinkXml("b.out", "sb.in") + RunXml(),
             GetParam());
  swap.RunTo(6);
  swap.Run().Disengage("b");
  swap.Write("swap_6");
  swap.RunTo(8);
  EXPECT_THAT([&] { swap.Run().Engage("b"); }, ::testing::ThrowsMessage<Error>(HasSubstr("signal 6 (Aborted)")));
  EXPECT_EQ(swap.Run().TheFamilies().StatusOf("b"), FamilyStatus::Disengaged);
  swap.Write("swap_2");
  swap.RunTo(10);
  swap.Run().Engage("b");
  ASSERT_THAT(swap.End(), IsEmpty());
  const Sink& sink = swap.TheSink("sb");
  ASSERT_EQ(sink.rows.size(), 24U);
  for (std::size_t i = 6; i < 10; ++i) EXPECT_EQ(sink.rows[i], sink.rows[5]) << i;
  EXPECT_EQ(Single(sink, 10), 4.0);
  EXPECT_EQ(Single(sink, 23), 30.0);
}

TEST(Families, ALibraryThatWouldStayIsRefusedAndNothingChanges) {
#if defined(__clang__)
  GTEST_SKIP() << "clang makes no unique symbols";
#endif
  SwapRun swap("swap_unique", "libpinned.so");  // it stays in this process
  swap.Begin(BesideSwap(swap));
  swap.RunTo(6);
  EXPECT_THAT([&] { swap.Run().Disengage("a"); }, ::testing::ThrowsMessage<LoadError>(AllOf(
                                                      HasSubstr("unique symbol"), HasSubstr("openmi_add_component"))));
  EXPECT_EQ(swap.Run().TheFamilies().StatusOf("a"), FamilyStatus::Engaged);
  ASSERT_THAT(swap.End(), IsEmpty());
  EXPECT_EQ(Single(swap.TheSink("sb"), 23), 25.0);
}

TEST(Families, AFactoryOfItsOwnKeepsAFamilyIn) {
  SwapRun swap;
  swap.Begin(ComponentXml("leaky", "LeakySource", ArgumentXml("unit", "1")) +
             ComponentXml("s", "Sink", ArgumentXml("unit", "1")) + LinkXml("leaky.out", "s.in", AdaptorXml("leak")) +
             RunXml());
  swap.RunTo(6);
  EXPECT_THAT([&] { swap.Run().Disengage("leaky"); },
              ::testing::ThrowsMessage<Error>(HasSubstr("one of the component's own")));
  EXPECT_THAT(swap.End(), IsEmpty());
}

/// Resident memory, bytes.
double Resident() {
  std::ifstream statm("/proc/self/statm");
  double size = 0.0;
  double resident = 0.0;
  statm >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

TEST_P(FamilyRuns, CodeWithThreadLocalsIsReallyUnloaded) {
  SwapRun swap("swap_thread_1");
  swap.Begin(BesideSwap(swap), GetParam());
  swap.RunTo(6);
  EXPECT_GT(MappedSolvers(), 0U);
  swap.Run().Disengage("a");
  EXPECT_EQ(MappedSolvers(), 0U);
  EXPECT_THAT(swap.Run().TheFamilies().Find("a").problem, IsEmpty());
  swap.Write("swap_thread_2");
  swap.RunTo(12);
  swap.Run().Engage("b");
  ASSERT_THAT(swap.End(), IsEmpty());
  EXPECT_EQ(Single(swap.TheSink("sb"), 5), 7.0);
  EXPECT_EQ(Single(swap.TheSink("sb"), 11), 7.0);
  EXPECT_EQ(Single(swap.TheSink("sb"), 12), 4.0);
}

TEST(Families, CodeWithThreadLocalsComputesBesideOthersOfSeveralThreads) {
  const SwapRun swap("swap_thread_1");
  std::string text =
      ComponentXml("s", "Source", ArgumentXml("unit", "1") + ArgumentXml("gives", "instant")) + swap.Solver("f") +
      LinkXml("s.out", "f.in", AdaptorXml("cubic", ArgumentXml("extrapolation", "hold"))) + "<Observe Item=\"f.out\"/>";
  const std::vector<std::string> sinks = {"k0", "k1", "k2", "k3"};
  for (const std::string& id : sinks) {
    text += ComponentXml(id, "Sink", ArgumentXml("unit", "1") + ArgumentXml("asks", "instant")) +
            LinkXml("s.out", id + ".in", AdaptorXml("linear"));
  }
  text += RunXml("2015-12-20T00:00Z");
  Made alone(text);
  ASSERT_EQ(alone.Text(), "");
  const RunRecord expected = alone.Run();
  ASSERT_EQ(ErrorsOf(expected), "");
  for (int round = 0; round < 5; ++round) {
    Made made(text);
    const RunRecord record = made.Run(RunMode::Pull, 4);
    ASSERT_EQ(ErrorsOf(record), "");
    EXPECT_EQ(record.series.at(0).values, expected.series.at(0).values) << round;
    for (const std::string& id : sinks) EXPECT_EQ(made.Get<Sink>(id).rows, alone.Get<Sink>(id).rows) << id << round;
  }
}

class ThousandCycles : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Builds, ThousandCycles, ::testing::Values("swap_1", "swap_thread_1"));

TEST_P(ThousandCycles, LeaveNothingBehind) {
  SwapRun swap(GetParam());
  swap.Begin(swap.Solver("a") + ComponentXml("s", "Sink", ArgumentXml("unit", "1") + ArgumentXml("asks", "instant")) +
             ComponentXml("place", "Source", ArgumentXml("unit", "1")) + LinkXml("a.out", "s.in") +
             RunXml("2016-12-01T00:00Z"));
  double before = 0.0;
  for (int cycle = 0; cycle < 1000; ++cycle) {
    ASSERT_TRUE(swap.Run().Advance());
    swap.Run().Disengage("a");
    ASSERT_EQ(MappedSolvers(), 0U) << cycle;
    ASSERT_TRUE(swap.Run().Advance());
    swap.Run().Engage("a");
    ASSERT_EQ(swap.Run().TheFamilies().StatusOf("a"), FamilyStatus::Engaged);
    if (cycle == 100) before = Resident();
  }
  const double grown = Resident() - before;
  RecordProperty("grown_bytes", std::to_string(grown));
#if !OPENMI_ADDRESS_SANITIZER && !OPENMI_THREAD_SANITIZER  // which keep what was freed, or notes on it
  EXPECT_LT(grown, 4e6);
#endif
  EXPECT_EQ(swap.Run().TheFamilies().Find("a").disengagements, 1000U);
  swap.Run().RequestEnd("enough");
  EXPECT_THAT(swap.End(), IsEmpty());
}

}  // namespace
}  // namespace openmi::testing
