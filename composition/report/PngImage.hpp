#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace openmi {

/// Draws `cells` as a PNG image in the colours of `ScaleColour` from `low` to `high`; missing cells are transparent.
///
/// \param cells    row by row from the top; shape [rows * columns]
/// \param columns  above zero, and cells.size() is a multiple of it
/// \returns a `data:` address, so that a picture with many cells stays small and needs no other file
std::string ColourImage(std::span<const double> cells, std::size_t columns, double low, double high);

/// Bytes in base 64 (RFC 4648, section 4).
std::string EncodeBase64(std::string_view bytes);

}  // namespace openmi
