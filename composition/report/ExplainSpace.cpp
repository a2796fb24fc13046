#include "composition/report/ExplainSpace.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "composition/report/ArrangePictures.hpp"

namespace openmi {
namespace {

ValueRange RangeOf(const ElementMap& map) {
  std::vector<double> values;
  for (const MapElement& element : map.elements) values.push_back(element.value);
  return RangeOfValues(values);
}

}  // namespace

std::string ExplainSpaceSvg(ElementMap source, ElementMap target, const std::string& title) {
  if (source.unit == target.unit) {
    const ValueRange both = Join(RangeOf(source), RangeOf(target));
    source.low = target.low = both.low;
    source.high = target.high = both.high;
  }
  ElementMap places = target;
  for (MapElement& element : places.elements) element.value = std::nan("");
  std::vector<std::string> pictures;
  for (const auto& [map, heading] : {std::pair{&source, source.title}, {&places, title}, {&target, target.title}}) {
    pictures.push_back(MapSvg(*map, {.width = 520.0, .height = 420.0, .use = SvgUse::Standalone, .title = heading}));
  }
  return InARow(pictures);
}

}  // namespace openmi
