#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "composition/isolation/IProcessClaims.hpp"
#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/compile/CompileFmu.hpp"

namespace openmi::fmi {

/// The archive or folder of an FMU: its description, its files, and what its library claims in a process.
class FmuSource {
 public:
  /// Reads the description.
  /// \returns false: it is known already
  /// \throws Error  the file cannot be read
  bool Read(const std::filesystem::path& path);
  /// Unpacks the archive, compiles its sources if that is needed and allowed, and reads the claims of the library,
  /// without loading it.
  /// \param component  for messages
  /// \pre  the description offers this kind
  void Open(InterfaceKind kind, const std::string& component, const CompileOptions& compile = {});
  /// The library for this machine; empty: there is none, see NoLibrary.
  const std::filesystem::path& Library() const { return library_; }
  /// Whether that is one for Windows, which Wine runs.
  bool IsForWindows() const { return library_.extension() == ".dll"; }

  const std::filesystem::path& Path() const { return path_; }
  /// The real path: the same for all instances of the FMU.
  std::string Key() const;
  /// \pre  it was read
  const ModelDescription& Description() const { return *description_; }
  /// The folder of the unpacked FMU.
  /// \pre  it was opened
  const std::filesystem::path& Folder() const { return files_->Folder(); }
  /// What the library registers with a libprotobuf that other libraries may share; also the FMU itself, if a process
  /// can hold only one instance of it.
  const std::vector<ProcessClaim>& Claims() const { return claims_; }
  /// The first claim that is already held in this process.
  const std::optional<ProcessClaim>& Held() const { return held_; }
  /// Why there is no library for this machine; empty: there is one.
  const std::string& NoLibrary() const { return no_library_; }

 private:
  std::filesystem::path path_;
  std::shared_ptr<const ModelDescription> description_;
  std::shared_ptr<const UnpackedArchive> files_;
  std::filesystem::path library_;
  std::vector<ProcessClaim> claims_;
  std::optional<ProcessClaim> held_;
  std::string no_library_;
};

}  // namespace openmi::fmi
