// What `openmi new` writes is checked and run as it is. (Projects are built in Package.AnInstalledTree... .)

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/Command.hpp"

namespace {

using openmi::ChildResult;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string Example(int version, const std::string& name) {
  return std::string(OPENMI_BINARY_DIR) + "/examples/fmus/" + std::to_string(version) + "/" + name + ".fmu";
}

void ExpectThatItRuns(const Workplace& here, const std::string& composition) {
  const ChildResult check = here.Run({"check", composition});
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
  const ChildResult run = here.Run({"run", composition, "--quiet", "--overwrite", "--results", "results"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
}

TEST(New, HelpNamesTheKinds) {
  const Workplace here;
  EXPECT_THAT(here.Run({"new", "--help"}).out, AllOf(HasSubstr("component "), HasSubstr("fmu-composition ")));
  EXPECT_THAT(here.Run({"new", "fmu-compositon"}).err, HasSubstr("did you mean 'fmu-composition'?"));
  for (const char* kind : {"component", "c-component", "python-component", "c-solver", "fortran-solver", "bmi-library",
                           "adaptor", "composition", "fmu-composition"}) {
    EXPECT_THAT(here.Run({"new", kind, "--help"}).out, HasSubstr(std::string("Examples:\n  openmi new ") + kind));
  }
}

TEST(New, ACompositionOfFmusIsCheckedAndRuns) {
  const Workplace here;
  const ChildResult made =
      here.Run({"new", "fmu-composition", Example(3, "Linear"), Example(2, "Linear"), Example(2, "Integrator"), "-o",
                "a b", "--name", "pair", "--to", "2000-01-01T00:00:02Z"});
  EXPECT_EQ(made.exit_code, 0) << made.out << made.err;
  EXPECT_THAT(made.out, HasSubstr("no problems"));
  const std::string text = here.Read("a b/pair.xml");
  EXPECT_THAT(text, AllOf(HasSubstr("<Component Id=\"Linear\" Omi=\"Linear.omi\"/>"),
                          HasSubstr("<Component Id=\"Linear-2\" Omi=\"Linear-2.omi\"/>"),
                          HasSubstr("<Link From=\"Linear-2.y\" To=\"Linear.u\"/>"),
                          HasSubstr("<Observe Id=\"Integrator.x\" Item=\"Integrator.x\"/>"),
                          HasSubstr("To=\"2000-01-01T00:00:02Z\"")));
  EXPECT_LT(text.find("<!-- Inputs"), text.find("<Link")) << "only in a comment: the names differ";
  EXPECT_THAT(here.Read("a b/Linear.omi"),
              AllOf(HasSubstr("Key=\"fmu\" Value=\"/"), HasSubstr("Key=\"time-step\" Value=\"PT0.1S\""),
                    HasSubstr("    a = 0.5: factor\n")));
  ExpectThatItRuns(here, "a b/pair.xml");
}

TEST(New, TerminalsOfFmusAreConnectedAsAWhole) {
  const Workplace here;
  const auto fmu = [&here](const std::string& name, const std::string& variable, const std::string& kind) {
    std::filesystem::copy(std::string(OPENMI_BINARY_DIR) + "/examples/fmus/3/Linear", here / name,
                          std::filesystem::copy_options::recursive);
    here.Write(name + "/terminalsAndIcons/terminalsAndIcons.xml",
               "<fmiTerminalsAndIcons fmiVersion=\"3.0\"><Terminals><Terminal name=\"port\" matchingRule=\"plug\" "
               "terminalKind=\"pipe\"><TerminalMemberVariable variableName=\"" +
                   variable + "\" memberName=\"flow\" variableKind=\"" + kind +
                   "\"/></Terminal></Terminals>"
                   "</fmiTerminalsAndIcons>");
  };
  fmu("source", "y", "inflow");
  fmu("sink", "u", "inflow");
  here.Write("sink/extra/org.fmi-standard.fmi-ls-bus/fmi-ls-manifest.xml",
             "<m xmlns:l=\"http://fmi-standard.org/fmi-ls-manifest\" l:fmi-ls-name=\"org.fmi-standard.fmi-ls-bus\" "
             "l:fmi-ls-version=\"1.0.0\" l:fmi-ls-description=\"buses\"/>");
  EXPECT_THAT(here.Run({"fmu", "info", "sink"}).out,
              AllOf(HasSubstr("  terminal port (plug, pipe): flow = u (inflow)\n"),
                    HasSubstr("  layered standard: org.fmi-standard.fmi-ls-bus 1.0.0 (buses)\n"),
                    HasSubstr("  log categories: logEvents, logStatusError\n")));
  const ChildResult made =
      here.Run({"new", "fmu-composition", "source", "sink", "--connect", "sink.port=source.port", "--name", "pipes"});
  EXPECT_EQ(made.exit_code, 0) << made.out << made.err;
  EXPECT_THAT(here.Read("pipes.xml"), HasSubstr("<Link From=\"source.y\" To=\"sink.u\">\n    <Adaptor "
                                                "Id=\"linear-operation\">\n      <Argument Key=\"a\" Value=\"-1\"/>"))
      << "what flows into the one flows out of the other";
  ExpectThatItRuns(here, "pipes.xml");
  const auto refusal = [&here](const std::string& connection) {
    return here.Run({"new", "fmu-composition", "source", "sink", "--connect", connection, "--name", "no"}).err;
  };
  EXPECT_THAT(refusal("source.port"), HasSubstr("expected two terminals as plant.shaft=motor.shaft"));
  EXPECT_THAT(refusal("source.port=gone.port"), HasSubstr("expected two terminals as plant.shaft=motor.shaft"));
  EXPECT_THAT(refusal("source.prt=sink.port"), HasSubstr("expected a terminal of the FMU, found none"));
  fmu("other", "y", "inflow");
  const ChildResult twice = here.Run({"new", "fmu-composition", "source", "sink", "other", "--connect",
                                      "sink.port=source.port", "--connect", "sink.port=other.port", "-o", "twice"});
  EXPECT_NE(twice.exit_code, 0);
  EXPECT_THAT(twice.err, HasSubstr("--connect: expected links that can all be made, found 1 of 2 that cannot: other.y "
                                   "-> sink.u (sink.u has another link)"));
  EXPECT_FALSE(std::filesystem::exists(here / "no.xml"));
  EXPECT_FALSE(std::filesystem::exists(here / "twice/other.omi")) << "nothing half made is left";
}

TEST(New, InputsAreLinkedWhereNameAndUnitFit) {
  const Workplace here;
  std::filesystem::copy(Example(2, "GateController"), here / "gate.fmu");
  here.Write(
      "wave.omi",
      "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"test.Wave\" Assembly=\"" OPENMI_TEST_PLUGINS
      "/libtool_components.so\"><Arguments><Argument Key=\"time-step\" "
      "Value=\"PT7M\"/></Arguments></LinkableComponent>");
  ASSERT_EQ(here.Run({"new", "fmu-composition", "gate.fmu"}).exit_code, 0);
  EXPECT_THAT(here.Read("gate.omi"), HasSubstr("Key=\"fmu\" Value=\"gate.fmu\"")) << "relative where it can be";
  const ChildResult made = here.Run({"new", "composition", "wave.omi", "gate.omi", "--name", "both"});
  EXPECT_EQ(made.exit_code, 0) << made.out << made.err;
  const std::string text = here.Read("both.xml");
  EXPECT_THAT(text, AllOf(HasSubstr("<Link From=\"wave.level\" To=\"gate.level\">\n    <Adaptor Id=\"linear\"/>"),
                          Not(HasSubstr("<!--"))))
      << "7 and 10 minutes meet only through an adaptor";
  ExpectThatItRuns(here, "both.xml");
  EXPECT_THAT(here.Run({"check", "both.xml"}).out, HasSubstr("cm becomes m"));
}

TEST(New, LinksGetTheAdaptorsTheyNeed) {
  const Workplace here;
  const auto omi = [&here](const std::string& name, const std::string& type, const std::string& step) {
    here.Write(name, "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"" + type +
                         "\" Assembly=\"" OPENMI_TEST_PLUGINS
                         "/libtool_components.so\"><Arguments><Argument Key=\"time-step\" Value=\"" +
                         step + "\"/></Arguments></LinkableComponent>");
  };
  omi("wave.omi", "test.Wave", "PT7M");
  omi("tank.omi", "test.Tank", "PT1H");
  const ChildResult made = here.Run({"new", "composition", "wave.omi", "tank.omi"});
  EXPECT_EQ(made.exit_code, 0) << made.out << made.err;
  const std::string text = here.Read("composition.xml");
  EXPECT_THAT(text,
              AllOf(HasSubstr("<Link From=\"wave.flow\" To=\"tank.inflow\">\n    <Adaptor Id=\"mean-over-span\"/>"),
                    HasSubstr("wave.flow -> tank.inflow: linked because the input needs a link"),
                    HasSubstr("<Link From=\"wave.level\" To=\"tank.depth\"><Adaptor Id=\"linear\"/></Link>"),
                    Not(HasSubstr("FILLED IN"))))
      << "tank.depth has a value to start with, and another name";
  EXPECT_LT(text.find("each keeps its start value"), text.find("wave.level\" To=\"tank.depth"));
  ExpectThatItRuns(here, "composition.xml");

  const ChildResult two = here.Run({"new", "composition", "wave.omi", "wave.omi", "tank.omi", "--name", "two"});
  EXPECT_EQ(two.exit_code, 5) << two.out << two.err;
  EXPECT_THAT(two.out, AllOf(HasSubstr("tank.inflow: expected a provider"), HasSubstr("not ready to run")));
  const std::string open = here.Read("two.xml");
  const std::size_t needed = open.find("TO BE FILLED IN: inputs that need a link");
  EXPECT_LT(needed, open.find("From=\"wave.flow\" To=\"tank.inflow\"><Adaptor Id=\"mean-over-span\"/>"));
  EXPECT_LT(needed, open.find("From=\"wave-2.flow\" To=\"tank.inflow\""));
  EXPECT_GT(open.find("each keeps its start value"), needed);
}

TEST(New, NothingIsWrittenOver) {
  const Workplace here;
  here.Write("Linear-2.omi", "mine");
  const ChildResult refused = here.Run({"new", "fmu-composition", Example(2, "Linear"), Example(3, "Linear")});
  EXPECT_EQ(refused.exit_code, 7);
  EXPECT_THAT(refused.err, HasSubstr("Linear-2.omi: expected no file of that name, found one"));
  EXPECT_FALSE(std::filesystem::exists(here / "Linear.omi")) << "none is written where one is in the way";
  EXPECT_EQ(here.Read("Linear-2.omi"), "mine");
  EXPECT_EQ(here.Run({"new", "fmu-composition", Example(2, "Linear"), Example(3, "Linear"), "--overwrite"}).exit_code,
            0);
}

TEST(New, WhatIsNoFmuIsToldAndNothingIsWritten) {
  const Workplace here;
  here.Write("no.fmu", "PK");
  EXPECT_EQ(here.Run({"new", "fmu-composition", "absent.fmu"}).exit_code, 3);
  const ChildResult refused = here.Run({"new", "fmu-composition", Example(2, "Linear"), "no.fmu"});
  EXPECT_EQ(refused.exit_code, 4) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("no.fmu"));
  EXPECT_FALSE(std::filesystem::exists(here / "Linear.omi"));
}

TEST(New, ACompositionToLookAtRuns) {
  const Workplace here;
  ASSERT_EQ(here.Run({"new", "composition", "--name", "first", "-o", "deep/er"}).exit_code, 0);
  ExpectThatItRuns(here, "deep/er/first.xml");
  EXPECT_THAT(here.Read("results/first.csv"), HasSubstr("2020-01-02T00:00:00Z,1.5"));
  here.WriteComposition("pond.xml");
  EXPECT_THAT(here.Run({"new", "composition", "pond.xml"}).err, HasSubstr("expected OMI files, found 'pond.xml'"));
}

TEST(New, AComponentNamesEverythingAfterItself) {
  const Workplace here;
  const ChildResult made = here.Run({"new", "component", "my-tank2"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(here.Read("my-tank2/MyTank2.cpp"),
              AllOf(HasSubstr("\nclass MyTank2 final : public openmi::SteppingComponent {\n"),
                    HasSubstr("\nOPENMI_EXPORT_COMPONENT(MyTank2)\n"), Not(HasSubstr("$"))));
  EXPECT_THAT(here.Read("my-tank2/my-tank2.omi"), HasSubstr("Type=\"MyTank2\" Assembly=\"my_tank2\""));
  EXPECT_THAT(here.Read("my-tank2/CMakeLists.txt"),
              AllOf(HasSubstr("openmi_add_component(my_tank2 "), Not(HasSubstr("$"))));
  for (const char* name : {"2tank", "", "a b", "../x", "t\xc3\xa4nk"}) {
    EXPECT_EQ(here.Run({"new", "component", name}).exit_code, 2) << name;
  }
}

TEST(New, EveryKindOfProjectIsFilledIn) {
  const Workplace here;
  for (const std::string kind :
       {"component", "c-component", "python-component", "c-solver", "fortran-solver", "bmi-library", "adaptor"}) {
    const ChildResult made = here.Run({"new", kind, "my-" + kind + "2"});
    EXPECT_EQ(made.exit_code, 0) << kind << made.err;
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(here / ("my-" + kind + "2"))) {
      ++files;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      EXPECT_THAT(text, Not(HasSubstr("${"))) << entry.path();
      EXPECT_THAT(entry.path().string(), Not(HasSubstr("${")));
    }
    EXPECT_GE(files, 3) << kind;
    EXPECT_EQ(here.Run({"new", kind, "my-" + kind + "2"}).exit_code, 7) << "nothing is written over";
    EXPECT_EQ(here.Run({"new", kind, "2" + kind}).exit_code, 2);
  }
}

}  // namespace
