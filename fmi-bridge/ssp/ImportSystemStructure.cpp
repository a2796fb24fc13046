#include "fmi-bridge/ssp/ImportSystemStructure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fmi-bridge/ssp/FlatSystem.hpp"
#include "fmi-bridge/ssp/SystemStructure.hpp"

namespace openmi::ssp {

namespace fs = std::filesystem;

namespace {

constexpr double kOriginMjd = 51544.0;  // 2000-01-01T00:00Z
constexpr double kSecondsPerDay = 86400.0;

/// Keeps the packages inside a package as long as the outer one.
struct Packages {
  std::shared_ptr<const UnpackedArchive> outer;
  std::vector<std::shared_ptr<const void>> inner;
};

}  // namespace

bool IsSystemStructure(const fs::path& path) {
  return path.extension() == ".ssp" || path.extension() == ".ssd";
}

ImportedSystem ImportSystemStructure(const fs::path& path, Problems& problems) {
  auto packages = std::make_shared<Packages>();
  fs::path ssd = path;
  if (path.extension() != ".ssd") {
    packages->outer = UnpackedArchive::Open(path);
    ssd = packages->outer->Folder() / "SystemStructure.ssd";
  } else {
    packages->outer = UnpackedArchive::Open(fs::absolute(path).parent_path());
  }
  StructureReader reader(fs::canonical(packages->outer->Folder()), problems);
  const Structure structure = reader.Read(fs::absolute(ssd));
  packages->inner = reader.TakePackages();
  FlatSystem flat(structure, reader.Units(), problems);
  ImportedSystem imported;
  imported.composition = flat.Make();
  CompositionFile& file = imported.composition;
  file.path = path;
  file.caption = structure.name;
  file.id = path.stem().string();
  std::ranges::replace_if(
      file.id, [](char c) { return c == '.' || c == ' ' || c == '\t'; }, '_');
  RunSpec run;
  run.line = structure.line;
  const double start = structure.start.value_or(0.0);
  double stop = structure.stop.value_or(flat.LatestStop());
  if (!structure.stop) {
    if (!(stop > start)) stop = start + 1.0;
    AddNote(problems, {.file = ssd.string(), .line = structure.line},
            fmt::format("expected a DefaultExperiment with stopTime, found none; the run ends at {} s", stop),
            "write one, or say when the run ends");
  }
  if (!(stop > start)) {
    AddError(problems, {.file = ssd.string(), .line = structure.line},
             fmt::format("expected a stopTime behind the startTime {}, found {}", start, stop),
             "correct one of the two");
    stop = start + 1.0;
  }
  run.from_mjd = kOriginMjd + start / kSecondsPerDay;
  run.to_mjd = kOriginMjd + stop / kSecondsPerDay;
  for (ComponentSpec& component : file.components) {
    component.arguments.push_back({"epoch", "2000-01-01T00:00Z", component.line});
  }
  // Where everybody is asked by somebody, nobody can be asked first.
  std::set<std::string> givers;
  for (const LinkSpec& link : file.links) givers.insert(link.from.component);
  if (!file.components.empty() && givers.size() == file.components.size()) run.mode = RunMode::Step;
  file.run = run;
  imported.package = std::shared_ptr<const UnpackedArchive>(packages, packages->outer.get());
  return imported;
}

}  // namespace openmi::ssp
