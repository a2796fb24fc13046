#include <filesystem>
#include <fstream>
#include <string>

#include "fmi-bridge/fmi/ssp/ExportSystemStructure.hpp"
#include "fmi-bridge/fmi/ssp/ImportSystemStructure.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/support/ZipBytes.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {
namespace {

/// An FMU that has a description only.
std::string DescribedFmu(const std::string& variables) {
  return test::ZipBytes(
      {{"modelDescription.xml",
        "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"M\" guid=\"g\"><CoSimulation modelIdentifier=\"m\"/>"
        "<UnitDefinitions><Unit name=\"m\"><BaseUnit m=\"1\"/></Unit><Unit name=\"mm\"><BaseUnit m=\"1\" "
        "factor=\"0.001\"/></Unit></UnitDefinitions><DefaultExperiment stopTime=\"20\"/><ModelVariables>" +
            variables + "</ModelVariables><ModelStructure/></fmiModelDescription>",
        8}});
}

void WriteFile(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// A folder with two FMUs, `resources/source.fmu` and `resources/sink.fmu`.
const std::filesystem::path& PackageFolder() {
  static const std::filesystem::path folder = [] {
    std::filesystem::path made = FolderOfProcess() + "/package";
    std::filesystem::create_directories(made / "resources");
    WriteFile(made / "resources/source.fmu",
              DescribedFmu("<ScalarVariable name=\"y\" valueReference=\"1\" causality=\"output\"><Real unit=\"m\"/>"
                           "</ScalarVariable><ScalarVariable name=\"p\" valueReference=\"2\" causality=\"parameter\" "
                           "variability=\"fixed\"><Real unit=\"m\" start=\"1\"/></ScalarVariable>"));
    WriteFile(made / "resources/sink.fmu",
              DescribedFmu("<ScalarVariable name=\"u\" valueReference=\"1\" causality=\"input\"><Real unit=\"mm\" "
                           "start=\"0\"/></ScalarVariable>"));
    return made;
  }();
  return folder;
}

/// A description whose parameters, mapping and dictionary stand in files.
constexpr std::string_view kWithFiles =
    "<SystemStructureDescription version=\"1.0\" name=\"whole\" "
    "xmlns=\"http://ssp-standard.org/SSP1/SystemStructureDescription\"><System name=\"top\">"
    "<ParameterBindings><ParameterBinding source=\"input.ssv\"><ParameterMapping source=\"input.ssm\"/>"
    "</ParameterBinding></ParameterBindings>"
    "<SignalDictionaries><SignalDictionary name=\"d\" source=\"input.ssb\"/></SignalDictionaries>"
    "<Elements><Component name=\"a\" source=\"resources/source.fmu\"><Connectors><Connector name=\"y\" "
    "kind=\"output\"/>"
    "<Connector name=\"p\" kind=\"parameter\"/></Connectors></Component>"
    "<Component name=\"z\" source=\"resources/sink.fmu\"><Connectors><Connector name=\"u\" "
    "kind=\"input\"/></Connectors>"
    "</Component><SignalDictionaryReference name=\"r\" dictionary=\"d\"/></Elements>"
    "<Connections><Connection startElement=\"a\" startConnector=\"y\" endElement=\"z\" endConnector=\"u\"/>"
    "<Connection startElement=\"a\" startConnector=\"y\" endElement=\"r\" endConnector=\"e\"/></Connections>"
    "</System></SystemStructureDescription>";

/// A structure of OSP whose groups stand in a file.
constexpr std::string_view kOspWithGroups =
    "<OspSystemStructure version=\"0.1\"><BaseStepSize>0.1</BaseStepSize><Simulators><Simulator name=\"a\" "
    "source=\"resources/source.fmu\"/><Simulator name=\"z\" source=\"resources/sink.fmu\"/></Simulators><Connections>"
    "<VariableGroupConnection><VariableGroup simulator=\"a\" name=\"g\"/><VariableGroup simulator=\"z\" name=\"h\"/>"
    "</VariableGroupConnection></Connections></OspSystemStructure>";

/// Writes what was read in both versions, and both ways; what is written can be read.
void ExportOne(const std::filesystem::path& path, const CompositionFile& composition) {
  const std::filesystem::path out = FolderOfProcess() + "/written.ssp";
  for (const ssp::SspVersion version : {ssp::SspVersion::V1, ssp::SspVersion::V2}) {
    for (const bool is_rewritten : {false, true}) {
      if (is_rewritten && ssp::IsOspStructure(path)) continue;
      std::filesystem::remove(out);
      Problems written;
      if (is_rewritten) {
        ssp::RewriteSystemStructure(path, version, out, written);
      } else {
        ssp::ExportComposition(composition, version, out, written);
      }
      Require(HasErrors(written) != std::filesystem::exists(out));
      if (HasErrors(written)) continue;
      const ssp::ImportedSystem again = ssp::ImportSystemStructure(out, written);
      Require(again.composition.components.size() == composition.components.size());
      Require(again.composition.links.size() == composition.links.size());
    }
  }
}

void ImportOne(const std::filesystem::path& path) {
  Problems problems;
  try {
    const ssp::ImportedSystem system = ssp::ImportSystemStructure(path, problems);
    if (!HasErrors(problems)) ExportOne(path, system.composition);
    Require(system.composition.run.has_value() && system.composition.run->to >= system.composition.run->from);
    for (const ComponentSpec& component : system.composition.components) {
      Require(!component.id.empty() || HasErrors(problems));
    }
    for (const LinkSpec& link : system.composition.links) {
      Require(system.composition.Component(link.from.component) != nullptr || HasErrors(problems));
    }
  } catch (const Error&) {
  }
  for (const Problem& problem : problems) Require(!problem.where.file.empty() && !problem.problem.empty());
}

}  // namespace

// Any bytes are a system structure of SSP or OSP, the groups of one, or the parameters, the mapping and the dictionary
// of one, with problems that each name a file.
OPENMI_FUZZ_TARGET(ssp) {
  if (input.starts_with("PK")) return ImportOne(FileOf(input, ".ssp"));
  const std::filesystem::path& folder = PackageFolder();
  if (input.find("OspSystemStructure") != std::string_view::npos) {
    WriteFile(folder / "OspSystemStructure.xml", input);
    return ImportOne(folder / "OspSystemStructure.xml");
  }
  if (input.find("OspModelDescription") != std::string_view::npos) {
    WriteFile(folder / "M_OspModelDescription.xml", input);
    WriteFile(folder / "OspSystemStructure.xml", kOspWithGroups);
    return ImportOne(folder / "OspSystemStructure.xml");
  }
  if (input.find("SystemStructureDescription") != std::string_view::npos) {
    WriteFile(folder / "SystemStructure.ssd", input);
  } else {
    WriteFile(folder / "SystemStructure.ssd", kWithFiles);
    for (const char* name : {"input.ssv", "input.ssm", "input.ssb"}) WriteFile(folder / name, input);
  }
  ImportOne(folder / "SystemStructure.ssd");
}

}  // namespace openmi::fuzz
