// Archives that nobody should open, each with the words that refuse it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <string>
#include <vector>

#include "fmi-bridge/common/archive/Archive.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/support/ZipBytes.hpp"

namespace openmi {
namespace {

using test::Put16;
using test::Put32;
using test::ZipBytes;
using test::ZipEntry;
using testing::HasSubstr;

/// What opening the archive and reading everything in it says; empty when nothing is wrong.
std::string Refusal(const std::string& bytes, const ArchiveLimits& limits = {}) {
  try {
    const Archive archive(bytes, "a.fmu", limits);
    for (const ArchiveEntry& entry : archive.Entries()) {
      if (!entry.is_folder) archive.Read(entry.name);
    }
  } catch (const FormatError& error) {
    EXPECT_EQ(error.Place().file, "a.fmu");
    EXPECT_NE(error.Remedy(), "");
    return error.what();
  }
  return {};
}

struct Case {
  const char* title;
  std::vector<ZipEntry> entries;
  const char* words;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.title;
}

const std::vector<Case> kCases{
    {"NoName", {{"", "x"}}, "found an entry without a name; pack the archive anew"},
    {"Absolute", {{"/etc/cron.d/x", "x"}}, "found the absolute name '/etc/cron.d/x'"},
    {"AbsoluteFolder", {{"/", ""}}, "found the absolute name '/'"},
    {"TwoSlashes", {{"//server/share/x", "x"}}, "found the absolute name"},
    {"Drive", {{"C:/Windows/x.dll", "x"}}, "found the name 'C:/Windows/x.dll', which begins with a drive"},
    {"DriveRelative", {{"c:x", "x"}}, "which begins with a drive"},
    {"Backslash", {{"binaries\\win64\\x.dll", "x"}}, "which holds a backslash"},
    {"BackslashParent", {{"..\\x", "x"}}, "which holds a backslash"},
    {"Parent", {{"../x", "x"}}, "found the name '../x', which leads out of the archive"},
    {"ParentInside", {{"resources/../../x", "x"}}, "which leads out of the archive"},
    {"ParentAtTheEnd", {{"resources/..", "x"}}, "which leads out of the archive"},
    {"ParentFolder", {{"resources/../", ""}}, "which leads out of the archive"},
    {"Dot", {{"./modelDescription.xml", "x"}}, "with an empty part"},
    {"DotInside", {{"resources/./x", "x"}}, "with an empty part"},
    {"EmptyPart", {{"resources//x", "x"}}, "with an empty part"},
    {"Newline", {{"a\nb", "x"}}, "found the name 'a b', which holds a control character"},
    {"Escape", {{"a\x1b[31mb", "x", 0, 0}}, "which holds a control character"},
    {"Delete", {{"a\x7f", "x"}}, "which holds a control character"},
    {"Latin1", {{"gr\xfc\xdf.txt", "x", 0, 0}}, "which is not UTF-8"},
    {"HalfCharacter", {{"gr\xc3", "x", 0, 0}}, "which is not UTF-8"},
    {"OverlongSlash", {{"..\xc0\xafx", "x"}}, "which is not UTF-8"},
    {"HalfCharacterThatClaimsUtf8", {{"gr\xc3", "x"}}, "Zip archive inconsistent"},
    {"LongPart", {{std::string(300, 'a'), "x"}}, "with a part of 300 bytes"},
    {"LongName", {{std::string(1100, 'a'), "x"}}, "found a name of 1100 bytes"},
    {"Deep",
     {{[] {
         std::string name;
         for (int i = 0; i < 100; ++i) name += "d/";
         return name + "x";
       }(),
       "x"}},
     "with more than 64 folders"},
    {"Twice", {{"a", "1"}, {"b", "2"}, {"a", "3"}}, "expected every name once, found 'a' twice"},
    {"FileTwiceInAFolderTwice", {{"a/", ""}, {"a/b", "1"}, {"a/", ""}, {"a/b", "2"}}, "found 'a/b' twice"},
    {"OneOfThreeIsAnother", {{"a", "1"}, {"a", "1"}, {"a", "2"}}, "found 'a' twice with different content"},
    {"FileAndFolder", {{"a", "1"}, {"a/b", "2"}}, "found 'a' as a file and as a folder"},
    {"FileAndEmptyFolder", {{"a", "1"}, {"a/", ""}}, "found 'a' as a file and as a folder"},
    {"FileFarAbove", {{"a", "1"}, {"a/b/c/d", "2"}}, "found 'a' as a file and as a folder"},
    {"Link",
     {{"resources/passwd", "/etc/passwd", 0, 0x0800, 0120777}},
     "found the link 'resources/passwd'; replace links"},
    {"LinkToFolder", {{"a", "/tmp", 0, 0x0800, 0120777}, {"a/x", "x"}}, "found the link 'a'"},
    {"Pipe", {{"p", "", 0, 0x0800, 0010644}}, "found the device or pipe 'p'"},
    {"Device", {{"d", "", 0, 0x0800, 0060644}}, "found the device or pipe 'd'"},
    {"Socket", {{"s", "", 0, 0x0800, 0140644}}, "found the device or pipe 's'"},
    {"Encrypted", {{"a", "secret", 0, 0x0801}}, "found the encrypted entry 'a'"},
    {"Method", {{"a", "x", 12}}, "packed by method 12, where store (0) and deflate (8) are allowed"},
    {"OldMethod", {{"a", "x", 6}}, "packed by method 6"},
    {"FolderWithContent", {{"a/", "x"}}, "found the folder 'a/' with content"},
    {"WrongCheck", {{"a", "x", 8, 0x0800, 0100644, {}, 7U}}, "expected entry 'a' whole, found"},
    {"LessThanStated", {{"a", "x", 8, 0x0800, 0100644, 100U}}, "expected entry 'a' whole, found"},
    {"MoreThanStated", {{"a", std::string(100'000, 'x'), 8, 0x0800, 0100644, 10U}}, "expected entry 'a' whole, found"},
};

class HostileArchive : public testing::TestWithParam<Case> {};

TEST_P(HostileArchive, IsRefused) {
  EXPECT_THAT(Refusal(ZipBytes(GetParam().entries)), HasSubstr(GetParam().words));
}

INSTANTIATE_TEST_SUITE_P(Entries, HostileArchive, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.title); });

/// A well packed archive of zeros.
std::string Zeros(std::size_t bytes, int files) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(target);
  zip_t* zip = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  const std::string content(bytes, '\0');
  for (int i = 0; i < files; ++i) {
    zip_source_t* source = zip_source_buffer(zip, content.data(), content.size(), 0);
    EXPECT_GE(zip_file_add(zip, ("z" + std::to_string(i)).c_str(), source, ZIP_FL_ENC_UTF_8), 0);
  }
  EXPECT_EQ(zip_close(zip), 0);
  EXPECT_EQ(zip_source_open(target), 0);
  zip_stat_t info;
  zip_source_stat(target, &info);
  std::string out(info.size, '\0');
  zip_source_read(target, out.data(), out.size());
  zip_source_close(target);
  zip_source_free(target);
  return out;
}

TEST(HostileArchives, BombsAreNotUnpacked) {
  const std::string bomb = Zeros(1 << 20, 4);
  ASSERT_LT(bomb.size(), 10'000U);
  EXPECT_EQ(Refusal(bomb), "");
  EXPECT_THAT(Refusal(bomb, {.free_bytes = 1 << 20}),
              HasSubstr("expected files at most 200 times as large as the archive, found 4194304 bytes in"));
  EXPECT_THAT(Refusal(bomb, {.bytes = 3 << 20}),
              HasSubstr("expected at most 3145728 bytes in all, found more at entry 'z3'"));
  EXPECT_THAT(Refusal(bomb, {.bytes = 1000}), HasSubstr("entry 'z0' of 1048576 bytes, where at most 1000 are allowed"));
}

TEST(HostileArchives, TooManyEntriesAreRefused) {
  std::vector<ZipEntry> entries;
  for (int i = 0; i < 20; ++i) entries.push_back({std::to_string(i), "x"});
  EXPECT_THAT(Refusal(ZipBytes(entries), {.entries = 10}), HasSubstr("expected at most 10 entries, found 20"));
}

TEST(HostileArchives, WhatIsNoArchiveIsRefused) {
  const std::string good = ZipBytes({{"a", "x"}, {"b", "y"}});
  const char* words = "expected a ZIP archive, found one that cannot be opened: ";
  EXPECT_THAT(Refusal(""), HasSubstr("expected an archive with files, found an empty one; get a whole copy"));
  EXPECT_THAT(Refusal(ZipBytes({})), HasSubstr("expected an archive with files, found an empty one"));
  EXPECT_THAT(Refusal("<xml/>"), HasSubstr(words));
  EXPECT_THAT(Refusal(std::string(100'000, 'P')), HasSubstr(words));
  EXPECT_THAT(Refusal(good.substr(0, good.size() / 2)), HasSubstr(words));
  EXPECT_THAT(Refusal(good.substr(0, good.size() - 1)), HasSubstr(words));
  EXPECT_THAT(Refusal(good.substr(10)), HasSubstr(words));
}

TEST(HostileArchives, EveryCutAndEveryFlippedByteIsAnArchiveOrAnError) {
  const std::string good = ZipBytes({{"modelDescription.xml", "<fmi/>", 8}, {"resources/", ""}, {"resources/a", "x"}});
  for (std::size_t i = 0; i < good.size(); ++i) {
    Refusal(good.substr(0, i));
    for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
      std::string bad = good;
      bad[i] = static_cast<char>(static_cast<unsigned char>(bad[i]) ^ flip);
      Refusal(bad);
    }
  }
}

}  // namespace
}  // namespace openmi
