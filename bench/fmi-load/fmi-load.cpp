// fmi-load/<version>: reading and checking a description of a million variables, against libxml2 alone going through
// the same text as events (its reader of elements and attributes, nothing kept), in the same process and run.
#include <fmt/format.h>
#include <libxml/parser.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "fmi-bridge/fmi/DescriptionReader.hpp"

namespace {

constexpr int kVariables = 1'000'000;
constexpr double kBound = 3.0;
constexpr int kRepetitions = 3;

double Seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string SecondText() {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\" modelName=\"Network\" "
      "guid=\"{1}\">\n"
      "<CoSimulation modelIdentifier=\"network\"/>\n<UnitDefinitions><Unit name=\"m\"><BaseUnit m=\"1\"/></Unit>"
      "</UnitDefinitions>\n<ModelVariables>\n";
  for (int i = 1; i <= kVariables; ++i) {
    text += fmt::format(
        "<ScalarVariable name=\"reach[{0}].level\" valueReference=\"{0}\" causality=\"{1}\"{2}><Real unit=\"m\" "
        "start=\"{0}.25\"/></ScalarVariable>\n",
        i, i % 10 == 0 ? "output" : "parameter", i % 10 == 0 ? " initial=\"exact\"" : " variability=\"fixed\"");
  }
  text += "</ModelVariables>\n<ModelStructure><Outputs>\n";
  for (int i = 10; i <= kVariables; i += 10) text += fmt::format("<Unknown index=\"{}\" dependencies=\"\"/>\n", i);
  return text + "</Outputs></ModelStructure>\n</fmiModelDescription>\n";
}

std::string ThirdText() {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\" modelName=\"Network\" "
      "instantiationToken=\"{1}\">\n<CoSimulation modelIdentifier=\"network\"/>\n<UnitDefinitions><Unit name=\"m\">"
      "<BaseUnit m=\"1\"/></Unit></UnitDefinitions>\n<ModelVariables>\n<Float64 name=\"time\" valueReference=\"0\" "
      "causality=\"independent\"/>\n";
  for (int i = 1; i <= kVariables; ++i) {
    text += fmt::format(
        "<Float64 name=\"reach[{0}].level\" valueReference=\"{0}\" causality=\"{1}\"{2} unit=\"m\" "
        "start=\"{0}.25\"/>\n",
        i, i % 10 == 0 ? "output" : "parameter", i % 10 == 0 ? " initial=\"exact\"" : "");
  }
  text += "</ModelVariables>\n<ModelStructure>\n";
  for (int i = 10; i <= kVariables; i += 10)
    text += fmt::format("<Output valueReference=\"{}\" dependencies=\"\"/>\n", i);
  return text + "</ModelStructure>\n</fmiModelDescription>\n";
}

/// Seconds that libxml2 alone needs.
double PlainPass(const std::string& text) {
  xmlSAXHandler events;
  std::memset(&events, 0, sizeof events);
  events.initialized = XML_SAX2_MAGIC;
  static long count;
  count = 0;
  events.startElementNs = [](void*, const xmlChar*, const xmlChar*, const xmlChar*, int, const xmlChar**, int, int,
                             const xmlChar**) { ++count; };
  const double begin = Seconds();
  const int code = xmlSAXUserParseMemory(&events, nullptr, text.data(), static_cast<int>(text.size()));
  const double seconds = Seconds() - begin;
  if (code != 0 || count < kVariables) std::printf("fmi-load: libxml2 read %ld elements, code %d\n", count, code);
  return seconds;
}

bool Measure(const char* name, const std::string& text) {
  double ours = std::numeric_limits<double>::max(), plain = ours;
  for (int i = 0; i < kRepetitions; ++i) {
    plain = std::min(plain, PlainPass(text));
    openmi::Problems problems;
    const double begin = Seconds();
    const openmi::fmi::ModelDescription description =
        openmi::fmi::ReadModelDescription(text, "modelDescription.xml", problems);
    ours = std::min(ours, Seconds() - begin);
    if (description.variables.size() < kVariables || !problems.empty()) {
      std::printf("fmi-load/%s: expected a million variables without a problem, found %zu and %zu\n", name,
                  description.variables.size(), problems.size());
      return false;
    }
  }
  std::printf("fmi-load/%s: %.3f s, libxml2 alone %.3f s (%zu MB), ratio %.2f, bound %.1f s\n", name, ours, plain,
              text.size() / 1'000'000, ours / plain, kBound);
  return ours < kBound;
}

}  // namespace

int main() {
  const bool second = Measure("2.0", SecondText());
  const bool third = Measure("3.0", ThirdText());
  return second && third ? 0 : 1;
}
