#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/IPeer.hpp"
#include "tests/openmi/plugins/PluginFolder.hpp"
#include "tests/support/ForeignComponent.hpp"

// Types of this program itself.
class HostReservoir final : public foreign::Component {};
OPENMI_EXPORT_COMPONENT(HostReservoir)
OPENMI_EXPORT_COMPONENT_AS("test.HostTwin", foreign::Component)
OPENMI_EXPORT_FACTORY_AS("test.HostFactory", foreign::EmptyFactory)

// Counts those that share it.
struct PeerCount final : openmi::PeerBoard::Shared {
  int peers = 0;
};
class HostPeer final : public foreign::Component, public openmi::IPeer {
 public:
  void JoinPeers(openmi::PeerBoard& board) override {
    count = board.Get<PeerCount>();
    ++count->peers;
  }
  std::shared_ptr<PeerCount> count;
};
OPENMI_EXPORT_COMPONENT(HostPeer)

namespace openmi {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::ThrowsMessage;

const std::string kOmi = PluginPath("test.omi");

TEST(ComponentLoader, MakesAComponentOfALibrary) {
  ComponentLoader loader;
  const LoadedComponent loaded = loader.Load("good_plugin", "LinearReservoir", kOmi, 2);
  ASSERT_NE(loaded.component, nullptr);
  EXPECT_EQ(loaded.component->Id(), "linear-reservoir");
  EXPECT_EQ(loaded.component->Status(), LinkableComponentStatus::Created);
  EXPECT_EQ(loaded.library->Path(), std::filesystem::canonical(PluginPath("libgood_plugin.so")).string());
  loaded.component->Initialize();
  loaded.component->Prepare();
  loaded.component->Update({});
  const std::size_t first[] = {0};
  EXPECT_EQ(loaded.component->Outputs()[0]->Values().GetValue(first), Value(2.0));
}

TEST(ComponentLoader, LetsItsComponentsMeetAndNoOthers) {
  const auto count_of = [](const LoadedComponent& loaded) { return dynamic_cast<HostPeer&>(*loaded.component).count; };
  ComponentLoader loader, other;
  LoadedComponent first = loader.Load("", "HostPeer"), second = loader.Load("", "HostPeer");
  EXPECT_EQ(count_of(first), count_of(second));
  EXPECT_EQ(count_of(first)->peers, 2);
  EXPECT_EQ(count_of(other.Load("", "HostPeer"))->peers, 1);
  // What they share ends with the last of them: its code may be unloaded then.
  const std::weak_ptr<PeerCount> shared = count_of(first);
  first.Reset();
  EXPECT_FALSE(shared.expired());
  second.Reset();
  EXPECT_TRUE(shared.expired());
  EXPECT_EQ(count_of(loader.Load("", "HostPeer"))->peers, 1);
}

TEST(ComponentLoader, ALibraryOfSeveralSourcesHasAllTheirTypes) {
  ComponentLoader loader;
  EXPECT_THAT(loader.Types("several_plugin", kOmi),
              ElementsAre("Throws", "ThrowsNumber", "ThrowsOwn", "hydro::Runoff", "org.example.Twin"));
  EXPECT_THAT(loader.FactoryTypes("several_plugin", kOmi), ElementsAre("org.example.Gates"));
  EXPECT_EQ(loader.Load("several_plugin", "hydro::Runoff", kOmi).component->Id(), "runoff");
  EXPECT_EQ(loader.Load("several_plugin", "hydro.Runoff", kOmi).component->Id(), "runoff");
  EXPECT_EQ(loader.Load("several_plugin", "org.example.Twin", kOmi).component->Id(), "foreign");
}

TEST(ComponentLoader, MakesFactories) {
  ComponentLoader loader;
  EXPECT_EQ(loader.LoadFactory("several_plugin", "org.example.Gates", kOmi).factory->Id(), "empty");
  EXPECT_THAT([&] { loader.LoadFactory("several_plugin", "org.example.Gate", kOmi, 5); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("test.omi:5: expected a factory type of"),
                                             HasSubstr("did you mean 'org.example.Gates'?"))));
}

TEST(ComponentLoader, AnUnknownTypeIsAnsweredWithTheOnesThereAre) {
  ComponentLoader loader;
  EXPECT_THAT([&] { loader.Load("good_plugin", "LinearResevoir", kOmi, 2); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("test.omi:2: expected a component type of '"),
                                             HasSubstr("libgood_plugin.so', found 'LinearResevoir'"),
                                             HasSubstr("did you mean 'LinearReservoir'?"))));
  EXPECT_THAT([&] { loader.Load("several_plugin", "Weir", kOmi); },
              ThrowsMessage<LoadError>(HasSubstr("there are: Throws, ThrowsNumber, ThrowsOwn, hydro::Runoff")));
}

