// Prints the modelDescription.xml of a model: Describe 2 or Describe 3.
#include <cstdio>
#include <cstdlib>

#include "Frame.hpp"

namespace {

using namespace osmp_fmu;

constexpr const char* kOsi = "3.8.0";
constexpr const char* kNamespace = "xmlns:osmp=\"http://xsd.pmsf.net/OSISensorModelPackaging\"";

const char* CausalityOf(Port port) {
  switch (port) {
    case Port::Input:
      return "causality=\"input\" variability=\"discrete\"";
    case Port::Output:
      return "causality=\"output\" variability=\"discrete\" initial=\"exact\"";
    case Port::ConfigRequest:
      return "causality=\"calculatedParameter\" variability=\"fixed\" initial=\"calculated\"";
    default:
      return "causality=\"parameter\" variability=\"fixed\" initial=\"exact\"";
  }
}

void PrintMessage2(const MessageVariable& message, unsigned reference) {
  for (const char* role : {"base.lo", "base.hi", "size"}) {
    std::printf("    <ScalarVariable name=\"%s.%s\" valueReference=\"%u\" %s>\n", message.name, role, reference++,
                CausalityOf(message.port));
    std::printf("      <Integer%s/>\n", message.port == Port::ConfigRequest ? "" : " start=\"0\"");
    std::printf(
        "      <Annotations><Tool name=\"net.pmsf.osmp\" %s><osmp:osmp-binary-variable name=\"%s\" role=\"%s\" "
        "mime-type=\"application/x-open-simulation-interface; type=%s; version=%s\"/></Tool></Annotations>\n"
        "    </ScalarVariable>\n",
        kNamespace, message.name, role, message.type, kOsi);
  }
}

void PrintMessage3(const MessageVariable& message, unsigned reference) {
  std::printf(
      "    <Binary name=\"%s\" valueReference=\"%u\" %s mimeType=\"application/x-open-simulation-interface; type=%s; "
      "version=%s\">\n%s      <Annotations><Annotation type=\"net.pmsf.osmp\" %s><osmp:osmp-binary-variable "
      "name=\"%s\" "
      "role=\"full\" mime-type=\"application/x-open-simulation-interface; type=%s; version=%s\"/></Annotation>"
      "</Annotations>\n    </Binary>\n",
      message.name, reference, CausalityOf(message.port), message.type, kOsi,
      message.port == Port::ConfigRequest ? "" : "      <Start value=\"\"/>\n", kNamespace, message.name, message.type,
      kOsi);
}

void PrintNumber(const NumberVariable& number, unsigned reference, bool third) {
  char unit[64] = "";
  if (number.unit != nullptr) std::snprintf(unit, sizeof unit, " unit=\"%s\"", number.unit);
  const char* causality =
      number.is_output ? "causality=\"output\" variability=\"discrete\" initial=\"exact\"" : CausalityOf(Port::Config);
  if (third) {
    std::printf("    <Float64 name=\"%s\" valueReference=\"%u\" description=\"%s\" %s%s start=\"%.17g\"/>\n",
                number.name, reference, number.description, causality, unit, number.start);
  } else {
    std::printf(
        "    <ScalarVariable name=\"%s\" valueReference=\"%u\" description=\"%s\" %s><Real%s start=\"%.17g\"/>"
        "</ScalarVariable>\n",
        number.name, reference, number.description, causality, unit, number.start);
  }
}

void PrintStructure(bool third) {
  if (!third) std::printf("    <Outputs>\n");
  unsigned position = 0;
  const auto print = [&](bool is_output, unsigned reference, unsigned scalars) {
    for (unsigned i = 0; i < scalars; ++i, ++position) {
      if (is_output && third) std::printf("    <Output valueReference=\"%u\"/>\n", reference);
      if (is_output && !third) std::printf("      <Unknown index=\"%u\"/>\n", position + 1);
    }
  };
  unsigned reference = kFirstMessage;
  for (const MessageVariable& message : kDescription.messages) {
    print(message.port == Port::Output, reference, third ? 1 : 3);
    reference += 3;
  }
  reference = kFirstNumber;
  for (const NumberVariable& number : kDescription.numbers) print(number.is_output, reference++, 1);
  if (third) {
    reference = kFirstMessage;
    for (const MessageVariable& message : kDescription.messages) {
      if (message.port == Port::ConfigRequest) std::printf("    <InitialUnknown valueReference=\"%u\"/>\n", reference);
      reference += 3;
    }
    return;
  }
  std::printf("    </Outputs>\n");
  position = 0;
  bool is_open = false;
  for (const MessageVariable& message : kDescription.messages) {
    for (int i = 0; i < 3; ++i) {
      ++position;
      if (message.port != Port::ConfigRequest) continue;
      if (!is_open) std::printf("    <InitialUnknowns>\n");
      is_open = true;
      std::printf("      <Unknown index=\"%u\"/>\n", position);
    }
  }
  if (is_open) std::printf("    </InitialUnknowns>\n");
}

}  // namespace

int main(int argc, char** argv) {
  const bool third = argc > 1 && std::atoi(argv[1]) == 3;
  std::printf(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%s\" modelName=\"%s\" %s=\"%s\" "
      "description=\"%s\" variableNamingConvention=\"structured\">\n"
      "  <CoSimulation modelIdentifier=\"%s\" canHandleVariableCommunicationStepSize=\"true\"/>\n",
      third ? "3.0" : "2.0", kDescription.identifier, third ? "instantiationToken" : "guid", kToken, kDescription.text,
      kDescription.identifier);
  std::printf(
      "  <UnitDefinitions>\n    <Unit name=\"s\"><BaseUnit s=\"1\"/></Unit>\n    <Unit name=\"m\"><BaseUnit m=\"1\"/>"
      "</Unit>\n    <Unit name=\"rad\"><BaseUnit rad=\"1\"/></Unit>\n    <Unit name=\"m/s\"><BaseUnit m=\"1\" "
      "s=\"-1\"/>"
      "</Unit>\n    <Unit name=\"m/s2\"><BaseUnit m=\"1\" s=\"-2\"/></Unit>\n  </UnitDefinitions>\n");
  std::printf("  <DefaultExperiment startTime=\"0\" stepSize=\"%.17g\"/>\n", kDescription.step);
  if (!third) {
    std::printf(
        "  <VendorAnnotations><Tool name=\"net.pmsf.osmp\" %s><osmp:osmp version=\"1.6.0\" osi-version=\"%s\"/>"
        "</Tool></VendorAnnotations>\n",
        kNamespace, kOsi);
  }
  std::printf("  <ModelVariables>\n");
  unsigned reference = kFirstMessage;
  for (const MessageVariable& message : kDescription.messages) {
    third ? PrintMessage3(message, reference) : PrintMessage2(message, reference);
    reference += 3;
  }
  reference = kFirstNumber;
  for (const NumberVariable& number : kDescription.numbers) PrintNumber(number, reference++, third);
  if (third) {
    std::printf(
        "    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\" "
        "unit=\"s\"/>\n");
  }
  std::printf("  </ModelVariables>\n  <ModelStructure>\n");
  PrintStructure(third);
  std::printf("  </ModelStructure>\n");
  if (third) {
    std::printf(
        "  <Annotations><Annotation type=\"net.pmsf.osmp\" %s><osmp:osmp version=\"1.6.0\" osi-version=\"%s\"/>"
        "</Annotation></Annotations>\n",
        kNamespace, kOsi);
  }
  std::printf("</fmiModelDescription>\n");
  return 0;
}
