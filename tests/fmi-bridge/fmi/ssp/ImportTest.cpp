#include <gmock/gmock.h>

#include <fstream>
#include <tuple>

#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/fmi/ssp/SystemFixture.hpp"

namespace openmi::ssp {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SystemStructures : public SystemFixture {
 protected:
  static std::string Pair(const std::string& wires) {
    return Description("<Elements>" + Source() + Sink() + "</Elements><Connections>" + wires + "</Connections>");
  }
};

TEST_F(SystemStructures, BecomeCompositions) {
  const CompositionFile file = Good(Pair(Wire("a", "y", "z", "u")));
  ASSERT_EQ(file.components.size(), 2U);
  EXPECT_EQ(file.id, "SystemStructure");
  EXPECT_EQ(file.caption, "whole");
  EXPECT_EQ(file.components[0].id, "a");
  EXPECT_EQ(file.components[0].type, "openmi.fmi.Fmu");
  EXPECT_EQ(file.components[0].assembly, "openmi-fmi-bridge");
  EXPECT_EQ(ArgumentOf(file, "a", "fmu"), std::filesystem::canonical(scratch_ / "resources/source.fmu").string());
  EXPECT_EQ(ArgumentOf(file, "a", "epoch"), "2000-01-01T00:00Z");
  ASSERT_EQ(file.links.size(), 1U);
  EXPECT_EQ(file.links[0].Text(), "a.y -> z.u");
  EXPECT_THAT(file.links[0].adaptors, IsEmpty()) << "the engine converts units by itself";
  EXPECT_EQ(file.observes.size(), 3U);
  ASSERT_TRUE(file.run.has_value());
  EXPECT_EQ(file.run->from->mjd, 51544.0);
  EXPECT_EQ(file.run->to->mjd, 51544.0 + 10.0 / 86400.0);
  EXPECT_EQ(file.run->mode, RunMode::Pull);
}

TEST_F(SystemStructures, HaveConnectionsInEitherDirection) {
  const CompositionFile file = Good(Pair(Wire("z", "u", "a", "y", "<LinearTransformation factor=\"2\"/>")));
  ASSERT_EQ(file.links.size(), 1U);
  EXPECT_EQ(file.links[0].Text(), "a.y -> z.u");
  EXPECT_EQ(AdaptorsOf(file.links[0]), "unit-conversion(unit=mm) linear-operation(a=2,b=0)");
  const std::string inner = "<System name=\"inner\">" + Connectors({{"x", "input"}}) + "<Elements>" + Sink() +
                            "</Elements><Connections>" + Wire("z", "u", "", "x") + "</Connections></System>";
  const CompositionFile nested = Good(Description("<Elements>" + Source() + inner + "</Elements><Connections>" +
                                                  Wire("inner", "x", "a", "y") + "</Connections>"));
  ASSERT_EQ(nested.links.size(), 1U);
  EXPECT_EQ(nested.links[0].Text(), "a.y -> inner/z.u");
}

TEST_F(SystemStructures, KeepNumbersWhereOneSideHasNoUnit) {
  Fmu("resources/plain.fmu",
      "<ScalarVariable name=\"u\" valueReference=\"1\" causality=\"input\"><Real start=\"0\"/></ScalarVariable>"
      "<ScalarVariable name=\"y\" valueReference=\"2\" causality=\"output\"><Real/></ScalarVariable>");
  const std::string plain = "<Component name=\"p\" source=\"resources/plain.fmu\">" +
                            Connectors({{"u", "input"}, {"y", "output"}}) + "</Component>";
  const auto noted = [&](const std::string& part) {  // a note for each of the two
    Problems problems;
    CompositionFile read = Import(Description("<Elements>" + Source() + part + Sink() + "</Elements><Connections>" +
                                              Wire("a", "y", "p", "u") + Wire("p", "y", "z", "u") + "</Connections>"),
                                  problems)
                               .composition;
    EXPECT_EQ(problems.size(), 2U);
    for (const Problem& problem : problems) {
      EXPECT_EQ(problem.severity, Problem::Note);
      EXPECT_THAT(problem.problem, HasSubstr("without any: the number is taken as it is"));
    }
    return read;
  };
  const CompositionFile file = noted(plain);
  ASSERT_EQ(file.links.size(), 2U);
  for (const LinkSpec& link : file.links) {
    EXPECT_EQ(AdaptorsOf(link),
              link.Text() == "a.y -> p.u" ? "expression(formula=x,unit=1)" : "expression(formula=x,unit=mm)");
  }
  // The system says what the FMU does not.
  const std::string told =
      "<Component name=\"p\" source=\"resources/plain.fmu\"><Connectors><Connector name=\"u\" kind=\"input\"><Real "
      "unit=\"mm\"/></Connector><Connector name=\"y\" kind=\"output\"><Real unit=\"m\"/></Connector></Connectors>"
      "</Component>";
  const CompositionFile clear = noted(told);
  for (const LinkSpec& link : clear.links) {
    EXPECT_EQ(AdaptorsOf(link), link.Text() == "a.y -> p.u" ? "unit-conversion(unit=mm) expression(formula=x,unit=1)"
                                                            : "expression(formula=x,unit=m)");
  }
}

TEST_F(SystemStructures, AConnectorWithAnotherUnitThanItsVariableIsNamed) {
  const auto system = [](const std::string& unit) {
    return "<Elements><Component name=\"a\" source=\"resources/source.fmu\"><Connectors><Connector name=\"y\" "
           "kind=\"output\"><Real unit=\"" +
           unit + "\"/></Connector></Connectors></Component>" + Sink() + Sink("x") + "</Elements><Connections>" +
           Wire("a", "y", "z", "u") + Wire("a", "y", "x", "u") + "</Connections>";
  };
  const std::string units =
      "<Units><Unit name=\"cm\"><BaseUnit m=\"1\" factor=\"0.01\"/></Unit><Unit name=\"metre\"><BaseUnit "
      "m=\"1\"/></Unit></Units><DefaultExperiment stopTime=\"10\"/>";
  Problems problems;
  Import(Description(system("cm"), units), problems);
  ASSERT_EQ(problems.size(), 1U) << "once, though two inputs take it";
  EXPECT_THAT(FormatProblem(problems[0]),
              AllOf(HasSubstr("connector y of a to have the unit of its variable, 'm', found 'cm'"),
                    HasSubstr("correct the unit of the connector")));
  EXPECT_EQ(problems[0].severity, Problem::Warning);
  Good(Description(system("metre"), units));
}

TEST_F(SystemStructures, HaveALineBetweenStepsThatDoNotMeet) {
  const auto fmu = [&](const std::string& name, const std::string& step, const std::string& variable) {
    scratch_.Write(
        "resources/" + name + ".fmu",
        test::ZipBytes(
            {{"modelDescription.xml",
              "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"M\" guid=\"g\"><CoSimulation "
              "modelIdentifier=\"m\"/>" +
                  (step.empty() ? std::string() : "<DefaultExperiment stopTime=\"10\" stepSize=\"" + step + "\"/>") +
                  "<ModelVariables>" + variable + "</ModelVariables><ModelStructure/></fmiModelDescription>",
              8}}));
    return "<Component name=\"" + name + "\" source=\"resources/" + name + ".fmu\">" +
           Connectors({{"x", variable.find("output") != std::string::npos ? "output" : "input"}}) + "</Component>";
  };
  const std::string gives =
      "<ScalarVariable name=\"x\" valueReference=\"1\" causality=\"output\"><Real/></ScalarVariable>";
  const std::string takes =
      "<ScalarVariable name=\"x\" valueReference=\"1\" causality=\"input\"><Real start=\"0\"/></ScalarVariable>";
  for (const auto& [from, to, adaptors] :
       std::vector<std::tuple<std::string, std::string, std::string>>{{"0.1", "0.1", ""},
                                                                      {"0.1", "0.5", ""},
                                                                      {"", "", ""},
                                                                      {"0.1", "", ""},
                                                                      {"", "0.002", "linear()"},
                                                                      {"0.1", "0.002", "linear()"},
                                                                      {"0.2", "0.3", "linear()"}}) {
    Problems problems;
    const CompositionFile file =
        Import(Description("<Elements>" + fmu("f", from, gives) + fmu("t", to, takes) + "</Elements><Connections>" +
                           Wire("f", "x", "t", "x") + "</Connections>"),
               problems)
            .composition;
    EXPECT_EQ(AdaptorsOf(file.links.at(0)), adaptors) << from << " -> " << to;
  }
}

TEST_F(SystemStructures, LetAMappingNameNoSource) {
  scratch_.Write("resources/e.ssm",
                 "<ParameterMapping version=\"1.0\"><MappingEntry source=\"\" target=\"z.mode\"/></ParameterMapping>");
  scratch_.Write("resources/e.ssv", "<ParameterSet version=\"1.0\" name=\"p\"><Parameters/></ParameterSet>");
  Problems problems;
  Import(Description("<Elements>" + Sink() +
                     "</Elements><ParameterBindings><ParameterBinding source=\"resources/e.ssv\"><ParameterMapping "
                     "source=\"resources/e.ssm\"/></ParameterBinding></ParameterBindings>"),
         problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].severity, Problem::Warning) << FormatProblem(problems[0]);
}