TEST(ComponentLoader, AConstructorThatThrowsIsReportedAndItsLibraryClosed) {
  ComponentLoader loader;
  EXPECT_THAT([&] { loader.Load("several_plugin", "Throws", kOmi, 2); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("test.omi:2: expected 'Throws' of"),
                                             HasSubstr("its constructor failed: the licence server does not answer"))));
  try {
    loader.Load("several_plugin", "ThrowsOwn", kOmi);
    FAIL();
  } catch (const LoadError& error) {
    // The library is closed by now, and with it the code and the text of what was thrown.
    EXPECT_THAT(error.what(), HasSubstr("a failure of the library's own kind"));
  }
  EXPECT_THAT([&] { loader.Load("several_plugin", "ThrowsNumber", kOmi); },
              ThrowsMessage<LoadError>(HasSubstr("something of type int")));
}

TEST(ComponentLoader, ALibraryOfAnotherBuildIsRefusedBeforeItsCodeRuns) {
  ComponentLoader loader;
  // Its static object would abort this process.
  EXPECT_THAT(
      [&] { loader.Load("wrong_abi_plugin", "Any", kOmi, 2); },
      ThrowsMessage<LoadError>(AllOf(
          HasSubstr("test.omi:2: expected the component library '"), HasSubstr("to be built as 'openmi abi=1 "),
          HasSubstr("found 'openmi abi=99 value=40"), HasSubstr("; rebuild the library with the headers of openmi2"))));
  EXPECT_THAT([&] { loader.Load("no_text_plugin", "Any", kOmi); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("found 'no build text'"), HasSubstr("rebuild the library"))));
}

TEST(ComponentLoader, ALibraryBuiltAgainstOtherHeadersIsRefusedBeforeItIsCalled) {
  ComponentLoader loader;
  EXPECT_THAT([&] { loader.Load("other_headers_plugin", "Any", kOmi, 2); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("headers=0123456789abcdef"),
                                             HasSubstr("rebuild the library with this program's own headers"))));
}

TEST(ComponentLoader, ALibraryWithoutEntryPointIsRefusedEvenIfItsNeighbourHasOne) {
  ComponentLoader loader;
  EXPECT_THAT([&] { loader.Load("no_entry_plugin", "NeighboursOwn", kOmi, 2); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("test.omi:2: expected a component library at '"),
                                             HasSubstr("openmi_component_library_v1"),
                                             HasSubstr("add OPENMI_EXPORT_COMPONENT(Class)"))));
}

TEST(ComponentLoader, WithoutSectionHeadersTheChecksAreMadeInMemory) {
  const PluginFolder folder;
  for (const char* name : {"libgood_plugin.so", "libno_text_plugin.so"}) {
    std::string bytes = BytesOf(PluginPath(name));
    bytes.replace(40, 8, std::string(8, '\0'));  // e_shoff of a 64-bit file
    folder.Write(name, bytes);
  }
  ComponentLoader loader;
  EXPECT_EQ(loader.Load("good_plugin", "LinearReservoir", folder / "x.omi").component->Id(), "linear-reservoir");
  EXPECT_THAT([&] { loader.Load("no_text_plugin", "Any", folder / "x.omi"); },
              ThrowsMessage<LoadError>(HasSubstr("found 'no build text'")));
}

TEST(ComponentLoader, ATypeExportedTwiceIsRefused) {
  ComponentLoader loader;
  EXPECT_THAT(
      [&] { loader.Load("twice_plugin", "Weir", kOmi); },
      ThrowsMessage<LoadError>(AllOf(HasSubstr("found 'Weir' twice"), HasSubstr("OPENMI_EXPORT_COMPONENT_AS"))));
}

TEST(ComponentLoader, AMissingLibraryIsReportedWithItsLine) {
  ComponentLoader loader;
  EXPECT_THAT([&] { loader.Load("god_plugin", "LinearReservoir", kOmi, 9); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("test.omi:9: expected the library 'god_plugin', found none"),
                                             HasSubstr("did you mean '"), HasSubstr("libgood_plugin.so'"))));
}

TEST(ComponentLoader, AllOfOneLibraryAreAFamilyFromWhateverOmiFile) {
  const PluginFolder folder;
  folder.Take("libgood_plugin.so");
  std::filesystem::create_directories(folder / "other");
  std::filesystem::create_symlink(folder / "libgood_plugin.so", folder / "other/libalias.so");
  ComponentLoader loader;
  const LoadedComponent first = loader.Load("good_plugin", "LinearReservoir", folder / "a.omi");
  const LoadedComponent second = loader.Load("libgood_plugin.so", "LinearReservoir", folder / "b.omi");
  const LoadedComponent third = loader.Load("alias", "LinearReservoir", folder / "other/c.omi");
  EXPECT_EQ(first.library, second.library);
  EXPECT_EQ(first.library, third.library);
  EXPECT_NE(first.component.get(), second.component.get());
  EXPECT_EQ(FamilyKeyOf(first), first.library->Path());
  EXPECT_EQ(FamilyKeyOf(third), FamilyKeyOf(first));
}

TEST(ComponentLoader, AComponentMayNameItsFamilyItself) {
  ComponentLoader loader;
  EXPECT_EQ(FamilyKeyOf(loader.Load("several_plugin", "org.example.Twin", kOmi)), "twins");
  EXPECT_EQ(FamilyKeyOf(loader.Load("", "HostReservoir")), "built-in");
}

