#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace openmi {

/// What a reader of XML accepts at most. The defaults are far above any honest file of ours and far below what would
/// exhaust a machine.
struct XmlLimits {
  std::size_t bytes = std::size_t{64} << 20;  ///< size of the file, and of its text in UTF-8
  std::size_t depth = 256;                    ///< elements inside each other
  std::size_t nodes = 2'000'000;              ///< elements and attributes together
};

/// The bytes of a regular file.
/// \throws FileError    missing, unreadable, or no regular file (a folder, a pipe, a device)
/// \throws FormatError  larger than `limits.bytes`; nothing is read then
std::string ReadXmlBytes(const std::filesystem::path& path, const XmlLimits& limits = {});

/// The text of an XML document in UTF-8, without byte order mark. Its encoding is found by mark, by the first bytes and
/// by the declaration, in that order; UTF-8, UTF-16, US-ASCII, ISO-8859-x and windows-125x are read. \param file  only
/// for messages \throws FormatError  empty; another encoding; bytes that the encoding does not allow; a NUL character;
/// a declaration
///                      that contradicts the bytes; larger than `limits.bytes`
std::string XmlToUtf8(std::string_view bytes, const std::string& file, const XmlLimits& limits = {});

/// The reference by which XML writes one of & < > " ' or a tab or line end ("&amp;"); empty for any other character.
std::string_view XmlReference(char32_t code);

/// `text` as the content of an element or of an attribute in double quotes. Tabs and line ends become character
/// references, so that a reader gets back what was written.
/// \throws FormatError  a character that XML 1.0 has no way to write (a control character, a half surrogate)
std::string EscapeXml(std::string_view text);

/// Writes `text` beside `path` and renames it, so that a reader finds the old file or the whole new one.
/// \throws FileError  the folder is missing or not writable, or the disk is full
void WriteXmlText(const std::filesystem::path& path, std::string_view text);

}  // namespace openmi
