// `openmi check`: problems of files, of compositions, of libraries that crash or hang, and Annex A by number.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>

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

TEST(CheckCommand, ListsTheFilesOfAGroupAsSha256sumReadsThem) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  std::string text = here.Read("pond.xml");
  text.insert(text.find("Omi=\"wave.omi\""), "Group=\"sea\" ");
  here.Write("groups.xml", text);
  const ChildResult list = here.Run({"check", "groups.xml", "--files", "sea"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_THAT(list.out, AllOf(HasSubstr("/wave.omi\n"), HasSubstr("libtool_components.so\n"), Not(HasSubstr("tank"))));
  here.Write("SHA256SUMS", list.out);
  const std::string compare =
      "cd '" + here.Path().string() + "' && sha256sum --strict --quiet -c SHA256SUMS 2> /dev/null";
  EXPECT_EQ(std::system(compare.c_str()), 0);
  EXPECT_THAT(here.Run({"check", "groups.xml", "--files", "see"}).err, HasSubstr("did you mean 'sea'?"));
  const ChildResult wrong = here.Run({"check", "pond.xml", "--files", "see"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err,
              HasSubstr("expected a group of the composition that needs files, found 'see'; there are none"));
  here.Write("wave.omi", "changed");
  EXPECT_NE(std::system(compare.c_str()), 0);
  EXPECT_EQ(here.Run({"check", "groups.xml", "--files", "sea"}).exit_code, 5) << "a file of the composition is no XML";
}

TEST(CheckCommand, AComponentThatIsMissingIsNoFaultOfTheLoopItIsIn) {
  const Workplace here;
  const std::string pond = "Type=\"openmi.NashCascade\" Assembly=\"openmi-components\">";
  const auto composition = [&](const std::string& hours, const std::string& way_back) {
    return "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"loop\">\n<Component Id=\"a\" " + pond +
           "<Argument Key=\"residence-time\" Value=\"" + hours + "\"/></Component>\n<Component Id=\"b\" " + pond +
           "</Component>\n<Link From=\"a.outflow\" To=\"b.inflow\"/>" + way_back +
           "<Iterate Components=\"a b\"/>\n<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/></Composition>";
  };
  const std::string back = "<Link From=\"b.outflow\" To=\"a.inflow\"/>\n";
  here.Write("wrong.xml", composition("long", back));
  const ChildResult wrong = here.Run({"check", "wrong.xml"});
  EXPECT_THAT(wrong.out, AllOf(HasSubstr("found 'long'"), Not(HasSubstr("Iterate"))));
  here.Write("open.xml", composition("2", ""));
  EXPECT_THAT(here.Run({"check", "open.xml"}).out, HasSubstr("'a b' in no loop")) << "this is one";
  here.Write("closed.xml", composition("2", back));
  EXPECT_EQ(here.Run({"check", "closed.xml"}).exit_code, 0);
}

TEST(CheckCommand, TakesSeveralFiles) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  here.WriteOmi("wave.omi", "test.Wave");
  here.WriteOmi("bad.omi", "test.Wvae");
  const ChildResult good = here.Run({"check", "pond.xml", "wave.omi"});
  EXPECT_EQ(good.exit_code, 0) << good.out << good.err;
  EXPECT_THAT(good.out, AllOf(HasSubstr("pond.xml: 1 note, no problems\n"), HasSubstr("wave.omi: no problems\n")));
  const ChildResult one_bad = here.Run({"check", "bad.omi", "pond.xml"});
  EXPECT_EQ(one_bad.exit_code, 5);
  EXPECT_THAT(one_bad.out, AllOf(HasSubstr("bad.omi:2: "), HasSubstr("bad.omi: 1 problem\n"),
                                 HasSubstr("pond.xml: 1 note, no problems\n")));
  const json answers = json::parse(here.Run({"check", "bad.omi", "pond.xml", "--json"}).out);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].at("errors"), 1);
  EXPECT_EQ(answers[1].at("file"), "pond.xml");
  EXPECT_EQ(here.Run({"check", "wave.omi", "bad.omi", "--component"}).exit_code, 2);
}

