#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "openmi/omi/OmiFile.hpp"
#include "openmi/omi/XmlReader.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

const fs::path kFolder = fs::path(OPENMI_SOURCE_DIR) / "tests/openmi/omi/malformed";

/// A file of the folder and what the reader has to say about it.
struct Malformed {
  const char* file;
  Problem::Severity severity;
  int line;
  std::vector<const char*> words;  ///< all of them in one problem, remedy included
};

void PrintTo(const Malformed& malformed, std::ostream* out) {
  *out << malformed.file;
}

// clang-format off
const std::vector<Malformed> kTable{
    {"a-composition.omi", Problem::Error, 2, {"expected the root element LinkableComponent of an OMI file, found 'Composition'; this is a composition; give it where a composition is expected"}},
    {"an-opr-project.omi", Problem::Error, 2, {"expected the root element LinkableComponent of an OMI file, found 'opr'; this is a project of the OpenMI configuration editor; turn it into a composition with openmi import"}},
    {"arguments-twice.omi", Problem::Error, 5, {"expected one Arguments in LinkableComponent, found another; the first is on line 3; join the two into one"}},
    {"attribute-default.omi", Problem::Error, 3, {"expected no attribute declarations, found one for 'Value' of 'Argument'; remove the DOCTYPE and write the attribute where it belongs"}},
    {"attribute-of-arguments.omi", Problem::Error, 3, {"expected an attribute that Arguments knows, found 'Count'; it takes no attributes; remove it"}},
    {"attribute-without-value.omi", Problem::Error, 4, {"expected well-formed XML, found '", "Specification mandates value for attribute ReadOnly", "put the value of the attribute between two quotes; the file may be cut short"}},
    {"bare-ampersand.omi", Problem::Error, 4, {"expected well-formed XML, found '", "no name", "write '&amp;' for '&' and '&lt;' for '<'"}},
    {"binary.omi", Problem::Error, 1, {"expected text, found a NUL character at offset 7; this is no XML file, or it is damaged; get a whole copy"}},
    {"blank-around-platform.omi", Problem::Error, 4, {"expected one of the 12 platforms of the schema, found ' Linux '; did you mean 'Linux'?"}},
    {"blank-before-declaration.omi", Problem::Error, 2, {"expected well-formed XML, found '", "XML declaration allowed only at the start of the document", "let the declaration <?xml ...?> begin the file, with nothing before it"}},
    {"child-of-argument.omi", Problem::Error, 4, {"expected an element that is allowed in Argument, found 'Value'; nothing is allowed in it; remove it"}},
    {"child-of-platform.omi", Problem::Error, 4, {"expected an element that is allowed in Platform, found 'Bits'; nothing is allowed in it; remove it"}},
    {"claims-utf16.omi", Problem::Error, 1, {"expected two bytes a character as the declaration 'UTF-16' says, found one; declare encoding=\"UTF-8\", or save the file as UTF-16"}},
    {"content-of-argument.omi", Problem::Error, 4, {"expected no text in Argument, found '1'; write it as an attribute, or remove it"}},
    {"control-character.omi", Problem::Error, 4, {"expected well-formed XML, found '", "invalid character in attribute value", "remove the control character"}},
    {"control-reference.omi", Problem::Error, 4, {"expected well-formed XML, found '", "invalid xmlChar value 7", "remove the control character"}},
    {"dangerous-encoding.omi", Problem::Error, 1, {"expected an encoding of UTF-8, UTF-16, US-ASCII, ISO-8859-x or windows-125x, found 'ISO-2022-CN-EXT'; save the file as UTF-8"}},
    {"duplicate-attribute.omi", Problem::Error, 5, {"expected well-formed XML, found '", "Attribute Key redefined", "keep one of the two attributes"}},
    {"empty.omi", Problem::Error, 0, {"expected an XML document, found an empty file; get a whole copy of the file, or write one"}},
    {"entity-bomb.omi", Problem::Error, 3, {"expected no entity declarations, found entity 'a'; remove the DOCTYPE and write the text itself"}},
    {"entity-recursion.omi", Problem::Error, 3, {"expected no entity declarations, found entity 'a'; remove the DOCTYPE and write the text itself"}},
    {"external-dtd-entity.omi", Problem::Error, 4, {"expected well-formed XML, found '", "Entity 'fromdtd' not defined", "write the character itself; only &lt; &gt; &amp; &quot; &apos; and &#number; are read"}},
    {"external-entity.omi", Problem::Error, 3, {"expected no entity declarations, found external entity 'x' that points to 'file:///etc/passwd'; remove the DOCTYPE and write the text itself"}},
    {"foreign-element.omi", Problem::Error, 3, {"expected Arguments in namespace 'http://www.openmi.org/v2_0', found it in 'urn:other'; write it without prefix and without an xmlns of its own"}},
    {"half-utf16.omi", Problem::Error, 4, {"expected text in UTF-16LE, found a byte 0x0A at offset 282 that UTF-16LE does not allow; the file seems cut short; get a whole copy"}},
    {"html.omi", Problem::Error, 2, {"expected the root element LinkableComponent of an OMI file, found 'html'; there are: LinkableComponent"}},
    {"jar-alone.omi", Problem::Warning, 2, {"expected an Assembly, found the JavaArchive 'reservoir.jar' alone: a component in Java cannot be loaded; port the component, or take an FMU of its model"}},
    {"json.omi", Problem::Error, 1, {"expected well-formed XML, found '", "Start tag expected, '<' not found", "this is no XML file; check that it is the right one"}},
    {"key-twice.omi", Problem::Warning, 5, {"expected the argument 'k' once, found it again; the first is on line 4, and the last counts; remove one of the two"}},
    {"less-than-in-value.omi", Problem::Error, 4, {"expected well-formed XML, found '", "Unescaped '<' not allowed in attributes values", "write '&lt;' for '<' inside a value, or close the quotes before"}},
    {"mark-against-declaration.omi", Problem::Error, 1, {"expected the encoding of the byte order mark, UTF-8, found the declaration 'ISO-8859-1'; declare encoding=\"UTF-8\""}},
    {"missing-key.omi", Problem::Error, 4, {"expected the attribute 'Key' in Argument, found none; write Key=\"...\", the Id of the argument"}},
    {"missing-value.omi", Problem::Error, 4, {"expected the attribute 'Value' in Argument, found none; write Value=\"...\" into <Argument>"}},
    {"misspelt-element.omi", Problem::Error, 4, {"expected an element that is allowed in Arguments, found 'Argumnet'; did you mean 'Argument'?"}},
    {"misspelt-namespace.omi", Problem::Error, 2, {"expected the namespace 'http://www.openmi.org/v2_0', found 'http://www.openmi.org/v2_0/'; write xmlns=\"http://www.openmi.org/v2_0\""}},
    {"misspelt-value.omi", Problem::Error, 4, {"expected an attribute that Argument knows, found 'Valeu'; did you mean 'Value'?"}},
    {"nil.omi", Problem::Error, 3, {"expected a document that LinkableComponent.xsd accepts, found at column 84: 'xsi:nil' specified for non-nillable element 'Arguments'; correct it as the sentence says"}},
    {"no-platform.omi", Problem::Error, 3, {"expected at least one Platform in Platforms, found none; write <Platform>"}},
    {"no-quotes.omi", Problem::Error, 4, {"expected well-formed XML, found '", "AttValue: \" or ' expected", "put the value of the attribute between two quotes; the file may be cut short"}},
    {"no-type.omi", Problem::Warning, 2, {"expected the attribute 'Type' in LinkableComponent, found none; the schema allows that, but no component can be made; write Type=\"...\", the name of the class"}},
    {"not-closed.omi", Problem::Error, 5, {"expected well-formed XML, found '", "Opening and ending tag mismatch: Argument line 4 and Arguments", "close every element by its own name, innermost first"}},
    {"not-utf8.omi", Problem::Error, 4, {"expected text in UTF-8, found a byte 0xF6 at offset 167 that UTF-8 does not allow; save the file as UTF-8, or declare the encoding it has, such as encoding=\"ISO-8859-1\""}},
    {"nul-character.omi", Problem::Error, 6, {"expected text, found a NUL character at offset 185; this is no XML file, or it is damaged; get a whole copy"}},
    {"only-blanks.omi", Problem::Error, 3, {"expected well-formed XML, found '", "Start tag expected, '<' not found", "this is no XML file; check that it is the right one"}},
    {"only-declaration.omi", Problem::Error, 2, {"expected well-formed XML, found '", "Start tag expected, '<' not found", "this is no XML file; check that it is the right one"}},
    {"overlong-utf8.omi", Problem::Error, 4, {"expected text in UTF-8, found a byte 0xC0 at offset 165 that UTF-8 does not allow; save the file as UTF-8, or declare the encoding it has, such as encoding=\"ISO-8859-1\""}},
    {"parameter-entity.omi", Problem::Error, 3, {"expected no entity declarations, found external entity 'x' that points to 'http://localhost:1/x.dtd'; remove the DOCTYPE and write the text itself"}},
    {"plain-text.omi", Problem::Error, 1, {"expected well-formed XML, found '", "Start tag expected, '<' not found", "this is no XML file; check that it is the right one"}},
    {"qualified-attribute.omi", Problem::Error, 2, {"expected attributes of LinkableComponent without namespace, found 'Type' in 'http://www.openmi.org/v2_0'; write 'Type' without a prefix"}},
    {"read-only-capital.omi", Problem::Error, 4, {"expected true or false for 'ReadOnly' of Argument, found 'True'; write ReadOnly=\"true\" or ReadOnly=\"false\""}},
    {"read-only-yes.omi", Problem::Error, 4, {"expected true or false for 'ReadOnly' of Argument, found 'yes'; write ReadOnly=\"true\" or ReadOnly=\"false\""}},
    {"text-behind.omi", Problem::Error, 5, {"expected well-formed XML, found '", "Extra content at the end of the document", "keep one root element and nothing after it"}},
    {"text-in-root.omi", Problem::Error, 2, {"expected no text in LinkableComponent, found 'Arguments'; write it as an attribute, or remove it"}},
    {"text-inside.omi", Problem::Error, 3, {"expected no text in Arguments, found 'k = 1'; write it as an attribute, or remove it"}},
    {"truncated-in-value.omi", Problem::Error, 4, {"expected well-formed XML, found '", "AttValue: ' expected", "put the value of the attribute between two quotes; the file may be cut short"}},
    {"truncated.omi", Problem::Error, 5, {"expected well-formed XML, found '", "Premature end of data in tag Arguments line 3", "the file seems cut short here; get a whole copy, or close what is open"}},
    {"two-roots.omi", Problem::Error, 5, {"expected well-formed XML, found '", "Extra content at the end of the document", "keep one root element and nothing after it"}},
    {"type-substituted.omi", Problem::Error, 3, {"expected a document that LinkableComponent.xsd accepts, found at column 75: type 'Other' specified in 'xsi:type' cannot be resolved; correct it as the sentence says"}},
    {"undeclared-entity.omi", Problem::Error, 4, {"expected well-formed XML, found '", "Entity 'nbsp' not defined", "write the character itself; only &lt; &gt; &amp; &quot; &apos; and &#number; are read"}},
    {"undeclared-prefix.omi", Problem::Error, 3, {"expected well-formed XML, found '", "Namespace prefix omi on Arguments is not defined", "declare the prefix with xmlns:prefix=\"...\", or remove it"}},
    {"unknown-attribute.omi", Problem::Error, 4, {"expected an attribute that Argument knows, found 'Unit'; there are: Key, Value, ReadOnly"}},
    {"unknown-element.omi", Problem::Error, 4, {"expected an element that is allowed in LinkableComponent, found 'Platform'; did you mean 'Platforms'?"}},
    {"unknown-encoding.omi", Problem::Error, 1, {"expected an encoding of UTF-8, UTF-16, US-ASCII, ISO-8859-x or windows-125x, found 'KLINGON-8'; save the file as UTF-8"}},
    {"unknown-namespace.omi", Problem::Error, 2, {"expected the namespace 'http://www.openmi.org/v2_0', found 'http://www.openmi.org/v3_0'; write xmlns=\"http://www.openmi.org/v2_0\""}},
    {"unknown-root-attribute.omi", Problem::Error, 2, {"expected an attribute that LinkableComponent knows, found 'Asembly'; did you mean 'Assembly'?"}},
    {"utf16-says-latin1.omi", Problem::Error, 1, {"expected the declaration of UTF-16, found 'ISO-8859-1'; declare encoding=\"UTF-16\", or save the file as it says"}},
    {"utf32.omi", Problem::Error, 0, {"expected UTF-8 or UTF-16, found UTF-32; save the file as UTF-8"}},
    {"wrong-platform.omi", Problem::Error, 5, {"expected one of the 12 platforms of the schema, found 'Linus64'; did you mean 'Linux64'?"}},
    {"wrong-root.omi", Problem::Error, 2, {"expected the root element LinkableComponent of an OMI file, found 'LinkableComponet'; did you mean 'LinkableComponent'?"}},
    {"xml-attribute.omi", Problem::Error, 2, {"expected attributes of LinkableComponent without namespace, found 'lang' in 'http://www.w3.org/XML/1998/namespace'; remove it"}},
    {"zip-archive.omi", Problem::Error, 1, {"expected text, found a NUL character at offset 5; this is no XML file, or it is damaged; get a whole copy"}},
};
// clang-format on

