// Terminals and manifests of layered standards that are wrong, each with the words that say so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fmi-bridge/fmi/FmuExtras.hpp"

namespace openmi::fmi::hostile_extras {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;

struct Case {
  const char* what;
  std::string text;
  const char* words;
};

std::string Repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

std::string TextOf(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    EXPECT_EQ(problem.severity, Problem::Warning) << "nothing of it is needed to run the FMU";
    EXPECT_EQ(problem.where.file, "x.xml");
    EXPECT_NE(problem.remedy, "") << problem.problem;
    text += FormatProblem(problem) + "\n";
  }
  return text;
}

/// What is no XML that is read here; `root` is the name of the element at the top.
std::vector<Case> NoDocuments(const std::string& root) {
  const std::string whole = "<" + root + "/>";
  return {
      {"empty", "", "found an empty file"},
      {"blanks", " \n ", "x.xml"},
      {"a NUL", "\0"s, "x.xml"},
      {"an archive", "PK\x03\x04", "x.xml:1: expected well-formed XML"},
      {"text", "terminals", "x.xml:1: expected well-formed XML"},
      {"JSON", "{\"name\": 1}", "x.xml:1: expected well-formed XML"},
      {"cut in the name", "<" + root.substr(0, 4), "x.xml:1: expected well-formed XML"},
      {"not closed", "<" + root + ">\n", "expected well-formed XML"},
      {"closed wrongly", "<" + root + "></other>", "x.xml:1: expected well-formed XML"},
      {"two roots", whole + whole, "x.xml:1: expected well-formed XML"},
      {"text after it", whole + "\nmore", "x.xml:2: expected well-formed XML"},
      {"an attribute twice", "<" + root + " a=\"1\" a=\"2\"/>", "x.xml:1: expected well-formed XML"},
      {"no quotes", "<" + root + " a=1/>", "x.xml:1: expected well-formed XML"},
      {"an unknown entity", "<" + root + ">\n&a;</" + root + ">", "x.xml:2: expected well-formed XML"},
      {"a control character", "<" + root + ">\n\x01</" + root + ">", "x.xml:2: expected well-formed XML"},
      {"not UTF-8", "<" + root + " a=\"\xFF\xFE\"/>", "UTF-8"},
      {"half a character", "<" + root + " a=\"\xC3\"/>", "UTF-8"},
      {"an unknown encoding", "<?xml version=\"1.0\" encoding=\"no-such\"?>" + whole, "no-such"},
      {"an entity", "<!DOCTYPE a [<!ENTITY b \"c\">]>" + whole, "x.xml:1: expected no entity declarations"},
      {"an entity of a file", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>" + whole,
       "x.xml:1: expected no entity declarations"},
      {"an entity of a host", "<!DOCTYPE a [<!ENTITY % b SYSTEM \"http://a.example/\"> %b;]>" + whole,
       "x.xml:1: expected no entity declarations"},
      {"entities of entities", "<!DOCTYPE a [\n<!ENTITY b \"bbbbbbbbbb\"><!ENTITY c \"&b;&b;&b;&b;&b;\">]>" + whole,
       "expected no entity declarations"},
      {"deep", Repeated("<a>", 100), "expected at most 64 elements inside each other"},
      {"large", "<" + root + " a=\"" + std::string(std::size_t{1} << 24, 'a') + "\"/>",
       "expected a document of at most 16777216 bytes"},
  };
}

std::string Inside(const std::string& terminals) {
  return "<fmiTerminalsAndIcons fmiVersion=\"3.0\"><Terminals>\n" + terminals + "</Terminals></fmiTerminalsAndIcons>";
}

/// A terminal with one good member and this.
std::string With(const std::string& member) {
  return Inside(
      "<Terminal name=\"t\" matchingRule=\"bus\">\n<TerminalMemberVariable memberName=\"m\" variableName=\"phi\" "
      "variableKind=\"signal\"/>\n" +
      member + "</Terminal>");
}

