#include "fmi-bridge/fmi/run/FmuLibrary.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/run/CallStatus.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace fs = std::filesystem;
namespace {

#if defined(__x86_64__)
constexpr const char* kOldPlatform = "linux64";
constexpr const char* kTuple = "x86_64-linux";
#elif defined(__aarch64__)
constexpr const char* kOldPlatform = "aarch64-linux";
constexpr const char* kTuple = "aarch64-linux";
#elif defined(__i386__)
constexpr const char* kOldPlatform = "linux32";
constexpr const char* kTuple = "x86-linux";
#else
constexpr const char* kOldPlatform = "unknown";
constexpr const char* kTuple = "unknown";
#endif

struct Loaded {
  std::mutex mutex;
  std::map<fs::path, std::weak_ptr<FmuLibrary>> libraries;
};

Loaded& AllLoaded() {
  static Loaded loaded;
  return loaded;
}

}  // namespace

const char* Name(CallStatus status) {
  static constexpr const char* kNames[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  const auto index = static_cast<std::size_t>(status);
  return index < std::size(kNames) ? kNames[index] : "a status that the standard does not know";
}

unsigned SizeOf(Native native) {
  static constexpr unsigned kSizes[] = {4, 8, 1, 1, 2, 2, 4, 4, 8, 8, sizeof(bool)};
  return kSizes[static_cast<std::size_t>(native)];
}

fs::path LibraryFileOf(const fs::path& folder, const ModelDescription& description, InterfaceKind kind) {
  const std::optional<Interface>& interface = description.Of(kind);
  if (!interface) {
    std::vector<std::string> kinds;
    for (std::size_t i = 0; i < kInterfaceKindCount; ++i) {
      if (description.interfaces[i]) kinds.emplace_back(Name(static_cast<InterfaceKind>(i)));
    }
    throw LoadError({.file = description.file},
                    fmt::format("expected an FMU for {}, found one for {}", Name(kind), fmt::join(kinds, " and ")),
                    description.Of(InterfaceKind::CoSimulation) || description.Of(InterfaceKind::ModelExchange)
                        ? "run it as what it is"
                        : "export it for co-simulation");
  }
  const fs::path binaries = folder / "binaries";
  const std::string name = interface->model_identifier + ".so";
  const bool is_old = description.version != FmiMajor::Fmi3;
  for (const char* platform : {is_old ? kOldPlatform : kTuple, is_old ? kTuple : kOldPlatform}) {
    std::error_code error;
    if (const fs::path file = binaries / platform / name; fs::is_regular_file(file, error)) return fs::absolute(file);
  }
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(binaries, error)) found.push_back(entry.path().filename().string());
  std::ranges::sort(found);
  throw LoadError(
      {.file = description.file},
      fmt::format("expected a library binaries/{}/{} for this machine, found {}", is_old ? kOldPlatform : kTuple, name,
                  found.empty() ? "no libraries" : fmt::format("some for {}", fmt::join(found, ", "))),
      "export the FMU for this platform");
}

std::shared_ptr<FmuLibrary> FmuLibrary::Load(const fs::path& file, FmiMajor version, const std::string& prefix) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  if (error) throw LoadError({.file = file.string()}, "expected a library, found none", "unpack the FMU again");
  Loaded& all = AllLoaded();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.libraries, [](const auto& entry) { return entry.second.expired(); });
  if (const auto found = all.libraries.find(real); found != all.libraries.end()) {
    if (auto library = found->second.lock()) return library;
  }
  void* handle = dlopen(real.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    throw LoadError({.file = real.string()},
                    fmt::format("expected a library that can be loaded, found: {}", reason ? reason : "no reason"),
                    "install what it needs, or put it beside the library");
  }
  std::shared_ptr<FmuLibrary> library(new FmuLibrary(real, version, prefix, handle));
  all.libraries[real] = library;
  return library;
}

FmuLibrary::~FmuLibrary() {
  if (!fatal_) dlclose(handle_);
}

void* FmuLibrary::Find(const char* name) const {
  if (version_ == FmiMajor::Fmi1) return dlsym(handle_, (prefix_ + "_" + name).c_str());
  if (void* address = dlsym(handle_, name)) return address;
  return dlsym(handle_, (prefix_ + "_" + name).c_str());  // made for static linking
}

}  // namespace openmi::fmi
