#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "fmi-bridge/fmi/FmuExtras.hpp"
#include "fmi-bridge/fmi/InspectFmu.hpp"
#include "fmi-bridge/fmi/MatchTerminals.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::fmi {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

ModelDescription WithVariables(std::initializer_list<const char*> names) {
  ModelDescription description;
  for (const char* name : names) description.variables.emplace_back().name = name;
  return description;
}

std::string Texts(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    EXPECT_EQ(problem.severity, Problem::Warning) << "nothing of it is needed to run the FMU";
    text += FormatProblem(problem) + "\n";
  }
  return text;
}

std::string Inside(const std::string& terminals) {
  return "<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n<GraphicalRepresentation/><Terminals>\n" + terminals +
         "</Terminals></fmiTerminalsAndIcons>";
}

TEST(Terminals, AreReadWithTheirMembers) {
  Problems problems;
  const auto terminals = ReadTerminals(
      Inside("<Terminal name=\"shaft\" matchingRule=\"plug\" terminalKind=\"Rotational\" description=\"d\">"
             "<TerminalMemberVariable variableName=\"phi\" memberName=\"angle\" variableKind=\"signal\"/>"
             "<TerminalMemberVariable variableName=\"tau\" memberName=\"torque\" variableKind=\"inflow\"/>"
             "<TerminalStreamMemberVariable inStreamMemberName=\"h_in\" outStreamMemberName=\"h_out\" "
             "inStreamVariableName=\"a\" outStreamVariableName=\"b\"/>"
             "<Terminal name=\"sensor\" matchingRule=\"sequence\">"
             "<TerminalMemberVariable variableName=\"phi\" variableKind=\"signal\"/></Terminal>"
             "<TerminalGraphicalRepresentation x1=\"0\"/></Terminal>"),
      "t.xml", WithVariables({"tau", "phi", "a", "b"}), problems);
  EXPECT_THAT(Texts(problems), IsEmpty());
  ASSERT_EQ(terminals.size(), 1U);
  EXPECT_EQ(terminals[0].rule, "plug");
  EXPECT_EQ(terminals[0].kind, "Rotational");
  ASSERT_EQ(terminals[0].members.size(), 4U);
  EXPECT_EQ(terminals[0].members[1].variable, 0);
  EXPECT_EQ(terminals[0].members[1].name, "torque");
  EXPECT_EQ(terminals[0].members[1].kind, "inflow");
  EXPECT_EQ(terminals[0].members[3].variable, 3);
  EXPECT_EQ(terminals[0].members[3].kind, "outStream");
  ASSERT_EQ(terminals[0].terminals.size(), 1U);
  EXPECT_EQ(terminals[0].terminals[0].members[0].variable, 1);
}

TEST(Terminals, ThatAreWrongGiveWarnings) {
  const auto complaint = [](const std::string& text) {
    Problems problems;
    ReadTerminals(text, "t.xml", WithVariables({"phi"}), problems);
    return Texts(problems);
  };
  EXPECT_THAT(complaint("<fmiTerminals"), HasSubstr("t.xml"));
  EXPECT_THAT(complaint(""), HasSubstr("t.xml"));
  EXPECT_THAT(complaint("<a/>"), HasSubstr("expected fmiTerminalsAndIcons, found 'a'"));
  EXPECT_THAT(complaint(Inside("<Terminal matchingRule=\"bus\"/>")),
              HasSubstr("t.xml:3: expected the attribute name of Terminal, found none"));
  EXPECT_THAT(complaint(Inside("<Terminal name=\"a\"/>")), HasSubstr("expected the attribute matchingRule"));
  EXPECT_THAT(complaint(Inside("<Terminal name=\"a\" matchingRule=\"bus\"/><Terminal name=\"a\" "
                               "matchingRule=\"bus\"/>")),
              HasSubstr("expected every terminal once, found 'a' again"));
  const auto member = [&complaint](const std::string& attributes) {
    return complaint(
        Inside("<Terminal name=\"a\" matchingRule=\"bus\"><TerminalMemberVariable memberName=\"m\" "
               "variableName=\"phi\" variableKind=\"signal\"/><TerminalMemberVariable " +
               attributes + "/></Terminal>"));
  };
  EXPECT_THAT(member("variableName=\"phy\" variableKind=\"signal\" memberName=\"n\""),
              testing::AllOf(HasSubstr("found no variable 'phy'"), HasSubstr("phi")));
  EXPECT_THAT(member("variableName=\"phi\" variableKind=\"signal\" memberName=\"m\""),
              HasSubstr("expected every member of terminal 'a' once, found 'm' again"));
  EXPECT_THAT(member("variableName=\"phi\" memberName=\"n\""), HasSubstr("expected the attribute variableKind"));
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "<Terminal name=\"a\" matchingRule=\"bus\">";
  EXPECT_THAT(complaint(Inside(deep)), HasSubstr("t.xml"));
}

