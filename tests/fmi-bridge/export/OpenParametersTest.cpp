// Who may choose what an argument of a component says: its owner anything, a master or an importer elsewhere only what
// names nothing outside of the component.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/export/dcp/ServedModel.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::exported {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

constexpr std::array kAssemblies = {"openmi-components", "openmi-fmi-bridge",    "openmi-bmi-bridge",
                                    "openmi-dcp-bridge", "openmi-broker-bridge", "openmi-osmp-bridge"};

/// By its id alone, as somebody who wants in would look for it.
bool SoundsOpen(const std::string& id) {
  constexpr std::array kEndings = {"file",     "folder", "path",      "directory", "library", "needs",
                                   "register", "host",   "recording", "journal",   "log",     "variable",
                                   "fmu",      "port",   "queue",     "exchange",  "set",     "parameters"};
  constexpr std::array kNames = {"time-variable", "ids-variable"};  // of a file that is given
  if (std::ranges::find(kNames, id) != kNames.end()) return false;
  return std::ranges::any_of(kEndings, [&](const std::string& ending) {
    return id == ending || id.ends_with("-" + ending) || id.ends_with("." + ending);
  });
}

TEST(OpenParameters, EveryTextOfOurComponentsSaysWhatItStandsFor) {
  // Their values are the model's own: what these name, only the model knows.
  const std::vector<std::pair<std::string, std::string>> unstated = {{"openmi.fmi.Fmu", "set"},
                                                                     {"openmi.bmi.Model", "parameters"}};
  ComponentLoader loader;
  std::size_t types = 0;
  for (const char* assembly : kAssemblies) {
    for (const std::string& type : loader.Types(assembly)) {
      ++types;
      const LoadedComponent loaded = loader.Load(assembly, type);
      for (const IArgument* argument : loaded.component->Arguments()) {
        const ArgumentMeaning meaning = MeaningOf(*argument);
        const bool may_be_unstated = std::ranges::find(unstated, std::pair(type, argument->Id())) != unstated.end();
        EXPECT_EQ(meaning == ArgumentMeaning::Unstated, may_be_unstated) << type << ' ' << argument->Id();
        if (SoundsOpen(argument->Id())) {
          EXPECT_NE(meaning, ArgumentMeaning::Plain) << type << ' ' << argument->Id();
        }
      }
    }
  }
  EXPECT_GE(types, 15U);
}

/// The names of the parameters that a composition of one component offers when it is served.
std::vector<std::string> OfferedBy(const std::string& component,
                                   std::optional<std::vector<std::string>> parameters = std::nullopt) {
  const ScratchFolder folder("open");
  folder.Write("series.csv", "time,level [m]\n2020-01-01T00:00Z,1\n2020-01-02T00:00Z,2\n");
  folder.Write("plate.cfg", "6 4 0.5 10\n");
  folder.Write("messages.jsonl", R"({"time":"2020-01-01T00:00:00Z","level":1})"
                                 "\n");
  exported::ExportOptions options;
  options.source =
      folder.Write("served.xml", R"(<Composition xmlns="urn:openmi2:composition:1" Id="served">)" + component +
                                     R"(<Run From="2020-01-01T00:00Z" To="2020-01-02T00:00Z" Trigger="one"/>
</Composition>)");
  options.parameters = std::move(parameters);
  Problems problems;
  const dcp::ServedModel model(options, {}, problems);
  std::vector<std::string> names;
  for (const dcp::Variable& variable : model.Description().variables) {
    if (variable.kind == dcp::VariableKind::Parameter) names.push_back(variable.name);
  }
  return names;
}

std::string One(const std::string& type, const std::string& assembly,
                const std::vector<std::pair<std::string, std::string>>& arguments) {
  std::string text = "<Component Id=\"one\" Type=\"" + type + "\" Assembly=\"" + assembly + "\">";
  for (const auto& [key, value] : arguments) text += "<Argument Key=\"" + key + "\" Value=\"" + value + "\"/>";
  return text + "</Component>";
}

const std::string kHeat =
    One("openmi.bmi.Model", "openmi-bmi-bridge",
        {{"library", OPENMI_BINARY_DIR "/lib/openmi2/libheat_c.so"}, {"config-file", "plate.cfg"}});

TEST(OpenParameters, NoMasterChoosesCodeFilesOrMachines) {
  const std::string folder = OPENMI_BINARY_DIR "/lib/openmi2/";
  const std::vector<std::string> components = {
      kHeat,
      One("openmi.CsvSeries", "openmi-components", {{"file", "series.csv"}, {"time-column", "time"}}),
      One("openmi.Expression", "openmi-components", {{"inputs", "a"}, {"outputs", "b=2*a"}, {"time-step", "PT1H"}}),
      One("openmi.Recorder", "openmi-components", {{"file", "out.csv"}}),
      One("openmi.fmi.Fmu", "openmi-fmi-bridge", {{"fmu", folder + "Linear.fmu"}, {"time-step", "PT1H"}}),
      One("openmi.broker.Stream", "openmi-broker-bridge",
          {{"recording", "messages.jsonl"}, {"fields", "level[m]"}, {"time-step", "PT1H"}}),
  };
  std::size_t offered = 0;
  for (const std::string& component : components) {
    for (const std::string& name : OfferedBy(component)) {
      ++offered;
      EXPECT_FALSE(SoundsOpen(name)) << name << " of " << component;
    }
  }
  EXPECT_GE(offered, 10U) << "what names nothing is still offered";
}

// What the owner's `--set` gave stays the owner's: a text of a master is no place for `${...}`.
TEST(OpenParameters, NoMasterReadsVariables) {
  const ScratchFolder folder("open");
  folder.Write("plate.cfg", "6 4 0.5 10\n");
  exported::ExportOptions options;
  options.variables["secret"] = "hunter2";
  options.source =
      folder.Write("served.xml", R"(<Composition xmlns="urn:openmi2:composition:1" Id="served">)" + kHeat +
                                     R"(<Run From="2020-01-01T00:00Z" To="2020-01-02T00:00Z" Trigger="one"/>
</Composition>)");
  Problems problems;
  dcp::ServedModel model(options, {}, problems);
  for (const std::string text : {"${secret}", "$${secret}", "${secret", "a$${${secret}"}) {
    dcp::SlaveValues values(model.Description());
    values.Named("one.outputs").SetText(text);
    dcp::SlaveModel& slave = model;
    EXPECT_THAT([&] { slave.Configure(values); },
                ThrowsMessage<Error>(AllOf(HasSubstr("'" + text + "'"), Not(HasSubstr("hunter2")))));
  }
}

TEST(OpenParameters, TheOwnerOpensWhatHeNames) {
  EXPECT_THAT(OfferedBy(kHeat), Not(Contains("one.needs")));
  EXPECT_THAT(OfferedBy(kHeat, std::vector<std::string>{"one.needs"}), Contains("one.needs"));
  const std::string stream = One("openmi.broker.Stream", "openmi-broker-bridge",
                                 {{"recording", "messages.jsonl"}, {"fields", "level[m]"}, {"time-step", "PT1H"}});
  EXPECT_THAT([&] { OfferedBy(stream, std::vector<std::string>{"one.password"}); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("a secret"), HasSubstr("password"))));
}

}  // namespace
}  // namespace openmi::exported
