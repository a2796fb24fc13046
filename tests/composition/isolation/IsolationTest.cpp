// Components in another process: the same results as in ours, and nothing that they do there hurts us.

#include <dirent.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ostream>
#include <thread>

#include "composition/control/RunDesk.hpp"
#include "composition/isolation/AskPlan.hpp"
#include "composition/isolation/IsolatedComponent.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "tests/composition/isolation/ApartFixture.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/support/Sanitized.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

const bool children_crash = test::LetChildrenCrash();

std::string Chain(const std::string& first, const std::string& second) {
  return Apart("a", "Memory", first) + Apart("b", "Memory", second) + LinkXml("a.out", "b.take") +
         "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>" + RunXml("2015-12-05T00:00Z");
}

TEST(Isolation, GivesTheSameResultsToTheLastBit) {
  const RunRecord plain = Made(Chain("", "")).Run();
  ASSERT_THAT(ErrorsOf(plain), IsEmpty());
  ASSERT_EQ(plain.series.at(1).values.size(), 97U * 3U);
  const std::pair<const char*, const char*> cases[] = {{"Isolation=\"process\"", "Isolation=\"process\""},
                                                       {"Isolation=\"instance\"", "Isolation=\"instance\""},
                                                       {"Isolation=\"process\"", ""},
                                                       {"", "Isolation=\"instance\" TimeLimit=\"PT20S\""}};
  for (const auto& [first, second] : cases) {
    for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
      Made made(Chain(first, second));
      ASSERT_THAT(made.Text(), IsEmpty());
      const RunRecord record = made.Run(mode);
      EXPECT_THAT(ErrorsOf(record), IsEmpty());
      EXPECT_EQ(SeriesOf(record), SeriesOf(plain)) << first << " and " << second;
      ASSERT_EQ(record.components.size(), 2U);  // the balance is followed across the border
      EXPECT_EQ(record.components[1].second.in, plain.components[1].second.in);
    }
  }
}

TEST(Isolation, RowsOfIterationsThatAreTakenBackAreTakenBackAcrossTheBorderToo) {
  const auto loop = [](const std::string& first, const std::string& second) {
    return Apart("a", "Memory", first) + Apart("b", "Memory", second) + LinkXml("a.out", "b.take") +
           LinkXml("b.out", "a.take") +
           "<Iterate Components=\"a b\" Method=\"anderson\" MaxIterations=\"4\" OnFailure=\"warn\"/>" +
           "<Observe Item=\"a.out\"/><Observe Item=\"b.out\" Every=\"PT3H\" As=\"mean\"/>" +
           RunXml("2015-12-03T00:00Z");
  };
  const auto run = [](const std::string& body) {
    Made made(body);
    EXPECT_THAT(made.Text(), IsEmpty());
    return made.Run();
  };
  const RunRecord plain = run(loop("", ""));
  ASSERT_EQ(plain.series.size(), 2U);
  ASSERT_TRUE(std::isfinite(plain.series[1].values.front()));
  const std::pair<const char*, const char*> cases[] = {{"Isolation=\"process\"", "Isolation=\"process\""},
                                                       {"Isolation=\"instance\"", ""},
                                                       {"", "Isolation=\"process\""}};
  for (const auto& [first, second] : cases) {
    const RunRecord record = run(loop(first, second));
    const std::vector<std::vector<double>> given = SeriesOf(record);
    const std::vector<std::vector<double>> expected = SeriesOf(plain);
    ASSERT_EQ(given.size(), expected.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
      for (std::size_t k = 0; k < std::min(given[i].size(), expected[i].size()); ++k) {
        ASSERT_EQ(given[i][k], expected[i][k]) << i << " at " << k << ": " << first << " and " << second;
      }
      ASSERT_EQ(given[i].size(), expected[i].size()) << given[i].back();
      for (std::size_t k = 0; k < given[i].size(); ++k) {
        ASSERT_EQ(given[i][k], expected[i][k]) << i << " at " << k << ": " << first << " and " << second;
      }
    }
  }
}

