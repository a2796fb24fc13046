#include "adaptors/space/MapByKriging.hpp"

#include "adaptors/base/DerivedQuantity.hpp"
#include "adaptors/kernels/Kriging.hpp"
#include "adaptors/space/Shapes.hpp"
#include "openmi/standard/IQuantity.hpp"

namespace openmi {
namespace {

/// A third of the diagonal of the box around all places.
double UsualRange(const std::vector<Point3>& places) {
  if (places.empty()) return 1.0;
  Point3 low = places.front();
  Point3 high = low;
  for (const Point3& p : places) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const double diagonal = Norm(high - low);
  return diagonal > 0.0 ? diagonal / 3.0 : 1.0;
}

Variogram::Model ModelOf(const std::string& name) {
  if (name == "linear") return Variogram::Model::Linear;
  if (name == "exponential") return Variogram::Model::Exponential;
  if (name == "gaussian") return Variogram::Model::Gaussian;
  return Variogram::Model::Spherical;
}

}  // namespace

MapByKriging::MapByKriging(std::string id, IBaseOutput& adaptee, const IBaseInput* target, Give give)
    : SpatialAdaptor(id, adaptee, target, give == Give::Estimate ? Carries::Intensive : Carries::Anything),
      give_(give) {
  if (give == Give::Variance) SetOwnDefinition(SquaredQuantity(id, adaptee));
  model_ = AddArgument<std::string>("model", {.caption = "variogram",
                                              .value = "spherical",
                                              .possible_values = {"spherical", "exponential", "gaussian", "linear"}});
  nugget_ = AddArgument<double>(
      "nugget", {.caption = "jump of the variogram at 0, square of the values' unit", .value = 0.0, .minimum = 0.0});
  sill_ = AddArgument<double>("sill", {.caption = "rise of the variogram beyond the nugget, square of the values' unit",
                                       .value = 1.0,
                                       .minimum = 1e-300});
  range_ =
      AddArgument<double>("range", {.caption = "distance over which values are related: coordinate units, m on the "
                                               "earth; 0: a third of the sources' extent",
                                    .value = 0.0,
                                    .minimum = 0.0});
  neighbours_ = AddArgument<int>(
      "neighbours", {.caption = "how many sources count, the nearest ones; 0: all", .value = 32, .minimum = 0});
}

SpatialMapping MapByKriging::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  const PlacePair places = PlacesOf(Place().item, source, target);
  KrigingOptions options;
  options.variogram = {.model = ModelOf(model_.Value()),
                       .nugget = nugget_.Value(),
                       .sill = sill_.Value(),
                       .range = range_.Value() > 0.0 ? range_.Value() : UsualRange(places.source)};
  options.neighbours = static_cast<std::size_t>(neighbours_.Value());
  KrigingWeights kriging = OrdinaryKriging(places.source, places.target, options);
  SpatialMapping mapping{
      .weights = std::move(kriging.solved.weights), .condition = kriging.solved.condition, .rows_sum_to_one = true};
  if (give_ == Give::Variance) mapping.fixed = std::move(kriging.variance);
  return mapping;
}

}  // namespace openmi
