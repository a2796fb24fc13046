#include "fmi-bridge/fmi/run/FmuLibrary.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/run/CallbackTarget.hpp"
#include "fmi-bridge/fmi/run/SiblingLibraries.hpp"
#include "fmi-bridge/fmi/wine/HostProcess.hpp"
#include "fmi-bridge/fmi/wine/WindowsLibrary.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/SharedByKey.hpp"

namespace openmi::fmi {
namespace fs = std::filesystem;
namespace {

/// The names in a folder, sorted; nothing if the folder does not exist.
std::optional<std::vector<std::string>> NamesIn(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder, error)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// \throws LoadError  always; contains the message of the loader
void Refuse(const fs::path& library, std::string reason) {
  const std::string name = library.string() + ": ";
  if (reason.starts_with(name)) reason.erase(0, name.size());
  const bool is_no_library = std::ranges::any_of(std::array{"file too short", "invalid ELF", "ELF file", "wrong ELF"},
                                                 [&](const char* part) { return reason.find(part) != reason.npos; });
  throw LoadError({.file = library.string()}, fmt::format("expected a library that can be loaded, found: {}", reason),
                  is_no_library ? "get the FMU again: its library is damaged, or no library"
                                : "install what it needs, or put it beside the library");
}

std::string LoaderReason() {
  const char* reason = dlerror();
  return reason != nullptr ? reason : "no reason";
}

}  // namespace

const char* Name(CallStatus status) {
  static constexpr const char* kNames[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  const auto index = static_cast<std::size_t>(status);
  return index < std::size(kNames) ? kNames[index] : "a status that the standard does not know";
}

const char* SourcesRemedy(FmiMajor version) {
  return version == FmiMajor::Fmi1 ? "compile the sources that the FMU carries yourself: FMI 1.0 does not say how"
                                   : "compile the sources that the FMU carries: compile=true of the component, "
                                     "--compile of openmi fmu run; or export the FMU for this platform";
}

std::string WindowsRemedy() {
  const std::string missing = wine::WhatIsMissing();
  return missing.empty() ? missing : "to run its library for Windows, " + missing;
}

std::string WindowsNote() {
  return wine::WhatTakesLong();
}

std::string LibraryRemedy(FmiMajor version, bool has_sources, std::string windows, bool for_32) {
  std::string remedy = std::move(windows);
  if (has_sources) remedy += (remedy.empty() ? "" : "; or ") + std::string(SourcesRemedy(version));
  if (remedy.empty()) remedy = "export the FMU for this platform, or with sources";
  if (for_32) remedy += "; libraries for Windows of 32 bits (win32) are not run, those of 64 bits (win64) by Wine";
  return remedy;
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
                    "run it as that kind");
  }
  const fs::path binaries = folder / "binaries";
  const std::string name = interface->model_identifier + ".so";
  const std::array<const char*, 2> ours = PlatformFolders(description.version);
  std::error_code error;
  for (const char* platform : ours) {
    if (const fs::path file = binaries / platform / name; fs::is_regular_file(file, error)) return fs::absolute(file);
  }
  std::string found;
  for (const char* platform : ours) {
    if (const auto names = NamesIn(binaries / platform); names) {
      found = fmt::format("{} in binaries/{}", names->empty() ? "no file" : fmt::format("{}", fmt::join(*names, ", ")),
                          platform);
      break;
    }
  }
  if (found.empty()) {
    const auto platforms = NamesIn(binaries);
    found = !platforms || platforms->empty() ? "no libraries" : fmt::format("some for {}", fmt::join(*platforms, ", "));
  }
  std::string windows;
  for (const char* platform : WindowsFolders(description.version)) {
    const fs::path file = binaries / platform / (interface->model_identifier + ".dll");
    if (!fs::is_regular_file(file, error)) continue;
    windows = WindowsRemedy();
    if (windows.empty()) return fs::absolute(file);
    break;
  }
  const bool has_sources = fs::is_directory(folder / "sources", error);
  throw LoadError({.file = description.file, .line = interface->line},
                  fmt::format("expected a library binaries/{}/{} for this machine, found {}", ours[0], name, found),
                  LibraryRemedy(description.version, has_sources, windows,
                                windows.empty() && fs::is_directory(binaries / "win32", error)));
}

std::shared_ptr<FmuLibrary> FmuLibrary::Load(const fs::path& file, FmiMajor version, const std::string& prefix) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  if (error) throw LoadError({.file = file.string()}, "expected a library, found none", "unpack the FMU again");
  static SharedByKey<fs::path, FmuLibrary> loaded;
  auto library = loaded.Get(real, [&] { return std::shared_ptr<FmuLibrary>(new FmuLibrary(real, version, prefix)); });
  if (library->IsForWindows()) library->windows_->Start();  // which may take minutes: other libraries load meanwhile
  return library;
}

FmuLibrary::FmuLibrary(fs::path file, FmiMajor version, std::string prefix)
    : file_(std::move(file)), prefix_(std::move(prefix)), version_(version) {
  if (file_.extension() == ".dll") {
    windows_ = std::make_unique<wine::WindowsLibrary>(file_, static_cast<std::uint32_t>(version_), prefix_);
    return;
  }
  handle_ = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ != nullptr) return;
  std::string reason = LoaderReason();
  const std::vector<std::string> beside = SiblingsNeeded(file_);
  if (beside.empty()) Refuse(file_, reason);
  handle_ = LoadWithSiblings(file_, beside, siblings_, reason);
  if (handle_ == nullptr) Refuse(file_, reason);
}

void FmuLibrary::Choose() const {
  if (windows_ != nullptr) windows_->Choose();
}

void FmuLibrary::LimitAnswers(void* instance, std::optional<std::chrono::milliseconds> limit) const {
  if (windows_ != nullptr) static_cast<wine::RemoteInstance*>(instance)->LimitAnswers(limit);
}

FmuLibrary::~FmuLibrary() {
  if (fatal_ || handle_ == nullptr) return;
  dlclose(handle_);
  if (siblings_ != nullptr) dlclose(siblings_);
}

void* FmuLibrary::Find(const char* name) const {
  if (windows_ != nullptr) return windows_->Find(name);
  if (version_ == FmiMajor::Fmi1) return dlsym(handle_, (prefix_ + "_" + name).c_str());
  if (void* address = dlsym(handle_, name)) return address;
  return dlsym(handle_, (prefix_ + "_" + name).c_str());  // a library made for static linking
}

}  // namespace openmi::fmi
