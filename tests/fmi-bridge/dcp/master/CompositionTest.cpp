// Slaves in compositions: side by side, frozen when they vanish, engaged again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "composition/check/CheckComposition.hpp"
#include "composition/families/Families.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/Overrides.hpp"
#include "fmi-bridge/dcp/master/Ping.hpp"
#include "fmi-bridge/dcp/slave/SlaveMachine.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/fmi-bridge/dcp/support/ServedSlave.hpp"
#include "tests/support/TankSlave.hpp"

namespace openmi::dcp {
namespace {

using test::ServedSlave;
using testing::ErrorsOf;
using testing::Made;

std::string Component(const std::string& id, const ServedSlave& served, const std::string& more = {}) {
  const auto argument = [](const std::string& key, const std::string& value) {
    return "<Argument Key=\"" + key + "\" Value=\"" + value + "\"/>";
  };
  return "<Component Id=\"" + id + "\" Type=\"openmi.dcp.Slave\" Assembly=\"openmi-dcp-bridge\" " + more + ">" +
         argument("description", served.path) + argument("transport", "tcp") +
         argument("port", served.Port(TransportProtocol::TCP_IPv4)) + argument("time-step", "PT0.01S") +
         argument("answer-timeout", "0.5") + argument("tries", "4") + "</Component>";
}

std::string RunXml(const std::string& trigger, const std::string& end = "00:00:00.2") {
  return "<Run From=\"2020-01-01T00:00:00Z\" To=\"2020-01-01T" + end + "Z\" Trigger=\"" + trigger + "\"/>";
}

double LastOf(Composition& composition, const std::string& component, const std::string& output) {
  auto& instance = composition.Instances().at(*composition.IndexOf(component));
  for (IBaseOutput* one : instance.Component().Outputs()) {
    if (one->Id() == output) return dynamic_cast<NumericOutput&>(*one).LastRow()[0];
  }
  throw RangeError({.item = output}, "expected an output, found none");
}

RunOptions WithoutResults() {
  RunOptions options;
  options.write_results = false;
  return options;
}

void RunTo(CompositionRun& run, double seconds) {
  while (Before(run.Now(), Stamp{58849.0 + seconds / 86400.0}) && run.Advance()) {
  }
}

TEST(DcpSlavesInACompositon, FeedEachOtherOnOneThreadAndOnMany) {
  for (const std::size_t threads : {1U, 3U}) {
    ServedSlave a, b, c;
    Made made(Component("a", a) + Component("b", b) + Component("c", c) + "<Link From=\"a.y\" To=\"c.u\"/>" +
              RunXml("b c"));
    ASSERT_EQ(made.Text(), "");
    RunOptions options = WithoutResults();
    options.threads = threads;
    CompositionRun run(*made.composition, made.problems, options);
    run.Begin();
    while (run.Advance()) {
    }
    EXPECT_DOUBLE_EQ(LastOf(*made.composition, "a", "y"), 1.2);
    EXPECT_DOUBLE_EQ(LastOf(*made.composition, "b", "y"), 1.2);
    EXPECT_DOUBLE_EQ(LastOf(*made.composition, "c", "y"), 2.0 * 1.2e-3 + 0.2);  // mm become m on the link
    EXPECT_EQ(ErrorsOf(run.End()), "");
    EXPECT_EQ(a.model.steps, 20);
    EXPECT_EQ(c.model.steps, 20);
  }
}

TEST(DcpSlavesInACompositon, ThatVanishAreFrozenAndEngagedAgain) {
  ServedSlave a, b;
  const auto port = a.runner->ControlEndpoint(TransportProtocol::TCP_IPv4).port;
  Made made(Component("a", a, "OnFailure=\"freeze\"") + Component("b", b) + "<Link From=\"a.y\" To=\"b.u\"/>" +
            RunXml("b"));
  ASSERT_EQ(made.Text(), "");
  CompositionRun run(*made.composition, made.problems, WithoutResults());
  run.Begin();
  RunTo(run, 0.05);
  a.Kill();
  RunTo(run, 0.1);
  ASSERT_EQ(run.State(), RunState::Running) << ErrorsOf(run.Record());
  // b goes on with the last value of a.
  EXPECT_NEAR(LastOf(*made.composition, "b", "y"), 2.0 * 1.05e-3 + 0.1, 1e-4);
  a.Begin({.tcp_port = port});
  if (run.TheFamilies().StatusOf("a") == FamilyStatus::Engaged) run.Disengage("a");
  run.Engage("a");
  RunTo(run, 0.2);
  EXPECT_DOUBLE_EQ(LastOf(*made.composition, "b", "y"), 2.0 * LastOf(*made.composition, "a", "y") * 1e-3 + 0.2);
  run.End();
  EXPECT_GT(a.model.steps, 5);
  EXPECT_EQ(b.model.steps, 20);
}

TEST(DcpSlavesInACompositon, ThatVanishEndTheRunWhichKeepsItsResults) {
  ServedSlave a;
  Made made(Component("a", a) + "<Observe Item=\"a.y\"/>" + RunXml("a"));
  ASSERT_EQ(made.Text(), "");
  const ScratchFolder folder;
  RunOptions options;
  options.folder = folder.Path();
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  RunTo(run, 0.05);
  a.Kill();
  while (run.Advance()) {
  }
  EXPECT_THAT(ErrorsOf(run.End()), ::testing::AllOf(::testing::HasSubstr("of the slave 'small' at 127.0.0.1:"),
                                                    ::testing::HasSubstr("last seen in RUNNING")));
  std::ostringstream rows;
  rows << std::ifstream(folder / "made.csv").rdbuf();
  EXPECT_THAT(rows.str(),
              ::testing::AllOf(::testing::HasSubstr(",1.05\n"), ::testing::Not(::testing::HasSubstr("1.06"))));
}

/// Slaves of which y and u are in the same unit, so that links between them have no adaptor.
SlaveDescription SameUnits() {
  SlaveDescription described = test::ServedDescription();
  described.variables[1].attributes.unit = 0;
  described.variables[0].max_consecutive_missed_pdus = 0;  // no step is made without its input
  return described;
}

std::string WithArguments(std::string component, const std::vector<std::pair<std::string, std::string>>& arguments) {
  std::string more;
  for (const auto& [key, value] : arguments) more += "<Argument Key=\"" + key + "\" Value=\"" + value + "\"/>";
  if (const auto step = component.find("<Argument Key=\"time-step\""); !arguments.empty()) {
    if (arguments.front().first == "time-step") component.erase(step, component.find("/>", step) + 2 - step);
  }
  return component.replace(component.rfind("</Component>"), 12, more + "</Component>");
}

/// Of the data groups that a slave takes from another one: how many there are and how many PDUs came.
std::pair<int, std::uint64_t> DirectGroupsOf(const ServedSlave& served) {
  std::pair<int, std::uint64_t> found;
  for (const auto& [id, group] : served.runner->Machine().Configuration().Inputs()) {
    if (id < 0x8000) continue;
    ++found.first;
    found.second += group.taken;
  }
  return found;
}

// On one thread: that each waits for its own step must not cost the others theirs.
TEST(DcpSlavesInACompositon, BeginTogetherInSoftRealTime) {
  ServedSlave a({}, SameUnits()), b({}, SameUnits()), c;
  const std::string srt = R"(<Argument Key="mode" Value="srt"/><Argument Key="start-delay" Value="0.3"/></Component>)";
  const auto component = [&](const std::string& id, const ServedSlave& served) {
    std::string text = WithArguments(Component(id, served), {{"time-step", "PT0.1S"}});
    return text.replace(text.find("</Component>"), 12, srt);
  };
  // Steps that a busy machine keeps, too.
  Made made(component("a", a) + WithArguments(component("b", b), {{"direct", "true"}}) + component("c", c) +
            "<Link From=\"a.y\" To=\"b.u\"/><Link From=\"a.y\" To=\"c.u\"/>" + RunXml("b c", "00:00:02"));
  ASSERT_EQ(made.Text(), "");
  CompositionRun run(*made.composition, made.problems, WithoutResults());
  run.Begin();
  while (run.Advance()) {
  }
  const auto [groups, taken] = DirectGroupsOf(b);
  EXPECT_EQ(groups, 1);
  EXPECT_GE(taken, 19U);
  EXPECT_EQ(ErrorsOf(run.End()), "");
  EXPECT_GE(b.model.steps, 19);
  EXPECT_GE(c.model.steps, 19);
  // Each steps by its own clock every 100 ms; a second lies between starts that are not common.
  EXPECT_LT(std::abs(a.model.steps - b.model.steps), 8);
}

// The first step of one run must not start the slaves of the other.
TEST(DcpSlavesInACompositon, BeginWithThoseOfTheirOwnCompositionOnly) {
  ServedSlave a, b;
  const auto in_soft_real_time = [](const std::string& id, const ServedSlave& served) {
    return WithArguments(Component(id, served), {{"time-step", "PT0.1S"}, {"mode", "srt"}, {"start-delay", "0.3"}}) +
           RunXml(id, "00:00:01");
  };
  Made first(in_soft_real_time("a", a)), second(in_soft_real_time("b", b));
  ASSERT_EQ(first.Text() + second.Text(), "");
  CompositionRun run_a(*first.composition, first.problems, WithoutResults());
  CompositionRun run_b(*second.composition, second.problems, WithoutResults());
  run_a.Begin();
  run_b.Begin();
  ASSERT_TRUE(run_a.Advance()) << ErrorsOf(run_a.Record());
  EXPECT_EQ(a.runner->Machine().CurrentState(), State::RUNNING);
  EXPECT_LT(b.runner->Machine().CurrentState(), State::SYNCHRONIZING);
  for (CompositionRun* run : {&run_a, &run_b}) {
    while (run->Advance()) {
    }
    EXPECT_EQ(ErrorsOf(run->End()), "");
  }
  EXPECT_GE(a.model.steps, 9);
  EXPECT_GE(b.model.steps, 9);
}

class DcpDirectData : public ::testing::TestWithParam<TransportProtocol> {
 public:
  static std::string Slave(const std::string& id, const ServedSlave& served, const std::string& step, bool is_direct) {
    std::string component = Component(id, served);
    if (GetParam() == TransportProtocol::UDP_IPv4) {
      const auto swap = [&](const std::string& from, const std::string& to) {
        component.replace(component.find(from), from.size(), to);
      };
      swap("Value=\"tcp\"", "Value=\"udp\"");
      swap("Value=\"" + served.Port(TransportProtocol::TCP_IPv4) + "\"",
           "Value=\"" + served.Port(TransportProtocol::UDP_IPv4) + "\"");
    }
    return WithArguments(component, {{"time-step", step}, {"direct", is_direct ? "true" : "false"}});
  }
};
INSTANTIATE_TEST_SUITE_P(Over, DcpDirectData,
                         ::testing::Values(TransportProtocol::UDP_IPv4, TransportProtocol::TCP_IPv4),
                         [](const auto& one) { return std::string(NameOf(one.param)); });

/// What three slaves with steps of 1, 2 and 5 ms give, pass by pass.
/// \param read  called before they are finished
std::vector<double> RowsOfThree(const std::string& slaves, const std::string& links,
                                const std::function<void()>& read) {
  Made made(slaves + links + "<Run From=\"2020-01-01T00:00:00Z\" To=\"2020-01-01T00:00:00.02Z\" Mode=\"step\"/>");
  EXPECT_EQ(made.Text(), "");
  CompositionRun run(*made.composition, made.problems, WithoutResults());
  run.Begin();
  std::vector<double> rows;
  while (run.Advance()) {
    for (const char* name : {"a", "b", "c"}) rows.push_back(LastOf(*made.composition, name, "y"));
  }
  read();
  EXPECT_EQ(ErrorsOf(run.Record()), "");
  return rows;
}

// From 1 to 2 ms directly; from 2 to 5 ms, where steps do not end together, through the master.
TEST_P(DcpDirectData, GivesTheSameAsThroughTheMaster) {
  std::vector<std::vector<double>> rows;
  for (const bool is_direct : {false, true}) {
    ServedSlave a({}, SameUnits()), b({}, SameUnits()), c({}, SameUnits());
    const std::string slaves = Slave("a", a, "PT0.001S", is_direct) + Slave("b", b, "PT0.002S", is_direct) +
                               Slave("c", c, "PT0.005S", is_direct);
    rows.push_back(RowsOfThree(
        slaves, "<Link From=\"a.y\" To=\"b.u\"/><Link From=\"b.y\" To=\"c.u\"><Adaptor Id=\"linear\"/></Link>", [&] {
          EXPECT_EQ(DirectGroupsOf(b).second, is_direct ? 20U : 0U);
          EXPECT_EQ(DirectGroupsOf(c).first, 0);
        }));
    EXPECT_EQ(a.model.steps, 20);
    EXPECT_EQ(b.model.steps, 10);
    EXPECT_EQ(c.model.steps, 4);
  }
  EXPECT_GT(rows[0].size(), 20U);
  EXPECT_EQ(rows[0], rows[1]);
}

// To 2 and 5 ms from the same: who is ahead of one may be behind the other, so all goes through the master.
TEST_P(DcpDirectData, GoesThroughTheMasterWhereReceiversDiffer) {
  std::vector<std::vector<double>> rows;
  for (const bool is_direct : {false, true}) {
    ServedSlave a({}, SameUnits()), b({}, SameUnits()), c({}, SameUnits());
    const std::string slaves = Slave("a", a, "PT0.001S", is_direct) + Slave("b", b, "PT0.002S", is_direct) +
                               Slave("c", c, "PT0.005S", is_direct);
    rows.push_back(RowsOfThree(slaves, "<Link From=\"a.y\" To=\"b.u\"/><Link From=\"a.y\" To=\"c.u\"/>",
                               [&] { EXPECT_EQ(DirectGroupsOf(b).first + DirectGroupsOf(c).first, 0); }));
  }
  EXPECT_EQ(rows[0], rows[1]);
}

TEST_P(DcpDirectData, RunsAroundALoop) {
  std::vector<std::vector<double>> rows(2);
  for (const bool is_direct : {false, true}) {
    ServedSlave a({}, SameUnits()), b({}, SameUnits());
    Made made(WithArguments(Slave("a", a, "PT0.01S", is_direct), {{"gain", "0.5"}}) +
              Slave("b", b, "PT0.01S", is_direct) + "<Link From=\"a.y\" To=\"b.u\"/><Link From=\"b.y\" To=\"a.u\"/>" +
              RunXml("b"));
    ASSERT_EQ(made.Text(), "");
    CompositionRun run(*made.composition, made.problems, WithoutResults());
    run.Begin();
    while (run.Advance()) rows[is_direct].push_back(LastOf(*made.composition, "b", "y"));
    EXPECT_EQ(DirectGroupsOf(a).first, is_direct ? 1 : 0);
    EXPECT_EQ(ErrorsOf(run.End()), "");
  }
  EXPECT_GE(rows[0].size(), 20U);
  EXPECT_EQ(rows[0], rows[1]);
}

// A value that is not the one that was sent directly must not be passed over in silence.
TEST_P(DcpDirectData, SaysWhereAnOverrideCannotReachTheSlave) {
  ServedSlave a({}, SameUnits()), b({}, SameUnits());
  Made made(Slave("a", a, "PT0.01S", false) + Slave("b", b, "PT0.01S", true) + "<Link From=\"a.y\" To=\"b.u\"/>" +
            RunXml("b"));
  ASSERT_EQ(made.Text(), "");
  CompositionRun run(*made.composition, made.problems, WithoutResults());
  run.Begin();
  ASSERT_TRUE(run.Advance());
  Overrides overrides(*made.composition);
  overrides.Set({.component = "b", .item = "u"}, std::vector<double>{7.0});
  while (run.Advance()) {
  }
  EXPECT_THAT(ErrorsOf(run.End()),
              ::testing::AllOf(::testing::HasSubstr("expected the value that 'a' has sent it directly, found another"),
                               ::testing::HasSubstr("set direct=false")));
}

// Who is gone sends nothing any more, and who comes back numbers its data anew: the master sends in its place.
TEST_P(DcpDirectData, ComesFromTheMasterOnceTheSenderIsGone) {
  ServedSlave a({}, SameUnits()), b({}, SameUnits());
  Made made(Slave("a", a, "PT0.01S", false) + Slave("b", b, "PT0.01S", true) + "<Link From=\"a.y\" To=\"b.u\"/>" +
            RunXml("b"));
  ASSERT_EQ(made.Text(), "");
  CompositionRun run(*made.composition, made.problems, WithoutResults());
  run.Begin();
  RunTo(run, 0.05);
  EXPECT_EQ(DirectGroupsOf(b), (std::pair<int, std::uint64_t>{1, 5}));
  run.Disengage("a");
  RunTo(run, 0.1);
  EXPECT_NEAR(LastOf(*made.composition, "b", "y"), 2.0 * (2.0 * 0.5 + 0.05) + 0.1, 1e-12);
  run.Engage("a");
  RunTo(run, 0.2);
  EXPECT_EQ(DirectGroupsOf(b), (std::pair<int, std::uint64_t>{1, 5}));
  EXPECT_NEAR(LastOf(*made.composition, "b", "y"), 2.0 * LastOf(*made.composition, "a", "y") + 0.2, 1e-12);
  EXPECT_EQ(ErrorsOf(run.End()), "");
}

// A family of two slaves of one description: data of those that come back go through the master.
TEST_P(DcpDirectData, GoesThroughTheMasterAfterBothWereExchanged) {
  ServedSlave a({}, SameUnits()), b({}, SameUnits());
  b.path = a.path;
  Made made(Slave("a", a, "PT0.01S", false) + Slave("b", b, "PT0.01S", true) + "<Link From=\"a.y\" To=\"b.u\"/>" +
            RunXml("b"));
  ASSERT_EQ(made.Text(), "");
  CompositionRun run(*made.composition, made.problems, WithoutResults());
  run.Begin();
  RunTo(run, 0.05);
  EXPECT_EQ(DirectGroupsOf(b), (std::pair<int, std::uint64_t>{1, 5}));
  run.Disengage("a");
  run.Engage("a");
  RunTo(run, 0.2);
  EXPECT_EQ(DirectGroupsOf(b).first, 0);
  EXPECT_NEAR(LastOf(*made.composition, "b", "y"), 2.0 * LastOf(*made.composition, "a", "y") + 0.15,
              1e-12);  // both began anew at 0.05 s
  EXPECT_EQ(ErrorsOf(run.End()), "");
}

// Side by side in one process: each counts the ids of its data by itself, and gives what it gives alone.
TEST_P(DcpDirectData, OfTwoCompositionsDoesNotMeet) {
  ServedSlave a({}, SameUnits()), b({}, SameUnits()), c({}, SameUnits()), d({}, SameUnits());
  const auto pair = [](const ServedSlave& from, const ServedSlave& to) {
    return Slave("from", from, "PT0.01S", false) + Slave("to", to, "PT0.01S", true) +
           "<Link From=\"from.y\" To=\"to.u\"/>" + RunXml("to");
  };
  Made first(pair(a, b)), second(pair(c, d));
  ASSERT_EQ(first.Text() + second.Text(), "");
  CompositionRun run(*first.composition, first.problems, WithoutResults());
  CompositionRun other(*second.composition, second.problems, WithoutResults());
  run.Begin();
  other.Begin();
  while (run.Advance()) EXPECT_TRUE(other.Advance());
  while (other.Advance()) {
  }
  for (const ServedSlave* receiver : {&b, &d}) {
    EXPECT_EQ(receiver->runner->Machine().Configuration().Inputs().count(0x8000), 1U);
    EXPECT_EQ(DirectGroupsOf(*receiver), (std::pair<int, std::uint64_t>{1, 20}));
  }
  EXPECT_DOUBLE_EQ(LastOf(*first.composition, "to", "y"), LastOf(*second.composition, "to", "y"));
  EXPECT_EQ(ErrorsOf(run.End()) + ErrorsOf(other.End()), "");
}

/// Slaves of y = gain u + offset, linked to each other; what they begin with.
class DcpInitialValues : public ::testing::Test {
 public:
  struct Member {
    std::string id;
    ServedSlave& served;
    std::string gain;
    double offset = 0.0;
  };
  /// Begins a run of them, in that order.
  std::string Begin(const std::vector<Member>& members, const std::string& links,
                    std::vector<std::pair<std::string, std::string>> arguments = {}) {
    std::string text;
    arguments.insert(arguments.begin(), {"time-step", "PT0.01S"});
    for (const Member& one : members) {
      one.served.model.offset = one.offset;
      auto own = arguments;
      own.emplace_back("gain", one.gain);
      text += WithArguments(Component(one.id, one.served), own);
    }
    made = std::make_unique<Made>(text + links + RunXml(members.back().id));
    if (!made->Text().empty()) return made->Text();
    run = std::make_unique<CompositionRun>(*made->composition, made->problems, WithoutResults());
    run->Begin();
    return ErrorsOf(run->Record());
  }
  double Of(const std::string& id) { return LastOf(*made->composition, id, "y"); }

