#include "openmi/omi/ComponentLibrary.hpp"

#include <algorithm>
#include <mutex>

namespace openmi {

namespace {

struct Announced {
  std::mutex mutex;
  std::vector<const ComponentLibrary*> libraries;
};

// Made at first use and never destroyed: programs register before main and withdraw after it.
Announced& TheAnnounced() {
  static Announced& announced = *new Announced;
  return announced;
}

// A counter without a destructor: a destructor would bind libraries to threads.
thread_local int plugins_being_loaded = 0;

}  // namespace

void AnnounceLibrary(const ComponentLibrary& library) noexcept {
  if (plugins_being_loaded > 0) return;
  Announced& announced = TheAnnounced();
  const std::scoped_lock lock(announced.mutex);
  if (std::find(announced.libraries.begin(), announced.libraries.end(), &library) != announced.libraries.end()) return;
  announced.libraries.push_back(&library);
}

void WithdrawLibrary(const ComponentLibrary& library) noexcept {
  Announced& announced = TheAnnounced();
  const std::scoped_lock lock(announced.mutex);
  std::erase(announced.libraries, &library);
}

std::vector<const ComponentLibrary*> AnnouncedLibraries() {
  Announced& announced = TheAnnounced();
  const std::scoped_lock lock(announced.mutex);
  return announced.libraries;
}

PluginLoadingScope::PluginLoadingScope() noexcept {
  ++plugins_being_loaded;
}

PluginLoadingScope::~PluginLoadingScope() {
  --plugins_being_loaded;
}

}  // namespace openmi
