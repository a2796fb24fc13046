#pragma once

#include <string>
#include <vector>

#include "composition/report/SvgPlotFrame.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// The shape of an element on a map.
enum class MapShape { Point, Line, Polygon };

/// A point in the coordinates of the map, x to the east and y to the north.
struct MapPoint {
  double x = 0.0;
  double y = 0.0;
};

/// An element of a map.
struct MapElement {
  std::string id;
  MapShape shape = MapShape::Polygon;
  /// One or several points, lines, or rings of polygons and their holes; rings in any order and direction, closed or
  /// open.
  std::vector<std::vector<MapPoint>> parts = {};
  double value = kNotANumber;  ///< NaN: missing, or drawn for orientation only
  bool is_invented = false;    ///< drawn dashed, with an explanation, if other elements are not invented
};

/// Elements coloured by value.
struct ElementMap {
  std::string title;             ///< what the values are, such as "largest discharge"
  std::string unit;              ///< of the values
  bool is_geographic = false;    ///< coordinates are degrees of longitude and latitude
  double metres_per_unit = 1.0;  ///< of planar coordinates, for the scale bar; 0: unknown
  std::vector<MapElement> elements = {};
  std::vector<MapElement> context =
      {};  ///< elements of other items, in the same coordinates: drawn in grey, for orientation
  /// Values that the ends of the colour bar must cover, in `unit`; NaN: the smallest and the largest value.
  double low = kNotANumber;
  double high = kNotANumber;
};

/// Greatest number of elements that get labels and read-outs.
inline constexpr std::size_t kMostMapLabels = 14;

/// Draws the elements to scale with a colour bar, coordinates, an arrow to the north and a scale bar.
///
/// Polygons are below lines, lines below points. The colours cover at least a thousandth of the values, so that an
/// insignificant difference does not look significant. The height of the picture follows the shape of the map, up to
/// `style.height`.
std::string MapSvg(const ElementMap& map, const PlotStyle& style = {.height = 520.0});

/// The shapes of one element as a map draws them, without a value.
/// \param index  of the element in `set`
MapElement DescribeElement(const IElementSet& set, int index);

}  // namespace openmi
