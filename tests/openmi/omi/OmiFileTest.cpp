#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "openmi/omi/OmiFile.hpp"
#include "openmi/omi/Platform.hpp"
#include "openmi/omi/SchemaValidator.hpp"
#include "openmi/omi/XmlText.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::string_view kGood =
    "<?xml version=\"1.0\"?>\n"
    "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\"\n"
    "    Type=\"hydro.Reservoir\" Assembly=\"lib/reservoir.so\">\n"
    "  <Platforms><Platform>Linux</Platform><Platform>Win32</Platform></Platforms>\n"
    "  <Arguments>\n"
    "    <Argument Key=\"k\" Value=\"2.5\"/>\n"
    "    <Argument Key=\"file\" Value=\"a &amp; b\" ReadOnly=\"true\"/>\n"
    "  </Arguments>\n"
    "</LinkableComponent>\n";

std::string WithRoot(const std::string& root_attributes, const std::string& argument = "Key=\"k\" Value=\"1\"") {
  return "<LinkableComponent " + root_attributes + ">\n<Arguments>\n<Argument " + argument +
         "/>\n</Arguments>\n</LinkableComponent>";
}

TEST(OmiFile, GivesEverythingWithItsLine) {
  Problems problems;
  const OmiFile file = ReadOmiText(kGood, "models/reservoir.omi", &problems);
  EXPECT_TRUE(problems.empty()) << FormatProblem(problems.front());
  EXPECT_EQ(file.type, "hydro.Reservoir");
  EXPECT_EQ(file.assembly, "lib/reservoir.so");
  EXPECT_EQ(file.line, 2);
  EXPECT_EQ(file.type_line, 3);
  EXPECT_EQ(file.platforms_line, 4);
  EXPECT_THAT(file.arguments,
              testing::ElementsAre(OmiArgument{"k", "2.5", false, 6}, OmiArgument{"file", "a & b", true, 7}));
  EXPECT_THAT(file.platforms, testing::ElementsAre("Linux", "Win32"));
  EXPECT_EQ(file.Argument("k")->value, "2.5");
  EXPECT_EQ(file.Argument("K"), nullptr);
}

TEST(OmiFile, ResolvesPathsAgainstItsFolder) {
  OmiFile file;
  file.path = "models/reservoir.omi";
  EXPECT_EQ(file.Folder(), "models");
  EXPECT_EQ(file.Resolve("..\\data\\rain.csv"), "data/rain.csv");
  EXPECT_EQ(file.Resolve("/data/rain.csv"), "/data/rain.csv");
  file.path = "reservoir.omi";
  EXPECT_EQ(file.Folder(), ".");
}

TEST(OmiFile, SurvivesARoundTrip) {
  OmiFile file;
  file.type = "a<b>::c&\"d\"";
  file.assembly = "lib/K\xC3\xB6ln.so";
  file.java_archive = "x.jar";
  file.arguments = {{"k", "1\n2\t3", false, 0}, {"", "", true, 0}, {"path", "C:\\data\\x", false, 0}};
  file.platforms = {"Linux64", "Unix"};
  Problems problems;
  OmiFile back = ReadOmiText(OmiText(file), "x.omi", &problems);
  EXPECT_FALSE(HasErrors(problems));
  EXPECT_EQ(back.type, file.type);
  EXPECT_EQ(back.assembly, file.assembly);
  EXPECT_EQ(back.java_archive, file.java_archive);
  EXPECT_EQ(back.platforms, file.platforms);
  for (OmiArgument& argument : back.arguments) argument.line = 0;
  EXPECT_EQ(back.arguments, file.arguments);
  EXPECT_EQ(OmiText(back), OmiText(file));
}

TEST(OmiFile, WritesTheSmallestFileToo) {
  EXPECT_TRUE(ValidateXml(ReadXml(OmiText({}), "x.omi"), "LinkableComponent.xsd").empty());
}

TEST(OmiFile, RefusesToWriteWhatTheSchemaDoesNotKnow) {
  OmiFile file;
  file.platforms = {"Linus"};
  EXPECT_THAT([&] { OmiText(file); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("'Linus'"), HasSubstr("did you mean 'Linux'?"))));
}

