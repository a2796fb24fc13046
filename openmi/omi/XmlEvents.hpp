#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// An attribute while its element is read. The texts are valid only during the call.
struct XmlEventAttribute {
  std::string_view name;           ///< without prefix
  std::string_view namespace_uri;  ///< empty for an attribute without prefix
  std::string_view value;          ///< references replaced
};

/// The start of an element; valid only during the call.
struct XmlEventTag {
  std::string_view name;  ///< without prefix
  std::string_view namespace_uri;
  std::span<const XmlEventAttribute> attributes;  ///< without namespace declarations
  std::size_t begin = 0;                          ///< offset of the `<` in the text
  std::size_t end = 0;                            ///< offset after the attributes, where the `>` or `/>` is
  int line = 0;                                   ///< of the `<`, counted from 1

  /// The attribute with this name and without namespace, or null.
  const XmlEventAttribute* Attribute(std::string_view attribute_name) const {
    for (const XmlEventAttribute& attribute : attributes) {
      if (attribute.name == attribute_name && attribute.namespace_uri.empty()) return &attribute;
    }
    return nullptr;
  }
};

/// Receives a document in the order of its text. An exception from a call ends the reading and reaches the caller of
/// `ReadXmlEvents`.
class IXmlEvents {
 public:
  virtual ~IXmlEvents() = default;
  /// Receives the start of an element with its attributes.
  virtual void OnStart(const XmlEventTag& tag) = 0;
  /// \param end  offset in the text after the content of the element: in or after its closing tag
  virtual void OnEnd(std::size_t end) = 0;
  /// Receives text between tags, in pieces.
  virtual void OnText(std::string_view piece) = 0;
};

/// Reads an untrusted document without building a tree.
///
/// The rules are those of `ReadXml`. A document of any size within the limits needs constant memory.
/// \param text   in UTF-8, as from `XmlToUtf8`; less than 2 GiB
/// \param file   the name for messages
/// \param notes  receives harmless oddities, such as a DOCTYPE that was ignored
/// \returns the offset where a DOCTYPE starts, or npos
/// \throws FormatError  the text is not well-formed XML, or exceeds a limit
std::size_t ReadXmlEvents(std::string_view text, const std::string& file, const XmlLimits& limits, IXmlEvents& events,
                          Problems& notes);

}  // namespace openmi
