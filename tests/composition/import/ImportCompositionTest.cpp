// From an old composition to ours, and what is said of the rest.

#include "composition/import/ImportComposition.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/import/ImportSupport.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

using test::Lines;
using test::UiLink;
using test::Version1;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

std::string Omi(const std::string& assembly, const std::string& arguments = {}) {
  return "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"x.Y\" " + assembly + "><Arguments>" +
         arguments + "</Arguments></LinkableComponent>";
}

class ImportCompositionTest : public testing::Test {
 protected:
  /// The composition without the XML declaration and paths. `problems_` says the rest.
  std::string Import(const std::string& project) {
    OldComposition old = ReadOldText(project, here_ / "p.opr", problems_);
    FindModels(old, problems_);
    CompositionFile file = ImportComposition(old, options_, problems_);
    for (ComponentSpec& component : file.components) {
      component.omi = std::filesystem::path(component.omi).filename().string();
    }
    std::string text = CompositionText(file);
    Problems again;
    ReadCompositionText(text, "p.xml", again);
    EXPECT_EQ(Lines(again), "") << text;
    return text.substr(text.find("<Composition"));
  }

  ScratchFolder here_;
  ImportOptions options_{.id = "p", .replacements = {}, .from = {}, .to = {}};
  Problems problems_;
};

TEST_F(ImportCompositionTest, AVersion1ProjectBecomesComponentsLinksAndARun) {
  here_.Write("rain.omi", Omi("Assembly=\"rain.dll\"", "<Argument Key=\"simulationStart\" Value=\"2009,8,1,0,0,0\"/>"));
  here_.Write("creek.omi",
              Omi("Assembly=\"creek.dll\"", "<Argument Key=\"simulationStart\" Value=\"2009,8,2,0,0,0\"/>"));
  EXPECT_EQ(Import(Version1("<model omi=\"rain.omi\"/>\n<model omi=\"creek.omi\"/>\n",
                            UiLink("rain", "creek", "<dataoperation id=\"ElementMapper100\"/>") +
                                UiLink("creek", "Oatc.OpenMI.Gui.Trigger", "", "level"))),
            "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"p\">\n"
            "  <Component Id=\"rain\" Omi=\"rain.omi\"/>\n"
            "  <Component Id=\"creek\" Omi=\"creek.omi\"/>\n"
            "  <Link From=\"rain.flow\" To=\"creek.inflow\">\n"
            "    <Adaptor Id=\"nearest\"/>\n"
            "    <Adaptor Id=\"linear\"/>\n"
            "  </Link>\n"
            "  <Observe Item=\"creek.level\"/>\n"
            "  <Run From=\"2009-08-02T00:00:00Z\" To=\"2009-08-21T10:00:00Z\" Trigger=\"creek\"/>\n"
            "</Composition>\n");
  EXPECT_THAT(
      Lines(problems_),
      AllOf(HasSubstr("p.opr:3: rain: expected a component for this system, found a class in a Windows or .NET "
                      "library: 'x.Y' in 'rain.dll'; write the OMI file of a component that runs here in Omi, or "
                      "import again with --replace 'rain=FILE.omi'"),
            HasSubstr("note: " + here_ / "p.opr: the run starts at 2009-08-02T00:00:00Z, the argument "
                                         "'simulationStart' of 'creek.omi'"),
            HasSubstr("rain.flow -> creek.inflow: its items are named after the quantities; the element sets were "
                      "'reach' and 'basin'"),
            HasSubstr("the arguments of the old component are not carried over: simulationStart='2009,8,1,0,0,0'")));
}

TEST_F(ImportCompositionTest, ComponentsThatRunHereNeedNoReplacement) {
  here_.Write("a.omi", Omi("Assembly=\"openmi-components\"", "<Argument Key=\"k\" Value=\"2\"/>"));
  here_.Write("b.omi", Omi("Assembly=\"lib/libb.so\""));
  options_.from = ParseIsoTime("2009-01-01T00:00Z");
  Import(Version1("<model omi=\"a.omi\"/>\n<model omi=\"b.omi\"/>\n", UiLink("a", "b")));
  EXPECT_FALSE(HasErrors(problems_)) << Lines(problems_);
  EXPECT_THAT(Lines(problems_), Not(HasSubstr("are not carried over"))) << "the OMI file that is kept has them";
}

TEST_F(ImportCompositionTest, AnAssemblyOfVersion2ThatIsNotThereIsAskedFor) {
  here_.Write("a.omi", Omi("Assembly=\"bin\\A.dll\""));
  Import("<opr version=\"2.0\"><models><model omi=\"a.omi\"/></models></opr>");
  EXPECT_THAT(Lines(problems_), HasSubstr("'x.Y' in 'bin/A.dll'; if it is an assembly of .NET, put it there, and those "
                                          "that it refers to; or write the OMI file"));
}

