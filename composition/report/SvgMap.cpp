#include "composition/report/SvgMap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgColourBar.hpp"
#include "composition/report/SvgTheme.hpp"

namespace openmi {
namespace {

constexpr double kMargin = 18.0;
constexpr double kBarRoom = 96.0;
constexpr double kLegendRoom = 30.0;
constexpr std::size_t kMostTitles = 1500;

/// From coordinates to pixels.
struct MapView {
  double west = 0.0;
  double north = 0.0;
  double scale = 1.0;    // pixels per unit of y
  double stretch = 1.0;  // length of a unit of x as a share of a unit of y
  double left = 0.0;
  double top = 0.0;

  MapPoint operator()(const MapPoint& point) const {
    return {left + (point.x - west) * stretch * scale, top + (north - point.y) * scale};
  }
};

struct Bounds {
  double west = std::numeric_limits<double>::infinity();
  double east = -std::numeric_limits<double>::infinity();
  double south = std::numeric_limits<double>::infinity();
  double north = -std::numeric_limits<double>::infinity();
};

bool IsPlace(const MapPoint& point) {
  return std::isfinite(point.x) && std::isfinite(point.y);
}

Bounds BoundsOf(const std::vector<MapElement>& elements) {
  Bounds bounds;
  for (const MapElement& element : elements) {
    for (const auto& part : element.parts) {
      for (const MapPoint& point : part) {
        if (IsPlace(point)) {
          bounds.west = std::min(bounds.west, point.x);
          bounds.east = std::max(bounds.east, point.x);
          bounds.south = std::min(bounds.south, point.y);
          bounds.north = std::max(bounds.north, point.y);
        }
      }
    }
  }
  return bounds;
}

/// The path of all parts; points closer than a third of a pixel to the last one are left out.
std::string PartsPath(const MapElement& element, const MapView& view) {
  constexpr double closest = 0.35;
  SvgPath path;
  for (const auto& part : element.parts) {
    MapPoint last;
    bool is_first = true;
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (!IsPlace(part[i])) {
        continue;
      }
      const MapPoint place = view(part[i]);
      const bool is_end = i + 1 == part.size() && element.shape == MapShape::Line;
      if (is_first) {
        path.MoveTo(place.x, place.y);
      } else if (is_end || std::hypot(place.x - last.x, place.y - last.y) >= closest) {
        path.LineTo(place.x, place.y);
      } else {
        continue;
      }
      is_first = false;
      last = place;
    }
    if (!is_first && element.shape == MapShape::Polygon) {
      path.ClosePath();
    }
  }
  return path.Data();
}

/// Where a label stands: the middle of the largest part's extent.
MapPoint LabelPlace(const MapElement& element, const MapView& view) {
  Bounds best;
  double largest = -1.0;
  for (const auto& part : element.parts) {
    MapElement alone;
    alone.parts = {part};
    const Bounds bounds = BoundsOf({alone});
    const double size = std::hypot(bounds.east - bounds.west, bounds.north - bounds.south);
    if (size > largest) {
      largest = size;
      best = bounds;
    }
  }
  if (element.shape == MapShape::Line && !element.parts.empty() && !element.parts.front().empty()) {
    return view(element.parts.front()[element.parts.front().size() / 2]);
  }
  return view({0.5 * (best.west + best.east), 0.5 * (best.south + best.north)});
}

struct Colouring {
  double low = 0.0;
  double high = 1.0;

  std::string operator()(double value) const { return ScaleColour(high > low ? (value - low) / (high - low) : 0.5); }
};

void DrawElement(SvgWriter& svg, const MapElement& element, const MapView& view, const Colouring& colour,
                 const std::string& read_out) {
  const bool has_value = std::isfinite(element.value);
  const std::string invented = element.is_invented ? " invented" : "";
  svg.Open("g");
  if (!read_out.empty()) {
    svg.Title(read_out);
  }
  if (element.shape == MapShape::Point) {
    for (const auto& part : element.parts) {
      for (const MapPoint& point : part) {
        if (!IsPlace(point)) {
          continue;
        }
        const MapPoint place = view(point);
        svg.Open("circle", (has_value ? "elem" : "elem nodata") + invented);
        svg.Attribute("cx", place.x);
        svg.Attribute("cy", place.y);
        svg.Attribute("r", 5.0);
        if (has_value) {
          svg.Attribute("fill", colour(element.value));
        }
        svg.Close();
      }
    }
  } else {
    const std::string path = PartsPath(element, view);
    const bool is_line = element.shape == MapShape::Line;
    if (is_line && !element.is_invented) {
      svg.Path(path, "casing");
    }
    svg.Open("path", (is_line ? "river" : has_value ? "elem" : "elem nodata") + invented);
    svg.Attribute("d", path);
    if (!is_line) {
      svg.Attribute("fill-rule", "evenodd");
    }
    if (has_value || is_line) {
      svg.Attribute(is_line ? "stroke" : "fill", has_value ? colour(element.value) : "#8a929b");
    }
    svg.Close();
  }
  svg.Close();
}

void DrawScaleBar(SvgWriter& svg, const ElementMap& map, const MapView& view, double middle_latitude, double x,
                  double y) {
  constexpr double metres_per_degree = 111195.0;
  const double metres_per_unit = map.is_geographic
                                     ? metres_per_degree * std::cos(middle_latitude * std::numbers::pi / 180.0)
                                     : map.metres_per_unit;
  const double metres_per_pixel = metres_per_unit / (view.scale * view.stretch);
  if (!(metres_per_pixel > 0.0) || !std::isfinite(metres_per_pixel)) {
    return;
  }
  const double rough = 130.0 * metres_per_pixel;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double length = rough >= 5.0 * power ? 5.0 * power : rough >= 2.0 * power ? 2.0 * power : power;
  const double pixels = length / metres_per_pixel;
  svg.Line(x, y, x + pixels, y, "zero");
  svg.Line(x, y - 4.0, x, y + 4.0, "zero");
  svg.Line(x + pixels, y - 4.0, x + pixels, y + 4.0, "zero");
  svg.TextAt(
      x + pixels + 8.0, y + 4.0,
      length >= 1000.0 ? FormatNumber(length / 1000.0) + "\xE2\x80\x89km" : FormatNumber(length) + "\xE2\x80\x89m",
      "m");
}

}  // namespace