TEST(Isolation, WhatIsAskedInEachUpdateIsSentAlong) {
  Made made(Chain("", "Isolation=\"process\""));
  RunOptions options;
  options.write_results = false;
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  ASSERT_EQ(run.State(), RunState::Running) << ErrorsOf(run.Record());
  const auto asked = [&made] { return made.Get<IsolatedComponent>("b").Process().AskedBack(); };
  while (asked() == 0) run.Advance();
  run.Advance();
  const std::uint64_t learned = asked();
  EXPECT_GE(learned, 2U);
  for (int i = 0; i < 20; ++i) run.Advance();
  EXPECT_EQ(asked(), learned);
  EXPECT_THAT(ErrorsOf(run.End()), IsEmpty());
}

TEST(Isolation, WhoAsksOtherwiseThanBeforeGetsWhatItAsksFor) {
  const auto body = [](const std::string& how) {
    return Apart("a", "Memory", "", ArgumentXml("elements", "1")) + Apart("m", "Moody", how) +
           LinkXml("a.out", "m.in", "<Adaptor Id=\"linear\"/>") + "<Observe Item=\"a.out\"/><Observe Item=\"m.out\"/>" +
           RunXml("2015-12-03T00:00Z");
  };
  for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
    const RunRecord plain = Made(body("")).Run(mode);
    ASSERT_THAT(ErrorsOf(plain), IsEmpty());
    ASSERT_EQ(plain.series.at(1).values.size(), 49U);
    const RunRecord apart = Made(body("Isolation=\"process\"")).Run(mode);
    EXPECT_THAT(ErrorsOf(apart), IsEmpty());
    EXPECT_EQ(apart.series.at(1).values, plain.series[1].values);
  }
}

TEST(Isolation, AProviderThatFailsWhenItIsAskedAheadIsNamedAsAlways) {
  const auto body = [](const std::string& how) {
    return Apart("bad", "Trouble", "", ArgumentXml("how", "refuse") + ArgumentXml("at", "7")) +
           Apart("c", "Counter", how) + LinkXml("bad.count", "c.in") + "<Observe Item=\"c.out\"/>" + RunXml();
  };
  const RunRecord plain = Made(body("")).Run();
  const RunRecord apart = Made(body("Isolation=\"process\"")).Run();
  EXPECT_THAT(ErrorsOf(plain), HasSubstr("expected rain, found none; wait"));
  EXPECT_EQ(ErrorsOf(apart), ErrorsOf(plain));
  EXPECT_EQ(apart.series.at(0).values, plain.series.at(0).values);
}

TEST(AskPlan, ForeseesWhatWasAskedTwiceRunningBeforeAnythingElse) {
  AskPlan plan;
  const auto update = [&plan](const std::vector<std::pair<std::size_t, bool>>& asked) {
    plan.Begin();
    for (const auto& [input, at_step_end] : asked) plan.OnAsked(input, at_step_end);
    plan.End();
    return std::vector<std::size_t>(plan.Ahead().begin(), plan.Ahead().end());
  };
  using Inputs = std::vector<std::size_t>;
  EXPECT_EQ(update({{3, true}, {1, true}, {2, false}, {0, true}}), Inputs());
  EXPECT_EQ(update({{3, true}, {1, true}, {2, false}, {0, true}}), (Inputs{3, 1}));
  EXPECT_EQ(update({{3, true}, {1, true}, {3, true}}), Inputs()) << "it asked for one of them again";
  EXPECT_EQ(update({{3, true}, {1, true}}), Inputs());
  EXPECT_EQ(update({{3, true}, {1, true}}), (Inputs{3, 1}));
  EXPECT_EQ(update({{1, true}, {3, true}}), Inputs()) << "the order is another";
  EXPECT_EQ(update({{1, true}, {3, true}}), (Inputs{1, 3}));
  plan.Forget();
  EXPECT_EQ(update({{1, true}}), Inputs());
  EXPECT_EQ(update({{1, true}}), Inputs{1});
  plan.OnMissed();
  EXPECT_EQ(update({{1, true}}), Inputs());
  EXPECT_EQ(update({{1, true}}), Inputs()) << "it is never foreseen again";
}

