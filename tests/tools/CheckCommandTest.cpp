// `openmi check`: problems of files, of compositions, of libraries that crash or hang, and Annex A by number.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/tools/Command.hpp"

namespace {

using nlohmann::json;
using openmi::ChildResult;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(CheckCommand, FindsNothingWrongWithAGoodFile) {
  const Workplace here;
  here.WriteOmi("wave.omi", "test.Wave");
  const ChildResult result = here.Run({"check", "wave.omi"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "no problems\n");
  EXPECT_EQ(here.Run({"check", "wave.omi", "--static"}).exit_code, 0);
}

TEST(CheckCommand, NamesFileLineAndRemedy) {
  const Workplace here;
  here.WriteOmi("wave.omi", "test.Wvae");
  const ChildResult result = here.Run({"check", "wave.omi"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("wave.omi:2: "), HasSubstr("'test.Wvae'"), HasSubstr("did you mean 'test.Wave'?")));
  EXPECT_THAT(result.out, HasSubstr("1 problem\n"));
}

TEST(CheckCommand, JsonParsesAndCounts) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"amplitde\" Value=\"1\"/>");
  const ChildResult result = here.Run({"check", "pond.xml", "--json"});
  EXPECT_EQ(result.exit_code, 5);
  const json answer = json::parse(result.out);
  EXPECT_EQ(answer.at("file"), "pond.xml");
  EXPECT_EQ(answer.at("errors"), 1);
  EXPECT_EQ(answer.at("problems").at(0).at("line"), 3);
  EXPECT_EQ(answer.at("problems").at(0).at("component"), "wave");
  EXPECT_THAT(answer.at("problems").at(0).at("remedy"), HasSubstr("amplitude"));
}

class HostileLibrary : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(HostileLibrary, IsAProblemWithASentence) {
  const auto& [type, sentence] = GetParam();
  const Workplace here;
  here.WriteOmi("bad.omi", type, std::string(type) == "test.Never" ? "load_crash" : "tool_components");
  const auto begin = std::chrono::steady_clock::now();
  const ChildResult result = here.Run({"check", "bad.omi", "--timeout", "1.5"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_EQ(result.exit_code, 5) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("bad.omi: expected a library that loads"), HasSubstr(sentence)));
  const ChildResult described = here.Run({"describe", "bad.omi", "--timeout", "1.5"});
  EXPECT_EQ(described.exit_code, 5);
  EXPECT_THAT(described.err, HasSubstr(sentence));
  // Looked at without being loaded, it does no harm.
  EXPECT_EQ(here.Run({"check", "bad.omi", "--static"}).exit_code, 0);
  const ChildResult bytes = here.Run({"describe", "bad.omi", "--static"});
  EXPECT_EQ(bytes.exit_code, 0) << bytes.err;
  EXPECT_THAT(bytes.out, HasSubstr("fits this program"));
}

INSTANTIATE_TEST_SUITE_P(, HostileLibrary,
                         testing::Values(std::pair{"test.Crashing", "was killed by signal 6"},
                                         std::pair{"test.Hanging", "did not end"},
                                         std::pair{"test.Leaving", "ended with exit code 0"},
                                         std::pair{"test.Never", "was killed by signal 6"}),
                         [](const auto& parameter) { return std::string(parameter.param.first).substr(5); });

TEST(CheckCommand, NamesTheComponentOfACompositionThatCrashes) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Crashing");
  const ChildResult result = here.Run({"check", "pond.xml"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.out, HasSubstr("pond.xml:3: wave: expected a library that loads"));
  EXPECT_THAT(result.out, Not(HasSubstr("tank:")));
}

TEST(CheckCommand, WhatALibraryPrintsIsNoAnswer) {
  const Workplace here;
  here.WriteOmi("talking.omi", "test.Talking");
  const ChildResult result = here.Run({"check", "talking.omi"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "no problems\n");
  EXPECT_NO_THROW(json::parse(here.Run({"describe", "talking.omi", "--json"}).out));
}

TEST(CheckCommand, StaticSeesMissingAndForeignLibraries) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  here.WriteOmi("wave.omi", "test.Wave", "nowhere");
  here.Write("text.so", "no library");
  here.Write("tank.omi", "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"t\" Assembly=\"text.so\"/>");
  const ChildResult result = here.Run({"check", "pond.xml", "--static"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.out, AllOf(HasSubstr("wave.omi:3: "), HasSubstr("tank.omi:1: "), HasSubstr("2 problems")));
}

TEST(CheckCommand, AnnexAByNumber) {
  const Workplace here;
  here.WriteOmi("wave.omi", "test.Wave");
  const ChildResult result = here.Run({"check", "wave.omi", "--component"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, AllOf(HasSubstr("\n   1.1  passed"), HasSubstr("\n  12.1  passed"), HasSubstr(" 0 failed")));
  const json report = json::parse(here.Run({"check", "wave.omi", "--component", "--json"}).out);
  EXPECT_EQ(report.at("passed"), true);
  EXPECT_EQ(report.at("results").size(), 36U);
}

TEST(CheckCommand, AnnexAOfAComponentThatCrashes) {
  const Workplace here;
  here.WriteOmi("bad.omi", "test.Crashing");
  const ChildResult result = here.Run({"check", "bad.omi", "--component"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.out, AllOf(HasSubstr("failed"), HasSubstr("was killed by signal 6")));
}

TEST(CheckCommand, ASettingThatCannotBeIsNoFaultOfTheComponent) {
  const Workplace here;
  here.WriteOmi("wave.omi", "test.Wave");
  const ChildResult unknown = here.Run({"check", "wave.omi", "--component", "--argument", "amplitde=2"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("expected an argument of the component"), HasSubstr("amplitude")));
  EXPECT_THAT(unknown.out, Not(HasSubstr("does not conform")));
  EXPECT_EQ(here.Run({"check", "wave.omi", "--component", "--argument", "amplitude=high"}).exit_code, 2);
  EXPECT_EQ(here.Run({"check", "wave.omi", "--component", "--argument", "amplitude=2"}).exit_code, 0);
  const ChildResult alone = here.Run({"check", "wave.omi", "--argument", "amplitude=2"});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.err, HasSubstr("together with --component"));
}

TEST(CheckCommand, SaysWhereASettingChangesNothing) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"amplitude\" Value=\"${height}\"/>");
  const ChildResult result = here.Run({"check", "pond.xml", "--set", "height=2", "--set", "width=3"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("expected ${width} in the composition"), Not(HasSubstr("${height}"))));
}

TEST(CheckCommand, SaysWhoNamedAFileThatIsWrong) {
  const Workplace here;
  here.Write("catchments.geojson", "{\n  \"type\": \"FeatureCollection\",\n  \"features\": [\n");
  here.Write("rain.xml",
             "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"rain\">\n"
             "  <Component Id=\"rain\" Type=\"openmi.Constant\" Assembly=\"openmi-components\">\n"
             "    <Argument Key=\"value\" Value=\"1\"/>\n"
             "    <Argument Key=\"elements-file\" Value=\"catchments.geojson\"/>\n"
             "  </Component>\n"
             "  <Run From=\"2020-01-01T00:00Z\" To=\"2020-01-11T00:00Z\"/>\n"
             "</Composition>\n");
  const ChildResult result = here.Run({"check", "rain.xml"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.out, AllOf(HasSubstr("rain.xml:2: rain"), HasSubstr("catchments.geojson:4: expected GeoJSON"),
                                HasSubstr("1 problem")));
}

}  // namespace