TEST_F(ImportCompositionTest, ForeignComponentsAreToldApart) {
  here_.Write("a.omi", Omi("Assembly=\"DHI.OpenMI.Mike11, Version=1.0.0.0, Culture=neutral\""));
  here_.Write("b.omi", Omi("Assembly=\"\" JavaArchive=\"b.jar\""));
  Import(Version1("<model omi=\"a.omi\"/>\n<model omi=\"b.omi\"/>\n", UiLink("a", "b")));
  EXPECT_THAT(Lines(problems_), AllOf(HasSubstr("found a .NET class: 'x.Y' in 'DHI.OpenMI.Mike11, Version=1.0.0.0"),
                                      HasSubstr("found a Java class: 'x.Y' in 'b.jar'")));
}

TEST_F(ImportCompositionTest, ReplacementsAreNamedByIdOrModelIdOrOmiFile) {
  options_.replacements = {{"Db-Reader", "r.omi"}, {"Unit Hydrograph", "u.omi"}, {"x\\w.omi", "w.omi"}};
  const std::string text =
      Import(Version1("<model omi=\"DbReader.omi\"/>\n<model omi=\"uh.omi\"/>\n<model omi=\"x\\w.omi\"/>\n",
                      UiLink("Db Reader", "w") + UiLink("Unit Hydrograph", "w", "", "other")));
  EXPECT_THAT(text, AllOf(HasSubstr("Id=\"Db-Reader\" Caption=\"Db Reader\" Omi=\"r.omi\""),
                          HasSubstr("Id=\"Unit-Hydrograph\" Caption=\"Unit Hydrograph\" Omi=\"u.omi\""),
                          HasSubstr("Id=\"w\" Omi=\"w.omi\"")));
  EXPECT_THAT(Lines(problems_), Not(HasSubstr("expected the OMI file")))
      << "those of the old components are not needed";
}

TEST_F(ImportCompositionTest, OmiFilesThatAreMissingOrUncertainAreAskedFor) {
  for (const char* name : {"a.omi", "b.omi"}) here_.Write(name, Omi("Assembly=\"x.dll\""));
  Import(Version1("<model omi=\"a.omi\"/>\n<model omi=\"b.omi\"/>\n", UiLink("Ground", "River")));
  EXPECT_THAT(Lines(problems_),
              HasSubstr("p.opr: River: expected the OMI file of the model 'River' that links name, found "
                        "none that certainly is its own; write the OMI file of a component that runs here"));
  Import(Version1("<model omi=\"gone\\x.omi\"/>\n", ""));
  EXPECT_THAT(Lines(problems_),
              HasSubstr("p.opr:3: x: expected the OMI file 'gone\\x.omi', found none that can be read"));
}

TEST_F(ImportCompositionTest, AReplacementOfNothingIsRefused) {
  options_.replacements = {{"rian", "r.omi"}};
  EXPECT_THAT([&] { Import(Version1("<model omi=\"rain.omi\"/>\n", "")); },
              ThrowsMessage<ArgumentError>(
                  HasSubstr("expected the id of a component to replace, found 'rian'; did you mean 'rain'?")));
}

TEST_F(ImportCompositionTest, ModelsOfOneNameGetIdsOfTheirOwn) {
  const std::string text = Import(
      "<opr version=\"2.0\"><models><model omi=\"x\\a b.omi\"/><model omi=\"y\\a b.omi\"/></models>"
      "<connections><connection source_model_index=\"0\" target_model_index=\"1\"><links><link "
      "source_item_id=\"q [0]\" target_item_id=\"q [0]\"/></links></connection></connections></opr>");
  EXPECT_THAT(text, AllOf(HasSubstr("Id=\"a-b\""), HasSubstr("Id=\"a-b-2\""),
                          HasSubstr("<Link From=\"a-b.q [0]\" To=\"a-b-2.q [0]\"/>")));
}

TEST_F(ImportCompositionTest, AQuantityOnSeveralElementSetsKeepsTheirNames) {
  const std::string text = Import(Version1(
      "<model omi=\"a.omi\"/>\n<model omi=\"b.omi\"/>\n",
      "<uilink model_providing=\"a\" model_accepting=\"b\"><link id=\"1\" source_elementset=\"up\" "
      "source_quantity=\"T\" "
      "target_elementset=\"s\" target_quantity=\"T1\"/><link id=\"2\" source_elementset=\"down\" source_quantity=\"T\" "
      "target_elementset=\"s\" target_quantity=\"T2\"/></uilink>"));
  EXPECT_THAT(text, AllOf(HasSubstr("From=\"a.up.T\" To=\"b.T1\""), HasSubstr("From=\"a.down.T\" To=\"b.T2\"")));
}

