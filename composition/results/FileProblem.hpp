#pragma once

#include <filesystem>
#include <string_view>

namespace openmi {

/// Throws a FileError for a failed call of the operating system.
/// \param wanted  the task that failed: "write results"
/// \param error   errno of the call
/// \param intact  what is not lost, as a clause; may be empty
[[noreturn]] void ThrowFileProblem(const std::filesystem::path& path, std::string_view wanted, int error,
                                   std::string_view intact = {});

/// Throws a FileError for a file of results that is there already and is not to be replaced.
[[noreturn]] void RefuseEarlierResults(const std::filesystem::path& path);

/// Makes the creation, renaming or removal of files in a folder permanent on disk, so that it outlives a power failure.
///
/// Does nothing on file systems that report that they cannot do it.
/// \throws FileError  the disk failed, or is full
void SyncFolder(const std::filesystem::path& folder);

}  // namespace openmi
