#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {

/// The properties of a shared library that can be read without loading it; no code of the library runs.
///
/// They come from the ELF headers and the table of dynamic symbols. Every offset is checked against the size of the
/// file.
struct LibraryFile {
  std::string path;                      ///< as given
  std::uint64_t size = 0;                ///< bytes
  std::vector<std::string> needed;       ///< libraries that it is linked with (DT_NEEDED)
  std::vector<std::string> run_paths;    ///< folders where it looks for them (DT_RUNPATH, DT_RPATH), split at colons
  bool symbols_known = false;            ///< false for a library without section headers: the next five are then empty
  bool has_entry_point = false;          ///< whether it exports `openmi_component_library_v1`
  std::vector<int> c_versions;           ///< of the entry points `openmi_c_component_<version>` that it exports
  std::string build_text;                ///< the text of `openmi_component_build_v1`; empty if it has none
  std::vector<std::string> unique;       ///< symbols bound STB_GNU_UNIQUE, which keep it in memory after it is closed
  bool uses_thread_destructors = false;  ///< has `thread_local` objects that live until their thread ends
  bool stays_loaded = false;             ///< is never unloaded (linked with -z nodelete)

  /// Whether the library looks for neighbours in its own folder.
  bool UsesOrigin() const;
};

/// Reads the properties of the library `path`. Of a script or module (Script) and of an assembly of .NET
/// (DotnetAssembly) only path and size are known.
/// \param where  the place for messages: the OMI file and its line
/// \throws LoadError  the file is not a shared library for this machine; the message says what it is (a text, a Windows
///   library, a library for another processor, a program, a truncated file)
LibraryFile InspectLibrary(const std::string& path, const Where& where = {});

}  // namespace openmi
