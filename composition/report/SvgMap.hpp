#pragma once

#include <limits>
#include <string>
#include <vector>

#include "composition/report/SvgPlotFrame.hpp"

namespace openmi {

/// What an element looks like on a map.
enum class MapShape { Point, Line, Polygon };

/// A place in the coordinates of the map, x to the east and y to the north.
struct MapPoint {
  double x = 0.0;
  double y = 0.0;
};

/// An element of a map.
struct MapElement {
  std::string id;
  MapShape shape = MapShape::Polygon;
  /// A point, or points; a line, or lines; rings of polygons and their holes, in any order and direction, closed or
  /// open.
  std::vector<std::vector<MapPoint>> parts = {};
  double value = std::numeric_limits<double>::quiet_NaN();  ///< NaN: missing, or drawn for orientation only
  bool is_invented = false;                                 ///< drawn dashed where others are not, and said so
};

/// Elements coloured by value.
struct ElementMap {
  std::string title;             ///< what the values are, such as "largest discharge"
  std::string unit;              ///< of the values
  bool is_geographic = false;    ///< coordinates are degrees of longitude and latitude
  double metres_per_unit = 1.0;  ///< of planar coordinates, for the scale bar; 0 where unknown
  std::vector<MapElement> elements = {};
  std::vector<MapElement> context = {};  ///< of other items, in the same coordinates: drawn in grey, for orientation
  /// What the ends of the colour bar stand for at least, in `unit`; NaN: the smallest and largest value.
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

/// From how many elements on labels and read-outs are left out.
inline constexpr std::size_t kMostMapLabels = 14;

/// Draws the elements to scale with a colour bar, coordinates, an arrow to the north and a scale bar; polygons below
/// lines below points. The colours cover a thousandth of the values at least, so that a difference that means nothing
/// does not look like one. The height of the picture follows the shape of the map; `style.height` is the most.
std::string MapSvg(const ElementMap& map, const PlotStyle& style = {.height = 520.0});

}  // namespace openmi
