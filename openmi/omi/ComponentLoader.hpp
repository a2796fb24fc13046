#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "openmi/c/openmi_component.h"
#include "openmi/omi/ComponentLibrary.hpp"
#include "openmi/omi/LibraryFile.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/SharedLibrary.hpp"
#include "openmi/sdk/IPeer.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// A component and the library that contains its code.
///
/// The component is always destroyed before its library: at the end of life, on assignment and on `Reset()`.
struct LoadedComponent {
  LoadedComponent() = default;
  LoadedComponent(std::shared_ptr<SharedLibrary> from, std::unique_ptr<IBaseLinkableComponent> made)
      : library(std::move(from)), component(std::move(made)) {}
  LoadedComponent(LoadedComponent&&) = default;
  LoadedComponent& operator=(LoadedComponent&& other) noexcept {
    if (this != &other) {
      component = std::move(other.component);  // the old component is destroyed before the old library
      library = std::move(other.library);
    }
    return *this;
  }
  /// Destroys the component, then releases the library.
  void Reset() { *this = LoadedComponent(); }

  std::shared_ptr<SharedLibrary> library;  ///< null for a type of the program itself
  std::unique_ptr<IBaseLinkableComponent> component;
};

/// A factory of adapted outputs and the library that contains its code; as LoadedComponent.
struct LoadedFactory {
  LoadedFactory() = default;
  LoadedFactory(std::shared_ptr<SharedLibrary> from, std::unique_ptr<IAdaptedOutputFactory> made)
      : library(std::move(from)), factory(std::move(made)) {}
  LoadedFactory(LoadedFactory&&) = default;
  LoadedFactory& operator=(LoadedFactory&& other) noexcept {
    if (this != &other) {
      factory = std::move(other.factory);
      library = std::move(other.library);
    }
    return *this;
  }

  std::shared_ptr<SharedLibrary> library;  ///< null for a type of the program itself
  std::unique_ptr<IAdaptedOutputFactory> factory;
};

/// The key of the family of `loaded`.
///
/// The key is the one that the component states (IFamilyKey), else the real path of its library, else "built-in" for a
/// type of the program itself.
std::string FamilyKeyOf(const LoadedComponent& loaded);

/// Checks, before any code of a library runs, whether it has components that this program can load.
///
/// A library without section headers passes; it is checked in memory.
/// \throws LoadError  it has no entry point, or one that does not fit this build
void RequireComponents(const LibraryFile& file, const Where& where);

/// Creates components from libraries.
///
/// All components of one library share it, independent of the OMI file that names it: they are a family. The loader
/// itself keeps no library open. When the last component is destroyed the library is closed, and the next `Load` reads
/// the file again, so a new version is used. While a component exists, all components loaded later run the same code.
///
/// All components of one loader are peers (IPeer). Each composition has a loader of its own, and so has each worker.
///
/// Thread-safe.
class ComponentLoader {
 public:
  /// Creates one component.
  /// \param assembly  the library or script, as LibrarySearch finds it; empty: a type of the program itself
  /// \param type      a name that the library exports; `a::b` and `a.b` are the same
  /// \param omi_path  the OMI file, for the search and for messages; may be empty
  /// \param line      the line in the OMI file, for messages; 0 if unknown
  /// \returns the component, in the status Created
  /// \throws LoadError  the library is not found, cannot be loaded or does not fit this build; it has no such type; or
  ///   the constructor of the component threw
  LoadedComponent Load(const std::string& assembly, const std::string& type, const std::string& omi_path = {},
                       int line = 0);

  /// Creates one factory of adapted outputs; as `Load`.
  LoadedFactory LoadFactory(const std::string& assembly, const std::string& type, const std::string& omi_path = {},
                            int line = 0);

  /// The component types of a library, sorted.
  /// \throws LoadError  the library is not found, cannot be loaded or does not fit this build
  std::vector<std::string> Types(const std::string& assembly, const std::string& omi_path = {}, int line = 0);
  /// The factory types of a library, sorted.
  /// \throws LoadError  as `Types`
  std::vector<std::string> FactoryTypes(const std::string& assembly, const std::string& omi_path = {}, int line = 0);

  /// The library itself, loaded when needed; null for an empty `assembly`.
  /// \throws LoadError  as `Types`
  std::shared_ptr<SharedLibrary> Library(const std::string& assembly, const std::string& omi_path = {}, int line = 0);

 private:
  using ComponentMaker = std::function<std::unique_ptr<IBaseLinkableComponent>()>;
  using FactoryMaker = std::function<std::unique_ptr<IAdaptedOutputFactory>()>;
  // A library that is or was open. Its functions can be called only while the library can be locked.
  struct Family {
    std::weak_ptr<SharedLibrary> library;
    std::map<std::string, ComponentMaker, std::less<>> components;
    std::map<std::string, FactoryMaker, std::less<>> factories;
  };
  // A family whose library is kept in memory; the library is null for the program itself.
  struct Opened {
    std::shared_ptr<SharedLibrary> library;
    std::shared_ptr<const Family> family;
  };

  Opened Open(const std::string& assembly, const std::string& omi_path, int line);
  Opened OpenFile(const std::string& path, const Where& where);
  static Opened OpenLibrary(const std::string& path, const Where& where);
  static Opened OpenScript(const std::string& path, const Where& where);
  static Opened OpenAssembly(const std::string& path, const Where& where);
  static void AddCTypes(std::span<const openmi_component* const> types, const std::string& path, const Where& where,
                        Family& family);

  LibrarySearch search_;
  PeerBoard peers_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Family>, std::less<>> by_real_path_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Family>>
      by_name_;  // {folder of the OMI file, assembly}
};

}  // namespace openmi
