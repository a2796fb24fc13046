// What is wanted of a system beside its description, and what is said about it.
#include <gmock/gmock.h>

#include <algorithm>

#include "composition/link/Variables.hpp"
#include "fmi-bridge/fmi/component/Fmu.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/fmi/ssp/SystemFixture.hpp"

namespace openmi::ssp {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string AllTextOf(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    text += std::string(SeverityName(problem.severity)) + ": " + FormatProblem(problem) + "\n";
  }
  return text;
}

class SystemOptionsTest : public SystemFixture {
 protected:
  static std::string Pair(const std::string& more = {}) {
    return "<Elements>" + Source() + Sink() + "</Elements><Connections>" + Wire("a", "y", "z", "u") + "</Connections>" +
           more;
  }
  CompositionFile With(const SystemOptions& options, const std::string& ssd) {
    problems_.clear();
    return ImportSystemStructure(scratch_.Write("SystemStructure.ssd", ssd), problems_, options).composition;
  }
  std::string Package(const std::vector<test::ZipEntry>& more) const {
    std::vector<test::ZipEntry> entries = more;
    for (const char* name : {"source", "sink"}) {
      const std::string file = std::string("resources/") + name + ".fmu";
      entries.push_back({file, scratch_.Read(file)});
    }
    return scratch_.Write("p.ssp", test::ZipBytes(entries));
  }

  Problems problems_;
};

TEST_F(SystemOptionsTest, AreArgumentsOfEveryFmu) {
  SystemOptions options;
  options.start = 2.0;
  options.stop = 5.0;
  options.step = 0.25;
  options.tolerance = 1e-8;
  options.kind = "model-exchange";
  options.inputs = "begin";
  options.solver = "adams";
  const CompositionFile file = With(options, Description(Pair()));
  EXPECT_EQ(file.run->from->mjd, 51544.0 + 2.0 / 86400.0);
  EXPECT_EQ(file.run->to->mjd, 51544.0 + 5.0 / 86400.0);
  for (const char* component : {"a", "z"}) {
    EXPECT_EQ(ArgumentOf(file, component, "time-step"), "PT0.25S");
    EXPECT_EQ(ArgumentOf(file, component, "tolerance"), "1e-08");
    EXPECT_EQ(ArgumentOf(file, component, "kind"), "model-exchange");
    EXPECT_EQ(ArgumentOf(file, component, "inputs"), "begin");
    EXPECT_EQ(ArgumentOf(file, component, "solver"), "adams");
  }
  options.stop = 1.0;
  With(options, Description(Pair()));
  EXPECT_THAT(AllTextOf(problems_), HasSubstr("expected an end of the run after its start at 2 s, found 1 s"));
}

TEST_F(SystemOptionsTest, TakeStepsOfAnnotations) {
  const auto annotated = [](const std::string& inside) {
    return "<Annotations><Annotation type=\"other\"><Algorithm>" + inside + "</Algorithm></Annotation></Annotations>";
  };
  const std::string experiment = "<DefaultExperiment stopTime=\"10\">" +
                                 annotated("<FixedStepAlgorithm baseStepSize=\"1e-2\"/>") + "</DefaultExperiment>";
  CompositionFile file = With({}, Description(Pair(), experiment));
  EXPECT_EQ(ArgumentOf(file, "a", "time-step"), "PT0.01S");
  EXPECT_THAT(AllTextOf(problems_), HasSubstr("note: "));
  EXPECT_THAT(AllTextOf(problems_), HasSubstr("FMUs without a step of their own make steps of 0.01 s"));
  // That of a system is nearer, and that of a component nearer still.
  const std::string parts = "<Elements>" + Source("a", annotated("<StepSizeHint value=\"0.5\"/>")) + Sink() +
                            "</Elements>" + annotated("<FixedStepMaster stepSize=\"0.2\"/>");
  file = With({}, Description(parts, experiment));
  EXPECT_EQ(ArgumentOf(file, "a", "time-step"), "PT0.5S");
  EXPECT_EQ(ArgumentOf(file, "z", "time-step"), "PT0.2S");
  // What is asked for beats them all.
  SystemOptions options;
  options.step = 0.1;
  file = With(options, Description(parts, experiment));
  EXPECT_EQ(ArgumentOf(file, "a", "time-step"), "PT0.1S");
  EXPECT_EQ(AllTextOf(problems_), "");
  file = With({}, Description(Pair(annotated("<VariableStepMaster/>"))));
  EXPECT_EQ(ArgumentOf(file, "a", "time-step"), "no such argument");
  EXPECT_THAT(AllTextOf(problems_), HasSubstr("found VariableStepMaster, which is not read"));
}

