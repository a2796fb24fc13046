// System structures and FMUs at the command line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/fmi-bridge/support/ZipBytes.hpp"
#include "tests/tools/Command.hpp"

namespace {

using openmi::ChildResult;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string PathOfExample(const std::string& name) {
  return std::string(OPENMI_BINARY_DIR) + "/examples/fmus/2/" + name;
}

std::string FileBytes(const std::filesystem::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// first.y -> second.u, ten seconds. \param more  in the second component
std::string PairOfLinears(const std::string& more = {}) {
  const std::string connectors =
      "<Connectors><Connector name=\"u\" kind=\"input\"/><Connector name=\"y\" kind=\"output\"/></Connectors>";
  return "<SystemStructureDescription xmlns=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" "
         "version=\"1.0\" name=\"pair\">\n<System name=\"root\">\n<Elements>\n<Component name=\"first\" "
         "source=\"resources/Linear.fmu\">" +
         connectors + "</Component>\n<Component name=\"second\" source=\"resources/Linear.fmu\">" + connectors + more +
         "</Component>\n</Elements>\n<Connections>\n<Connection startElement=\"first\" startConnector=\"y\" "
         "endElement=\"second\" endConnector=\"u\"/>\n</Connections></System><DefaultExperiment stopTime=\"10\"/>"
         "</SystemStructureDescription>";
}

void WritePair(const Workplace& here) {
  here.Write("pair.ssp", openmi::test::ZipBytes({{"SystemStructure.ssd", PairOfLinears()},
                                                 {"resources/Linear.fmu", FileBytes(PathOfExample("Linear.fmu"))}}));
}

std::size_t RowsOf(const std::string& csv) {
  std::size_t rows = 0;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) rows += line.starts_with("2000-") ? 1 : 0;
  return rows;
}

TEST(SystemStructureCommand, StepEndAndKindCanBeChosen) {
  const Workplace here;
  WritePair(here);
  const ChildResult run = here.Run({"run", "pair.ssp", "--step", "0.25", "--stop-time", "2", "--kind", "model-exchange",
                                    "--tolerance", "1e-9", "--inputs", "end", "--solver", "adams"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(RowsOf(here.Read("results/pair.csv")), 9U) << here.Read("results/pair.csv");
  const ChildResult check = here.Run({"check", "pair.ssp", "--step", "0.25", "--stop-time", "-1"});
  EXPECT_THAT(check.out, HasSubstr("pair.ssp/SystemStructure.ssd:1: expected an end of the run after its start"));
  EXPECT_THAT(here.Run({"run", "pair.ssp", "--step", "0"}).err, HasSubstr("expected a number above 0 after --step"));
  here.WriteComposition("pond.xml");
  const ChildResult other = here.Run({"run", "pond.xml", "--step", "3"});
  EXPECT_NE(other.exit_code, 0);
  EXPECT_THAT(other.err, HasSubstr("expected a system structure (.ssp, .ssd) with --step, found 'pond.xml'"));
}

TEST(SystemStructureCommand, TheNounHasInfoCheckRunAndExport) {
  const Workplace here;
  WritePair(here);
  const ChildResult info = here.Run({"ssp", "info", "pair.ssp"});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_THAT(info.out, AllOf(HasSubstr("pair  SSP 1.0"), HasSubstr("component first: resources/Linear.fmu, inputs: 1"),
                              HasSubstr("system root, connections: 1")));
  const auto printed = nlohmann::json::parse(here.Run({"ssp", "info", "pair.ssp", "--json"}).out);
  EXPECT_EQ(printed.at("system").at("elements").at(1).at("name"), "second");
  const ChildResult not_one = here.Run({"ssp", "info", PathOfExample("Linear.fmu")});
  EXPECT_EQ(not_one.exit_code, 2) << not_one.out;
  EXPECT_THAT(not_one.err, HasSubstr("use openmi fmu info"));
  EXPECT_EQ(here.Run({"ssp", "check", "pair.ssp"}).exit_code, 0);
  ASSERT_EQ(here.Run({"ssp", "run", "pair.ssp", "--results", "first"}).exit_code, 0);
  const ChildResult written = here.Run({"ssp", "export", "pair.ssp", "-o", "new.ssp"});
  EXPECT_EQ(written.exit_code, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("new.ssp: SSP 2.0"));
  // A composition of the package, as a package again.
  ASSERT_EQ(here.Run({"new", "composition", "pair.ssp", "-o", "kept"}).exit_code, 0);
  ASSERT_EQ(here.Run({"ssp", "export", "kept/composition.xml", "--version", "1.0", "-o", "kept.ssp"}).exit_code, 0);
  const auto rows = [&](const std::string& csv) {
    const std::string text = here.Read(csv);
    return text.substr(text.find("\ntime"));
  };
  for (const char* name : {"new", "kept"}) {
    ASSERT_EQ(here.Run({"ssp", "run", std::string(name) + ".ssp", "--results", name}).exit_code, 0);
    EXPECT_EQ(rows(std::string(name) + "/" + name + ".csv"), rows("first/pair.csv")) << name;
  }
  here.WriteComposition("pond.xml");
  const ChildResult other = here.Run({"ssp", "export", "pond.xml", "-o", "pond.ssp"});
  EXPECT_EQ(other.exit_code, 5);
  EXPECT_THAT(other.err, HasSubstr("expected components that are FMUs"));
  EXPECT_EQ(here.Read("pond.ssp"), "");
  EXPECT_EQ(here.Run({"ssp", "export", "pair.ssp", "-o", "pair.ssp"}).exit_code, 2);
}

TEST(SystemStructureCommand, InfoShowsWhatAMappingMakesOfValues) {
  const Workplace here;
  const std::string mapped =
      "<ParameterBindings><ParameterBinding><ParameterValues><ParameterSet version=\"1.0\" name=\"s\"><Parameters>"
      "<Parameter name=\"size\"><Real value=\"2\"/></Parameter></Parameters></ParameterSet></ParameterValues>"
      "<ParameterMapping><ParameterMapping version=\"1.0\"><MappingEntry source=\"size\" target=\"a\">"
      "<LinearTransformation factor=\"6\" offset=\"2\"/></MappingEntry></ParameterMapping></ParameterMapping>"
      "</ParameterBinding></ParameterBindings>";
  std::filesystem::create_directories(here / "resources");
  std::filesystem::copy(PathOfExample("Linear.fmu"), here / "resources/Linear.fmu");
  here.Write("mapped.ssd", PairOfLinears(mapped));
  const ChildResult info = here.Run({"ssp", "info", "mapped.ssd", "--json"});
  const auto printed = nlohmann::json::parse(info.out).at("system").at("elements").at(1).at("parameters");
  const auto expected = nlohmann::json::parse(R"([{"name": "a", "value": "2", "factor": 6.0, "offset": 2.0}])");
  EXPECT_EQ(printed, expected) << info.err;
}

TEST(SystemStructureCommand, MessagesAndReportNameTheDescription) {
  const Workplace here;
  const std::string wrong =
      "<ParameterBindings><ParameterBinding><ParameterValues><ParameterSet version=\"1.0\" name=\"s\"><Parameters>"
      "<Parameter name=\"a\"><String value=\"much\"/></Parameter></Parameters></ParameterSet></ParameterValues>"
      "</ParameterBinding></ParameterBindings>";
  std::filesystem::create_directories(here / "resources");
  std::filesystem::copy(PathOfExample("Linear.fmu"), here / "resources/Linear.fmu");
  here.Write("wrong.ssd", PairOfLinears(wrong));
  for (const char* command : {"check", "run"}) {
    const ChildResult result = here.Run({command, "wrong.ssd"});
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.out + result.err, AllOf(HasSubstr("wrong.ssd:5: "), Not(HasSubstr("/openmi-"))));
  }
  here.Write("good.ssd", PairOfLinears());
  const ChildResult run = here.Run({"run", "good.ssd"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(here.Read("results/good.html"), AllOf(HasSubstr("good.ssd"), Not(HasSubstr("/openmi-"))));
}

TEST(SystemStructureCommand, AFolderWithADescriptionNamesTheFile) {
  const Workplace here;
  here.Write("lars/OspSystemStructure.xml", "<OspSystemStructure/>");
  const ChildResult run = here.Run({"run", "lars"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("expected a file, found the folder 'lars'; name lars/OspSystemStructure.xml"));
}

TEST(SystemStructureCommand, TheCompositionCanBeKept) {
  const Workplace here;
  WritePair(here);
  const ChildResult made =
      here.Run({"new", "composition", "pair.ssp", "-o", "kept", "--name", "pair", "--step", "0.5"});
  EXPECT_EQ(made.exit_code, 0) << made.out << made.err;
  EXPECT_THAT(here.Read("kept/pair.xml"),
              AllOf(HasSubstr("Value=\"resources/Linear.fmu\""), HasSubstr("Value=\"PT0.5S\"")));
  EXPECT_EQ(here.Run({"run", "kept/pair.xml", "--results", "kept", "--no-report"}).exit_code, 0);
  EXPECT_EQ(here.Run({"run", "pair.ssp", "--step", "0.5", "--no-report"}).exit_code, 0);
  EXPECT_EQ(here.Run({"compare", "kept/pair.csv", "results/pair.csv"}).exit_code, 0);
  EXPECT_EQ(RowsOf(here.Read("kept/pair.csv")), 21U);
  // FMUs beside a description stay there.
  std::filesystem::create_directories(here / "sys/resources");
  std::filesystem::copy(PathOfExample("Linear.fmu"), here / "sys/resources/Linear.fmu");
  here.Write("sys/pair.ssd", PairOfLinears());
  EXPECT_EQ(here.Run({"new", "composition", "sys/pair.ssd", "-o", "beside"}).exit_code, 0);
  EXPECT_THAT(here.Read("beside/composition.xml"), HasSubstr("Value=\"../sys/resources/Linear.fmu\""));
  EXPECT_EQ(here.Run({"run", "beside/composition.xml", "--no-report"}).exit_code, 0);
  EXPECT_THAT(here.Run({"new", "composition", "pair.ssp", "sys/pair.ssd"}).err,
              HasSubstr("one system structure alone"));
}

TEST(SystemStructureCommand, OneWithoutComponentsIsCheckedAndCannotRun) {
  const Workplace here;
  here.Write(
      "none.ssd",
      "<SystemStructureDescription xmlns=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" "
      "version=\"1.0\" name=\"none\"><System name=\"root\"><Connectors><Connector name=\"k\" kind=\"parameter\"/>"
      "</Connectors></System></SystemStructureDescription>");
  const ChildResult check = here.Run({"check", "none.ssd"});
  EXPECT_EQ(check.exit_code, 0) << check.out;
  EXPECT_THAT(check.out,
              HasSubstr("none.ssd:1: expected components in the system, found none: there is nothing to run"));
  EXPECT_NE(here.Run({"run", "none.ssd"}).exit_code, 0);
}

TEST(SystemStructureCommand, AMissingFmuIsSaidAndNotWhatComesOfIt) {
  const Workplace here;
  here.Write("pair.ssd",
             PairOfLinears("<ParameterBindings><ParameterBinding><ParameterValues><ParameterSet "
                           "version=\"1.0\" name=\"s\"><Parameters><Parameter name=\"a\"><Real value=\"2\"/>"
                           "</Parameter></Parameters></ParameterSet></ParameterValues></ParameterBinding>"
                           "</ParameterBindings>"));
  for (const char* command : {"check", "run"}) {
    const ChildResult result = here.Run({command, "pair.ssd"});
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.out + result.err,
                AllOf(HasSubstr("pair.ssd:4: expected the file 'resources/Linear.fmu' in the package, found none"),
                      HasSubstr("2 problems"), Not(HasSubstr("expected the id of an argument"))));
  }
}

TEST(SystemStructureCommand, AnFmuForAnotherMachineIsRefusedByTheCheck) {
  const Workplace here;
  const std::filesystem::path fmu = here / "resources/Linear.fmu";
  std::filesystem::create_directories(fmu);
  std::filesystem::copy(PathOfExample("Linear"), fmu, std::filesystem::copy_options::recursive);
  for (const auto& platform : std::filesystem::directory_iterator(fmu / "binaries")) {
    std::filesystem::rename(platform.path(), fmu / "other");
    break;
  }
  std::filesystem::rename(fmu / "other", fmu / "binaries/win64");
  here.Write("pair.ssd", PairOfLinears());
  const ChildResult check = here.Run({"check", "pair.ssd"});
  EXPECT_NE(check.exit_code, 0);
  EXPECT_THAT(check.out, HasSubstr("pair.ssd:4: first.fmu: expected a library binaries/"));
  const ChildResult alone = here.Run({"fmu", "check", "resources/Linear.fmu"});
  EXPECT_NE(alone.exit_code, 0);
  EXPECT_THAT(alone.out, HasSubstr("for this machine, found "));
  EXPECT_EQ(here.Run({"fmu", "info", "resources/Linear.fmu"}).exit_code, 0) << "it can be read about";
}

TEST(SystemStructureCommand, TextsWithDollarsStayWhatTheyAre) {
  const Workplace here;
  std::filesystem::create_directories(here / "${x}/resources");
  std::filesystem::copy(PathOfExample("Linear.fmu"), here / "${x}/resources/Linear.fmu");
  here.Write("${x}/pair.ssd", PairOfLinears());
  const ChildResult run = here.Run({"run", "${x}/pair.ssd", "--set", "x=elsewhere", "--no-report"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(here.Run({"new", "composition", "${x}/pair.ssd", "-o", "kept"}).exit_code, 0);
  EXPECT_THAT(here.Read("kept/composition.xml"), HasSubstr("Value=\"../$${x}/resources/Linear.fmu\""));
  EXPECT_EQ(here.Run({"run", "kept/composition.xml", "--no-report"}).exit_code, 0);
}

TEST(SystemStructureCommand, AFileThatDoesNotFitIsAProblemOfItsOwnAmongSeveral) {
  const Workplace here;
  WritePair(here);
  here.WriteComposition("pond.xml");
  const std::string fmu = PathOfExample("Linear.fmu");
  const ChildResult both = here.Run({"check", fmu, "pond.xml"});
  EXPECT_EQ(both.exit_code, 5) << both.out << both.err;
  EXPECT_THAT(both.out, AllOf(HasSubstr("found the FMU '" + fmu + "'"), HasSubstr("pond.xml: 1 note, no problems\n")));
  const ChildResult mixed = here.Run({"check", "pond.xml", "pair.ssp", "--step", "0.5", "--json"});
  EXPECT_EQ(mixed.exit_code, 5) << mixed.err;
  const auto answers = nlohmann::json::parse(mixed.out);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].at("file"), "pond.xml");
  EXPECT_THAT(answers[0].at("problems").dump(), HasSubstr("expected a system structure (.ssp, .ssd) with --step"));
  EXPECT_EQ(answers[1].at("errors"), 0) << mixed.out;
  // What fits none of them, or nothing at all, is said before any is looked at.
  here.WriteComposition("lake.xml");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"pond.xml", "lake.xml", "--step", "0.5"},
                                                {"pond.xml", "pair.ssp", "--step", "much"},
                                                {"pond.xml", "pair.ssp", "--timeout", "much"}}) {
    std::vector<std::string> command = {"check"};
    command.insert(command.end(), words.begin(), words.end());
    const ChildResult refused = here.Run(command);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, HasSubstr(words[2]));
  }
}

