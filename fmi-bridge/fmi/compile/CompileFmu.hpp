#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>

#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// Whether and how sources of an FMU are compiled.
struct CompileOptions {
  bool is_allowed = false;           ///< otherwise an FMU without a library for this machine is an error
  std::string compiler = {};         ///< program, for C and C++; empty: "cc"
  std::filesystem::path cache = {};  ///< keeps libraries; empty: $XDG_CACHE_HOME/openmi/fmus, else ~/.cache/openmi/fmus
  std::chrono::seconds time{300};    ///< of all calls of the compiler together
  std::size_t memory = std::size_t{4} << 30;  ///< bytes of address space of each call
};

/// The library of an FMU for this machine: that in its unpacked folder, else, if that is allowed, one compiled from its
/// sources.
///
/// The compiler works in processes of its own, on copies of the headers of FMI where the FMU brings none. The library
/// is kept under the hash of all that it was made of: sources, headers, arguments, and the compiler with its version.
/// Libraries that were not used for 90 days are removed when another one is kept.
/// May be called by any thread.
/// \throws LoadError    there is no library, or the sources do not compile; has the first messages of the compiler
/// \throws FormatError  the FMU does not say what to compile
/// \throws FileError    the cache cannot be used, or others may write to it
std::filesystem::path LibraryFor(const std::filesystem::path& folder, const ModelDescription& description,
                                 InterfaceKind kind, const CompileOptions& options);

}  // namespace openmi::fmi
