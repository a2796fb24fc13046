#include "fmi-bridge/fmi/ssp/ForeignAttributes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/sdk/Suggest.hpp"

namespace openmi::ssp {

namespace {

using Names = std::vector<std::string>;

/// The known attributes, by element.
///
/// Source: the schemas of SSP 2.0 (SystemStructureCommon, -Description, -ParameterValues, -ParameterMapping and
/// -SignalDictionary), which include everything in those of 1.0.
const std::map<std::string, Names, std::less<>>& KnownAttributes() {
  static const std::map<std::string, Names, std::less<>> kKnown = [] {
    const Names entity = {"id", "description"};
    const Names document = {"version",   "name",    "id",          "description",    "author",
                            "copyright", "license", "fileversion", "generationTool", "generationDateAndTime"};
    const auto with = [](Names names, const Names& more) {
      names.insert(names.end(), more.begin(), more.end());
      return names;
    };
    std::map<std::string, Names, std::less<>> known = {
        {"SystemStructureDescription", document},
        {"ParameterSet", document},
        {"ParameterMapping", with(document, {"source", "sourceBase", "type"})},
        {"SignalDictionary", with(document, {"source", "type"})},
        {"System", with(entity, {"name"})},
        {"Component", with(entity, {"name", "source", "type", "implementation"})},
        {"SignalDictionaryReference", with(entity, {"name", "dictionary"})},
        {"DictionaryEntry", with(entity, {"name"})},
        {"Connector", with(entity, {"name", "kind"})},
        {"Connection", with(entity, {"startElement", "startConnector", "endElement", "endConnector", "startIndices",
                                     "endIndices", "suppressUnitConversion"})},
        {"ParameterBinding", with(entity, {"source", "sourceBase", "type", "prefix"})},
        {"Parameter", with(entity, {"name"})},
        {"MappingEntry", with(entity, {"source", "target", "suppressUnitConversion"})},
        {"LinearTransformation", {"factor", "offset"}},
        {"MapEntry", {"source", "target"}},
        {"Dimension", {"size", "sizeConnector"}},
        {"Unit", with(entity, {"name"})},
        {"BaseUnit", {"kg", "m", "s", "A", "K", "mol", "cd", "rad", "factor", "offset"}},
        {"Enumeration", with(entity, {"name", "value"})},
        {"Item", {"name", "value"}},
        {"Binary", {"mime-type", "value"}},
        {"DefaultExperiment", {"startTime", "stopTime"}},
    };
    for (const char* list : {"Elements", "Connections", "Connectors", "ParameterBindings", "Parameters", "Units",
                             "Enumerations", "SignalDictionaries", "ParameterValues"}) {
      known[list] = {};
    }
    for (const char* number : {"Real", "Float64", "Float32"}) known[number] = {"value", "unit"};
    for (const char* type :
         {"Integer", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Boolean", "String"}) {
      known[type] = {"value"};
    }
    return known;
  }();
  return kKnown;
}

}  // namespace

void WarnOfForeignAttributes(const XmlElement& root, Problems& problems) {
  if (root.name == "Annotations" || root.name == "Annotation") return;
  const auto known = KnownAttributes().find(root.name);
  if (known != KnownAttributes().end()) {
    for (const XmlAttribute& attribute : root.attributes) {
      if (!attribute.namespace_uri.empty()) continue;
      if (std::ranges::find(known->second, attribute.name) != known->second.end()) continue;
      AddWarning(problems, root.Place(attribute),
                 fmt::format("expected an attribute that SSP knows for {}, found {}; it was ignored", root.name,
                             Quoted(attribute.name)),
                 known->second.empty() ? "remove it" : Suggest(attribute.name, known->second));
    }
  }
  for (const XmlElement& child : root.children) WarnOfForeignAttributes(child, problems);
}

}  // namespace openmi::ssp
