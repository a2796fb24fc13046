#pragma once

#include <memory>
#include <vector>

#include "openmi/omi/BuildText.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// One type that a library can create.
///
/// Entries form a linked list without heap memory, so that a library can be closed at any time.
template <class Interface>
struct LibraryEntry {
  const char* type;                        ///< the name in OMI files
  std::unique_ptr<Interface> (*create)();  ///< may throw; the loader copies the message
  const LibraryEntry* next;
};

using ComponentEntry = LibraryEntry<IBaseLinkableComponent>;
using FactoryEntry = LibraryEntry<IAdaptedOutputFactory>;

/// The table of the types of a library, which `openmi_component_library_v1` returns.
///
/// Plain data. Each library or program that uses the macros of ExportComponent.hpp has one table.
struct ComponentLibrary {
  unsigned abi = kComponentAbi;
  const ComponentEntry* components = nullptr;
  const FactoryEntry* factories = nullptr;
};

/// The type of the entry point `openmi_component_library_v1`.
using ComponentLibraryFunction = const ComponentLibrary*() noexcept;

/// The name of the entry point that a component library exports.
inline constexpr char kEntryPoint[] = "openmi_component_library_v1";
/// The name of the exported BuildText of a component library.
inline constexpr char kBuildSymbol[] = "openmi_component_build_v1";

/// Registers the table of the program or of a library that the program is linked with.
///
/// The macros call this before `main`. An OMI file without an Assembly finds its type in these tables. Does nothing for
/// a plug-in that is being loaded, because the loader finds its table through the entry point. A second call with the
/// same table does nothing.
void AnnounceLibrary(const ComponentLibrary& library) noexcept;
/// Undoes `AnnounceLibrary`. Does nothing for an unknown table.
void WithdrawLibrary(const ComponentLibrary& library) noexcept;
/// The tables that are registered now, in the order of registration.
std::vector<const ComponentLibrary*> AnnouncedLibraries();

/// While an object of this class lives, libraries that the present thread opens are plug-ins and do not register
/// themselves.
class PluginLoadingScope {
 public:
  /// Starts the scope for the present thread. Scopes may be nested.
  PluginLoadingScope() noexcept;
  ~PluginLoadingScope();
  PluginLoadingScope(const PluginLoadingScope&) = delete;
  PluginLoadingScope& operator=(const PluginLoadingScope&) = delete;
};

}  // namespace openmi