std::string OfOpenModelica(const std::string& information) {
  return "<Annotations><Annotation type=\"org.openmodelica\"><oms:Annotations xmlns:oms=\"oms\">" + information +
         "</oms:Annotations></Annotation></Annotations>";
}

constexpr const char* kBothKinds = "<ModelExchange modelIdentifier=\"m\"/><CoSimulation modelIdentifier=\"m\"/>";

TEST_F(SystemOptionsTest, TakeSolversOfAnnotationsForModelExchange) {
  WriteSource(kBothKinds);
  const auto solver = [](const std::string& attributes) {
    return OfOpenModelica("<oms:SimulationInformation><oms:VariableStepSolver " + attributes +
                          "/></oms:SimulationInformation>");
  };
  CompositionFile file =
      With({}, Description(Pair(solver("description=\"cvode\" relativeTolerance=\"1e-5\" absoluteTolerance=\"1e-7\" "
                                       "minimumStepSize=\"0.0001\" maximumStepSize=\"0.25\""))));
  EXPECT_EQ(ArgumentOf(file, "a", "kind"), "model-exchange");
  EXPECT_EQ(ArgumentOf(file, "a", "solver"), "bdf");
  EXPECT_EQ(ArgumentOf(file, "a", "tolerance"), "1e-05");
  EXPECT_EQ(ArgumentOf(file, "a", "absolute-tolerance"), "1e-07");
  EXPECT_EQ(ArgumentOf(file, "a", "time-step"), "PT0.25S");
  EXPECT_EQ(ArgumentOf(file, "z", "solver"), "no such argument") << "it is for co-simulation only";
  EXPECT_THAT(AllTextOf(problems_),
              HasSubstr("the FMU a runs for model exchange and CVODE (bdf) solves it with tolerance 1e-05"));
  EXPECT_THAT(AllTextOf(problems_), Not(HasSubstr("warning")));
  // Options and the kind of the component have priority.
  SystemOptions options;
  options.solver = "adams";
  options.tolerance = 1e-8;
  options.step = 0.5;
  const std::string euler = solver("description=\"euler\" relativeTolerance=\"1e-5\" maximumStepSize=\"0.25\"");
  file = With(options, Description(Pair(euler)));
  EXPECT_EQ(ArgumentOf(file, "a", "solver"), "adams");
  EXPECT_EQ(ArgumentOf(file, "a", "tolerance"), "1e-08");
  EXPECT_EQ(ArgumentOf(file, "a", "time-step"), "PT0.5S");
  EXPECT_THAT(AllTextOf(problems_), HasSubstr("which names euler: that solver is not here"));
  options = {};
  options.kind = "co-simulation";
  file = With(options, Description(Pair(euler)));
  EXPECT_EQ(ArgumentOf(file, "a", "kind"), "co-simulation");
  EXPECT_EQ(ArgumentOf(file, "a", "solver"), "no such argument");
  // A master around the solver exchanges values more often than the solver has to step.
  const std::string inner = "<Elements><System name=\"s\"><Elements>" + Source() + "</Elements>" + euler + "</System>";
  const auto master = [&](const char* step) {
    return inner + Sink() + "</Elements>" +
           OfOpenModelica(std::string("<oms:SimulationInformation><oms:FixedStepMaster stepSize=\"") + step +
                          "\"/></oms:SimulationInformation>");
  };
  EXPECT_EQ(ArgumentOf(With({}, Description(master("0.01"))), "s/a", "time-step"), "PT0.01S");
  file = With({}, Description(master("2")));
  EXPECT_EQ(ArgumentOf(file, "s/a", "time-step"), "PT0.25S");
  EXPECT_EQ(ArgumentOf(file, "z", "time-step"), "PT2S");
  EXPECT_EQ(ArgumentOf(file, "z", "solver"), "no such argument");
}

