#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/ssp/ImportSystemStructure.hpp"
#include "tests/fmi-bridge/support/ZipBytes.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::ssp {

/// A folder with two FMUs that have descriptions only, and whatever else a test writes.
class SystemFixture : public testing::Test {
 protected:
  SystemFixture() {
    WriteSource(kCoSimulation);
    Fmu("resources/sink.fmu",
        "<ScalarVariable name=\"u\" valueReference=\"1\" causality=\"input\"><Real unit=\"mm\" "
        "start=\"0\"/></ScalarVariable>"
        "<ScalarVariable name=\"n\" valueReference=\"1\" causality=\"input\"><Integer start=\"0\"/></ScalarVariable>"
        "<ScalarVariable name=\"b\" valueReference=\"1\" causality=\"input\"><Boolean start=\"0\"/></ScalarVariable>"
        "<ScalarVariable name=\"k.gain\" valueReference=\"2\" causality=\"parameter\" variability=\"fixed\"><Real "
        "start=\"1\"/></ScalarVariable>"
        "<ScalarVariable name=\"mode\" valueReference=\"3\" causality=\"parameter\" variability=\"fixed\"><String "
        "start=\"a\"/></ScalarVariable>");
  }

  void WriteSource(const std::string& interfaces) {
    Fmu("resources/source.fmu",
        "<ScalarVariable name=\"y\" valueReference=\"1\" causality=\"output\"><Real unit=\"m\"/></ScalarVariable>"
        "<ScalarVariable name=\"n\" valueReference=\"1\" causality=\"output\"><Integer/></ScalarVariable>"
        "<ScalarVariable name=\"b\" valueReference=\"1\" causality=\"output\"><Boolean/></ScalarVariable>"
        "<ScalarVariable name=\"p\" valueReference=\"2\" causality=\"parameter\" variability=\"fixed\"><Real "
        "unit=\"m\" start=\"1\"/></ScalarVariable>",
        interfaces);
  }

  static constexpr const char* kCoSimulation = "<CoSimulation modelIdentifier=\"m\"/>";
  static std::string FmuBytes(const std::string& variables, const std::string& interfaces = kCoSimulation) {
    return test::ZipBytes(
        {{"modelDescription.xml",
          "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"M\" guid=\"g\">" + interfaces +
              "<UnitDefinitions><Unit name=\"m\"><BaseUnit m=\"1\"/></Unit><Unit name=\"mm\"><BaseUnit m=\"1\" "
              "factor=\"0.001\"/></Unit></UnitDefinitions><DefaultExperiment stopTime=\"20\"/><ModelVariables>" +
              variables + "</ModelVariables><ModelStructure/></fmiModelDescription>",
          8}});
  }
  void Fmu(const std::string& name, const std::string& variables, const std::string& interfaces = kCoSimulation) {
    scratch_.Write(name, FmuBytes(variables, interfaces));
  }

  static std::string Connectors(const std::vector<std::pair<std::string, std::string>>& name_and_kind) {
    std::string text = "<Connectors>";
    for (const auto& [name, kind] : name_and_kind) text += "<Connector name=\"" + name + "\" kind=\"" + kind + "\"/>\n";
    return text + "</Connectors>";
  }
  static std::string Source(const std::string& name = "a", const std::string& more = {}) {
    return "<Component name=\"" + name + "\" source=\"resources/source.fmu\">" +
           Connectors({{"y", "output"}, {"n", "output"}, {"b", "output"}, {"p", "parameter"}}) + more +
           "</Component>\n";
  }
  static std::string Sink(const std::string& name = "z", const std::string& more = {}) {
    return "<Component name=\"" + name + "\" source=\"resources/sink.fmu\">" +
           Connectors(
               {{"u", "input"}, {"n", "input"}, {"b", "input"}, {"k.gain", "parameter"}, {"mode", "parameter"}}) +
           more + "</Component>\n";
  }
  static std::string Wire(const std::string& start, const std::string& start_connector, const std::string& end,
                          const std::string& end_connector, const std::string& more = {}) {
    const auto element = [](const char* key, const std::string& name) {
      return name.empty() ? std::string() : std::string(key) + "=\"" + name + "\" ";
    };
    return "<Connection " + element("startElement", start) + "startConnector=\"" + start_connector + "\" " +
           element("endElement", end) + "endConnector=\"" + end_connector + "\">" + more + "</Connection>\n";
  }
  /// Parameter values, inline.
  static std::string Binding(const std::string& parameters, const std::string& attributes = {}) {
    return "<ParameterBindings><ParameterBinding " + attributes +
           "><ParameterValues><ParameterSet version=\"1.0\" "
           "name=\"s\"><Parameters>" +
           parameters +
           "</Parameters></ParameterSet></ParameterValues></ParameterBinding>"
           "</ParameterBindings>";
  }
  static std::string Real(const std::string& name, const std::string& value, const std::string& more = {}) {
    return "<Parameter name=\"" + name + "\"><Real value=\"" + value + "\" " + more + "/></Parameter>";
  }
  static std::string Description(const std::string& system,
                                 const std::string& more = "<DefaultExperiment stopTime=\"10\"/>") {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<SystemStructureDescription version=\"1.0\" name=\"whole\" "
           "xmlns=\"http://ssp-standard.org/SSP1/SystemStructureDescription\">\n<System name=\"top\">" +
           system + "</System>" + more + "</SystemStructureDescription>\n";
  }

  ImportedSystem Import(const std::string& ssd, Problems& problems) {
    return ImportSystemStructure(scratch_.Write("SystemStructure.ssd", ssd), problems);
  }
  CompositionFile Good(const std::string& ssd) {
    Problems problems;
    CompositionFile file = Import(ssd, problems).composition;
    for (const Problem& problem : problems) ADD_FAILURE() << FormatProblem(problem);
    return file;
  }
  static std::string ArgumentOf(const CompositionFile& file, const std::string& component, const std::string& key) {
    const ComponentSpec* spec = file.Component(component);
    if (spec == nullptr) return "no such component";
    for (const ArgumentSpec& argument : spec->arguments) {
      if (argument.key == key) return argument.value;
    }
    return "no such argument";
  }
  /// "id(key=value,...) ..." of a link's adaptors.
  static std::string AdaptorsOf(const LinkSpec& link) {
    std::string text;
    for (const AdaptorSpec& adaptor : link.adaptors) {
      text += (text.empty() ? "" : " ") + adaptor.id + "(";
      for (const ArgumentSpec& argument : adaptor.arguments) {
        text += (text.back() == '(' ? "" : ",") + argument.key + "=" + argument.value;
      }
      text += ")";
    }
    return text;
  }

  const ScratchFolder scratch_;
};

}  // namespace openmi::ssp
