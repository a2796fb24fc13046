// Components in C# beside those in C++: described, checked, run.

#include <algorithm>
#include <cmath>

#include "tests/dotnet-bridge/DotnetFixture.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A wave that runs through two reservoirs. The one in the middle is in C# or in C++.
std::string Wave(bool in_dotnet) {
  return fmt::format(
      "<Component Id=\"wave\" Type=\"openmi.CsvSeries\" Assembly=\"openmi-components\">"
      "<Argument Key=\"file\" Value=\"wave.csv\"/><Argument Key=\"unit\" Value=\"m3 s-1\"/></Component>\n"
      "<Component Id=\"tank\" {}\n"
      "<Component Id=\"pond\" Type=\"openmi.NashCascade\" Assembly=\"openmi-components\"/>\n"
      "<Link From=\"wave.flow\" To=\"tank.inflow\"><Adaptor Id=\"mean-over-span\"/></Link>\n"
      "<Link From=\"tank.outflow\" To=\"pond.inflow\"/>\n"
      "<Observe Item=\"tank.outflow\"/><Observe Item=\"pond.outflow\"/>",
      in_dotnet ? "Omi=\"tank.omi\"/>"
                : "Type=\"openmi.NashCascade\" Assembly=\"openmi-components\"><Argument Key=\"residence-time\" "
                  "Value=\"5\"/></Component>");
}

/// A wave that runs into a reservoir in C#.
std::string Tank(const std::string& attributes = "") {
  return fmt::format(
      "<Component Id=\"wave\" Type=\"openmi.CsvSeries\" Assembly=\"openmi-components\"><Argument Key=\"file\" "
      "Value=\"wave.csv\"/><Argument Key=\"unit\" Value=\"m3 s-1\"/></Component>\n"
      "<Component Id=\"tank\" Omi=\"tank.omi\" {}/>\n"
      "<Link From=\"wave.flow\" To=\"tank.inflow\"><Adaptor Id=\"mean-over-span\"/></Link>\n",
      attributes);
}

std::string Ponds(const std::string& id) {
  return fmt::format(
      "<Component Id=\"{}\" Type=\"openmi.NashCascade\" Assembly=\"openmi-components\"><Argument Key=\"elements\" "
      "Value=\"a,b\"/></Component>\n",
      id);
}

class DotnetRun : public Dotnet {
 protected:
  void WriteWave() {
    std::string text = "time,flow\n";
    for (int i = 0; i <= 96; ++i) {
      text += fmt::format("{}{:02}:{:02}:00Z,{}\n",
                          i < 48   ? "2020-01-01T"
                          : i < 96 ? "2020-01-02T"
                                   : "2020-01-03T",
                          i / 2 % 24, i % 2 * 30, 3.0 + 2.0 * std::sin(0.3 * i));
    }
    folder.Write("wave.csv", text);
  }
};

TEST_F(DotnetRun, AComponentInCSharpGivesTheBytesOfOneInCpp) {
  Omi("tank.omi", "Tank.dll", "Tanks.Tank", {{"residence-time", "5"}});
  WriteWave();
  Composition("cpp.xml", Wave(false));
  Composition("dotnet.xml", Wave(true));
  const ChildResult cpp = Run({"run", "cpp.xml"});
  ASSERT_EQ(cpp.exit_code, 0) << cpp.err;
  const ChildResult dotnet = Run({"run", "dotnet.xml"});
  ASSERT_EQ(dotnet.exit_code, 0) << dotnet.err << dotnet.out;
  EXPECT_THAT(Rows("dotnet.csv"), Not(testing::IsEmpty()));
  EXPECT_EQ(Rows("dotnet.csv"), Rows("cpp.csv"));
}

TEST_F(DotnetRun, DescribeShowsArgumentsAndItems) {
  Omi("tank.omi", "Tank.dll", "Tanks.Tank");
  const ChildResult result = Run({"describe", "tank.omi", "--argument=elements=3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("residence-time"), HasSubstr("inflow"), HasSubstr("m3/s"),
                    HasSubstr("a linear reservoir for each element"),
                    HasSubstr("3 IdBased elements of 'tanks': e1, e2, e3"), HasSubstr("adaptors of its own: scale")));
}