TEST_F(SystemStructures, HaveLinearTransformationsBehindUnitConversions) {
  const CompositionFile file =
      Good(Pair(Wire("a", "y", "z", "u", "<LinearTransformation factor=\"2\" offset=\"-1.5\"/>")));
  EXPECT_EQ(AdaptorsOf(file.links.at(0)), "unit-conversion(unit=mm) linear-operation(a=2,b=-1.5)");
}

TEST_F(SystemStructures, MaySuppressUnitConversions) {
  std::string text = Pair(Wire("a", "y", "z", "u"));
  text.replace(text.find("startElement"), 0, "suppressUnitConversion=\"true\" ");
  EXPECT_EQ(AdaptorsOf(Good(text).links.at(0)), "expression(formula=x,unit=mm)");
}

TEST_F(SystemStructures, MapBooleansIntegersAndEnumerations) {
  const CompositionFile file =
      Good(Pair(Wire("a", "b", "z", "b",
                     "<BooleanMappingTransformation><MapEntry source=\"true\" target=\"false\"/><MapEntry source=\"0\" "
                     "target=\"1\"/></BooleanMappingTransformation>") +
                Wire("a", "n", "z", "n",
                     "<IntegerMappingTransformation><MapEntry source=\"1\" target=\"10\"/><MapEntry source=\"2\" "
                     "target=\"-20\"/></IntegerMappingTransformation>")));
  EXPECT_EQ(AdaptorsOf(file.links.at(0)),
            "categories-to-numbers(table=true=0; false=1) numbers-to-categories(table=false=0; true=1)");
  EXPECT_EQ(AdaptorsOf(file.links.at(1)), "expression(formula=x == 2 ? -20 : (x == 1 ? 10 : (x)))");
  const CompositionFile words =
      Good(Pair(Wire("a", "b", "z", "b",
                     "<EnumerationMappingTransformation><MapEntry source=\"dry\" target=\"low\"/><MapEntry "
                     "source=\"wet\" target=\"high\"/><MapEntry source=\"moist\" target=\"low\"/>"
                     "</EnumerationMappingTransformation>")));
  EXPECT_EQ(AdaptorsOf(words.links.at(0)),
            "categories-to-numbers(table=dry=0; wet=1; moist=0) numbers-to-categories(table=low=0; high=1)");
}

