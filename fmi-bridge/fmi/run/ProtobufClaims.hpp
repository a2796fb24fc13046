#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "composition/isolation/IProcessClaims.hpp"

namespace openmi::fmi {

/// The message descriptions that a library would register with a libprotobuf that others in the process share. A second
/// library that registers the same ends the process; one that brings a libprotobuf of its own inside itself has none of
/// these. Nothing is loaded: the file and the libraries that it needs are read.
/// \param library  an ELF file; what is none claims nothing
/// \param owner    of what the library itself registers; libraries that it needs own theirs, by their names
std::vector<ProcessClaim> ProtobufClaims(const std::filesystem::path& library, const std::string& owner);

/// The first of the claims that is held already by what is loaded into this process: the program itself, or a library
/// at another place, such as one of an archive that was unpacked before. What registers with protobuf mostly stays to
/// the end of the process.
/// \param library  the file that would be loaded: where it is there already, it is not loaded again
/// \returns the owner is the holder
std::optional<ProcessClaim> HeldInProcess(std::span<const ProcessClaim> claims, const std::filesystem::path& library);

/// What an ELF file says of itself; empty where it is none that can be read.
struct SharedObject {
  std::string name;                  ///< DT_SONAME
  std::vector<std::string> needed;   ///< DT_NEEDED
  std::vector<std::string> folders;  ///< DT_RUNPATH, else DT_RPATH; $ORIGIN replaced
};
SharedObject ReadSharedObject(const std::filesystem::path& file, std::string_view bytes);
SharedObject ReadSharedObject(const std::filesystem::path& file);
/// Whether a name is that of a library of the C and C++ system, which every process of ours has, or of libz, which has
/// been the same for long: whoever needs one gets that of the system.
bool IsOfTheSystem(std::string_view name);
/// Names of .proto files whose descriptions lie in the bytes, as protobuf's generated code has them: once each, sorted.
std::vector<std::string> DescribedProtoFiles(std::string_view bytes);

}  // namespace openmi::fmi