std::string MapSvg(const ElementMap& map, const PlotStyle& style) {
  const Bounds bounds = BoundsOf(map.elements);
  if (!(bounds.west <= bounds.east)) {
    return EmptyPlotSvg(style, "There are no elements with coordinates to draw.");
  }
  const double middle_latitude = 0.5 * (bounds.south + bounds.north);
  MapView view;
  view.stretch = map.is_geographic ? std::max(0.05, std::cos(middle_latitude * std::numbers::pi / 180.0)) : 1.0;
  const double wide = std::max((bounds.east - bounds.west) * view.stretch, 1e-12);
  const double tall = std::max(bounds.north - bounds.south, 1e-12);
  const double title = style.title.empty() ? 6.0 : 34.0;
  const double room_x = style.width - 2.0 * kMargin - kBarRoom;
  const double room_y = style.height - title - 2.0 * kMargin - kLegendRoom;
  view.scale = std::min(room_x / wide, room_y / tall);
  const double height = std::max(wide > 1e-12 || tall > 1e-12 ? tall * view.scale : 0.0, 140.0);
  view.west = bounds.west;
  view.north = bounds.north;
  view.left = kMargin + 0.5 * (room_x - wide * view.scale);
  view.top = title + kMargin + 0.5 * (height - tall * view.scale);

  Colouring colour{map.low, map.high};
  bool has_missing = false;
  bool has_invented = false;
  for (const MapElement& element : map.elements) {
    if (std::isfinite(element.value)) {
      colour = {std::fmin(colour.low, element.value), std::fmax(colour.high, element.value)};
    }
    has_missing = has_missing || !std::isfinite(element.value);
    has_invented = has_invented || element.is_invented;
  }
  const double total = title + 2.0 * kMargin + height + kLegendRoom;
  SvgWriter svg(style.width, total, style.use, style.title.empty() ? "map, " + map.title : style.title);
  if (!style.title.empty()) {
    svg.TextAt(kMargin, 22.0, style.title, "big");
  }
  for (const MapShape shape : {MapShape::Polygon, MapShape::Line, MapShape::Point}) {
    for (const MapElement& element : map.elements) {
      if (element.shape == shape) {
        const std::string value = std::isfinite(element.value)
                                      ? FormatNumber(element.value) + " " + PrettyUnit(map.unit)
                                      : std::string("no value");
        const std::string read_out = element.id + ": " + value + (element.is_invented ? " (invented)" : "");
        DrawElement(svg, element, view, colour, map.elements.size() <= kMostTitles ? read_out : std::string());
      }
    }
  }
  if (map.elements.size() <= kMostMapLabels) {
    std::vector<MapPoint> taken;
    for (const MapElement& element : map.elements) {
      if (element.parts.empty() || element.parts.front().empty()) {
        continue;
      }
      MapPoint place = LabelPlace(element, view);
      place.y += element.shape == MapShape::Polygon ? 4.0 : -9.0;
      const auto is_near = [&](const MapPoint& other) {
        return std::abs(other.x - place.x) < 60.0 && std::abs(other.y - place.y) < 13.0;
      };
      for (int tries = 0; tries < 6 && std::any_of(taken.begin(), taken.end(), is_near); ++tries) {
        place.y += 13.0;
      }
      taken.push_back(place);
      svg.TextAt(place.x, place.y, FitText(element.id, 11.0, 160.0), "b halo", "middle");
    }
  }
  const double foot = total - 16.0;
  DrawScaleBar(svg, map, view, middle_latitude, kMargin, foot);
  std::vector<LegendEntry> legend;
  if (has_invented) {
    legend.push_back({"invented", "l thin dash zero"});
  }
  if (has_missing) {
    legend.push_back({"no value", "nodata", true});
  }
  DrawLegend(svg, kMargin + 260.0, foot - 8.0, style.width - kMargin, legend);
  const bool any_value = std::ranges::any_of(map.elements, [](const auto& e) { return std::isfinite(e.value); });
  if (any_value) {
    const double bar = std::min(height, 260.0);
    DrawColourBar(svg, {style.width - 84.0, title + kMargin + 8.0, 13.0, bar - 8.0},
                  LinearAxis(colour.low, colour.high, 9), colour.low, colour.high, map.unit);
  }
  return svg.Finish();
}

}  // namespace openmi
