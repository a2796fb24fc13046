#include "openmi/omi/SharedLibrary.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <string_view>

#include "openmi/omi/ComponentLibrary.hpp"
#include "openmi/omi/LibraryCopy.hpp"

namespace openmi {

namespace {

struct Pin {
  std::string image_name;
  PinnedLibrary library;
};

struct Pins {
  std::mutex mutex;
  std::vector<Pin> pins;
};

// Never destroyed: libraries are also closed at the end of the program.
Pins& ThePins() {
  static Pins& pins = *new Pins;
  return pins;
}

std::string PinRemedy(const LibraryFile& file) {
  if (!file.unique.empty()) {
    return "build it with openmi_add_component, or with -fno-gnu-unique and a version script that exports only its "
           "entry "
           "point";
  }
  if (file.uses_thread_destructors) {
    return "its thread_local objects live as long as the threads that used them: end those threads before it is closed";
  }
  return "check that it is not linked with -z nodelete, starts no thread that still runs, and is used by no other "
         "library";
}

std::string Replaced(std::string text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The sentence of the system states what is missing; this adds what to do about it.
std::string RemedyFor(const std::string& sentence, const std::string& path) {
  if (sentence.find("cannot open shared object file") != std::string::npos) {
    return "install the library it needs, or put it beside and link with -Wl,-rpath,'$ORIGIN'";
  }
  if (sentence.find("undefined symbol") != std::string::npos) {
    return "link it with the library that defines the symbol, and build it with the SDK that is used here";
  }
  if (sentence.find("failed to map segment") != std::string::npos) {
    return "check that its file system is not mounted noexec";
  }
  if (sentence.find("version `") != std::string::npos) return "build it on this system, or on one that is as old";
  return fmt::format("see what 'ldd {}' says of it", path);
}

bool WantsInPlace() {
  const char* variable = std::getenv("OPENMI_LOAD_IN_PLACE");
  return variable != nullptr && std::string_view(variable) == "1";
}

struct link_map* LinkMapOf(void* handle) {
  struct link_map* map = nullptr;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map : nullptr;
}

}  // namespace

std::shared_ptr<SharedLibrary> SharedLibrary::Open(const std::string& path, const Where& where, const Gate& gate) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
  std::shared_ptr<SharedLibrary> library(new SharedLibrary);
  library->path_ = real ? std::string(real.get()) : path;
  library->file_ = InspectLibrary(library->path_, where);
  if (gate) gate(library->file_);

  LibraryCopy copy(library->path_, library->file_.UsesOrigin(), WantsInPlace(), where);
  library->image_ = copy.Image();
  library->stamp_ = copy.Stamp();
  library->was_there_ = copy.Image() == LibraryImage::InPlace && IsStillLoaded(copy.Name());
  {
    const PluginLoadingScope loading;
    library->handle_ = dlopen(copy.Name().c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (library->handle_ == nullptr) {
    const char* said = dlerror();
    const std::string sentence = Replaced(said != nullptr ? said : "no reason was given", copy.Name(), library->path_);
    throw LoadError(where, fmt::format("expected the shared library '{}' to load, found: {}", library->path_, sentence),
                    RemedyFor(sentence, library->path_));
  }
  const struct link_map* map = LinkMapOf(library->handle_);
  library->link_map_ = map;
  library->image_name_ = map != nullptr ? map->l_name : copy.Name();
  library->memory_file_ = copy.ReleaseMemoryFile();
  return library;
}

SharedLibrary::~SharedLibrary() {
  if (handle_ == nullptr) return;
  dlclose(handle_);
  if (!IsStillLoaded(image_name_)) {
    if (memory_file_ >= 0) close(memory_file_);
    return;
  }
  if (was_there_) return;  // other code loaded it first and continues to use it
  Pins& pins = ThePins();
  const std::scoped_lock lock(pins.mutex);
  pins.pins.push_back({image_name_, {path_, file_.unique, PinRemedy(file_)}});
}

void* SharedLibrary::Symbol(const char* name) const {
  void* address = dlsym(handle_, name);
  if (address == nullptr) return nullptr;
  // The system also searches the libraries that this one is linked with; their symbols do not count.
  Dl_info info = {};
  struct link_map* owner = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&owner), RTLD_DL_LINKMAP) == 0) return nullptr;
  return owner == link_map_ ? address : nullptr;
}

bool SharedLibrary::IsStillLoaded(const std::string& image_name) {
  struct Search {
    const std::string& name;
    bool found;
  } search{image_name, false};
  dl_iterate_phdr(
      [](struct dl_phdr_info* image, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        wanted.found = image->dlpi_name != nullptr && wanted.name == image->dlpi_name;
        return wanted.found ? 1 : 0;
      },
      &search);
  return search.found;
}

std::vector<PinnedLibrary> SharedLibrary::Pinned() {
  Pins& pins = ThePins();
  const std::scoped_lock lock(pins.mutex);
  // A library that a thread keeps in memory is unloaded at a later close.
  std::erase_if(pins.pins, [](const Pin& pin) { return !IsStillLoaded(pin.image_name); });
  std::vector<PinnedLibrary> libraries;
  for (const Pin& pin : pins.pins) libraries.push_back(pin.library);
  return libraries;
}

}  // namespace openmi
