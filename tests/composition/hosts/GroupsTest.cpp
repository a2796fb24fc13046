// Groups in workers that connect over TCP: the results of one process, and errors that say where to look.

#include <csignal>
#include <fstream>
#include <thread>

#include "composition/isolation/IsolatedComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/hosts/OnHosts.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string Chain(const std::string& a, const std::string& b, const std::string& c) {
  return Apart("a", "Memory", a) + Apart("b", "Memory", b) + Apart("c", "Memory", c) + LinkXml("a.out", "b.take") +
         LinkXml("b.out", "c.take") + "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/><Observe Item=\"c.out\"/>" +
         RunXml("2015-12-05T00:00Z");
}

TEST(Groups, GiveTheResultsOfOneProcessToTheLastBit) {
  Made whole(Chain("", "", ""));
  const RunRecord plain = whole.Run();
  ASSERT_THAT(ErrorsOf(plain), IsEmpty());
  ASSERT_EQ(plain.series.size(), 3U);
  for (const std::vector<std::string>& places :
       {std::vector<std::string>{"up=one", "down=two"}, {"down=two"}, {"up=localhost", "down=two"}, {"up=localhost"}}) {
    for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
      Made made = MadeAt(Chain(kUp, kUp, kDown), PlacedAt(places));
      ASSERT_THAT(made.Text(), IsEmpty());
      const RunRecord record = made.Run(mode);
      EXPECT_THAT(ErrorsOf(record), IsEmpty());
      EXPECT_EQ(SeriesOf(record), SeriesOf(plain)) << places.front();
      EXPECT_EQ(record.components.at(2).second.in, plain.components.at(2).second.in);
    }
  }
}

TEST(Groups, AreInOneWorkerEach) {
  Made made = MadeAt(Chain(kUp, kUp, kDown), PlacedAt({"up=one", "down=two"}));
  ASSERT_THAT(made.Text(), IsEmpty());
  const auto process = [&](const char* id) { return &made.Get<IsolatedComponent>(id).Process(); };
  EXPECT_EQ(process("a"), process("b"));
  EXPECT_NE(process("a"), process("c"));
  EXPECT_TRUE(process("c")->IsElsewhere());
}

TEST(Groups, AreSpreadOverTheHostsThatAreThere) {
  Placement placement = PlacedAt({"up=localhost"});
  placement.spread = {"one", kThisHost};
  const std::string kSide = "Group=\"side\"";
  Made made = MadeAt(Chain(kSide, kUp, kDown), placement);
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_TRUE(made.Get<IsolatedComponent>("a").Process().IsElsewhere());
  EXPECT_FALSE(made.Get<IsolatedComponent>("b").Process().IsElsewhere()) << "it has a host of its own";
  EXPECT_FALSE(made.Get<IsolatedComponent>("c").Process().IsElsewhere()) << "it is the second of the others";
}

TEST(Groups, WithoutAHostRunAsTheFileSays) {
  Made made(Chain(kUp, kUp, kDown + " Isolation=\"process\""));
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_THROW(made.Get<IsolatedComponent>("a"), std::bad_cast);
  EXPECT_FALSE(made.Get<IsolatedComponent>("c").Process().IsElsewhere());
}

TEST(Groups, CarryEveryKindOfValue) {
  // Iterated loops, whose rows are taken back; elements that move; states.
  const auto loop = [](const std::string& a, const std::string& b) {
    return Apart("a", "Memory", a) + Apart("b", "Memory", b) + LinkXml("a.out", "b.take") + LinkXml("b.out", "a.take") +
           "<Iterate Components=\"a b\" Method=\"anderson\" MaxIterations=\"4\" OnFailure=\"warn\"/>" +
           "<Observe Item=\"a.out\"/><Observe Item=\"b.out\" Every=\"PT3H\" As=\"mean\"/>" +
           RunXml("2015-12-03T00:00Z");
  };
  const auto moving = [](const std::string& a, const std::string& b) {
    return Apart("a", "Moving", a) + Apart("b", "Taker", b) + LinkXml("a.x", "b.in", AdaptorXml("area-weighted-mean")) +
           "<Observe Item=\"a.x\"/><Observe Item=\"b.out\"/>" + RunXml();
  };
  const auto compare = [](const auto& body) {
    Made whole(body("", ""));
    ASSERT_THAT(whole.Text(), IsEmpty());
    const RunRecord plain = whole.Run();
    Made made = MadeAt(body(kUp, kDown), PlacedAt({"up=one", "down=two"}));
    ASSERT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run();
    EXPECT_EQ(ErrorsOf(record), ErrorsOf(plain));
    EXPECT_EQ(SeriesOf(record), SeriesOf(plain));
  };
  compare(loop);
  compare(moving);
}