TEST(SystemStructureCommand, AnExportReplacesNothingThatItReads) {
  const Workplace here;
  WritePair(here);
  const std::string pair = here.Read("pair.ssp");
  std::filesystem::copy(PathOfExample("Linear.fmu"), here / "Linear.fmu");
  const std::string fmu = here.Read("Linear.fmu");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"fmu", "export", "pair.ssp", "-o", "pair.ssp"},
                                                {"ssp", "export", "pair.ssp", "-o", "Linear.fmu"},
                                                {"ssp", "export", "pair.ssp", "-o", "./pair.ssp"}}) {
    const ChildResult refused = here.Run(words);
    EXPECT_EQ(refused.exit_code, 2) << refused.out;
    EXPECT_THAT(refused.err, HasSubstr("expected "));
  }
  EXPECT_THAT(here.Run({"ssp", "export", "pair.ssp", "-o", "none/again.ssp"}).err,
              HasSubstr("none/again.ssp: expected the folder none, found none"));
  EXPECT_EQ(here.Read("pair.ssp"), pair);
  EXPECT_EQ(here.Read("Linear.fmu"), fmu);
}

TEST(SystemStructureCommand, StartValuesCanBeGiven) {
  const Workplace here;
  WritePair(here);
  const auto last_row = [&](const std::vector<std::string>& command, const std::string& name) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"--results", "results", "--overwrite"});
    const ChildResult run = here.Run(words);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::string csv = here.Read("results/" + name + ".csv");
    return csv.substr(std::min(csv.rfind("\n2000-"), csv.size()));
  };
  const auto with_values = [](std::vector<std::string> words) {
    words.insert(words.end(), {"--start", "first.u=3", "--start", "second.a=0.25"});
    return words;
  };
  const std::string given = last_row(with_values({"ssp", "run", "pair.ssp"}), "pair");
  EXPECT_NE(given, last_row({"ssp", "run", "pair.ssp"}, "pair"));
  // The same as arguments of a composition, and as parameters of a package.
  ASSERT_EQ(here.Run(with_values({"new", "composition", "pair.ssp", "-o", "kept"})).exit_code, 0);
  EXPECT_EQ(given, last_row({"run", "kept/composition.xml"}, "composition"));
  ASSERT_EQ(here.Run(with_values({"ssp", "export", "pair.ssp", "-o", "again.ssp"})).exit_code, 0);
  EXPECT_EQ(given, last_row({"ssp", "run", "again.ssp"}, "again"));

  const auto refused = [&](const std::string& setting, int code) {
    const ChildResult result = here.Run({"ssp", "run", "pair.ssp", "--start", setting, "--results", "none"});
    EXPECT_EQ(result.exit_code, code) << setting;
    EXPECT_FALSE(std::filesystem::exists(here / "none"));
    return result.err;
  };
  EXPECT_THAT(refused("frist.u=3", 5), HasSubstr("found 'frist.u'; did you mean 'first.u'?"));
  EXPECT_THAT(refused("first.y=3", 5), HasSubstr("first.y: expected a variable that can be set before the run"));
  EXPECT_THAT(refused("first.a=", 5), HasSubstr("first.a: expected a value after '=', found none"));
  EXPECT_THAT(refused("first.u=much", 5), HasSubstr("first.u: expected a number"));
  EXPECT_THAT(refused("first.u", 2), HasSubstr("expected NAME=VALUE after --start, found 'first.u'"));
  EXPECT_THAT(here.Run({"ssp", "check", "pair.ssp", "--start", "second.u=1"}).out,
              HasSubstr("second.u: expected an input without a connection, found one that 'first.y' gives its values"));
  here.WriteComposition("pond.xml");
  EXPECT_THAT(here.Run({"run", "pond.xml", "--start", "pond.u=3"}).err,
              HasSubstr("expected a system structure (.ssp, .ssd) with --start, found 'pond.xml'"));
}

