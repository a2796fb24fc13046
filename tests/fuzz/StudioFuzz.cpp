#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "studio/ModelJson.hpp"
#include "studio/edit/Document.hpp"
#include "studio/edit/XmlSource.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {
namespace {

constexpr const char* kEdited =
    "<?xml version=\"1.0\"?>\n<!-- a -->\n<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"b\">\n"
    "  <Component Id=\"r\" Omi=\"r.omi\"><Argument Key=\"k\" Value='1'/><!-- b --></Component>\n"
    "  <Component Id=\"c\" Omi=\"c.omi\"/> <!-- c -->\n  <Link From=\"r.o\" To=\"c.i\"><Adaptor Id=\"m\"/></Link>\n"
    "  <Observe Item=\"c.o\"/>\n</Composition>\n";

bool IsLike(const XmlElement& read, const SourceElement& found) {
  if (read.name != found.name || read.children.size() != found.children.size()) return false;
  for (const XmlAttribute& attribute : read.attributes) {
    const SourceAttribute* there = found.Attribute(attribute.name);
    // Blanks of an attribute are normalized by its type only where a DOCTYPE gives one, which is not read.
    if (there != nullptr && attribute.namespace_uri.empty() && there->value != attribute.value) return false;
  }
  for (std::size_t i = 0; i < read.children.size(); ++i) {
    if (!IsLike(read.children[i], found.children[i])) return false;
  }
  return true;
}

}  // namespace

// What a page sends as edits, a list on each line. However they end, the text can be read, and Undo gives the first
// one.
OPENMI_FUZZ_TARGET(studio_edits) {
  const std::filesystem::path path = FileOf(kEdited, ".studio.xml");
  Document document(path);
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    const nlohmann::json edits = nlohmann::json::parse(input.substr(0, end), nullptr, false);
    input.remove_prefix(std::min(end + 1, input.size()));
    try {
      ApplyEdits(document, edits);
    } catch (const Error&) {  // refused: nothing is changed
    }
    (void)ModelJson(document, nlohmann::ordered_json::object());
    Problems problems;
    (void)ReadCompositionText(document.Text(), path, problems);  // throws what cannot be read
  }
  while (document.CanUndo()) document.Undo();
  Require(document.Text() == kEdited && document.Places().empty());
}

// Whatever the reader of XML accepts, elements and attributes are found in its bytes with the same names and values.
OPENMI_FUZZ_TARGET(xml_source) {
  XmlDocument read;
  try {
    if (XmlToUtf8(input, "x") != input) return;
    read = ReadXml(input, "x");
  } catch (const Error&) {
    try {
      (void)ReadXmlSource(input);
    } catch (const Error&) {
    }
    return;
  }
  Require(IsLike(read.root, ReadXmlSource(input)));
}

}  // namespace openmi::fuzz