TEST(Isolation, OneProcessForALibraryOrOneForEach) {
  const auto process_of = [](Made& made, const std::string& id) {
    return made.Get<IsolatedComponent>(id).Process().Id();
  };
  Made shared(Chain("Isolation=\"process\"", "Isolation=\"process\""));
  EXPECT_EQ(process_of(shared, "a"), process_of(shared, "b"));
  Made own(Chain("Isolation=\"instance\"", "Isolation=\"instance\""));
  EXPECT_NE(process_of(own, "a"), process_of(own, "b"));
  Made limits(Chain("Isolation=\"process\" TimeLimit=\"PT9S\"", "Isolation=\"process\" TimeLimit=\"PT8S\""));
  EXPECT_NE(process_of(limits, "a"), process_of(limits, "b"));
  const pid_t pid = process_of(own, "a");
  own.composition.reset();
  EXPECT_NE(kill(pid, 0), 0) << "its process outlived its component";
}

TEST(Isolation, ShowsTheComponentAsItIs) {
  ComponentLoader loader;
  LoadedComponent plain = LoadOmi(loader, Omi("Memory"));
  auto process = IsolatedProcess::Start({});
  LoadedComponent apart = LoadIsolated(process, Omi("Memory"));
  IBaseLinkableComponent& a = *apart.component;
  IBaseLinkableComponent& p = *plain.component;
  EXPECT_EQ(a.Id(), p.Id());
  EXPECT_EQ(a.Status(), LinkableComponentStatus::Created);
  EXPECT_EQ(FamilyKeyOf(apart), FamilyKeyOf(plain));
  ASSERT_EQ(a.Arguments().size(), p.Arguments().size());
  for (std::size_t i = 0; i < a.Arguments().size(); ++i) {
    EXPECT_EQ(a.Arguments()[i]->Id(), p.Arguments()[i]->Id());
    EXPECT_EQ(a.Arguments()[i]->DefaultValue(), p.Arguments()[i]->DefaultValue());
    EXPECT_EQ(IsSecret(*a.Arguments()[i]), IsSecret(*p.Arguments()[i]));
    if (a.Arguments()[i]->Id() == "token") {
      a.Arguments()[i]->SetValueAsString("hush");
      EXPECT_EQ(DisplayText(*a.Arguments()[i]), "********");
    }
    if (a.Arguments()[i]->Id() == "elements") {
      EXPECT_THAT([&] { a.Arguments()[i]->SetValueAsString("none"); },
                  ThrowsMessage<ArgumentError>(HasSubstr("elements")));
      a.Arguments()[i]->SetValueAsString("5");
      EXPECT_EQ(a.Arguments()[i]->Value(), Value(5));
    }
  }
  a.Initialize();
  EXPECT_EQ(a.Status(), LinkableComponentStatus::Initialized);
  ASSERT_EQ(a.Outputs().size(), 1U);
  const auto& out = dynamic_cast<const ITimeSpaceOutput&>(*a.Outputs()[0]);
  EXPECT_EQ(out.SpatialDefinition()->ElementCount(), 5);
  EXPECT_EQ(dynamic_cast<const IElementSet&>(*out.SpatialDefinition()).GetElementId(4)->Id(), "e4");
  EXPECT_EQ(dynamic_cast<const IQuantity&>(out.ValueDefinition()).Unit().Caption(), "kg");
  EXPECT_EQ(dynamic_cast<IBalance&>(a).BalanceUnit(), "kg");
  EXPECT_EQ(dynamic_cast<IBalance&>(a).BalanceArea(), 12.0);
}

