#include "fmi-bridge/fmi/ssp/ImportSystemStructure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "composition/link/Variables.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"
#include "fmi-bridge/fmi/ssp/OspStructure.hpp"
#include "fmi-bridge/fmi/ssp/SystemStructure.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi::ssp {

namespace fs = std::filesystem;

namespace {

constexpr double kOriginMjd = 51544.0;  // 2000-01-01T00:00Z

/// The package and those inside it, which are kept as long as the outer one.
class Packages {
 public:
  /// \param named  path as the user knows it
  void Add(std::shared_ptr<const UnpackedArchive> package, fs::path named) {
    all_.push_back({std::move(package), std::move(named)});
  }
  const UnpackedArchive& Outer() const { return *all_.front().package; }

  /// \throws ArgumentError  there is no description of that name
  fs::path DescriptionIn(const std::string& name) const {
    const fs::path folder = Outer().Folder();
    if (name.empty()) return folder / "SystemStructure.ssd";
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".ssd") names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    if (std::ranges::find(names, name) != names.end()) return folder / name;
    throw ArgumentError({.file = all_.front().named.string()},
                        fmt::format("expected a description of the package, found {}", Quoted(name)),
                        Suggest(name, names));
  }

  /// The name of a file of a package for messages: the path of the package, and the name of the file inside it.
  std::string NamedByUser(const std::string& file) const {
    std::string name = file;
    for (std::size_t i = all_.size(); i-- > 0;) {  // inner packages first: they are inside the outer one
      const fs::path& named = all_[i].named;
      for (const fs::path& folder :
           {all_[i].package->Folder(), named.empty() ? fs::current_path() : fs::absolute(named)}) {
        const std::string prefix = folder.string() + "/";
        if (!name.starts_with(prefix)) continue;
        name = (all_[i].named / name.substr(prefix.size())).string();
        break;
      }
    }
    return name;
  }

 private:
  struct Named {
    std::shared_ptr<const UnpackedArchive> package;
    fs::path named;
  };
  std::vector<Named> all_;
};

/// The system of one FMU, as if a description listed its outputs.
Structure SystemOf(const fs::path& path) {
  Problems ignored;  // reported when the component reads it
  const fmi::ModelDescription model = fmi::ReadFmuDescription(path, ignored);
  Element fmu;
  fmu.kind = Element::Kind::Component;
  fmu.name = path.stem().string();
  fmu.fmu = path;
  fmu.file = path.string();
  for (const fmi::Variable& variable : model.variables) {
    if (variable.causality == fmi::Causality::Output) fmu.connectors.push_back({variable.name, "output", {}});
  }
  Structure structure;
  structure.name = model.model_name;
  structure.system.file = path.string();
  structure.system.elements.push_back(std::move(fmu));
  const double seconds = fmi::SecondsPerTimeUnit(model);
  if (model.experiment.start) structure.start = *model.experiment.start * seconds;
  if (model.experiment.stop) structure.stop = *model.experiment.stop * seconds;
  return structure;
}

/// Reads the structure; the packages are open afterwards, also after an exception.
ReadPackage Read(const fs::path& path, const std::string& description, const fs::path& within, Packages& packages,
                 Problems& problems) {
  fs::path ssd = path;
  const bool is_fmu = path.extension() == ".fmu";
  const bool is_alone = path.extension() == ".ssd" || IsOspStructure(path);
  if (is_fmu || is_alone) {
    if (!description.empty()) {
      throw ArgumentError({.file = path.string()},
                          fmt::format("expected a package (.ssp) to choose {} from, found {}", Quoted(description),
                                      is_fmu ? "an FMU" : "a description"),
                          is_fmu ? "leave the description out" : "name the .ssd itself");
    }
    packages.Add(UnpackedArchive::Open(fs::absolute(path).parent_path()), path.parent_path());
  } else {
    packages.Add(UnpackedArchive::Open(path), path);
    ssd = packages.DescriptionIn(description);
  }
  if (!within.empty() && !is_alone) {
    throw ArgumentError({.file = path.string()},
                        "expected a description (.ssd) whose sources may lead out of its folder, found another file",
                        "a package contains its files: leave the folder out");
  }
  const fs::path root = fs::canonical(within.empty() ? packages.Outer().Folder() : within);
  StructureReader reader(root, problems);
  struct Taken {  // also after an exception, because problems must name files as the user knows them
    StructureReader& reader;
    Packages& packages;
    ~Taken() {
      for (const auto& one : reader.TakePackages()) packages.Add(one, one->Source());
    }
  } const taken{reader, packages};
  ReadPackage read;
  read.structure = is_fmu                 ? SystemOf(fs::absolute(path))
                   : IsOspStructure(path) ? OspReader(root, problems).Read(fs::absolute(path))
                                          : reader.Read(fs::absolute(ssd));
  read.units = reader.Units();
  read.file = ssd;
  return read;
}

