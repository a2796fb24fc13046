#include "bmi-bridge/model/Library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <set>
#include <utility>

#include "bmi-bridge/model/HandOver.hpp"
#include "openmi/omi/Script.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/SharedByKey.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::bmi {
namespace fs = std::filesystem;
namespace {

struct Registry {
  SharedByKey<std::pair<fs::path, std::string>, Library> libraries;
  std::mutex mutex;           // protects in_use
  std::set<fs::path> in_use;  // libraries with a single model, which is in use
};

Registry& All() {
  static Registry registry;
  return registry;
}

/// Keeps a library loaded, and prevents a second model of a library that has only one.
class Owner {
 public:
  Owner(std::shared_ptr<Library> library, bool is_only) : library_(std::move(library)), is_only_(is_only) {}
  ~Owner() {
    if (!is_only_) return;
    const std::lock_guard lock(All().mutex);
    All().in_use.erase(library_->File());
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

 private:
  std::shared_ptr<Library> library_;
  bool is_only_;
};

/// The number of symbols in the dynamic table, from its hash table (System V ABI).
///
/// The hash table of GNU has no count: its longest chain ends at the last symbol.
std::size_t SymbolCount(const std::uint32_t* gnu, const std::uint32_t* plain) {
  if (plain != nullptr) return plain[1];
  if (gnu == nullptr) return 0;
  const std::uint32_t buckets = gnu[0];
  const std::uint32_t first = gnu[1];
  const std::uint32_t* const table = gnu + 4 + gnu[2] * (sizeof(void*) / sizeof(std::uint32_t));
  const std::uint32_t last = *std::max_element(table, table + buckets);
  if (last < first) return first;
  const std::uint32_t* chain = table + buckets + (last - first);
  std::size_t count = last + 1;
  while ((*chain++ & 1U) == 0) ++count;
  return count;
}

/// The names of the dynamic symbols of a loaded library: those it defines, or those it needs.
std::vector<std::string> SymbolNames(void* handle, bool defined) {
  const link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr) return {};
  const ElfW(Sym)* symbols = nullptr;
  const char* texts = nullptr;
  const std::uint32_t* gnu = nullptr;
  const std::uint32_t* plain = nullptr;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    const auto* const address = reinterpret_cast<const void*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_SYMTAB) symbols = static_cast<const ElfW(Sym)*>(address);
    if (entry->d_tag == DT_STRTAB) texts = static_cast<const char*>(address);
    if (entry->d_tag == DT_GNU_HASH) gnu = static_cast<const std::uint32_t*>(address);
    if (entry->d_tag == DT_HASH) plain = static_cast<const std::uint32_t*>(address);
  }
  if (symbols == nullptr || texts == nullptr) return {};
  std::vector<std::string> names;
  for (std::size_t i = 1; i < SymbolCount(gnu, plain); ++i) {
    if ((symbols[i].st_shndx != SHN_UNDEF) == defined) names.emplace_back(texts + symbols[i].st_name);
  }
  std::ranges::sort(names);
  return names;
}

bool Has(const std::vector<std::string>& names, const char* part) {
  return std::ranges::any_of(names, [part](const std::string& name) { return name.find(part) != std::string::npos; });
}

}  // namespace

const char* Name(Flavour flavour) {
  static constexpr std::array kNames = {"C struct",
                                        "C++ object",
                                        "boxed handle of Fortran",
                                        "integer handle of Fortran",
                                        "functions without a handle",
                                        "class in Python"};
  return kNames[static_cast<std::size_t>(flavour)];
}

