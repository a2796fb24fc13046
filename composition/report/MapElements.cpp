#include "composition/report/MapElements.hpp"

#include "timespace/ElementSet.hpp"

namespace openmi {

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
