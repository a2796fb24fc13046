#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <utility>

#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

namespace wine {
class WindowsLibrary;
}

/// The library file for an FMU of that kind on this machine, in its unpacked folder: one for Windows only if there is
/// no other.
/// \throws LoadError  there is none, or what runs libraries for Windows is missing; names the existing platforms, or the
///   files if this platform exists
std::filesystem::path LibraryFileOf(const std::filesystem::path& folder, const ModelDescription& description,
                                    InterfaceKind kind);

/// What to do with an FMU that has sources and no library for this machine.
const char* SourcesRemedy(FmiMajor version);

/// The remedy for an FMU that has a library for Windows and none for this machine; empty if such libraries run here.
std::string WindowsRemedy();
/// Why the first start of a library for Windows will take long on this machine; empty: it will not.
std::string WindowsNote();
/// The remedy for an FMU without a library that runs here.
/// \param windows  WindowsRemedy, if it has a library for Windows; else empty
/// \param for_32   whether it has one for Windows of 32 bits
std::string LibraryRemedy(FmiMajor version, bool has_sources, std::string windows, bool for_32);

/// The loaded library of an FMU: one for all its instances, closed with the last of them.
///
/// A library for Windows (.dll) is loaded in processes that Wine runs, one for each instance.
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
  /// Whether it is for Windows: then an instance that fails affects no other.
  bool IsForWindows() const { return windows_ != nullptr; }

  /// Records that a function of a library of this machine returned Fatal: no instance may call a function of this
  /// library any more. It stays loaded.
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
  /// To be called on a thread before it calls a function that makes an instance.
  void Choose() const;
  /// See Instance::LimitAnswers. \param instance  a component of this library
  void LimitAnswers(void* instance, std::optional<std::chrono::milliseconds> limit) const;

 private:
  FmuLibrary(std::filesystem::path file, FmiMajor version, std::string prefix);

  std::filesystem::path file_;
  std::string prefix_;
  FmiMajor version_;
  void* handle_ = nullptr;
  std::unique_ptr<wine::WindowsLibrary> windows_;  // in place of the handle
  void* siblings_ = nullptr;                       // keeps the libraries in the same folder; null: it needed none
  std::atomic<bool> fatal_ = false;
  std::atomic<int> instances_ = 0;
  std::mutex tables_mutex_;
  std::map<std::type_index, std::shared_ptr<const void>> tables_;
};

}  // namespace openmi::fmi
