#include "adaptors/space/MapByLeastSquares.hpp"

#include "adaptors/kernels/LinearFit.hpp"
#include "adaptors/space/Shapes.hpp"

namespace openmi {

MapByLeastSquares::MapByLeastSquares(std::string id, IBaseOutput& adaptee, const IBaseInput* target)
    : SpatialAdaptor(std::move(id), adaptee, target) {
  neighbours_ = AddArgument<int>("neighbours",
                                 {.caption = "how many sources count, the nearest ones", .value = 12, .minimum = 3});
}

SpatialMapping MapByLeastSquares::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  const PlacePair places = PlacesOf(Place().item, source, target);
  return {.weights =
              LeastSquaresWeights(places.source, places.target,
                                  {.neighbours = static_cast<std::size_t>(neighbours_.Value()), .space = places.space}),
          .rows_sum_to_one = true};
}

}  // namespace openmi
