// Components on several ranks: the results of one process, and errors that name the rank.

#include <csignal>

#include "composition/control/RunDesk.hpp"
#include "composition/joined/JoinedComponent.hpp"
#include "composition/link/Groups.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
#include "tests/composition/hosts/OnHosts.hpp"
#include "tests/support/Ranks.hpp"
#include "tests/support/Sanitized.hpp"
#include "timespace/optional/IBalance.hpp"

namespace openmi::testing {
namespace {

const bool ranks_start = test::LetRanksStart();
const bool children_crash = test::LetChildrenCrash();

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

const std::string kRanked = OPENMI_BINARY_DIR "/tests/ranks-plugins/libranked_components.so";

std::string Ranked(const std::string& id, const std::string& type, const std::string& how,
                   const std::string& arguments = {}) {
  return "<Component Id=\"" + id + "\" Type=\"test." + type + "\" Assembly=\"" + kRanked + "\" " + how + ">" +
         arguments + "</Component>\n";
}

/// A serial component before it, and one behind it.
std::string Chain(const std::string& how, const std::string& arguments = {}) {
  return Ranked("a", "Dealt", "", ArgumentXml("cells", "7")) + Ranked("b", "Dealt", how, arguments) +
         Ranked("c", "Dealt", "", ArgumentXml("cells", "7")) + LinkXml("a.out", "b.take") +
         LinkXml("a.shared", "b.share") + LinkXml("b.out", "c.take") + LinkXml("b.shared", "c.share") +
         "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/><Observe Item=\"b.shared\"/><Observe Item=\"c.out\"/>" +
         RunXml();
}

TEST(Ranks, GiveTheResultsOfOneProcessToTheLastBit) {
  Made whole(Chain(""));
  ASSERT_THAT(whole.Text(), IsEmpty());
  const RunRecord plain = whole.Run();
  ASSERT_THAT(ErrorsOf(plain), IsEmpty());
  ASSERT_EQ(plain.series.size(), 4U);
  for (const char* ranks : {"Ranks=\"1\"", "Ranks=\"3\""}) {
    for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
      Made made(Chain(ranks));
      ASSERT_THAT(made.Text(), IsEmpty());
      const RunRecord record = made.Run(mode);
      EXPECT_THAT(ErrorsOf(record), IsEmpty());
      EXPECT_EQ(SeriesOf(record), SeriesOf(plain)) << ranks;
      EXPECT_DOUBLE_EQ(record.components.at(1).second.in, plain.components.at(1).second.in);
    }
  }
}

TEST(Ranks, KeepStatesAndGoOnFromBytes) {
  Made made(Chain("Ranks=\"2\""));
  ASSERT_THAT(made.Text(), IsEmpty());
  auto& component = made.Get<IBaseLinkableComponent>("b");
  auto& states = dynamic_cast<IManageState&>(component);
  auto& bytes = dynamic_cast<IByteStateConverter&>(component);
  for (const char* id : {"a", "b", "c"}) made.Get<IBaseLinkableComponent>(id).Prepare();
  const auto row = [&] {
    const auto& values = dynamic_cast<const ITimeSpaceOutput&>(*component.Outputs()[0]).Values();
    std::vector<Value> all;
    for (int i = 0; i < 7; ++i) all.push_back(values.GetValue(0, i));
    return all;
  };
  for (int i = 0; i < 3; ++i) component.Update({});
  const Bytes kept = bytes.ConvertToByteArray(states.KeepCurrentState());
  component.Update({});
  const auto fourth = row();
  component.Update({});
  EXPECT_NE(row(), fourth);
  states.RestoreState(bytes.ConvertFromByteArray(kept));
  component.Update({});
  EXPECT_EQ(row(), fourth);
  Made other(Chain("Ranks=\"3\""));
  EXPECT_THAT([&] { other.Get<IByteStateConverter>("b").ConvertFromByteArray(kept); },
              ThrowsMessage<FormatError>(HasSubstr("expected a state of 3 ranks, found one of 2")));
}

TEST(Ranks, OrderElementsByNumberOrByRank) {
  const auto ids_of = [](const std::string& ids) {
    Made made(Ranked("b", "Dealt", "Ranks=\"2\"", ArgumentXml("ids", ids) + ArgumentXml("cells", "4")) + RunXml());
    EXPECT_THAT(made.Text(), IsEmpty());
    const auto& item = dynamic_cast<const ITimeSpaceOutput&>(*made.Get<IBaseLinkableComponent>("b").Outputs()[0]);
    const auto& elements = dynamic_cast<const IElementSet&>(*item.SpatialDefinition());
    std::string all;
    for (int i = 0; i < elements.ElementCount(); ++i) all += elements.GetElementId(i)->Id() + " ";
    return all;
  };
  EXPECT_EQ(ids_of("numbers"), "1 2 3 4 ");
  EXPECT_EQ(ids_of("texts"), "c1 c3 c2 c4 ");
}

TEST(Ranks, RefuseWhatCannotBeJoined) {
  Made own(Ranked("b", "Dealt", "Ranks=\"2\"", ArgumentXml("ids", "own")) + RunXml());
  EXPECT_THAT(own.Text(),
              AllOf(HasSubstr("b.take: expected one place for element '0', found different ones of rank 0 and rank 1"),
                    HasSubstr("ids that hold for all ranks")));
  Made alone(Ranked("b", "Alone", "Ranks=\"2\"") + RunXml());
  EXPECT_THAT(alone.Text(), AllOf(HasSubstr("expected a component that uses a communicator"), HasSubstr("test.Alone"),
                                  HasSubstr("leave out Ranks")));
  Made here("<Component Id=\"b\" Type=\"test.Source\" Assembly=\"here\" Ranks=\"2\"/>" + RunXml());
  EXPECT_THAT(here.Text(), HasSubstr("expected a component in a library for several ranks"));
  setenv("OPENMI_RANK_HOST", "/nowhere/openmi-rank-host", 1);  // as in a build without MPI
  Made without(Ranked("b", "Dealt", "Ranks=\"2\"") + RunXml());
  unsetenv("OPENMI_RANK_HOST");
  EXPECT_THAT(without.Text(), AllOf(HasSubstr("(a build with MPI), for Ranks, found none"), HasSubstr("openmi2-mpi"),
                                    HasSubstr("leave out Ranks")));
  Made none(Ranked("b", "Dealt", "Ranks=\"0\"") + RunXml());
  EXPECT_THAT(none.Text(), HasSubstr("'Ranks'"));
}

std::string InC(const std::string& type, const std::string& how) {
  return "<Component Id=\"c\" Type=\"" + type +
         "\" Assembly=\"" OPENMI_BINARY_DIR "/tests/ranks-plugins/libranked_c.so\" " + how +
         "/>\n<Observe Item=\"c.out\"/>" + RunXml();
}

TEST(Ranks, GiveCAndFortranTheirCommunicator) {
  Made made(InC("test.Shares", "Ranks=\"4\""));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_EQ(record.series.at(0).values, std::vector<double>(record.series.at(0).values.size(), 1.0 / 6.0));
  EXPECT_EQ(record.series.at(0).values.size(), 24U * 6U);
  EXPECT_THAT(Made(InC("test.Serial", "Ranks=\"2\"")).Text(), HasSubstr("OPENMI_USES_COMMUNICATOR"));
  EXPECT_THAT(Made(InC("test.Shares", "")).Text(), HasSubstr("expected ranks, found none"));
}

std::string TroubleBody(const std::string& how, const std::string& more = {}) {
  return Ranked("good", "Dealt", "") + Ranked("bad", "Trouble", "Ranks=\"3\" " + more, ArgumentXml("how", how)) +
         "<Observe Item=\"good.out\"/><Observe Item=\"bad.count\"/>" + RunXml();
}

TEST(Ranks, ARankThatThrowsIsNamed) {
  Made made(TroubleBody("throw"));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(RunMode::Step);
  EXPECT_THAT(ErrorsOf(record), HasSubstr("bad: rank 1 of 3: expected a number, found none"));
  EXPECT_EQ(record.series.at(1).values.size(), 5U * 3U);
  Made early(TroubleBody("setup"));
  EXPECT_THAT(early.Text(), HasSubstr("bad: rank 1 of 3: expected a file, found none"));
}

TEST(Ranks, ARankThatDiesCostsItsComponentAndNotTheRun) {
  Made made(TroubleBody("kill", "OnFailure=\"freeze\""));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(RunMode::Step);
  EXPECT_TRUE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record), HasSubstr("rank 1 of 3 of 'bad' on localhost"));
  EXPECT_EQ(record.series.at(0).values.size(), 25U * 7U);
}

