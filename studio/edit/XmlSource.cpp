#include "studio/edit/XmlSource.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::size_t kDeepest = 256;
constexpr std::string_view kXmlBlanks = " \t\r\n";

// Reads the marks of a document from the front to the back.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  SourceElement Root() {
    while (true) {
      at_ = Find("<", at_);
      if (SkipMark()) continue;
      return Element(0);
    }
  }

  // Skips what stands at a '<' and is no element: a comment, an instruction, character data, a DOCTYPE.
  // \returns whether there was such a mark
  bool SkipMark() {
    if (Stands("<!--")) return Skip("-->", 4);
    if (Stands("<![CDATA[")) return Skip("]]>", 9);
    if (Stands("<?")) return Skip("?>", 2);
    if (!Stands("<!")) return false;
    at_ += 2;
    for (std::size_t depth = 0;; ++at_) {  // a DOCTYPE, which may hold declarations and comments in brackets
      while (depth > 0 && (Stands("<!--") || Stands("<?"))) SkipMark();
      if (at_ >= text_.size()) Refuse("the end of a declaration");
      if (text_[at_] == '"' || text_[at_] == '\'') at_ = Find(std::string_view(&text_[at_], 1), at_ + 1);
      if (text_[at_] == '[') ++depth;
      if (text_[at_] == ']' && depth > 0) --depth;
      if (text_[at_] == '>' && depth == 0) break;
    }
    ++at_;
    return true;
  }

 private:
  bool Stands(std::string_view mark) const { return text_.substr(at_).starts_with(mark); }

  bool Skip(std::string_view mark, std::size_t after) {
    at_ = Find(mark, at_ + after) + mark.size();
    return true;
  }

  [[noreturn]] void Refuse(const char* expected) const {
    const auto line =
        1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())), '\n');
    throw FormatError({.line = static_cast<int>(line)}, std::string("expected ") + expected + ", found other text",
                      "correct the XML");
  }

  std::size_t Find(std::string_view mark, std::size_t from) const {
    const std::size_t found = text_.find(mark, from);
    if (found == std::string_view::npos) Refuse("an element that is complete");
    return found;
  }

  void SkipBlanks() { at_ = std::min(text_.find_first_not_of(kXmlBlanks, at_), text_.size()); }

  std::string Name() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(" \t\r\n=/>", at_), text_.size());
    if (at_ == begin) Refuse("a name");
    return std::string(text_.substr(begin, at_ - begin));
  }

  SourceAttribute Attribute(std::size_t begin) {
    SourceAttribute attribute;
    attribute.begin = begin;
    attribute.name = Name();
    SkipBlanks();
    if (!Stands("=")) Refuse("'=' after the name of an attribute");
    ++at_;
    SkipBlanks();
    if (!Stands("\"") && !Stands("'")) Refuse("a value in quotation marks");
    attribute.quote = text_[at_];
    attribute.value_begin = at_ + 1;
    attribute.value_end = Find(std::string_view(&attribute.quote, 1), at_ + 1);
    attribute.value = Decoded(text_.substr(attribute.value_begin, attribute.value_end - attribute.value_begin));
    at_ = attribute.value_end + 1;
    return attribute;
  }

  // The value as a reader gives it: references replaced, and blanks of all kinds as spaces.
  static std::string Decoded(std::string_view text) {
    std::string value;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::size_t end = text[i] == '&' ? text.find(';', i) : std::string_view::npos;
      if (end == std::string_view::npos) {
        if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
        value += kXmlBlanks.find(text[i]) != std::string_view::npos ? ' ' : text[i];
        continue;
      }
      value += Reference(text.substr(i + 1, end - i - 1));
      i = end;
    }
    return value;
  }

  static std::string Reference(std::string_view name) {
    constexpr std::pair<std::string_view, char> kNames[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [known, character] : kNames) {
      if (name == known) return std::string(1, character);
    }
    if (!name.starts_with('#')) return "&" + std::string(name) + ";";
    const bool is_hexadecimal = name.size() > 1 && name[1] == 'x';
    std::uint32_t code = 0;
    for (const char digit : name.substr(is_hexadecimal ? 2 : 1)) {
      const int value = digit >= '0' && digit <= '9'   ? digit - '0'
                        : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
                        : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                                       : 0;
      if (code > 0x10FFFF) break;
      code = code * (is_hexadecimal ? 16 : 10) + static_cast<std::uint32_t>(value);
    }
    return Encoded(std::min(code, std::uint32_t{0x10FFFF}));
  }

  static std::string Encoded(std::uint32_t code) {
    if (code < 0x80) return std::string(1, static_cast<char>(code));
    std::string text;
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes after the first
    constexpr std::uint32_t kFirst[] = {0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(kFirst[more] | (code >> (6 * more)));
    for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
    return text;
  }

  SourceElement Element(std::size_t depth) {
    if (depth > kDeepest) Refuse("at most 256 nested elements");
    SourceElement element;
    element.begin = at_++;
    element.name = Name();
    if (const std::size_t colon = element.name.find(':'); colon != std::string::npos) {
      element.prefix = element.name.substr(0, colon + 1);
      element.name.erase(0, colon + 1);
    }
    element.names_end = at_;
    while (true) {
      const std::size_t blanks = at_;
      SkipBlanks();
      if (Stands("/>")) {
        element.tag_end = element.close = element.end = at_ += 2;
        element.is_empty = true;
        return element;
      }
      if (Stands(">")) break;
      element.attributes.push_back(Attribute(blanks));
      element.names_end = at_;
    }
    element.tag_end = ++at_;
    while (true) {
      at_ = Find("<", at_);
      if (Stands("</")) break;
      if (!SkipMark()) element.children.push_back(Element(depth + 1));
    }
    element.close = at_;
    element.end = at_ = Find(">", at_) + 1;
    return element;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const SourceAttribute* SourceElement::Attribute(std::string_view attribute_name) const {
  const auto found = std::ranges::find(attributes, attribute_name, &SourceAttribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

std::string SourceElement::Get(std::string_view attribute_name) const {
  const SourceAttribute* attribute = Attribute(attribute_name);
  return attribute == nullptr ? std::string() : attribute->value;
}

SourceElement ReadXmlSource(std::string_view text) {
  return Scanner(text).Root();
}

std::vector<std::pair<std::size_t, std::size_t>> CommentsIn(std::string_view text, std::size_t begin, std::size_t end) {
  std::vector<std::pair<std::size_t, std::size_t>> comments;
  const std::string_view part = text.substr(0, end);
  for (std::size_t at = part.find('<', begin); at != std::string_view::npos; at = part.find('<', at)) {
    const bool is_comment = part.substr(at).starts_with("<!--");
    const std::string_view mark = is_comment ? "-->" : part.substr(at).starts_with("<![CDATA[") ? "]]>" : "";
    if (mark.empty()) {
      // A tag: its attributes may hold what looks like a comment.
      char quote = 0;
      for (++at; at < part.size() && (quote != 0 || part[at] != '>'); ++at) {
        if (quote == part[at]) {
          quote = 0;
        } else if (quote == 0 && (part[at] == '"' || part[at] == '\'')) {
          quote = part[at];
        }
      }
      continue;
    }
    const std::size_t last = std::min(part.find(mark, at + 4), part.size() - mark.size()) + mark.size();
    if (is_comment) comments.emplace_back(at, last - at);
    at = last;
  }
  return comments;
}

std::string EscapedFor(char quote, std::string_view value) {
  std::string text = EscapeXml(value);
  // EscapeXml writes both kinds of quotation marks as references; only one has to be.
  const std::string_view other = quote == '"' ? "&#39;" : "&quot;";
  const char kept = quote == '"' ? '\'' : '"';
  for (std::size_t at = text.find(other); at != std::string::npos; at = text.find(other, at + 1)) {
    text.replace(at, other.size(), 1, kept);
  }
  return text;
}

}  // namespace openmi
