#include "openmi/omi/ComponentLoader.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <optional>

#include "openmi/omi/BuildText.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {

namespace {

constexpr char kBuiltIn[] = "built-in";
constexpr char kHowToExport[] =
    "add OPENMI_EXPORT_COMPONENT(Class) to one of its sources and build it with openmi_add_component";

template <class Entry>
using EntryMap = std::map<std::string, const Entry*, std::less<>>;

void CheckBuild(const std::string& path, const std::string& theirs, const Where& where) {
  const std::string ours = HostBuildText();
  const std::string remedy = BuildRemedy(ours, theirs);
  if (remedy.empty()) return;
  throw LoadError(where,
                  fmt::format("expected the component library '{}' to be built as '{}', found '{}'", path, ours,
                              theirs.empty() ? "no build text" : theirs),
                  remedy);
}

[[noreturn]] void RefuseForeign(const std::string& path, const Where& where) {
  throw LoadError(where,
                  fmt::format("expected a component library at '{}' (one that exports {}), found a library without it",
                              path, kEntryPoint),
                  kHowToExport);
}

// Runs before any code of the library: a library of another build may already crash in its static objects.
void CheckFile(const LibraryFile& file, const Where& where) {
  if (!file.symbols_known) return;  // checked in memory later
  if (!file.has_entry_point) RefuseForeign(file.path, where);
  CheckBuild(file.path, file.build_text, where);
}

// The same check in memory, because the file may have been replaced between inspection and loading.
const ComponentLibrary& CheckedTable(const SharedLibrary& library, const Where& where) {
  auto* entry_point = library.FunctionNamed<ComponentLibraryFunction>(kEntryPoint);
  if (entry_point == nullptr) RefuseForeign(library.Path(), where);
  const auto* text = static_cast<const char*>(library.Symbol(kBuildSymbol));
  CheckBuild(library.Path(),
             text == nullptr ? std::string() : std::string(text, strnlen(text, sizeof(BuildText::text))), where);
  const ComponentLibrary* table = entry_point();
  if (table == nullptr || table->abi != kComponentAbi) {
    throw LoadError(where,
                    fmt::format("expected the table of '{}' to be of ABI {}, found {}", library.Path(), kComponentAbi,
                                table == nullptr ? "none" : std::to_string(table->abi)),
                    "rebuild the library with this SDK");
  }
  return *table;
}

template <class Entry>
EntryMap<Entry> Collected(const Entry* first, const std::string& path, const Where& where) {
  EntryMap<Entry> entries;
  for (const Entry* entry = first; entry != nullptr; entry = entry->next) {
    if (!entries.emplace(entry->type, entry).second) {
      throw LoadError(where, fmt::format("expected every type of '{}' once, found '{}' twice", path, entry->type),
                      "export one of the two classes under another name with OPENMI_EXPORT_COMPONENT_AS");
    }
  }
  return entries;
}

template <class Entry>
std::vector<std::string> NamesOf(const EntryMap<Entry>& entries) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries) names.push_back(name);
  return names;
}

std::string Dotted(std::string_view type) {
  std::string dotted(type);
  for (std::size_t at = dotted.find("::"); at != std::string::npos; at = dotted.find("::", at))
    dotted.replace(at, 2, ".");
  return dotted;
}

template <class Entry>
const Entry& Find(const EntryMap<Entry>& entries, const std::string& type, const std::string& place, const char* kind,
                  const Where& where) {
  if (const auto found = entries.find(type); found != entries.end()) return *found->second;
  const std::string dotted = Dotted(type);
  for (const auto& [name, entry] : entries) {
    if (Dotted(name) == dotted) return *entry;
  }
  throw LoadError(where, fmt::format("expected a {} type of {}, found '{}'", kind, place, type),
                  Suggest(type, NamesOf(entries)));
}

// The message of the exception, in host memory: the library's own types must not outlive the handler.
std::string SentenceOfCurrentException() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    int status = -1;
    const std::unique_ptr<char, decltype(&std::free)> name(
        type == nullptr ? nullptr : abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free);
    return fmt::format("something of type {}, which is no std::exception", status == 0 ? name.get() : "unknown");
  }
}

template <class Interface>
std::unique_ptr<Interface> Made(const LibraryEntry<Interface>& entry, PeerBoard& peers, const std::string& place,
                                const Where& where) {
  std::unique_ptr<Interface> made;
  std::optional<std::string> complaint;
  try {
    made = entry.create();
    if (made == nullptr) complaint = "it made nothing";
    if (auto* peer = dynamic_cast<IPeer*>(made.get())) peer->JoinPeers(peers);
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is being cancelled: do not stop that
  } catch (...) {
    complaint = SentenceOfCurrentException();
  }
  if (complaint) {
    throw LoadError(where,
                    fmt::format("expected '{}' of {} to be made, found that its constructor failed: {}", entry.type,
                                place, *complaint),
                    "correct what the message says; a constructor should not read files, Initialize may");
  }
  return made;
}

