#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "openmi/omi/XmlText.hpp"

namespace openmi {

/// Writes an XML document, a line an element, indented by depth.
class XmlLines {
 public:
  /// \param tag  name and attributes, escaped already
  void Open(std::string_view tag) {
    Add("<" + std::string(tag) + ">");
    ++depth_;
  }
  void Close(std::string_view name) {
    --depth_;
    Add("</" + std::string(name) + ">");
  }
  /// \param tag  name and attributes, escaped already
  void Empty(std::string_view tag) { Add("<" + std::string(tag) + "/>"); }
  /// An element that holds text.
  void Text(std::string_view name, std::string_view text) {
    Add("<" + std::string(name) + ">" + EscapeXml(text) + "</" + std::string(name) + ">");
  }
  /// The same, unless the text is empty.
  void Optional(std::string_view name, std::string_view text) {
    if (!text.empty()) Text(name, text);
  }
  void Add(std::string_view line) { text_.append(2 * depth_, ' ').append(line).append("\n"); }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::size_t depth_ = 0;
};

}  // namespace openmi