TEST(Groups, AWorkerThatDiesIsNamedWithItsGroupAndHost) {
  const std::string body =
      Apart("good", "Memory", "") +
      Apart("bad", "Trouble", "Group=\"down\"", ArgumentXml("how", "segfault") + ArgumentXml("at", "5")) +
      Apart("beside", "Memory", "Group=\"down\"") + "<Observe Item=\"good.out\"/><Observe Item=\"bad.count\"/>" +
      RunXml();
  Made made = MadeAt(body, PlacedAt({"down=two"}));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(RunMode::Step);
  EXPECT_THAT(ErrorsOf(record), AllOf(HasSubstr("group 'down' (bad, beside) on two"), HasSubstr("killed by signal 11"),
                                      HasSubstr("see whether that host is there"), HasSubstr("goes on with --resume"),
                                      Not(HasSubstr("last values"))));
  EXPECT_EQ(record.series.at(1).values.size(), 5U);
}

TEST(Groups, OnThisHostAreNamedToo) {
  Made made = MadeAt(Apart("bad", "Trouble", kDown, ArgumentXml("how", "segfault") + ArgumentXml("at", "5")) +
                         "<Observe Item=\"bad.count\"/>" + RunXml(),
                     PlacedAt({"down=localhost"}));
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_THAT(ErrorsOf(made.Run()), HasSubstr("expected group 'down' (bad) on localhost to answer, found that it was"));
}

TEST(Groups, FreezeTogetherWhereTheFileSaysSo) {
  const std::string freezes = "Group=\"down\" OnFailure=\"freeze\"";
  const std::string body =
      Apart("good", "Memory", "") +
      Apart("bad", "Trouble", freezes, ArgumentXml("how", "segfault") + ArgumentXml("at", "5")) +
      Apart("beside", "Memory", freezes) + Apart("after", "Counter", "") + LinkXml("bad.count", "after.in") +
      "<Observe Item=\"good.out\"/><Observe Item=\"after.out\"/><Observe Item=\"beside.out\"/>" + RunXml();
  Made made = MadeAt(body, PlacedAt({"down=two"}));
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  EXPECT_TRUE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record),
              AllOf(HasSubstr("bad: failed at"), HasSubstr("beside: failed at"), HasSubstr("on two")));
  EXPECT_EQ(record.series.at(0).values.size(), 25U * 3U);
  EXPECT_EQ(record.series.at(1).values.size(), 25U);
}

TEST(Groups, AStoppedWorkerIsNamedSoon) {
  Made made = MadeAt(Chain(kUp, kUp, kDown), PlacedAt({"down=two"}));
  ASSERT_THAT(made.Text(), IsEmpty());
  const int pid = made.Get<IsolatedComponent>("c").Process().Id();  // env becomes the worker
  kill(pid, SIGSTOP);
  const auto begin = std::chrono::steady_clock::now();
  const RunRecord record = made.Run();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_THAT(ErrorsOf(record), AllOf(HasSubstr("group 'down' (c) on two"), HasSubstr("was silent for 1.6 s")));
  made.composition.reset();
  EXPECT_NE(kill(pid, 0), 0) << "it is left behind";
}