TEST(Ranks, ThatWaitForAFailedOneAreEnded) {
  Made made(TroubleBody("strand"));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(RunMode::Step);
  EXPECT_THAT(ErrorsOf(record), HasSubstr("bad: rank 1 of 3: expected a number, found none"));
}

TEST(Ranks, ThatMakeOtherStepsAreRefused) {
  Made made(TroubleBody("behind"));
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_THAT(ErrorsOf(made.Run(RunMode::Step)),
              AllOf(HasSubstr("bad.count: expected all ranks to publish 1 values at"), HasSubstr("rank 1 does not")));
}

TEST(Ranks, RunOnAHostWithTheirGroup) {
  Made whole(Chain(""));
  const RunRecord plain = whole.Run();
  Made made = MadeAt(Chain("Ranks=\"2\" Group=\"down\""),
                     PlacedAt({"down=two"}, "mpirun -np {ranks} --oversubscribe --bind-to none {command}"));
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_EQ(SeriesOf(made.Run()), SeriesOf(plain));
  Made lost = MadeAt(Chain("Ranks=\"2\" Group=\"down\""),
                     PlacedAt({"down=two"}, "mpirun -np {ranks} --oversubscribe --bind-to none {command}"));
  ASSERT_THAT(lost.Text(), IsEmpty());
  RunOptions options;
  options.write_results = false;
  CompositionRun run(*lost.composition, lost.problems, options);
  run.Begin();
  run.Advance();
  const auto pid = static_cast<pid_t>(lost.Get<JoinedComponent>("b").Processes()[1]->Record()->figures.process);
  ASSERT_GT(pid, 1);
  kill(pid, SIGKILL);
  while (run.Advance()) {
  }
  ASSERT_EQ(StatesOfGroups(*lost.composition).size(), 1U);
  EXPECT_EQ(StatesOfGroups(*lost.composition)[0].state, "lost");
  run.End();
  Made without = MadeAt(Chain("Ranks=\"2\" Group=\"down\""), PlacedAt({"down=two"}));
  EXPECT_THAT(without.Text(), HasSubstr("expected {ranks} in the launcher, for the 2 ranks of 'down'"));
}