TEST_F(DotnetRun, CheckRunsAnnexA) {
  Omi("tank.omi", "Tank.dll", "Tanks.Tank", {{"elements", "2"}});
  const ChildResult result = Run({"check", "tank.omi", "--component"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("6.1"), HasSubstr("11.2"), HasSubstr("12.1")));
}

TEST_F(DotnetRun, AdaptorsOfTheComponentStandOnItsLinks) {
  Omi("tank.omi", "Tank.dll", "Tanks.Tank");
  WriteWave();
  const std::string begin = Tank() + Ponds("ponds");
  const auto ponds = [&](const std::string& adaptors) {
    Composition("ponds.xml", begin + "<Link From=\"tank.outflow\" To=\"ponds.inflow\">" + adaptors +
                                 "</Link><Observe Item=\"ponds.outflow\"/>");
    return Run({"run", "ponds.xml", "--overwrite"});
  };
  const ChildResult twice = ponds(
      "<Adaptor Id=\"scale\"><Argument Key=\"factor\" Value=\"2\"/></Adaptor><Adaptor Id=\"spread\"><Argument "
      "Key=\"factor\" Value=\"4\"/></Adaptor>");
  ASSERT_EQ(twice.exit_code, 0) << twice.err;
  const std::string rows = Rows("ponds.csv");
  const ChildResult once =
      ponds("<Adaptor Id=\"spread\" Factory=\"shapes\"><Argument Key=\"factor\" Value=\"8\"/></Adaptor>");
  ASSERT_EQ(once.exit_code, 0) << once.err;
  EXPECT_THAT(rows, Not(testing::IsEmpty()));
  EXPECT_EQ(Rows("ponds.csv"), rows);
  const ChildResult unknown = ponds("<Adaptor Id=\"stretch\"/>");
  EXPECT_NE(unknown.exit_code, 0);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("found 'stretch'"), HasSubstr("scale")));
  const ChildResult in_time = ponds("<Adaptor Id=\"scale\"/><Adaptor Id=\"mean-over-span\"/>");
  EXPECT_NE(in_time.exit_code, 0);
  EXPECT_THAT(in_time.err, HasSubstr("no adaptor in time fits after an adaptor of a component"));
}

TEST_F(DotnetRun, AdaptorsOfTheComponentGiveTheSameWithSeveralThreads) {
  Omi("tank.omi", "Tank.dll", "Tanks.Tank");
  WriteWave();
  // What the tank asks computes in this process, where others ask it, too.
  std::string lines = Tank();
  const std::string direct = "<Link From=\"wave.flow\" To=\"tank.inflow\"><Adaptor Id=\"mean-over-span\"/></Link>\n";
  lines.replace(lines.find(direct), direct.size(),
                "<Component Id=\"upper\" Type=\"openmi.NashCascade\" Assembly=\"openmi-components\"/>"
                "<Link From=\"wave.flow\" To=\"upper.inflow\"><Adaptor Id=\"mean-over-span\"/></Link>"
                "<Link From=\"upper.outflow\" To=\"tank.inflow\"/><Observe Item=\"upper.outflow\"/>\n");
  for (int i = 0; i < 4; ++i) {
    const std::string id = fmt::format("ponds{}", i);
    lines += Ponds(id) + fmt::format(
                             "<Link From=\"tank.outflow\" To=\"{0}.inflow\"><Adaptor Id=\"spread\"/></Link>"
                             "<Observe Item=\"{0}.outflow\"/>\n",
                             id);
  }
  for (const std::string mode : {"pull", "step"}) {
    Composition("ponds.xml", lines);
    const ChildResult one = Run({"run", "ponds.xml", "--overwrite", "--mode", mode, "--threads=1"});
    ASSERT_EQ(one.exit_code, 0) << one.err;
    const std::string rows = Rows("ponds.csv");
    EXPECT_THAT(rows, Not(testing::IsEmpty()));
    const ChildResult more = Run({"run", "ponds.xml", "--overwrite", "--mode", mode, "--threads=4"});
    ASSERT_EQ(more.exit_code, 0) << more.err;
    EXPECT_EQ(Rows("ponds.csv"), rows);
  }
}