TEST_F(ImportCompositionTest, RepeatedLinksAreLeftOutAndSecondProvidersReported) {
  const std::string text = Import(Version1("<model omi=\"a.omi\"/>\n<model omi=\"b.omi\"/>\n",
                                           UiLink("a", "b") + UiLink("a", "b") + UiLink("a", "b", "", "other")));
  EXPECT_THAT(text, AllOf(HasSubstr("From=\"a.flow\""), HasSubstr("From=\"a.other\"")));
  EXPECT_THAT(Lines(problems_),
              AllOf(HasSubstr("warning: " + here_ / "p.opr:12: a.flow -> b.inflow: left out: a second link "
                                                    "between the same items"),
                    HasSubstr("p.opr:15: a.other -> b.inflow: expected one link to each input, found another "
                              "to b.inflow; put openmi.Gather or openmi.Expression between")));
}

TEST_F(ImportCompositionTest, ListenersOf14AreAskedToo) {
  const std::string text =
      Import(Version1("<model omi=\"a.omi\"/>\n<model omi=\"b.omi\"/>\n<model omi=\"db.omi\"/>\n",
                      UiLink("a", "b") + UiLink("b", "db") + UiLink("b", "Oatc.OpenMI.Gui.Trigger")));
  EXPECT_THAT(Lines(problems_),
              AllOf(HasSubstr("db: it took values by the events of OpenMI 1.4; now the run asks it too"),
                    HasSubstr("Trigger=\"b db\" of Run"), Not(HasSubstr("a: it took values"))));
  EXPECT_THAT(text, Not(HasSubstr("<Run")));
}

TEST_F(ImportCompositionTest, TimesThatAreMissingOrReversedAreAskedFor) {
  const std::string project = Version1("<model omi=\"a.omi\"/>\n", UiLink("a", "Oatc.OpenMI.Gui.Trigger"));
  EXPECT_THAT(Import(project), Not(HasSubstr("<Run")));
  EXPECT_THAT(Lines(problems_),
              HasSubstr("expected the start of the run, found none, but its end, 2009-08-21T10:00:00Z; no "
                        "Run is written; add --from"));
  options_.from = ParseIsoTime("2010-01-01T00:00Z");
  EXPECT_THAT(Import(project), Not(HasSubstr("<Run")));
  EXPECT_THAT(Lines(problems_),
              HasSubstr("p.opr:11: expected an end of the run after its start 2010-01-01T00:00:00Z, found "
                        "2009-08-21T10:00:00Z; no Run is written; add --from and --to"));
  options_.to = ParseIsoTime("2010-02-01T00:00Z");
  EXPECT_THAT(Import(project),
              HasSubstr("<Run From=\"2010-01-01T00:00:00Z\" To=\"2010-02-01T00:00:00Z\" Trigger=\"a\"/>"));
}

TEST_F(ImportCompositionTest, ATimeInTheFormOfALocaleIsAskedFor) {
  std::string project = Version1("<model omi=\"a.omi\"/>\n", UiLink("a", "Oatc.OpenMI.Gui.Trigger"));
  project.replace(project.find("08/21/2009 10:00:00"), 19, "21.08.2009 10:00:00");
  Import(project);
  EXPECT_THAT(Lines(problems_),
              HasSubstr("expected a time as month/day/year hour:minute:second, found '21.08.2009 10:00:00'; "
                        "state the end of the run with --to"));
}

TEST_F(ImportCompositionTest, AnOmiFileBecomesOneComponent) {
  const std::string omi = Omi("Assembly=\"m.dll\"", "<Argument Key=\"k\" Value=\"${HOME}\"/>");
  here_.Write("p.opr", omi);
  const std::string lines = Import(omi);
  EXPECT_THAT(lines, HasSubstr("<Component Id=\"p\" Omi=\"p.opr\"/>"));
  EXPECT_THAT(Lines(problems_), Not(HasSubstr("left out: the places of the boxes")));
}

TEST_F(ImportCompositionTest, AProjectWithoutModelsIsNoComposition) {
  OldComposition old = ReadOldText("<opr version=\"2.0\"/>", "p.opr", problems_);
  FindModels(old, problems_);
  EXPECT_TRUE(ImportComposition(old, options_, problems_).components.empty());
  EXPECT_THAT(Lines(problems_), HasSubstr("error: p.opr: expected at least one model, found none"));
}

}  // namespace
}  // namespace openmi