TEST_F(SystemOptionsTest, TakeSolversThatComponentsName) {
  WriteSource(kBothKinds);
  const std::string solvers = OfOpenModelica(
      "<oms:SimulationInformation name=\"fine\" method=\"cvode\" relativeTolerance=\"1e-9\"/>"
      "<oms:SimulationInformation name=\"master\" method=\"oms_ma\" fixedStepSize=\"0.125\"/>");
  const auto named = [](const char* name) {
    return OfOpenModelica(std::string("<oms:SimulationInformation name=\"") + name + "\"/>");
  };
  const auto parts = [&](const char* of_source) {
    return "<Elements>" + Source("a", named(of_source)) + Source("b", named("master")) + Sink() + "</Elements>" +
           solvers;
  };
  CompositionFile file = With({}, Description(parts("fine")));
  EXPECT_EQ(ArgumentOf(file, "a", "kind"), "model-exchange");
  EXPECT_EQ(ArgumentOf(file, "a", "tolerance"), "1e-09");
  EXPECT_EQ(ArgumentOf(file, "b", "solver"), "no such argument");
  EXPECT_EQ(ArgumentOf(file, "b", "time-step"), "PT0.125S");
  EXPECT_EQ(ArgumentOf(file, "z", "solver"), "no such argument");
  file = With({}, Description(parts("finer")));
  EXPECT_EQ(ArgumentOf(file, "a", "solver"), "no such argument");
  EXPECT_THAT(AllTextOf(problems_), HasSubstr("expected a solver that an annotation of a system around this one "
                                              "defines, found 'finer'"));
  for (const char* wrong :
       {"method=\"ida\"", "method=\"cvode\" relativeTolerance=\"-1\"", "method=\"cvode\" maximumStepSize=\"soon\""}) {
    With({}, Description(Pair(OfOpenModelica(std::string("<oms:SimulationInformation name=\"w\" ") + wrong + "/>"))));
    EXPECT_THAT(AllTextOf(problems_), HasSubstr("it was ignored")) << wrong;
  }
}

TEST_F(SystemOptionsTest, ChooseTheDescriptionInAPackage) {
  const std::string package = Package({{"SystemStructure.ssd", Description(Pair())},
                                       {"Other.ssd", Description("<Elements>" + Source("b") + "</Elements>")}});
  Problems problems;
  SystemOptions options;
  EXPECT_EQ(ImportSystemStructure(package, problems, options).composition.components.size(), 2U);
  options.description = "Other.ssd";
  const CompositionFile other = ImportSystemStructure(package, problems, options).composition;
  ASSERT_EQ(other.components.size(), 1U);
  EXPECT_EQ(other.components[0].id, "b");
  EXPECT_EQ(other.path, package + "/Other.ssd");
  EXPECT_EQ(other.id, "Other");
  options.description = "Othr.ssd";
  try {
    ImportSystemStructure(package, problems, options);
    ADD_FAILURE() << "there is no such description";
  } catch (const ArgumentError& error) {
    EXPECT_THAT(error.what(), HasSubstr("found 'Othr.ssd'; did you mean 'Other.ssd'?"));
  }
  EXPECT_THROW(ImportSystemStructure(scratch_.Write("x.ssd", Description(Pair())), problems, options), ArgumentError);
}

TEST_F(SystemOptionsTest, ProblemsNameTheFileAsTheUserKnowsIt) {
  const std::string inner = test::ZipBytes(
      {{"SystemStructure.ssd", Description("<Connectors/>\n<Elements>\n<Component name=\"c\"/></Elements>")}});
  const std::string package =
      Package({{"SystemStructure.ssd",
                Description("\n<Elements>\n" + Source() +
                            "<Component name=\"n\" source=\"resources/n.ssp\"/></Elements>"
                            "<ParameterBindings><ParameterBinding source=\"resources/p.ssv\"/></ParameterBindings>")},
               {"resources/n.ssp", inner},
               {"resources/p.ssv",
                "<ParameterSet version=\"1.0\" name=\"p\"><Parameters>\n<Parameter name=\"a.p\">"
                "<Real value=\"x\"/></Parameter></Parameters></ParameterSet>"}});
  Problems problems;
  const CompositionFile file = ImportSystemStructure(package, problems).composition;
  EXPECT_THAT(AllTextOf(problems),
              AllOf(HasSubstr("error: " + package + "/resources/n.ssp/SystemStructure.ssd:"),
                    HasSubstr("error: " + package + "/resources/p.ssv:2: "), Not(HasSubstr("/openmi-"))));
  EXPECT_EQ(file.path, package + "/SystemStructure.ssd");
  Problems ignored;
  try {
    ImportSystemStructure(scratch_.Write("q.ssp", test::ZipBytes({{"SystemStructure.ssd", "<no"}})), ignored);
    ADD_FAILURE() << "is no XML";
  } catch (const FormatError& error) {
    EXPECT_EQ(error.Place().file, scratch_ / "q.ssp/SystemStructure.ssd");
  }
}

