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

/// The file of the library that runs an FMU of that kind on this machine, in its unpacked folder.
/// \throws LoadError  there is none; says which platforms there are, or which files where the platform is this one
std::filesystem::path LibraryFileOf(const std::filesystem::path& folder, const ModelDescription& description,
                                    InterfaceKind kind);

/// The loaded library of an FMU: one for all its instances, closed with the last of them. Libraries that it needs may
/// lie beside it.
///
/// Functions are looked up when they are needed: many FMUs lack some that nobody calls.
class FmuLibrary {
 public:
  /// Loads the library, or gives the one that is loaded already.
  /// \param file     an absolute path
  /// \param version  the functions of which version
  /// \param prefix   the model identifier, which exported names of 1.0 begin with
  /// \throws LoadError
  static std::shared_ptr<FmuLibrary> Load(const std::filesystem::path& file, FmiMajor version,
                                          const std::string& prefix);
  ~FmuLibrary();
  FmuLibrary(const FmuLibrary&) = delete;
  FmuLibrary& operator=(const FmuLibrary&) = delete;

  /// The address of a function by the name of the standard ("fmi2DoStep"); null where the library lacks it.
  void* Find(const char* name) const;
  template <class Function>
  void Find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(Find(name));
  }
  /// The functions of one version, looked up when first asked for: all instances share them.
  /// \tparam Functions  made from a library; lives as long as this
  template <class Functions>
  const Functions& TableOf() {
    const std::lock_guard lock(tables_mutex_);
    std::shared_ptr<const void>& table = tables_[std::type_index(typeid(Functions))];
    if (table == nullptr) table = std::make_shared<const Functions>(*this);
    return *static_cast<const Functions*>(table.get());
  }
  const std::filesystem::path& File() const { return file_; }
  FmiMajor Version() const { return version_; }

  /// A function answered Fatal: no function of this library may be called any more, by any instance. It stays loaded.
  void SetFatal() { fatal_.store(true, std::memory_order_relaxed); }
  const std::atomic<bool>& Fatal() const { return fatal_; }
  /// Counts one more living instance, in one step. \returns false where it is to be `alone` and there is one already
  bool TryCount(bool alone) {
    int none = 0;
    if (alone) return instances_.compare_exchange_strong(none, 1);
    ++instances_;
    return true;
  }
  void Uncount() { --instances_; }

 private:
  FmuLibrary(std::filesystem::path file, FmiMajor version, std::string prefix, void* handle, void* siblings)
      : file_(std::move(file)), prefix_(std::move(prefix)), version_(version), handle_(handle), siblings_(siblings) {}

  std::filesystem::path file_;
  std::string prefix_;
  FmiMajor version_;
  void* handle_;
  void* siblings_;  // keeps the libraries beside it; null: it needed none
  std::atomic<bool> fatal_ = false;
  std::atomic<int> instances_ = 0;
  std::mutex tables_mutex_;
  std::map<std::type_index, std::shared_ptr<const void>> tables_;
};

}  // namespace openmi::fmi
