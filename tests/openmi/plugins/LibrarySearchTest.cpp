#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "openmi/omi/LibrarySearch.hpp"
#include "tests/openmi/plugins/PluginFolder.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

TEST(LibrarySearch, KnowsTheNamesThatAreMeant) {
  EXPECT_THAT(LibrarySearch::Names("creek"), ElementsAre("libcreek.so", "creek.so", "creek", "creek.dll"));
  EXPECT_THAT(LibrarySearch::Names("libcreek.so"), ElementsAre("libcreek.so", "liblibcreek.so"));
  EXPECT_THAT(LibrarySearch::Names("creek.so.2"), ElementsAre("creek.so.2", "libcreek.so.2"));
  EXPECT_THAT(LibrarySearch::Names("models/creek"),
              ElementsAre("models/libcreek.so", "models/creek.so", "models/creek", "models/creek.dll"));
  EXPECT_THAT(LibrarySearch::Names("models\\Creek.dll"),
              ElementsAre("models/libCreek.so", "models/Creek.so", "models/Creek.dll"));
  EXPECT_THAT(LibrarySearch::Names("C:\\Program Files\\Models\\Creek.DLL"),
              ElementsAre("libCreek.so", "Creek.so", "Creek.DLL"));
  EXPECT_THAT(LibrarySearch::Names("/opt/creek"),
              ElementsAre("/opt/libcreek.so", "/opt/creek.so", "/opt/creek", "/opt/creek.dll"));
  EXPECT_THAT(LibrarySearch::Names("models/"), ElementsAre());
}

class Search : public testing::Test {
 protected:
  std::string Found(const std::string& assembly) const { return search_.Find(assembly, folder_ / "omi/creek.omi", 4); }
  void SetUp() override { folder_.Write("omi/creek.omi", ""); }

  PluginFolder folder_;
  Environment path_{"OPENMI_PATH", nullptr};
  LibrarySearch search_;
};

TEST_F(Search, BesideTheOmiFileComesFirst) {
  folder_.Write("omi/libcreek.so", "");
  folder_.Write("path/libcreek.so", "");
  const Environment path("OPENMI_PATH", (folder_ / "path").c_str());
  EXPECT_EQ(Found("creek"), folder_ / "omi/libcreek.so");
  EXPECT_EQ(Found("creek.dll"), folder_ / "omi/libcreek.so");
  EXPECT_EQ(Found("creek.so"), folder_ / "omi/libcreek.so");
}

TEST_F(Search, ThenThePathVariableInItsOrder) {
  folder_.Write("second/libcreek.so", "");
  folder_.Write("third/libcreek.so", "");
  const Environment path("OPENMI_PATH",
                         (":" + (folder_ / "first") + "::" + (folder_ / "second") + ":" + (folder_ / "third")).c_str());
  EXPECT_EQ(Found("creek"), folder_ / "second/libcreek.so");
  EXPECT_THAT(LibrarySearch::Folders("creek.omi"), Contains(folder_ / "first"));
}

TEST_F(Search, ThenWhereTheSdkPutItsOwn) {
  EXPECT_THAT(LibrarySearch::Folders(folder_ / "omi/creek.omi"), Contains(EndsWith("/lib/openmi2")));
}

TEST_F(Search, FoldersInTheNameStayAndAProgramOfThatNameIsNotMeant) {
  folder_.Write("omi/bin/creek", "a program");
  folder_.Write("omi/bin/libcreek.so", "");
  EXPECT_EQ(Found("bin\\creek"), folder_ / "omi/bin/libcreek.so");
  EXPECT_EQ(Found(folder_ / "omi/bin/creek"), folder_ / "omi/bin/libcreek.so");
  EXPECT_EQ(Found("../omi/bin/creek"), folder_ / "omi/../omi/bin/libcreek.so");
}

TEST_F(Search, AFolderIsNoLibrary) {
  std::filesystem::create_directories(folder_ / "omi/libcreek.so");
  EXPECT_THAT([this] { Found("creek"); }, ThrowsMessage<LoadError>(HasSubstr("found none")));
}

TEST_F(Search, ListsThePlacesAndTheNearestName) {
  folder_.Write("path/libreservoir.so", "");
  const Environment path("OPENMI_PATH", (folder_ / "path").c_str());
  EXPECT_THAT([this] { Found("resevoir"); },
              ThrowsMessage<LoadError>(AllOf(
                  HasSubstr("creek.omi:4: expected the library 'resevoir', found none"), HasSubstr(folder_ / "omi"),
                  HasSubstr(folder_ / "path"), HasSubstr("libresevoir.so, resevoir.so, resevoir"),
                  HasSubstr("did you mean '" + (folder_ / "path/libreservoir.so") + "'?"), HasSubstr("OPENMI_PATH"))));
  folder_.Write("omi/tank.py", "");
  EXPECT_THAT([this] { Found("tnak.py"); },
              ThrowsMessage<LoadError>(HasSubstr("did you mean '" + (folder_ / "omi/tank.py") + "'?")));
  EXPECT_THAT([this] { Found("quite-different"); },
              ThrowsMessage<LoadError>(
                  AllOf(HasSubstr("put the library beside the OMI file"), Not(HasSubstr("did you mean")))));
}

TEST_F(Search, AnAbsoluteNameIsSearchedThereOnly) {
  folder_.Write("omi/libcreek.so", "");
  EXPECT_THAT([this] { Found(folder_ / "elsewhere/creek"); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("searched " + (folder_ / "elsewhere") + " for"),
                                             HasSubstr("check the path in the OMI file"))));
}

TEST_F(Search, AnEmptyNameIsRefused) {
  EXPECT_THAT([this] { Found("models/"); },
              ThrowsMessage<LoadError>(HasSubstr("expected the name of a library as Assembly")));
}

TEST_F(Search, ListsComponentLibrariesAndNothingElse) {
  folder_.Take("libgood_plugin.so", "omi/libgood.so");
  folder_.Take("libno_entry_plugin.so", "omi/libother.so");
  folder_.Write("omi/libtext.so", "text");
  const auto libraries = LibrarySearch::Libraries(folder_ / "omi/creek.omi");
  EXPECT_THAT(libraries, Contains(folder_ / "omi/libgood.so"));
  EXPECT_THAT(libraries, Not(Contains(HasSubstr("other"))));
  EXPECT_THAT(libraries, Not(Contains(HasSubstr("text"))));
}

}  // namespace
}  // namespace openmi
