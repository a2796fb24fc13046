#include "tools/AsComposition.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "fmi-bridge/fmi/ssp/ImportByPart.hpp"
#include "openmi/sdk/Error.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {

namespace {

struct Flag {
  const char* name;
  std::string SystemStructureOptions::*value;
};

constexpr std::array<Flag, 9> kFlags = {{{"--ssd", &SystemStructureOptions::description},
                                         {"--within", &SystemStructureOptions::within},
                                         {"--start-time", &SystemStructureOptions::start},
                                         {"--stop-time", &SystemStructureOptions::stop},
                                         {"--step", &SystemStructureOptions::step},
                                         {"--tolerance", &SystemStructureOptions::tolerance},
                                         {"--kind", &SystemStructureOptions::kind},
                                         {"--inputs", &SystemStructureOptions::inputs},
                                         {"--solver", &SystemStructureOptions::solver}}};

void ExpectNoFolder(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return;
  for (const char* name : {"composition.xml", "SystemStructure.ssd", "OspSystemStructure.xml"}) {
    const std::filesystem::path file = std::filesystem::path(path) / name;
    if (!std::filesystem::exists(file, error)) continue;
    throw UsageFault{"expected a file, found the folder '" + path + "'; name " + file.string()};
  }
}

std::optional<double> NumberOf(const std::string& text, const char* option, bool above_zero) {
  if (text.empty()) return std::nullopt;
  const double number = ParseNumber(text, option, above_zero ? 0.0 : -1e300);
  if (above_zero && !(number > 0.0)) {
    throw UsageFault{std::string("expected a number above 0 after ") + option + ", found '" + text + "'"};
  }
  return number;
}

}  // namespace

void ExpectNoFmu(const std::string& path, const std::string& expected) {
  std::error_code error;
  const std::filesystem::path named(path);
  if (named.extension() != ".fmu" && !std::filesystem::exists(named / "modelDescription.xml", error)) return;
  throw UsageFault{"expected " + expected + ", found the FMU '" + path +
                   "'; use openmi fmu info, check or run, or make a composition of it with openmi new fmu-composition"};
}

void SystemStructureOptions::AddTo(CLI::App& app) {
  const auto add = [&](std::string& value, const char* name, const char* what, const char* type) {
    return app.add_option(name, value, std::string("For .ssp and .ssd: ") + what)->type_name(type);
  };
  add(description, "--ssd", "description to use from the package (default: SystemStructure.ssd)", "NAME");
  add(within, "--within",
      "folder that sources of a .ssd may lead to (default: that of the .ssd; files elsewhere are refused)", "DIR");
  add(start, "--start-time", "start of the run (default: as in the description, else 0)", "SECONDS");
  add(stop, "--stop-time", "end of the run (default: as in the description, else the latest stop time of the FMUs)",
      "SECONDS");
  add(step, "--step", "communication step of every FMU (default: as in an annotation, else as in the FMU)", "SECONDS");
  add(tolerance, "--tolerance", "relative tolerance of every FMU (default: as in the FMU)", "NUMBER");
  add(kind, "--kind",
      "FMI interface of every FMU (default: as in the description, else co-simulation if the FMU supports it)",
      "co-simulation|model-exchange|scheduled-execution")
      ->check(OneOf({"co-simulation", "model-exchange", "scheduled-execution"}));
  add(inputs, "--inputs",
      "values of inputs within a step: those at its end, those at its begin, or linear between both (default: "
      "end in co-simulation, else linear)",
      "end|begin|linear")
      ->check(OneOf({"end", "begin", "linear"}));
  add(solver, "--solver", "solver for model exchange: CVODE with BDF or Adams (default: bdf)", "bdf|adams")
      ->check(OneOf({"bdf", "adams"}));
  AddRepeated(app, "--start", start_values, "COMPONENT.NAME=VALUE",
              "For .ssp and .ssd: start value of a variable, in place of that of the files; may be repeated");
  app.add_flag("--compile", compile,
               "For .ssp and .ssd: compile the sources of FMUs that have no library for this machine, and keep the "
               "results");
}

ssp::SystemOptions SystemStructureOptions::Values() const {
  ssp::SystemOptions values;
  values.description = description;
  values.within = within;
  values.start = NumberOf(start, "--start-time", false);
  values.stop = NumberOf(stop, "--stop-time", false);
  values.step = NumberOf(step, "--step", true);
  values.tolerance = NumberOf(tolerance, "--tolerance", true);
  values.kind = kind;
  values.inputs = inputs;
  values.solver = solver;
  for (const std::string& setting : start_values) values.start_values.push_back(ParseSetting(setting, "--start"));
  values.compile = compile;
  return values;
}

std::vector<std::string> SystemStructureOptions::Arguments() const {
  std::vector<std::string> arguments;
  for (const Flag& flag : kFlags) {
    if (!(this->*flag.value).empty()) arguments.push_back(std::string(flag.name) + "=" + this->*flag.value);
  }
  for (const std::string& setting : start_values) arguments.push_back("--start=" + setting);
  if (compile) arguments.emplace_back("--compile");
  return arguments;
}

AsComposition::AsComposition(const std::string& path, const SystemStructureOptions& options, Problems& problems)
    : path_(path) {
  ExpectNoFmu(path, "a composition, an OMI file or a system structure");
  ExpectNoFolder(path);
  if (ssp::IsSystemStructure(path)) {
    imported_ = ssp::ImportByPart(path, problems, options.Values());
    return;
  }
  for (const std::string& argument : options.Arguments()) {
    const std::string name = argument.substr(0, argument.find('='));
    const bool is_time = name == "--start-time" || name == "--stop-time";
    throw UsageFault{std::string("expected a system structure (.ssp, .ssd) with ") + name + ", found '" + path +
                     (is_time ? "'; in a composition, change From and To of its Run"
                              : "'; in a composition, set the arguments of its components")};
  }
}

AsComposition::~AsComposition() = default;

bool AsComposition::IsUnfit() const {
  if (!imported_) return false;
  const std::vector<ComponentSpec>& components = imported_->composition.components;
  return components.empty() || std::ranges::any_of(components, [](const ComponentSpec& one) {
           return std::ranges::any_of(one.arguments, [](const ArgumentSpec& argument) {
             return argument.key == "fmu" && argument.value.empty();
           });
         });
}

CompositionFile AsComposition::File(Problems& problems) const {
  return imported_ ? imported_->composition : ReadCompositionFile(path_, problems);
}

const std::string& AsComposition::Path() {
  if (imported_ && folder_ == nullptr) {
    folder_ = std::make_unique<TemporaryFolder>();
    path_ = (folder_->Path() / (imported_->composition.id + ".xml")).string();
    WriteCompositionFile(imported_->composition, path_);
  }
  return path_;
}

}  // namespace openmi::tools
