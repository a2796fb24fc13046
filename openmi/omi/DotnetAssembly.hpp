#pragma once

#include <memory>
#include <string>
#include <vector>

#include "openmi/omi/SdkVersion.hpp"
#include "openmi/omi/SharedLibrary.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// What the bridge to .NET offers, in a library of its own (OwnPart). Paths are absolute.
struct DotnetRuntime {
  const char* version;  ///< of the SDK
  /// The types of components in an assembly.
  /// \throws LoadError, ModelError  it cannot be loaded
  std::vector<std::string> (*types)(const std::string& path);
  /// The assemblies that one refers to, each with its version.
  std::vector<std::string> (*references)(const std::string& path);
  /// Makes a component.
  /// \throws ModelError  its constructor threw
  std::unique_ptr<IBaseLinkableComponent> (*make)(const std::string& path, const std::string& type);
};

/// An assembly of .NET whose types are components, as a library that is in memory.
///
/// The bridge hosts the runtime of .NET, which takes over signals, starts threads, and ends the process when a thread
/// or finalizer of a component throws. So it runs in processes only that were made for it: AllowHere.
class DotnetAssembly final : public SharedLibrary {
 public:
  /// Whether a file is an assembly of .NET: a library or program of Windows with the header of .NET. False also if it
  /// cannot be read.
  static bool IsOne(const std::string& path);
  /// Whether an OMI file names one.
  /// \param omi_path  for the search; may be empty
  static bool IsNamedBy(const std::string& assembly, const std::string& omi_path);

  /// Allows this process to load assemblies. For workers, and for processes that look at one component and end.
  static void AllowHere();

  /// \param where  the place for messages: the OMI file and its line
  /// \throws LoadError  the process is none that may load assemblies; the bridge is not installed; or the assembly
  ///   cannot be loaded or has no components
  static std::shared_ptr<DotnetAssembly> Open(const std::string& path, const Where& where);

  /// The full names of the types of components.
  const std::vector<std::string>& Types() const { return types_; }
  /// \throws ModelError  as DotnetRuntime::make
  std::unique_ptr<IBaseLinkableComponent> Make(const std::string& type) const;

 private:
  DotnetAssembly(std::string path, LibraryFile file, FileStamp stamp, const DotnetRuntime& runtime);

  const DotnetRuntime& runtime_;
  std::vector<std::string> types_;
};

}  // namespace openmi

extern "C" {
/// The object of the bridge.
extern const openmi::DotnetRuntime openmi_dotnet_runtime;
}
