#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "fmi-bridge/common/archive/Archive.hpp"
#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/support/ZipBytes.hpp"
#include "tests/openmi/plugins/PluginFolder.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;
using test::ZipBytes;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class ArchiveFiles : public testing::Test {
 protected:
  fs::path Write(const std::string& name, const std::string& bytes) const { return scratch_.Write(name, bytes); }
  const ScratchFolder scratch_;
};

const std::vector<test::ZipEntry> kGood{{"modelDescription.xml", "<fmi/>", 8},
                                        {"resources/", ""},
                                        {"resources/deep/\xc3\xa4 b.txt", std::string(200'000, 'x'), 8},
                                        {"resources/tool", "#!", 0, 0x0800, 0100755},
                                        {"empty", ""}};

TEST_F(ArchiveFiles, AreNotWrittenOverWhatTheyContain) {
  Write("in/resources/part.fmu", "a part");
  const fs::path part = Write("part.fmu", "a part");
  EXPECT_THAT([&] { WriteArchive(part.parent_path() / "in", part, 0); },
              ThrowsMessage<FileError>(AllOf(HasSubstr("part.fmu: expected another file than one that"),
                                             HasSubstr("found 'resources/part.fmu'"))));
  EXPECT_EQ(fs::file_size(part), 6U);
  const fs::path other = Write("other.fmu", "as long");
  WriteArchive(part.parent_path() / "in", other, 0);
  EXPECT_GT(fs::file_size(other), 100U);
}

TEST_F(ArchiveFiles, AreUnpackedAsTheyAre) {
  const auto unpacked = UnpackedArchive::Open(Write("a.fmu", ZipBytes(kGood)));
  const fs::path folder = unpacked->Folder();
  EXPECT_TRUE(folder.is_absolute());
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  EXPECT_EQ(BytesOf((folder / "modelDescription.xml").string()), "<fmi/>");
  EXPECT_EQ(BytesOf((folder / "resources/deep/\xc3\xa4 b.txt").string()), std::string(200'000, 'x'));
  EXPECT_EQ(fs::file_size(folder / "empty"), 0U);
  // Nobody writes into what others have opened too.
  EXPECT_EQ(fs::status(folder / "resources/tool").permissions(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(fs::status(folder / "empty").permissions(), fs::perms::owner_read);
}

TEST_F(ArchiveFiles, MayNameAFolderTwice) {
  const auto unpacked = UnpackedArchive::Open(Write("a.fmu", ZipBytes({{"x/", ""}, {"x/a", "1"}, {"x/", ""}})));
  EXPECT_EQ(BytesOf((unpacked->Folder() / "x" / "a").string()), "1");
}

TEST_F(ArchiveFiles, MayHoldTheSameFileTwice) {
  const auto unpacked = UnpackedArchive::Open(Write("a.fmu", ZipBytes({{"x/a", "1"}, {"b", "2"}, {"x/a", "1", 8}})));
  EXPECT_EQ(BytesOf((unpacked->Folder() / "x" / "a").string()), "1");
  EXPECT_EQ(BytesOf((unpacked->Folder() / "b").string()), "2");
}

TEST_F(ArchiveFiles, AreSharedAndGoWithTheLastOwner) {
  const fs::path path = Write("a.fmu", ZipBytes(kGood));
  fs::create_hard_link(path, scratch_.Path() / "b.fmu");
  auto first = UnpackedArchive::Open(path);
  auto second = UnpackedArchive::Open(scratch_.Path() / "." / "b.fmu");  // the same file by another name
  EXPECT_EQ(first, second);
  const fs::path folder = first->Folder();
  first.reset();
  EXPECT_TRUE(fs::exists(folder));
  second.reset();
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(ArchiveFiles, AreUnpackedAnewWhenTheFileIsAnother) {
  const fs::path path = Write("a.fmu", ZipBytes({{"v", "1"}}));
  const auto first = UnpackedArchive::Open(path);
  fs::remove(path);
  Write("a.fmu", ZipBytes({{"v", "two"}}));
  const auto second = UnpackedArchive::Open(path);
  EXPECT_EQ(BytesOf((first->Folder() / "v").string()), "1");
  EXPECT_EQ(BytesOf((second->Folder() / "v").string()), "two");
}

TEST_F(ArchiveFiles, StayWhenAChildProcessEnds) {
  auto unpacked = UnpackedArchive::Open(Write("a.fmu", ZipBytes(kGood)));
  const pid_t child = fork();
  if (child == 0) {
    unpacked.reset();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(fs::exists(unpacked->Folder() / "modelDescription.xml"));
}

TEST_F(ArchiveFiles, LeaveNothingBehindWhenTheyAreDamaged) {
  const fs::path temporary = scratch_.Path() / "tmp";
  fs::create_directory(temporary);
  const Environment set("TMPDIR", temporary.c_str());
  const fs::path path = Write("a.fmu", ZipBytes({{"a", "fine"}, {"b", "x", 8, 0x0800, 0100644, {}, 7U}}));
  EXPECT_THAT([&] { UnpackedArchive::Open(path); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr(path.string()), HasSubstr("expected entry 'b' whole"))));
  EXPECT_TRUE(fs::is_empty(temporary));
  const Environment wrong("TMPDIR", (temporary / "missing").c_str());
  EXPECT_THAT([&] { UnpackedArchive::Open(path); }, ThrowsMessage<FileError>(HasSubstr("TMPDIR")));
}

TEST_F(ArchiveFiles, MayBeAFolderAlready) {
  Write("u/modelDescription.xml", "<fmi/>");
  const fs::path folder = scratch_.Path() / "u";
  EXPECT_EQ(ReadFromArchive(folder, "modelDescription.xml"), "<fmi/>");
  UnpackedArchive::Open(folder).reset();
  EXPECT_TRUE(fs::exists(folder / "modelDescription.xml"));
}

TEST_F(ArchiveFiles, GiveOneFileWithoutTheRest) {
  const fs::path path = Write("a.fmu", ZipBytes(kGood));
  EXPECT_EQ(ReadFromArchive(path, "modelDescription.xml"), "<fmi/>");
  EXPECT_THAT([&] { ReadFromArchive(path, "modeldescription.xml"); },
              ThrowsMessage<FormatError>(HasSubstr("expected an entry 'modeldescription.xml', found none; did you mean "
                                                   "'modelDescription.xml'?")));
  EXPECT_THAT([&] { ReadFromArchive(path, "resources/deep/\xc3\xa4 b.txt", 1000); },
              ThrowsMessage<FormatError>(HasSubstr("of at most 1000 bytes, found 200000")));
}

TEST_F(ArchiveFiles, ThatAreMissingOrNoFilesAreNamed) {
  EXPECT_THAT([&] { UnpackedArchive::Open(scratch_.Path() / "none.fmu"); },
              ThrowsMessage<FileError>(AllOf(HasSubstr("none.fmu"), HasSubstr("check the path"))));
  EXPECT_THAT([&] { Archive("/dev/null"); }, ThrowsMessage<FileError>(HasSubstr("found no regular file")));
}

}  // namespace
}  // namespace openmi