class MalformedOmi : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedOmi, IsToldWithFileLineExpectationAndRemedy) {
  const Malformed& expected = GetParam();
  const fs::path path = kFolder / expected.file;
  Problems problems;
  ReadOmiFile(path, &problems);
  std::string all;
  bool found = false;
  for (const Problem& problem : problems) {
    const std::string line = FormatProblem(problem);
    all += std::string(SeverityName(problem.severity)) + " " + line + "\n";
    EXPECT_EQ(problem.where.file, path.string());
    EXPECT_FALSE(problem.remedy.empty()) << line;
    bool here = problem.severity == expected.severity && problem.where.line == expected.line;
    for (const char* words : expected.words) here = here && line.find(words) != std::string::npos;
    found = found || here;
  }
  EXPECT_TRUE(found) << all;
  EXPECT_EQ(HasErrors(problems), expected.severity == Problem::Error) << all;
  if (expected.severity == Problem::Error) {
    EXPECT_THROW(ReadOmiFile(path), FormatError);
  } else {
    EXPECT_NO_THROW(ReadOmiFile(path));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, MalformedOmi, testing::ValuesIn(kTable), [](const auto& row) {
  std::string name = fs::path(row.param.file).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(MalformedOmiFolder, IsCoveredByTheTable) {
  std::set<std::string> files;
  std::set<std::string> rows;
  for (const auto& entry : fs::directory_iterator(kFolder)) files.insert(entry.path().filename().string());
  for (const Malformed& row : kTable) rows.insert(row.file);
  EXPECT_EQ(files, rows);
}

/// A folder that goes with the test.
class Scratch : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "openmi-omi-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string Sentence(const fs::path& path) {
    Problems problems;
    ReadOmiFile(path, &problems);
    return problems.size() == 1 ? FormatProblem(problems[0]) : std::to_string(problems.size()) + " problems";
  }
  fs::path folder_;
};

using UnreadableOmi = Scratch;

TEST_F(UnreadableOmi, MissingFile) {
  EXPECT_THAT(Sentence(folder_ / "none.omi"),
              AllOf(HasSubstr("none.omi: expected a file that can be read"), HasSubstr("check the path")));
  EXPECT_THROW(ReadOmiFile(folder_ / "none.omi"), FileError);
}

TEST_F(UnreadableOmi, Folder) {
  EXPECT_THAT(Sentence(folder_), AllOf(HasSubstr("found a folder"), HasSubstr("name the file inside")));
}

TEST_F(UnreadableOmi, NamedPipeDoesNotHang) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe.omi").c_str(), 0600), 0);
  EXPECT_THAT(Sentence(folder_ / "pipe.omi"), HasSubstr("found a pipe or device"));
}