std::shared_ptr<Library> Library::Load(const fs::path& file, const LibraryOptions& options) {
  std::error_code error;
  const bool is_module = Script::IsModule(file.string());
  const fs::path real = is_module ? file : fs::canonical(file, error);
  if (error) {
    throw LoadError({.file = file.string()}, "expected a library, found none", "correct the argument 'library'");
  }
  const std::string key = fmt::format("{}|{}|{}", options.flavour, options.entry, options.one_instance);
  return All().libraries.Get({real, key}, [&] {
    std::shared_ptr<Library> library(new Library);
    library->file_ = real;
    library->one_instance_ = options.one_instance;
    if (Script::IsNamedBy(real.string())) {
      library->flavour_ = Flavour::Python;
      library->entry_ = options.entry;
      return library;
    }
    // Many libraries do not declare that they need libm, because the programs they were written for link it.
    static void* const mathematics = dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
    static_cast<void>(mathematics);
    for (const std::string& name : options.needs) {
      if (dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {  // stays loaded: others may have bound to it
        const char* reason = dlerror();
        throw LoadError({.file = name},
                        fmt::format("expected a library that can be loaded before {}, found: {}",
                                    real.filename().string(), reason != nullptr ? reason : "no reason"),
                        "correct the argument 'needs'");
      }
    }
    library->handle_ = dlopen(real.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library->handle_ == nullptr) {
      const char* text = dlerror();
      const std::string reason = text != nullptr ? text : "no reason";
      const bool lacks_symbol = reason.find("undefined symbol") != std::string::npos;
      throw LoadError({.file = real.string()}, "expected a library that can be loaded, found: " + reason,
                      lacks_symbol ? "name the library that has the symbol in the argument 'needs'"
                                   : "install what it needs, or put it beside the library");
    }
    library->FindFlavour(options);
    return library;
  });
}

Library::~Library() {
  if (handle_ != nullptr) dlclose(handle_);
}

void* Library::Find(const char* name) const {
  if (handle_ == nullptr) return nullptr;
  return dlsym(handle_, name);
}

const std::string& Library::Once(const std::string& key, const std::function<std::string()>& find) {
  const std::lock_guard lock(mutex_);
  const auto found = found_.find(key);
  return found != found_.end() ? found->second : found_.emplace(key, find()).first->second;
}

std::string Library::HandOver() const {
  switch (flavour_) {
    case Flavour::CxxObject:
      return fmt::format("{}, by bmi_model_create", Name(flavour_));
    case Flavour::FortranInteger:
      return fmt::format("{}, by bmi_new", Name(flavour_));
    case Flavour::Flat:
      return Name(flavour_);
    case Flavour::Python:
      return entry_.empty() ? Name(flavour_) : fmt::format("{}, {}", Name(flavour_), entry_);
    default:
      return fmt::format("{}, by {}", Name(flavour_), entry_);
  }
}

void Library::RequireSameTexts(const std::vector<std::string>& names) const {
  const std::vector<std::string> wanted = SymbolNames(handle_, false);
  const bool is_new = Has(names, "cxx11") || Has(wanted, "cxx11");
  if (!is_new && (Has(wanted, "_ZNSs") || Has(names, "ESs"))) {
    throw LoadError({.file = file_.string()},
                    "expected a library built with the std::string of this build (_GLIBCXX_USE_CXX11_ABI=1), found one "
                    "with the old std::string",
                    "build it without -D_GLIBCXX_USE_CXX11_ABI=0");
  }
}

void Library::RefuseUnknown(const std::vector<std::string>& names) const {
  const bool has_modules = Has(names, "_MOD_");
  const bool has_class = Has(names, "GetInputItemCount");
  throw LoadError(
      {.file = file_.string()},
      fmt::format("expected a library that hands a BMI model over (register_bmi or register_bmi_<model>; "
                  "bmi_model_create and bmi_model_destroy; bmi_new and bmi_initialize; or initialize, update and "
                  "finalize), found {}",
                  has_modules ? "procedures of Fortran modules only"
                  : has_class ? "a class of C++ without functions that make an object"
                              : "none of these"),
      has_modules ? "link it with one of the layers for C that docs/bmi.md names"
      : has_class ? "add extern \"C\" functions bmi_model_create and bmi_model_destroy, as docs/bmi.md shows"
                  : "name the function in the argument 'register' if it is called otherwise");
}

void Library::FindFlavour(const LibraryOptions& options) {
  const std::vector<std::string> names = SymbolNames(handle_, true);
  std::string flavour = options.flavour == "auto" ? std::string() : options.flavour;
  if (!options.entry.empty() && Find(options.entry.c_str()) == nullptr) {
    throw LoadError({.file = file_.string()}, fmt::format("expected a function '{}', found none", options.entry),
                    Suggest(options.entry, names));
  }
  // The functions that fill a struct or make a handle, by their usual names.
  std::vector<std::string> entries;
  if (!options.entry.empty()) {
    entries = {options.entry};
  } else {
    for (const std::string& name : names) {
      if (name == "register_bmi" || name.starts_with("register_bmi_")) entries.push_back(name);
    }
    if (std::ranges::find(entries, "register_bmi") != entries.end()) entries = {"register_bmi"};
  }
  const bool has_box = Find("initialize") != nullptr && Find("get_grid_type") != nullptr &&
                       Find("get_value_double") != nullptr && Find("get_value_ptr") == nullptr;
  if (flavour.empty()) {
    if (!entries.empty()) {
      flavour = has_box ? "fortran-box" : "c";
    } else if (Find("bmi_model_create") != nullptr && Find("bmi_model_destroy") != nullptr) {
      flavour = "c++";
    } else if (Find("bmi_new") != nullptr && Find("bmi_initialize") != nullptr) {
      flavour = "fortran-integer";
    } else if (Find("initialize") != nullptr && Find("update") != nullptr && Find("finalize") != nullptr) {
      flavour = "flat";
    } else {
      RefuseUnknown(names);
    }
  }
  const std::optional<openmi::bmi::Flavour> found = kFlavours.Find(flavour);
  if (!found) {
    throw LoadError({.file = file_.string()},
                    fmt::format("expected one of {}, found '{}'", fmt::join(kFlavours.List(), ", "), flavour));
  }
  flavour_ = *found;
  const auto require = [this, &flavour](const char* name) {
    if (Find(name) != nullptr) return;
    throw LoadError({.file = file_.string()},
                    fmt::format("expected a function '{}' of the flavour '{}', found none", name, flavour),
                    "leave the argument 'flavour' out");
  };
  switch (flavour_) {
    case Flavour::CxxObject:
      require("bmi_model_create");
      require("bmi_model_destroy");
      RequireSameTexts(names);
      break;
    case Flavour::FortranInteger:
      require("bmi_new");
      require("bmi_initialize");
      break;
    case Flavour::Flat:
      require("initialize");
      require("update");
      one_instance_ = true;
      break;
    default:
      if (entries.empty()) RefuseUnknown(names);
      if (entries.size() > 1) {
        throw LoadError(
            {.file = file_.string()},
            fmt::format("expected one function that hands a model over, found {}", fmt::join(entries, ", ")),
            "name one in the argument 'register'");
      }
      entry_ = entries[0];
  }
}

std::unique_ptr<Model> Library::Make() {
  if (one_instance_) {
    const std::lock_guard lock(All().mutex);
    if (!All().in_use.insert(file_).second) {
      throw LoadError({.file = file_.string()},
                      fmt::format("expected the only model of this library ({}) to be free, found it in use",
                                  flavour_ == Flavour::Flat ? Name(flavour_) : "its argument 'instances' says one"),
                      "give each of its components a process of its own: Isolation=\"instance\"");
    }
  }
  auto owner = std::make_shared<Owner>(shared_from_this(), one_instance_);
  auto bmi = std::make_unique<RoomyBmi>();
  const FindFunction find = [this](const char* name) { return Find(name); };
  std::unique_ptr<Backing> backing;
  const auto hand_over = [this, &backing](const auto& work) {
    try {
      backing = work();
    } catch (const LoadError& error) {
      throw LoadError({.file = file_.string()}, error.Problem(), error.Remedy());
    }
  };
  switch (flavour_) {
    case Flavour::CStruct:
      if (reinterpret_cast<::Bmi* (*)(::Bmi*)>(Find(entry_.c_str()))(&bmi->functions) == nullptr) {
        throw LoadError({.file = file_.string()},
                        fmt::format("expected {} to return the struct that it filled, found a null pointer", entry_));
      }
      break;
    case Flavour::CxxObject:
      hand_over([&] { return HandOverObject(bmi->functions, find); });
      break;
    case Flavour::FortranBox:
      hand_over([&] { return HandOverBox(bmi->functions, find, entry_); });
      break;
    case Flavour::FortranInteger:
      hand_over([&] { return HandOverInteger(bmi->functions, find); });
      break;
    case Flavour::Flat:
      hand_over([&] { return HandOverFlat(bmi->functions, find); });
      break;
    case Flavour::Python:
      backing = HandOverClass(bmi->functions, file_.string(), entry_);
      break;
  }
  auto model = std::make_unique<Model>(std::move(bmi), std::move(backing), std::move(owner));
  model->SetCaption(file_.filename().string());
  return model;
}

void Library::InitializeOnRanks(Model& model, const std::string& config, int handle) const {
  constexpr char kFunction[] = "initialize_mpi";
  if (void* const found = Find(kFunction)) {
    model.InitializeBy(reinterpret_cast<int (*)(int*)>(found), kFunction, handle);
    return;
  }
  try {
    model.SetValue(kCommunicatorVariable, &handle);
  } catch (const ModelError& error) {
    throw ModelError(model.Place(kCommunicatorVariable),
                     fmt::format("expected a model that takes a communicator, by {} or the input {}, found: {}",
                                 kFunction, kCommunicatorVariable, error.Problem()),
                     "leave out Ranks, or build the library with MPI");
  }
  model.Initialize(config);
}

}  // namespace openmi::bmi