TEST_F(DotnetRun, AComponentAsksWhileAnotherOfItsProcessWaits) {
  Omi("tank.omi", "Tank.dll", "Tanks.Tank");
  WriteWave();
  std::string rows;
  for (const std::string isolation : {"instance", "process"}) {
    const std::string attributes = "Isolation=\"" + isolation + "\" TimeLimit=\"PT30S\"";
    Composition("chain.xml",
                Tank(attributes) + "<Component Id=\"lower\" Omi=\"tank.omi\" " + attributes +
                    "/><Link From=\"tank.outflow\" To=\"lower.inflow\"><Adaptor Id=\"scale\"/></Link>"
                    "<Observe Item=\"lower.outflow\"/>",
                "Trigger=\"lower\"");
    const ChildResult result = Run({"run", "chain.xml", "--overwrite"});
    ASSERT_EQ(result.exit_code, 0) << isolation << result.err;
    if (rows.empty()) rows = Rows("chain.csv");
    EXPECT_THAT(rows, Not(testing::IsEmpty()));
    EXPECT_EQ(Rows("chain.csv"), rows);
  }
}

TEST_F(DotnetRun, AdaptorsOfAFrozenComponentGiveTheirLastAnswer) {
  Omi("tank.omi", "Tank.dll", "Tanks.Tank", {{"stop", "exit"}});
  WriteWave();
  Composition("ponds.xml", Tank("OnFailure=\"freeze\"") + Ponds("ponds") +
                               "<Link From=\"tank.outflow\" To=\"ponds.inflow\"><Adaptor Id=\"spread\"/></Link>"
                               "<Observe Item=\"ponds.outflow\"/>");
  const ChildResult frozen = Run({"run", "ponds.xml"});
  EXPECT_EQ(frozen.exit_code, 6) << frozen.err;
  EXPECT_THAT(frozen.err, HasSubstr("tank: failed at 2020-01-02T05:00:00Z"));
  EXPECT_THAT(Rows("ponds.csv"), HasSubstr("2020-01-03T00:00"));
}

TEST_F(DotnetRun, AllRowsThatAreThereFromTheStartAreObserved) {
  Omi("gauge.omi", "Tank.dll", "Tanks.Gauge");
  Composition("gauge.xml", "<Component Id=\"gauge\" Omi=\"gauge.omi\"/><Observe Item=\"gauge.level\"/>");
  const ChildResult result = Run({"run", "gauge.xml"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string rows = Rows("gauge.csv");
  EXPECT_THAT(rows, AllOf(HasSubstr("2020-01-01T00:00:00Z,0\n"), HasSubstr("2020-01-03T00:00:00Z,48\n")));
  EXPECT_EQ(std::ranges::count(rows, '\n'), 49);
  const ChildResult described = Run({"describe", "gauge.omi"});
  EXPECT_EQ(described.exit_code, 0) << described.err;
  EXPECT_THAT(described.out, AllOf(HasSubstr("level"), HasSubstr("no adaptor factories: "), HasSubstr("no adaptors")));
}

TEST_F(DotnetRun, AResumedRunGivesTheSameBytes) {
  Omi("tank.omi", "Tank.dll", "Tanks.Tank", {{"residence-time", "5"}, {"stop", "stop"}});
  WriteWave();
  Composition("whole.xml", Wave(true));
  ASSERT_EQ(Run({"run", "whole.xml"}).exit_code, 0);
  const std::string whole = Rows("whole.csv");
  folder.Write("stop", "");
  const ChildResult part = Run({"run", "whole.xml", "--overwrite", "--checkpoint-every", "PT5H"});
  EXPECT_THAT(part.err, HasSubstr("there is a file stop"));
  std::filesystem::remove(folder / "stop");
  const ChildResult rest = Run({"run", "whole.xml", "--resume"});
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_THAT(rest.err, HasSubstr("continues at 2020-01-02T01:00:00Z"));
  EXPECT_EQ(Rows("whole.csv"), whole);
}

}  // namespace
}  // namespace openmi
