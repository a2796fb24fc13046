#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>
#include <utility>

#include "openmi/omi/ComponentLibrary.hpp"
#include "openmi/omi/SharedLibrary.hpp"
#include "openmi/sdk/Sanitizers.hpp"
#include "tests/openmi/plugins/PluginFolder.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

std::vector<std::string> NamesIn(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  return names;
}

// What the version of the loaded library says.
std::string VersionOf(const SharedLibrary& library) {
  const auto* entry = library.FunctionNamed<ComponentLibraryFunction>(kEntryPoint)()->components;
  return entry->create()->Description();
}

// Memory in use, without what the system has not given a page to.
std::size_t ResidentBytes() {
  std::size_t pages = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t Mappings() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);) ++count;
  return count;
}

std::size_t OpenFiles() {
  return NamesIn("/proc/self/fd").size();
}

TEST(SharedLibrary, IsLoadedFromACopyThatLeavesNoTrace) {
  const PluginFolder folder;
  const std::string path = folder.Take("libgood_plugin.so");
  const auto library = SharedLibrary::Open(path);
  EXPECT_EQ(library->Path(), path);
  EXPECT_EQ(library->Image(), LibraryImage::CopyBeside);
  EXPECT_THAT(library->ImageName(), AllOf(HasSubstr(folder / ".openmi-copy-"), HasSubstr("libgood_plugin.so")));
  EXPECT_THAT(NamesIn(folder.Path()), testing::ElementsAre("libgood_plugin.so"));
  EXPECT_TRUE(SharedLibrary::IsStillLoaded(library->ImageName()));
  EXPECT_NE(library->Symbol(kEntryPoint), nullptr);
  EXPECT_EQ(library->Symbol("no_such_symbol"), nullptr);
}

TEST(SharedLibrary, KnowsTheRealPathBehindALink) {
  const PluginFolder folder;
  const std::string path = folder.Take("libgood_plugin.so");
  std::filesystem::create_symlink(path, folder / "link.so");
  EXPECT_EQ(SharedLibrary::Open(folder / "link.so")->Path(), path);
}

TEST(SharedLibrary, ASymbolOfANeighbourIsNotItsOwn) {
  const auto library = SharedLibrary::Open(PluginPath("libno_entry_plugin.so"));
  EXPECT_NE(library->Symbol("TwiceTheNumber"), nullptr);
  EXPECT_NE(dlsym(RTLD_DEFAULT, "malloc"), nullptr);
  EXPECT_EQ(library->Symbol("malloc"), nullptr);
  EXPECT_EQ(library->Symbol(kEntryPoint), nullptr);  // its neighbour has one
  EXPECT_EQ(library->FunctionNamed<int()>("TwiceTheNumber")(), 42);
}

TEST(SharedLibrary, FindsItsNeighbourThroughOrigin) {
  EXPECT_EQ(VersionOf(*SharedLibrary::Open(PluginPath("libneeds_neighbour_plugin.so"))), "21");
}

TEST(SharedLibrary, SaysWhichNeighbourIsMissing) {
  const PluginFolder folder;
  const std::string path = folder.Take("libneeds_neighbour_plugin.so", "libalone.so");
  EXPECT_THAT([&path] { SharedLibrary::Open(path, {.file = "creek.omi", .line = 7}); },
              ThrowsMessage<LoadError>(AllOf(
                  HasSubstr("creek.omi:7: expected the shared library '" + path + "' to load"),
                  HasSubstr("libplugin_neighbour.so: cannot open shared object file"), HasSubstr("-rpath,'$ORIGIN'"))));
  EXPECT_THAT(NamesIn(folder.Path()), testing::ElementsAre("libalone.so"));
}

TEST(SharedLibrary, SaysWhichSymbolIsMissingUnderTheNameOfTheOriginal) {
  EXPECT_THAT([] { SharedLibrary::Open(PluginPath("libundefined_plugin.so")); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("undefined symbol"), HasSubstr("NobodyDefinesThis"),
                                             HasSubstr("libundefined_plugin.so"), Not(HasSubstr(".openmi-copy-")),
                                             HasSubstr("link it with the library that defines the symbol"))));
}

TEST(SharedLibrary, IsGoneWhenTheLastReferenceIs) {
  for (const char* name : {"libgood_plugin.so", "libunload_1_plugin.so", "libneeds_neighbour_plugin.so"}) {
    auto library = SharedLibrary::Open(PluginPath(name));
    VersionOf(*library);
    const std::string image = library->ImageName();
    auto other = library;
    library.reset();
    EXPECT_TRUE(SharedLibrary::IsStillLoaded(image));
    other.reset();
    EXPECT_FALSE(SharedLibrary::IsStillLoaded(image)) << name;
  }
}

