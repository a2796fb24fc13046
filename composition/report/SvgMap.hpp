#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "composition/report/SvgPlotFrame.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/elements/ElementSet.hpp"
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

/// The values of the elements of a map over time, for the script of the page.
struct MapFrames {
  std::vector<double> times = {};   ///< Modified Julian Days, UTC; shape [n]
  std::vector<double> values = {};  ///< row by row, NaN where missing; shape [n * elements]
};

/// Elements coloured by value.
struct ElementMap {
  std::string title;             ///< what the values are, such as "largest discharge"
  std::string unit;              ///< of the values
  bool is_geographic = false;    ///< coordinates are degrees of longitude and latitude
  double metres_per_unit = 1.0;  ///< of planar coordinates, for the scale bar; 0: unknown
  std::vector<MapElement> elements = {};
  MapFrames frames = {};  ///< of `elements`; may be empty
  /// With no `elements`: those of an item of so many that they are drawn as one image, and their values.
  std::shared_ptr<const ElementSet> places = {};
  std::vector<double> values = {};       ///< NaN: missing; shape [elements of `places`]
  std::vector<std::size_t> marked = {};  ///< elements of `places` that get a ring
  std::vector<MapElement> context =
      {};                    ///< elements of other items, in the same coordinates: drawn in grey, for orientation
  bool is_numbered = false;  ///< elements get `data-e` and those of `context` `data-c`, their numbers, for a script
                             ///< that gives them colours
  /// Values that the ends of the colour bar must cover, in `unit`; NaN: the smallest and the largest value.
  double low = kNotANumber;
  double high = kNotANumber;
};

/// Greatest number of elements of which each is drawn as a shape of its own.
inline constexpr std::size_t kMostMapShapes = 2000;
/// Number of elements from which on colours go from the 1 % to the 99 % quantile, so that a single element does not
/// take all of them.
inline constexpr std::size_t kFewestForOuterPercent = 100;
/// Greatest number of elements that get labels and read-outs.
inline constexpr std::size_t kMostMapLabels = 14;

/// Draws the elements to scale with a colour bar, coordinates, an arrow to the north and a scale bar.
///
/// Polygons are below lines, lines below points. The colours cover at least a thousandth of the values, so that an
/// insignificant difference does not look significant. The height of the picture follows the shape of the map, up to
/// `style.height`.
/// \param most_cells  of an image
std::string MapSvg(const ElementMap& map, const PlotStyle& style = {.height = 520.0}, std::size_t most_cells = 400'000);

/// Draws the elements of a set into cells: the mean of the values of the elements in each.
///
/// A polygon is in the cells whose middles it covers, and at least in one. A line is in the cells that it passes, a
/// point in those around it. \param values   shape [elements]; an element without a number is left out
/// \param place    from coordinates to cells: x to the right and y downwards, 0 at the edge of the first one
/// \param columns  with `rows`: the number of cells
/// \returns row by row, NaN where there is no element; shape [rows * columns]
std::vector<double> MapCells(const ElementSet& places, std::span<const double> values,
                             const std::function<MapPoint(const MapPoint&)>& place, std::size_t columns,
                             std::size_t rows);

/// The shapes of one element as a map draws them, without a value.
/// \param index  of the element in `set`
MapElement DescribeElement(const IElementSet& set, int index);

}  // namespace openmi
