#include "composition/report/SvgMap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "composition/report/PlotData.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgTheme.hpp"
#include "composition/report/SvgValueAxis.hpp"

namespace openmi {
namespace {

constexpr double kMargin = 18.0;
constexpr double kLatitudeRoom = 52.0;   // space left of the map for labels of y
constexpr double kLongitudeRoom = 18.0;  // space below it for labels of x
constexpr double kBarRoom = 96.0;
constexpr double kLegendRoom = 30.0;
constexpr std::size_t kMostTitles = 1500;

/// Converts coordinates to pixels.
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

Bounds Join(const Bounds& a, const Bounds& b) {
  return {std::min(a.west, b.west), std::max(a.east, b.east), std::min(a.south, b.south), std::max(a.north, b.north)};
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

Bounds BoundsOf(const ElementSet& places) {
  Bounds bounds;
  for (int element = 0; element < places.ElementCount(); ++element) {
    bounds = Join(bounds, BoundsOf({DescribeElement(places, element)}));
  }
  return bounds;
}

/// The path of all parts; points closer than a third of a pixel to the previous one are omitted.
std::string PartsPath(const MapElement& element, const MapView& view) {
  constexpr double closest = 0.35;
  SvgPath path;
  for (const auto& part : element.parts) {
    MapPoint last;
    bool is_first = true;
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (!IsPlace(part[i])) continue;
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
    if (!is_first && element.shape == MapShape::Polygon) path.ClosePath();
  }
  return path.Data();
}

/// The position of a label: the middle of the extent of the largest part.
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

/// \param number  by which the script of the page finds the element; negative: it need not
void DrawElement(SvgWriter& svg, const MapElement& element, const MapView& view, const Colouring& colour,
                 const std::string& read_out, std::ptrdiff_t number) {
  const bool has_value = std::isfinite(element.value);
  const std::string invented = element.is_invented ? " invented" : "";
  svg.Open("g");
  if (number >= 0) svg.Attribute("data-e", fmt::format("{}", number));
  if (!read_out.empty()) svg.Title(read_out);
  if (element.shape == MapShape::Point) {
    for (const auto& part : element.parts) {
      for (const MapPoint& point : part) {
        if (!IsPlace(point)) continue;
        const MapPoint place = view(point);
        svg.Open("circle", (has_value ? "elem" : "elem nodata") + invented);
        svg.Attribute("cx", place.x);
        svg.Attribute("cy", place.y);
        svg.Attribute("r", 5.0);
        if (has_value) svg.Attribute("fill", colour(element.value));
        svg.Close();
      }
    }
  } else {
    const std::string path = PartsPath(element, view);
    const bool is_line = element.shape == MapShape::Line;
    if (is_line && !element.is_invented) svg.Path(path, "casing");
    svg.Open("path", (is_line ? "river" : has_value ? "elem" : "elem nodata") + invented);
    svg.Attribute("d", path);
    if (!is_line) svg.Attribute("fill-rule", "evenodd");
    if (has_value || is_line) svg.Attribute(is_line ? "stroke" : "fill", has_value ? colour(element.value) : "#8a929b");
    svg.Close();
  }
  svg.Close();
}

/// Draws the elements of other items in grey.
/// \param is_numbered  whether each is a group with its number
void DrawContext(SvgWriter& svg, const std::vector<MapElement>& elements, const MapView& view, bool is_numbered) {
  for (const MapShape shape : {MapShape::Polygon, MapShape::Line, MapShape::Point}) {
    for (const MapElement& element : elements) {
      if (element.shape != shape) continue;
      if (is_numbered) {
        svg.Open("g");
        svg.Attribute("data-c", fmt::format("{}", &element - elements.data()));
      }
      if (shape != MapShape::Point)
        svg.Path(PartsPath(element, view), shape == MapShape::Line ? "context line" : "context");
      for (const auto& part : element.parts) {
        for (const MapPoint& point : part) {
          if (shape != MapShape::Point || !IsPlace(point)) continue;
          const MapPoint place = view(point);
          svg.Circle(place.x, place.y, 2.5, "context");
        }
      }
      if (is_numbered) svg.Close();
    }
  }
}

/// "80.5° W", or a number if coordinates are planar.
std::string CoordinateText(double value, std::string_view number, bool is_geographic, bool is_x) {
  if (!is_geographic) return std::string(number);
  const char* side = value == 0.0 ? "" : is_x ? (value < 0.0 ? " W" : " E") : (value < 0.0 ? " S" : " N");
  for (const std::string_view minus : {std::string_view("-"), std::string_view("\xE2\x88\x92")}) {
    if (number.starts_with(minus)) number.remove_prefix(minus.size());
  }
  return fmt::format("{}\xC2\xB0{}", number, side);
}

/// Draws a frame with coordinates at round values, and an arrow to the north.
void DrawFrame(SvgWriter& svg, const ElementMap& map, const MapView& view, const SvgArea& frame) {
  svg.Path(fmt::format("M{0} {1}H{2}V{3}H{0}Z", FormatCoordinate(frame.left), FormatCoordinate(frame.top),
                       FormatCoordinate(frame.left + frame.width), FormatCoordinate(frame.top + frame.height)),
           "frame");
  const double west = view.west + (frame.left - view.left) / (view.stretch * view.scale);
  const double east = west + frame.width / (view.stretch * view.scale);
  const double north = view.north - (frame.top - view.top) / view.scale;
  const double south = north - frame.height / view.scale;
  const auto label = [&map](const SvgValueAxis& axis, const ValueTick& tick, bool is_x) {
    // Labels of an axis omit powers of ten; coordinates are written in full.
    const std::string number = axis.exponent == 0 ? tick.label : fmt::format("{:.10g}", tick.value);
    return CoordinateText(tick.value, number, map.is_geographic, is_x);
  };
  const SvgValueAxis across = LinearAxis(west, east, 5);
  for (const ValueTick& tick : across.ticks) {
    const double x = view({tick.value, view.north}).x;
    if (x < frame.left + 20.0 || x > frame.left + frame.width - 20.0) continue;
    svg.Line(x, frame.top + frame.height, x, frame.top + frame.height + 4.0, "zero");
    svg.TextAt(x, frame.top + frame.height + 15.0, label(across, tick, true), "m small", "middle");
  }
  const SvgValueAxis along = LinearAxis(south, north, 5);
  for (const ValueTick& tick : along.ticks) {
    const double y = view({view.west, tick.value}).y;
    if (y < frame.top + 8.0 || y > frame.top + frame.height - 4.0) continue;
    svg.Line(frame.left - 4.0, y, frame.left, y, "zero");
    svg.TextAt(frame.left - 7.0, y + 3.5, label(along, tick, false), "m small", "end");
  }
  const double x = frame.left + frame.width - 16.0;
  const double y = frame.top + 12.0;
  svg.Path(fmt::format("M{0} {1}L{2} {3}L{0} {4}L{5} {3}Z", FormatCoordinate(x), FormatCoordinate(y),
                       FormatCoordinate(x + 5.0), FormatCoordinate(y + 16.0), FormatCoordinate(y + 12.0),
                       FormatCoordinate(x - 5.0)),
           "north");
  svg.TextAt(x, y + 29.0, "N", "m b halo", "middle");
}

/// The smallest and largest value, moved apart if they differ by less than a thousandth of their size.
Colouring WidestOf(double low, double high) {
  constexpr double kLeastRange = 1e-3;
  const double least = kLeastRange * std::fmax(std::abs(low), std::abs(high));
  if (!(high > low) || high - low >= least) return {low, high};
  const double middle = 0.5 * (low + high);
  return {middle - 0.5 * least, middle + 0.5 * least};
}

/// The colours of `values`, as far as `map` does not state them.
Colouring ColoursOf(const ElementMap& map, const std::vector<double>& values) {
  const ValueRange range = values.size() < kFewestForOuterPercent ? RangeOfValues(values) : MiddleRange(values);
  return {std::fmin(map.low, range.low), std::fmax(map.high, range.high)};
}

/// Draws the elements of `map.places` as one image, and rings around those that are marked.
void DrawImage(SvgWriter& svg, const ElementMap& map, const MapView& view, const SvgArea& area, const Colouring& colour,
               std::size_t most_cells) {
  // One and a half cells for a pixel: the picture is enlarged on wide and on dense screens.
  const double scale =
      std::min(1.5, std::sqrt(static_cast<double>(most_cells) / std::max(1.0, area.width * area.height)));
  const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor(area.width * scale)));
  const auto rows = static_cast<std::size_t>(std::max(1.0, std::floor(area.height * scale)));
  const double across = static_cast<double>(columns) / area.width;
  const double down = static_cast<double>(rows) / area.height;
  const auto place = [&](const MapPoint& point) {
    const MapPoint pixel = view(point);
    return MapPoint{(pixel.x - area.left) * across, (pixel.y - area.top) * down};
  };
  DrawCells(svg, area, MapCells(*map.places, map.values, place, columns, rows), columns, colour.low, colour.high,
            false);
  for (const std::size_t element : map.marked) {
    const MapElement drawn = DescribeElement(*map.places, static_cast<int>(element));
    if (drawn.parts.empty() || drawn.parts.front().empty()) continue;
    const MapPoint middle = LabelPlace(drawn, view);
    svg.Circle(middle.x, middle.y, 6.0, "markback");
    svg.Open("circle", "mark");
    svg.Attribute("cx", middle.x);
    svg.Attribute("cy", middle.y);
    svg.Attribute("r", 6.0);
    svg.Title(drawn.id);
    svg.Close();
  }
}

void DrawScaleBar(SvgWriter& svg, const ElementMap& map, const MapView& view, double middle_latitude, double x,
                  double y) {
  constexpr double metres_per_degree = 111195.0;
  const double metres_per_unit = map.is_geographic
                                     ? metres_per_degree * std::cos(middle_latitude * std::numbers::pi / 180.0)
                                     : map.metres_per_unit;
  const double metres_per_pixel = metres_per_unit / (view.scale * view.stretch);
  if (!(metres_per_pixel > 0.0) || !std::isfinite(metres_per_pixel)) return;
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

/// Writes the values over time as the attribute `data-map`, which the script of the page reads (`files/maps.js`).
/// \returns whether there are any
bool WriteFrames(SvgWriter& svg, const ElementMap& map, const PlotStyle& style) {
  if (style.use != SvgUse::Inline || map.frames.times.size() < 2) return false;
  const ValueRange range =
      map.elements.size() < kFewestForOuterPercent ? RangeOfValues(map.frames.values) : MiddleRange(map.frames.values);
  if (std::isnan(range.low)) return false;
  const Colouring colour = WidestOf(range.low, range.high);
  std::string names;
  for (const MapElement& element : map.elements) {
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ",", EscapeJson(element.id));
  }
  svg.RootAttribute("data-map", fmt::format(R"({{"u":"{}","low":{:.9g},"high":{:.9g},"t":"{}","v":"{}","n":[{}]}})",
                                            EscapeJson(PrettyUnit(map.unit)), colour.low, colour.high,
                                            EncodeDoubles(map.frames.times), EncodeFloats(map.frames.values), names));
  return true;
}

}  // namespace

