#pragma once

#include <string_view>

#include "composition/report/SvgValueAxis.hpp"
#include "composition/report/SvgWriter.hpp"

namespace openmi {

/// A rectangle in pixels.
struct SvgArea {
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;
};

/// Draws the colours from `low` (bottom) to `high` (top) with the marks of `axis` between them, and the unit above.
void DrawColourBar(SvgWriter& svg, const SvgArea& area, const SvgValueAxis& axis, double low, double high,
                   std::string_view unit);

}  // namespace openmi