TEST(Terminals, WithManyUnknownVariablesGetAFewSuggestions) {
  std::string members;
  for (int i = 0; i < 1000; ++i) {
    members += "<TerminalMemberVariable variableName=\"phy\" variableKind=\"signal\"/>";
  }
  Problems problems;
  ReadTerminals(Inside("<Terminal name=\"t\" matchingRule=\"bus\">" + members + "</Terminal>"), "t.xml",
                WithVariables({"phi"}), problems);
  ASSERT_EQ(problems.size(), 1000U);
  EXPECT_THAT(problems[0].remedy, HasSubstr("phi"));
  EXPECT_EQ(
      std::ranges::count_if(problems, [](const Problem& one) { return one.remedy.find("phi") != std::string::npos; }),
      10)
      << "each compares all names of the FMU, which a file could ask for a million times";
}

TEST(Manifests, NameTheStandardWithAndWithoutTheNamespace) {
  for (const char* prefix : {"fmi-ls:", ""}) {
    Problems problems;
    const LayeredStandard standard =
        ReadManifest("<any xmlns:fmi-ls=\"http://fmi-standard.org/fmi-ls-manifest\" " + std::string(prefix) +
                         "fmi-ls-name=\"org.fmi-standard.fmi-ls-bus\" " + prefix + "fmi-ls-version=\"1.0.0\" " +
                         prefix + "fmi-ls-description=\"buses\" isBusSimulationFMU=\"true\"><More/></any>",
                     "m.xml", problems);
    EXPECT_THAT(Texts(problems), IsEmpty());
    EXPECT_EQ(standard.name, "org.fmi-standard.fmi-ls-bus");
    EXPECT_EQ(standard.version, "1.0.0");
    EXPECT_EQ(standard.description, "buses");
  }
  Problems problems;
  ReadManifest("<a fmi-ls-name=\"x\" fmi-ls-description=\"y\"/>", "m.xml", problems);
  EXPECT_THAT(Texts(problems), HasSubstr("m.xml:1: expected the attribute fmi-ls-version, found none"));
}

TEST(FmuInspection, FindsTerminalsAndLayeredStandards) {
  const ScratchFolder folder;
  folder.Write("modelDescription.xml",
               "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"t\">"
               "<CoSimulation modelIdentifier=\"m\"/><ModelVariables><Float64 name=\"time\" valueReference=\"0\" "
               "causality=\"independent\" variability=\"continuous\"/></ModelVariables><ModelStructure/>"
               "</fmiModelDescription>");
  folder.Write("binaries/x86_64-linux/m.so", "");
  folder.Write("terminalsAndIcons/terminalsAndIcons.xml", Inside("<Terminal name=\"p\" matchingRule=\"bus\"/>"));
  folder.Write("extra/org.b/fmi-ls-manifest.xml",
               "<a fmi-ls-name=\"org.b\" fmi-ls-version=\"2\" "
               "fmi-ls-description=\"b\"/>");
  folder.Write("extra/org.a/fmi-ls-manifest.xml", "damaged");
  folder.Write("extra/org.a/deeper/fmi-ls-manifest.xml", "not one");
  Problems problems;
  const FmuInspection inspection = InspectFmu(folder.Path(), problems);
  ASSERT_EQ(inspection.terminals.size(), 1U);
  EXPECT_EQ(inspection.terminals[0].name, "p");
  ASSERT_EQ(inspection.layered_standards.size(), 2U);
  EXPECT_EQ(inspection.layered_standards[0].name, "org.a") << "by its folder";
  EXPECT_EQ(inspection.layered_standards[1].version, "2");
  EXPECT_THAT(Texts(problems), HasSubstr("extra/org.a/fmi-ls-manifest.xml"));
  EXPECT_THAT(FmuJson(inspection), HasSubstr("\"layeredStandards\":[{\"name\":\"org.a\""));
}

