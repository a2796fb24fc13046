#include "fmi-bridge/fmi/component/FmuSource.hpp"

#include <fmt/format.h>

#include <system_error>

#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/run/ProtobufClaims.hpp"
#include "fmi-bridge/fmi/run/SiblingLibraries.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {

bool FmuSource::Read(const std::filesystem::path& path) {
  if (description_ != nullptr && path == path_) return false;
  description_ = ShareFmuDescription(path);
  path_ = path;
  return true;
}

void FmuSource::Open(InterfaceKind kind, const std::string& component, const CompileOptions& compile) {
  files_ = UnpackedArchive::Open(path_);
  claims_.clear();
  held_.reset();
  no_library_.clear();
  library_.clear();
  try {
    library_ = LibraryFor(Folder(), *description_, kind, compile);
    claims_ = ProtobufClaims(library_, Key());
    held_ = HeldInProcess(claims_, library_);
    const std::vector<ProcessClaim> siblings = SiblingClaims(library_);
    claims_.insert(claims_.end(), siblings.begin(), siblings.end());
  } catch (const LoadError& error) {  // its description is still usable
    no_library_ = Error::Format({.component = component, .item = "fmu"}, error.Problem(), error.Remedy());
  }
  if (description_->Of(kind)->only_once_per_process && !IsForWindows()) {
    claims_.push_back({fmt::format("the only instance of {}", Key()), component});
  }
}

std::string FmuSource::Key() const {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path_, error);
  return error ? path_.string() : real.string();
}

}  // namespace openmi::fmi