TEST(CheckCommand, EndsAlikeForEveryFileThatIsNoComposition) {
  const Workplace here;
  here.Write("table.csv", "time,q\n2020-01-01T00:00Z,1\n");
  here.Write("cut.xml", "<Composition");
  here.Write("bytes.xml", std::string("\x00\x01\x02", 3));
  here.Write("dimr.xml", "<dimrConfig/>");
  for (const char* file : {"table.csv", "cut.xml", "bytes.xml", "dimr.xml"}) {
    const ChildResult result = here.Run({"check", file});
    EXPECT_EQ(result.exit_code, 5) << file << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr(file), HasSubstr("1 problem\n"))) << file;
  }
}

std::string StreamOf(const std::string& arguments) {
  return "<Component Id=\"s\" Type=\"openmi.broker.Stream\" Assembly=\"openmi-broker-bridge\">\n" + arguments +
         "</Component>\n";
}

TEST(CheckCommand, FindsRecordingsThatAreNotThere) {
  const Workplace here;
  here.Write("robot.xml", "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"robot\">\n" +
                              StreamOf("<Argument Key=\"fields\" Value=\"x\"/>\n"
                                       "<Argument Key=\"recording\" Value=\"none.jsonl\"/>\n") +
                              "<Component Id=\"t\" Type=\"openmi.osi.Trace\" Assembly=\"openmi-osmp-bridge\">\n"
                              "<Argument Key=\"file\" Value=\"none.osi\"/></Component>\n"
                              "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/>\n</Composition>\n");
  const ChildResult both = here.Run({"check", "robot.xml"});
  EXPECT_EQ(both.exit_code, 5);
  EXPECT_THAT(both.out, AllOf(HasSubstr("robot.xml:4: s.recording: "), HasSubstr("none.jsonl"),
                              HasSubstr("expected a recording, found no file that can be read; correct the path")));
  EXPECT_THAT(both.out, AllOf(HasSubstr("robot.xml:7: t"), HasSubstr("none.osi"), HasSubstr("expected an OSI trace")));
  here.Write("robot.omi",
             "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"openmi.broker.Stream\"\n"
             " Assembly=\"openmi-broker-bridge\"><Arguments><Argument Key=\"fields\" Value=\"x\"/>\n"
             "<Argument Key=\"recording\" Value=\"none.jsonl\"/></Arguments></LinkableComponent>\n");
  const ChildResult alone = here.Run({"check", "robot.omi"});
  EXPECT_EQ(alone.exit_code, 5);
  EXPECT_THAT(alone.out, AllOf(HasSubstr("robot.omi:3: "), HasSubstr("expected a recording, found no file")));
  const ChildResult exported = here.Run({"fmu", "export", "robot.omi"});
  EXPECT_EQ(exported.exit_code, 5);
  EXPECT_THAT(exported.err, HasSubstr("expected a recording, found no file"));
  EXPECT_FALSE(std::filesystem::exists(here / "robot.fmu"));
}

