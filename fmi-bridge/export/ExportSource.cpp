#include "fmi-bridge/export/ExportSource.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::exported {
namespace {

namespace fs = std::filesystem;

bool IsOmi(const fs::path& path) {
  if (path.extension() == ".omi") return true;
  std::ifstream file(path, std::ios::binary);
  std::string begin(65536, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  return begin.find("<Composition") == std::string::npos && begin.find("LinkableComponent") != std::string::npos;
}

/// Makes a composition of one component.
CompositionFile Alone(const ExportOptions& options) {
  CompositionFile file;
  const fs::path path = fs::absolute(options.source).lexically_normal();
  file.path = path.parent_path() / "composition.xml";
  file.id = path.stem().string();
  ComponentSpec component;
  component.id = ModelIdentifier(file.id);
  component.omi = path.filename().string();
  file.components.push_back(std::move(component));
  constexpr Stamp kBegin{51544.0};  // 2000-01-01
  RunSpec run;
  run.from = options.from.value_or(kBegin);
  run.to = options.to.value_or(*run.from + Days{365.0});
  file.run = run;
  return file;
}

/// Removes the links of chosen inputs.
void FreeInputs(CompositionFile& file, const ExportOptions& options, Problems& problems) {
  if (!options.inputs) return;
  std::erase_if(file.links, [&](const LinkSpec& link) {
    if (std::ranges::find(*options.inputs, link.to.Text()) == options.inputs->end()) return false;
    AddNote(problems, {.file = file.path.string(), .line = link.line},
            fmt::format("{} is fed by the importer of the FMU, in place of this link", link.to.Text()));
    return true;
  });
}

}  // namespace

ExportSource ReadExportSource(const ExportOptions& options, Problems& problems) {
  if (!fs::exists(options.source)) {
    throw FileError({.file = options.source.string()}, "expected a composition or an OMI file, found none");
  }
  const bool is_single = IsOmi(options.source);
  CompositionFile file = is_single ? Alone(options) : ReadCompositionFile(options.source, problems);
  ThrowIfErrors(problems);
  if (!file.run) {
    throw FormatError({.file = file.path.string()}, "expected a Run element, found none",
                      "add <Run From=\"...\" To=\"...\"/>");
  }
  ExportOptions chosen = options;
  if (is_single && chosen.inputs) {
    for (std::string& input : *chosen.inputs) {
      const std::string prefix = file.components.front().id + ".";
      if (input.starts_with(prefix)) input.erase(0, prefix.size());
    }
  }
  FreeInputs(file, chosen, problems);
  return {.file = std::move(file), .is_single = is_single, .options = std::move(chosen)};
}

void LeaveToMaster(CompositionFile& file) {
  file.observes.clear();
  file.compares.clear();
  file.checkpoints.reset();
  file.results = {};
  file.run->pace.reset();
}

std::vector<std::string> TriggersOf(const Composition& composition, const ExportInterface& interface) {
  std::vector<std::size_t> triggers = composition.Triggers();
  for (const ExportedVariable& variable : interface.variables) {
    if (variable.role != VariableRole::Output) continue;
    const std::size_t number = composition.IndexOf(variable.component).value();
    if (!composition.Graph().UpstreamOf(triggers)[number]) triggers.push_back(number);
  }
  std::vector<std::string> ids;
  for (const std::size_t number : triggers) ids.push_back(composition.Instances()[number].Id());
  return ids;
}

}  // namespace openmi::exported
