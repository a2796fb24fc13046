#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// An attribute in the bytes of a document.
struct SourceAttribute {
  std::string name;             ///< as written, with its prefix
  std::string value;            ///< with references replaced
  std::size_t begin = 0;        ///< of the blanks before the name
  std::size_t value_begin = 0;  ///< after the opening quotation mark
  std::size_t value_end = 0;    ///< at the closing quotation mark
  char quote = '"';
};

/// An element in the bytes of a document. Offsets are bytes from the start of the text.
struct SourceElement {
  std::string prefix;  ///< of the name, with its colon; may be empty
  std::string name;    ///< without prefix
  std::vector<SourceAttribute> attributes;
  std::vector<SourceElement> children;
  std::size_t begin = 0;      ///< of the start tag
  std::size_t names_end = 0;  ///< after the last attribute, or after the name
  std::size_t tag_end = 0;    ///< after the start tag
  std::size_t close = 0;      ///< of the end tag; `tag_end` of an element without one
  std::size_t end = 0;        ///< after the whole element
  bool is_empty = false;      ///< written as one tag, `<a/>`

  /// The attribute of that name; null if there is none.
  const SourceAttribute* Attribute(std::string_view attribute_name) const;
  /// The value of the attribute; empty if there is none.
  std::string Get(std::string_view attribute_name) const;
};

/// Finds where the elements and attributes of a document stand in its bytes, so that a part of it can be changed and
/// the rest stays as it was written.
///
/// Reads documents that ReadXml has accepted. Comments, instructions and character data are skipped.
/// \returns the root
/// \throws FormatError  the text is not well-formed, or has more than 256 nested elements
SourceElement ReadXmlSource(std::string_view text);

/// The ranges of the comments from `begin` to `end`, each as offset and size.
std::vector<std::pair<std::size_t, std::size_t>> CommentsIn(std::string_view text, std::size_t begin, std::size_t end);

/// `value` as the content of an attribute in quotation marks of the kind `quote`.
/// \throws FormatError  XML cannot represent a character
std::string EscapedFor(char quote, std::string_view value);

}  // namespace openmi
