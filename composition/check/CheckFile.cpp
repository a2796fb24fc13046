#include "composition/check/CheckFile.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <utility>

#include "composition/check/CheckComposition.hpp"
#include "composition/check/TryInitialize.hpp"
#include "composition/link/Composition.hpp"
#include "openmi/omi/BuildText.hpp"
#include "openmi/omi/LibraryFile.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

void AddThrown(Problems& problems, const Error& error, const std::string& file) {
  Where where = error.Place();
  if (where.file.empty()) where.file = file;
  AddError(problems, where, error.Problem(), error.Remedy());
}

// Checks the library of an OMI file from its bytes.
void CheckLibrary(const OmiFile& omi, Problems& problems) {
  CheckPlatform(omi, problems);
  if (omi.assembly.empty()) {
    AddNote(problems, {.file = omi.path.string(), .line = omi.line},
            "names no Assembly: its type has to be one of this program");
    return;
  }
  const Where where{.file = omi.path.string(), .line = omi.assembly_line};
  try {
    const std::string path = LibrarySearch().Find(omi.assembly, omi.path.string(), omi.assembly_line);
    const LibraryFile library = InspectLibrary(path, where);
    if (library.symbols_known && !library.has_entry_point) {
      AddError(
          problems, where,
          fmt::format("expected a component library, found that '{}' exports no openmi_component_library_v1", path),
          "export a component with OPENMI_EXPORT_COMPONENT and build it with openmi_add_component");
    } else if (library.symbols_known) {
      const std::string remedy = BuildRemedy(HostBuildText(), library.build_text);
      if (remedy.empty()) return;
      AddError(problems, where,
               fmt::format("expected a library built as '{}', found '{}'", HostBuildText(), library.build_text),
               remedy);
    }
  } catch (const Error& error) {
    AddThrown(problems, error, omi.path.string());
  }
}

}  // namespace

Problems CheckComposition(const std::filesystem::path& path, const Variables& variables, const CheckOptions& options) {
  Problems problems;
  if (options.on_step) options.on_step("reading the composition", {});
  CompositionFile file = ReadCompositionFile(path, problems);
  const Problems found = CheckComposition(std::move(file), variables, options);
  problems.insert(problems.end(), found.begin(), found.end());
  return problems;
}

Problems CheckComposition(CompositionFile file, const Variables& variables, const CheckOptions& options) {
  Problems problems;
  std::erase_if(file.components, [&](const ComponentSpec& spec) { return options.without.contains(spec.id); });
  Composition composition(std::move(file), variables);
  composition.SetOnStep(options.on_step);
  composition.Load(problems);
  if (!options.without.empty()) return problems;
  composition.Connect(problems);
  CheckComposition(composition, problems);
  return problems;
}

Problems CheckOmi(const std::filesystem::path& path) {
  Problems problems;
  const OmiFile omi = ReadOmiFile(path, &problems);
  if (HasErrors(problems)) return problems;
  ComponentLoader loader;
  const LoadedComponent loaded = LoadOmi(loader, omi, &problems);
  if (!loaded.component || HasErrors(problems)) return problems;
  TryInitialize(*loaded.component, omi, problems);
  return problems;
}

Problems CheckOmiStatic(const std::filesystem::path& path) {
  Problems problems;
  const OmiFile omi = ReadOmiFile(path, &problems);
  if (!HasErrors(problems)) CheckLibrary(omi, problems);
  return problems;
}

Problems CheckCompositionStatic(const std::filesystem::path& path, const Variables& variables) {
  Problems problems;
  const CompositionFile file = ReadCompositionFile(path, problems);
  const Problems found = CheckCompositionStatic(file, variables);
  problems.insert(problems.end(), found.begin(), found.end());
  return problems;
}

Problems CheckCompositionStatic(const CompositionFile& file, const Variables& variables) {
  Problems problems;
  const std::filesystem::path& path = file.path;
  std::set<std::string> seen;
  for (const ComponentSpec& component : file.components) {
    const Where where{.file = path.string(), .line = component.line, .component = component.id};
    OmiFile omi;
    if (component.omi.empty()) {
      if (!seen.insert("assembly " + component.assembly).second) continue;
      omi.path = path;
      omi.type = component.type;
      omi.assembly = component.assembly;
      omi.line = omi.type_line = omi.assembly_line = component.line;
      CheckLibrary(omi, problems);
      continue;
    }
    const std::string name = Substitute(component.omi, variables, where, problems);
    const std::filesystem::path omi_path = (file.Folder() / name).lexically_normal();
    if (!seen.insert(omi_path.string()).second) continue;
    if (!std::filesystem::exists(omi_path)) {
      AddError(problems, where, fmt::format("expected an OMI file, found no '{}'", omi_path.string()),
               "check the path; it is relative to the composition");
      continue;
    }
    Problems own;
    omi = ReadOmiFile(omi_path, &own);
    if (!HasErrors(own)) CheckLibrary(omi, own);
    problems.insert(problems.end(), own.begin(), own.end());
  }
  return problems;
}

}  // namespace openmi
