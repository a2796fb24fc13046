#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// Whether a picture stands in a page that brings the colours, or is a file of its own.
enum class SvgUse { Inline, Standalone };

/// `text` fit for XML content and for attribute values in either kind of quotes.
///
/// Characters that XML 1.0 does not allow (control characters) are dropped, bytes that are not UTF-8 become U+FFFD.
std::string EscapeMarkup(std::string_view text);

/// A coordinate in pixels, at most `decimals` decimals, without trailing zeros; 0 where not finite.
std::string FormatCoordinate(double value, int decimals = 1);

/// Writes well-formed SVG; everything given as text is escaped. Coordinates are pixels from the top left corner.
///
/// Colours come from the classes of `SvgTheme.hpp`. Elements are closed in the order opposite to their opening;
/// `Finish` closes what is still open.
class SvgWriter {
 public:
  /// \param label  what the picture shows, for those who cannot see it
  SvgWriter(double width, double height, SvgUse use, std::string_view label);

  /// Puts an attribute on the outermost element; allowed before the first child only.
  void RootAttribute(std::string_view name, std::string_view value);

  void Open(std::string_view element, std::string_view css_class = {});
  void Attribute(std::string_view name, std::string_view value);
  void Attribute(std::string_view name, double value);
  void Text(std::string_view text);
  void Close();

  void Line(double x1, double y1, double x2, double y2, std::string_view css_class);
  void Rectangle(double x, double y, double width, double height, std::string_view css_class, double radius = 0.0);
  void Circle(double x, double y, double radius, std::string_view css_class);
  void Path(std::string_view data, std::string_view css_class);
  /// \param anchor  start, middle or end
  void TextAt(double x, double y, std::string_view text, std::string_view css_class, std::string_view anchor = "start");
  /// A `title` child of the open element, shown by browsers when the pointer rests on it.
  void Title(std::string_view text);

  std::string Finish();

 private:
  void EndTag();

  std::string text_;
  std::vector<std::string> open_;
  bool in_tag_ = false;
};

/// Builds the `d` of a path, in absolute coordinates.
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

/// About how wide `text` is in the sans-serif face of the pictures, in pixels; errs on the wide side.
double TextWidth(std::string_view text, double font_size);

/// `text` cut to at most `width` pixels, with an ellipsis where something was cut; never inside a character.
std::string FitText(std::string_view text, double font_size, double width);

}  // namespace openmi
