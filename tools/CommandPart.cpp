#include "tools/CommandPart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "openmi/omi/OwnPart.hpp"
#include "tools/CommandTree.hpp"
#include "tools/Inputs.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct PartName {
  const char* name;                  // of the library, the package and the option of the build
  std::array<const char*, 2> nouns;  // the sub-commands; the second may be empty
  bool Has(const std::string& word) const { return !word.empty() && (word == nouns[0] || word == nouns[1]); }
};

constexpr std::array kParts = {PartName{"fmi", {"fmu", "ssp"}},    PartName{"dcp", {"dcp", ""}},
                               PartName{"broker", {"broker", ""}}, PartName{"osmp", {"osmp", ""}},
                               PartName{"bmi", {"bmi", ""}},       PartName{"study", {"study", ""}},
                               PartName{"studio", {"studio", ""}}};

OwnPart Find(const PartName& name) {
  return FindOwnPart(fmt::format("command/openmi-command-{}.so", name.name), kCommandPartSymbol, name.name);
}

}  // namespace

void AddParts(CLI::App& app, Invocation& invocation, const std::string& word) {
  const CLI::App* named = FindSubcommand(app, word);
  const bool is_noun = std::ranges::any_of(kParts, [&](const PartName& name) { return name.Has(word); });
  const bool needs_all = !is_noun && (named == nullptr || named->get_group().empty());
  for (const PartName& name : kParts) {
    const bool is_named = name.Has(word);
    if (!is_named && !needs_all && word != "new") continue;
    const OwnPart found = Find(name);
    if (const auto* part = static_cast<const CommandPart*>(found.object)) {
      part->add(app, invocation);
      if (part->add_to_new != nullptr) part->add_to_new(*app.get_subcommand("new"), invocation);
    } else if (is_named) {
      throw UsageFault{
          fmt::format("openmi {}: expected this part of the command, {}; {}", word, found.found, found.remedy)};
    } else if (found.is_installed) {
      PrintLine(stderr, fmt::format("openmi {} is left out: {}; {}", name.nouns[0], found.found, found.remedy));
    }
  }
}

}  // namespace openmi::tools
