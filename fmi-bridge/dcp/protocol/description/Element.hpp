#pragma once

#include <vector>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "openmi/omi/XmlReader.hpp"

namespace openmi::dcp {

/// Reads the attributes of an XML element one by one, and reports those that were not read.
class Element {
 public:
  /// \param element  borrowed
  /// \param report  borrowed
  /// \param item  a name for messages; must outlive this object
  Element(const XmlElement& element, described::Report& report, std::string_view item = {})
      : views_(Views(element)),
        tag_{.name = element.name,
             .namespace_uri = element.namespace_uri,
             .attributes = views_,
             .begin = 0,
             .end = 0,
             .line = element.line},
        attributes_(tag_, report, item) {}

  described::Attributes* operator->() { return &attributes_; }
  described::Attributes& operator*() { return attributes_; }

 private:
  static std::vector<XmlEventAttribute> Views(const XmlElement& element) {
    std::vector<XmlEventAttribute> views;
    views.reserve(element.attributes.size());
    for (const XmlAttribute& attribute : element.attributes) {
      views.push_back({attribute.name, attribute.namespace_uri, attribute.value});
    }
    return views;
  }

  std::vector<XmlEventAttribute> views_;
  XmlEventTag tag_;
  described::Attributes attributes_;
};

/// Reports children that are not allowed in `parent`, are in another order, or occur twice.
/// \param once  names that may occur once, in their order
/// \param many  a further name that may occur any number of times, after them; empty for none
void CheckChildren(const XmlElement& parent, std::span<const std::string_view> once, std::string_view many,
                   described::Report& report);

}  // namespace openmi::dcp
