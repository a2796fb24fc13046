#include "composition/report/SvgWriter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>

#include "composition/report/SvgTheme.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Utf8.hpp"

namespace openmi {
namespace {

bool IsAllowedInXml(char32_t code) {
  return code == '\t' || code == '\n' || (code >= 0x20 && code < 0x7F) ||
         (code >= 0xA0 && code != 0xFFFE && code != 0xFFFF);
}

double CharacterWidth(char32_t code) {
  if (code >= 0x1100 && (code < 0x2000 || (code >= 0x2E80 && code < 0xA4D0) || (code >= 0xAC00 && code < 0xFB00))) {
    return 1.0;
  }
  if (code > 0x7F) return 0.62;
  const std::string_view narrow = "iljI.,:;|'!()[] ft/-";
  const std::string_view wide = "mwMW%@";
  const auto letter = static_cast<char>(code);
  if (narrow.find(letter) != std::string_view::npos) return 0.36;
  if (wide.find(letter) != std::string_view::npos) return 0.92;
  return letter >= 'A' && letter <= 'Z' ? 0.68 : 0.59;
}

// The number in an attribute of the root, in pixels.
double Attribute(const std::string& picture, const std::string& name, double otherwise) {
  const std::size_t root = picture.find("<svg ");
  const std::size_t end = picture.find('>', root);
  const std::size_t at = picture.find(" " + name + "=\"", root);
  if (at == std::string::npos || at > end) return otherwise;
  return std::strtod(picture.c_str() + at + name.size() + 3, nullptr);
}

std::string Arranged(const std::vector<std::string>& pictures, bool downwards) {
  constexpr double kGap = 20.0;  // pixels
  if (pictures.size() == 1) return pictures.front();
  double along = 0.0;
  double across = 0.0;
  std::string body;
  for (const std::string& picture : pictures) {
    const std::size_t root = picture.find("<svg ");
    if (root == std::string::npos) continue;
    body += fmt::format("<svg {}=\"{}\" ", downwards ? "y" : "x", along) + picture.substr(root + 5) + "\n";
    const double width = Attribute(picture, "width", 860.0);
    const double height = Attribute(picture, "height", 300.0);
    along += (downwards ? height : width) + kGap;
    across = std::max(across, downwards ? width : height);
  }
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">\n",
                     downwards ? across : along, downwards ? along : across) +
         body + "</svg>\n";
}

}  // namespace

std::string EscapeMarkup(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size() + text.size() / 8);
  for (std::size_t position = 0; position < text.size();) {
    const Utf8Character character = NextUtf8(text, position);
    const std::string_view bytes = text.substr(position, character.length);
    position += character.length;
    if (!character.is_valid) {
      escaped += "\xEF\xBF\xBD";
    } else if (IsAllowedInXml(character.code)) {
      const bool is_blank = character.code == '\t' || character.code == '\n';
      const std::string_view reference = is_blank ? std::string_view() : XmlReference(character.code);
      escaped += reference.empty() ? bytes : reference;
    }
  }
  return escaped;
}

std::string FormatCoordinate(double value, int decimals) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

SvgWriter::SvgWriter(double width, double height, SvgUse use, std::string_view label) {
  text_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"om\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" aria-label=\"{2}\"",
      FormatCoordinate(width), FormatCoordinate(height), EscapeMarkup(label));
  open_.emplace_back("svg");
  in_tag_ = true;
  if (use == SvgUse::Standalone) {
    text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + text_;
    EndTag();
    text_ += "<style>" + StandaloneSvgStyle() + "</style>";
    Rectangle(0.0, 0.0, width, height, "bg");
  }
}

void SvgWriter::RootAttribute(std::string_view name, std::string_view value) {
  const std::size_t end = text_.find("aria-label=");
  text_.insert(end, fmt::format("{}=\"{}\" ", name, EscapeMarkup(value)));
}

void SvgWriter::EndTag() {
  if (in_tag_) {
    text_ += '>';
    in_tag_ = false;
  }
}

