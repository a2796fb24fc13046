#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <random>

#include "openmi/omi/BuildText.hpp"
#include "openmi/omi/LibraryFile.hpp"
#include "tests/openmi/plugins/PluginFolder.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

TEST(LibraryFile, IsReadWithoutBeingLoaded) {
  const LibraryFile file = InspectLibrary(PluginPath("libgood_plugin.so"));
  EXPECT_TRUE(file.symbols_known);
  EXPECT_TRUE(file.has_entry_point);
  EXPECT_EQ(file.build_text, HostBuildText());
  EXPECT_THAT(file.unique, IsEmpty());
  EXPECT_THAT(file.needed, Contains(HasSubstr("libopenmi_core")));
  EXPECT_FALSE(file.uses_thread_destructors);
  EXPECT_EQ(file.size, std::filesystem::file_size(PluginPath("libgood_plugin.so")));
}

TEST(LibraryFile, KnowsWhatWouldPinIt) {
  EXPECT_THAT(InspectLibrary(PluginPath("libunload_1_plugin.so")).unique, IsEmpty());
#if !defined(__clang__)  // which makes no unique symbols
  EXPECT_THAT(InspectLibrary(PluginPath("libunique_plugin.so")).unique, Contains(HasSubstr("inline_version")));
#endif
  EXPECT_TRUE(InspectLibrary(PluginPath("libthread_local_plugin.so")).uses_thread_destructors);
}

TEST(LibraryFile, KnowsThatItLooksForNeighbours) {
  EXPECT_TRUE(InspectLibrary(PluginPath("libneeds_neighbour_plugin.so")).UsesOrigin());
  EXPECT_FALSE(InspectLibrary(PluginPath("libgood_plugin.so")).UsesOrigin());
}

TEST(LibraryFile, ATextOfAnotherBuildIsRead) {
  EXPECT_THAT(InspectLibrary(PluginPath("libwrong_abi_plugin.so")).build_text, HasSubstr("abi=99"));
  EXPECT_EQ(InspectLibrary(PluginPath("libno_text_plugin.so")).build_text, "");
}

class NoLibrary : public testing::Test {
 protected:
  auto Says(const std::string& what, const std::string& remedy) {
    return ThrowsMessage<LoadError>(AllOf(HasSubstr("creek.omi:3: "), HasSubstr("expected a shared library at '"),
                                          HasSubstr(what), HasSubstr("; " + remedy)));
  }
  auto Inspect(const std::string& path) {
    return [path] { InspectLibrary(path, {.file = "creek.omi", .line = 3}); };
  }
  // A good library with one change.
  std::string Changed(const std::function<void(std::string&)>& change) {
    std::string bytes = BytesOf(PluginPath("libgood_plugin.so"));
    change(bytes);
    return folder_.Write("libchanged.so", bytes);
  }
  PluginFolder folder_;
};

TEST_F(NoLibrary, EachSaysWhatItIsInstead) {
  EXPECT_THAT(Inspect(folder_ / "none.so"), Says("No such file", "check the name"));
  EXPECT_THAT(Inspect(folder_.Path().string()), Says("found a folder", "name the library itself"));
  EXPECT_THAT(Inspect("/dev/null"), Says("something that is no file", "name the library itself"));
  EXPECT_THAT(Inspect(folder_.Write("empty.so", "")), Says("an empty file", "build or copy it again"));
  EXPECT_THAT(Inspect(folder_.Write("text.so", "creek model, version 3\nall rights")),
              Says("a text file that begins with 'creek model, version 3'", "name the library itself"));
  EXPECT_THAT(Inspect(folder_.Write("dotnet.so", std::string("MZ\x90\0\3\0", 6))),
              Says("a Windows library", "name a library built for this system"));
  EXPECT_THAT(Inspect(folder_.Write("mac.so", "\xCF\xFA\xED\xFE\x07")), Says("a macOS library", "name a library"));
  EXPECT_THAT(Inspect(folder_.Write("static.so", "!<arch>\nrest")), Says("a static library", "link it into"));
  EXPECT_THAT(Inspect(folder_.Write("model.fmu", "PK\x03\x04...")), Says("a zip archive", "an FMU is named by"));
  EXPECT_THAT(Inspect(folder_.Write("noise.so", std::string("\1\2\3\4\0\5", 6))),
              Says("a file that is no library", "name the library itself"));
  EXPECT_THAT(Inspect("/proc/self/exe"), Says("found a program", "name the library itself"));
}

