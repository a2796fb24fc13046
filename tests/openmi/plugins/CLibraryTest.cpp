// Libraries with components in C: what is loaded, and what is refused before or after its code runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "openmi/c/openmi_component.h"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/LibraryFile.hpp"
#include "tests/openmi/plugins/PluginFolder.hpp"
#include "timespace/testing/Driver.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kCOmi = PluginPath("test.omi");

TEST(CLibrary, IsLoadedByTheVersionOfItsInterfaceAlone) {
  const LibraryFile file = InspectLibrary(PluginPath("libgood_c_plugin.so"));
  EXPECT_FALSE(file.has_entry_point);
  EXPECT_EQ(file.build_text, "") << "nothing of a build to compare";
  EXPECT_THAT(file.c_versions, ElementsAre(OPENMI_C_COMPONENT_VERSION));

  ComponentLoader loader;
  EXPECT_THAT(loader.Types("good_c_plugin", kCOmi), ElementsAre("Pond", "org.example.Lake"));
  LoadedComponent loaded = loader.Load("good_c_plugin", "org::example::Lake", kCOmi, 2);
  EXPECT_EQ(FamilyKeyOf(loaded), std::filesystem::canonical(PluginPath("libgood_c_plugin.so")).string());
  Driver driver(*loaded.component);
  driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T02:00Z").Run();
  EXPECT_EQ(driver.Updates(), 2);
}

TEST(CLibrary, IsUnloadedWithItsLastComponent) {
  ComponentLoader loader;
  LoadedComponent loaded = loader.Load("good_c_plugin", "Pond", kCOmi);
  const std::string image = loaded.library->ImageName();
  loaded.Reset();
  EXPECT_FALSE(SharedLibrary::IsStillLoaded(image));
}

TEST(CLibrary, OfAnotherVersionIsRefusedBeforeItRuns) {
  ComponentLoader loader;
  EXPECT_THAT([&] { loader.Load("other_version_c_plugin", "Pond", kCOmi, 2); },
              ThrowsMessage<LoadError>(
                  AllOf(HasSubstr("test.omi:2: expected the library '"),
                        HasSubstr("to export version 1 of the interface for components in C, found version 2; build "
                                  "the library with the openmi_component.h of this program"))));
}

struct Fault {
  const char* library;
  const char* sentence;
};

class CLibraryWithFault : public ::testing::TestWithParam<Fault> {};

TEST_P(CLibraryWithFault, IsRefused) {
  ComponentLoader loader;
  EXPECT_THAT([&] { loader.Types(GetParam().library, kCOmi, 3); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("test.omi:3: "), HasSubstr(GetParam().sentence))));
}

INSTANTIATE_TEST_SUITE_P(
    Faults, CLibraryWithFault,
    ::testing::Values(
        Fault{"no_step_c_plugin", "expected the function 'step' in the table of the type 'Pond', found null"},
        Fault{"no_save_c_plugin", "expected the function 'save' in the table of the type 'Pond', found null"},
        Fault{"short_c_plugin", "bytes or more in the table of a type, found 40"},
        Fault{"no_name_c_plugin", "expected a name in the table of a type, found none"},
        Fault{"no_table_c_plugin", "to return a table of types, found null"},
        Fault{"no_list_c_plugin", "to return a table of types, found one without a list"},
        Fault{"twice_c_plugin", "found 'Pond' twice"}),
    [](const auto& one) { return std::string(one.param.library); });

}  // namespace
}  // namespace openmi
