#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "tests/structure/Includes.hpp"

namespace openmi::structure {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Texts(const std::vector<Offence>& offences) {
  std::vector<std::string> texts;
  for (const Offence& offence : offences) {
    texts.push_back(offence.text);
  }
  return texts;
}

// Written at configure time from the file sets themselves.
std::set<fs::path> ReadHeaders(const char* file) {
  std::ifstream list(fs::path(OPENMI_BINARY_DIR) / file);
  std::set<fs::path> headers;
  for (std::string line; std::getline(list, line);) {
    if (!line.empty()) {
      headers.insert(fs::path(line).lexically_normal().lexically_relative(OPENMI_SOURCE_DIR));
    }
  }
  return headers;
}

std::set<fs::path> ReadPublicHeaders() {
  return ReadHeaders("public-headers.txt");
}

std::string FirstInclude(const fs::path& source) {
  std::ifstream file(source);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#include")) return line;
  }
  return {};
}

// A small tree of our own making.
class MadeUpTree : public ::testing::Test {
 protected:
  MadeUpTree() : root_(fs::path(::testing::TempDir()) / ("layers-" + std::to_string(std::random_device()()))) {}
  ~MadeUpTree() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  void Write(const fs::path& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  const fs::path root_;
};

TEST(Includes, PointDownwardsOnly) {
  EXPECT_THAT(Texts(FindUpwardIncludes(OPENMI_SOURCE_DIR)), IsEmpty());
}

TEST(Includes, OfPublicHeadersAreStandardOrPublic) {
  std::set<fs::path> headers = ReadPublicHeaders();
  ASSERT_THAT(headers, Contains(fs::path("openmi/sdk/Error.hpp"))) << "the list of public headers is empty or misread";
  headers.insert("openmi/omi/HeadersHash.hpp");  // made by the build, and installed
  EXPECT_THAT(Texts(FindForeignIncludes(OPENMI_SOURCE_DIR, headers)), IsEmpty());
}

TEST(Includes, EveryPublicHeaderExists) {
  for (const fs::path& header : ReadPublicHeaders()) {
    EXPECT_TRUE(fs::is_regular_file(OPENMI_SOURCE_DIR / header)) << header;
  }
}

TEST(Includes, EveryPublicHeaderIsCompiledAlone) {
  const std::set<fs::path> alone = ReadHeaders("headers-alone.txt");
  ASSERT_THAT(alone, Contains(fs::path("openmi/standard/IBaseOutput.hpp"))) << "the list is empty or misread";
  for (const fs::path& header : ReadPublicHeaders()) {
    if (alone.contains(header)) continue;
    // Before anything else has been included by its own source: the compiler sees it alone there.
    EXPECT_EQ(FirstInclude((OPENMI_SOURCE_DIR / header).replace_extension("cpp")),
              "#include \"" + header.generic_string() + "\"")
        << "or configure again, so that it is compiled alone";
  }
}

TEST(Includes, AreListedInTheReadmeOfEachModule) {
  for (const ModuleRule& rule : ModuleRules()) {
    std::ifstream file(OPENMI_SOURCE_DIR / rule.folder / "README.md");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(text, HasSubstr(rule.sentence)) << rule.folder << "/README.md";
  }
}

TEST(Includes, KnowTheLayers) {
  EXPECT_EQ(LayerOf("openmi/standard/IBaseOutput.hpp"), 2);
  EXPECT_EQ(LayerOf("openmi/sdk/Error.hpp"), 3);
  EXPECT_EQ(LayerOf("openmi/omi/OmiFile.hpp"), 3);
  EXPECT_EQ(LayerOf("timespace/standard/ITime.hpp"), 4);
  EXPECT_EQ(LayerOf("components/Recorder.cpp"), 5);
  EXPECT_EQ(LayerOf("adaptors/kernels/Blend.hpp"), 5);
  EXPECT_EQ(LayerOf("composition/Composition.hpp"), 6);
  EXPECT_EQ(LayerOf("fmi-bridge/fmi/Fmu.hpp"), 7);
  EXPECT_EQ(LayerOf("tools/Main.cpp"), 8);
  EXPECT_EQ(LayerOf("tests/structure/Includes.hpp"), std::nullopt);
  EXPECT_EQ(LayerOf("openmi-elsewhere/X.hpp"), std::nullopt);
}

TEST_F(MadeUpTree, NamesBothFilesOfAnIncludeToALayerAbove) {
  Write("openmi/sdk/Item.hpp", "#pragma once\n#include <vector>\n#include \"openmi/standard/IItem.hpp\"\n");
  Write("openmi/standard/IItem.hpp", "#pragma once\n");
  EXPECT_THAT(Texts(FindUpwardIncludes(root_)), IsEmpty());

  Write("openmi/standard/IItem.hpp", "#pragma once\n\n  #  include \"openmi/sdk/Item.hpp\"\n");
  EXPECT_THAT(Texts(FindUpwardIncludes(root_)),
              ElementsAre(AllOf(HasSubstr("openmi/standard/IItem.hpp:3:"), HasSubstr("openmi/sdk/Item.hpp"),
                                HasSubstr("layer 2 uses layer 3"))));
}

TEST_F(MadeUpTree, FindsWhatIsReachedThroughARelativePathOrAngleBrackets) {
  Write("timespace/elements/ElementSet.hpp", "");
  Write("openmi/sdk/Relative.cpp", "#include \"../../timespace/elements/ElementSet.hpp\"\n");
  Write("openmi/sdk/Angle.cpp", "#include <timespace/elements/ElementSet.hpp>\n");
  Write("openmi/sdk/Missing.cpp", "#include \"composition/NotThereYet.hpp\"\n");
  EXPECT_THAT(Texts(FindUpwardIncludes(root_)),
              ElementsAre(HasSubstr("openmi/sdk/Angle.cpp:1"), HasSubstr("openmi/sdk/Missing.cpp:1"),
                          AllOf(HasSubstr("openmi/sdk/Relative.cpp:1"),
                                HasSubstr("includes timespace/elements/ElementSet.hpp"))));
}

TEST_F(MadeUpTree, RefusesAnotherFolderOfTheSameLayerAndWhatIsInNone) {
  Write("bmi-bridge/Bmi.cpp", "#include \"fmi-bridge/fmi/Fmu.hpp\"\n#include \"bmi-bridge/Bmi.hpp\"\n");
  Write("tools/Main.cpp", "#include \"tests/Probe.hpp\"\n");
  Write("tests/Probe.hpp", "#include \"tools/Main.hpp\"\n");
  EXPECT_THAT(Texts(FindUpwardIncludes(root_)),
              ElementsAre(AllOf(HasSubstr("fmi-bridge/fmi/Fmu.hpp"), HasSubstr("another folder of layer 7")),
                          AllOf(HasSubstr("tests/Probe.hpp"), HasSubstr("in no layer"))));
}

TEST_F(MadeUpTree, KeepsModulesApart) {
  Write("fmi-bridge/dcp/master/Slave.cpp",
        "#include \"fmi-bridge/common/archive/Archive.hpp\"\n#include \"fmi-bridge/dcp/slave/Values.hpp\"\n"
        "#include \"fmi-bridge/fmi/Fmu.hpp\"\n");
  Write("fmi-bridge/dcp/slave/Values.cpp", "#include \"fmi-bridge/common/archive/Archive.hpp\"\n");
  Write("fmi-bridge/dcp/slave/Times.cpp",
        "#include \"openmi/sdk/Error.hpp\"\n#include \"timespace/times/Iso8601.hpp\"\n");
  Write("fmi-bridge/osmp/Sensor.cpp",
        "#include \"fmi-bridge/fmi/Fmu.hpp\"\n#include \"fmi-bridge/dcp/master/Slave.hpp\"\n");
  Write("composition/link/Link.cpp", "#include \"composition/run/RunLoop.hpp\"\n");
  Write("composition/run/RunLoop.cpp", "#include \"composition/link/Link.hpp\"\n");
  Write("composition/nowhere/X.cpp", "#include \"composition/link/Link.hpp\"\n");
  Write("adaptors/StandardAdaptors.cpp", "#include \"adaptors/time/TimeAdaptor.hpp\"\n");
  Write("adaptors/time/TimeAdaptor.cpp", "#include \"adaptors/StandardAdaptors.hpp\"\n");
  EXPECT_THAT(Texts(FindUpwardIncludes(root_)),
              ElementsAre(AllOf(HasSubstr("time/TimeAdaptor.cpp:1"), HasSubstr("no part of a module")),
                          AllOf(HasSubstr("link/Link.cpp:1"), HasSubstr("'link' may not use")),
                          AllOf(HasSubstr("nowhere/X.cpp:1"), HasSubstr("list the folder")),
                          AllOf(HasSubstr("dcp/master/Slave.cpp:3"), HasSubstr("'dcp/master' may not use")),
                          AllOf(HasSubstr("dcp/slave/Times.cpp:2"), HasSubstr("above layer 3")),
                          AllOf(HasSubstr("dcp/slave/Values.cpp:1"), HasSubstr("'dcp/slave' may not use")),
                          HasSubstr("osmp/Sensor.cpp:2")));
}

TEST_F(MadeUpTree, KeepsPublicHeadersFreeOfOtherLibrariesAndOfPrivateHeaders) {
  Write("timespace/Open.hpp",
        "#include <span>\n#include <fmt/format.h>\n#include \"timespace/Hidden.hpp\"\n#include "
        "\"timespace/Other.hpp\"\n");
  Write("timespace/Hidden.hpp", "#include <proj.h>\n");
  Write("timespace/Other.hpp", "");
  EXPECT_THAT(
      Texts(FindForeignIncludes(root_, {"timespace/Open.hpp", "timespace/Other.hpp"})),
      ElementsAre(
          AllOf(HasSubstr("timespace/Open.hpp:2"), HasSubstr("fmt/format.h"), HasSubstr("standard library")),
          AllOf(HasSubstr("timespace/Open.hpp:3"), HasSubstr("timespace/Hidden.hpp"), HasSubstr("not installed"))));
}

}  // namespace
}  // namespace openmi::structure
