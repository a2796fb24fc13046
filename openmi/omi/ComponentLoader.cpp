#include "openmi/omi/ComponentLoader.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <optional>

#include "openmi/omi/BuildText.hpp"
#include "openmi/omi/CLibrary.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/omi/Script.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {

namespace {

constexpr char kBuiltIn[] = "built-in";
constexpr char kHowToExport[] =
    "add OPENMI_EXPORT_COMPONENT(Class) to one of its sources and build it with openmi_add_component";

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
                  fmt::format("expected a component library at '{}' (one that exports {}, or {} from C), found a "
                              "library without it",
                              path, kEntryPoint, kCEntryPoint),
                  kHowToExport);
}

// The check of `RequireComponents` in memory, because the file may have been replaced between inspection and loading.
const ComponentLibrary& CheckedTable(const SharedLibrary& library, ComponentLibraryFunction* entry_point,
                                     const Where& where) {
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

template <class Maker>
void Add(std::map<std::string, Maker, std::less<>>& makers, const char* type, Maker maker, const std::string& path,
         const Where& where) {
  if (makers.emplace(type, std::move(maker)).second) return;
  throw LoadError(where, fmt::format("expected every type of '{}' once, found '{}' twice", path, type),
                  "export one of the two classes under another name with OPENMI_EXPORT_COMPONENT_AS");
}

template <class Maker>
std::vector<std::string> NamesOf(const std::map<std::string, Maker, std::less<>>& makers) {
  std::vector<std::string> names;
  for (const auto& [name, maker] : makers) names.push_back(name);
  return names;
}

std::string Dotted(std::string_view type) {
  std::string dotted(type);
  for (std::size_t at = dotted.find("::"); at != std::string::npos; at = dotted.find("::", at))
    dotted.replace(at, 2, ".");
  return dotted;
}

template <class Maker>
const std::pair<const std::string, Maker>& Find(const std::map<std::string, Maker, std::less<>>& makers,
                                                const std::string& type, const std::string& place, const char* kind,
                                                const Where& where) {
  if (const auto found = makers.find(type); found != makers.end()) return *found;
  const std::string dotted = Dotted(type);
  for (const auto& named : makers) {
    if (Dotted(named.first) == dotted) return named;
  }
  throw LoadError(where, fmt::format("expected a {} type of {}, found '{}'", kind, place, type),
                  Suggest(type, NamesOf(makers)));
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
std::unique_ptr<Interface> Made(const std::pair<const std::string, std::function<std::unique_ptr<Interface>()>>& named,
                                PeerBoard& peers, const std::string& place, const Where& where) {
  const auto& [type, make] = named;
  std::unique_ptr<Interface> made;
  std::optional<std::string> complaint;
  std::optional<Problem> refusal;
  try {
    made = make();
    if (made == nullptr) complaint = "it made nothing";
    if (auto* peer = dynamic_cast<IPeer*>(made.get())) peer->JoinPeers(peers);
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is being cancelled: do not stop that
  } catch (const Error& error) {
    complaint = error.what();
    if (!error.Place().file.empty()) {  // it says itself where, as in a script
      refusal = Problem{.where = error.Place(), .problem = error.Problem(), .remedy = error.Remedy()};
    }
  } catch (...) {
    complaint = SentenceOfCurrentException();
  }
  if (refusal) throw LoadError(refusal->where, refusal->problem, refusal->remedy);
  if (complaint) {
    throw LoadError(
        where,
        fmt::format("expected '{}' of {} to be made, found that its constructor failed: {}", type, place, *complaint),
        "correct what the message says; a constructor should not read files, Initialize may");
  }
  return made;
}

std::string PlaceOf(const std::shared_ptr<SharedLibrary>& library) {
  return library == nullptr ? std::string("this program (no Assembly is given)") : "'" + library->Path() + "'";
}

}  // namespace

// A library of another build may already crash in its static objects.
void RequireComponents(const LibraryFile& file, const Where& where) {
  if (!file.symbols_known) return;  // checked in memory later
  if (file.has_entry_point) return CheckBuild(file.path, file.build_text, where);
  if (file.c_versions.empty()) RefuseForeign(file.path, where);
  RequireCVersion(file.c_versions, file.path, where);
}

std::string FamilyKeyOf(const LoadedComponent& loaded) {
  if (const auto* key = dynamic_cast<const IFamilyKey*>(loaded.component.get()); key != nullptr)
    return key->FamilyKey();
  return loaded.library == nullptr ? kBuiltIn : loaded.library->Path();
}

ComponentLoader::Opened ComponentLoader::OpenFile(const std::string& path, const Where& where) {
  std::error_code error;
  const std::string real = Script::IsModule(path) ? path : std::filesystem::canonical(path, error).string();
  if (const auto known = by_real_path_.find(real); !error && known != by_real_path_.end()) {
    if (auto library = known->second->library.lock()) return {std::move(library), known->second};
  }
  Opened opened = Script::IsNamedBy(path)       ? OpenScript(path, where)
                  : DotnetAssembly::IsOne(path) ? OpenAssembly(path, where)
                                                : OpenLibrary(path, where);
  by_real_path_[opened.library->Path()] = opened.family;
  return opened;
}

ComponentLoader::Opened ComponentLoader::OpenScript(const std::string& path, const Where& where) {
  const std::shared_ptr<Script> script = Script::Open(path, where);
  auto family = std::make_shared<Family>();
  family->library = script;
  AddCTypes(script->Types(), script->Path(), where, *family);
  return {script, std::move(family)};
}

ComponentLoader::Opened ComponentLoader::OpenAssembly(const std::string& path, const Where& where) {
  const std::shared_ptr<DotnetAssembly> assembly = DotnetAssembly::Open(path, where);
  auto family = std::make_shared<Family>();
  family->library = assembly;
  for (const std::string& type : assembly->Types()) {
    // The maker is called only while the library is kept.
    family->components.emplace(type, [assembly = assembly.get(), type] { return assembly->Make(type); });
  }
  return {assembly, std::move(family)};
}

ComponentLoader::Opened ComponentLoader::OpenLibrary(const std::string& path, const Where& where) {
  Opened opened;
  opened.library =
      SharedLibrary::Open(path, where, [&where](const LibraryFile& file) { RequireComponents(file, where); });
  const std::string& real_path = opened.library->Path();
  auto family = std::make_shared<Family>();
  family->library = opened.library;
  auto* const entry_point = opened.library->FunctionNamed<ComponentLibraryFunction>(kEntryPoint);
  const bool has_c_types = opened.library->Symbol(kCEntryPoint) != nullptr;
  if (entry_point == nullptr && !has_c_types) RefuseForeign(real_path, where);
  if (entry_point != nullptr) {
    const ComponentLibrary& table = CheckedTable(*opened.library, entry_point, where);
    for (const auto* entry = table.components; entry != nullptr; entry = entry->next) {
      Add<ComponentMaker>(family->components, entry->type, entry->create, real_path, where);
    }
    for (const auto* entry = table.factories; entry != nullptr; entry = entry->next) {
      Add<FactoryMaker>(family->factories, entry->type, entry->create, real_path, where);
    }
  }
  if (has_c_types) AddCTypes(CTypesOf(*opened.library, where), real_path, where, *family);
  opened.family = std::move(family);
  return opened;
}

void ComponentLoader::AddCTypes(std::span<const openmi_component* const> types, const std::string& path,
                                const Where& where, Family& family) {
  for (const openmi_component* type : types) {
    const auto make = [type, path] { return MakeCComponent(*type, path); };
    Add<ComponentMaker>(family.components, type->type, make, path, where);
  }
}

ComponentLoader::Opened ComponentLoader::Open(const std::string& assembly, const std::string& omi_path, int line) {
  const Where where{.file = omi_path, .line = line};
  if (assembly.empty()) {
    auto family = std::make_shared<Family>();
    for (const ComponentLibrary* library : AnnouncedLibraries()) {
      // Several libraries of one program may offer the same name; the first registered one is used.
      for (const auto* entry = library->components; entry != nullptr; entry = entry->next) {
        family->components.emplace(entry->type, entry->create);
      }
      for (const auto* entry = library->factories; entry != nullptr; entry = entry->next) {
        family->factories.emplace(entry->type, entry->create);
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
  auto component = Made(Find(opened.family->components, type, place, "component", where), peers_, place, where);
  return {std::move(opened.library), std::move(component)};
}

LoadedFactory ComponentLoader::LoadFactory(const std::string& assembly, const std::string& type,
                                           const std::string& omi_path, int line) {
  const Where where{.file = omi_path, .line = line};
  Opened opened = Open(assembly, omi_path, line);
  const std::string place = PlaceOf(opened.library);
  auto factory = Made(Find(opened.family->factories, type, place, "factory", where), peers_, place, where);
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
