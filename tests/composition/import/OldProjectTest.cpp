// The forms of the configuration editor's projects, and what is not one.

#include "composition/import/OldComposition.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/import/ImportSupport.hpp"

namespace openmi {
namespace {

using test::Lines;
using test::UiLink;
using test::Version1;
using testing::HasSubstr;
using testing::ThrowsMessage;

OldComposition Read(const std::string& text, Problems& problems) {
  return ReadOldText(text, "p.opr", problems);
}

/// "from.item -[operation,...]-> to.item" of each link.
std::string LinksOf(const OldComposition& old) {
  const auto end = [](const OldEnd& one) {
    return (one.model ? std::to_string(*one.model) : one.model_name) + "." + one.item +
           (one.element_set.empty() ? "" : "@" + one.element_set);
  };
  std::string text;
  for (const OldLink& link : old.links) {
    text += end(link.from) + " -[";
    for (const AdaptorSpec& operation : link.operations) {
      text += operation.id;
      for (const ArgumentSpec& argument : operation.arguments) text += " " + argument.key + "=" + argument.value;
      text += ";";
    }
    text += "]-> " + end(link.to) + "\n";
  }
  return text;
}

const std::string kModels =
    "<model omi=\"a.omi\" rect_x=\"1\" rect_y=\"2\" rect_width=\"3\" rect_height=\"4\"/>\n"
    "<model omi=\"b.omi\" is_trigger=\"true\"/>\n";

TEST(OldProject, Version1NamesModelsAndHasDataOperations) {
  Problems problems;
  const OldComposition old =
      Read(Version1("<model omi=\"a.omi\"/>\n<model omi=\"b.omi\"/>\n",
                    UiLink("A", "B",
                           "<dataoperation id=\"ElementMapper500\"/><dataoperation id=\"Linear Conversion\"><argument "
                           "key=\"A\" value=\"2\"/></dataoperation>") +
                        UiLink("B", "Oatc.OpenMI.Gui.Trigger")),
           problems);
  EXPECT_EQ(Lines(problems), "");
  ASSERT_EQ(old.models.size(), 2U);
  EXPECT_EQ(old.models[1].omi, "b.omi");
  EXPECT_EQ(old.models[1].line, 4);
  EXPECT_EQ(LinksOf(old), "A.flow@reach -[ElementMapper500;Linear Conversion A=2;]-> B.inflow@basin\n");
  ASSERT_EQ(old.triggered.size(), 1U);
  EXPECT_EQ(old.triggered[0].model_name, "B");
  EXPECT_EQ(old.asked_time, "08/21/2009 10:00:00");
}

TEST(OldProject, TheInterimFormHasChains) {
  Problems problems;
  const OldComposition old = Read(
      Version1("<model omi=\"a.omi\"/>\n",
               "<uilink model_providing=\"A\" model_accepting=\"B\"><chain><providerExchangeItem id=\"reach.flow\"/>"
               "<DataOperation id=\"ElementMapper700\"/><acceptorExchangeItem id=\"basin.inflow\"/></chain>"
               "<chain><providerExchangeItem id=\"reach.flow\"/></chain></uilink>"),
      problems);
  EXPECT_EQ(LinksOf(old), "A.reach.flow -[ElementMapper700;]-> B.basin.inflow\n");
  EXPECT_EQ(
      Lines(problems),
      "error: p.opr:7: expected the element acceptorExchangeItem in chain, found none; write the exchange item at "
      "this end of the link\n");
}

TEST(OldProject, AnUnsetTimeOfTheTriggerIsNone) {
  std::string text = Version1("", "");
  text.replace(text.find("08/21/2009 10:00:00"), 19, "01/01/1900 00:00:00");
  Problems problems;
  EXPECT_EQ(Read(text, problems).asked_time, "");
}

TEST(OldProject, EarlyVersion2HasExchanges) {
  Problems problems;
  const OldComposition old = Read(
      "<opr version=\"2.0\">" + kModels +
          "<connection model_index_source=\"1\" model_index_target=\"0\"><exchange output_identifier=\"out\" "
          "input_identifier=\"in\"><decorator identifer=\"LinearConversion\" decorated_identifer=\"out\"><argument "
          "identifier=\"A\" value=\"2\"/></decorator></exchange></connection></opr>",
      problems);
  EXPECT_EQ(Lines(problems), "");
  EXPECT_EQ(LinksOf(old), "1.out -[LinearConversion A=2;]-> 0.in\n");
  EXPECT_FALSE(old.models[0].is_trigger);
  EXPECT_TRUE(old.models[1].is_trigger);
}

const std::string kDecorators =
    "<decorators><decorator item_id=\"first\"><factory id=\"f\" type=\"my.Factory\"/></decorator>"
    "<adapted_outputs item_id=\"second\"><arguments><argument id=\"B\" value=\"1\"/></arguments></adapted_outputs>"
    "</decorators>";

std::string Version2(const std::string& links, const std::string& from = "0", const std::string& to = "1") {
  return "<opr version=\"2.0\">\n<models>" + kModels + "</models><connections>\n<connection source_model_index=\"" +
         from + "\" target_model_index=\"" + to + "\"><links>\n" + links + "</links>\n" + kDecorators +
         "</connection></connections></opr>";
}

TEST(OldProject, Version2NamesAdaptedOutputsByPosition) {
  Problems problems;
  const OldComposition old = Read(Version2("<link source_item_id=\"out\" target_item_id=\"in\"><decorated index=\"1\"/>"
                                           "<decorated index=\"0\"/></link>"),
                                  problems);
  EXPECT_EQ(Lines(problems), "");
  EXPECT_EQ(LinksOf(old), "0.out -[second B=1;first;]-> 1.in\n");
  EXPECT_EQ(old.links[0].operations[1].factory, "my.Factory");
}

std::string Source(const std::string& element, const std::string& id, int index, const std::string& inside = {}) {
  return "<" + element + " source_item_id=\"" + id + "\" source_item_is_adaptedoutput=\"" +
         (index < 0 ? "false" : "true") + "\" source_item_adpatedoutput_index=\"" + std::to_string(index) + "\">" +
         inside + "</" + element + ">";
}

TEST(OldProject, TheLastFormOfVersion2NestsParentsAndHasInputsWithSeveralSources) {
  const std::string output = Source("parent_item_id", "out", -1);
  const std::string chain = Source("source_item_id", "x", 1, Source("parent_item_id", "y", 0, output));
  Problems problems;
  const OldComposition old =
      Read(Version2("<link target_item_id=\"in\">" + chain + "</link><link target_item_id=\"many\">" + chain +
                    "<multi_input_exchangeitem_sources>" + Source("source", "one", -1) +
                    Source("source", "x", 0, output) + "</multi_input_exchangeitem_sources></link>"),
           problems);
  EXPECT_EQ(Lines(problems), "");
  EXPECT_EQ(LinksOf(old), "0.out -[first;second B=1;]-> 1.in\n0.one -[]-> 1.many\n0.out -[first;]-> 1.many\n");
}

TEST(OldProject, PositionsAreChecked) {
  const auto first_line = [](const std::string& text) {
    Problems problems;
    Read(text, problems);
    return problems.empty() ? "" : FormatProblem(problems.front());
  };
  EXPECT_EQ(first_line(Version2("", "2")),
            "p.opr:5: expected the position of a model in 'source_model_index' of connection, found '2'; positions go "
            "from 0 to 1");
  EXPECT_THAT(first_line(Version2("", "0", "-1")), HasSubstr("'target_model_index' of connection, found '-1'"));
  EXPECT_THAT(
      first_line(Version2("<link source_item_id=\"o\" target_item_id=\"i\"><decorated index=\"9\"/></link>")),
      HasSubstr("expected the position of an adapted output of this connection in 'index' of decorated, found '9'"));
  EXPECT_THAT(first_line(Version2("<link target_item_id=\"in\">" + Source("source_item_id", "x", 0) + "</link>")),
              HasSubstr("expected an output at the start of the adapted outputs, found none"));
}

TEST(OldProject, UnknownPartsAreListed) {
  Problems problems;
  Read("<opr version=\"2.0\" author=\"x\">\n<models><model omi=\"a.omi\"/></models>\n<notes/>words</opr>", problems);
  EXPECT_EQ(Lines(problems),
            "warning: p.opr:1: left out: the attribute 'author' of opr, which no form of this file is known to have\n"
            "warning: p.opr:3: left out: the element 'notes' in opr, which no form of this file is known to have\n"
            "warning: p.opr:1: left out: the text 'words' in opr\n");
}

TEST(OldProject, Utf16IsRead) {
  const std::string text = "<?xml version=\"1.0\" encoding=\"utf-16\"?>" + Version1("<model omi=\"a.omi\"/>\n", "");
  std::string wide = "\xFF\xFE";
  for (const char sign : text) wide += {sign, '\0'};
  Problems problems;
  EXPECT_EQ(Read(wide, problems).models.size(), 1U);
}

TEST(OldProject, OtherFilesAreRefusedWithTheReason) {
  const auto expect = [](const std::string& text, const std::string& message) {
    EXPECT_THAT(
        [&] {
          Problems problems;
          Read(text, problems);
        },
        ThrowsMessage<FormatError>(HasSubstr(message)));
  };
  expect("", "p.opr: expected an XML document, found an empty file");
  expect("<guiComposition><models>", "p.opr:1: ");
  expect("<Composition/>", "found 'Composition'; this is a composition already; run openmi check");
  expect("<guicomposition/>", "found 'guicomposition'; did you mean 'guiComposition'?");
  expect("<!DOCTYPE opr [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<opr>&b;</opr>",
         "expected no entity declarations, found entity 'a'");
  std::string huge = "<opr version=\"2.0\"><models>";
  for (int i = 0; i < 11'000; ++i) huge += "<model omi=\"a.omi\"/>";
  expect(huge + "</models></opr>", "20000");
}

TEST(OldProject, AMissingFileIsAFileError) {
  Problems problems;
  EXPECT_THROW(ReadOldComposition("no/such.opr", problems), FileError);
}

}  // namespace
}  // namespace openmi
