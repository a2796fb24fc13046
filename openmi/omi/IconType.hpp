#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace openmi {

constexpr std::size_t kMostIconBytes = std::size_t{1} << 18;

/// Checks an icon from a stranger: a PNG of 1 to 2048 pixels in each direction, or an SVG in UTF-8 of at most 100 000
/// elements, those that `use` repeats included. Of a PNG only the first bytes are looked at.
///
/// Scripts in an SVG are not looked for: show it as an image, where browsers run none, and never as part of a page.
/// \param file  name for messages
/// \returns its media type: "image/png" or "image/svg+xml"
/// \throws FormatError  it is neither, or too large
std::string_view IconType(std::string_view bytes, const std::string& file);

}  // namespace openmi
