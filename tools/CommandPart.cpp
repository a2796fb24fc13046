#include "tools/CommandPart.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <string>

#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/SdkVersion.hpp"
#include "openmi/sdk/Error.hpp"
#include "tools/CommandTree.hpp"
#include "tools/Inputs.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct PartName {
  const char* name;  // of the library, the package and the option of the build
  const char* noun;  // the sub-command
};

constexpr PartName kFmi = {"fmi", "fmu"};
constexpr std::array kParts = {kFmi, PartName{"dcp", "dcp"}, PartName{"broker", "broker"}, PartName{"osmp", "osmp"},
                               PartName{"bmi", "bmi"}};

/// A part, or what was found in its place and what to do.
struct FoundPart {
  const CommandPart* part = nullptr;
  bool is_installed = false;
  std::string found;
  std::string remedy;
};

FoundPart Find(const PartName& name) {
  std::string option = name.name;
  std::ranges::transform(option, option.begin(), [](unsigned char sign) { return std::toupper(sign); });
  FoundPart result{
      .found = "found none",
      .remedy = fmt::format("install the package openmi2-{}, or build with OPENMI_WITH_{}=ON", name.name, option)};
  const std::string reinstall = fmt::format("install version {} of the package openmi2-{}", kSdkVersion, name.name);
  for (const std::string& folder : LibrarySearch::OwnFolders()) {
    const std::filesystem::path path =
        std::filesystem::path(folder) / "command" / fmt::format("openmi-command-{}.so", name.name);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    result.is_installed = true;
    // Never closed: the parser calls into it until the program ends.
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      result.found = fmt::format("found one that cannot be loaded ({})", dlerror());
      result.remedy = reinstall;
      return result;
    }
    const auto* part = static_cast<const CommandPart*>(dlsym(library, kCommandPartSymbol));
    if (part != nullptr && std::string_view(part->version) == kSdkVersion) {
      result.part = part;
      return result;
    }
    result.found = fmt::format("found version {} in '{}'", part == nullptr ? "unknown" : part->version, path.string());
    result.remedy = reinstall;
    return result;
  }
  return result;
}

}  // namespace

void AddParts(CLI::App& app, Invocation& invocation, const std::string& word) {
  const CLI::App* named = FindSubcommand(app, word);
  const bool is_noun = std::ranges::any_of(kParts, [&](const PartName& name) { return word == name.noun; });
  const bool needs_all = !is_noun && (named == nullptr || named->get_group().empty());
  for (const PartName& name : kParts) {
    const bool is_named = word == name.noun;
    if (!is_named && !needs_all && word != "new") continue;
    const FoundPart found = Find(name);
    if (found.part != nullptr) {
      found.part->add(app, invocation);
      if (found.part->add_to_new != nullptr) found.part->add_to_new(*app.get_subcommand("new"), invocation);
    } else if (is_named) {
      throw UsageFault{
          fmt::format("openmi {}: expected this part of the command, {}; {}", word, found.found, found.remedy)};
    } else if (found.is_installed) {
      PrintLine(stderr, fmt::format("openmi {} is left out: {}; {}", name.noun, found.found, found.remedy));
    }
  }
}

ssp::ImportedSystem ImportSystem(const std::filesystem::path& path, Problems& problems,
                                 const ssp::SystemOptions& options) {
  const FoundPart found = Find(kFmi);
  if (found.part == nullptr) {
    throw FormatError({.file = path.string()},
                      "expected the part of the command that reads system structures of FMUs, " + found.found,
                      found.remedy);
  }
  return found.part->import_system_structure(path, problems, options);
}

}  // namespace openmi::tools