TEST(FmuIcons, AreTheFirstThatIsFitToBeShown) {
  const ScratchFolder folder;
  const auto icon = [&folder](Problems& problems) {
    const auto found = IconOf(folder.Path(), FilesOf(folder.Path()), problems);
    return found ? found->file : std::string("none");
  };
  Problems problems;
  EXPECT_EQ(icon(problems), "none");
  const std::string png = std::string("\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x64\0\0\0\x64\x08\x06\0\0\0", 29);
  folder.Write("model.png", png);
  EXPECT_EQ(icon(problems), "model.png");
  folder.Write("terminalsAndIcons/icon.png", png);
  EXPECT_EQ(icon(problems), "terminalsAndIcons/icon.png");
  folder.Write("terminalsAndIcons/icon.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
  EXPECT_EQ(icon(problems), "terminalsAndIcons/icon.svg");
  EXPECT_THAT(Texts(problems), IsEmpty());
  folder.Write("terminalsAndIcons/icon.svg", "<svg/>");
  EXPECT_EQ(icon(problems), "terminalsAndIcons/icon.png");
  EXPECT_THAT(Texts(problems), HasSubstr("terminalsAndIcons/icon.svg:1: expected svg in the namespace"));
  folder.Write("terminalsAndIcons/icon.png", png.substr(0, 20));
  folder.Write("model.png", std::string(1 << 19, 'x'));
  problems.clear();
  EXPECT_EQ(icon(problems), "none");
  EXPECT_THAT(Texts(problems), HasSubstr("model.png: expected an icon of at most 262144 bytes, found 524288"));
  EXPECT_EQ(problems.size(), 3U);
}

/// Two FMUs with outputs o1, o2 and inputs i1, i2, and what a connection of terminals means between them.
class MatchedTerminals : public testing::Test {
 protected:
  MatchedTerminals() {
    for (const char* name : {"o1", "o2", "i1", "i2"}) {
      Variable& variable = model_.variables.emplace_back();
      variable.name = name;
      variable.causality = name[0] == 'o' ? Causality::Output : Causality::Input;
    }
  }
  Terminal Of(const std::string& rule, const std::string& members) {
    Problems problems;
    return ReadTerminals(Inside("<Terminal name=\"t\" matchingRule=\"" + rule + "\">" + members + "</Terminal>"),
                         "t.xml", model_, problems)
        .at(0);
  }
  static std::string Member(const std::string& variable, const std::string& name, const std::string& kind = "signal") {
    return "<TerminalMemberVariable variableName=\"" + variable + "\" memberName=\"" + name + "\" variableKind=\"" +
           kind + "\"/>";
  }
  /// "o1>i1 i2<o2 -o2>i1", or the error.
  std::string Links(const Terminal& first, const Terminal& second) {
    std::string text;
    try {
      for (const TerminalLink& link : MatchTerminals({"a", model_, first}, {"b", model_, second})) {
        text += (text.empty() ? "" : " ") + std::string(link.is_negated ? "-" : "") + model_.At(link.first).name +
                (link.is_reversed ? "<" : ">") + model_.At(link.second).name;
      }
    } catch (const ArgumentError& error) {
      return error.what();
    }
    return text;
  }
  ModelDescription model_;
};

TEST_F(MatchedTerminals, OfPlugsAndBusesGoByName) {
  const Terminal plug = Of("plug", Member("o1", "x") + Member("i2", "y"));
  EXPECT_EQ(Links(plug, Of("plug", Member("o2", "y") + Member("i1", "x"))), "o1>i1 i2<o2");
  EXPECT_EQ(Links(plug, Of("bus", Member("o2", "y") + Member("i1", "x") + Member("i2", "z"))), "o1>i1 i2<o2");
  EXPECT_THAT(Links(plug, Of("bus", Member("i1", "x"))),
              HasSubstr("b.t: expected a member 'y', as a.t has, found none"));
  EXPECT_THAT(Links(Of("bus", Member("i1", "x")), plug), HasSubstr("a.t: expected a member 'y', as b.t has"));
  EXPECT_EQ(Links(Of("bus", Member("o1", "p") + Member("i2", "y")), Of("bus", Member("o2", "y"))), "i2<o2");
  EXPECT_EQ(Links(Of("bus", ""), Of("bus", "")), "");
}

TEST_F(MatchedTerminals, OfSequencesGoByOrder) {
  const Terminal sequence = Of("sequence", Member("o1", "") + Member("i2", ""));
  EXPECT_EQ(Links(sequence, Of("sequence", Member("i1", "p") + Member("o2", "q"))), "o1>i1 i2<o2");
  EXPECT_THAT(Links(sequence, Of("sequence", Member("i1", ""))),
              HasSubstr("expected as many members as a.t has (2), found 1"));
  EXPECT_THAT(Links(sequence, Of("plug", Member("i1", "p"))), HasSubstr("matched as a.t is (sequence), found plug"));
  EXPECT_THAT(Links(Of("none", ""), sequence),
              HasSubstr("the matching rule plug, bus, sequence or that of a bus, found 'none'"));
}

TEST_F(MatchedTerminals, OfCanBusesLinkWhatIsSentToWhatIsReceived) {
  const char* const rule = "org.fmi-ls-bus.transceiver";
  const Terminal node = Of(rule, Member("o1", "Tx_Data") + Member("i1", "Rx_Data"));
  EXPECT_EQ(Links(node, Of(rule, Member("o2", "Tx_Data") + Member("i2", "Rx_Data"))), "o1>i2 i1<o2");
  EXPECT_THAT(Links(Of(rule, Member("i1", "Tx_Data")), Of(rule, Member("i2", "Rx_Data"))),
              HasSubstr("a.t: expected an output for 'Tx_Data', found 'i1' (input)"));
  EXPECT_THAT(Links(node, Of(rule, Member("o2", "Tx_Data") + Member("o1", "Rx_Data"))),
              HasSubstr("b.t: expected an input for 'Rx_Data', found 'o1' (output)"));
  EXPECT_THAT(Links(Of(rule, Member("o1", "Data")), Of(rule, Member("i1", "Data"))),
              HasSubstr("a.t: expected members whose names start with Tx_ or Rx_, found 'Data'"));
  for (Variable& variable : model_.variables) variable.type = VariableType::Clock;
  EXPECT_EQ(Links(Of(rule, Member("i1", "Tx_Clock")), Of(rule, Member("i2", "Rx_Clock"))), "i1>i2")
      << "a clock that is timed is an input of the side that sends";
  EXPECT_THAT(Links(node, Of(rule, Member("i2", "Rx_Data"))), HasSubstr("expected a member 'Rx_Data'"));
  EXPECT_THAT(Links(node, Of("plug", Member("i2", "Rx_Data"))), HasSubstr("found plug"));
}

TEST_F(MatchedTerminals, SumUpFlowsAndRefuseWhatHasNoDirection) {
  const auto flows = [this](const char* first, const char* second) {
    return Links(Of("plug", Member("o1", "x", first)), Of("plug", Member("i1", "x", second)));
  };
  EXPECT_EQ(flows("inflow", "inflow"), "-o1>i1");
  EXPECT_EQ(flows("outflow", "outflow"), "-o1>i1");
  EXPECT_EQ(flows("inflow", "outflow"), "o1>i1");
  EXPECT_THAT(flows("inflow", "signal"), HasSubstr("expected two variables of one kind, found inflow and signal"));
  EXPECT_THAT(Links(Of("bus", Member("o1", "x")), Of("bus", Member("o2", "x"))),
              HasSubstr("expected an output and an input in each pair, found output and output for a.o1 and b.o2"));
}

TEST_F(MatchedTerminals, InsideOthersAreMatchedByTheirOwnRules) {
  const std::string inner = "<Terminal name=\"inner\" matchingRule=\"sequence\">";
  const Terminal first = Of("plug", Member("o1", "x") + inner + Member("o2", "") + "</Terminal>");
  EXPECT_EQ(Links(first, Of("plug", Member("i1", "x") + inner + Member("i2", "") + "</Terminal>")), "o1>i1 o2>i2");
  EXPECT_THAT(Links(first, Of("plug", Member("i1", "x"))), HasSubstr("expected a terminal 'inner', as a.t has"));
  EXPECT_EQ(FindTerminal({first}, "t.inner", "a").rule, "sequence");
  EXPECT_THROW(FindTerminal({first}, "t.outer", "a"), ArgumentError);
}

}  // namespace
}  // namespace openmi::fmi