TEST(Isolation, KeepsAndRestoresStatesAlsoInAnotherProcess) {
  Made whole(Chain("Isolation=\"instance\"", ""));
  const RunRecord expected = whole.Run();
  const auto begin = [](IBaseLinkableComponent& component) {
    for (IArgument* argument : component.Arguments()) {
      if (argument->Id() == "start-time") argument->SetValueAsString("2015-12-01T00:00Z");
    }
    component.Initialize();
    component.Validate();
    component.Prepare();
  };
  const auto last = [](IBaseLinkableComponent& component) {
    return dynamic_cast<const ITimeSpaceOutput&>(*component.Outputs()[0]).Values().GetValue(0, 2);
  };
  LoadedComponent one = LoadIsolated(IsolatedProcess::Start({}), Omi("Memory"));
  begin(*one.component);
  for (int i = 0; i < 10; ++i) one.component->Update({});
  auto& states = dynamic_cast<IManageState&>(*one.component);
  const IIdentifiable& kept = states.KeepCurrentState();
  const Bytes bytes = dynamic_cast<IByteStateConverter&>(*one.component).ConvertToByteArray(kept);
  for (int i = 0; i < 10; ++i) one.component->Update({});
  const Value twenty = last(*one.component);
  states.RestoreState(kept);
  EXPECT_EQ(dynamic_cast<ISteps&>(*one.component).CurrentTime(), Stamp{kDayOne} + Hours(10));
  for (int i = 0; i < 10; ++i) one.component->Update({});
  EXPECT_EQ(last(*one.component), twenty);
  states.ClearState(kept);
  EXPECT_THROW(states.RestoreState(Identifier("nothing")), Error);

  LoadedComponent two = LoadIsolated(IsolatedProcess::Start({}), Omi("Memory"));
  begin(*two.component);
  auto& converter = dynamic_cast<IByteStateConverter&>(*two.component);
  dynamic_cast<IManageState&>(*two.component).RestoreState(converter.ConvertFromByteArray(bytes));
  for (int i = 0; i < 10; ++i) two.component->Update({});
  EXPECT_EQ(last(*two.component), twenty);
}

struct End {
  const char* how;
  const char* limits;
  const char* says;
};

void PrintTo(const End& end, std::ostream* out) {
  *out << end.how;
}

class IsolationEnds : public ::testing::TestWithParam<End> {};

TEST_P(IsolationEnds, CostsItsOwnProcessOnly) {
  const End& end = GetParam();
  if (test::kIsSanitized && std::string(end.limits).starts_with("Memory")) {
    GTEST_SKIP() << "the sanitizer's shadow takes more addresses than any limit";
  }
  const std::string body = Apart("bad", "Trouble", std::string("Isolation=\"process\" ") + end.limits,
                                 ArgumentXml("how", end.how) + ArgumentXml("at", "5")) +
                           Apart("good", "Memory", "") + "<Observe Item=\"bad.count\"/><Observe Item=\"good.out\"/>" +
                           RunXml();
  Made made(body);
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(RunMode::Step);
  EXPECT_THAT(ErrorsOf(record), AllOf(HasSubstr("bad"), HasSubstr(end.says)));
  EXPECT_EQ(made.Get<IsolatedComponent>("bad").Status(), LinkableComponentStatus::Finished);
  ASSERT_EQ(record.series[0].values.size(), 5U);  // the begin and four steps
  EXPECT_EQ(record.series[0].values.back(), 4.0);
  // Its last values stay readable.
  const auto& count = dynamic_cast<const ITimeSpaceOutput&>(*made.Get<IsolatedComponent>("bad").Outputs()[0]);
  EXPECT_EQ(count.Values().GetValue(0, 0), Value(4.0));
}

INSTANTIATE_TEST_SUITE_P(
    Isolation, IsolationEnds,
    ::testing::Values(End{"segfault", "", "killed by signal 11"}, End{"abort", "", "killed by signal 6"},
                      End{"exit", "", "ended with exit code 3"}, End{"quick-exit", "", "ended with exit code 0"},
                      End{"throw", "", "no water left"}, End{"refuse", "", "expected rain, found none; wait"},
                      End{"hang", "TimeLimit=\"PT3S\"", "did not answer within 3 s"},
                      End{"eat", "MemoryLimit=\"600 MB\"", "bad_alloc"}),
    [](const auto& one) {
      std::string name = one.param.how;
      std::erase(name, '-');
      return name;
    });

TEST(Isolation, TheTimeLimitCountsForLoadingToo) {
  const Made made(
      Apart("slow", "Trouble", "Isolation=\"process\" TimeLimit=\"PT1S\"", ArgumentXml("how", "hang-on-setup")) +
      RunXml());
  EXPECT_THAT(made.Text(), AllOf(HasSubstr("slow"), HasSubstr("did not answer within 1 s")));
}