TEST(ComponentLoader, ANewVersionIsTakenUpOnceTheFamilyIsGone) {
  const PluginFolder folder;
  const std::string path = folder.Take("libunload_1_plugin.so", "libmodel.so");
  ComponentLoader loader;
  const auto version = [](const LoadedComponent& loaded) { return loaded.component->Description(); };
  LoadedComponent first = loader.Load("model", "Versioned", folder / "m.omi");
  EXPECT_EQ(version(first), "v1.1");
  std::filesystem::copy_file(PluginPath("libunload_2_plugin.so"), path,
                             std::filesystem::copy_options::overwrite_existing);
  LoadedComponent second = loader.Load("model", "Versioned", folder / "m.omi");
  EXPECT_EQ(version(second), "v1.1");  // a family runs one code
  const std::string image = first.library->ImageName();
  first.Reset();
  second.Reset();
  EXPECT_FALSE(SharedLibrary::IsStillLoaded(image));
  EXPECT_EQ(version(loader.Load("model", "Versioned", folder / "m.omi")), "v2.2");
  std::filesystem::remove(path);
  EXPECT_THAT([&] { loader.Load("model", "Versioned", folder / "m.omi"); }, testing::Throws<LoadError>());
}

TEST(ComponentLoader, TheComponentGoesBeforeItsLibraryOnAssignmentToo) {
  ComponentLoader loader;
  LoadedComponent loaded = loader.Load("good_plugin", "LinearReservoir", kOmi);
  const std::string image = loaded.library->ImageName();
  loaded = loader.Load("several_plugin", "hydro::Runoff", kOmi);  // the destructor of the first needs its code
  EXPECT_EQ(loaded.component->Id(), "runoff");
  EXPECT_FALSE(SharedLibrary::IsStillLoaded(image));
  LoadedComponent moved = std::move(loaded);
  EXPECT_EQ(loaded.component, nullptr);  // NOLINT(bugprone-use-after-move): what is left is the point
  moved.Reset();
  EXPECT_EQ(moved.library, nullptr);
}

TEST(ComponentLoader, WithoutAssemblyATypeOfTheProgramIsMeant) {
  ComponentLoader loader;
  EXPECT_THAT(loader.Types(""), IsSupersetOf({"HostReservoir", "test.HostTwin"}));
  EXPECT_THAT(loader.FactoryTypes(""), Contains("test.HostFactory"));
  const LoadedComponent loaded = loader.Load("", "test.HostTwin", "x.omi", 1);
  EXPECT_EQ(loaded.component->Id(), "foreign");
  EXPECT_EQ(loaded.library, nullptr);
  EXPECT_EQ(loader.Library(""), nullptr);
  EXPECT_THAT([&] { loader.Load("", "HostResevoir", "x.omi", 3); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("x.omi:3: expected a component type of this program"),
                                             HasSubstr("did you mean 'HostReservoir'?"))));
}

TEST(ComponentLoader, ALoadedLibraryDoesNotMixIntoTheTypesOfTheProgram) {
  ComponentLoader loader;
  const LoadedComponent loaded = loader.Load("needs_neighbour_plugin", "NeedsNeighbour", kOmi);
  EXPECT_EQ(loaded.component->Description(), "21");
  EXPECT_THAT(loader.Types(""), Not(Contains("NeedsNeighbour")));
  EXPECT_THAT(loader.Types(""), Not(Contains("NeighboursOwn")));
  EXPECT_THAT(loader.Types("needs_neighbour_plugin", kOmi), ElementsAre("NeedsNeighbour"));
}

TEST(ComponentLoader, TenThousandComponentsShareOneLibrary) {
  ComponentLoader loader;
  std::vector<LoadedComponent> all;
  for (int i = 0; i < 10'000; ++i) all.push_back(loader.Load("good_plugin", "LinearReservoir", kOmi, i));
  EXPECT_EQ(all.front().library, all.back().library);
  const std::string image = all.front().library->ImageName();
  all.clear();
  EXPECT_FALSE(SharedLibrary::IsStillLoaded(image));
}

TEST(ComponentLoader, AThousandLoadsAndUnloadsLeaveNothingPinned) {
  ComponentLoader loader;
  const std::size_t pinned = SharedLibrary::Pinned().size();
  for (int i = 0; i < 1000; ++i) {
    const LoadedComponent loaded = loader.Load("several_plugin", "hydro::Runoff", kOmi);
    loaded.component->Initialize();
    loaded.component->Finish();
  }
  EXPECT_EQ(SharedLibrary::Pinned().size(), pinned);
}

TEST(ComponentLoader, ServesManyThreads) {
  ComponentLoader loader;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&loader, t] {
      for (int i = 0; i < 50; ++i) {
        const bool odd = (t + i) % 2 != 0;
        const LoadedComponent loaded = odd ? loader.Load("good_plugin", "LinearReservoir", kOmi)
                                           : loader.Load("several_plugin", "hydro::Runoff", kOmi);
        EXPECT_EQ(loaded.component->Id(), odd ? "linear-reservoir" : "runoff");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace openmi