TEST_F(SystemStructures, InsideSystemsAreMadeFlat) {
  const std::string inner =
      "<System name=\"in ner\">" + Connectors({{"x", "input"}, {"out", "output"}, {"g", "parameter"}}) + "<Elements>" +
      Sink() + Source("s.1") + "</Elements><Connections>" +
      Wire("", "x", "z", "u", "<LinearTransformation factor=\"3\"/>") + Wire("s.1", "n", "", "out") +
      Wire("", "g", "z", "k.gain", "<LinearTransformation factor=\"10\" offset=\"1\"/>") + "</Connections></System>";
  const CompositionFile file =
      Good(Description("<Elements>" + Source() + Sink() + inner + "</Elements><Connections>" +
                       Wire("a", "y", "in ner", "x", "<LinearTransformation offset=\"5\"/>") +
                       Wire("in ner", "out", "z", "n") + "</Connections>" + Binding(Real("in ner.g", "2"))));
  ASSERT_EQ(file.components.size(), 4U);
  EXPECT_EQ(file.components[2].id, "in_ner/z");
  EXPECT_EQ(file.components[3].id, "in_ner/s_1");
  ASSERT_EQ(file.links.size(), 2U);
  EXPECT_EQ(file.links[0].Text(), "in_ner/s_1.n -> z.n");
  EXPECT_EQ(file.links[1].Text(), "a.y -> in_ner/z.u");
  EXPECT_EQ(AdaptorsOf(file.links[1]), "linear-operation(a=1,b=5) linear-operation(a=3,b=0)");
  EXPECT_EQ(ArgumentOf(file, "in_ner/z", "k.gain"), "21") << "a parameter of the system goes on by its wires";
}

