#include "fmi-bridge/export/fmu/ExportFmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "composition/link/Composition.hpp"
#include "composition/results/FileHash.hpp"
#include "fmi-bridge/common/archive/Archive.hpp"
#include "fmi-bridge/export/CollectInterface.hpp"
#include "fmi-bridge/export/ExportSource.hpp"
#include "fmi-bridge/export/FmuForm.hpp"
#include "fmi-bridge/export/PackedModel.hpp"
#include "fmi-bridge/export/fmu/RuntimeFiles.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/system/TemporaryFolder.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::fmu {
namespace {

namespace fs = std::filesystem;

std::int64_t MakingTime() {
  if (const char* given = std::getenv("SOURCE_DATE_EPOCH"); given != nullptr) {
    const auto seconds = AsNumber<std::int64_t>(given);
    if (seconds && *seconds >= 0) return *seconds;
  }
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string IsoSeconds(std::int64_t seconds) {
  constexpr double kEpochMjd = 40587.0;  // 1970-01-01
  const std::string text = FormatIsoTime(Stamp{kEpochMjd} + Seconds(static_cast<double>(seconds)));
  return text.size() == 17 ? text.substr(0, 16) + ":00Z" : text;  // xs:dateTime requires seconds
}

void WriteText(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw FileError({.file = path.string()}, "expected a file that can be written, found none");
}

/// Whether a document declares an encoding that the XML reader does not support without ICU.
bool HasOtherEncoding(std::string_view head) {
  if (!head.starts_with("<?xml") && !head.starts_with("\xEF\xBB\xBF<?xml")) return false;
  const std::string_view declaration = head.substr(0, head.find("?>"));
  constexpr std::string_view kWord = "encoding=";
  const std::size_t at = declaration.find(kWord);
  if (at == std::string_view::npos) return false;
  std::string name;
  for (const char sign : declaration.substr(std::min(declaration.size(), at + kWord.size() + 1))) {
    if (sign == '"' || sign == '\'') break;
    name += static_cast<char>(std::toupper(static_cast<unsigned char>(sign)));
  }
  constexpr std::array<std::string_view, 6> kKnown = {"UTF-8", "UTF8", "UTF-16", "ISO-8859-1", "US-ASCII", "ASCII"};
  return std::ranges::find(kKnown, name) == kKnown.end();
}

/// A token that differs for any other content.
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

/// Estimates which rarely needed libraries the model needs: rather too many than too few.
RuntimeChoice NeedsOf(const Composition& composition, const fs::path& model) {
  RuntimeChoice needs;
  const auto has_system = [](const auto* item) {
    const auto* placed = dynamic_cast<const ITimeSpaceExchangeItem*>(item);
    const ISpatialDefinition* places = placed != nullptr ? placed->SpatialDefinition() : nullptr;
    return places != nullptr && !places->SpatialReferenceSystemWkt().empty();
  };
  for (const Instance& instance : composition.Instances()) {
    needs.proj = needs.proj || std::ranges::any_of(instance.Component().Inputs(), has_system) ||
                 std::ranges::any_of(instance.Component().Outputs(), has_system);
  }
  for (const auto& entry : fs::recursive_directory_iterator(model)) {
    if (!entry.is_regular_file()) continue;
    std::string head(4096, '\0');
    std::ifstream file(entry.path(), std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    needs.netcdf = needs.netcdf || head.starts_with("CDF") || head.starts_with("\x89HDF");
    needs.encodings = needs.encodings || HasOtherEncoding(head);
  }
  // Result files, or files that an argument of an adaptor names.
  std::ifstream file(model / "composition.xml", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  needs.netcdf = needs.netcdf || text.find(".nc") != std::string::npos;
  needs.proj = needs.proj || text.find("system") != std::string::npos || text.find("EPSG") != std::string::npos;
  return needs;
}

exported::ExportInterface OfForm(const exported::FmuForm& form, const Composition& composition, int version) {
  exported::ExportInterface interface;
  interface.model_name = composition.File().id;
  interface.description = form.text;
  interface.from = *composition.File().run->from;
  interface.step_seconds = form.step_seconds;
  interface.description_argument = form.description_argument;
  exported::ExportedVariable time = exported::TimeVariable();
  time.reference = version == 2 ? exported::kNoReference : form.time_reference;
  interface.variables.push_back(std::move(time));
  for (exported::ExportedVariable variable : form.variables) {
    variable.component = composition.Instances().front().Id();
    interface.variables.push_back(std::move(variable));
  }
  interface.Number();
  return interface;
}

}  // namespace

exported::ExportInterface ExportFmu(const exported::ExportOptions& options, Problems& problems) {
  if (options.version != 2 && options.version != 3) {
    throw ArgumentError({}, fmt::format("expected version 2 or 3 of FMI, found {}", options.version));
  }
  exported::ExportSource source = exported::ReadExportSource(options, problems);
  Composition composition(std::move(source.file), options.variables);
  composition.Load(problems);
  composition.Connect(problems);
  ThrowIfErrors(problems);
  auto* described =
      source.is_single ? dynamic_cast<exported::IFmuForm*>(&composition.Instances().front().Component()) : nullptr;
  const std::optional<exported::FmuForm> form = described != nullptr ? std::optional(described->Form()) : std::nullopt;
  exported::ExportInterface interface =
      form ? OfForm(*form, composition, options.version)
           : exported::CollectInterface(composition, source.options, source.is_single, problems);

  const TemporaryFolder making;
  const fs::path resources = making.Path() / "resources";
  exported::PackedModel packed(composition, resources / "model");
  if (form) {
    problems.insert(problems.end(), form->notes.begin(), form->notes.end());
    packed.UseForm(*form);
  }
  for (const fs::path& path : options.include) packed.Include(path);
  interface.time_limit_seconds = options.time_limit_seconds;
  interface.composition = "model/" + packed.Write(exported::TriggersOf(composition, interface));
  problems.insert(problems.end(), packed.Notes().begin(), packed.Notes().end());
  RuntimeChoice choice = NeedsOf(composition, resources / "model");
  choice.lean = options.lean;
  // Python's packages need the real libraries, not placeholders that our own code does without.
  choice.python = packed.NeedsPython();
  choice.complete = options.complete || choice.python;
  const std::vector<std::string> external = CopyRuntime(resources, packed.Libraries(), choice);

  const std::string identifier = exported::ModelIdentifier(composition.File().id);
  const std::int64_t seconds = MakingTime();
  const auto describe = options.version == 2 ? DescriptionOfFmi2 : DescriptionOfFmi3;
  interface.token = TokenOf(resources, describe(interface, identifier, ""));
  exported::WriteExportInterface(interface, resources / exported::kInterfaceFile);
  const std::string description = describe(interface, identifier, IsoSeconds(seconds));
  WriteText(making.Path() / "modelDescription.xml", description);
  if (form) WriteText(resources / "modelDescription.xml", description);  // for importers that unpack only the resources
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
