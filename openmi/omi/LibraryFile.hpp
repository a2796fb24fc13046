#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {

/// What can be known of a shared library without loading it: no code of the library runs. Read from its ELF headers and
/// its table of dynamic symbols, every offset checked against the size of the file.
struct LibraryFile {
  std::string path;                      ///< as it was given
  std::uint64_t size = 0;                ///< bytes
  std::vector<std::string> needed;       ///< libraries it is linked with (DT_NEEDED)
  std::vector<std::string> run_paths;    ///< where it looks for them (DT_RUNPATH, DT_RPATH), split at colons
  bool symbols_known = false;            ///< false for a library without section headers: the next four are then empty
  bool has_entry_point = false;          ///< whether it exports `openmi_component_library_v1`
  std::string build_text;                ///< the text of `openmi_component_build_v1`; empty if it has none
  std::vector<std::string> unique;       ///< symbols bound STB_GNU_UNIQUE, which keep it in memory after it was closed
  bool uses_thread_destructors = false;  ///< has `thread_local` objects that live until their thread ends
  bool stays_loaded = false;             ///< asks never to be unloaded (linked with -z nodelete)

  /// Whether it looks for its neighbours in its own folder.
  bool UsesOrigin() const;
};

/// Reads what can be known of `path`.
/// \param where  whom to name in messages: the OMI file and its line
/// \throws LoadError  it is no shared library for this machine; the message says what it is instead (a text, a Windows
///                    library, one for another processor, a program, a truncated file)
LibraryFile InspectLibrary(const std::string& path, const Where& where = {});

}  // namespace openmi
