#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "openmi/omi/XmlForm.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

XmlElement Root(std::string_view text) {
  return ReadXml(text, "test.xml").root;
}

TEST(XmlReader, GivesElementsAttributesAndTextWithTheirLines) {
  const XmlElement root = Root(
      "<?xml version=\"1.0\"?>\n"
      "<!-- <not a=\"tag\"> -->\n"
      "<a:root xmlns:a=\"urn:x\" xmlns=\"urn:y\"\n"
      "        one='1'\n"
      "   \t    a:two = \"2 &lt;&#65;\">\n"
      "  hello <child/> <![CDATA[<world>]]>\n"
      "  <child k=\"v\">\xC3\xA4</child><x/>\n"
      "</a:root>\n");
  EXPECT_EQ(root.name, "root");
  EXPECT_EQ(root.namespace_uri, "urn:x");
  EXPECT_EQ(root.line, 3);
  EXPECT_EQ(root.column, 1);
  ASSERT_EQ(root.attributes.size(), 2U);
  EXPECT_EQ(root.attributes[0].name, "one");
  EXPECT_EQ(root.attributes[0].line, 4);
  EXPECT_EQ(root.attributes[0].column, 9);
  EXPECT_EQ(root.attributes[1].namespace_uri, "urn:x");
  EXPECT_EQ(root.attributes[1].value, "2 <A");
  EXPECT_EQ(root.attributes[1].line, 5);
  EXPECT_EQ(root.attributes[1].column, 9);
  EXPECT_EQ(root.TrimmedText(), "hello  <world>");
  ASSERT_EQ(root.children.size(), 3U);
  EXPECT_EQ(root.children[1].namespace_uri, "urn:y");
  EXPECT_EQ(root.children[1].line, 7);
  EXPECT_EQ(root.children[1].text, "\xC3\xA4");
  EXPECT_EQ(root.children[2].column, 25);  // 'ä' is one character
  EXPECT_EQ(root.Children("child").size(), 2U);
  EXPECT_EQ(root.Child("x")->line, 7);
  EXPECT_EQ(root.Child("y"), nullptr);
  EXPECT_EQ(root.Get("one"), "1");
  EXPECT_EQ(root.Get("two", "none"), "none");  // it is in a namespace
}

TEST(XmlReader, KeepsCountingLinesInLargeFiles) {
  std::string text = "<r>\n";
  for (int i = 0; i < 40000; ++i) text += "  <e\n    n=\"" + std::to_string(i) + "\"/>\n";
  text += "</r>\n";
  const XmlElement root = Root(text);
  ASSERT_EQ(root.children.size(), 40000U);
  for (std::size_t i = 0; i < root.children.size(); i += 7919) {
    EXPECT_EQ(root.children[i].line, 2 + 2 * static_cast<int>(i));
    EXPECT_EQ(root.children[i].attributes[0].line, 3 + 2 * static_cast<int>(i));
    EXPECT_EQ(root.children[i].attributes[0].column, 5);
    EXPECT_EQ(root.children[i].Get("n"), std::to_string(i));
  }
}

TEST(XmlReader, ReadsUtf16AndLatin1AsUtf8) {
  const std::string text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><r a=\"K\xF6ln\"/>";
  std::string little("\xFF\xFE", 2);
  std::string big("\xFE\xFF", 2);
  for (const char c : text) {
    little += c;
    little += '\0';
    big += '\0';
    big += c;
  }
  EXPECT_EQ(Root(little).Get("a"), "K\xC3\xB6ln");
  EXPECT_EQ(Root(big).Get("a"), "K\xC3\xB6ln");
  EXPECT_EQ(Root(little.substr(2)).Get("a"), "K\xC3\xB6ln");
  EXPECT_EQ(Root("<?xml version='1.0' encoding='iso-8859-1'?><r a=\"K\xF6ln\"/>").Get("a"), "K\xC3\xB6ln");
  EXPECT_EQ(Root("\xEF\xBB\xBF<?xml version='1.0' encoding='utf-8'?><r a=\"K\xC3\xB6ln\"/>").Get("a"), "K\xC3\xB6ln");
}

TEST(XmlReader, WarnsAboutADoctypeAndDoesNotFollowIt) {
  const XmlDocument document =
      ReadXml("<!DOCTYPE r SYSTEM \"file:///etc/passwd\" [ <!ELEMENT r ANY> ]>\n<r/>\n", "test.xml");
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_THAT(FormatProblem(document.notes[0]), AllOf(HasSubstr("test.xml:1:"), HasSubstr("not followed")));
  EXPECT_EQ(document.root.line, 2);
  EXPECT_THAT(document.text, testing::Not(HasSubstr("DOCTYPE")));
  EXPECT_THAT(document.text, HasSubstr("\n<r/>"));
}

TEST(XmlReader, RefusesAnEntityReferenceItCannotExpand) {
  EXPECT_THAT([] { Root("<!DOCTYPE r SYSTEM \"x.dtd\">\n<r>&boo;</r>"); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("test.xml:2"), HasSubstr("boo"))));
  EXPECT_THAT([] { Root("<r a='&boo;'/>"); }, ThrowsMessage<FormatError>(HasSubstr("boo")));
}