TEST_F(UnreadableOmi, DeviceWithoutEnd) {
  EXPECT_THAT(Sentence("/dev/zero"), HasSubstr("found a pipe or device"));
}

TEST_F(UnreadableOmi, LinkToItself) {
  fs::create_symlink(folder_ / "loop.omi", folder_ / "loop.omi");
  EXPECT_THAT(Sentence(folder_ / "loop.omi"), HasSubstr("expected a file that can be read"));
}

TEST_F(UnreadableOmi, FileUsedAsFolder) {
  std::ofstream(folder_ / "a.omi") << "<a/>";
  EXPECT_THAT(Sentence(folder_ / "a.omi" / "b.omi"), HasSubstr("expected a file that can be read"));
}

TEST_F(UnreadableOmi, NoPermission) {
  std::ofstream(folder_ / "a.omi") << "<a/>";
  fs::permissions(folder_ / "a.omi", fs::perms::none);
  // The superuser reads everything, so it becomes nobody for as long as the file is read.
  const uid_t user = ::geteuid();
  if (user == 0) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  const std::string sentence = Sentence(folder_ / "a.omi");
  if (user == 0) {
    ASSERT_EQ(::seteuid(user), 0);
  }
  EXPECT_THAT(sentence, HasSubstr("give yourself permission"));
}

