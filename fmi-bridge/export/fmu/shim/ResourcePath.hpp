#pragma once

#include <string>

namespace openmi::fmu {

/// The folder that the URI of FMI 2.0 names, without slash at the end; a plain path is returned unchanged. Empty for
/// null.
std::string FolderOfUri(const char* uri);
/// The folder that the path of FMI 3.0 names, without slash at the end. Empty for null.
std::string FolderOfPath(const char* path);

}  // namespace openmi::fmu
