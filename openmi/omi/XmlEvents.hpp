#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// An attribute while its element is read; the texts are good only during the call.
struct XmlEventAttribute {
  std::string_view name;           ///< without prefix
  std::string_view namespace_uri;  ///< empty for an attribute without prefix
  std::string_view value;          ///< references replaced
};

/// The begin of an element, good only during the call.
struct XmlEventTag {
  std::string_view name;  ///< without prefix
  std::string_view namespace_uri;
  std::span<const XmlEventAttribute> attributes;  ///< declarations of namespaces are not among them
  std::size_t begin = 0;                          ///< offset of the '<' in the text
  std::size_t end = 0;                            ///< offset behind the attributes; the '>' or '/>' is there
  int line = 0;                                   ///< of the '<', counted from 1

  /// The attribute of that name without namespace, or null.
  const XmlEventAttribute* Attribute(std::string_view attribute_name) const {
    for (const XmlEventAttribute& attribute : attributes) {
      if (attribute.name == attribute_name && attribute.namespace_uri.empty()) return &attribute;
    }
    return nullptr;
  }
};

/// Receives a document in the order of its text. What a call throws ends the reading and comes out of ReadXmlEvents.
class IXmlEvents {
 public:
  virtual ~IXmlEvents() = default;
  virtual void OnStart(const XmlEventTag& tag) = 0;
  /// \param end  offset in the text that lies behind the content of the element, in or behind its closing tag
  virtual void OnEnd(std::size_t end) = 0;
  /// Text between tags, in pieces.
  virtual void OnText(std::string_view piece) = 0;
};

/// Reads a document without building anything, trusting nothing in it; the rules are those of ReadXml, and a file of
/// any size within the limits passes in constant memory.
/// \param text   in UTF-8, as XmlToUtf8 gives it; less than 2 GiB
/// \param file   only for messages
/// \param notes  gets what is odd and harmless, such as a DOCTYPE that was not followed
/// \returns where a DOCTYPE begins, or npos
/// \throws FormatError  the text is not well-formed XML, or passes a limit
std::size_t ReadXmlEvents(std::string_view text, const std::string& file, const XmlLimits& limits, IXmlEvents& events,
                          Problems& notes);

}  // namespace openmi
