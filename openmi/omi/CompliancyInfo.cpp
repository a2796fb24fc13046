#include "openmi/omi/CompliancyInfo.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "openmi/omi/SchemaValidator.hpp"
#include "openmi/omi/XmlLines.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

namespace {

std::string NeededText(const std::string& text, std::string_view what) {
  if (text.empty()) {
    throw FormatError({}, fmt::format("expected {} for a compliancy information file, found none", what),
                      fmt::format("give {}", what));
  }
  return EscapeXml(text);
}

void WriteItem(XmlLines& lines, std::string_view tag, const CompliancyItem& item, const std::string& operations) {
  std::string attributes = fmt::format("{} id=\"{}\"", tag, NeededText(item.id, "the Id of an exchange item"));
  if (!operations.empty()) attributes += fmt::format(" dataOperationsSetId=\"{}\"", operations);
  lines.Open(attributes);
  lines.Open(fmt::format("quantity id=\"{}\"", NeededText(item.quantity, "the quantity of an exchange item")));
  lines.Optional("description", item.description);
  lines.Optional("unit", item.unit);
  lines.Optional("dimension", item.dimension);
  lines.Close("quantity");
  if (item.elements) {
    const CompliancyItem::Elements& elements = *item.elements;
    lines.Open(fmt::format("elementSet id=\"{}\" elementType=\"{}\"{}", EscapeXml(elements.id),
                           NeededText(elements.type, "the type of an element set"),
                           elements.count ? fmt::format(" count=\"{}\"", *elements.count) : std::string()));
    lines.Optional("description", elements.description);
    lines.Close("elementSet");
  }
  lines.Close(tag);
}

}  // namespace

std::string CompliancyText(const CompliancyInfo& info) {
  XmlLines lines;
  lines.Add(
      "<!-- Follows the files published for OpenMI 1.4, by a schema of our own; no certificate of compliance. -->");
  lines.Open("OpenMICompliancyInfo xmlns=\"http://www.openmi.org\"");
  lines.Open("generalSoftwareInfo");
  lines.Open(fmt::format("component name=\"{}\" version=\"{}\"",
                         NeededText(info.component_name, "the component's name"),
                         NeededText(info.component_version, "the component's version")));
  lines.Text("description", info.component_description);
  lines.Optional("url", info.component_url);
  lines.Close("component");
  lines.Open("contactInfo");
  NeededText(info.supplier_name, "the supplier's name");
  lines.Text("supplierName", info.supplier_name);
  lines.Optional("contactPerson", info.contact_person);
  lines.Optional("supplierEmail", info.supplier_email);
  lines.Close("contactInfo");
  lines.Open(fmt::format("availability component=\"{}\" source=\"{}\"", info.component_free ? "free" : "restricted",
                         info.source_available ? "available" : "private"));
  lines.Optional("comment", info.availability_comment);
  lines.Close("availability");
  lines.Close("generalSoftwareInfo");

  lines.Open("supportForOpenMI");
  lines.Open("compliancy");
  NeededText(info.technology, "the technology");
  NeededText(info.standard_version, "the version of the standard");
  lines.Text("technology", info.technology);
  lines.Text("openMIStandardVersion", info.standard_version);
  lines.Close("compliancy");
  lines.Open("exchangeItems");
  // Outputs that offer the same adaptors share one set of operations.
  std::map<std::vector<std::string>, std::string> sets;
  for (const CompliancyItem& output : info.outputs) {
    if (output.adaptors.empty()) continue;
    const auto [set, is_new] = sets.try_emplace(output.adaptors, fmt::format("operations-{}", sets.size() + 1));
    if (!is_new) continue;
    lines.Open(fmt::format("dataOperations setId=\"{}\"", set->second));
    for (const std::string& adaptor : output.adaptors) {
      NeededText(adaptor, "the Id of an adapted output");
      lines.Text("dataOperation", adaptor);
    }
    lines.Close("dataOperations");
  }
  for (const CompliancyItem& input : info.inputs) WriteItem(lines, "inputExchangeItem", input, {});
  for (const CompliancyItem& output : info.outputs) {
    const auto set = sets.find(output.adaptors);
    WriteItem(lines, "outputExchangeItem", output, set == sets.end() ? std::string() : set->second);
  }
  lines.Close("exchangeItems");
  lines.Close("supportForOpenMI");
  lines.Close("OpenMICompliancyInfo");

  std::string text = lines.Take();
  // Rules that only the schema contains, such as the form of a URL.
  ThrowIfErrors(ValidateXml(ReadXml(text, "compliancy information"), "CompliancyInfo.xsd"));
  return text;
}

}  // namespace openmi
