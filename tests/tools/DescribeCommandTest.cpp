// `openmi describe` and `openmi adaptors`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/Command.hpp"

namespace {

using nlohmann::json;
using openmi::ChildResult;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(DescribeCommand, SaysWhatAComponentIs) {
  const Workplace here;
  here.WriteOmi("wave.omi", "test.Wave");
  const ChildResult result = here.Run({"describe", "wave.omi"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("amplitude = 1.5 m3 s-1  (double, at least 0.0)"), HasSubstr("height of the wave"),
                    HasSubstr("form = sine  (string, one of sine, cosine)"), HasSubstr("flow [m3 s-1]"),
                    HasSubstr("dimension L3 T-1, 1.0 to SI"), HasSubstr("level [cm]"),
                    HasSubstr("dimension L, 0.01 to SI"), HasSubstr("spans"), HasSubstr("instants")));
  // Secrets are masked, control characters of the component stripped.
  EXPECT_THAT(result.out, AllOf(HasSubstr("password = "), Not(HasSubstr("opensesame")), Not(HasSubstr("\x1b"))));
}

TEST(DescribeCommand, JsonParsesAndMasks) {
  const Workplace here;
  here.WriteOmi("wave.omi", "test.Wave");
  const ChildResult result = here.Run({"describe", "wave.omi", "--json", "--argument", "amplitude=2.25"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, Not(HasSubstr("opensesame")));
  const json description = json::parse(result.out);
  EXPECT_EQ(description.at("id"), "wave");
  json amplitude;
  for (const json& argument : description.at("arguments")) {
    if (argument.at("id") == "amplitude") amplitude = argument;
    if (argument.at("id") == "password") {
      EXPECT_EQ(argument.at("is_secret"), true);
    }
  }
  EXPECT_EQ(amplitude.at("value"), 2.25);
  EXPECT_EQ(amplitude.at("default"), 1.5);
  EXPECT_EQ(amplitude.at("minimum"), 0.0);
  EXPECT_EQ(description.at("outputs").at(0).at("values").at("unit").at("dimension"), "L3 T-1");
  EXPECT_EQ(description.at("outputs").at(1).at("values").at("unit").at("factor_to_si"), 0.01);
}

TEST(DescribeCommand, TheTimeStepIsTheOneThatIsMade) {
  const Workplace here;
  const auto describe = [&here](const std::string& name, const std::vector<std::string>& more = {}) {
    here.Write("unit.omi",
               "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"openmi.fmi.Fmu\" "
               "Assembly=\"openmi-fmi-bridge\"><Arguments><Argument Key=\"fmu\" "
               "Value=\"" OPENMI_BINARY_DIR "/examples/fmus/3/" +
                   name + ".fmu\"/></Arguments></LinkableComponent>");
    std::vector<std::string> words = {"describe", "unit.omi"};
    words.insert(words.end(), more.begin(), more.end());
    return here.Run(words).out;
  };
  // An FMU says it itself; who sets another has it.
  EXPECT_THAT(describe("VanDerPol"), HasSubstr("time-step = PT0.01S  (string)"));
  EXPECT_THAT(describe("GateController"), HasSubstr("time-step = PT10M  (string)"));
  EXPECT_THAT(describe("GateController", {"--argument", "time-step=PT3S"}), HasSubstr("time-step = PT3S  (string"));
  EXPECT_THAT(describe("GateController", {"--argument", "time-step=PT1S"}), HasSubstr("time-step = PT1S  (string"));
  // Others have the default that they declare, as they wrote it.
  here.WriteOmi("wave.omi", "test.Wave");
  EXPECT_THAT(here.Run({"describe", "wave.omi"}).out, HasSubstr("time-step = PT1H  (string)"));
}

TEST(DescribeCommand, ASystemStructureIsAComposition) {
  const Workplace here;
  std::filesystem::copy(OPENMI_BINARY_DIR "/examples/fmus/2/Linear.fmu", here / "Linear.fmu");
  here.Write("pair.ssd",
             "<SystemStructureDescription xmlns=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" "
             "version=\"1.0\" name=\"pair\"><System name=\"root\"><Elements><Component name=\"first\" "
             "source=\"Linear.fmu\"><Connectors><Connector name=\"y\" kind=\"output\"/></Connectors></Component>"
             "</Elements></System><DefaultExperiment stopTime=\"2\"/></SystemStructureDescription>");
  const ChildResult described = here.Run({"describe", "pair.ssd", "first"});
  EXPECT_EQ(described.exit_code, 0) << described.err;
  EXPECT_THAT(described.out, AllOf(HasSubstr("time-step = PT0.1S  (string)"), HasSubstr("to 2000-01-01T00:00:02Z")));
  EXPECT_THAT(here.Run({"describe", "pair.ssd"}).err, HasSubstr("there are: first"));
  EXPECT_THAT(here.Run({"graph", "pair.ssd"}).err, HasSubstr("written: pair.graph.svg"));
  EXPECT_THAT(here.Read("pair.graph.svg"), HasSubstr("first"));
}

TEST(DescribeCommand, MembersOfACompositionHaveItsArguments) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"amplitude\" Value=\"7\"/>");
  const ChildResult result = here.Run({"describe", "pond.xml", "wave"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("amplitude = 7.0 m3 s-1  (double, default 1.5"),
                                HasSubstr("from 2020-01-01T00:00:00Z to 2020-01-11T00:00:00Z")));
}