TEST_F(SystemStructures, ShareSignalsThroughDictionaries) {
  const std::string reference = "<SignalDictionaryReference name=\"bus\" dictionary=\"d\">" +
                                Connectors({{"level", "inout"}}) + "</SignalDictionaryReference>";
  scratch_.Write(
      "resources/d.ssb",
      "<SignalDictionary version=\"1.0\"><DictionaryEntry name=\"level\"><Real/></DictionaryEntry></SignalDictionary>");
  const std::string inner = "<System name=\"inner\"><Elements>" + Sink() + reference + "</Elements><Connections>" +
                            Wire("bus", "level", "z", "u") + "</Connections></System>";
  const CompositionFile file = Good(Description(
      "<SignalDictionaries><SignalDictionary name=\"d\" source=\"resources/d.ssb\"/></SignalDictionaries><Elements>" +
      Source() + reference + inner + "</Elements><Connections>" + Wire("a", "y", "bus", "level") + "</Connections>"));
  ASSERT_EQ(file.links.size(), 1U);
  EXPECT_EQ(file.links[0].Text(), "a.y -> inner/z.u");
}

TEST_F(SystemStructures, ParametersOfWhatStandsAroundWin) {
  const std::string inner = "<System name=\"inner\"><Elements>" + Sink("z", Binding(Real("k.gain", "1"))) +
                            Sink("w", Binding(Real("k.gain", "7"))) + "</Elements>" +
                            Binding(Real("z.k.gain", "2") + Real("z.k.gain", "3")) + "</System>";
  EXPECT_EQ(ArgumentOf(Good(Description("<Elements>" + inner + "</Elements>")), "inner/z", "k.gain"), "3")
      << "later beats earlier, and the system its component";
  const CompositionFile file =
      Good(Description("<Elements>" + inner + "</Elements>" + Binding(Real("inner.z.k.gain", "4"))));
  EXPECT_EQ(ArgumentOf(file, "inner/z", "k.gain"), "4");
  EXPECT_EQ(ArgumentOf(file, "inner/w", "k.gain"), "7") << "nobody around says otherwise";
}

