#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace openmi {

/// The text of a style sheet or script of files/, as it was when this library was built.
/// \param name  "report.css", "report.js" or "pictures.css"
std::string_view EmbeddedReportFile(std::string_view name);

/// The number of line colours; further series use them again, dashed.
inline constexpr std::size_t kSeriesColours = 8;
/// The number of lines that look different: each colour solid and dashed.
inline constexpr std::size_t kLineClasses = 2 * kSeriesColours;

/// Custom properties (`--ink: ...`) for a light page; the colours are distinct for every colour vision.
std::string LightColours();
/// The same properties for a dark page.
std::string DarkColours();
/// Rules for the classes of our pictures, with the colours from custom properties of the page.
std::string InlineSvgStyle();
/// The same rules with literal colours, light or dark as the viewer prefers; for pictures in separate files.
std::string StandaloneSvgStyle();

/// The colour of `fraction` (0..1, clamped) on a scale from dark blue to yellow that is uniform for every colour
/// vision.
///
/// As `#rrggbb`. Source: the map "viridis" (CC0), at nine points.
std::string ScaleColour(double fraction);

/// The three bytes of `ScaleColour`.
struct Rgb {
  unsigned char red = 0;
  unsigned char green = 0;
  unsigned char blue = 0;
};
Rgb ScaleRgb(double fraction);

/// The class of the line of series `index`.
std::string LineClass(std::size_t index);

/// Draws `cells` as a PNG image in the colours of `ScaleColour` from `low` to `high`; missing cells are transparent.
///
/// \param cells    row by row from the top; shape [rows * columns]
/// \param columns  above zero, and cells.size() is a multiple of it
/// \returns a `data:` address, so that a picture with many cells stays small and needs no other file
std::string ColourImage(std::span<const double> cells, std::size_t columns, double low, double high);

/// Bytes in base 64 (RFC 4648, section 4).
std::string EncodeBase64(std::string_view bytes);

}  // namespace openmi
