#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// An attribute as written in the file. Namespace declarations (xmlns) are not attributes here.
struct XmlAttribute {
  std::string name;           ///< without prefix
  std::string namespace_uri;  ///< empty for an attribute without prefix
  std::string value;          ///< normalized as XML requires; in UTF-8
  int line = 0;               ///< of the name, counted from 1
  int column = 0;             ///< of the name, in characters, counted from 1
};

/// An element with its content.
struct XmlElement {
  std::string name;           ///< without prefix
  std::string namespace_uri;  ///< empty when the element has none
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::string text;  ///< all text directly inside this element, joined; without comments and children
  int line = 0;      ///< of the `<` that starts the element, counted from 1
  int column = 0;    ///< in characters, counted from 1
  std::shared_ptr<const std::string> file;  ///< name for messages; never null in a document that was read

  /// File and line of this element.
  Where Place() const;
  /// File and line of one of its attributes.
  Where Place(const XmlAttribute& attribute) const;
  /// The attribute `attribute_name` without namespace, or null.
  const XmlAttribute* Attribute(std::string_view attribute_name) const;
  /// The value of the attribute, or `otherwise` when it is absent.
  std::string Get(std::string_view attribute_name, std::string_view otherwise = {}) const;
  /// The value of the attribute.
  /// \throws FormatError  the attribute is absent; names the nearest existing one
  const std::string& Required(std::string_view attribute_name) const;
  /// The first child with this name in any namespace, or null.
  const XmlElement* Child(std::string_view child_name) const;
  /// All children with this name in any namespace, in order; valid until this element is changed.
  std::vector<const XmlElement*> Children(std::string_view child_name) const;
  /// `text` without white space at both ends.
  std::string TrimmedText() const;
};

/// A whole document.
struct XmlDocument {
  XmlElement root;
  std::string text;  ///< the document in UTF-8, with blanks for its DOCTYPE; for a validator
  Problems notes;    ///< harmless oddities, such as a DOCTYPE that was ignored
};

/// Reads an untrusted document into a tree of plain structs.
///
/// No external entity, DTD or network address is ever opened. A DOCTYPE that declares an entity is refused at the first
/// declaration. `limits` bounds size, depth and number of nodes. The encoding is checked before the parser reads a
/// byte. Thread-safe.
/// \throws FileError    the file cannot be read
/// \throws FormatError  the text is not well-formed XML (with the sentence and column of libxml2), or exceeds a limit
XmlDocument ReadXmlFile(const std::filesystem::path& path, const XmlLimits& limits = {});

/// As `ReadXmlFile`, from memory.
/// \param file  the name for messages
XmlDocument ReadXml(std::string_view bytes, const std::string& file, const XmlLimits& limits = {});

}  // namespace openmi