TEST(Ranks, AreWatchedAndReachedByAnOperator) {
  const auto changed = [](const std::string& how, RunRecord& record) {
    Made made(Chain(how));
    EXPECT_THAT(made.Text(), IsEmpty());
    RunOptions options;
    options.write_results = false;
    CompositionRun run(*made.composition, made.problems, options);
    RunDesk desk(run);
    run.Begin();
    for (int i = 0; i < 3; ++i) run.Advance();
    desk.SetArgument("b", "gain", "2.5");
    EXPECT_THROW(desk.SetArgument("b", "cells", "9"), ArgumentError);
    for (int i = 0; i < 2; ++i) run.Advance();
    desk.Override("b.take", std::vector<double>(7, 0.25));
    std::vector<std::vector<double>> seen = {desk.Values("b.out").values, desk.Values("b.take").values};
    for (int i = 0; i < 2; ++i) run.Advance();
    desk.Free("b.take");
    run.Disengage("b");
    run.Engage("b");
    seen.push_back(desk.Values("b.out").values);
    while (run.Advance()) {
    }
    record = run.End();
    EXPECT_THAT(ErrorsOf(record), IsEmpty());
    for (const auto& series : SeriesOf(record)) seen.push_back(series);
    return seen;
  };
  RunRecord plain;
  RunRecord record;
  const auto expected = changed("", plain);
  EXPECT_EQ(changed("Ranks=\"2\"", record), expected);
  ASSERT_EQ(record.workers.workers.size(), 2U) << "an exchange takes the place of the process before";
  EXPECT_EQ(record.workers.workers[1].figures.name, "b, rank 1");
  EXPECT_THAT(record.workers.columns, ::testing::ElementsAre("computing", "the run", "others", "b"));
  for (const auto& worker : record.workers.workers) {
    EXPECT_GT(worker.figures.process, 0);
    EXPECT_GT(record.workers.SecondsOf(worker, 0), 0.0);
  }
}

TEST(Ranks, WorkersStartByMpirun) {
  const auto body = [](const std::string& group) {
    return Ranked("a", "Dealt", group) + Ranked("b", "Dealt", "") + LinkXml("a.out", "b.take") +
           "<Observe Item=\"b.out\"/>" + RunXml();
  };
  Made whole(body(""));
  const RunRecord plain = whole.Run();
  Made made = MadeAt(body("Group=\"up\""), PlacedAt({"up=127.0.0.1"}, "mpirun -np 1 --host {host} {command}"));
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_EQ(SeriesOf(made.Run()), SeriesOf(plain));
}

}  // namespace
}  // namespace openmi::testing