TEST(HostileExtras, TerminalsSayWhatIsWrong) {
  std::vector<Case> cases = NoDocuments("fmiTerminalsAndIcons");
  const std::vector<Case> more = {
      {"another root", "<a/>", "x.xml:1: expected fmiTerminalsAndIcons, found 'a'; export the FMU again"},
      {"HTML", "<html/>", "expected fmiTerminalsAndIcons, found 'html'"},
      {"a description", "<fmiModelDescription/>", "expected fmiTerminalsAndIcons, found 'fmiModelDescription'"},
      {"the name in lower case", "<fmiterminalsandicons/>", "found 'fmiterminalsandicons'"},
      {"no name", Inside("<Terminal matchingRule=\"bus\"/>"),
       "x.xml:2: expected the attribute name of Terminal, found none; write it"},
      {"an empty name", Inside("<Terminal name=\"\" matchingRule=\"bus\"/>"), "x.xml:2: expected the attribute name"},
      {"Name", Inside("<Terminal Name=\"t\" matchingRule=\"bus\"/>"), "x.xml:2: expected the attribute name"},
      {"a name in a namespace", Inside("<Terminal xmlns:a=\"b\" a:name=\"t\" matchingRule=\"bus\"/>"),
       "x.xml:2: expected the attribute name"},
      {"no rule", Inside("<Terminal name=\"t\"/>"), "x.xml:2: expected the attribute matchingRule of Terminal"},
      {"an empty rule", Inside("<Terminal name=\"t\" matchingRule=\"\"/>"), "expected the attribute matchingRule"},
      {"nothing", Inside("<Terminal/>"), "x.xml:2: expected the attribute name of Terminal"},
      {"a name twice", Inside(Repeated("<Terminal name=\"t\" matchingRule=\"bus\"/>\n", 2)),
       "x.xml:3: expected every terminal once, found 't' again; give it another name"},
      {"a name three times", Inside(Repeated("<Terminal name=\"t\" matchingRule=\"bus\"/>\n", 3)),
       "x.xml:4: expected every terminal once"},
      {"a name twice inside", With(Repeated("<Terminal name=\"i\" matchingRule=\"bus\"/>\n", 2)),
       "x.xml:5: expected every terminal once, found 'i' again"},
      {"no name inside", With("<Terminal matchingRule=\"bus\"/>"), "x.xml:4: expected the attribute name of Terminal"},
      {"no rule inside", With("<Terminal name=\"i\"/>"), "x.xml:4: expected the attribute matchingRule"},
      {"a member without anything", With("<TerminalMemberVariable/>"),
       "x.xml:4: expected the attribute variableName of TerminalMemberVariable, found none; write it"},
      {"an empty variable", With("<TerminalMemberVariable variableName=\"\" variableKind=\"signal\"/>"),
       "expected the attribute variableName"},
      {"no kind", With("<TerminalMemberVariable memberName=\"n\" variableName=\"tau\"/>"),
       "x.xml:4: expected the attribute variableKind of TerminalMemberVariable"},
      {"an unknown variable", With("<TerminalMemberVariable variableName=\"phy\" variableKind=\"signal\"/>"),
       "x.xml:4: expected a variable of the FMU in terminal 't', found no variable 'phy'; did you mean 'phi'?"},
      {"a variable with a blank", With("<TerminalMemberVariable variableName=\"phi \" variableKind=\"signal\"/>"),
       "found no variable 'phi '"},
      {"a variable in upper case", With("<TerminalMemberVariable variableName=\"PHI\" variableKind=\"signal\"/>"),
       "found no variable 'PHI'"},
      {"a path", With("<TerminalMemberVariable variableName=\"../../etc/passwd\" variableKind=\"signal\"/>"),
       "found no variable '../../etc/passwd'"},
      {"a sequence of the screen", With("<TerminalMemberVariable variableName=\"&#9;31m\" variableKind=\"signal\"/>"),
       "found no variable"},
      {"a long name",
       With("<TerminalMemberVariable variableName=\"" + std::string(100'000, 'v') + "\" variableKind=\"signal\"/>"),
       "found no variable 'vvv"},
      {"a member twice",
       With("<TerminalMemberVariable memberName=\"m\" variableName=\"tau\" variableKind=\"signal\"/>"),
       "x.xml:4: expected every member of terminal 't' once, found 'm' again; give it another memberName"},
      {"a stream without anything", With("<TerminalStreamMemberVariable/>"),
       "x.xml:4: expected the attribute inStreamVariableName of TerminalStreamMemberVariable"},
      {"a stream without names of members",
       With("<TerminalStreamMemberVariable inStreamVariableName=\"phi\" outStreamVariableName=\"tau\"/>"),
       "expected the attribute inStreamMemberName"},
      {"a stream without the way out",
       With("<TerminalStreamMemberVariable inStreamVariableName=\"phi\" inStreamMemberName=\"a\" "
            "outStreamMemberName=\"b\"/>"),
       "expected the attribute outStreamVariableName"},
      {"a stream of an unknown variable",
       With("<TerminalStreamMemberVariable inStreamVariableName=\"none\" inStreamMemberName=\"a\" "
            "outStreamVariableName=\"tau\" outStreamMemberName=\"b\"/>"),
       "x.xml:4: expected a variable of the FMU in terminal 't', found no variable 'none'"},
      {"a stream both ways in one",
       With("<TerminalStreamMemberVariable inStreamVariableName=\"phi\" inStreamMemberName=\"a\" "
            "outStreamVariableName=\"tau\" outStreamMemberName=\"a\"/>"),
       "expected every member of terminal 't' once, found 'a' again"},
      {"a stream named as a member",
       With("<TerminalStreamMemberVariable inStreamVariableName=\"phi\" inStreamMemberName=\"m\" "
            "outStreamVariableName=\"tau\" outStreamMemberName=\"a\"/>"),
       "found 'm' again"},
      {"an unknown variable far inside",
       With("<Terminal name=\"i\" matchingRule=\"plug\">\n<Terminal name=\"j\" matchingRule=\"plug\">\n"
            "<TerminalMemberVariable variableName=\"x\" variableKind=\"signal\"/></Terminal></Terminal>"),
       "x.xml:6: expected a variable of the FMU in terminal 'j'"},
      {"terminals without end", Inside(Repeated("<Terminal name=\"t\" matchingRule=\"bus\">", 70)),
       "expected at most 64 elements inside each other"},
      {"terminals cut in a tag", "<fmiTerminalsAndIcons><Terminals>\n<Terminal name=\"t",
       "x.xml:2: expected well-formed XML"},
      {"a member not closed", With("<TerminalMemberVariable variableName=\"phi\">"), "expected well-formed XML"},
  };
  cases.insert(cases.end(), more.begin(), more.end());
  EXPECT_GE(cases.size(), 60U);
  ModelDescription description;
  for (const char* name : {"phi", "tau"}) description.variables.emplace_back().name = name;
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    Problems problems;
    ReadTerminals(one.text, "x.xml", description, problems);
    EXPECT_THAT(TextOf(problems).substr(0, 4000), HasSubstr(one.words));
  }
}

TEST(HostileExtras, ManifestsSayWhatIsWrong) {
  std::vector<Case> cases = NoDocuments("fmiLayeredStandardManifest");
  const auto of = [](const std::string& attributes) { return "<manifest\n" + attributes + "/>"; };
  const std::string name = "fmi-ls-name=\"org.a\" ";
  const std::string version = "fmi-ls-version=\"1.0\" ";
  const std::string text = "fmi-ls-description=\"d\" ";
  constexpr char kName[] = "x.xml:1: expected the attribute fmi-ls-name, found none; write it, as FMI 3.0 wants it";
  constexpr char kVersion[] = "x.xml:1: expected the attribute fmi-ls-version, found none; write it, as FMI 3.0";
  constexpr char kText[] = "x.xml:1: expected the attribute fmi-ls-description, found none; write it, as FMI 3.0";
  const std::vector<Case> more = {
      {"no attributes", "<manifest/>", kName},
      {"no name", of(version + text), kName},
      {"no version", of(name + text), kVersion},
      {"no description", of(name + version), kText},
      {"name only", of(name), kVersion},
      {"version only", of(version), kText},
      {"description only", of(text), kName},
      {"an empty name", of("fmi-ls-name=\"\" " + version + text), kName},
      {"an empty version", of(name + "fmi-ls-version=\"\" " + text), kVersion},
      {"an empty description", of(name + version + "fmi-ls-description=\"\""), kText},
      {"all empty", of("fmi-ls-name=\"\" fmi-ls-version=\"\" fmi-ls-description=\"\""), kName},
      {"name in upper case", of("FMI-LS-NAME=\"org.a\" " + version + text), kName},
      {"version in upper case", of(name + "Fmi-Ls-Version=\"1\" " + text), kVersion},
      {"name with an underscore", of("fmi_ls_name=\"org.a\" " + version + text), kName},
      {"name without its prefix", of("name=\"org.a\" " + version + text), kName},
      {"version without its prefix", of(name + "version=\"1\" " + text), kVersion},
      {"description without its prefix", of(name + version + "description=\"d\""), kText},
      {"the longer prefix", of("fmi-ls-manifest-name=\"org.a\" " + version + text), kName},
      {"name as an element", "<manifest " + version + text + "><fmi-ls-name>org.a</fmi-ls-name></manifest>", kName},
      {"attributes of a child", "<manifest><a " + name + version + text + "/></manifest>", kName},
      {"attributes in a comment", "<manifest><!-- " + name + version + text + " --></manifest>", kName},
      {"attributes in text", "<manifest>" + name + version + text + "</manifest>", kText},
      {"attributes in an instruction", "<?manifest " + name + version + text + "?><manifest/>", kVersion},
      {"another standard's words", of("ssp-ls-name=\"org.a\" ssp-ls-version=\"1\" ssp-ls-description=\"d\""), kName},
      {"a description of an FMU", "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\"/>", kName},
      {"HTML", "<html><head/></html>", kText},
      {"an undeclared prefix", "<manifest fmi-ls:fmi-ls-name=\"org.a\"/>", "x.xml:1: expected well-formed XML"},
      {"a name with a tag", of("fmi-ls-name=\"<a>\""), "x.xml:2: expected well-formed XML"},
      {"a name twice", of(name + name), "x.xml:2: expected well-formed XML"},
      {"a name cut off", "<manifest fmi-ls-name=\"org.", "x.xml:1: expected well-formed XML"},
      {"a version cut off", "<manifest " + name + "fmi-ls-version=", "x.xml:1: expected well-formed XML"},
      {"a NUL in the name", of("fmi-ls-name=\"a\0\""s), "x.xml"},
      {"a control character in the name", of("fmi-ls-name=\"a\x1B\""), "x.xml:2: expected well-formed XML"},
      {"a reference to one", of("fmi-ls-name=\"a&#27;\""), "x.xml:2: expected well-formed XML"},
      {"an entity as the name", of("fmi-ls-name=\"&name;\""), "x.xml:2: expected well-formed XML"},
      {"cut in an element", "<manifest " + name + version + text + ">\n<a", "x.xml:2: expected well-formed XML"},
  };
  cases.insert(cases.end(), more.begin(), more.end());
  EXPECT_GE(cases.size(), 60U);
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    Problems problems;
    ReadManifest(one.text, "x.xml", problems);
    EXPECT_THAT(TextOf(problems).substr(0, 4000), HasSubstr(one.words));
  }
}

}  // namespace
}  // namespace openmi::fmi::hostile_extras