TEST_F(SystemOptionsTest, LinesAreThoseOfTheDescription) {
  const std::string ssd = Description("\n<Elements>\n" + Source() + Sink() + "</Elements>\n<Connections>\n" +
                                      Wire("a", "y", "z", "u") + "</Connections>");
  const auto line_of = [&](const std::string& text) {
    return 1 +
           static_cast<int>(std::count(ssd.begin(), ssd.begin() + static_cast<std::ptrdiff_t>(ssd.find(text)), '\n'));
  };
  const CompositionFile file = With({}, ssd);
  EXPECT_EQ(file.components.at(1).line, line_of("name=\"z\""));
  EXPECT_EQ(file.links.at(0).line, line_of("<Connection "));
  // Of what another file describes, the line that brings it in.
  scratch_.Write("inner.ssd", Description("\n\n\n\n\n\n\n\n<Elements>" + Source("i") + "</Elements>"));
  const std::string outer = Description("\n<Elements>\n<Component name=\"n\" source=\"inner.ssd\"/></Elements>");
  EXPECT_EQ(With({}, outer).components.at(0).line, 5);
}

TEST_F(SystemOptionsTest, OutputsOfTheWholeAreObservedByTheirNames) {
  const std::string inner = "<System name=\"inner\">" + Connectors({{"out", "output"}}) + "<Elements>" + Source() +
                            "</Elements><Connections>" + Wire("a", "y", "", "out") + "</Connections></System>";
  const CompositionFile file =
      With({}, Description(Connectors({{"total", "output"}, {"scaled", "output"}, {"free", "output"}}) + "<Elements>" +
                           inner + Source("s") + "</Elements><Connections>" + Wire("inner", "out", "", "total") +
                           Wire("s", "y", "", "scaled", "<LinearTransformation factor=\"2\"/>") + "</Connections>"));
  const auto found = std::ranges::find(file.observes, "total", &ObserveSpec::id);
  ASSERT_NE(found, file.observes.end());
  EXPECT_EQ(found->item.Text(), "inner/a.y");
  EXPECT_EQ(std::ranges::count(file.observes, "scaled", &ObserveSpec::id), 0);
  EXPECT_THAT(AllTextOf(problems_), HasSubstr("found that 'scaled' is transformed: the results contain s.y instead"));
}

TEST_F(SystemOptionsTest, TypesThatTheStandardLeavesOpenAreConverted) {
  const std::string type =
      "<TypeDefinitions><SimpleType name=\"T\"><Enumeration><Item name=\"two\" value=\"2\"/><Item name=\"one\" "
      "value=\"1\"/></Enumeration></SimpleType></TypeDefinitions>";
  std::string bytes =
      "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"M\" guid=\"g\"><CoSimulation modelIdentifier=\"m\"/>" +
      type +
      "<ModelVariables><ScalarVariable name=\"x\" valueReference=\"1\" causality=\"input\"><Real start=\"0\"/>"
      "</ScalarVariable><ScalarVariable name=\"k\" valueReference=\"2\" causality=\"input\"><Enumeration "
      "declaredType=\"T\" start=\"1\"/></ScalarVariable><ScalarVariable name=\"o\" valueReference=\"3\" "
      "causality=\"output\"><Enumeration declaredType=\"T\"/></ScalarVariable></ModelVariables><ModelStructure/>"
      "</fmiModelDescription>";
  scratch_.Write("resources/kinds.fmu", test::ZipBytes({{"modelDescription.xml", bytes, 8}}));
  const std::string kinds = "<Component name=\"k\" source=\"resources/kinds.fmu\">" +
                            Connectors({{"x", "input"}, {"k", "input"}, {"o", "output"}}) + "</Component>";
  const CompositionFile file = With(
      {}, Description("<Elements>" + Source() + Sink() + kinds + "</Elements><Connections>" + Wire("a", "b", "k", "x") +
                      Wire("a", "n", "k", "k") + Wire("k", "o", "z", "n") + "</Connections>"));
  std::vector<std::string> links;
  for (const LinkSpec& link : file.links) links.push_back(link.Text() + " " + AdaptorsOf(link));
  EXPECT_THAT(links, Contains("a.b -> k.x categories-to-numbers(table=false=0; true=1)"));
  EXPECT_THAT(links, Contains("a.n -> k.k numbers-to-categories(table=one=1; two=2)"));
  EXPECT_THAT(links, Contains("k.o -> z.n categories-to-numbers(table=one=1; two=2)"));
  EXPECT_EQ(CountProblems(problems_, Problem::Note), 3U) << AllTextOf(problems_);
  // An integer is the number of the item, an enumeration its name.
  const auto value_of = [&](const std::string& value) {
    return ArgumentOf(With({}, Description("<Elements>" + kinds + "</Elements>" +
                                           Binding("<Parameter name=\"k.k\">" + value + "</Parameter>"))),
                      "k", "k");
  };
  EXPECT_EQ(value_of("<Integer value=\"2\"/>"), "two");
  EXPECT_EQ(value_of("<Enumeration value=\"one\"/>"), "one");
  EXPECT_EQ(value_of("<Integer value=\"7\"/>"), "7") << "which the check refuses";
}

