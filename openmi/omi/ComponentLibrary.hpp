#pragma once

#include <memory>
#include <vector>

#include "openmi/omi/BuildText.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// One type that a library can make. Entries form a list without any heap, so that a library may be closed at any time.
template <class Interface>
struct LibraryEntry {
  const char* type;                        ///< as an OMI file writes it
  std::unique_ptr<Interface> (*create)();  ///< may throw; the loader copies what it threw
  const LibraryEntry* next;
};

using ComponentEntry = LibraryEntry<IBaseLinkableComponent>;
using FactoryEntry = LibraryEntry<IAdaptedOutputFactory>;

/// What a library offers: the table behind `openmi_component_library_v1`. Plain data; one in each library or program
/// that uses the macros of ExportComponent.hpp.
struct ComponentLibrary {
  unsigned abi = kComponentAbi;
  const ComponentEntry* components = nullptr;
  const FactoryEntry* factories = nullptr;
};

/// The type of the entry point `openmi_component_library_v1`.
using ComponentLibraryFunction = const ComponentLibrary*() noexcept;

/// The names of the two symbols that a component library exports.
inline constexpr char kEntryPoint[] = "openmi_component_library_v1";
inline constexpr char kBuildSymbol[] = "openmi_component_build_v1";

/// Called by the macros before `main`, for the types that the program itself and the libraries it is linked with offer:
/// an OMI file without an Assembly finds its type among these. Does nothing for a plug-in that is being loaded, whose
/// table is found through its entry point. Saying it twice is the same as once.
void AnnounceLibrary(const ComponentLibrary& library) noexcept;
/// Takes back what AnnounceLibrary said; does nothing for an unknown table.
void WithdrawLibrary(const ComponentLibrary& library) noexcept;
/// The tables announced now, in the order they came.
std::vector<const ComponentLibrary*> AnnouncedLibraries();

/// As long as one lives, libraries that the present thread opens are plug-ins and do not announce themselves.
class PluginLoadingScope {
 public:
  PluginLoadingScope() noexcept;
  ~PluginLoadingScope();
  PluginLoadingScope(const PluginLoadingScope&) = delete;
  PluginLoadingScope& operator=(const PluginLoadingScope&) = delete;
};

}  // namespace openmi
