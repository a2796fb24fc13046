#include "tools/BmiModel.hpp"

#include <filesystem>

#include "bmi-bridge/component/BmiComponent.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/ProcessGuard.hpp"
#include "tools/Signals.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

constexpr const char* kType = "openmi.bmi.Model";

}  // namespace

void BmiModelOptions::AddTo(CLI::App& app) {
  app.add_option("FILE", file, "Library, or an OMI file of the type openmi.bmi.Model")->required();
  AddValue(app, "--config", config, "FILE", "Configuration file of the model (argument config-file)");
  AddRepeated(app, "--argument", arguments, "KEY=VALUE",
              "Argument of the component, as in an OMI file; may be repeated");
  AddRepeated(app, "--set", parameters, "NAME=VALUE",
              "Parameter that the model is given after initialize; may be repeated");
}

OmiFile BmiModelOptions::Omi() const {
  ExpectFile(file);
  OmiFile omi;
  if (std::filesystem::path(file).extension() == ".omi") {
    omi = ReadOmiFile(file);
    if (omi.type != kType) {
      throw UsageFault{std::string("expected an OMI file of the type ") + kType + ", found '" + omi.type + "' in '" +
                       file + "'"};
    }
  } else {
    omi.type = kType;
    omi.assembly = "openmi-bmi-bridge";
    omi.path = std::filesystem::absolute("command-line.omi");
    omi.arguments.push_back({.key = "library", .value = std::filesystem::absolute(file).string()});
  }
  const auto set = [&omi](const std::string& key, const std::string& value) {
    std::erase_if(omi.arguments, [&](const OmiArgument& one) { return one.key == key; });
    omi.arguments.push_back({.key = key, .value = value});
  };
  for (const std::string& text : arguments) {
    const auto [key, value] = ParseSetting(text, "--argument");
    set(key, value);
  }
  if (!config.empty()) set("config-file", std::filesystem::absolute(config).string());
  std::string values;
  for (const std::string& text : parameters) {
    const auto [name, value] = ParseSetting(text, "--set");
    values += name + "=" + value + ";";
  }
  if (!values.empty()) set("parameters", values);
  return omi;
}

void BmiModelOptions::ApplyTo(bmi::BmiComponent& component) const {
  const OmiFile omi = Omi();
  component.SetFileRoot(omi.Folder().string());
  component.SetCaption(std::filesystem::path(file).filename().string());
  Problems problems;
  SetArguments(component, omi.arguments, {.file = file}, problems);
  for (const Problem& problem : problems) {
    if (problem.severity == Problem::Error) throw ArgumentError(problem.where, problem.problem, problem.remedy);
  }
}

int CallModel(const std::function<int()>& work) {
  InstallCrashNote();
  const ProcessGuard guard;
  static Conduct conduct("model");
  int code = kModelFailed;
  try {
    CallComponent(conduct, [&] { code = work(); });
  } catch (const ModelError& error) {
    if (!conduct.has_left) throw;
    PrintLine(stderr, PrintableText(Error::Format(error.Place(), error.Problem(),
                                                  "see what it printed; where 0 is no value for an input, give another "
                                                  "one with --set")));
  }
  // The library of a model that called exit is in an unknown state.
  if (code == kModelFailed) ProcessGuard::End(code);
  return code;
}

}  // namespace openmi::tools
