#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "composition/isolation/IProcessClaims.hpp"

namespace openmi::fmi {

/// The message descriptions that a library would register with a libprotobuf that it shares with others in the process.
///
/// A second library that registers the same description ends the process; a library that contains its own libprotobuf
/// registers none of these. Loads nothing: reads the file and the libraries that it needs.
/// \param library  an ELF file; another file has no claims
/// \param owner    owner of what the library itself registers; libraries that it needs own their descriptions, by name
std::vector<ProcessClaim> ProtobufClaims(const std::filesystem::path& library, const std::string& owner);

/// The first of the claims that is already held by code in this process.
///
/// The holder is the program itself, or a library at another path, such as one of an archive that was unpacked before.
/// What registers with protobuf mostly stays until the end of the process.
/// \param library  the file that would be loaded; if it is loaded already, it is not loaded again
/// \returns a claim whose owner is the holder
std::optional<ProcessClaim> HeldInProcess(std::span<const ProcessClaim> claims, const std::filesystem::path& library);

/// The dependencies in an ELF file; empty if it is not a readable one.
struct SharedObject {
  std::string name;                  ///< DT_SONAME
  std::vector<std::string> needed;   ///< DT_NEEDED
  std::vector<std::string> folders;  ///< DT_RUNPATH, else DT_RPATH; $ORIGIN replaced
};
/// Reads the dependencies of an ELF file.
/// \param bytes  the content of `file`
SharedObject ReadSharedObject(const std::filesystem::path& file, std::string_view bytes);
SharedObject ReadSharedObject(const std::filesystem::path& file);
/// The folders in a configuration file of the loader, and in those that it includes, in their order; none if there is
/// no such file.
/// \param file  "/etc/ld.so.conf", or one like it
/// Source: ldconfig(8).
std::vector<std::string> ConfiguredFolders(const std::filesystem::path& file);
/// Whether a library belongs to the C and C++ system, which every process of this SDK has, or is libz.
///
/// libz has been compatible for long, so that libraries can use that of the system.
bool IsOfTheSystem(std::string_view name);
/// The names of .proto files whose descriptions are in the bytes, as generated code of protobuf has them; sorted, each
/// once.
std::vector<std::string> DescribedProtoFiles(std::string_view bytes);

}  // namespace openmi::fmi
