#include "fmi-bridge/fmi/ThisMachine.hpp"

#include "openmi/sdk/Problem.hpp"

namespace openmi::fmi {
namespace {

#if defined(__x86_64__)
constexpr const char* kOldPlatform = "linux64";
constexpr const char* kTuple = "x86_64-linux";
#elif defined(__aarch64__)
constexpr const char* kOldPlatform = "aarch64-linux";
constexpr const char* kTuple = "aarch64-linux";
#elif defined(__i386__)
constexpr const char* kOldPlatform = "linux32";
constexpr const char* kTuple = "x86-linux";
#else
constexpr const char* kOldPlatform = "unknown";
constexpr const char* kTuple = "unknown";
#endif

}  // namespace

std::array<const char*, 2> PlatformFolders(FmiMajor version) {
  if (version == FmiMajor::Fmi3) return {kTuple, kOldPlatform};
  return {kOldPlatform, kTuple};
}

std::string ToolOf(const ModelDescription& description) {
  return description.generation_tool.empty() ? "the program it was exported from"
                                             : "the program " + Quoted(description.generation_tool);
}

}  // namespace openmi::fmi