TEST(Groups, AWorkerThatIsStoppedBeforeItConnectsIsNamedSoon) {
  const auto begin = std::chrono::steady_clock::now();
  Made made = MadeAt(Chain(kUp, kUp, kDown), PlacedAt({"down=two"}, "sh -c 'kill -STOP $$; exec \"$@\"' sh {command}"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_THAT(made.Text(), AllOf(HasSubstr("group 'down' (c) on two"), HasSubstr("was stopped before it connected")));
  EXPECT_TRUE(made.composition->HasLostWorker());
}

TEST(Groups, AWorkerThatDoesNotConnectIsNamedAfterTheTimeGiven) {
  Placement placement = PlacedAt({"down=two"}, "sh -c 'exec sleep 60' {command}");
  placement.start_timeout = std::chrono::milliseconds(600);
  const auto begin = std::chrono::steady_clock::now();
  Made made = MadeAt(Chain(kUp, kUp, kDown), placement);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_THAT(made.Text(), AllOf(HasSubstr("group 'down' (c) on two"), HasSubstr("did not answer within 0.6 s"),
                                 HasSubstr("more time (--start-timeout)")));
}

TEST(Groups, AWorkerThatIsLostWhileItsComponentsAreMadeIsNoFaultOfTheComposition) {
  const std::string bad = Apart("bad", "Trouble", kDown, ArgumentXml("how", "crash-on-setup"));
  Made lost = MadeAt(bad + RunXml(), PlacedAt({"down=two"}));
  EXPECT_THAT(lost.Text(), HasSubstr("group 'down' (bad) on two"));
  EXPECT_TRUE(lost.composition->HasLostWorker());
  Made wrong = MadeAt(Apart("bad", "Trouble", kDown, ArgumentXml("unknown", "1")) + RunXml(), PlacedAt({"down=two"}));
  EXPECT_THAT(wrong.Text(), HasSubstr("unknown"));
  EXPECT_FALSE(wrong.composition->HasLostWorker());
}

TEST(Groups, AHostThatLacksAFileIsNamed) {
  const std::string body = Apart("bad", "Trouble", kDown, ArgumentXml("how", "lack-a-file")) + RunXml();
  EXPECT_THAT(MadeAt(body, PlacedAt({"down=two"})).Text(),
              AllOf(HasSubstr("rain.csv"), HasSubstr("expected a file, found none (on two)")));
  EXPECT_THAT(Made(body).Text(), AllOf(HasSubstr("expected a file, found none"), Not(HasSubstr("(on "))));
}

TEST(Groups, AreMissedWhereThereAreNodesForThem) {
  Placement placement = PlacedAt({});
  placement.spread = {kThisHost, "two"};
  EXPECT_THAT(MadeAt(Apart("a", "Memory", "") + RunXml(), placement).Text(Problem::Warning),
              HasSubstr("expected groups to spread over the nodes, found none"));
  EXPECT_THAT(MadeAt(Apart("a", "Memory", kUp) + RunXml(), placement).Text(Problem::Warning),
              Not(HasSubstr("expected groups")));
}

TEST(Groups, SayWhatIsWrongBeforeTheRun) {
  const std::string body = Chain(kUp, kUp, kDown);
  EXPECT_THAT(MadeAt(body, PlacedAt({"dwn=two"})).Text(),
              AllOf(HasSubstr("expected a group to place on two, found 'dwn'; did you mean 'down'?")));
  EXPECT_THAT(MadeAt(body, PlacedAt({"down=two"}, "env {command}", "")).Text(), HasSubstr("--listen"));
  EXPECT_THAT(MadeAt(body, PlacedAt({"up=two"}, "sh -c 'exit 7' {command}")).Text(),
              AllOf(HasSubstr("expected a worker for group 'up' (a, b) on two, found that its command ended with exit "
                              "code 7"),
                    HasSubstr("expected the worker of group 'up', found that it did not start")));
  EXPECT_THAT(MadeAt(body, PlacedAt({"down=two"}, "/no/such/command {command}")).Text(), HasSubstr("/no/such/command"));
  EXPECT_THAT(MadeAt(Chain(kUp, kUp + " TimeLimit=\"PT9S\"", kDown), PlacedAt({"up=two"})).Text(),
              HasSubstr("give all of them the same limits"));
  EXPECT_THAT(Made(Chain(kUp + " Isolation=\"instance\"", "", "")).Text(), HasSubstr("found Isolation=\"instance\""));
  EXPECT_THAT(Made(Chain("Group=\"a b\"", "", "")).Text(), HasSubstr("Group=\"lowland\""));
}

TEST(Groups, AWorkerOfAnotherBuildIsRefusedByBothNames) {
  const Folder folder;
  const std::string other = (folder.Path() / "other").string();
  const std::string quoted = "'" + other + "'";
  std::ofstream(other) << "#!/bin/sh\nprintf 'openmi-component-host protocol=1 openmi abi=0' >&3\n"
                          "head -c 256 /dev/zero >&3\nexec sleep 10\n";
  std::filesystem::permissions(other, std::filesystem::perms::owner_all);
  EXPECT_THAT(
      MadeAt(Chain(kUp, kUp, kDown), PlacedAt({"down=two"}, "env OPENMI_COMPONENT_HOST=" + quoted + " {command}"))
          .Text(),
      AllOf(HasSubstr("group 'down' (c) on two"), HasSubstr("(openmi-component-host protocol=7"),
            HasSubstr("found openmi-component-host protocol=1 openmi abi=0;"),
            HasSubstr("install the same build on both")));
}

}  // namespace
}  // namespace openmi::testing