std::string PlaceOf(const std::shared_ptr<SharedLibrary>& library) {
  return library == nullptr ? std::string("this program (no Assembly is given)") : "'" + library->Path() + "'";
}

}  // namespace

std::string FamilyKeyOf(const LoadedComponent& loaded) {
  if (const auto* key = dynamic_cast<const IFamilyKey*>(loaded.component.get()); key != nullptr)
    return key->FamilyKey();
  return loaded.library == nullptr ? kBuiltIn : loaded.library->Path();
}

ComponentLoader::Opened ComponentLoader::OpenFile(const std::string& path, const Where& where) {
  std::error_code error;
  const std::string real = std::filesystem::canonical(path, error).string();
  if (const auto known = by_real_path_.find(real); !error && known != by_real_path_.end()) {
    if (auto library = known->second->library.lock()) return {std::move(library), known->second};
  }
  Opened opened;
  opened.library = SharedLibrary::Open(path, where, [&where](const LibraryFile& file) { CheckFile(file, where); });
  const ComponentLibrary& table = CheckedTable(*opened.library, where);
  auto family = std::make_shared<Family>();
  family->library = opened.library;
  family->components = Collected(table.components, opened.library->Path(), where);
  family->factories = Collected(table.factories, opened.library->Path(), where);
  opened.family = std::move(family);
  by_real_path_[opened.library->Path()] = opened.family;
  return opened;
}

ComponentLoader::Opened ComponentLoader::Open(const std::string& assembly, const std::string& omi_path, int line) {
  const Where where{.file = omi_path, .line = line};
  if (assembly.empty()) {
    auto family = std::make_shared<Family>();
    for (const ComponentLibrary* library : AnnouncedLibraries()) {
      // Several libraries of one program may offer the same name; the first registered one is used.
      for (const auto* entry = library->components; entry != nullptr; entry = entry->next) {
        family->components.emplace(entry->type, entry);
      }
      for (const auto* entry = library->factories; entry != nullptr; entry = entry->next) {
        family->factories.emplace(entry->type, entry);
      }
    }
    return {nullptr, std::move(family)};
  }

  const std::scoped_lock lock(mutex_);
  std::pair name(std::filesystem::path(omi_path).parent_path().string(), assembly);
  // A library that was found is not searched again while it is in memory.
  if (const auto known = by_name_.find(name); known != by_name_.end()) {
    if (auto library = known->second->library.lock()) return {std::move(library), known->second};
  }
  Opened opened = OpenFile(search_.Find(assembly, omi_path, line), where);
  by_name_[std::move(name)] = opened.family;
  return opened;
}

LoadedComponent ComponentLoader::Load(const std::string& assembly, const std::string& type, const std::string& omi_path,
                                      int line) {
  const Where where{.file = omi_path, .line = line};
  Opened opened = Open(assembly, omi_path, line);
  const std::string place = PlaceOf(opened.library);
  const ComponentEntry& entry = Find(opened.family->components, type, place, "component", where);
  auto component = Made(entry, peers_, place, where);
  return {std::move(opened.library), std::move(component)};
}

LoadedFactory ComponentLoader::LoadFactory(const std::string& assembly, const std::string& type,
                                           const std::string& omi_path, int line) {
  const Where where{.file = omi_path, .line = line};
  Opened opened = Open(assembly, omi_path, line);
  const std::string place = PlaceOf(opened.library);
  const FactoryEntry& entry = Find(opened.family->factories, type, place, "factory", where);
  auto factory = Made(entry, peers_, place, where);
  return {std::move(opened.library), std::move(factory)};
}

std::vector<std::string> ComponentLoader::Types(const std::string& assembly, const std::string& omi_path, int line) {
  return NamesOf(Open(assembly, omi_path, line).family->components);
}

std::vector<std::string> ComponentLoader::FactoryTypes(const std::string& assembly, const std::string& omi_path,
                                                       int line) {
  return NamesOf(Open(assembly, omi_path, line).family->factories);
}

std::shared_ptr<SharedLibrary> ComponentLoader::Library(const std::string& assembly, const std::string& omi_path,
                                                        int line) {
  return Open(assembly, omi_path, line).library;
}

}  // namespace openmi