  std::unique_ptr<Made> made;
  std::unique_ptr<CompositionRun> run;
};

// y_a = y_b / 2 + 1 and y_b = y_a / 4 + 2, so y_a = 16/7 and y_b = 18/7.
TEST_F(DcpInitialValues, SettleBetweenTwoThatFeedEachOther) {
  for (const bool is_turned : {false, true}) {
    ServedSlave a({}, SameUnits()), b({}, SameUnits());
    const Member first{"a", a, "0.5", 1.0}, second{"b", b, "0.25", 2.0};
    const std::vector<Member> members = is_turned ? std::vector{second, first} : std::vector{first, second};
    ASSERT_EQ(Begin(members, "<Link From=\"a.y\" To=\"b.u\"/><Link From=\"b.y\" To=\"a.u\"/>"), "");
    EXPECT_NEAR(Of("a"), 16.0 / 7.0, 1e-8);
    EXPECT_NEAR(Of("b"), 18.0 / 7.0, 1e-8);
    EXPECT_GT(a.model.initialized, 3);
    EXPECT_LT(a.model.initialized, 20);
    EXPECT_TRUE(run->Advance());
    EXPECT_EQ(ErrorsOf(run->End()), "");
    run.reset();
    made.reset();
  }
}

// Millimetres become metres on the way from b to c.
TEST_F(DcpInitialValues, SettleRoundThreeWithUnitsBetween) {
  ServedSlave a({}, SameUnits()), b, c({}, SameUnits());
  ASSERT_EQ(Begin({{"c", c, "0.5", 3.0}, {"a", a, "0.5", 1.0}, {"b", b, "0.5", 2.0}},
                  "<Link From=\"a.y\" To=\"b.u\"/><Link From=\"b.y\" To=\"c.u\"/><Link From=\"c.y\" To=\"a.u\"/>"),
            "");
  const double y_c = 3.00125 / 0.999875;
  EXPECT_NEAR(Of("c"), y_c, 1e-8);
  EXPECT_NEAR(Of("a"), 0.5 * y_c + 1.0, 1e-8);
  EXPECT_NEAR(Of("b"), 0.5 * (0.5 * y_c + 1.0) + 2.0, 1e-8);
  while (run->Advance()) {
  }
  EXPECT_EQ(ErrorsOf(run->End()), "");
}

// What a gives at first is what b starts with, and yet not what it is in the end.
TEST_F(DcpInitialValues, AreAskedForAgainWhereTheFirstRoundSeemsToChangeNothing) {
  ServedSlave a({}, SameUnits()), b({}, SameUnits());
  ASSERT_EQ(Begin({{"a", a, "0.5", 0.25}, {"b", b, "0.5", 1.0}},
                  "<Link From=\"a.y\" To=\"b.u\"/><Link From=\"b.y\" To=\"a.u\"/>"),
            "");
  EXPECT_NEAR(Of("a"), 1.0, 1e-8);
  EXPECT_NEAR(Of("b"), 1.5, 1e-8);
}

TEST_F(DcpInitialValues, SettleWhereOneFeedsItself) {
  ServedSlave a({}, SameUnits());
  ASSERT_EQ(Begin({{"a", a, "0.5", 3.0}}, "<Link From=\"a.y\" To=\"a.u\"/>"), "");
  EXPECT_NEAR(Of("a"), 6.0, 1e-7);
}

// In whatever order the file names them: c takes from b, b from a, each once.
TEST_F(DcpInitialValues, GoAlongAChain) {
  ServedSlave a({}, SameUnits()), b({}, SameUnits()), c({}, SameUnits());
  ASSERT_EQ(Begin({{"b", b, "3", 0.25}, {"c", c, "2", 0.0}, {"a", a, "1", 7.0}},
                  "<Link From=\"a.y\" To=\"b.u\"/><Link From=\"b.y\" To=\"c.u\"/>"),
            "");
  EXPECT_DOUBLE_EQ(Of("a"), 7.5);
  EXPECT_DOUBLE_EQ(Of("b"), 22.75);
  EXPECT_DOUBLE_EQ(Of("c"), 45.5);
  EXPECT_EQ(a.model.initialized + b.model.initialized + c.model.initialized, 3);
}

TEST_F(DcpInitialValues, ThatDoNotSettleAreNamed) {
  ServedSlave a({}, SameUnits()), b({}, SameUnits());
  const std::string said =
      Begin({{"a", a, "2", 1.0}, {"b", b, "2", 0.0}}, "<Link From=\"a.y\" To=\"b.u\"/><Link From=\"b.y\" To=\"a.u\"/>",
            {{"initial-rounds", "4"}});
  EXPECT_THAT(said,
              ::testing::AllOf(::testing::HasSubstr("the loop a -> b -> a to settle within 4 rounds of initialization, "
                                                    "found that these still change: a.u (from "),
                               ::testing::HasSubstr(", b.u (from "), ::testing::HasSubstr("raise initial-rounds")));
  run.reset();
  made.reset();  // and both are free again
  EXPECT_EQ(a.runner->Machine().CurrentState(), State::ALIVE);
  EXPECT_EQ(b.runner->Machine().CurrentState(), State::ALIVE);
}

TEST_F(DcpInitialValues, AreThoseOfEachWhereNoRoundsAreWanted) {
  ServedSlave a({}, SameUnits()), b({}, SameUnits());
  ASSERT_EQ(Begin({{"a", a, "2", 1.0}, {"b", b, "2", 0.0}},
                  "<Link From=\"a.y\" To=\"b.u\"/><Link From=\"b.y\" To=\"a.u\"/>", {{"initial-rounds", "0"}}),
            "");
  EXPECT_DOUBLE_EQ(Of("a"), 2.0);  // u begins with 0.5
  EXPECT_DOUBLE_EQ(Of("b"), 1.0);
}

// The example of a simulator that is a slave in a program of its own.
TEST(DcpTankExample, FillsAsItsFormulaSays) {
  // At a port that is free: that of the example may be another program's.
  const ScratchFolder folder;
  for (const auto& file : std::filesystem::directory_iterator(OPENMI_SOURCE_DIR "/examples/dcp-tank")) {
    if (file.is_regular_file()) std::filesystem::copy(file, folder.Path());
  }
  const int port = TankSlave::FreePort();
  std::string description = folder.Read("tank.dcpx");
  description.replace(description.find("38571"), 5, std::to_string(port));
  folder.Write("tank.dcpx", description);
  const TankSlave slave(folder / "tank.dcpx", port);
  const Endpoint tank{.address = kLoopback, .port = static_cast<std::uint16_t>(port)};
  ASSERT_TRUE(Ping(TransportProtocol::TCP_IPv4, tank, 1, std::chrono::seconds(20)).has_value());
  Problems problems;
  Composition composition(ReadCompositionFile(folder / "tank.xml", problems));
  composition.Load(problems);
  composition.Connect(problems);
  CheckComposition(composition, problems);
  CompositionRun run(composition, problems, WithoutResults());
  run.Begin();
  while (run.Advance()) {
  }
  EXPECT_NEAR(LastOf(composition, "tank", "level"), 2.0 - std::exp(-3.0), 1e-12);
  EXPECT_EQ(ErrorsOf(run.End()), "");
}

}  // namespace
}  // namespace openmi::dcp
