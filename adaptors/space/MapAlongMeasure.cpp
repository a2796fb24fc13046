#include "adaptors/space/MapAlongMeasure.hpp"

#include "adaptors/space/Shapes.hpp"

namespace openmi {

MapAlongMeasure::MapAlongMeasure(std::string id, IBaseOutput& adaptee, const IBaseInput* target)
    : SpatialAdaptor(std::move(id), adaptee, target) {
  give_ = AddArgument<std::string>(
      "give", {.caption = "what a target takes", .value = "interpolated", .possible_values = {"interpolated", "mean"}});
}

SpatialMapping MapAlongMeasure::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  const std::vector<Stretch> from = StretchesOf(Place().item, source);
  const std::vector<Stretch> to = StretchesOf(Place().item, target);
  return {.weights = give_.Value() == "mean" ? MeanAlong(from, to) : InterpolateAlong(from, to),
          .rows_sum_to_one = true};
}

}  // namespace openmi
