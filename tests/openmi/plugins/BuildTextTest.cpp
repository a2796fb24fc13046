#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "openmi/omi/BuildText.hpp"

namespace openmi {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(BuildText, NamesWhatBindsTheBorder) {
  const std::string text = HostBuildText();
  EXPECT_THAT(text, StartsWith("openmi abi=1 value=" + std::to_string(sizeof(Value)) + " stdlib=libstdc++"));
  EXPECT_THAT(text, HasSubstr(" cxx11="));
  EXPECT_THAT(text, HasSubstr(" debug="));
  EXPECT_THAT(text, HasSubstr(" rtti=1 enums=4 sanitizer="));
  EXPECT_THAT(text, HasSubstr(std::string(" sdk=") + kSdkVersion));
  EXPECT_THAT(text, testing::ContainsRegex(" headers=[0-9a-f]{16}$"));
  EXPECT_EQ(text, ThisBuildText().text);
}

TEST(BuildText, VersionIsTheProjects) {
  EXPECT_STREQ(kSdkVersion, OPENMI_TEST_VERSION_TEXT);
}

TEST(BuildText, FitsItself) {
  EXPECT_EQ(BuildRemedy(HostBuildText(), HostBuildText()), "");
}

TEST(BuildText, EachDifferenceHasItsRemedy) {
  const std::string ours =
      "openmi abi=1 value=40 stdlib=libstdc++ cxx11=1 debug=0 rtti=1 enums=4 sanitizer=none sdk=0.2.0";
  const auto remedy = [&ours](const std::string& from, const std::string& to) {
    std::string theirs = ours;
    theirs.replace(theirs.find(from), from.size(), to);
    return BuildRemedy(ours, theirs);
  };
  EXPECT_EQ(remedy("abi=1", "abi=2"), "rebuild the library with the headers of openmi2 0.2.0");
  EXPECT_EQ(remedy("value=40", "value=48"), "rebuild the library with the headers of openmi2 0.2.0");
  EXPECT_EQ(remedy("cxx11=1", "cxx11=0"), "rebuild the library with -D_GLIBCXX_USE_CXX11_ABI=1");
  EXPECT_EQ(remedy("debug=0", "debug=1"), "rebuild the library without -D_GLIBCXX_DEBUG");
  EXPECT_EQ(remedy("rtti=1", "rtti=0"), "rebuild the library without -fno-rtti");
  EXPECT_EQ(remedy("enums=4", "enums=1"), "rebuild the library without -fshort-enums");
  EXPECT_EQ(remedy("sanitizer=none", "sanitizer=address"), "rebuild the library without -fsanitize");
  EXPECT_EQ(remedy("libstdc++", "libc++"), "rebuild the library with the standard library libstdc++");
  EXPECT_EQ(remedy("sdk=0.2.0", "sdk=0.3.0"), "rebuild the library with the headers of openmi2 0.2.0");
  EXPECT_EQ(remedy("sdk=0.2.0", "sdk=0.2.7"), "");
  EXPECT_EQ(remedy(" debug=0", ""), "rebuild the library without -D_GLIBCXX_DEBUG");
  EXPECT_EQ(remedy(" sdk", " colour=blue sdk"), "");
  EXPECT_EQ(BuildRemedy("a sanitizer=address", "a sanitizer=none"), "rebuild the library with -fsanitize=address");
}

TEST(BuildText, OtherHeadersOfTheSameVersionDoNotFit) {
  const std::string ours = "openmi abi=1 sdk=0.2.0 headers=6f0c9a41d2b7e583";
  EXPECT_EQ(BuildRemedy(ours, "openmi abi=1 sdk=0.2.0 headers=0000000000000000"),
            "rebuild the library with this program's own headers of openmi2 0.2.0");
  EXPECT_NE(BuildRemedy(ours, "openmi abi=1 sdk=0.2.0"), "") << "an old library says nothing of its headers";
  EXPECT_EQ(BuildRemedy(ours, "openmi abi=1 sdk=0.2.7 headers=0000000000000000"), "");
}

// Components of others may hold adaptors made of our base classes.
TEST(BuildText, HashesTheHeadersOfTheAdaptorsToo) {
  std::ifstream list(OPENMI_BINARY_DIR "/generated/hashed-headers.txt");
  const std::string headers{std::istreambuf_iterator<char>(list), {}};
  for (const char* header :
       {"openmi/standard/Value.hpp", "timespace/items/NumericOutput.hpp", "adaptors/base/RowAdaptor.hpp"}) {
    EXPECT_THAT(headers, HasSubstr(header));
  }
}

TEST(BuildText, SeveralDifferencesAreNamedOnceEach) {
  EXPECT_EQ(BuildRemedy("openmi abi=1 value=40 cxx11=1 debug=0", "openmi abi=2 value=48 cxx11=0 debug=1"),
            "rebuild the library with the headers of openmi2 0.2.0 and with -D_GLIBCXX_USE_CXX11_ABI=1 and without "
            "-D_GLIBCXX_DEBUG");
}

TEST(BuildText, AfterVersionOneOnlyTheFirstNumberCounts) {
  EXPECT_EQ(BuildRemedy("openmi sdk=1.2.0", "openmi sdk=1.9.3"), "");
  EXPECT_NE(BuildRemedy("openmi sdk=1.2.0", "openmi sdk=2.2.0"), "");
  EXPECT_NE(BuildRemedy("openmi sdk=1.2.0", "rubbish"), "");
  EXPECT_NE(BuildRemedy("openmi sdk=1.2.0", ""), "");
}

}  // namespace
}  // namespace openmi