TEST(XmlReader, StopsAtTheLimits) {
  XmlLimits limits;
  limits.depth = 10;
  std::string nested;
  for (int i = 0; i < 11; ++i) nested += "<a>\n";
  EXPECT_THAT([&] { ReadXml(nested, "n.xml", limits); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("n.xml:11"), HasSubstr("at most 10"))));
  limits.nodes = 3;
  EXPECT_THAT([&] { ReadXml("<a>\n<b c='1'/>\n<d/></a>", "n.xml", limits); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("n.xml:3"), HasSubstr("at most 3"))));
  limits.bytes = 10;
  EXPECT_THAT([&] { ReadXml("<a>      </a>", "n.xml", limits); }, ThrowsMessage<FormatError>(HasSubstr("13 bytes")));
}

TEST(XmlReader, ReadsInManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(Root("<r a='1'><b/></r>").children.size(), 1U);
        EXPECT_THROW(Root("<r a='1'><b></r>"), FormatError);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(XmlElement, NamesTheNearestAttributeWhenOneIsMissing) {
  const XmlElement root = Root("\n<Argument key=\"k\" Value=\"\"/>");
  EXPECT_THAT(
      [&] { root.Required("Key"); },
      ThrowsMessage<FormatError>("test.xml:2: expected the attribute 'Key' in Argument, found 'key'; write 'Key' "
                                 "instead of 'key'"));
  EXPECT_EQ(root.Required("Value"), "");
}

TEST(XmlForm, ReportsEverythingInOneGo) {
  const XmlElement root = Root(
      "<Link Frm=\"a.b\" Loop=\"lst\" flag=\"yes\">words\n"
      "<Adapter/>\n"
      "<Run/>\n"
      "<Run/>\n"
      "<Run xmlns=\"urn:other\"/>\n"
      "</Link>");
  Problems problems;
  XmlForm form(problems);
  form.Required(root, "From");
  form.OnlyAttributes(root, {"From", "To", "Loop", "flag"});
  bool extrapolates = true;
  form.OneOf(root, "Loop", EnumNames<bool>{"last", "extrapolate"}, extrapolates);
  EXPECT_TRUE(extrapolates);
  form.Boolean(root, "flag", false);
  form.OnlyChildren(root, {"Adaptor", "Run"});
  form.AtMostOne(root, "Run");
  form.NoText(root);
  std::vector<std::string> lines;
  for (const Problem& problem : problems) lines.push_back(FormatProblem(problem));
  EXPECT_THAT(
      lines,
      testing::ElementsAre(
          "test.xml:1: expected the attribute 'From' in Link, found 'Frm'; write 'From' instead of 'Frm'",
          "test.xml:1: expected an attribute that Link knows, found 'Frm'; did you mean 'From'?",
          "test.xml:1: expected one of last, extrapolate for 'Loop' of Link, found 'lst'; did you mean 'last'?",
          "test.xml:1: expected true or false for 'flag' of Link, found 'yes'; write flag=\"true\" or flag=\"false\"",
          "test.xml:2: expected an element that is allowed in Link, found 'Adapter'; did you mean 'Adaptor'?",
          "test.xml:5: expected Run in namespace '', found it in 'urn:other'; write it without prefix and without an "
          "xmlns of its own",
          "test.xml:4: expected one Run in Link, found another; the first is on line 3; join the two into one",
          "test.xml:5: expected one Run in Link, found another; the first is on line 3; join the two into one",
          "test.xml:1: expected no text in Link, found 'words'; write it as an attribute, or remove it"));
}

TEST(EscapeXml, SurvivesARoundTrip) {
  const std::string hard = "a<b>&\"'\t\n\r \xE2\x82\xAC]]>";
  EXPECT_EQ(Root("<r a=\"" + EscapeXml(hard) + "\"/>").Get("a"), hard);
  EXPECT_EQ(Root("<r>" + EscapeXml(hard) + "</r>").text, hard);
}

TEST(EscapeXml, RefusesWhatXmlCannotHold) {
  EXPECT_THROW(EscapeXml(std::string(1, '\x01')), FormatError);
  EXPECT_THROW(EscapeXml("\xFF"), FormatError);
  EXPECT_THROW(EscapeXml("\xEF\xBF\xBF"), FormatError);
}

TEST(WriteXmlText, LeavesNoPartBehindWhenItFails) {
  const ScratchFolder scratch;
  const std::filesystem::path& folder = scratch.Path();
  std::filesystem::create_directories(folder / "taken");
  EXPECT_THROW(WriteXmlText(folder / "taken", "x"), FileError);
  EXPECT_THROW(WriteXmlText(folder / "missing" / "file", "x"), FileError);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  WriteXmlText(folder / "a.xml", "<a/>");
  EXPECT_EQ(ReadXmlFile(folder / "a.xml").root.name, "a");
}

}  // namespace
}  // namespace openmi