TEST(OmiFile, WritesAndReadsOnDisk) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder.Path() / "written.omi";
  WriteXmlText(path, OmiText(ReadOmiText(kGood, "x.omi")));
  EXPECT_EQ(ReadOmiFile(path).arguments.size(), 2U);
  std::filesystem::remove(path);
  EXPECT_THROW(ReadOmiFile(path), FileError);
}

struct Variant {
  const char* name;
  std::string text;
  const char* sentence;
};

class OmiVariant : public testing::TestWithParam<Variant> {};

TEST_P(OmiVariant, IsReadWithAWarning) {
  Problems problems;
  const OmiFile file = ReadOmiText(GetParam().text, "v.omi", &problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].severity, Problem::Warning);
  EXPECT_THAT(FormatProblem(problems[0]), HasSubstr(GetParam().sentence));
  EXPECT_FALSE(problems[0].remedy.empty());
  EXPECT_EQ(file.notes.size(), 1U);
  EXPECT_EQ(file.type, "T");
  ASSERT_NE(file.Argument("k"), nullptr);
  EXPECT_EQ(file.Argument("k")->value, "1");
  EXPECT_NO_THROW(ReadOmiText(GetParam().text, "v.omi"));
  EXPECT_TRUE(ValidateXml(ReadXml(OmiText(file), "v.omi"), "LinkableComponent.xsd").empty());
}

INSTANTIATE_TEST_SUITE_P(
    MetInPractice, OmiVariant,
    testing::Values(
        Variant{"WithoutNamespace", WithRoot("Type='T'"), "v.omi:1: expected the namespace"},
        Variant{"OrganisationNamespace", WithRoot("Type='T' xmlns='http://www.openmi.org'"), "the older"},
        Variant{"Version1", WithRoot("Type='T' xmlns='http://www.openmi.org/LinkableComponent.xsd'"), "the older"},
        Variant{"Version1InCapitals", WithRoot("Type='T' xmlns='http://www.OpenMI.org/LinkableComponent.xsd'"),
                "the older"},
        Variant{"IdForKey", WithRoot("Type='T' xmlns='http://www.openmi.org/v2_0'", "id='k' Value='1'"),
                "v.omi:3: expected the attribute 'Key' in Argument, found 'id'"},
        Variant{"Backslashes", WithRoot("Type='T' Assembly='..\\bin\\x.so' xmlns='http://www.openmi.org/v2_0'"),
                "read as '../bin/x.so'"}),
    [](const auto& variant) { return variant.param.name; });

TEST(Platform, FitsByNameAndWidth) {
  EXPECT_TRUE(PlatformMatches("Linux", "Linux64"));
  EXPECT_TRUE(PlatformMatches("Linux64", "Linux64"));
  EXPECT_FALSE(PlatformMatches("Linux32", "Linux64"));
  EXPECT_TRUE(PlatformMatches("Unix", "Linux64"));
  EXPECT_TRUE(PlatformMatches("Unix64", "Mac64"));
  EXPECT_FALSE(PlatformMatches("Unix32", "Linux64"));
  EXPECT_FALSE(PlatformMatches("Win", "Linux64"));
  EXPECT_FALSE(PlatformMatches("Mac", "Linux64"));
  EXPECT_FALSE(PlatformMatches("Unix", "Win64"));
  EXPECT_FALSE(PlatformMatches("linux", "Linux64"));
  EXPECT_FALSE(PlatformMatches("", "Linux64"));
}

TEST(Platform, OfThisMachineIsOneOfTheTwelve) {
  EXPECT_TRUE(PlatformMatches(HostPlatform(), HostPlatform()));
}

TEST(Platform, MissingListFitsEveryMachine) {
  OmiFile file;
  Problems problems;
  CheckPlatform(file, problems);
  EXPECT_TRUE(problems.empty());
  file.platforms = {"Win32", "Mac32"};
  file.platforms_line = 7;
  file.path = "x.omi";
  CheckPlatform(file, problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_THAT(FormatProblem(problems[0]), AllOf(HasSubstr("x.omi:7: expected a platform that fits this machine"),
                                                HasSubstr("found Win32, Mac32"), HasSubstr("add <Platform>")));
}

}  // namespace
}  // namespace openmi
