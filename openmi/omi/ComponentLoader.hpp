#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "openmi/omi/ComponentLibrary.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/SharedLibrary.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// A component and the library its code is in. The component dies first, in every case: at the end, on assignment and
/// on Reset().
struct LoadedComponent {
  LoadedComponent() = default;
  LoadedComponent(std::shared_ptr<SharedLibrary> from, std::unique_ptr<IBaseLinkableComponent> made)
      : library(std::move(from)), component(std::move(made)) {}
  LoadedComponent(LoadedComponent&&) = default;
  LoadedComponent& operator=(LoadedComponent&& other) noexcept {
    if (this != &other) {
      component = std::move(other.component);  // the old component goes before the old library
      library = std::move(other.library);
    }
    return *this;
  }
  void Reset() { *this = LoadedComponent(); }

  std::shared_ptr<SharedLibrary> library;  ///< null for a type of the program itself
  std::unique_ptr<IBaseLinkableComponent> component;
};

/// A factory of adapted outputs and the library its code is in; as LoadedComponent.
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

/// The key of the family that `loaded` belongs to: what the component says (IFamilyKey), else the real path of its
/// library, else, for a type of the program itself, "built-in".
std::string FamilyKeyOf(const LoadedComponent& loaded);

/// Makes components out of libraries.
///
/// All components of one library share it, from whatever OMI file they come: they are a family. The loader itself keeps
/// no library open; once the last component is gone it is closed, and the next Load reads the file anew, so a new
/// version is taken up. As long as one is there, all that are loaded later run the same code.
///
/// May be used from several threads.
class ComponentLoader {
 public:
  /// Makes one component.
  /// \param assembly  the library, as LibrarySearch finds it; empty: a type of the program itself
  /// \param type      a name that the library exports; `a::b` and `a.b` are the same
  /// \param omi_path  the OMI file, for search and messages; may be empty
  /// \param line      the line in it, for messages; 0 if unknown
  /// \returns the component, Created
  /// \throws LoadError  not found, not loadable, of another build, no such type, or its constructor threw
  LoadedComponent Load(const std::string& assembly, const std::string& type, const std::string& omi_path = {},
                       int line = 0);

  /// Makes one factory of adapted outputs; as Load.
  LoadedFactory LoadFactory(const std::string& assembly, const std::string& type, const std::string& omi_path = {},
                            int line = 0);

  /// The component types of a library, sorted.
  std::vector<std::string> Types(const std::string& assembly, const std::string& omi_path = {}, int line = 0);
  /// The factory types of a library, sorted.
  std::vector<std::string> FactoryTypes(const std::string& assembly, const std::string& omi_path = {}, int line = 0);

  /// One of every factory that a library exports, sorted by type.
  std::vector<LoadedFactory> LoadFactories(const std::string& assembly, const std::string& omi_path = {}, int line = 0);

  /// The library itself, loaded if need be; null for an empty `assembly`.
  std::shared_ptr<SharedLibrary> Library(const std::string& assembly, const std::string& omi_path = {}, int line = 0);

 private:
  // One library that is (or was) open. The pointers of the table are good only as long as the library can be locked.
  struct Family {
    std::weak_ptr<SharedLibrary> library;
    std::map<std::string, const ComponentEntry*, std::less<>> components;
    std::map<std::string, const FactoryEntry*, std::less<>> factories;
  };
  // A family, kept in memory by `library`; null for the program itself.
  struct Opened {
    std::shared_ptr<SharedLibrary> library;
    std::shared_ptr<const Family> family;
  };

  Opened Open(const std::string& assembly, const std::string& omi_path, int line);
  Opened OpenFile(const std::string& path, const Where& where);

  LibrarySearch search_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Family>, std::less<>> by_real_path_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Family>>
      by_name_;  // {folder of the OMI, assembly}
};

}  // namespace openmi