TEST(Isolation, TheRestRunsOnWhereTheFileSaysSo) {
  const auto body = [](const std::string& how) {
    return Apart("bad", "Trouble", "Isolation=\"instance\" OnFailure=\"freeze\"",
                 ArgumentXml("how", how) + ArgumentXml("at", "5")) +
           Apart("also", "Trouble", "Isolation=\"instance\" OnFailure=\"freeze\"") + Apart("good", "Memory", "") +
           Apart("after", "Counter", "") + LinkXml("bad.count", "after.in") +
           "<Observe Item=\"bad.count\"/><Observe Item=\"also.count\"/><Observe Item=\"good.out\"/>"
           "<Observe Item=\"after.out\"/>" +
           RunXml();
  };
  for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
    Made whole(body("never"));
    const RunRecord expected = whole.Run(mode);
    ASSERT_THAT(ErrorsOf(expected), IsEmpty());
    Made made(body("segfault"));
    ASSERT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run(mode);
    EXPECT_TRUE(record.is_complete);
    EXPECT_THAT(ErrorsOf(record), AllOf(HasSubstr("bad: failed at"), HasSubstr("signal 11")));
    EXPECT_EQ(record.series[0].values.size(), 5U);
    EXPECT_EQ(record.series[1].values, expected.series[1].values);
    EXPECT_EQ(record.series[2].values, expected.series[2].values);
    ASSERT_EQ(record.series[3].values.size(), 25U);
    EXPECT_EQ(record.series[3].values[4], 4.0);
    EXPECT_EQ(record.series[3].values.back(), 4.0);  // the last value stays
    const auto& workers = record.workers.workers;
    const auto lost = std::ranges::find_if(workers, [](const auto& one) { return one.figures.lost_after.has_value(); });
    ASSERT_NE(lost, workers.end());
    EXPECT_LT(lost->figures.lost_at->mjd, kDayOne + 0.5) << "when it was lost, not when the run ended";
  }
  Made made(body("segfault"));
  RunOptions options;
  options.write_results = false;
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  while (made.composition->HeldCount() == 0 && run.Advance()) {
  }
  run.Disengage("bad");
  run.SetArgument("bad", "how", "never");
  run.Engage("bad");
  while (run.Advance()) {
  }
  for (const auto& worker : run.End().workers.workers) EXPECT_FALSE(worker.figures.lost_after) << worker.figures.name;
}

TEST(Isolation, ProvidersOfWhatIsFrozenForgetRows) {
  Made made(Apart("a", "Trouble", "", ArgumentXml("how", "never")) +
            Apart("b", "Fragile", "Isolation=\"instance\" OnFailure=\"freeze\"", ArgumentXml("at", "8")) +
            LinkXml("a.count", "b.in") + "<Observe Item=\"a.count\"/><Observe Item=\"b.out\"/>" +
            RunXml("2016-03-01T00:00Z"));
  ASSERT_THAT(made.Text(), IsEmpty());
  RunOptions options;
  options.write_results = false;
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  while (run.Advance()) {
  }
  EXPECT_EQ(made.composition->HeldCount(), 1U);
  const auto outputs = made.Get<SteppingComponent>("a").Outputs();
  EXPECT_LT(dynamic_cast<NumericOutput&>(*outputs[0]).History().Count(), 100U);
  const RunRecord record = run.End();
  EXPECT_THAT(ErrorsOf(record), HasSubstr("b: failed at"));
  EXPECT_EQ(record.series[0].values.size(), 91U * 24U + 1U);
}

TEST(Isolation, AMemberOfALoopThatDiesIsFrozen) {
  const std::string loops[] = {"", "<Iterate Components=\"a b\" RelativeTolerance=\"1e-9\"/>"};
  for (const std::string& loop : loops) {
    for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
      Made made(Apart("a", "Fragile", "") +
                Apart("b", "Fragile", "Isolation=\"instance\" OnFailure=\"freeze\"", ArgumentXml("at", "8")) +
                LinkXml("a.out", "b.in") + LinkXml("b.out", "a.in") + loop +
                "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>" + RunXml());
      ASSERT_THAT(made.Text(), IsEmpty());
      const RunRecord record = made.Run(mode);
      EXPECT_TRUE(record.is_complete) << loop;
      EXPECT_THAT(ErrorsOf(record), AllOf(HasSubstr("b: failed at"), HasSubstr("signal 9"))) << loop;
      ASSERT_EQ(record.series[0].values.size(), 25U) << loop;
      for (const double value : record.series[0].values) EXPECT_NEAR(value, 2.0, 1e-9) << loop;
      EXPECT_EQ(record.series[1].values.size(), 9U) << loop;
    }
  }
}

