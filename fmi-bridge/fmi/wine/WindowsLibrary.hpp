#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/wine/RemoteInstance.hpp"

namespace openmi::fmi::wine {

/// The library of an FMU for Windows. Its functions can be called like those of a loaded library; each instance lives
/// in a process of its own.
class WindowsLibrary {
 public:
  /// \param file     an absolute path
  /// \param version  of FMI: 1, 2 or 3
  /// \param prefix   of exported names
  WindowsLibrary(std::filesystem::path file, std::uint32_t version, std::string prefix);

  /// Starts the process of the first instance, unless that was done: to be called before all others.
  /// \throws LoadError  something is missing, or the library cannot be loaded
  void Start();

  /// The address of a function with the signature of the standard; null if the library lacks it.
  void* Find(const char* name) const;
  /// Makes this library the one in which the next function that makes an instance works on this thread: such functions
  /// do not get it as an argument.
  void Choose() { chosen_ = this; }
  /// A new instance, in the library that was chosen on this thread.
  static RemoteInstance& NewInstance() { return chosen_->New(); }
  /// Ends the process of an instance, and drops it.
  void Drop(RemoteInstance& instance);

 private:
  RemoteInstance& New();

  static thread_local WindowsLibrary* chosen_;
  std::filesystem::path file_;
  std::uint32_t version_;
  std::string prefix_;
  std::mutex starting_;
  std::vector<bool> functions_;  // written once, by Start
  std::mutex mutex_;             // guards the members below
  std::unique_ptr<RemoteInstance> first_;
  std::list<std::unique_ptr<RemoteInstance>> instances_;
};

}  // namespace openmi::fmi::wine
