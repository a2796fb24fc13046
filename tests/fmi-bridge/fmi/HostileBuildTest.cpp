// Build descriptions (sources/buildDescription.xml) that are wrong: a good one with one thing changed, and the words
// that say so. Nothing that they name outside the folder of sources, and no option of a compiler, gets through.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/compile/SourceSets.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi::hostile_builds {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kModel =
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"Ramp\" instantiationToken=\"{3}\"><CoSimulation "
    "modelIdentifier=\"Ramp\"/><ModelVariables><Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" "
    "variability=\"continuous\"/></ModelVariables><ModelStructure/></fmiModelDescription>";

constexpr const char* kBuild = R"(<fmiBuildDescription fmiVersion="3.0">
<BuildConfiguration modelIdentifier="Ramp">
<SourceFileSet language="C++17">
<SourceFile name="model/ramp.src"/>
<PreprocessorDefinition name="SIGN" value="-"/>
<IncludeDirectory name="include"/>
</SourceFileSet>
</BuildConfiguration>
</fmiBuildDescription>
)";

struct Case {
  const char* what;
  std::string change;  ///< a part of the good description; empty: all of it
  std::string by;
  const char* words;
};

/// What the reader says; and the sets that it gives.
struct Reading {
  std::string text;
  bool is_refused = false;
  std::vector<SourceSet> sets;
};

Reading Read(const std::string& build) {
  Reading reading;
  Problems problems;
  const ModelDescription description = ReadModelDescription(kModel, "modelDescription.xml", problems);
  EXPECT_TRUE(problems.empty());
  try {
    reading.sets = SourceSetsOf(description, InterfaceKind::CoSimulation, build, problems);
    reading.is_refused = HasErrors(problems);
  } catch (const FormatError& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
    reading.is_refused = true;
  }
  for (const Problem& problem : problems) {
    EXPECT_NE(problem.remedy, "") << problem.problem;
    reading.text += FormatProblem(problem) + "\n";
  }
  return reading;
}

std::string Changed(const Case& one) {
  if (one.change.empty()) return one.by;
  std::string build = kBuild;
  EXPECT_NE(build.find(one.change), std::string::npos) << one.change;
  return build.replace(build.find(one.change), one.change.size(), one.by);
}

