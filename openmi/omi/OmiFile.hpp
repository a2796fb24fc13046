#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// The XML namespace of the OMI files of OpenMI 2.0.
inline constexpr std::string_view kOmiNamespace = "http://www.openmi.org/v2_0";

/// An argument in an OMI file.
struct OmiArgument {
  std::string key;         ///< id of the argument
  std::string value;       ///< its value as a string
  bool read_only = false;  ///< users may not change it
  int line = 0;            ///< 0 when not read from a file

  bool operator==(const OmiArgument&) const = default;
};

/// The content of an OMI file: the class of the component, its library, and its arguments.
///
/// Source: schema LinkableComponent.xsd, version 2.0.0.0, namespace http://www.openmi.org/v2_0.
struct OmiFile {
  std::filesystem::path path;  ///< as given to the reader
  std::string type;            ///< the class to create; may be empty, as the schema allows
  std::string assembly;        ///< path relative to the OMI file, or name of a library; always with '/'
  std::string java_archive;    ///< for components in Java; stored, not used
  std::vector<OmiArgument> arguments;
  std::vector<std::string> platforms;  ///< empty: every platform
  int line = 0;                        ///< of the root element
  int type_line = 0;
  int assembly_line = 0;
  int platforms_line = 0;
  Problems notes;  ///< what the reader accepted although the schema does not allow it

  /// The folder of the OMI file, to which relative paths in the file refer; "." for a bare file name.
  std::filesystem::path Folder() const;
  /// `path_text` as a path: absolute paths unchanged, relative ones from `Folder()`; backslashes become slashes.
  std::filesystem::path Resolve(std::string_view path_text) const;
  /// The argument with this key, or null; the last one when the key occurs more than once.
  const OmiArgument* Argument(std::string_view key) const;
};

/// Reads an OMI file and checks it against LinkableComponent.xsd.
///
/// Common variants are read with a warning: a root element without namespace, or in http://www.openmi.org or the
/// namespace of 1.4; `id` for `Key`; backslashes in paths.
/// \param problems  receives all problems, errors included; then nothing is thrown. May be null
/// \returns the content, as far as it can be read
/// \throws FileError    only without `problems`: the file cannot be read
/// \throws FormatError  only without `problems`: the first error in the file
OmiFile ReadOmiFile(const std::filesystem::path& path, Problems* problems = nullptr);

/// As `ReadOmiFile`, from memory.
/// \param path  for messages and `Folder()`; need not exist
OmiFile ReadOmiText(std::string_view bytes, const std::filesystem::path& path, Problems* problems = nullptr);

/// Adds an error when the file lists platforms and none of them is the platform of this machine.
void CheckPlatform(const OmiFile& file, Problems& problems);

/// The OMI file as text, valid against LinkableComponent.xsd. Reading the text gives the same content again.
/// \throws FormatError  the schema does not know a platform, or XML cannot represent a text
std::string OmiText(const OmiFile& file);

}  // namespace openmi
