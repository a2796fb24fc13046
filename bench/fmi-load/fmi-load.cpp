// fmi-load/<version>: reading and checking a description of a million variables, against libxml2 alone going through
// the same text as events (its reader of elements and attributes, nothing kept), in the same process and run. The bound
// is the acceptance line's: less than three seconds. Arguments: none, both; else 2.0 or 3.0.
#include <fmt/format.h>
#include <libxml/parser.h>

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>

#include "bench/support/Report.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"

namespace {

constexpr int kVariables = 1'000'000;
constexpr double kBound = 3.0;
constexpr int kRounds = 5;

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
  int code = 0;
  const double seconds = bench::WallSeconds(
      [&] { code = xmlSAXUserParseMemory(&events, nullptr, text.data(), static_cast<int>(text.size())); });
  if (code != 0 || count < kVariables) {
    throw std::runtime_error(fmt::format("libxml2 read {} elements, code {}", count, code));
  }
  return seconds;
}

void Measure(bench::Report& report, const char* name, const std::string& text) {
  if (!report.Wants(name)) return;
  const auto ours = [&] {
    openmi::Problems problems;
    std::size_t variables = 0;
    const double seconds = bench::WallSeconds([&] {
      variables = openmi::fmi::ReadModelDescription(text, "modelDescription.xml", problems).variables.size();
    });
    if (variables < kVariables || !problems.empty()) {
      throw std::runtime_error(fmt::format("expected a million variables without a problem, found {} and {} problems",
                                           variables, problems.size()));
    }
    return seconds;
  };
  const bench::Pairs pairs = bench::InTurn(
      kRounds, ours, [&] { return PlainPass(text); }, 0);
  report.Line(name, pairs, "s", "libxml2 alone", {}, fmt::format("{} MB", text.size() / 1'000'000));
  report.Line(fmt::format("{}-in-all", name), pairs.Ours(), "s", "limit", kBound, bench::Bound::AtMost(1.0));
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("fmi-load", count, words, [](bench::Report& report) {
    Measure(report, "2.0", SecondText());
    Measure(report, "3.0", ThirdText());
  });
}
