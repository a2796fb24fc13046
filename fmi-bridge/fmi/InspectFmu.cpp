#include "fmi-bridge/fmi/InspectFmu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "fmi-bridge/common/archive/Archive.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"

namespace openmi::fmi {

namespace fs = std::filesystem;

namespace {

/// The names of all files, in the form of an archive.
std::vector<std::string> FilesOf(const fs::path& fmu) {
  std::vector<std::string> names;
  std::error_code problem;
  if (!fs::is_directory(fmu, problem)) {
    const Archive archive(fmu);
    for (const ArchiveEntry& entry : archive.Entries()) {
      if (!entry.is_folder) names.push_back(entry.name);
    }
    return names;
  }
  for (auto at = fs::recursive_directory_iterator(fmu, problem); !problem && at != fs::recursive_directory_iterator();
       at.increment(problem)) {
    if (at->is_regular_file(problem)) names.push_back(at->path().lexically_relative(fmu).generic_string());
  }
  return names;
}

bool IsLibraryOf(std::string_view file, const std::string& identifier) {
  return std::ranges::any_of(std::array{".so", ".dll", ".dylib", ".a", ".lib"},
                             [&](const char* ending) { return file == identifier + ending; });
}

/// Whether this machine loads the library.
bool IsForHere(std::string_view platform, std::string_view file, const Interface& interface, FmiMajor version) {
  const auto ours = PlatformFolders(version);
  return std::ranges::find(ours, platform) != ours.end() && file == interface.model_identifier + ".so";
}

void FindLibraries(const std::vector<std::string>& files, LibrariesFor wanted, FmuInspection& inspection,
                   Problems& problems) {
  const ModelDescription& description = inspection.description;
  std::set<std::string> platforms;
  for (std::size_t kind = 0; kind < kInterfaceKindCount; ++kind) {
    const std::optional<Interface>& one = description.interfaces[kind];
    if (!one || one->model_identifier.empty()) continue;
    std::set<std::string> with_it;
    bool is_here = false;
    for (const std::string& file : files) {
      constexpr std::string_view kBinaries = "binaries/";
      if (!file.starts_with(kBinaries)) continue;
      const std::size_t slash = file.find('/', kBinaries.size());
      if (slash == std::string::npos) continue;
      const std::string_view name = std::string_view(file).substr(slash + 1);
      if (!IsLibraryOf(name, one->model_identifier)) continue;
      const std::string platform = file.substr(kBinaries.size(), slash - kBinaries.size());
      with_it.insert(platform);
      is_here = is_here || IsForHere(platform, name, *one, description.version);
    }
    platforms.insert(with_it.begin(), with_it.end());
    const Where where{.file = description.file, .line = one->line};
    const auto kind_name = Name(static_cast<InterfaceKind>(kind));
    if (wanted == LibrariesFor::ThisMachine) {
      if (is_here) continue;
      AddError(problems, where,
               fmt::format("expected a library binaries/{}/{}.so of {} for this machine, found {}",
                           PlatformFolders(description.version)[0], one->model_identifier, kind_name,
                           with_it.empty() ? "none" : fmt::format("one for {}", fmt::join(with_it, ", "))),
               inspection.has_sources
                   ? "build it from the sources that the FMU carries, or export the FMU for this platform"
                   : "export the FMU for this platform, or with sources");
      continue;
    }
    if (!with_it.empty()) continue;
    const std::string text =
        fmt::format("expected a library {} of {} below binaries, found none", Quoted(one->model_identifier), kind_name);
    if (inspection.has_sources) {
      AddWarning(problems, where, text, "build it from the sources that the FMU carries");
    } else {
      AddError(problems, where, text, "export the FMU with a library for your platform, or with sources");
    }
  }
  inspection.platforms.assign(platforms.begin(), platforms.end());
}

void ReportTools(const ModelDescription& description, Problems& problems) {
  for (std::size_t kind = 0; kind < kInterfaceKindCount; ++kind) {
    const std::optional<Interface>& one = description.interfaces[kind];
    if (!one || !one->needs_execution_tool) continue;
    AddWarning(problems, {.file = description.file, .line = one->line},
               fmt::format("expected an FMU that runs by itself, found one that needs {} for {} (needsExecutionTool)",
                           ToolOf(description), Name(static_cast<InterfaceKind>(kind))),
               "install that program on each machine where the FMU is to run");
  }
}

}  // namespace

FmuInspection InspectFmu(const fs::path& fmu, Problems& problems, LibrariesFor libraries) {
  FmuInspection inspection;
  inspection.description = ReadFmuDescription(fmu, problems);
  const std::vector<std::string> files = FilesOf(fmu);
  const auto any = [&](std::string_view folder) {
    return std::ranges::any_of(files, [&](const std::string& file) { return file.starts_with(folder); });
  };
  inspection.has_sources = any("sources/");
  inspection.has_documentation = any("documentation/");
  inspection.has_resources = any("resources/");
  FindLibraries(files, libraries, inspection, problems);
  ReportTools(inspection.description, problems);
  const ModelDescription& description = inspection.description;
  if (const auto& scheduled = description.Of(InterfaceKind::ScheduledExecution);
      scheduled && !description.Of(InterfaceKind::CoSimulation) && !description.Of(InterfaceKind::ModelExchange)) {
    AddWarning(problems, {.file = description.file, .line = scheduled->line},
               "expected an FMU for co-simulation or model exchange, found one for scheduled execution alone, which "
               "can be read and not run here",
               "export it for co-simulation");
  }
  std::set<Index> used;
  for (const Variable& variable : inspection.description.variables) used.insert(variable.attributes.unit);
  for (std::size_t i = 0; i < inspection.description.units.size(); ++i) {
    const UnitDefinition& unit = inspection.description.units[i];
    if (!used.contains(static_cast<Index>(i))) continue;
    const described::DescribedUnit ours = UnitOf(unit);
    if (!ours.note.empty()) {
      AddNote(problems, {.file = inspection.description.file, .line = unit.line}, "found that " + ours.note,
              "define the unit with its BaseUnit");
    }
  }
  return inspection;
}

}  // namespace openmi::fmi