TEST_F(SystemStructures, ReadSetsMappingsPrefixesAndUnits) {
  scratch_.Write(
      "resources/p.ssv",
      "<ParameterSet version=\"1.0\" name=\"p\"><Parameters>" + Real("length", "3", "unit=\"furlong\"") +
          Real("gain", "4") +
          "<Parameter name=\"mode\"><String value=\"fast\"/></Parameter></Parameters><Units><Unit name=\"furlong\">"
          "<BaseUnit m=\"1\" factor=\"200\"/></Unit></Units></ParameterSet>");
  scratch_.Write("resources/p.ssm",
                 "<ParameterMapping version=\"1.0\"><MappingEntry source=\"x.length\" target=\"a.p\"/><MappingEntry "
                 "source=\"x.gain\" "
                 "target=\"z.k.gain\"><LinearTransformation factor=\"0.5\" offset=\"1\"/></MappingEntry><MappingEntry "
                 "source=\"x.mode\" "
                 "target=\"z.mode\"/></ParameterMapping>");
  const CompositionFile file = Good(Description(
      "<Elements>" + Source() + Sink() +
      "</Elements><ParameterBindings><ParameterBinding prefix=\"x.\" source=\"resources/p.ssv\"><ParameterMapping "
      "source=\"resources/p.ssm\"/></ParameterBinding></ParameterBindings>"));
  EXPECT_EQ(ArgumentOf(file, "a", "p"), "600") << "of 200 m each";
  EXPECT_EQ(ArgumentOf(file, "z", "k.gain"), "3");
  EXPECT_EQ(ArgumentOf(file, "z", "mode"), "fast");
}

TEST_F(SystemStructures, StandInPackagesAndInEachOther) {
  const std::string inner =
      Description("<Connectors><Connector name=\"x\" kind=\"input\"/></Connectors><Elements>" + Sink() +
                  "</Elements><Connections>" + Wire("", "x", "z", "u") + "</Connections>");
  const std::string sink = scratch_.Read("resources/sink.fmu"), source = scratch_.Read("resources/source.fmu");
  const std::string nested = test::ZipBytes({{"SystemStructure.ssd", inner}, {"resources/sink.fmu", sink}});
  const std::string outer = Description(
      "<Elements>" + Source() + "<Component name=\"n\" source=\"resources/n%2Essp\">" + Connectors({{"x", "input"}}) +
          "</Component></Elements><Connections>" + Wire("a", "y", "n", "x") + "</Connections>",
      "");
  const std::string path = scratch_.Write(
      "my system.ssp",
      test::ZipBytes({{"SystemStructure.ssd", outer}, {"resources/source.fmu", source}, {"resources/n.ssp", nested}}));
  Problems problems;
  std::string fmu;
  {
    const ImportedSystem imported = ImportSystemStructure(path, problems);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_THAT(problems[0].problem, HasSubstr("found none; the run ends at 20 s")) << "as its FMUs say";
    EXPECT_EQ(imported.composition.id, "my_system");
    ASSERT_EQ(imported.composition.links.size(), 1U);
    EXPECT_EQ(imported.composition.links[0].Text(), "a.y -> n/z.u");
    fmu = ArgumentOf(imported.composition, "n/z", "fmu");
    EXPECT_TRUE(std::filesystem::exists(fmu)) << fmu;
    Problems again;
    ReadCompositionText(CompositionText(imported.composition), "x.xml", again);
    EXPECT_THAT(again, IsEmpty()) << FormatProblem(again.front());
  }
  EXPECT_FALSE(std::filesystem::exists(fmu)) << "the package goes with its last owner";
}

TEST_F(SystemStructures, MayNameVariablesByTheirAliases) {
  scratch_.Write(
      "resources/ball.fmu",
      test::ZipBytes({{"modelDescription.xml",
                       "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"B\" instantiationToken=\"g\">"
                       "<CoSimulation modelIdentifier=\"m\"/><ModelVariables><Float64 name=\"h\" "
                       "valueReference=\"1\" causality=\"output\"><Alias name=\"height\"/></Float64><Float64 "
                       "name=\"g\" valueReference=\"2\" causality=\"parameter\" variability=\"fixed\" "
                       "start=\"9\"><Alias name=\"gravity\"/></Float64></ModelVariables><ModelStructure/>"
                       "</fmiModelDescription>",
                       8}}));
  Problems problems;
  const CompositionFile file =
      Import(Description("<Elements><Component name=\"b\" source=\"resources/ball.fmu\">" +
                         Connectors({{"height", "output"}, {"gravity", "parameter"}}) +
                         Binding(Real("gravity", "1.5")) + "</Component>" + Sink() + "</Elements><Connections>" +
                         Wire("b", "height", "z", "u") + "</Connections>"),
             problems)
          .composition;
  EXPECT_FALSE(HasErrors(problems)) << FormatProblem(problems[0]);
  ASSERT_EQ(file.links.size(), 1U);
  EXPECT_EQ(file.links[0].Text(), "b.h -> z.u");
  EXPECT_EQ(ArgumentOf(file, "b", "g"), "1.5");
  ASSERT_EQ(file.observes.size(), 1U);
  EXPECT_EQ(file.observes[0].id, "b.height");
  EXPECT_EQ(file.observes[0].item.Text(), "b.h");
}