using MonstrousOmi = Scratch;

TEST_F(MonstrousOmi, HundredMegabytesOfNestingAreRefusedWithoutReadingThem) {
  const fs::path path = folder_ / "nested.omi";
  {
    std::ofstream out(path, std::ios::binary);
    std::string block;
    for (int i = 0; i < (1 << 18); ++i) block += "<a>\n";
    for (int i = 0; i < 100; ++i) out << block;
  }
  EXPECT_THAT(Sentence(path), AllOf(HasSubstr("nested.omi: expected a file of at most 67108864 bytes, found 104857600"),
                                    HasSubstr("check that this is the right file")));
  // With a larger limit it is the depth that ends it.
  XmlLimits limits;
  limits.bytes = std::size_t{1} << 30;
  EXPECT_THAT([&] { ReadXmlFile(path, limits); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("nested.omi:257:"), HasSubstr("at most 256 elements"))));
}

std::string Refusal(const std::string& text) {
  Problems problems;
  ReadOmiText(text, "m.omi", &problems);
  for (const Problem& problem : problems) {
    if (problem.severity == Problem::Error) return FormatProblem(problem);
  }
  return "no error";
}

TEST_F(MonstrousOmi, DepthIsBounded) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "<a>\n";
  EXPECT_THAT(Refusal(text), AllOf(HasSubstr("m.omi:257:"), HasSubstr("at most 256 elements inside each other")));
}

