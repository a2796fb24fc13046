#include "fmi-bridge/fmi/ssp/SspDocument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "openmi/omi/XmlText.hpp"

namespace openmi::ssp {
namespace {

struct Prefix {
  std::string_view prefix;
  std::string_view uri;
};
constexpr std::array<Prefix, 6> kPrefixes = {
    {{"ssd", kSsd}, {"ssc", kSsc}, {"ssv", kSsv}, {"ssm", kSsm}, {"ssb", kSsb}, {"osp", kOsp}}};

/// Writes elements of SSP with their prefixes, and others in a default namespace of their own.
class DocumentWriter {
 public:
  std::string Write(const XmlElement& root) {
    Collect(root);
    text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    std::string declarations;
    for (const Prefix& one : kPrefixes) {
      if (used_.contains(one.uri)) declarations += fmt::format(" xmlns:{}=\"{}\"", one.prefix, one.uri);
    }
    Put(root, 0, {}, declarations);
    return std::move(text_);
  }

 private:
  void Collect(const XmlElement& element) {
    used_.emplace(element.namespace_uri);
    for (const XmlAttribute& attribute : element.attributes) used_.emplace(attribute.namespace_uri);
    for (const XmlElement& child : element.children) Collect(child);
  }

  static std::string_view PrefixOf(std::string_view uri) {
    const auto found = std::ranges::find(kPrefixes, uri, &Prefix::uri);
    return found == kPrefixes.end() ? std::string_view() : found->prefix;
  }

  /// \param default_uri  the namespace of elements without a prefix
  void Put(const XmlElement& element, std::size_t depth, std::string_view default_uri, std::string_view more) {
    const std::string_view prefix = PrefixOf(element.namespace_uri);
    const std::string name = prefix.empty() ? element.name : fmt::format("{}:{}", prefix, element.name);
    text_.append(2 * depth, ' ').append("<").append(name).append(more);
    if (prefix.empty() && element.namespace_uri != default_uri) {
      text_ += fmt::format(" xmlns=\"{}\"", EscapeXml(element.namespace_uri));
      default_uri = element.namespace_uri;
    }
    int foreign = 0;
    for (const XmlAttribute& attribute : element.attributes) {
      std::string attribute_name = attribute.name;
      if (attribute.namespace_uri == "http://www.w3.org/XML/1998/namespace") {
        attribute_name = "xml:" + attribute_name;
      } else if (!attribute.namespace_uri.empty()) {
        std::string of_attribute(PrefixOf(attribute.namespace_uri));
        if (of_attribute.empty()) {
          of_attribute = fmt::format("a{}", ++foreign);
          text_ += fmt::format(" xmlns:{}=\"{}\"", of_attribute, EscapeXml(attribute.namespace_uri));
        }
        attribute_name = fmt::format("{}:{}", of_attribute, attribute_name);
      }
      text_ += fmt::format(" {}=\"{}\"", attribute_name, EscapeXml(attribute.value));
    }
    const std::string content = element.children.empty() ? element.text : element.TrimmedText();
    if (element.children.empty() && content.empty()) {
      text_ += "/>\n";
      return;
    }
    text_ += ">" + EscapeXml(content);
    if (!element.children.empty()) {
      text_ += '\n';
      for (const XmlElement& child : element.children) Put(child, depth + 1, default_uri, {});
      text_.append(2 * depth, ' ');
    }
    text_.append("</").append(name).append(">\n");
  }

  std::set<std::string, std::less<>> used_;  // namespaces
  std::string text_;
};

}  // namespace

XmlElement MakeElement(std::string_view namespace_uri, std::string_view name,
                       std::initializer_list<std::pair<std::string_view, std::string>> attributes) {
  XmlElement element;
  element.name = name;
  element.namespace_uri = namespace_uri;
  for (const auto& [key, value] : attributes) {
    if (value.empty()) continue;
    XmlAttribute& attribute = element.attributes.emplace_back();
    attribute.name = key;
    attribute.value = value;
  }
  return element;
}

XmlElement& AddChild(XmlElement& parent, XmlElement child) {
  parent.children.push_back(std::move(child));
  return parent.children.back();
}

std::string DocumentText(const XmlElement& root) {
  return DocumentWriter().Write(root);
}

}  // namespace openmi::ssp
