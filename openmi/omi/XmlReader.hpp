#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// An attribute as it stands in the file. Namespace declarations (xmlns) are not among the attributes.
struct XmlAttribute {
  std::string name;           ///< without prefix
  std::string namespace_uri;  ///< empty for an attribute without prefix
  std::string value;          ///< normalised as XML asks; in UTF-8
  int line = 0;               ///< of the name, counted from 1
  int column = 0;             ///< of the name, in characters, counted from 1
};

/// An element with everything inside it.
struct XmlElement {
  std::string name;           ///< without prefix
  std::string namespace_uri;  ///< empty when the element is in none
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::string text;  ///< all text directly inside this element, put together; comments and children left out
  int line = 0;      ///< of the '<' that begins the element, counted from 1
  int column = 0;    ///< in characters, counted from 1
  std::shared_ptr<const std::string> file;  ///< name for messages; never null in a document that was read

  /// File and line of this element, and of one of its attributes.
  Where Place() const;
  Where Place(const XmlAttribute& attribute) const;
  /// The attribute `attribute_name` without namespace, or null.
  const XmlAttribute* Attribute(std::string_view attribute_name) const;
  /// Value of the attribute, or `otherwise` when it is absent.
  std::string Get(std::string_view attribute_name, std::string_view otherwise = {}) const;
  /// Value of the attribute.
  /// \throws FormatError  the attribute is absent; names the nearest one that is there
  const std::string& Required(std::string_view attribute_name) const;
  /// The first child of that name in any namespace, or null.
  const XmlElement* Child(std::string_view child_name) const;
  /// All children of that name in any namespace, in order; good as long as this element is not changed.
  std::vector<const XmlElement*> Children(std::string_view child_name) const;
  /// `text` without white space at both ends.
  std::string TrimmedText() const;
};

/// A whole document.
struct XmlDocument {
  XmlElement root;
  std::string text;  ///< the document in UTF-8, its DOCTYPE blanked out, for a validator
  Problems notes;    ///< what is odd and harmless, such as a DOCTYPE that was not followed
};

/// Reads a document into a tree of plain structs, trusting nothing in it: no external entity, DTD or network address is
/// ever opened; a DOCTYPE that declares an entity is refused at the first declaration; size, depth and number of nodes
/// are bounded by `limits`; the encoding is checked before the parser sees a byte. Thread-safe. \throws FileError the
/// file cannot be read \throws FormatError  the text is not well-formed XML (libxml2's own sentence and column are in
/// the message), or passes
///                      a limit
XmlDocument ReadXmlFile(const std::filesystem::path& path, const XmlLimits& limits = {});

/// The same from memory. \param file  only for messages
XmlDocument ReadXml(std::string_view bytes, const std::string& file, const XmlLimits& limits = {});

}  // namespace openmi
