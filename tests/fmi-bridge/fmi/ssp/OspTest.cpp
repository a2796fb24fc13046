// System structures of the Open Simulation Platform as compositions.
#include <gmock/gmock.h>

#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/fmi/ssp/SystemFixture.hpp"

namespace openmi::ssp {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OspSystems : public SystemFixture {
 protected:
  static std::string Structure(const std::string& simulators, const std::string& more = {}) {
    return "<?xml version=\"1.0\"?>\n<OspSystemStructure "
           "xmlns=\"http://opensimulationplatform.com/MSMI/OSPSystemStructure\" version=\"0.1\">\n"
           "<StartTime>1.0</StartTime><EndTime>9</EndTime><BaseStepSize>0.1</BaseStepSize>\n"
           "<Algorithm>fixedStep</Algorithm>\n<Simulators>\n" +
           simulators + "</Simulators>\n" + more + "</OspSystemStructure>\n";
  }
  static std::string Simulator(const std::string& name, const std::string& fmu, const std::string& more = {},
                               const std::string& inside = {}) {
    return "<Simulator name=\"" + name + "\" source=\"resources/" + fmu + ".fmu\" " + more + ">" + inside +
           "</Simulator>\n";
  }
  static std::string Ends(const std::string& kind, const std::string& one, const std::string& other) {
    return "<" + kind + ">" + one + other + "</" + kind + ">\n";
  }
  static std::string Variable(const std::string& simulator, const std::string& name, const char* kind = "Variable") {
    return std::string("<") + kind + " simulator=\"" + simulator + "\" name=\"" + name + "\"/>";
  }
  static std::string Signal(const std::string& function, const std::string& name, const char* kind = "Signal") {
    return std::string("<") + kind + " function=\"" + function + "\" name=\"" + name + "\"/>";
  }
  CompositionFile Read(const std::string& text, Problems& problems) {
    return ImportSystemStructure(scratch_.Write("OspSystemStructure.xml", text), problems).composition;
  }
  CompositionFile ReadWell(const std::string& text) {
    Problems problems;
    CompositionFile file = Read(text, problems);
    for (const Problem& problem : problems) {
      if (problem.severity != Problem::Note) ADD_FAILURE() << FormatProblem(problem);
    }
    return file;
  }
  std::string Complaints(const std::string& text) {
    Problems problems;
    std::string all;
    try {
      Read(text, problems);
    } catch (const Error& error) {
      all = std::string(error.what()) + "\n";
    }
    for (const Problem& problem : problems) {
      EXPECT_NE(problem.where.file, "") << problem.problem;
      if (problem.severity == Problem::Error) all += FormatProblem(problem) + "\n";
    }
    return all;
  }
  std::string OfConnections(const std::string& connections) {
    return Complaints(
        Structure(Simulator("a", "source") + Simulator("z", "sink"), "<Connections>" + connections + "</Connections>"));
  }
  std::string OfFunction(const std::string& function) {
    return Complaints(Structure(Simulator("a", "source"), "<Functions>" + function + "</Functions>"));
  }
};

TEST_F(OspSystems, SimulatorsStepsValuesAndConnectionsAreRead) {
  const CompositionFile file = ReadWell(Structure(
      Simulator("a", "source", "stepSize=\"0.05\"",
                "<InitialValues><InitialValue variable=\"p\"><Real value=\"2.5\"/></InitialValue></InitialValues>") +
          Simulator("z", "sink", "",
                    "<InitialValues><InitialValue variable=\"mode\"><String value=\"b\"/></InitialValue>"
                    "<InitialValue variable=\"b\"><Boolean value=\"1\"/></InitialValue></InitialValues>"),
      "<Connections>" + Ends("VariableConnection", Variable("z", "u"), Variable("a", "y")) +
          Ends("VariableConnection", Variable("a", "b"), Variable("z", "b")) + "</Connections>"));
  EXPECT_EQ(ArgumentOf(file, "a", "time-step"), "PT0.05S");
  EXPECT_EQ(ArgumentOf(file, "z", "time-step"), "PT0.1S");
  EXPECT_EQ(ArgumentOf(file, "a", "p"), "2.5");
  EXPECT_EQ(ArgumentOf(file, "z", "mode"), "b");
  EXPECT_EQ(ArgumentOf(file, "z", "b"), "true");
  ASSERT_EQ(file.links.size(), 2U);
  EXPECT_EQ(file.links[0].Text(), "a.y -> z.u") << "in the direction of the causality";
  EXPECT_EQ(AdaptorsOf(file.links[0]), "expression(formula=x,unit=mm)") << "the number stays";
  EXPECT_EQ(file.observes.size(), 3U) << "all outputs";
  EXPECT_NEAR((*file.run->to - *file.run->from).count * 86400.0, 8.0, 1e-6);
}

TEST_F(OspSystems, NamesThatNothingReadsAreWarnings) {
  std::string text = Structure(Simulator("a", "source", "stepsize=\"0.05\"", "<InitialValue variable=\"p\"/>"),
                               "<Functions><LinearTransformation name=\"f\" faktor=\"2\"/></Functions>");
  text.replace(text.find("<EndTime>9</EndTime>"), 20, "<EndTme>9</EndTme>");
  Problems problems;
  Read(text, problems);
  std::string all;
  for (const Problem& one : problems) all += one.severity == Problem::Warning ? FormatProblem(one) + "\n" : "";
  EXPECT_THAT(all, AllOf(HasSubstr(":3: expected an element of OspSystemStructure, found 'EndTme': it is not read; did "
                                   "you mean 'EndTime'?"),
                         HasSubstr(":6: expected an attribute of Simulator, found 'stepsize': it is not read; did you "
                                   "mean 'stepSize'?"),
                         HasSubstr("expected an element of Simulator, found 'InitialValue'"),
                         HasSubstr("expected an attribute of LinearTransformation, found 'faktor'")));
}

TEST_F(OspSystems, FilesMayDifferInTheCaseOfLetters) {
  Problems problems;
  const CompositionFile file = Read(Structure(Simulator("a", "Source")), problems);
  ASSERT_EQ(file.components.size(), 1U);
  EXPECT_THAT(ArgumentOf(file, "a", "fmu"), HasSubstr("resources/source.fmu"));
  ASSERT_GE(problems.size(), 1U);
  EXPECT_THAT(FormatProblem(problems[0]),
              HasSubstr("expected the file 'resources/Source.fmu', found 'resources/source.fmu', which differs in "
                        "the case of letters: it is taken"));
  EXPECT_THAT(Complaints(Structure(Simulator("a", "Sourc"))), HasSubstr("found none"));
}

TEST_F(OspSystems, FoldersOutsideAreNotListed) {
  std::filesystem::create_directory_symlink("/", scratch_ / "resources/out");
  EXPECT_THAT(Complaints(Structure(Simulator("a", "out/x"))), HasSubstr("which leads out of it by a link"));
}

TEST_F(OspSystems, AnIntegerNamesTheItemOfAnEnumeration) {
  scratch_.Write("resources/gear.fmu",
                 test::ZipBytes({{"modelDescription.xml",
                                  "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"G\" guid=\"g\"><CoSimulation "
                                  "modelIdentifier=\"m\"/><TypeDefinitions><SimpleType name=\"T\"><Enumeration><Item "
                                  "name=\"two\" value=\"2\"/><Item name=\"one\" value=\"1\"/></Enumeration>"
                                  "</SimpleType></TypeDefinitions><ModelVariables><ScalarVariable name=\"e\" "
                                  "valueReference=\"1\" causality=\"parameter\" variability=\"fixed\"><Enumeration "
                                  "declaredType=\"T\" start=\"1\"/></ScalarVariable></ModelVariables><ModelStructure/>"
                                  "</fmiModelDescription>",
                                  8}}));
  Problems problems;
  const CompositionFile file =
      Read(Structure(Simulator("g", "gear", "",
                               "<InitialValues><InitialValue variable=\"e\"><Integer value=\"2\"/></InitialValue>"
                               "</InitialValues>")),
           problems);
  EXPECT_EQ(ArgumentOf(file, "g", "e"), "two");
}

TEST_F(OspSystems, RemediesAreInItsWords) {
  EXPECT_THAT(Complaints(Structure(Simulator("a", "Sourc"))),
              HasSubstr("expected the file 'resources/Sourc.fmu' in the folder, found none"));
  EXPECT_THAT(Complaints(Structure(Simulator("a", "../../x"))),
              AllOf(HasSubstr("which leads out of it"), HasSubstr("put the file into the folder")));
  std::string text = Structure(Simulator("a", "source"));
  text.erase(text.find("<EndTime>"), std::string("<EndTime>9</EndTime>").size());
  Problems problems;
  Read(text, problems);
  std::string all;
  for (const Problem& problem : problems) all += problem.problem + "\n";
  EXPECT_THAT(all, AllOf(HasSubstr("expected EndTime, found none"), Not(HasSubstr("DefaultExperiment"))));
}

TEST_F(OspSystems, FunctionsCompute) {
  const CompositionFile file = ReadWell(Structure(
      Simulator("a", "source") + Simulator("c", "source") + Simulator("z", "sink"),
      "<Functions><Sum name=\"sum\" inputCount=\"2\"/><LinearTransformation name=\"line\" factor=\"3\" offset=\"-1\"/>"
      "</Functions><Connections>" +
          Ends("SignalConnection", Variable("a", "y"), Signal("sum", "in[0]")) +
          Ends("SignalConnection", Signal("sum", "in[1]"), Variable("c", "y")) +
          Ends("SignalConnection", Signal("sum", "out"), Variable("z", "u")) +
          Ends("SignalConnection", Signal("line", "in"), Variable("a", "y")) + "</Connections>"));
  EXPECT_EQ(file.Component("sum")->type, "openmi.Expression");
  EXPECT_EQ(ArgumentOf(file, "sum", "inputs"), "x1, x2");
  EXPECT_EQ(ArgumentOf(file, "sum", "outputs"), "y1 = x1 + x2");
  EXPECT_EQ(ArgumentOf(file, "line", "outputs"), "y1 = (3) * x1 + (-1)");
  EXPECT_EQ(ArgumentOf(file, "sum", "time-step"), "PT0.1S");
  EXPECT_EQ(ArgumentOf(file, "z", "missing-inputs"), "hold");
  ASSERT_EQ(file.links.size(), 4U);
  EXPECT_EQ(file.links[1].Text(), "c.y -> sum.x2");
  EXPECT_EQ(file.links[2].Text(), "sum.y1 -> z.u");
}

TEST_F(OspSystems, GroupsOfVariablesAreConnectedInOrder) {
  Fmu("resources/pair.fmu",
      "<ScalarVariable name=\"p\" valueReference=\"1\" causality=\"output\"><Real/></ScalarVariable>"
      "<ScalarVariable name=\"q\" valueReference=\"2\" causality=\"output\"><Real/></ScalarVariable>"
      "<ScalarVariable name=\"v\" valueReference=\"3\" causality=\"input\"><Real start=\"0\"/></ScalarVariable>"
      "<ScalarVariable name=\"w\" valueReference=\"4\" causality=\"input\"><Real start=\"0\"/></ScalarVariable>");
  // The model's name is M.
  scratch_.Write("M_OspModelDescription.xml",
                 "<OspModelDescription version=\"1.0\"><VariableGroups>"
                 "<Generic name=\"outs\"><Force name=\"f\"><Variable ref=\"p\"/></Force><Variable ref=\"q\"/></Generic>"
                 "<Generic name=\"ins\"><Force name=\"g\"><Variable ref=\"v\"/></Force><Variable ref=\"w\"/></Generic>"
                 "</VariableGroups></OspModelDescription>");
  const std::string simulators = Simulator("a", "pair") + Simulator("z", "pair");
  const CompositionFile file = ReadWell(Structure(
      simulators,
      "<Functions><VectorSum name=\"s\" inputCount=\"2\" dimension=\"2\"/></Functions><Connections>" +
          Ends("VariableGroupConnection", Variable("z", "ins", "VariableGroup"),
               Variable("a", "outs", "VariableGroup")) +
          Ends("VariableGroupConnection", Variable("z", "f", "VariableGroup"), Variable("a", "g", "VariableGroup")) +
          Ends("SignalGroupConnection", Signal("s", "in[1]", "SignalGroup"), Variable("a", "outs", "VariableGroup")) +
          "</Connections>"));
  ASSERT_EQ(file.links.size(), 5U);
  EXPECT_EQ(file.links[0].Text(), "a.q -> z.w");
  EXPECT_EQ(file.links[1].Text(), "a.p -> z.v");
  EXPECT_EQ(file.links[2].Text(), "z.p -> a.v") << "a group in a group";
  EXPECT_EQ(file.links[3].Text(), "a.q -> s.x3");
  EXPECT_EQ(ArgumentOf(file, "s", "outputs"), "y1 = x1 + x3; y2 = x2 + x4");
  EXPECT_THAT(Complaints(Structure(simulators, "<Connections>" +
                                                   Ends("VariableGroupConnection", Variable("z", "f", "VariableGroup"),
                                                        Variable("a", "ins", "VariableGroup")) +
                                                   "</Connections>")),
              HasSubstr("expected two groups of one size, found 1 variables and 2"));
}

TEST_F(OspSystems, HostileOnesSayWhatIsWrong) {
  EXPECT_THAT(Complaints("<OspSystemStructure version=\"0.2\"/>"), HasSubstr("of version 0.1, found"));
  EXPECT_THAT(Complaints("<Other version=\"0.1\"/>"), HasSubstr("found 'Other'"));
  EXPECT_THAT(Complaints("<OspSystemStructure version=\"0.1\"/>"), HasSubstr("expected Simulators, found none"));
  EXPECT_THAT(Complaints("<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><OspSystemStructure/>"),
              HasSubstr("expected no entity declarations"));
  for (const char* source : {"proxyfmu://localhost?file=x.fmu", "http://example.org/x.fmu", "/etc/passwd", "../x.fmu",
                             "", "resources/none.fmu", "x%zz.fmu"}) {
    const std::string simulator = std::string("<Simulator name=\"a\" source=\"") + source + "\"/>";
    EXPECT_THAT(Complaints(Structure(simulator)), HasSubstr("expected an FMU as source of 'a', found: ")) << source;
  }
  EXPECT_THAT(Complaints(Structure("<Simulator source=\"resources/source.fmu\"/>")),
              HasSubstr("expected a name of its own for each Simulator"));
  EXPECT_THAT(Complaints(Structure(Simulator("a", "source") + Simulator("a", "sink"))),
              HasSubstr("expected a name of its own for each Simulator, found 'a'"));
  for (const char* step : {"0", "-1", "x", "nan", "1e999", ""}) {
    EXPECT_NE(Complaints(Structure(Simulator("a", "source", std::string("stepSize=\"") + step + "\""))), "") << step;
  }
  const auto value = [&](const std::string& inside) {
    return Complaints(Structure(Simulator("a", "source", "", "<InitialValues>" + inside + "</InitialValues>")));
  };
  EXPECT_THAT(value("<InitialValue variable=\"p\"><Real value=\"much\"/></InitialValue>"),
              HasSubstr("expected a value of type Real for 'p', found 'much'"));
  EXPECT_THAT(value("<InitialValue variable=\"p\"><Code value=\"1\"/></InitialValue>"),
              HasSubstr("expected a value of type Code"));
  EXPECT_THAT(value("<InitialValue variable=\"p\"/>"), HasSubstr("expected a variable and one value in InitialValue"));
  EXPECT_THAT(value("<InitialValue><Real value=\"1\"/></InitialValue>"),
              HasSubstr("expected a variable and one value"));
  EXPECT_THAT(OfFunction("<Product name=\"f\"/>"), HasSubstr("expected LinearTransformation, Sum or VectorSum"));
  EXPECT_THAT(OfFunction("<Sum name=\"a\" inputCount=\"2\"/>"),
              HasSubstr("expected a name of its own for each function"));
  EXPECT_THAT(OfFunction("<LinearTransformation name=\"f\" factor=\"1); x\"/>"),
              HasSubstr("expected a number as factor"));
  for (const char* count : {"0", "-2", "x", "", "10001", "99999999999999999999"}) {
    EXPECT_THAT(OfFunction(std::string("<Sum name=\"f\" inputCount=\"") + count + "\"/>"),
                HasSubstr("expected inputCount from 1 to 10000"))
        << count;
  }
  EXPECT_THAT(OfConnections(Ends("VariableConnection", Variable("b", "y"), Variable("z", "u"))),
              HasSubstr("expected a simulator of the file, found 'b'"));
  EXPECT_THAT(OfConnections(Ends("VariableConnection", Variable("a", "why"), Variable("z", "u"))),
              HasSubstr("expected a variable of 'a', found 'why'"));
  EXPECT_THAT(OfConnections(Ends("VariableConnection", Variable("z", "n"), Variable("z", "u"))),
              HasSubstr("where both take values"));
  EXPECT_THAT(OfConnections("<VariableConnection/>"), HasSubstr("expected two ends of a VariableConnection, found 0"));
  EXPECT_THAT(OfConnections(Ends("SignalConnection", Signal("a", "in"), Variable("z", "u"))),
              HasSubstr("expected a function of the file, found 'a'"));
  EXPECT_THAT(OfConnections(Ends("VariableGroupConnection", Variable("a", "g", "VariableGroup"),
                                 Variable("z", "g", "VariableGroup"))),
              HasSubstr("expected a group of 'a' with variables, found 'g'"));
}

struct HostileCase {
  const char* what;
  std::string text;
  const char* words;
};

TEST_F(OspSystems, HostileDescriptionsOfGroupsSayWhatIsWrong) {
  const std::string simulators = Simulator("a", "source") + Simulator("z", "sink");
  const std::string both =
      Structure(simulators, "<Connections>" +
                                Ends("VariableGroupConnection", Variable("a", "outs", "VariableGroup"),
                                     Variable("z", "ins", "VariableGroup")) +
                                "</Connections>");
  const auto groups = [](const std::string& inside) {
    return "<OspModelDescription version=\"1.0\">\n<VariableGroups>\n" + inside +
           "</VariableGroups></OspModelDescription>";
  };
  const std::string ins = "<Generic name=\"ins\"><Variable ref=\"u\"/></Generic>\n";
  const std::string outs = "<Generic name=\"outs\"><Variable ref=\"y\"/></Generic>\n";
  constexpr char kXml[] = "M_OspModelDescription.xml:1: expected well-formed XML";
  constexpr char kNoOuts[] = "expected a group of 'a' with variables, found 'outs'; check the _OspModelDescription.xml";
  constexpr char kNoIns[] = "expected a group of 'z' with variables, found 'ins'";
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "<Generic name=\"g\">";
  const HostileCase cases[] = {
      {"empty", "", "M_OspModelDescription.xml: expected "},
      {"no XML", "PK\x03\x04", kXml},
      {"cut", "<OspModelDescription", kXml},
      {"not closed", "<OspModelDescription><VariableGroups>", kXml},
      {"closed wrongly", "<OspModelDescription></VariableGroups>", kXml},
      {"not UTF-8", "<OspModelDescription a=\"\xFF\"/>", "UTF-8"},
      {"an entity", "<!DOCTYPE a [<!ENTITY b \"c\">]><OspModelDescription/>",
       "M_OspModelDescription.xml:1: expected no entity declarations"},
      {"an entity of a file", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><OspModelDescription/>",
       "M_OspModelDescription.xml:1: expected no entity declarations"},
      {"deep", groups(deep), "M_OspModelDescription.xml:"},
      {"another root", "<OspModel/>", "xml:1: expected the root element OspModelDescription, found 'OspModel'"},
      {"a structure", "<OspSystemStructure/>", "found 'OspSystemStructure'; check that this is the description"},
      {"no groups", "<OspModelDescription/>", kNoOuts},
      {"groups in another place", "<OspModelDescription><a>" + groups(ins + outs) + "</a></OspModelDescription>",
       kNoOuts},
      {"none", groups(""), kNoOuts},
      {"one of them only", groups(outs), kNoIns},
      {"the other one only", groups(ins), kNoOuts},
      {"an empty one", groups(ins + "<Generic name=\"outs\"/>"), kNoOuts},
      {"one with others but no variables", groups(ins + "<Generic name=\"outs\"><Force name=\"f\"/></Generic>"),
       kNoOuts},
      {"one without a name", groups(ins + "<Generic><Variable ref=\"y\"/></Generic>"), kNoOuts},
      {"an unknown variable", groups(ins + "<Generic name=\"outs\"><Variable ref=\"why\"/></Generic>"),
       "expected a variable of 'a', found 'why'"},
      {"a variable without a name", groups(ins + "<Generic name=\"outs\"><Variable/></Generic>"),
       "expected a variable of 'a', found ''"},
      {"a path", groups(ins + "<Generic name=\"outs\"><Variable ref=\"../y\"/></Generic>"),
       "expected a variable of 'a', found '../y'"},
      {"two for one", groups(ins + "<Generic name=\"outs\"><Variable ref=\"y\"/><Variable ref=\"n\"/></Generic>"),
       "expected two groups of one size, found 2 variables and 1"},
      {"another direction", groups(ins + "<Generic name=\"outs\"><Variable ref=\"p\"/></Generic>"), "expected "},
      {"both take values",
       groups("<Generic name=\"outs\"><Variable ref=\"u\"/></Generic><Generic name=\"ins\"><Variable "
              "ref=\"u\"/></Generic>"),
       "expected a variable of 'a', found 'u'"},
  };
  for (const HostileCase& one : cases) {
    SCOPED_TRACE(one.what);
    scratch_.Write("M_OspModelDescription.xml", one.text);
    EXPECT_THAT(Complaints(both), HasSubstr(one.words));
  }
  scratch_.Write("M_OspModelDescription.xml", groups(ins + outs));
  EXPECT_EQ(Complaints(both), "");
}

TEST_F(OspSystems, HostileConnectionsSayWhatIsWrong) {
  const std::string a = Variable("a", "y"), z = Variable("z", "u");
  const HostileCase cases[] = {
      {"an unknown kind", Ends("VariablesConnection", a, z),
       "expected a connection, found 'VariablesConnection'; did you mean 'VariableConnection'?"},
      {"a kind of SSP", Ends("Connection", a, z), "expected a connection, found 'Connection'"},
      {"a simulator", Simulator("b", "source"), "expected a connection, found 'Simulator'"},
      {"one end", "<VariableConnection>" + a + "</VariableConnection>", "two ends of a VariableConnection, found 1"},
      {"three ends", Ends("VariableConnection", a, z + z), "expected two ends of a VariableConnection, found 3"},
      {"no ends of signals", "<SignalConnection/>", "expected two ends of a SignalConnection, found 0"},
      {"no ends of groups", "<SignalGroupConnection/>", "expected two ends of a SignalGroupConnection, found 0"},
      {"both give", Ends("VariableConnection", a, Variable("a", "n")), "where both give values"},
      {"an end without a simulator", Ends("VariableConnection", a, "<Variable name=\"u\"/>"),
       "expected a simulator of the file, found ''"},
      {"an end without a name", Ends("VariableConnection", a, "<Variable simulator=\"z\"/>"),
       "expected a variable of 'z', found ''"},
      {"a function that is none", Ends("SignalConnection", Signal("f", "out"), z),
       "expected a function of the file, found 'f'"},
      {"an unknown end", Ends("VariableConnection", a, "<Robot simulator=\"z\" name=\"u\"/>"),
       "expected a group of 'z' with variables, found 'u'"},
      {"twice", Ends("VariableConnection", a, z) + Ends("VariableConnection", a, z), "expected one source of 'u'"},
      {"a path as a simulator", Ends("VariableConnection", a, Variable("../z", "u")),
       "expected a simulator of the file, found '../z'"},
  };
  for (const HostileCase& one : cases) {
    SCOPED_TRACE(one.what);
    EXPECT_THAT(OfConnections(one.text), HasSubstr(one.words));
  }
}

}  // namespace
}  // namespace openmi::ssp