std::vector<Case> Hostile() {
  static constexpr char kFile[] = ":4: expected the name of a file in the folder sources, found '";
  static constexpr char kFolder[] = ":6: expected the name of a folder in the folder sources, found '";
  static constexpr char kDefinition[] = ":5: expected a name and a value of the preprocessor, found '";
  static constexpr char kLanguage[] = ":3: expected a language that is compiled here, found '";
  static constexpr char kNone[] =
      ": expected a BuildConfiguration with modelIdentifier 'Ramp' for this machine, found ";
  std::vector<Case> cases = {
      {"no XML", "", "PK\x03\x04", ":1: expected well-formed XML"},
      {"a Makefile", "", "all:\n\tcc *.c\n", ":1: expected well-formed XML"},
      {"cut", "</BuildConfiguration>\n</fmiBuildDescription>\n", "", "expected well-formed XML"},
      {"not UTF-8", "Ramp", "R\xE4mp", "UTF-8"},
      {"an entity", "<fmiBuildDescription", "<!DOCTYPE a [<!ENTITY b \"c\">]><fmiBuildDescription",
       ":1: expected no entity declarations"},
      {"an entity of a file", "<fmiBuildDescription",
       "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><fmiBuildDescription",
       ":1: expected no entity declarations"},
      {"another root", "", "<buildDescription/>",
       ":1: expected the root element fmiBuildDescription, found 'buildDescription'; export the FMU again"},
      {"a model description", "", kModel, "found 'fmiModelDescription'"},
      {"nothing in it", "", "<fmiBuildDescription/>", ":1: expected a BuildConfiguration with modelIdentifier 'Ramp'"},
      {"another platform", "modelIdentifier=\"Ramp\"", "modelIdentifier=\"Ramp\" platform=\"aarch64-darwin\"", kNone},
      {"an unknown platform", "modelIdentifier=\"Ramp\"", "modelIdentifier=\"Ramp\" platform=\"../x\"", kNone},
      {"two of other names", "<BuildConfiguration modelIdentifier=\"Ramp\">",
       "<BuildConfiguration modelIdentifier=\"A\"/><BuildConfiguration modelIdentifier=\"B\">", kNone},
      {"no sources", "<SourceFile name=\"model/ramp.src\"/>", "",
       ":2: expected a SourceFile in the BuildConfiguration, found none"},
      {"no set", "", "<fmiBuildDescription><BuildConfiguration modelIdentifier=\"Ramp\"/></fmiBuildDescription>",
       ":1: expected a SourceFile in the BuildConfiguration, found none"},
      {"sources outside a set", "",
       "<fmiBuildDescription><BuildConfiguration modelIdentifier=\"Ramp\"><SourceFile "
       "name=\"a.c\"/></BuildConfiguration></fmiBuildDescription>",
       "expected a SourceFile in the BuildConfiguration, found none"},
      {"a library", "</SourceFileSet>", "</SourceFileSet><Library name=\"z\"/>",
       ":7: expected sources that need no library, found 'z'; compile the FMU with that library yourself"},
      {"a library without a name", "</SourceFileSet>", "</SourceFileSet><Library/>",
       ":7: expected sources that need no library, found ''"},
      {"a library inside", "</SourceFileSet>",
       "</SourceFileSet><Library name=\"/usr/lib/x.so\" internal=\"true\" external=\"true\"/>",
       "found '/usr/lib/x.so'"},
      {"many files", "<SourceFile name=\"model/ramp.src\"/>",
       [] {
         std::string files;
         for (int i = 0; i < 10'001; ++i) files += "<SourceFile name=\"a.c\"/>";
         return files;
       }(),
       ":4: expected at most 10000 source files, found more; compile the FMU yourself"},
  };
  for (const char* name :
       {"../secret.c", "../../secret.c", "a/../../b.c", "..", "a/..", "./../a.c", "a//../b.c", "/etc/passwd", "/",
        "//server/a.c", "a\\b.c", "..\\a.c", "C:\\a.c", "", "a&#9;b.c", "a&#10;b.c", "&#13;", "a&#x7F;.c"}) {
    cases.push_back({"a file", "model/ramp.src", name, kFile});
  }
  for (const char* name : {"..", "../include", "model/../../..", "/usr/include", "a\\b", "", "a&#10;-fplugin=x"}) {
    cases.push_back({"a folder", "\"include\"", "\"" + std::string(name) + "\"", kFolder});
  }
  for (const char* name : {"", "1", "-fplugin", "SIGN=1 -fplugin", "A B", "A(x)", "A-B", "A;B", "\xC3\xA4", "A&#10;B",
                           "@/tmp/options", "A\\", "$HOME", "`id`"}) {
    cases.push_back({"the name of a definition", "\"SIGN\"", "\"" + std::string(name) + "\"", kDefinition});
  }
  for (const char* value : {"1&#10;2", "&#9;", "a&#13;"}) {
    cases.push_back({"the value of a definition", "value=\"-\"", "value=\"" + std::string(value) + "\"", kDefinition});
  }
  for (const char* language : {"C++71", "c99", "C", "Fortran", "Rust", "C99 ", "-std=c99", "C11;rm"}) {
    cases.push_back({"a language", "C++17", language, kLanguage});
  }
  return cases;
}

TEST(HostileBuilds, AreRefusedWithTheLine) {
  EXPECT_FALSE(Read(kBuild).is_refused);
  EXPECT_EQ(Read(kBuild).text, "");
  const std::vector<Case> cases = Hostile();
  EXPECT_GE(cases.size(), 60U);
  for (const Case& one : cases) {
    SCOPED_TRACE(std::string(one.what) + " " + one.by.substr(0, 60));
    const Reading reading = Read(Changed(one));
    EXPECT_TRUE(reading.is_refused);
    EXPECT_THAT(reading.text, StartsWith("sources/buildDescription.xml:"));
    EXPECT_THAT(reading.text, HasSubstr(one.words));
  }
}

TEST(HostileBuilds, NameNoCompilerAndNoOptions) {
  const Reading reading = Read(
      Changed({"", "language=", "compiler=\"/tmp/x\" compilerOptions=\"-fplugin=x.so -o /etc/passwd\" language=", ""}));
  EXPECT_FALSE(reading.is_refused);
  EXPECT_THAT(reading.text,
              HasSubstr(":3: expected sources that any compiler takes, found compiler '/tmp/x', which is"));
  EXPECT_THAT(reading.text, HasSubstr("found compilerOptions '-fplugin=x.so -o /etc/passwd', which is not used"));
}

TEST(HostileBuilds, WithAnyByteChangedGiveOnlyNamesInside) {
  const std::string build = kBuild;
  for (std::size_t at = 0; at < build.size(); ++at) {
    for (const char byte : {'\0', '/', '.', '<', '"', '\\', '\xFF'}) {
      for (const SourceSet& set : Read(std::string(build).replace(at, 1, 1, byte)).sets) {
        for (const auto* names : {&set.files, &set.includes}) {
          for (const std::string& name : *names) {
            EXPECT_FALSE(name.empty() || name.front() == '/' || name.find('\\') != std::string::npos) << name;
            EXPECT_EQ(("/" + name + "/").find("/../"), std::string::npos) << name;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace openmi::fmi::hostile_builds
