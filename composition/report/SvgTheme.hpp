#pragma once

#include <cstddef>
#include <string>

namespace openmi {

/// How many line colours there are; more series start again, with dashes.
inline constexpr std::size_t kSeriesColours = 8;
/// How many lines look different from each other: each colour drawn through and dashed.
inline constexpr std::size_t kLineClasses = 2 * kSeriesColours;

/// Custom properties (`--ink: ...`) for a light page; the colours are told apart by people with any colour vision.
std::string LightColours();
/// The same properties for a dark page.
std::string DarkColours();
/// Rules for the classes used in our pictures, with the colours taken from custom properties of the page.
std::string InlineSvgStyle();
/// The same rules with literal colours, light or dark as the viewer prefers; for pictures that are files of their own.
std::string StandaloneSvgStyle();

/// The colour of `fraction` (0..1, clamped) on a scale from dark blue to yellow, evenly bright for every colour vision,
/// as "#rrggbb". Source: the map "viridis" (CC0), at nine points.
std::string ScaleColour(double fraction);

/// The three bytes of `ScaleColour`.
struct Rgb {
  unsigned char red = 0;
  unsigned char green = 0;
  unsigned char blue = 0;
};
Rgb ScaleRgb(double fraction);

/// Class of the line of series `index`, and of a surface in the same colour.
std::string LineClass(std::size_t index);
std::string FillClass(std::size_t index);

}  // namespace openmi
