#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <utility>

#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// The library file for an FMU of that kind on this machine, in its unpacked folder.
/// \throws LoadError  there is none; names the existing platforms, or the files if this platform exists
std::filesystem::path LibraryFileOf(const std::filesystem::path& folder, const ModelDescription& description,
                                    InterfaceKind kind);

/// What to do with an FMU that has sources and no library for this machine.
const char* SourcesRemedy(FmiMajor version);

/// The loaded library of an FMU: one for all its instances, closed with the last of them.
///
/// Libraries that it needs may be in the same folder. Functions are looked up when they are needed, because many FMUs
/// lack functions that are never called.
class FmuLibrary {
 public:
  /// Loads the library, or returns it if it is loaded already.
  /// \param file     an absolute path
  /// \param version  version of FMI whose functions are used
  /// \param prefix   the model identifier, with which exported names of 1.0 start
  /// \throws LoadError  the library cannot be loaded
  static std::shared_ptr<FmuLibrary> Load(const std::filesystem::path& file, FmiMajor version,
                                          const std::string& prefix);
  ~FmuLibrary();
  FmuLibrary(const FmuLibrary&) = delete;
  FmuLibrary& operator=(const FmuLibrary&) = delete;

  /// The address of a function by its name in the standard ("fmi2DoStep"); null if the library lacks it.
  void* Find(const char* name) const;
  template <class Function>
  void Find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(Find(name));
  }
  /// The functions of one version, looked up at the first call and shared by all instances.
  /// \tparam Functions  made from a library; lives as long as this object
  template <class Functions>
  const Functions& TableOf() {
    const std::lock_guard lock(tables_mutex_);
    std::shared_ptr<const void>& table = tables_[std::type_index(typeid(Functions))];
    if (table == nullptr) table = std::make_shared<const Functions>(*this);
    return *static_cast<const Functions*>(table.get());
  }
  const std::filesystem::path& File() const { return file_; }
  FmiMajor Version() const { return version_; }

  /// Records that a function returned Fatal: no instance may call a function of this library any more. It stays loaded.
  void SetFatal() { fatal_.store(true, std::memory_order_relaxed); }
  const std::atomic<bool>& Fatal() const { return fatal_; }
  /// Counts one more living instance, atomically.
  /// \returns false if it must be `alone` and there is one already
  bool TryCount(bool alone) {
    int none = 0;
    if (alone) return instances_.compare_exchange_strong(none, 1);
    ++instances_;
    return true;
  }
  /// Counts one living instance less.
  void Uncount() { --instances_; }

 private:
  FmuLibrary(std::filesystem::path file, FmiMajor version, std::string prefix, void* handle, void* siblings)
      : file_(std::move(file)), prefix_(std::move(prefix)), version_(version), handle_(handle), siblings_(siblings) {}

  std::filesystem::path file_;
  std::string prefix_;
  FmiMajor version_;
  void* handle_;
  void* siblings_;  // keeps the libraries in the same folder; null: it needed none
  std::atomic<bool> fatal_ = false;
  std::atomic<int> instances_ = 0;
  std::mutex tables_mutex_;
  std::map<std::type_index, std::shared_ptr<const void>> tables_;
};

}  // namespace openmi::fmi
