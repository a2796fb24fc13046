#pragma once

#include <string>
#include <string_view>

#include "openmi/omi/SdkVersion.hpp"

namespace openmi {

/// What a bridge brings for programs that are not linked with it: an object in a library of its own.
struct OwnPart {
  const void* object = nullptr;  ///< null: there is none that can be used
  bool is_installed = false;     ///< whether there is a file, usable or not
  std::string found;             ///< in place of the object: "found none"
  std::string remedy;
};

/// Loads a part from the folders of the SDK's own libraries, never from OPENMI_PATH. It stays loaded.
/// \param file     below one of these folders: "command/openmi-command-fmi.so"
/// \param symbol   name of the object, which starts with the version of its build, a `const char*`
/// \param bridge   for the remedy: the name of the bridge in packages and options of the build
/// \param version  the only version that is accepted
OwnPart FindOwnPart(std::string_view file, const char* symbol, std::string_view bridge,
                    std::string_view version = kSdkVersion);

}  // namespace openmi
