#pragma once

#include <cstddef>
#include <string>

// What differs between the host for Windows and the one that tests build for this machine.
namespace openmi::fmi::wine {

/// Tells the runner what ends this process: of the host, for its platform. Allocates nothing.
void SendCrash(const char* text);

namespace platform {

/// Takes the standard input and output for letters, and gives what the FMU prints to the standard error.
void TakeStreams();
/// Ends this process when the runner is gone, whatever the FMU does.
/// \param runner  the number of its process
void WatchRunner(const char* runner);
/// Waits for bytes from the runner. \returns their number; 0: the runner is gone
std::size_t Read(std::byte* bytes, std::size_t size);
/// Sends bytes to the runner. \returns false if it is gone
bool Write(const std::byte* bytes, std::size_t size);
/// Ends this process at once, without the code that libraries run at its end.
[[noreturn]] void End(int code);

/// Loads a library. Those that it needs may be in its folder.
/// \param problem  receives why it is null
void* Load(const std::string& path, std::string& problem);
/// The address of a function; null if the library lacks it.
void* Find(void* library, const std::string& name);

}  // namespace platform
}  // namespace openmi::fmi::wine