TEST(CheckCommand, SaysWhatCannotBeCompared) {
  const Workplace here;
  here.Write("two.csv", "time,a,b\n2020-01-01T00:00Z,1,2\n2020-01-02T00:00Z,1,2\n");
  here.Write("one.csv", "time,c\n2020-01-01T00:00Z,1\n2020-01-02T00:00Z,1\n");
  const auto series = [](const std::string& id, const std::string& columns) {
    return "<Component Id=\"" + id +
           "\" Type=\"openmi.CsvSeries\" Assembly=\"openmi-components\"><Argument Key=\"file\" Value=\"" + id +
           ".csv\"/><Argument Key=\"columns\" Value=\"" + columns + "\"/></Component>\n";
  };
  const auto check = [&](const std::string& column) {
    here.Write("it.xml", "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"it\">\n" +
                             series("two", "a=flow@up[m3 s-1], b=flow@down[m3 s-1]") + series("one", column) +
                             "<Compare Simulated=\"two.flow\" Observed=\"one.flow\" Measures=\"nse\"/>\n<Run "
                             "From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/>\n</Composition>\n");
    return here.Run({"check", "it.xml"});
  };
  EXPECT_EQ(check("c=flow@down[m3 s-1]").exit_code, 0);
  const ChildResult apart = check("c=flow@sea[m3 s-1]");
  EXPECT_EQ(apart.exit_code, 5);
  EXPECT_THAT(apart.out, HasSubstr("it.xml:4: expected two items with an element of the same id, or with one element "
                                   "each, found no id of 'one.flow' in 'two.flow'; compare items at the same places"));
}

TEST(CheckCommand, SaysWhatCannotBeObserved) {
  const Workplace here;
  here.Write("r.jsonl", R"({"time":"2020-01-01T00:00:00Z","x":1,"mode":"on"})");
  const auto check = [&](const std::string& components, const std::string& item) {
    here.Write("it.xml", "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"it\">\n" + components +
                             "<Observe Item=\"" + item +
                             "\"/>\n<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-01T00:00:01Z\"/>\n</Composition>\n");
    return here.Run({"check", "it.xml"});
  };
  const ChildResult texts = check(StreamOf("<Argument Key=\"recording\" Value=\"r.jsonl\"/>\n"
                                           "<Argument Key=\"fields\" Value=\"x, mode:string\"/>\n"),
                                  "s.mode");
  EXPECT_EQ(texts.exit_code, 0) << texts.out;
  EXPECT_THAT(texts.out, AllOf(HasSubstr("it.xml:6: s.mode: "),
                               HasSubstr("found one of type string: results and report will not contain it"),
                               HasSubstr("[warning]")));
  const std::string fields =
      "<Component Id=\"m\" Type=\"openmi.osi.Message\" Assembly=\"openmi-osmp-bridge\">"
      "<Argument Key=\"fields\" Value=\"host_vehicle_id.value\"/></Component>\n"
      "<Component Id=\"s\" Type=\"openmi.osi.Fields\" Assembly=\"openmi-osmp-bridge\">"
      "<Argument Key=\"fields\" Value=\"x=moving_object[*].base.position.x\"/></Component>\n"
      "<Component Id=\"c\" Type=\"openmi.Constant\" Assembly=\"openmi-components\"><Argument Key=\"value\" "
      "Value=\"1\"/><Argument Key=\"gives\" Value=\"instant\"/></Component>\n"
      "<Link From=\"c.value\" To=\"m.host_vehicle_id.value\"/>\n<Link From=\"m.message\" To=\"s.message\"/>\n";
  EXPECT_THAT(check(fields, "m.message").out, HasSubstr("openmi.osi.Recorder"));
  const ChildResult loose = check(fields, "s.x");
  EXPECT_EQ(loose.exit_code, 5);
  EXPECT_THAT(loose.out, AllOf(HasSubstr("elements appear and disappear"), HasSubstr("objects=\"10 11\"")));
}

class HostileLibrary : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(HostileLibrary, IsAProblemWithASentence) {
  const auto& [type, sentence] = GetParam();
  const Workplace here;
  here.WriteOmi("bad.omi", type, std::string(type) == "test.Never" ? "load_crash" : "tool_components");
  // Those that end by themselves have the time for it.
  const std::string limit = std::string(type) == "test.Hanging" ? "1.5" : "60";
  const auto begin = std::chrono::steady_clock::now();
  const ChildResult result = here.Run({"check", "bad.omi", "--timeout", limit});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_EQ(result.exit_code, 5) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("bad.omi: expected the library to load"), HasSubstr(sentence)));
  const ChildResult described = here.Run({"describe", "bad.omi", "--timeout", limit});
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
  EXPECT_THAT(result.out, HasSubstr("pond.xml:3: wave: expected the library to load"));
  EXPECT_THAT(result.out, Not(HasSubstr("tank:")));
}