TEST_F(SystemStructures, AnInputHasOneSourceUnderAllItsNames) {
  scratch_.Write("resources/tank.fmu",
                 test::ZipBytes({{"modelDescription.xml",
                                  "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"T\" instantiationToken=\"g\">"
                                  "<CoSimulation modelIdentifier=\"m\"/><ModelVariables><Float64 name=\"u\" "
                                  "valueReference=\"1\" causality=\"input\" start=\"0\"><Alias name=\"v\"/></Float64>"
                                  "</ModelVariables><ModelStructure/></fmiModelDescription>",
                                  8}}));
  Problems problems;
  Import(Description("<Elements>" + Source("a") + Source("b") + "<Component name=\"t\" source=\"resources/tank.fmu\">" +
                     Connectors({{"u", "input"}, {"v", "input"}}) + "</Component></Elements><Connections>" +
                     Wire("a", "y", "t", "u") + "\n" + Wire("b", "y", "t", "v") + "</Connections>"),
         problems);
  ASSERT_TRUE(HasErrors(problems));
  std::string all;
  for (const Problem& problem : problems) all += FormatProblem(problem) + "\n";
  EXPECT_THAT(all, HasSubstr("expected one source of 'u', found another; the first is on line "));
}

TEST_F(SystemStructures, AreChosenByFragments) {
  const std::string sink = scratch_.Read("resources/sink.fmu");
  scratch_.Write("resources/n.ssp",
                 test::ZipBytes({{"SystemStructure.ssd", Description("<Elements>" + Sink("first") + "</Elements>")},
                                 {"other/Variant.ssd", Description("<Elements><Component name=\"second\" "
                                                                   "source=\"../resources/sink.fmu\"/></Elements>")},
                                 {"resources/sink.fmu", sink}}));
  const auto with = [](const std::string& source, const std::string& more = {}) {
    return Description("<Elements><System name=\"s\" id=\"unit\"><Elements>" + Source("a", Binding(Real("p", "2"))) +
                       "</Elements></System><Component name=\"n\" source=\"" + source + "\">" + more +
                       "</Component></Elements>");
  };
  const auto ids = [](const CompositionFile& file) {
    std::vector<std::string> all;
    for (const ComponentSpec& one : file.components) all.push_back(one.id);
    return all;
  };
  EXPECT_THAT(ids(Good(with("resources/n.ssp"))), ElementsAre("s/a", "n/first"));
  EXPECT_THAT(ids(Good(with("resources/n.ssp#other/Variant.ssd"))), ElementsAre("s/a", "n/second"));
  // A system of the same description, once more and with other parameters.
  const CompositionFile again = Good(with("#unit", Binding(Real("a.p", "3"))));
  EXPECT_THAT(ids(again), ElementsAre("s/a", "n/a"));
  EXPECT_EQ(ArgumentOf(again, "s/a", "p"), "2");
  EXPECT_EQ(ArgumentOf(again, "n/a", "p"), "3");
  Problems problems;
  Import(with("resources/n.ssp#../Variant.ssd"), problems);
  ASSERT_FALSE(problems.empty());
  EXPECT_THAT(FormatProblem(problems[0]), HasSubstr("found '../Variant.ssd', which leads out of it"));
}

}  // namespace
}  // namespace openmi::ssp