TEST(DescribeCommand, WritesCompliancyInformation) {
  const Workplace here;
  here.WriteOmi("wave.omi", "test.Wave");
  const ChildResult result = here.Run(
      {"describe", "wave.omi", "--compliancy", "wave.xml", "--supplier", "Rain & Sons", "--component-version", "1.2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string text = here.Read("wave.xml");
  EXPECT_THAT(text, AllOf(HasSubstr("Rain &amp; Sons"), HasSubstr("flow"), HasSubstr("m3 s-1"), HasSubstr("1.2")));
  EXPECT_THAT(result.err, HasSubstr("written: wave.xml"));
  EXPECT_EQ(here.Run({"describe", "wave.omi", "--compliancy", "no/such/folder.xml"}).exit_code, 7);
}

TEST(DescribeCommand, StaticLooksAtTheBytesOnly) {
  const Workplace here;
  here.WriteOmi("wave.omi", "test.Crashing");
  const json answer = json::parse(here.Run({"describe", "wave.omi", "--static", "--json"}).out);
  EXPECT_EQ(answer.at("type"), "test.Crashing");
  EXPECT_EQ(answer.at("library").at("has_entry_point"), true);
  EXPECT_EQ(answer.at("library").at("fits"), true);
  here.WriteOmi("gone.omi", "test.Wave", "nowhere");
  EXPECT_EQ(here.Run({"describe", "gone.omi", "--static"}).exit_code, 5);
}

TEST(DescribeCommand, SaysWhatResultsHold) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  ASSERT_EQ(here.Run({"run", "pond.xml"}).exit_code, 0);
  for (const char* file : {"results/pond.nc", "results/pond.csv"}) {
    const ChildResult result = here.Run({"describe", file});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("series (2)"), HasSubstr("tank.volume [m3]  instant"),
                                  HasSubstr("2020-01-01T00:00:00Z to 2020-01-11T00:00:00Z"), HasSubstr("0 missing")));
  }
  const json answer = json::parse(here.Run({"describe", "results/pond.nc", "--json"}).out);
  ASSERT_EQ(answer.at("series").size(), 2u);
  EXPECT_EQ(answer["series"][0].at("rows"), 241);
  EXPECT_EQ(here.Run({"describe", "results/pond.nc", "tank"}).exit_code, 2);
}

TEST(AdaptorsCommand, ListsTheMostSuitableFirstAndTheOthersOnDemand) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  const ChildResult some = here.Run({"adaptors", "pond.xml", "wave.flow", "tank.inflow"});
  EXPECT_THAT(some.out, AllOf(HasSubstr("that fit the output before or after others; --all lists them"),
                              Not(HasSubstr("\n  times-element-area")), Not(HasSubstr("and 0 more"))));
  const auto listed = [](const std::string& text) {
    std::istringstream lines(text);
    int count = 0;
    for (std::string line; std::getline(lines, line);)
      count += line.size() > 2 && line.starts_with("  ") && line[2] != ' ';
    return count;
  };
  EXPECT_LE(listed(some.out), 8);
  const ChildResult all = here.Run({"adaptors", "pond.xml", "wave.flow", "tank.inflow", "--all"});
  EXPECT_GT(listed(all.out), listed(some.out));
  EXPECT_THAT(all.out, HasSubstr("fit the output, before or after others:"));
}

TEST(AdaptorsCommand, ListsWhatFitsWithArguments) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  const ChildResult result = here.Run({"adaptors", "pond.xml", "wave.flow", "tank.inflow", "--all"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("from wave.flow [m3 s-1], spans"), HasSubstr("units are converted automatically"),
                    HasSubstr("mean-over-span"), HasSubstr("extrapolation = \"error\"")));
  const std::string fitting = result.out.substr(0, result.out.find("fit the output"));
  EXPECT_THAT(fitting, Not(HasSubstr("area-weighted")));
  EXPECT_LT(fitting.find("mean-over-span"), fitting.find("  linear "));  // spans on both sides
  EXPECT_THAT(fitting, HasSubstr("extrapolation, relaxation: as above"));
}

TEST(AdaptorsCommand, SaysWhyUnitsDoNotConvert) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  const ChildResult result = here.Run({"adaptors", "pond.xml", "wave.level", "tank.inflow"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("units do not convert"), HasSubstr("no single adaptor fits between the two")));
}

TEST(AdaptorsCommand, TakesOmiFilesToo) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  const ChildResult result = here.Run({"adaptors", "wave.omi:level", "tank.omi:depth", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json answer = json::parse(result.out);
  EXPECT_EQ(answer.at("units_convert"), true);
  bool linear = false;
  for (const json& adaptor : answer.at("adaptors"))
    linear = linear || (adaptor.at("id") == "linear" && adaptor.at("fits") == true);
  EXPECT_TRUE(linear);
  const ChildResult wrong = here.Run({"adaptors", "wave.omi:levle", "tank.omi:depth"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'level'?"));
}

TEST(AdaptorsCommand, DrawsWhatALinkMakesOfItsSource) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  const ChildResult result =
      here.Run({"adaptors", "pond.xml", "wave.flow", "tank.inflow", "--explain", "-o", "link.svg"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("written: link.svg"));
  EXPECT_THAT(here.Read("link.svg"), AllOf(HasSubstr("<svg "), HasSubstr("wave.flow to tank.inflow: ")));
  const ChildResult other = here.Run({"adaptors", "pond.xml", "wave.level", "tank.inflow", "--explain"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("expected a link of the composition"));
  EXPECT_EQ(here.Run({"adaptors", "wave.omi:level", "tank.omi:depth", "--explain"}).exit_code, 2);
  EXPECT_EQ(
      here.Run({"adaptors", "pond.xml", "wave.flow", "tank.inflow", "--explain", "--element", "nobody"}).exit_code, 2);
}

}  // namespace