std::string MapSvg(const ElementMap& map, const PlotStyle& style, std::size_t most_cells) {
  const bool is_image = map.elements.empty() && map.places != nullptr;
  Bounds bounds = is_image ? BoundsOf(*map.places) : BoundsOf(map.elements);
  if (!(bounds.west <= bounds.east)) return EmptyPlotSvg(style, "There are no elements with coordinates to draw.");
  const Bounds around = BoundsOf(map.context);
  if (around.west <= around.east) bounds = Join(bounds, around);
  const double middle_latitude = 0.5 * (bounds.south + bounds.north);
  MapView view;
  view.stretch = map.is_geographic ? std::max(0.05, std::cos(middle_latitude * std::numbers::pi / 180.0)) : 1.0;
  const double wide = std::max((bounds.east - bounds.west) * view.stretch, 1e-12);
  const double tall = std::max(bounds.north - bounds.south, 1e-12);
  const double title = style.title.empty() ? 6.0 : 34.0;
  const double room_x = style.width - 2.0 * kMargin - kBarRoom - kLatitudeRoom;
  const double room_y = style.height - title - 2.0 * kMargin - kLegendRoom - kLongitudeRoom;
  view.scale = std::min(room_x / wide, room_y / tall);
  const double height = std::max(wide > 1e-12 || tall > 1e-12 ? tall * view.scale : 0.0, 140.0);
  view.west = bounds.west;
  view.north = bounds.north;
  view.left = kMargin + kLatitudeRoom + 0.5 * (room_x - wide * view.scale);
  view.top = title + kMargin + 0.5 * (height - tall * view.scale);

  std::vector<double> values = map.values;
  bool has_missing = false;
  bool has_invented = false;
  bool has_surveyed = false;
  for (const MapElement& element : map.elements) {
    has_missing = has_missing || (!map.is_numbered && !std::isfinite(element.value));
    has_invented = has_invented || element.is_invented;
    has_surveyed = has_surveyed || !element.is_invented;
  }
  if (!is_image) {
    values.clear();
    for (const MapElement& element : map.elements) values.push_back(element.value);
  }
  const Colouring all = ColoursOf(map, values);
  const Colouring colour = WidestOf(all.low, all.high);
  const double total = title + 2.0 * kMargin + height + kLegendRoom + kLongitudeRoom;
  SvgWriter svg(style.width, total, style.use, style.title.empty() ? "map, " + map.title : style.title);
  if (!style.title.empty()) svg.TextAt(kMargin, 22.0, style.title, "big");
  constexpr double kAround = 12.0;  // between the frame and the elements
  const double inside = std::max(wide * view.scale, 140.0);
  const SvgArea frame{view.left - 0.5 * (inside - wide * view.scale) - kAround, title + kMargin - kAround,
                      inside + 2.0 * kAround, height + 2.0 * kAround};
  if (is_image) DrawImage(svg, map, view, frame, colour, most_cells);
  DrawFrame(svg, map, view, frame);
  DrawContext(svg, map.context, view, map.is_numbered);
  // If all elements are invented the title states it, and dashes would only hide the colours.
  const bool marks_invented = has_invented && has_surveyed;
  const bool has_frames = WriteFrames(svg, map, style);
  for (const MapShape shape : {MapShape::Polygon, MapShape::Line, MapShape::Point}) {
    for (const MapElement& own : map.elements) {
      if (own.shape == shape) {
        MapElement element = own;
        element.is_invented = element.is_invented && marks_invented;
        const std::string value = std::isfinite(element.value)
                                      ? FormatNumber(element.value) + " " + PrettyUnit(map.unit)
                                      : std::string("no value");
        const std::string read_out = element.id + ": " + value + (element.is_invented ? " (invented)" : "");
        DrawElement(svg, element, view, colour, map.elements.size() <= kMostTitles ? read_out : std::string(),
                    has_frames || map.is_numbered ? &own - map.elements.data() : -1);
      }
    }
  }
  if (!is_image && map.elements.size() <= kMostMapLabels) {
    std::vector<MapPoint> taken;
    for (const MapElement& element : map.elements) {
      if (element.parts.empty() || element.parts.front().empty()) continue;
      MapPoint place = LabelPlace(element, view);
      place.y += element.shape == MapShape::Polygon ? 4.0 : -9.0;
      const auto is_near = [&](const MapPoint& other) {
        return std::abs(other.x - place.x) < 60.0 && std::abs(other.y - place.y) < 13.0;
      };
      for (int tries = 0; tries < 6 && std::any_of(taken.begin(), taken.end(), is_near); ++tries) place.y += 13.0;
      taken.push_back(place);
      svg.TextAt(place.x, place.y, FitText(element.id, 11.0, 160.0), "b halo", "middle");
    }
  }
  const double foot = total - 16.0;
  DrawScaleBar(svg, map, view, middle_latitude, kMargin, foot);
  std::vector<LegendEntry> legend;
  if (marks_invented) legend.push_back({"invented", "l thin dash zero"});
  if (is_image && !map.marked.empty()) legend.push_back({"the oddest", "mark", false, true});
  if (has_missing) legend.push_back({"no value", "nodata", true});
  DrawLegend(svg, kMargin + 260.0, foot - 8.0, style.width - kMargin, legend);
  if (std::ranges::any_of(values, [](double value) { return std::isfinite(value); })) {
    const double bar = std::min(height, 260.0);
    svg.Open("g", "bar");
    DrawColourBar(svg, {style.width - 84.0, title + kMargin + 8.0, 13.0, bar - 8.0},
                  LinearAxis(colour.low, colour.high, 9), colour.low, colour.high, map.unit);
    svg.Close();
  }
  return svg.Finish();
}

MapElement DescribeElement(const IElementSet& set, int index) {
  MapElement element;
  const IIdentifiable* id = set.GetElementId(index);
  if (id != nullptr) element.id = id->Id();
  element.shape = set.ElementType() == ElementType::Polygon    ? MapShape::Polygon
                  : set.ElementType() == ElementType::PolyLine ? MapShape::Line
                                                               : MapShape::Point;
  if (const auto* own = dynamic_cast<const ElementSet*>(&set); own != nullptr && element.shape == MapShape::Polygon) {
    for (const ElementRing& ring : own->Rings(index)) {
      auto& part = element.parts.emplace_back();
      for (std::size_t i = 0; i < ring.x.size(); ++i) part.push_back({ring.x[i], ring.y[i]});
    }
    return element;
  }
  auto& part = element.parts.emplace_back();
  for (int vertex = 0; vertex < set.GetVertexCount(index); ++vertex) {
    part.push_back({set.GetVertexXCoordinate(index, vertex), set.GetVertexYCoordinate(index, vertex)});
  }
  return element;
}

}  // namespace openmi