TEST(CheckCommand, TheTimeLimitIsForEachComponentAndNotForAllOfThem) {
  const Workplace here;
  here.WriteOmi("slow.omi", "test.Slow");
  std::string components;
  for (const char* id : {"a", "b", "c", "d", "e"}) {
    components += std::string("<Component Id=\"") + id + "\" Omi=\"slow.omi\"/>\n";
  }
  here.Write("slow.xml", "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"slow\">\n" + components +
                             "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/>\n</Composition>\n");
  const ChildResult result = here.Run({"check", "slow.xml", "--timeout", "8"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
}

TEST(CheckCommand, OneThatRunsOutOfTimeIsReportedOnceAndAccusesNobodyElse) {
  const Workplace here;
  here.WriteOmi("wave.omi", "test.Wave");
  here.WriteOmi("hang.omi", "test.Hanging");
  std::string components;
  for (int i = 0; i < 20; ++i) components += "<Component Id=\"w" + std::to_string(i) + "\" Omi=\"wave.omi\"/>\n";
  components += "<Component Id=\"h1\" Omi=\"hang.omi\"/>\n<Component Id=\"h2\" Omi=\"hang.omi\"/>\n";
  here.Write("many.xml", "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"many\">\n" + components +
                             "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/>\n</Composition>\n");
  const ChildResult late = here.Run({"check", "many.xml", "--timeout", "5", "--json"});
  EXPECT_EQ(late.exit_code, 5);
  const json answer = json::parse(late.out);
  EXPECT_EQ(answer.at("errors"), 1) << late.out;
  EXPECT_EQ(answer.at("problems").at(0).at("component"), "h1");
  // No library can be blamed for a limit that nothing can keep.
  const ChildResult never = here.Run({"check", "many.xml", "--timeout", "0.0001", "--json"});
  EXPECT_EQ(never.exit_code, 5);
  const json nobody = json::parse(never.out);
  EXPECT_EQ(nobody.at("errors"), 1) << never.out;
  EXPECT_THAT(nobody.at("problems").at(0).at("remedy"), HasSubstr("--timeout"));
}

TEST(CheckCommand, WhatALibraryPrintsIsNoAnswer) {
  const Workplace here;
  here.WriteOmi("talking.omi", "test.Talking");
  const ChildResult result = here.Run({"check", "talking.omi"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "no problems\n");
  EXPECT_TRUE(json::parse(here.Run({"describe", "talking.omi", "--json"}).out).is_object());
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

TEST(CheckCommand, AnnexAOfAModelThatStopsAtTheEndOfItsOwnTime) {
  const Workplace here;
  here.WriteOmi("stopping.omi", "test.Stopping");
  const ChildResult result = here.Run({"check", "stopping.omi", "--component", "--json"});
  EXPECT_EQ(result.exit_code, 5);
  const json report = json::parse(result.out);
  std::map<std::string, int> verdicts;
  for (const json& one : report.at("results")) {
    ++verdicts[one.at("verdict")];
    if (one.at("number") != "12.1") continue;
    EXPECT_EQ(one.at("verdict"), "failed");
    EXPECT_THAT(one.at("sentence"), HasSubstr("ended with exit code 0"));
  }
  EXPECT_EQ(verdicts["failed"], 1) << result.out;
  EXPECT_EQ(verdicts["not reached"], 0) << result.out;
  EXPECT_GT(verdicts["passed"], 20);
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
  EXPECT_THAT(result.out, AllOf(HasSubstr("rain.xml:4: rain.elements-file: "),
                                HasSubstr("catchments.geojson:4: expected GeoJSON"), HasSubstr("1 problem")));
}

}  // namespace