TEST_F(SystemOptionsTest, AttributesThatTheSchemaForbidsAreWarnings) {
  std::string ssd = Description("\n<Elements>" + Source() + "</Elements>");
  ssd.replace(ssd.find("kind=\"output\""), 13, "kind=\"output\" type=\"Real\" xml:id=\"i\"");
  ssd.replace(ssd.find("<Component name"), 15, "<Component nam=\"x\" name");
  With({}, ssd);
  EXPECT_THAT(
      AllTextOf(problems_),
      AllOf(HasSubstr("SystemStructure.ssd:4: expected an attribute that SSP knows for Component, found 'nam'; it "
                      "was ignored; did you mean 'name'?"),
            HasSubstr("for Connector, found 'type'")));
  EXPECT_EQ(problems_.size(), 2U) << AllTextOf(problems_);
  EXPECT_FALSE(HasErrors(problems_));
}

TEST_F(SystemOptionsTest, ParametersMayLieInsideTheFmu) {
  const std::string set =
      "<ParameterSet version=\"1.0\" name=\"s\"><Parameters>" + Real("k.gain", "7") + "</Parameters></ParameterSet>";
  scratch_.Write("resources/own.fmu",
                 test::ZipBytes({{"modelDescription.xml",
                                  "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"M\" guid=\"g\"><CoSimulation "
                                  "modelIdentifier=\"m\"/><ModelVariables><ScalarVariable name=\"k.gain\" "
                                  "valueReference=\"2\" causality=\"parameter\" variability=\"fixed\"><Real "
                                  "start=\"1\"/></ScalarVariable></ModelVariables><ModelStructure/>"
                                  "</fmiModelDescription>",
                                  8},
                                 {"resources/set.ssv", set}}));
  const auto of = [&](const std::string& source) {
    return With({}, Description("<Elements><Component name=\"o\" source=\"resources/own.fmu\"><ParameterBindings>"
                                "<ParameterBinding source=\"" +
                                source + "\" sourceBase=\"component\"/></ParameterBindings></Component></Elements>"));
  };
  EXPECT_EQ(ArgumentOf(of("resources/set.ssv"), "o", "k.gain"), "7") << AllTextOf(problems_);
  EXPECT_FALSE(HasErrors(problems_)) << AllTextOf(problems_);
  of("../SystemStructure.ssd");
  EXPECT_TRUE(HasErrors(problems_)) << "nothing outside of the FMU";
}

TEST_F(SystemOptionsTest, ASystemWithoutComponentsIsReadAndSaysSo) {
  const CompositionFile file = With({}, Description("<Connectors/>" + Binding(Real("nobody", "1"))));
  EXPECT_TRUE(file.components.empty());
  EXPECT_THAT(AllTextOf(problems_), AllOf(HasSubstr("expected components in the system, found none"),
                                          HasSubstr("found 'nobody'; it was ignored")));
  EXPECT_FALSE(HasErrors(problems_));
}

TEST_F(SystemOptionsTest, TextsOfOthersReadNoVariables) {
  const std::filesystem::path folder = scratch_.Path() / "${x}";
  std::filesystem::create_directories(folder / "resources");
  std::filesystem::copy(scratch_ / "resources/sink.fmu", folder / "resources/sink.fmu");
  const std::string ssd =
      scratch_.Write("${x}/texts.ssd",
                     Description("<Elements>" + Sink() + "</Elements>" +
                                 Binding("<Parameter name=\"z.mode\"><String value=\"cost ${x} each\"/></Parameter>")));
  const CompositionFile file = ImportSystemStructure(ssd, problems_).composition;
  const auto read = [&](const char* key) {
    return Substitute(ArgumentOf(file, "z", key), {{"x", "the owner's"}}, {}, problems_);
  };
  EXPECT_EQ(read("mode"), "cost ${x} each");
  EXPECT_EQ(read("fmu"), std::filesystem::canonical(folder / "resources/sink.fmu").string());
  EXPECT_FALSE(HasErrors(problems_)) << AllTextOf(problems_);
}