/// Calls `read` with packages; problems and errors then name files as the user knows them.
template <class Reading>
auto WithNamedFiles(Problems& problems, Reading read) {
  auto packages = std::make_shared<Packages>();
  const std::size_t before = problems.size();
  const auto name_files = [&] {
    for (std::size_t i = before; i < problems.size(); ++i) {
      problems[i].where.file = packages->NamedByUser(problems[i].where.file);
    }
  };
  const auto renamed = [&](const Error& error) {
    Where where = error.Place();
    where.file = packages->NamedByUser(where.file);
    return where;
  };
  try {
    auto result = read(*packages);
    name_files();
    result.package = std::shared_ptr<const UnpackedArchive>(packages, &packages->Outer());
    return std::pair(std::move(result), packages);
  } catch (const FormatError& error) {
    name_files();
    throw FormatError(renamed(error), error.Problem(), error.Remedy());
  } catch (const FileError& error) {
    name_files();
    throw FileError(renamed(error), error.Problem(), error.Remedy());
  }
}

ImportedSystem AsComposition(const fs::path& path, const SystemOptions& options, const ReadPackage& read,
                             Problems& problems) {
  const Structure& structure = read.structure;
  const fs::path& ssd = read.file;
  FlatSystem flat = Flatten(structure, read.units, options, problems);
  ImportedSystem imported;
  imported.composition = std::move(flat.file);
  CompositionFile& file = imported.composition;
  file.caption = structure.name;
  file.id = (options.description.empty() ? path.stem() : fs::path(options.description).stem()).string();
  std::ranges::replace_if(
      file.id, [](char c) { return c == '.' || c == ' ' || c == '\t'; }, '_');
  if (file.components.empty()) {
    AddWarning(problems, {.file = ssd.string(), .line = structure.system.line},
               "expected components in the system, found none: there is nothing to run",
               "add a Component with the source of an FMU");
  }
  RunSpec run;
  run.line = structure.line;
  const double start = options.start.value_or(structure.start.value_or(0.0));
  const std::optional<double> given_stop = options.stop ? options.stop : structure.stop;
  double stop = given_stop.value_or(flat.latest_stop);
  if (!given_stop) {
    if (!(stop > start)) stop = start + 1.0;
    AddNote(problems, {.file = ssd.string(), .line = structure.line},
            fmt::format("expected {}, found none; the run ends at {} s",
                        structure.version.starts_with("OSP") ? "EndTime" : "a DefaultExperiment with stopTime", stop),
            "write one, or use --stop-time");
  }
  if (!(stop > start)) {
    AddError(problems, {.file = ssd.string(), .line = structure.line},
             fmt::format("expected an end of the run after its start at {} s, found {} s", start, stop),
             "correct startTime or stopTime, or use --start-time and --stop-time");
    stop = start + 1.0;
  }
  run.from = Stamp{kOriginMjd} + Seconds(start);
  run.to = Stamp{kOriginMjd} + Seconds(stop);
  for (ComponentSpec& component : file.components) {
    // Values and paths are third-party texts: variables of the user must not be replaced in them.
    for (ArgumentSpec& argument : component.arguments) argument.value = AsItIs(argument.value);
    if (component.type == "openmi.fmi.Fmu")
      component.arguments.push_back({"epoch", "2000-01-01T00:00Z", component.line});
  }
  // In a cycle of requests no component can be the first.
  std::set<std::string> givers;
  for (const LinkSpec& link : file.links) givers.insert(link.from.component);
  if (!file.components.empty() && givers.size() == file.components.size()) run.mode = RunMode::Step;
  file.run = run;
  file.path = ssd;
  return imported;
}

}  // namespace

ReadPackage ReadSystemStructure(const fs::path& path, const std::string& description, const fs::path& within,
                                Problems& problems) {
  return WithNamedFiles(problems, [&](Packages& all) { return Read(path, description, within, all, problems); }).first;
}

ImportedSystem ImportSystemStructure(const fs::path& path, Problems& problems, const SystemOptions& options) {
  auto [imported, packages] = WithNamedFiles(problems, [&](Packages& all) {
    return AsComposition(path, options, Read(path, options.description, options.within, all, problems), problems);
  });
  imported.composition.path = packages->NamedByUser(imported.composition.path.string());
  return std::move(imported);
}

}  // namespace openmi::ssp
