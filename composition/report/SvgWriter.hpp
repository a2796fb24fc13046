#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// Whether a picture is part of a page that defines the colours, or a separate file.
enum class SvgUse { Inline, Standalone };

/// `text`, escaped for XML content and for attribute values in either kind of quotes.
///
/// Characters that XML 1.0 does not allow (control characters) are dropped; bytes that are not UTF-8 become U+FFFD.
std::string EscapeMarkup(std::string_view text);

/// A coordinate in pixels with at most `decimals` decimals and without trailing zeros; 0 if not finite.
std::string FormatCoordinate(double value, int decimals = 1);

/// Writes well-formed SVG and escapes every text. Coordinates are pixels from the top left corner.
///
/// Colours come from the classes of `SvgTheme.hpp`. Elements are closed in the reverse order of their opening; `Finish`
/// closes those that are still open.
class SvgWriter {
 public:
  /// \param label  description of the picture for users who cannot see it
  SvgWriter(double width, double height, SvgUse use, std::string_view label);

  /// Sets an attribute of the outermost element; allowed before the first child only.
  void RootAttribute(std::string_view name, std::string_view value);

  /// Opens a child of the open element.
  void Open(std::string_view element, std::string_view css_class = {});
  /// Sets an attribute of the open element; allowed before its first child or text only.
  void Attribute(std::string_view name, std::string_view value);
  void Attribute(std::string_view name, double value);
  /// Adds text to the open element.
  void Text(std::string_view text);
  /// Closes the open element.
  void Close();

  void Line(double x1, double y1, double x2, double y2, std::string_view css_class);
  void Rectangle(double x, double y, double width, double height, std::string_view css_class, double radius = 0.0);
  void Circle(double x, double y, double radius, std::string_view css_class);
  void Path(std::string_view data, std::string_view css_class);
  /// \param anchor  start, middle or end
  void TextAt(double x, double y, std::string_view text, std::string_view css_class, std::string_view anchor = "start");
  /// Adds a `title` child to the open element, which browsers show as a tooltip.
  void Title(std::string_view text);

  /// Closes all open elements and returns the picture.
  std::string Finish();

 private:
  void EndTag();

  std::string text_;
  std::vector<std::string> open_;
  bool in_tag_ = false;
};

/// Builds the attribute `d` of a path, in absolute coordinates.
class SvgPath {
 public:
  void MoveTo(double x, double y);
  void LineTo(double x, double y);
  void CurveTo(double x1, double y1, double x2, double y2, double x, double y);
  void ClosePath() { data_ += 'Z'; }
  bool IsEmpty() const { return data_.empty(); }
  const std::string& Data() const { return data_; }

 private:
  void Point(double x, double y);

  std::string data_;
};

/// The approximate width of `text` in the sans-serif font of the pictures, in pixels; rather too wide than too narrow.
double TextWidth(std::string_view text, double font_size);

/// `text`, cut to at most `width` pixels, with an ellipsis if something was cut; never within a character.
std::string FitText(std::string_view text, double font_size, double width);

/// Puts SVG pictures below each other into one picture; each keeps its own height.
std::string Stacked(const std::vector<std::string>& pictures);

/// Puts SVG pictures side by side into one picture, from left to right; each keeps its own width.
std::string InARow(const std::vector<std::string>& pictures);

}  // namespace openmi
