#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "openmi/omi/XmlText.hpp"

namespace openmi {

/// Writes an XML document with one element per line, indented by depth.
class XmlLines {
 public:
  /// Starts an element.
  /// \param tag  name and attributes, already escaped
  void Open(std::string_view tag) {
    Add("<" + std::string(tag) + ">");
    ++depth_;
  }
  /// Ends an element.
  void Close(std::string_view name) {
    --depth_;
    Add("</" + std::string(name) + ">");
  }
  /// Writes an element without content.
  /// \param tag  name and attributes, already escaped
  void Empty(std::string_view tag) { Add("<" + std::string(tag) + "/>"); }
  /// Writes an element that contains text.
  void Text(std::string_view name, std::string_view text) {
    Add("<" + std::string(name) + ">" + EscapeXml(text) + "</" + std::string(name) + ">");
  }
  /// As `Text`; writes nothing when the text is empty.
  void Optional(std::string_view name, std::string_view text) {
    if (!text.empty()) Text(name, text);
  }
  /// Writes one line, already escaped.
  void Add(std::string_view line) { text_.append(2 * depth_, ' ').append(line).append("\n"); }
  /// The document, moved out of the writer.
  std::string Take() { return std::move(text_); }

 private:
  std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::size_t depth_ = 0;
};

}  // namespace openmi
