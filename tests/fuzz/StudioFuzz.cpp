#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "studio/ModelJson.hpp"
#include "studio/Studio.hpp"
#include "studio/edit/Document.hpp"
#include "studio/edit/XmlSource.hpp"
#include "tests/fuzz/FuzzTarget.hpp"
#include "tests/studio/WebClient.hpp"

namespace openmi::fuzz {
namespace {

constexpr const char* kEdited =
    "<?xml version=\"1.0\"?>\n<!-- a -->\n<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"b\">\n"
    "  <Component Id=\"r\" Omi=\"r.omi\"><Argument Key=\"k\" Value='1'/><!-- b --></Component>\n"
    "  <Component Id=\"c\" Omi=\"c.omi\"/> <!-- c -->\n  <Link From=\"r.o\" To=\"c.i\"><Adaptor Id=\"m\"/></Link>\n"
    "  <Observe Item=\"c.o\"/>\n</Composition>\n";

/// A studio of this process with one page's rights, whose components are never looked at and whose runs end at once.
class FuzzedStudio {
 public:
  FuzzedStudio()
      : studio_({.composition = FileOf(kEdited, ".page.xml"),
                 .program = "/bin/true",
                 .ask =
                     [](const nlohmann::json&) {
                       ChildAnswer answer;
                       answer.value = {{"problems", nlohmann::json::array()}, {"components", nlohmann::json::object()}};
                       return answer;
                     }}),
        thread_([this] { studio_.Run(); }) {
    headers_ = WebClient::SignIn(studio_.Port(), studio_.Address());
  }
  ~FuzzedStudio() {
    studio_.Stop();
    thread_.join();
  }
  FuzzedStudio(const FuzzedStudio&) = delete;
  FuzzedStudio& operator=(const FuzzedStudio&) = delete;

  /// A page that has opened its WebSocket.
  std::unique_ptr<WebClient> Page() const {
    auto page = std::make_unique<WebClient>(studio_.Port());
    Require(page->Upgrade(headers_).find("101") != std::string::npos);
    return page;
  }
  /// Whether a new page is answered.
  bool Answers() const {
    const auto page = Page();
    page->SendText(R"({"do":"text","id":"alive"})");
    while (true) {
      const std::string text = page->NextText(60'000);
      if (text.empty()) return false;
      const nlohmann::json message = nlohmann::json::parse(text);
      if (message.value("id", nlohmann::json()) == "alive") return message.at("ok") == true;
    }
  }

 private:
  Studio studio_;
  std::thread thread_;
  std::string headers_;
};

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

// What comes over a page's WebSocket: frames as they are, if the first byte is not a brace; else requests, a line each.
// However it ends, the next page is answered.
OPENMI_FUZZ_TARGET(studio_messages) {
  static const FuzzedStudio studio;
  {
    const auto page = studio.Page();
    if (input.starts_with('{')) {
      while (!input.empty()) {
        const std::size_t end = std::min(input.find('\n'), input.size());
        if (!page->SendText(input.substr(0, end))) break;
        input.remove_prefix(std::min(end + 1, input.size()));
      }
    } else {
      (void)page->Send(input);
    }
  }
  Require(studio.Answers());
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
