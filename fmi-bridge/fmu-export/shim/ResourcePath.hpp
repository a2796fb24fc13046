#pragma once

#include <string>

namespace openmi::fmu {

/// The folder that the URI of FMI 2.0 means, without slash at the end; a plain path is taken as it is. Empty for null.
std::string FolderOfUri(const char* uri);
/// The folder that the path of FMI 3.0 means, without slash at the end. Empty for null.
std::string FolderOfPath(const char* path);

}  // namespace openmi::fmu