void SvgWriter::Open(std::string_view element, std::string_view css_class) {
  EndTag();
  text_ += '<';
  text_ += element;
  open_.emplace_back(element);
  in_tag_ = true;
  if (!css_class.empty()) Attribute("class", css_class);
}

void SvgWriter::Attribute(std::string_view name, std::string_view value) {
  fmt::format_to(std::back_inserter(text_), " {}=\"{}\"", name, EscapeMarkup(value));
}

void SvgWriter::Attribute(std::string_view name, double value) {
  Attribute(name, FormatCoordinate(value));
}

void SvgWriter::Text(std::string_view text) {
  EndTag();
  text_ += EscapeMarkup(text);
}

void SvgWriter::Close() {
  if (in_tag_) {
    text_ += "/>";
    in_tag_ = false;
  } else {
    text_ += "</" + open_.back() + ">";
  }
  open_.pop_back();
}

void SvgWriter::Line(double x1, double y1, double x2, double y2, std::string_view css_class) {
  Open("line", css_class);
  Attribute("x1", x1);
  Attribute("y1", y1);
  Attribute("x2", x2);
  Attribute("y2", y2);
  Close();
}

void SvgWriter::Rectangle(double x, double y, double width, double height, std::string_view css_class, double radius) {
  Open("rect", css_class);
  Attribute("x", x);
  Attribute("y", y);
  Attribute("width", width);
  Attribute("height", height);
  if (radius > 0.0) Attribute("rx", radius);
  Close();
}

void SvgWriter::Circle(double x, double y, double radius, std::string_view css_class) {
  Open("circle", css_class);
  Attribute("cx", x);
  Attribute("cy", y);
  Attribute("r", radius);
  Close();
}

void SvgWriter::Path(std::string_view data, std::string_view css_class) {
  Open("path", css_class);
  Attribute("d", data);
  Close();
}

void SvgWriter::TextAt(double x, double y, std::string_view text, std::string_view css_class, std::string_view anchor) {
  Open("text", css_class);
  Attribute("x", x);
  Attribute("y", y);
  if (anchor != "start") Attribute("text-anchor", anchor);
  Text(text);
  Close();
}

void SvgWriter::Title(std::string_view text) {
  Open("title");
  Text(text);
  Close();
}

std::string SvgWriter::Finish() {
  while (!open_.empty()) Close();
  return std::move(text_);
}

void SvgPath::Point(double x, double y) {
  data_ += FormatCoordinate(x);
  data_ += ' ';
  data_ += FormatCoordinate(y);
}

void SvgPath::MoveTo(double x, double y) {
  data_ += 'M';
  Point(x, y);
}

void SvgPath::LineTo(double x, double y) {
  data_ += 'L';
  Point(x, y);
}

void SvgPath::CurveTo(double x1, double y1, double x2, double y2, double x, double y) {
  data_ += 'C';
  Point(x1, y1);
  data_ += ' ';
  Point(x2, y2);
  data_ += ' ';
  Point(x, y);
}

double TextWidth(std::string_view text, double font_size) {
  double width = 0.0;
  for (std::size_t position = 0; position < text.size();) {
    const Utf8Character character = NextUtf8(text, position);
    position += character.length;
    width += CharacterWidth(character.code);
  }
  return width * font_size;
}

std::string FitText(std::string_view text, double font_size, double width) {
  if (TextWidth(text, font_size) <= width) return std::string(text);
  const double room = width - 0.8 * font_size;
  double used = 0.0;
  std::size_t position = 0;
  while (position < text.size()) {
    const Utf8Character character = NextUtf8(text, position);
    used += CharacterWidth(character.code) * font_size;
    if (used > room) break;
    position += character.length;
  }
  return std::string(text.substr(0, position)) + "\xE2\x80\xA6";
}

std::string Stacked(const std::vector<std::string>& pictures) {
  return Arranged(pictures, true);
}

std::string InARow(const std::vector<std::string>& pictures) {
  return Arranged(pictures, false);
}

}  // namespace openmi