TEST(SystemStructureCommand, HasNoPlaceForValuesOfVariables) {
  const Workplace here;
  // Not compressed, so that the bytes of the package hold the name.
  here.Write("pair.ssp", openmi::test::ZipBytes({{"SystemStructure.ssd", PairOfLinears("<!-- ${x} -->")},
                                                 {"resources/Linear.fmu", FileBytes(PathOfExample("Linear.fmu"))}}));
  for (const char* command : {"check", "run"}) {
    const ChildResult result = here.Run({command, "pair.ssp", "--set", "x=1", "--set", "y=2"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    const std::string said = result.out + result.err;
    for (const char* setting : {"x=1", "y=2"}) {
      EXPECT_THAT(said, HasSubstr("pair.ssp: expected a composition with --set " + std::string(setting) +
                                  ", found a system structure, which has no variables"));
    }
  }
}

TEST(SystemStructureCommand, RefusesTheTimesOfOmiFiles) {
  const Workplace here;
  WritePair(here);
  for (const char* option : {"--from", "--to"}) {
    const ChildResult made = here.Run({"new", "composition", "pair.ssp", "-o", "made", option, "2020-01-01T00:00Z"});
    EXPECT_EQ(made.exit_code, 2);
    EXPECT_THAT(made.err, AllOf(HasSubstr("found " + std::string(option)), HasSubstr("--start-time and --stop-time")));
    EXPECT_FALSE(std::filesystem::exists(here / "made"));
  }
  EXPECT_EQ(here.Run({"new", "composition", "pair.ssp", "-o", "made", "--start-time", "1"}).exit_code, 0);
}

TEST(FmuCommand, AnFmuWhereACompositionIsExpectedSaysWhatTakesIt) {
  const Workplace here;
  for (const std::string& file : {PathOfExample("Linear.fmu"), PathOfExample("Linear")}) {
    for (const char* command : {"check", "run", "describe", "graph"}) {
      const ChildResult result = here.Run({command, file});
      EXPECT_NE(result.exit_code, 0);
      EXPECT_THAT(result.err,
                  AllOf(HasSubstr("found the FMU '" + file + "'"), HasSubstr("openmi fmu info, check or run")));
    }
  }
}

TEST(FmuCommand, AnFmuThatCannotBeDescribedLeavesNoFiles) {
  const Workplace here;
  const ChildResult made =
      here.Run({"new", "fmu-composition", PathOfExample("Linear"), "-o", "out", "--timeout", "0.001"});
  EXPECT_NE(made.exit_code, 0);
  EXPECT_THAT(made.err, HasSubstr("did not end within 0.001 s"));
  EXPECT_FALSE(std::filesystem::exists(here / "out/composition.xml"));
  EXPECT_FALSE(std::filesystem::exists(here / "out/Linear.omi"));
}

TEST(FmuCommand, AStateGoesOnFromRunToRun) {
  const Workplace here;
  const auto run = [&](const std::vector<std::string>& options) {
    std::vector<std::string> line = {"fmu", "run", PathOfExample("BouncingBall.fmu"), "--step", "0.125"};
    line.insert(line.end(), options.begin(), options.end());
    return here.Run(line);
  };
  EXPECT_EQ(run({"--stop-time", "2", "-o", "whole.csv"}).exit_code, 0);
  EXPECT_EQ(run({"--stop-time", "0.75", "--end-state", "warm.state", "-o", "first.csv"}).exit_code, 0);
  const ChildResult rest = run({"--stop-time", "2", "--start-state", "warm.state", "-o", "rest.csv"});
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  const std::string whole = here.Read("whole.csv"), rows = here.Read("rest.csv");
  EXPECT_THAT(whole, testing::EndsWith(rows.substr(rows.find("\n0.75,"))));
  EXPECT_EQ(run({"--start-state", "none.state"}).exit_code, 3);
  EXPECT_THAT(here.Run({"fmu", "run", PathOfExample("Linear.fmu"), "--start-state", "warm.state"}).err,
              HasSubstr("warm.state: expected the state of an FMU with the token"));
  // The state has the start: a stop time before that of the FMU's own experiment.
  const auto dahlquist = [&](const std::vector<std::string>& options) {
    std::vector<std::string> line = {"fmu", "run", PathOfExample("Dahlquist.fmu"), "--step", "0.5"};
    line.insert(line.end(), options.begin(), options.end());
    return here.Run(line);
  };
  EXPECT_EQ(dahlquist({"--start-time", "-2", "--stop-time", "-1.5", "--end-state", "early.state"}).exit_code, 0);
  const ChildResult early = dahlquist({"--stop-time", "-1", "--start-state", "early.state"});
  EXPECT_EQ(early.exit_code, 0) << early.err;
  EXPECT_THAT(early.out, HasSubstr("\n-1,"));
}

TEST(FmuCommand, AStateThatCannotBeWrittenLosesNoRows) {
  const Workplace here;
  const auto run = [&](const std::vector<std::string>& options) {
    std::vector<std::string> line = {"fmu", "run", PathOfExample("Dahlquist.fmu"), "--step", "0.5"};
    line.insert(line.end(), options.begin(), options.end());
    return here.Run(line);
  };
  const ChildResult nowhere = run({"--end-state", "none/end.state", "--quiet"});
  EXPECT_EQ(nowhere.exit_code, 7);
  EXPECT_THAT(nowhere.err, HasSubstr("none/end.state: expected the folder none, found none"));
  const ChildResult early = run({"--end-state", ".", "--quiet"});
  EXPECT_NE(early.exit_code, 0);
  EXPECT_THAT(early.err, HasSubstr("expected a file for the state of the FMU"));
  // Later, a state of 80 kB is more than a file may have here.
  const std::string line = "trap '' XFSZ; ulimit -f 128; exec '" + Workplace::Program() + "' fmu run '" +
                           PathOfExample("../3/Heat") + "' --step 0.1 --stop-time 1 --end-state end.state -o rows.csv";
  const ChildResult late = openmi::RunInChild({"/usr/bin/env", "-C", here.Path().string(), "/bin/sh", "-c", line}, {});
  EXPECT_NE(late.exit_code, 0);
  EXPECT_THAT(late.err, HasSubstr("end.state: expected a file for the state of the FMU"));
  EXPECT_THAT(here.Read("rows.csv"), HasSubstr("\n1,"));
  EXPECT_FALSE(std::filesystem::exists(here / "end.state.part"));
}

TEST(FmuCommand, AStateReplacesNoFileOfItsRun) {
  const Workplace here;
  std::filesystem::copy(PathOfExample("Dahlquist.fmu"), here / "own.fmu");
  const std::string before = here.Read("own.fmu");
  const auto refused = [&](const std::vector<std::string>& options) {
    std::vector<std::string> line = {"fmu", "run", "own.fmu"};
    line.insert(line.end(), options.begin(), options.end());
    const ChildResult result = here.Run(line);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_THAT(refused({"--end-state", "./own.fmu"}), HasSubstr("another file for --end-state, found that of the FMU"));
  EXPECT_THAT(refused({"--end-state", "a.csv", "-o", "./a.csv"}), HasSubstr("--end-state, found that of -o"));
  EXPECT_THAT(refused({"--end-state", "u.csv", "--input", "u.csv"}), HasSubstr("found that of --input"));
  EXPECT_THAT(refused({"--start-state", "warm.state", "-o", "warm.state"}),
              HasSubstr("another file for -o, found that of --start-state"));
  EXPECT_THAT(refused({"--input", "u.csv", "--plot", "./u.csv"}), HasSubstr("for --plot, found that of --input"));
  EXPECT_EQ(here.Read("own.fmu"), before);
}

TEST(FmuCommand, ARunNamesTheOptionThatCannotBe) {
  const Workplace here;
  const std::string fmu = PathOfExample("Linear.fmu");
  const auto refused = [&](const std::vector<std::string>& options, int code) {
    std::vector<std::string> line = {"fmu", "run", fmu};
    line.insert(line.end(), options.begin(), options.end());
    const ChildResult run = here.Run(line);
    EXPECT_EQ(run.exit_code, code) << testing::PrintToString(options);
    EXPECT_THAT(run.err, Not(HasSubstr("modelDescription.xml"))) << testing::PrintToString(options);
    return run.err;
  };
  EXPECT_THAT(refused({"--stop-time", "-1"}, 2), HasSubstr("at or after the start, 0, for --stop-time, found -1"));
  EXPECT_THAT(refused({"--step", "0"}, 2), HasSubstr("expected a number above 0 for --step, found 0"));
  EXPECT_THAT(refused({"--step", "0.01", "--record-every", "0.015"}, 4), HasSubstr("record-every: expected a time"));
  EXPECT_THAT(refused({"--variable", "y,u"}, 2), HasSubstr("repeat the option: --variable y --variable u"));
  EXPECT_THAT(refused({"--plot", "b.png"}, 2), HasSubstr("ends in .svg after --plot, found 'b.png'"));
  EXPECT_THAT(refused({"-o", "none/x.csv"}, 7), HasSubstr("expected the folder none, found none; make it"));
  EXPECT_THAT(refused({"--input", "none.csv"}, 3), HasSubstr("none.csv"));
  here.Write("in.csv", "time;u\n0;0\n");
  EXPECT_THAT(refused({"--input", "in.csv"}, 4), HasSubstr("expected columns between commas, found ';' between them"));
}

TEST(FmuCommand, AColumnHasTheNameOfTheAliasThatWasAskedFor) {
  const Workplace here;
  const std::string fmu = std::string(OPENMI_BINARY_DIR) + "/examples/fmus/3/Linear";
  std::filesystem::copy(fmu, here / "Linear", std::filesystem::copy_options::recursive);
  std::string text = here.Read("Linear/modelDescription.xml");
  text.insert(text.find("</Float64>", text.find("name=\"y\"")), "<Alias name=\"y_too\"/>");
  here.Write("Linear/modelDescription.xml", text);
  const ChildResult run = here.Run({"fmu", "run", "Linear", "--stop-time", "1", "--variable", "y_too"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, testing::StartsWith("time,y_too\n"));
}

TEST(FmuCommand, ARunWithoutOutputsSaysSo) {
  const Workplace here;
  std::filesystem::copy(PathOfExample("Linear"), here / "Linear", std::filesystem::copy_options::recursive);
  std::string text = here.Read("Linear/modelDescription.xml");
  const auto drop = [&](const std::string& from, const std::string& to) {
    for (std::size_t at; (at = text.find(from)) != std::string::npos;) {
      const std::size_t end = text.find(to, at) + to.size();
      text.erase(at, end - at);
    }
  };
  drop("<Outputs>", "</Outputs>");
  for (std::size_t at; (at = text.find("causality=\"output\"")) != std::string::npos;) {
    text.replace(at, 18, "causality=\"local\"");
  }
  here.Write("Linear/modelDescription.xml", text);
  const ChildResult run = here.Run({"fmu", "run", "Linear", "--stop-time", "1"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("expected outputs to record, found none: only times are written"));
}

}  // namespace