TEST_F(MonstrousOmi, NumberOfElementsIsBounded) {
  std::string text = "<r>";
  for (int i = 0; i < 2'000'001; ++i) text += "<a/>";
  EXPECT_THAT(Refusal(text + "</r>"),
              AllOf(HasSubstr("m.omi:1:"), HasSubstr("at most 2000000 elements and attributes")));
}

TEST_F(MonstrousOmi, NumberOfAttributesIsBounded) {
  std::string text = "<r";
  for (int i = 0; i < 20'000; ++i) text += " a" + std::to_string(i) + "=''";
  EXPECT_THAT(Refusal(text + "/>"), HasSubstr("m.omi:1:"));
}

TEST_F(MonstrousOmi, LongNamesAndValuesGiveShortMessages) {
  const std::string name(60'000, 'n');
  EXPECT_LT(Refusal("<" + name + "/>").size(), 500U);
  const std::string open = "<LinkableComponent xmlns='http://www.openmi.org/v2_0' Type='T'>";
  EXPECT_LT(Refusal(open + "<Platforms><Platform>" + std::string(5'000'000, 'p') +
                    "</Platform></Platforms></LinkableComponent>")
                .size(),
            500U);
  EXPECT_THAT(Refusal("<r a='" + std::string(11'000'000, 'v') + "'/>"), HasSubstr("expected well-formed XML"));
}

TEST_F(MonstrousOmi, ThousandsOfFaultsAreAllTold) {
  std::string text = "<LinkableComponent xmlns='http://www.openmi.org/v2_0' Type='T'><Arguments>\n";
  for (int i = 0; i < 20'000; ++i) text += "<Argument Kay='k' Value='1'/>\n";
  Problems problems;
  ReadOmiText(text + "</Arguments></LinkableComponent>", "m.omi", &problems);
  EXPECT_EQ(CountProblems(problems, Problem::Error), 40'000U);
}

TEST(DamagedOmi, EveryPrefixAndEveryFlippedByteIsReadOrRefused) {
  const std::string good =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"T\">"
      "<!-- c --><Arguments><Argument Key=\"k\" Value=\"&lt;&#228;\" ReadOnly=\"true\"/></Arguments>"
      "<Platforms><Platform>Linux</Platform></Platforms></LinkableComponent>";
  for (std::size_t length = 0; length < good.size(); ++length) {
    Problems problems;
    ReadOmiText(good.substr(0, length), "d.omi", &problems);
    EXPECT_TRUE(HasErrors(problems)) << length;
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int flip : {0x01, 0x10, 0x80, 0xFF}) {
      std::string damaged = good;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      Problems problems;
      ReadOmiText(damaged, "d.omi", &problems);
      for (const Problem& problem : problems) EXPECT_EQ(problem.where.file, "d.omi");
    }
  }
}

}  // namespace
}  // namespace openmi
