#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// The namespace of OMI files of OpenMI 2.0.
inline constexpr std::string_view kOmiNamespace = "http://www.openmi.org/v2_0";

/// An argument as an OMI file gives it.
struct OmiArgument {
  std::string key;         ///< Id of the argument
  std::string value;       ///< its value as a string
  bool read_only = false;  ///< users may not change it
  int line = 0;            ///< 0 when not read from a file

  bool operator==(const OmiArgument&) const = default;
};

/// What an OMI file says: which class to make a component of, where its code lies, and what to start it with.
///
/// Source: schema LinkableComponent.xsd, version 2.0.0.0, namespace http://www.openmi.org/v2_0.
struct OmiFile {
  std::filesystem::path path;  ///< as given to the reader
  std::string type;            ///< class to make an object of; may be empty, as the schema allows
  std::string assembly;        ///< path relative to the OMI file, or name of a library; with '/' whatever was written
  std::string java_archive;    ///< for components in Java; kept, not used
  std::vector<OmiArgument> arguments;
  std::vector<std::string> platforms;  ///< empty: every platform
  int line = 0;                        ///< of the root element
  int type_line = 0;
  int assembly_line = 0;
  int platforms_line = 0;
  Problems notes;  ///< what the reader accepted although it is not as the schema wants it

  /// The folder of the OMI file, which relative paths in it are relative to; "." for a bare name.
  std::filesystem::path Folder() const;
  /// `path_text` as a path: absolute ones unchanged, relative ones against Folder(); backslashes become slashes.
  std::filesystem::path Resolve(std::string_view path_text) const;
  /// The argument with this key, the last one if it stands there several times, or null.
  const OmiArgument* Argument(std::string_view key) const;
};

/// Reads an OMI file and checks it against LinkableComponent.xsd. Variants met in practice are read with a warning: a
/// root without namespace or in http://www.openmi.org or the namespace of 1.4, `id` for `Key`, backslashes in paths.
/// \param problems  receives everything found, errors too, and nothing is thrown; or null
/// \returns what could be read
/// \throws FileError, FormatError  only without `problems`, for the first error
OmiFile ReadOmiFile(const std::filesystem::path& path, Problems* problems = nullptr);

/// The same from memory. \param path  for messages and Folder(); need not exist
OmiFile ReadOmiText(std::string_view bytes, const std::filesystem::path& path, Problems* problems = nullptr);

/// Adds an error when the file lists platforms and none of them is this machine's.
void CheckPlatform(const OmiFile& file, Problems& problems);

/// The OMI file as text, valid against LinkableComponent.xsd; reading it gives the same file again.
/// \throws FormatError  a platform the schema does not know, or text that XML cannot hold
std::string OmiText(const OmiFile& file);

/// Writes OmiText to `path`. \throws FileError  not writable
void WriteOmiFile(const OmiFile& file, const std::filesystem::path& path);

}  // namespace openmi