TEST_F(SystemOptionsTest, ParametersNamedAsArgumentsAreTheFmus) {
  std::string variables, connectors, values;
  int reference = 1;
  for (const char* name : {"tolerance", "time-step", "inputs", "solver", "kind", "fmu", "gain"}) {
    variables += "<ScalarVariable name=\"" + std::string(name) + "\" valueReference=\"" + std::to_string(reference++) +
                 "\" causality=\"parameter\" variability=\"fixed\"><Real start=\"1\"/></ScalarVariable>";
    values += Real("o." + std::string(name), "7");
  }
  Fmu("resources/own.fmu", variables);
  SystemOptions options;
  options.tolerance = 1e-4;
  const CompositionFile file =
      With(options,
           Description("<Elements><Component name=\"o\" source=\"resources/own.fmu\"/></Elements>" + Binding(values)));
  for (const char* name : {"tolerance", "time-step", "inputs", "solver", "kind", "fmu"}) {
    EXPECT_EQ(ArgumentOf(file, "o", "fmu:" + std::string(name)), "7");
  }
  EXPECT_EQ(ArgumentOf(file, "o", "gain"), "7");
  EXPECT_EQ(ArgumentOf(file, "o", "tolerance"), "0.0001");
  EXPECT_EQ(ArgumentOf(file, "o", "solver"), "no such argument");
  // The component has arguments of these names.
  fmi::Fmu component;
  const auto argument = [&](const std::string& id) {
    const auto arguments = component.Arguments();
    const auto found = std::ranges::find(arguments, id, [](const IArgument* one) { return one->Id(); });
    return found == arguments.end() ? nullptr : *found;
  };
  argument("fmu")->SetValueAsString(ArgumentOf(file, "o", "fmu"));
  for (const ArgumentSpec& one : file.components.at(0).arguments) EXPECT_NE(argument(one.key), nullptr) << one.key;
}

TEST_F(SystemOptionsTest, StartValuesOfTheUserReplaceThoseOfTheFiles) {
  Fmu("resources/kinds.fmu",
      "<ScalarVariable name=\"e\" valueReference=\"3\" causality=\"input\"><Enumeration declaredType=\"T\" "
      "start=\"1\"/></ScalarVariable>",
      std::string(kCoSimulation) +
          "<TypeDefinitions><SimpleType name=\"T\"><Enumeration><Item name=\"off\" value=\"1\"/><Item "
          "name=\"high speed\" value=\"2\"/><Item name=\"1\" value=\"3\"/></Enumeration></SimpleType>"
          "</TypeDefinitions>");
  const std::string inner = "<System name=\"in.ner\">" + Connectors({{"gain", "parameter"}}) + "<Elements>" +
                            Source("deep") + Sink("last") + "</Elements><Connections>" +
                            Wire("", "gain", "last", "k.gain", "<LinearTransformation factor=\"2\" offset=\"1\"/>") +
                            "</Connections></System>";
  const std::string system = Connectors({{"free", "parameter"}, {"tuned", "parameter"}}) + "<Elements>" + Source() +
                             Sink() + inner + "<Component name=\"k\" source=\"resources/kinds.fmu\"/></Elements>" +
                             "<Connections>" + Wire("", "tuned", "z", "k.gain") + "</Connections>" +
                             Binding(Real("a.p", "5", "unit=\"m\"") + Real("tuned", "6"));
  SystemOptions options;
  options.start_values = {{"a.p", "7.5"},         {"in.ner.deep.p", "8"}, {"in_ner/last.n", "9"}, {"tuned", "10"},
                          {"in.ner.gain", "1.5"}, {"z.b", "true"},        {"z.mode", "a=${b} c"}, {"k.e", "2"}};
  CompositionFile file = With(options, Description(system));
  EXPECT_EQ(AllTextOf(problems_), "");
  EXPECT_EQ(ArgumentOf(file, "a", "p"), "7.5");
  EXPECT_EQ(ArgumentOf(file, "in_ner/deep", "p"), "8");
  EXPECT_EQ(ArgumentOf(file, "in_ner/last", "n"), "9");
  EXPECT_EQ(ArgumentOf(file, "in_ner/last", "k.gain"), "4");
  EXPECT_EQ(ArgumentOf(file, "z", "k.gain"), "10");
  EXPECT_EQ(ArgumentOf(file, "z", "b"), "true");
  EXPECT_EQ(ArgumentOf(file, "z", "mode"), AsItIs("a=${b} c"));
  EXPECT_EQ(ArgumentOf(file, "k", "e"), "high speed");
  // The later of two counts, and a name of an item before its number.
  options.start_values = {{"k.e", "off"}, {"k.e", "1"}};
  file = With(options, Description(system));
  EXPECT_EQ(ArgumentOf(file, "k", "e"), "1");
  EXPECT_EQ(ArgumentOf(file, "a", "p"), "5");

  options.start_values = {{"aa.p", "1"}, {"z.k.gian", "1"}, {"in.ner.depe.p", "1"}, {"free", "1"}, {"k", "1"}};
  With(options, Description(system));
  EXPECT_THAT(AllTextOf(problems_),
              AllOf(HasSubstr("SystemStructure.ssd: aa.p: expected a parameter of 'top' or of an element in it, found "
                              "'aa.p'; did you mean 'a.p'?"),
                    HasSubstr("z.k.gian: expected a variable of 'z', found 'k.gian'; did you mean 'k.gain'?"),
                    HasSubstr("in.ner.depe.p: expected a parameter of 'in.ner' or of an element in it, found "
                              "'depe.p'; did you mean 'deep.p'?"),
                    HasSubstr("free: expected a parameter of 'top'"), HasSubstr("k: expected a parameter of 'top'")));
  EXPECT_EQ(CountProblems(problems_, Problem::Error), 5U);
}