TEST_F(NoLibrary, ANamedPipeDoesNotHang) {
  ASSERT_EQ(mkfifo((folder_ / "pipe.so").c_str(), 0600), 0);
  EXPECT_THAT(Inspect(folder_ / "pipe.so"), Says("something that is no file", "name"));
}

TEST_F(NoLibrary, AnotherProcessorIsNamed) {
  const std::string arm = Changed([](std::string& bytes) {
    Elf64_Half machine = EM_NONE;
    std::memcpy(&machine, bytes.data() + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
    machine = machine == EM_AARCH64 ? EM_X86_64 : EM_AARCH64;
    std::memcpy(bytes.data() + offsetof(Elf64_Ehdr, e_machine), &machine, sizeof machine);
  });
  EXPECT_THAT(Inspect(arm), Says("one for ", "build it for this machine"));
  EXPECT_THAT(Inspect(arm), ThrowsMessage<LoadError>(AllOf(HasSubstr("64-bit ARM"), HasSubstr("x86-64"))));
}

TEST_F(NoLibrary, AnObjectFileAndAnOldProgramAreNamed) {
  const auto typed = [this](Elf64_Half type) {
    return Changed(
        [type](std::string& bytes) { std::memcpy(bytes.data() + offsetof(Elf64_Ehdr, e_type), &type, sizeof type); });
  };
  EXPECT_THAT(Inspect(typed(ET_REL)), Says("an object file", "link it with -shared"));
  EXPECT_THAT(Inspect(typed(ET_EXEC)), Says("a program", "name the library itself"));
  EXPECT_THAT(Inspect(typed(ET_CORE)), Says("an ELF file of another kind", "name the library itself"));
}

TEST_F(NoLibrary, ATruncatedOneIsNotGivenToTheSystem) {
  const std::size_t size = BytesOf(PluginPath("libgood_plugin.so")).size();
  for (const std::size_t kept : {std::size_t{5}, std::size_t{40}, std::size_t{64}, std::size_t{200}, size / 4}) {
    EXPECT_THAT(Inspect(Changed([kept](std::string& bytes) { bytes.resize(kept); })),
                Says("a damaged one", "build or copy it again"))
        << kept;
  }
}

TEST_F(NoLibrary, WithoutSectionsItsSymbolsAreUnknown) {
  const LibraryFile file = InspectLibrary(Changed(
      [](std::string& bytes) { std::memset(bytes.data() + offsetof(Elf64_Ehdr, e_shoff), 0, sizeof(Elf64_Off)); }));
  EXPECT_FALSE(file.symbols_known);
  EXPECT_FALSE(file.has_entry_point);
  EXPECT_THAT(file.needed, Contains(HasSubstr("libopenmi_core")));
}

TEST_F(NoLibrary, RandomDamageIsReadOrRefusedAndNothingElse) {
  constexpr unsigned kSeed = 20151217;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const std::string whole = BytesOf(PluginPath("libgood_plugin.so"));
  Elf64_Ehdr header = {};
  std::memcpy(&header, whole.data(), sizeof header);
  int refused = 0;
  for (int round = 0; round < 600; ++round) {
    std::string bytes = whole;
    // Half of the damage hits the tables at the front and at the end, where the offsets are.
    for (int change = 0; change < 8; ++change) {
      const std::size_t range = round % 3 == 0 ? bytes.size() : round % 3 == 1 ? 1024 : bytes.size() - header.e_shoff;
      const std::size_t start = round % 3 == 2 ? header.e_shoff : 0;
      bytes[start + random() % range] = static_cast<char>(random());
    }
    if (round % 7 == 0) bytes.resize(random() % bytes.size());
    const std::string path = folder_.Write("libdamaged.so", bytes);
    try {
      InspectLibrary(path);
    } catch (const LoadError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
  EXPECT_LT(refused, 600);
}

}  // namespace
}  // namespace openmi
