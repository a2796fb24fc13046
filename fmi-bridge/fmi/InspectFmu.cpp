#include "fmi-bridge/fmi/InspectFmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "fmi-bridge/archive/Archive.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/FmuUnits.hpp"

namespace openmi::fmi {

namespace fs = std::filesystem;

namespace {

/// Names of all files, as an archive writes them.
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

void FindLibraries(const std::vector<std::string>& files, FmuInspection& inspection, Problems& problems) {
  std::set<std::string> platforms;
  for (std::size_t kind = 0; kind < kInterfaceKindCount; ++kind) {
    const std::optional<Interface>& one = inspection.description.interfaces[kind];
    if (!one || one->model_identifier.empty()) continue;
    bool is_there = false;
    for (const std::string& file : files) {
      constexpr std::string_view kBinaries = "binaries/";
      if (!file.starts_with(kBinaries)) continue;
      const std::size_t slash = file.find('/', kBinaries.size());
      if (slash == std::string::npos || !IsLibraryOf(std::string_view(file).substr(slash + 1), one->model_identifier)) {
        continue;
      }
      platforms.insert(file.substr(kBinaries.size(), slash - kBinaries.size()));
      is_there = true;
    }
    if (is_there) continue;
    const std::string text = fmt::format("expected a library {} of {} below binaries, found none",
                                         Quoted(one->model_identifier), Name(static_cast<InterfaceKind>(kind)));
    if (inspection.has_sources) {
      AddWarning(problems, {.file = inspection.description.file, .line = one->line}, text,
                 "build it from the sources that the FMU carries");
    } else {
      AddError(problems, {.file = inspection.description.file, .line = one->line}, text,
               "export the FMU with a library for your platform, or with sources");
    }
  }
  inspection.platforms.assign(platforms.begin(), platforms.end());
}

}  // namespace

FmuInspection InspectFmu(const fs::path& fmu, Problems& problems) {
  FmuInspection inspection;
  inspection.description = ReadFmuDescription(fmu, problems);
  const std::vector<std::string> files = FilesOf(fmu);
  const auto any = [&](std::string_view folder) {
    return std::ranges::any_of(files, [&](const std::string& file) { return file.starts_with(folder); });
  };
  inspection.has_sources = any("sources/");
  inspection.has_documentation = any("documentation/");
  inspection.has_resources = any("resources/");
  FindLibraries(files, inspection, problems);
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