TEST_F(SystemOptionsTest, StartValuesOfInputsThatAnotherComponentGivesAreWarnedOf) {
  const std::string inner = "<System name=\"in\">" + Connectors({{"feed", "input"}}) + "<Elements>" + Sink("last") +
                            "</Elements><Connections>" + Wire("", "feed", "last", "u") + "</Connections></System>";
  const std::string system = "<Elements>" + Source() + Sink() + inner + "</Elements><Connections>" +
                             Wire("a", "y", "in", "feed") + Wire("a", "n", "z", "n") + "</Connections>";
  for (const char* name : {"z.n", "in.feed", "in.last.u", "in/last.u"}) {
    SystemOptions options;
    options.start_values = {{name, "3"}, {"z.u", "4"}};
    With(options, Description(system));
    EXPECT_THAT(AllTextOf(problems_), AllOf(HasSubstr(std::string("SystemStructure.ssd: ") + name +
                                                      ": expected an input without a connection, found one that 'a."),
                                            Not(HasSubstr("z.u"))));
    EXPECT_EQ(CountProblems(problems_, Problem::Warning), 1U) << name;
  }
}

TEST_F(SystemOptionsTest, OutputsOfTheWholeNamedAsAnElementsAreObservedOnce) {
  const CompositionFile file = With({}, Description(Connectors({{"a.y", "output"}, {"a.n", "output"}}) + "<Elements>" +
                                                    Source() + "</Elements><Connections>" + Wire("a", "y", "", "a.y") +
                                                    Wire("a", "b", "", "a.n") + "</Connections>"));
  std::vector<std::string> ids;
  for (const ObserveSpec& one : file.observes) ids.push_back(one.id.empty() ? one.item.Text() : one.id);
  EXPECT_THAT(ids, testing::UnorderedElementsAre("a.y", "a.n", "a.b"));
  EXPECT_THAT(AllTextOf(problems_), AllOf(HasSubstr("found 'a.n', which names the series of another output: the "
                                                    "results contain a.b instead"),
                                          Not(HasSubstr("'a.y'"))));
}

TEST_F(SystemOptionsTest, TakeTheNearestStepOfNestedDescriptions) {
  const auto annotated = [](const std::string& step) {
    return step.empty() ? step
                        : "<Annotations><Annotation type=\"other\"><StepSizeHint value=\"" + step +
                              "\"/></Annotation></Annotations>";
  };
  const auto step_of = [&](const std::string& component, const std::string& system, const std::string& experiment) {
    scratch_.Write("inner.ssd", Description("<Elements>" + Source("i") + "</Elements>" + annotated(system),
                                            "<DefaultExperiment>" + annotated(experiment) + "</DefaultExperiment>"));
    const std::string outer = Description("<Elements><Component name=\"n\" source=\"inner.ssd\">" +
                                          annotated(component) + "</Component></Elements>" + annotated("0.5"));
    return ArgumentOf(With({}, outer), "n/i", "time-step");
  };
  EXPECT_EQ(step_of("", "", ""), "PT0.5S");
  EXPECT_EQ(step_of("0.125", "", ""), "PT0.125S");
  EXPECT_EQ(step_of("", "0.25", "2"), "PT0.25S");
  EXPECT_EQ(step_of("", "", "2"), "PT2S");
  // Who uses a description says how.
  EXPECT_EQ(step_of("0.125", "0.25", "2"), "PT0.125S");
}