TEST(Isolation, ACrashWhileItStartsIsAProblemLikeAnyOther) {
  Made made(Apart("bad", "Trouble", "Isolation=\"process\"", ArgumentXml("how", "crash-on-start")) +
            "<Observe Item=\"bad.count\"/>" + RunXml());
  EXPECT_THAT(ErrorsOf(made.Run()), AllOf(HasSubstr("bad"), HasSubstr("signal 11")));
}

TEST(Isolation, ReportsWhatCannotBeLoaded) {
  EXPECT_THAT(Made(Apart("a", "Nothing", "Isolation=\"process\"") + RunXml()).Text(),
              HasSubstr("expected a component type"));
  EXPECT_THAT(
      Made("<Component Id=\"a\" Type=\"test.Source\" Assembly=\"here\" Isolation=\"process\"/>" + RunXml()).Text(),
      HasSubstr("only components in libraries"));
  setenv("OPENMI_COMPONENT_HOST", "/nowhere/host", 1);
  const std::string text = Made(Chain("Isolation=\"process\"", "")).Text();
  unsetenv("OPENMI_COMPONENT_HOST");
  EXPECT_THAT(text, HasSubstr("/nowhere/host"));
}

std::size_t OpenFiles() {
  std::size_t count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

TEST(Isolation, PassesOnWhatAComponentCanBeAskedFor) {
  const std::string body = Apart("d", "Doors", "Isolation=\"process\"") +
                           Apart("e", "Doors", "Isolation=\"process\"", ArgumentXml("alone", "true")) +
                           Apart("m", "Memory", "Isolation=\"instance\"") + "<Observe Item=\"d.out\"/>" + RunXml();
  Made made(body);
  ASSERT_EQ(made.Text(), "");
  const auto& component = [&](const char* id) -> IBaseLinkableComponent& {
    return made.composition->Instances().at(*made.composition->IndexOf(id)).Component();
  };
  EXPECT_TRUE(dynamic_cast<IThreadSafety&>(component("d")).IsThreadSafe());
  EXPECT_FALSE(dynamic_cast<IThreadSafety&>(component("e")).IsThreadSafe());
  EXPECT_TRUE(dynamic_cast<ITunable&>(component("d")).IsTunable("gain"));
  EXPECT_FALSE(dynamic_cast<ITunable&>(component("d")).IsTunable("alone"));
  EXPECT_FALSE(dynamic_cast<ITunable&>(component("d")).IsTunable("nothing"));
  EXPECT_FALSE(dynamic_cast<ITunable&>(component("m")).IsTunable("elements"));
  dynamic_cast<IResumes&>(component("m")).ExpectRestore();  // has no such door: nothing happens
  RunOptions options;
  options.write_results = false;
  options.threads = 3;
  CompositionRun run(*made.composition, made.problems, options);
  RunDesk desk(run);
  dynamic_cast<IResumes&>(component("d")).ExpectRestore();
  run.Begin();
  ASSERT_EQ(run.State(), RunState::Running) << ErrorsOf(run.Record());
  run.Advance();
  EXPECT_EQ(desk.Values("d.out").values, std::vector<double>{1302.0}) << "it was told before Prepare";
  desk.SetArgument("d", "gain", "5");
  run.Advance();
  EXPECT_EQ(desk.Values("d.out").values, std::vector<double>{1305.0});
  EXPECT_THAT([&] { desk.SetArgument("d", "alone", "true"); },
              ThrowsMessage<ArgumentError>(HasSubstr("may change while the component runs")));
  EXPECT_THAT(ErrorsOf(run.End()), IsEmpty());
}

TEST(Isolation, LeavesNothingOpenBehind) {
  const std::size_t before = OpenFiles();
  for (int i = 0; i < 10; ++i) Made(Chain("Isolation=\"instance\"", "Isolation=\"process\"")).Run();
  EXPECT_EQ(OpenFiles(), before);
}

}  // namespace
}  // namespace openmi::testing
