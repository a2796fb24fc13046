#include "fmi-bridge/fmu-export/ExportFmu.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

#include "composition/results/FileHash.hpp"
#include "composition/run/Composition.hpp"
#include "fmi-bridge/fmu-export/CollectInterface.hpp"
#include "fmi-bridge/fmu-export/DescriptionXml.hpp"
#include "fmi-bridge/fmu-export/PackedModel.hpp"
#include "fmi-bridge/fmu-export/RuntimeFiles.hpp"
#include "fmi-bridge/archive/WriteArchive.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/Iso8601.hpp"

namespace openmi::fmu {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "openmi-export-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw FileError({.file = name}, "expected a folder for temporary files, found that none can be made",
                      "set TMPDIR to a folder that can be written");
    }
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& Path() const { return path_; }

 private:
  fs::path path_;
};

std::int64_t MakingTime() {
  if (const char* given = std::getenv("SOURCE_DATE_EPOCH"); given != nullptr) {
    std::int64_t seconds = 0;
    const std::string_view text(given);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error == std::errc() && end == text.data() + text.size() && seconds >= 0) return seconds;
  }
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string IsoSeconds(std::int64_t seconds) {
  constexpr double kEpochMjd = 40587.0;  // 1970-01-01
  const std::string text = FormatIsoTime(kEpochMjd + static_cast<double>(seconds) / kSecondsPerDay);
  return text.size() == 17 ? text.substr(0, 16) + ":00Z" : text;  // xs:dateTime has seconds
}

bool IsOmi(const fs::path& path) {
  if (path.extension() == ".omi") return true;
  std::ifstream file(path, std::ios::binary);
  std::string begin(65536, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  return begin.find("<Composition") == std::string::npos && begin.find("LinkableComponent") != std::string::npos;
}

/// A composition of one component.
CompositionFile Alone(const ExportOptions& options) {
  CompositionFile file;
  const fs::path path = fs::absolute(options.source).lexically_normal();
  file.path = path.parent_path() / "composition.xml";
  file.id = path.stem().string();
  ComponentSpec component;
  component.id = ModelIdentifier(file.id);
  component.omi = path.filename().string();
  file.components.push_back(std::move(component));
  constexpr double kBegin = 51544.0;  // 2000-01-01
  RunSpec run;
  run.from_mjd = options.from_mjd.value_or(kBegin);
  run.to_mjd = options.to_mjd.value_or(run.from_mjd + 365.0);
  file.run = run;
  return file;
}

/// Chosen inputs that are linked lose their link.
void FreeInputs(CompositionFile& file, const ExportOptions& options, Problems& problems) {
  if (!options.inputs) return;
  std::erase_if(file.links, [&](const LinkSpec& link) {
    if (std::ranges::find(*options.inputs, link.to.Text()) == options.inputs->end()) return false;
    AddNote(problems, {.file = file.path.string(), .line = link.line},
            fmt::format("{} is fed by the importer of the FMU, in place of this link", link.to.Text()));
    return true;
  });
}

void WriteText(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw FileError({.file = path.string()}, "expected a file that can be written, found none");
}

/// A token that is another for anything else inside.
std::string TokenOf(const fs::path& resources, const std::string& description) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(resources)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  Sha256 hash;
  hash.Add(description);
  for (const fs::path& file : files)
    hash.Add(file.lexically_relative(resources).generic_string() + "=" + HashFile(file));
  const std::string digits = hash.Finish();
  return fmt::format("{{{}-{}-{}-{}-{}}}", digits.substr(0, 8), digits.substr(8, 4), digits.substr(12, 4),
                     digits.substr(16, 4), digits.substr(20, 12));
}

/// Those of the composition, and the components of outputs that nothing draws on: more would change the order in which
/// loops of links are gone through, and so the results.
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

}  // namespace

ExportInterface ExportFmu(const ExportOptions& options, Problems& problems) {
  if (options.version != 2 && options.version != 3) {
    throw ArgumentError({}, fmt::format("expected version 2 or 3 of FMI, found {}", options.version));
  }
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
  Composition composition(std::move(file), options.variables);
  composition.Load(problems);
  composition.Connect(problems);
  ThrowIfErrors(problems);
  const auto is_file = [&](const Instance& instance, const std::string& value) {
    return !PackedModel::FileOf(composition.File(), instance.omi, value).empty();
  };
  ExportInterface interface = CollectInterface(composition, chosen, is_single, is_file, problems);

  const TemporaryFolder making;
  const fs::path resources = making.Path() / "resources";
  PackedModel packed(composition, resources / "model");
  for (const fs::path& path : options.include) packed.Include(path);
  interface.composition = "model/" + packed.Write(TriggersOf(composition, interface));
  const std::vector<std::string> external = CopyRuntime(resources, packed.Libraries(), options.lean);

  const std::string identifier = ModelIdentifier(composition.File().id);
  const std::int64_t seconds = MakingTime();
  const auto describe = options.version == 2 ? DescriptionOfFmi2 : DescriptionOfFmi3;
  interface.token = TokenOf(resources, describe(interface, identifier, ""));
  WriteExportInterface(interface, resources / kInterfaceFile);
  WriteText(making.Path() / "modelDescription.xml", describe(interface, identifier, IsoSeconds(seconds)));
  WriteText(making.Path() / "documentation" / "index.html", DocumentationHtml(interface, external));
  if (!external.empty()) {
    std::string list;
    for (const std::string& name : external) list += name + "\n";
    WriteText(making.Path() / "documentation" / "externalDependencies.txt", list);
  }
  const fs::path binaries = making.Path() / "binaries" / BinaryFolder(options.version);
  fs::create_directories(binaries);
  fs::copy_file(ShimLibrary(), binaries / (identifier + ".so"));
  WriteArchive(making.Path(), options.output, seconds);
  return interface;
}

}  // namespace openmi::fmu