TEST_F(SystemOptionsTest, ALineLiesBetweenTheStepsOfTheKindThatRuns) {
  // 0.1 s in co-simulation; in model exchange its steps are a 500th of 10 s.
  const auto fmu = [&](const std::string& name, const std::string& variable) {
    scratch_.Write("resources/" + name + ".fmu",
                   test::ZipBytes({{"modelDescription.xml",
                                    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"M\" "
                                    "instantiationToken=\"g\"><ModelExchange modelIdentifier=\"m\"/><CoSimulation "
                                    "modelIdentifier=\"m\"" +
                                        std::string(name == "f" ? " fixedInternalStepSize=\"0.1\"" : "") +
                                        "/><DefaultExperiment stopTime=\"10\"/><ModelVariables>" + variable +
                                        "</ModelVariables><ModelStructure/></fmiModelDescription>",
                                    8}}));
  };
  fmu("f", "<Float64 name=\"x\" valueReference=\"1\" causality=\"output\"/>");
  fmu("t", "<Float64 name=\"x\" valueReference=\"1\" causality=\"input\" start=\"0\"/>");
  const auto adaptors = [&](const std::string& kind, const std::string& attribute) {
    const auto part = [&](const std::string& name) {
      return "<Component name=\"" + name + "\" " + attribute + "source=\"resources/" + name + ".fmu\">" +
             Connectors({{"x", name == "f" ? "output" : "input"}}) + "</Component>";
    };
    SystemOptions options;
    options.kind = kind;
    return AdaptorsOf(With(options, Description("<Elements>" + part("f") + part("t") + "</Elements><Connections>" +
                                                Wire("f", "x", "t", "x") + "</Connections>"))
                          .links.at(0));
  };
  EXPECT_EQ(adaptors("", ""), "linear()");
  EXPECT_EQ(adaptors("co-simulation", ""), "linear()");
  EXPECT_EQ(adaptors("model-exchange", ""), "");
  EXPECT_EQ(adaptors("", "implementation=\"ModelExchange\" "), "");
}

TEST_F(SystemOptionsTest, AnEnumerationThatNoTableCanHoldIsRefused) {
  const auto kinds = [&](const std::string& item) {
    scratch_.Write(
        "resources/kinds.fmu",
        test::ZipBytes(
            {{"modelDescription.xml",
              "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"M\" guid=\"g\"><CoSimulation "
              "modelIdentifier=\"m\"/><TypeDefinitions><SimpleType name=\"T\"><Enumeration><Item name=\"one\" "
              "value=\"1\"/><Item name=\"" +
                  item +
                  "\" value=\"2\"/></Enumeration></SimpleType></TypeDefinitions><ModelVariables>"
                  "<ScalarVariable name=\"o\" valueReference=\"3\" causality=\"output\"><Enumeration "
                  "declaredType=\"T\"/></ScalarVariable></ModelVariables><ModelStructure/></fmiModelDescription>",
              8}}));
    return "<Component name=\"k\" source=\"resources/kinds.fmu\">" + Connectors({{"o", "output"}}) + "</Component>";
  };
  const auto all = [&](const std::string& parts, const std::string& wire) {
    With({}, Description("<Elements>" + Sink() + parts + "</Elements><Connections>\n" + wire + "</Connections>"));
    return AllTextOf(problems_);
  };
  EXPECT_THAT(all(kinds("open; half"), Wire("k", "o", "z", "n")),
              AllOf(HasSubstr("error: "), HasSubstr("SystemStructure.ssd:"),
                    HasSubstr("expected items of an enumeration without ';' in their names, found 'open; half'")));
  EXPECT_THAT(all(kinds(" open"), Wire("k", "o", "z", "n")), HasSubstr("without blanks around them, found ' open'"));
  const std::string map =
      "<EnumerationMappingTransformation><MapEntry source=\"a;b\" target=\"c\"/>"
      "</EnumerationMappingTransformation>";
  EXPECT_THAT(all(kinds("two"), Wire("k", "o", "z", "n", map)), HasSubstr("found 'a;b'"));
  EXPECT_THAT(all(kinds("half=open"), Wire("k", "o", "z", "n")), Not(HasSubstr("error: ")));
}

}  // namespace
}  // namespace openmi::ssp