TEST(SharedLibrary, TheNextVersionIsTakenUpWithAllItsStatics) {
  const PluginFolder folder;
  const std::string path = folder.Take("libunload_1_plugin.so", "libmodel.so");
  auto library = SharedLibrary::Open(path);
  EXPECT_EQ(VersionOf(*library), "v1.1");
  const std::uint64_t hash = library->Stamp().hash;
  std::filesystem::copy_file(PluginPath("libunload_2_plugin.so"), path,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(VersionOf(*library), "v1.1");  // what is loaded stays what it was
  const auto next = SharedLibrary::Open(path);
  EXPECT_EQ(VersionOf(*next), "v2.2");  // and both can be there at once
  EXPECT_EQ(VersionOf(*library), "v1.1");
  EXPECT_NE(next->Stamp().hash, hash);
  std::filesystem::remove(path);
}

TEST(SharedLibrary, SurvivesThatItsFileIsOverwrittenWithRubbish) {
  const PluginFolder folder;
  const std::string path = folder.Take("libunload_1_plugin.so");
  const auto library = SharedLibrary::Open(path);
  folder.Write("libunload_1_plugin.so", std::string(std::filesystem::file_size(path), '\xCC'));
  EXPECT_EQ(VersionOf(*library), "v1.1");
  folder.Write("libunload_1_plugin.so", "");
  EXPECT_EQ(VersionOf(*library), "v1.1");
}

TEST(SharedLibrary, OneThatStaysIsReportedWithTheSymbolsThatKeepIt) {
#if defined(__clang__)
  GTEST_SKIP() << "clang makes no unique symbols";
#endif
  // The loader takes a unique symbol from the first library of the process that has it, and keeps that library. A
  // second copy uses the symbol of the first and can be closed: this is what a repeated run of this test sees.
  static bool is_first = true;
  const bool is_kept = std::exchange(is_first, false);
  const PluginFolder folder;
  const std::string path = folder.Take("libunique_plugin.so");
  const std::size_t before = SharedLibrary::Pinned().size();
  auto library = SharedLibrary::Open(path);
  const std::string image = library->ImageName();
  EXPECT_EQ(VersionOf(*library), "v3.3");
  library.reset();
  EXPECT_EQ(SharedLibrary::IsStillLoaded(image), is_kept);
  if (!is_kept) return;
  ASSERT_EQ(SharedLibrary::Pinned().size(), before + 1);
  const PinnedLibrary pinned = SharedLibrary::Pinned().back();
  EXPECT_EQ(pinned.path, path);
  EXPECT_THAT(pinned.unique, Contains(HasSubstr("inline_version")));
  EXPECT_THAT(pinned.remedy, HasSubstr("openmi_add_component"));
}

TEST(SharedLibrary, ThreadLocalObjectsKeepItUntilTheirThreadEnds) {
  const std::size_t before = SharedLibrary::Pinned().size();
  std::string image;
  std::thread([&] {
    auto library = SharedLibrary::Open(PluginPath("libthread_local_plugin.so"));
    image = library->ImageName();
    VersionOf(*library);
    library.reset();
    EXPECT_TRUE(SharedLibrary::IsStillLoaded(image));
    ASSERT_EQ(SharedLibrary::Pinned().size(), before + 1);
    EXPECT_THAT(SharedLibrary::Pinned().back().remedy, HasSubstr("end those threads"));
  }).join();
  SharedLibrary::Open(PluginPath("libgood_plugin.so")).reset();  // the next close sweeps
  EXPECT_FALSE(SharedLibrary::IsStillLoaded(image));
  EXPECT_EQ(SharedLibrary::Pinned().size(), before);
}

TEST(SharedLibrary, AFolderThatCannotBeWrittenIsNoHindrance) {
  const PluginFolder folder;
  const std::string alone = folder.Take("libunload_1_plugin.so");
  const std::string needy = folder.Take("libneeds_neighbour_plugin.so");
  folder.Take("libplugin_neighbour.so");
  std::filesystem::permissions(folder.Path(), std::filesystem::perms{0555});
  const bool privileged = geteuid() == 0;
  if (privileged) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  const std::size_t files = OpenFiles();
  {
    const auto library = SharedLibrary::Open(alone);
    EXPECT_EQ(library->Image(), LibraryImage::CopyInMemory);
    EXPECT_EQ(VersionOf(*library), "v1.1");
    const auto second = SharedLibrary::Open(alone);
    EXPECT_NE(second->ImageName(), library->ImageName());
    const auto in_place = SharedLibrary::Open(needy);
    EXPECT_EQ(in_place->Image(), LibraryImage::InPlace);
    EXPECT_EQ(in_place->ImageName(), needy);
    EXPECT_EQ(VersionOf(*in_place), "21");
  }
  EXPECT_FALSE(SharedLibrary::IsStillLoaded(needy));
  EXPECT_EQ(OpenFiles(), files);
  if (privileged) {
    ASSERT_EQ(seteuid(0), 0);
  }
}

TEST(SharedLibrary, IsLoadedInPlaceForDebuggersThatAskForIt) {
  const Environment in_place("OPENMI_LOAD_IN_PLACE", "1");
  const auto library = SharedLibrary::Open(PluginPath("libgood_plugin.so"));
  EXPECT_EQ(library->Image(), LibraryImage::InPlace);
  EXPECT_EQ(library->ImageName(), PluginPath("libgood_plugin.so"));
  EXPECT_NE(library->Stamp().hash, 0U);
  const auto again = SharedLibrary::Open(PluginPath("libgood_plugin.so"));
  EXPECT_EQ(again->ImageName(), library->ImageName());
}

TEST(SharedLibrary, ForgottenCopiesAreRemovedOnceTheyAreOld) {
  const PluginFolder folder;
  const std::string path = folder.Take("libgood_plugin.so");
  folder.Write(".openmi-copy-1-1-libgood_plugin.so", "just being loaded by another process");
  const std::string old = folder.Write(".openmi-copy-1-2-libgood_plugin.so", "left behind by one that was killed");
  const std::string others = folder.Write(".other", "not ours");
  for (const std::string& file : {old, others}) {
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
  }
  SharedLibrary::Open(path);
  EXPECT_THAT(NamesIn(folder.Path()),
              testing::UnorderedElementsAre("libgood_plugin.so", ".other", ".openmi-copy-1-1-libgood_plugin.so"));
}

TEST(SharedLibrary, AThousandCyclesLeaveNothingBehind) {
  const PluginFolder folder;
  const std::string path = folder.Take("libunload_1_plugin.so");
  const auto cycle = [&path] {
    const auto library = SharedLibrary::Open(path);
    ASSERT_EQ(VersionOf(*library), "v1.1");
  };
  for (int i = 0; i < 50; ++i) cycle();
  const std::size_t pinned = SharedLibrary::Pinned().size();
  const std::size_t resident = ResidentBytes();
  const std::size_t mappings = Mappings();
  const std::size_t files = OpenFiles();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) cycle();
  const auto spent = std::chrono::steady_clock::now() - begin;
  RecordProperty("microseconds_per_cycle",
                 static_cast<int>(std::chrono::duration_cast<std::chrono::microseconds>(spent).count() / 1000));
  EXPECT_EQ(SharedLibrary::Pinned().size(), pinned);
  EXPECT_EQ(OpenFiles(), files);
#if !OPENMI_ADDRESS_SANITIZER && !OPENMI_THREAD_SANITIZER
  // The sanitizers map memory of their own. One leaked page a cycle would be 4 MB.
  EXPECT_LE(Mappings(), mappings + 4);
  EXPECT_LT(ResidentBytes(), resident + (std::size_t{1} << 20));
#else
  static_cast<void>(resident);
  static_cast<void>(mappings);
#endif
  EXPECT_THAT(NamesIn(folder.Path()), testing::SizeIs(1));
}

TEST(SharedLibrary, CanBeOpenedByManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 20; ++i)
        EXPECT_EQ(VersionOf(*SharedLibrary::Open(PluginPath("libunload_2_plugin.so"))), "v2.2");
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(SharedLibrary, AGateCanRefuseItBeforeAnyCodeRuns) {
  // Its static object would abort this process.
  EXPECT_THAT(
      [] {
        SharedLibrary::Open(PluginPath("libwrong_abi_plugin.so"), {}, [](const LibraryFile& file) {
          throw LoadError({}, "expected another, found " + file.build_text);
        });
      },
      ThrowsMessage<LoadError>(HasSubstr("abi=99")));
}

}  // namespace
}  // namespace openmi
