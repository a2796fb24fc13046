#include "composition/report/SvgColourBar.hpp"

#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgTheme.hpp"

namespace openmi {

void DrawColourBar(SvgWriter& svg, const SvgArea& area, const SvgValueAxis& axis, double low, double high,
                   std::string_view unit) {
  // Flat steps instead of a gradient: gradients need ids, which would have to be unique in a page with many pictures.
  constexpr int steps = 64;
  const double step = area.height / steps;
  for (int i = 0; i < steps; ++i) {
    svg.Open("rect");
    svg.Attribute("x", area.left);
    svg.Attribute("y", FormatCoordinate(area.top + area.height - (i + 1) * step, 2));
    svg.Attribute("width", area.width);
    svg.Attribute("height", FormatCoordinate(step + (i > 0 ? 0.6 : 0.0), 2));
    svg.Attribute("fill", ScaleColour((i + 0.5) / steps));
    svg.Close();
  }
  const double right = area.left + area.width + 7.0;
  if (!(high > low)) {  // all values are equal: one colour, one number
    svg.TextAt(right, area.top + area.height / 2.0 + 3.8, FormatNumber(low), "m");
    svg.TextAt(right, area.top - 8.0, PrettyUnit(unit), "m b", "middle");
    return;
  }
  for (const ValueTick& tick : axis.ticks) {
    const double share = (tick.value - low) / (high - low);
    constexpr double slack = 1e-9;
    if (share < -slack || share > 1.0 + slack) {
      continue;
    }
    const double y = area.top + (1.0 - share) * area.height;
    svg.Line(area.left + area.width, y, area.left + area.width + 4.0, y, "axis");
    svg.TextAt(right, y + 3.8, tick.label, "m");
  }
  svg.TextAt(right, area.top - 8.0, axis.UnitLabel(unit), "m b", "middle");
}

}  // namespace openmi
