// The part of the bridge that the loader of components uses.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "dotnet-bridge/plugin/Border.hpp"
#include "dotnet-bridge/plugin/Component.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dotnet {

const Border& TheBorder() {
  static const Border border;
  return border;
}

Thing::~Thing() {
  if (number_ == 0) return;
  try {
    TheBorder().Release(number_);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): it stays kept
  }
}

namespace {

/// The interfaces that a component brings with it, so that it finds the ones it was built with; else those of the
/// bridge.
std::string StandardBeside(const std::string& path) {
  const std::filesystem::path beside = std::filesystem::path(path).parent_path() / "OpenMI.Standard2.dll";
  std::error_code error;
  return std::filesystem::is_regular_file(beside, error) ? beside.string() : std::string();
}

std::vector<std::string> Types(const std::string& path) {
  Mono::Start(StandardBeside(path));
  return TheBorder().Types(path);
}

std::vector<std::string> References(const std::string& path) {
  return TheBorder().References(path);
}

}  // namespace
}  // namespace openmi::dotnet

extern "C" [[gnu::visibility("default")]] const openmi::DotnetRuntime openmi_dotnet_runtime;
const openmi::DotnetRuntime openmi_dotnet_runtime{openmi::kSdkVersion, &openmi::dotnet::Types,
                                                  &openmi::dotnet::References, &openmi::dotnet::MakeComponent};
