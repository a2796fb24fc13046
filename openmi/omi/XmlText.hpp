#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace openmi {

/// The limits of the XML reader.
///
/// The defaults are far above any regular file of the project and far below what would exhaust a machine.
struct XmlLimits {
  std::size_t bytes = std::size_t{64} << 20;  ///< size of the file, and of its text in UTF-8
  std::size_t depth = 256;                    ///< nested elements
  std::size_t nodes = 2'000'000;              ///< elements and attributes together
};

/// The bytes of a regular file.
/// \throws FileError    the file is missing, unreadable or not regular (a folder, a pipe, a device)
/// \throws FormatError  the file is larger than `limits.bytes`; then nothing is read
std::string ReadXmlBytes(const std::filesystem::path& path, const XmlLimits& limits = {});

/// The text of an XML document in UTF-8, without byte order mark.
///
/// The encoding is detected from the byte order mark, the first bytes and the declaration, in this order. UTF-8,
/// UTF-16, US-ASCII, ISO-8859-x and windows-125x are read.
/// \param file  the name for messages
/// \throws FormatError  the text is empty, has another encoding, contains bytes that its encoding does not allow or a
///   NUL character, has a declaration that contradicts the bytes, or is larger than `limits.bytes`
std::string XmlToUtf8(std::string_view bytes, const std::string& file, const XmlLimits& limits = {});

/// The reference that XML uses for `&`, `<`, `>`, a quotation mark, an apostrophe, a tab or a line end (`&amp;`); empty
/// for other characters.
std::string_view XmlReference(char32_t code);

/// `text` as the content of an element, or of an attribute in double quotes.
///
/// Tabs and line ends become character references, so that a reader returns the original text.
/// \throws FormatError  XML 1.0 cannot represent a character (a control character, a half surrogate)
std::string EscapeXml(std::string_view text);

/// Writes `text` beside `path` and renames the file, so that a reader finds the old file or the complete new one.
/// \throws FileError  the folder is missing or not writable, or the disk is full
void WriteXmlText(const std::filesystem::path& path, std::string_view text);

}  // namespace openmi
