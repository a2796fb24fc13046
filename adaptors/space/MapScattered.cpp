#include <algorithm>

#include "adaptors/base/DerivedQuantity.hpp"
#include "adaptors/kernels/Kriging.hpp"
#include "adaptors/kernels/LinearFit.hpp"
#include "adaptors/kernels/RadialBasis.hpp"
#include "adaptors/space/Mappings.hpp"
#include "adaptors/space/Shapes.hpp"

namespace openmi {
namespace {

constexpr EnumNames<RadialFunction> kFunctions{"thin-plate",           "cubic",       "gaussian",    "multiquadric",
                                               "inverse-multiquadric", "wendland-c2", "wendland-c4", "wendland-c6"};

ArgumentOptions<RadialFunction> FunctionOptions(RadialFunction usual) {
  return {.caption = "function of the distance", .value = usual, .names = kFunctions};
}

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

constexpr EnumNames<Variogram::Model> kModels{{"spherical", Variogram::Model::Spherical},
                                              {"exponential", Variogram::Model::Exponential},
                                              {"gaussian", Variogram::Model::Gaussian},
                                              {"linear", Variogram::Model::Linear}};

}  // namespace

MapBy::Method MapByRadialBasis(MapBy& adaptor) {
  const auto function = adaptor.AddArgument("function", FunctionOptions(RadialFunction::ThinPlate));
  const auto scale = adaptor.AddArgument<double>(
      "scale",
      {.caption =
           "scale of the function, in units of the coordinates, on the earth in m; 0: from the spacing of the sources",
       .value = 0.0,
       .minimum = 0.0});
  return [&adaptor, function, scale](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    const PlacePair places = PlacesOf(adaptor.Place().item, source, target);
    SolvedWeights solved =
        RadialBasisWeights(places.source, places.target, {.function = function.Value(), .scale = scale.Value()});
    return {.weights = std::move(solved.weights), .condition = solved.condition, .rows_sum_to_one = true};
  };
}

MapBy::Method MapByPatches(MapBy& adaptor) {
  const auto function = adaptor.AddArgument("function", FunctionOptions(RadialFunction::Cubic));
  const auto relative_scale = adaptor.AddArgument<double>(
      "relative-scale", {.caption = "scale of the function, divided by the radius of a patch",
                         .value = 3.0,
                         .minimum = 0.1,
                         .maximum = 100.0});
  const auto degree = adaptor.AddArgument<int>(
      "degree", {.caption = "degree of the polynomials; lower where needed", .value = 3, .minimum = 0, .maximum = 4});
  const auto per_patch = adaptor.AddArgument<int>(
      "per-patch", {.caption = "approximate number of sources in a patch", .value = 50, .minimum = 8, .maximum = 1000});
  return [&adaptor, function, relative_scale, degree, per_patch](const IElementSet& source,
                                                                 const IElementSet& target) -> SpatialMapping {
    const PlacePair places = PlacesOf(adaptor.Place().item, source, target);
    SolvedWeights solved = PartitionOfUnityWeights(places.source, places.target,
                                                   {.function = function.Value(),
                                                    .relative_scale = relative_scale.Value(),
                                                    .per_patch = static_cast<std::size_t>(per_patch.Value()),
                                                    .degree = static_cast<std::size_t>(degree.Value()),
                                                    .space = places.space});
    return {.weights = std::move(solved.weights), .condition = solved.condition, .rows_sum_to_one = true};
  };
}

MapBy::Method MapByLeastSquares(MapBy& adaptor) {
  const auto neighbours = adaptor.AddArgument<int>(
      "neighbours", {.caption = "number of nearest sources; more if on one line", .value = 12, .minimum = 3});
  return [&adaptor, neighbours](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    const PlacePair places = PlacesOf(adaptor.Place().item, source, target);
    return {.weights = LeastSquaresWeights(
                places.source, places.target,
                {.neighbours = static_cast<std::size_t>(neighbours.Value()), .space = places.space}),
            .rows_sum_to_one = true};
  };
}

MapBy::Method MapByKriging(MapBy& adaptor, KrigingGives give) {
  if (give == KrigingGives::Variance) {
    adaptor.SetOwnDefinition(SquaredQuantity(adaptor.Id(), adaptor.Adaptee()));
    adaptor.StatesEffect(EffectOnAmount::Unknown("gives a variance"));
  }
  const auto model = adaptor.AddArgument<Variogram::Model>(
      "model", {.caption = "form of the variogram", .value = Variogram::Model::Spherical, .names = kModels});
  const auto nugget = adaptor.AddArgument<double>(
      "nugget",
      {.caption = "jump of the variogram at 0, in the square of the unit of the values", .value = 0.0, .minimum = 0.0});
  const auto sill = adaptor.AddArgument<double>(
      "sill", {.caption = "rise of the variogram beyond the nugget, in the square of the unit of the values",
               .value = 1.0,
               .minimum = 1e-300});
  const auto range = adaptor.AddArgument<double>(
      "range", {.caption = "distance over which values are correlated, in units of the coordinates, on the earth in m; "
                           "0: a third of the diagonal of the box around the sources",
                .value = 0.0,
                .minimum = 0.0});
  const auto neighbours = adaptor.AddArgument<int>(
      "neighbours", {.caption = "number of nearest sources; 0: all, at most 4000", .value = 32, .minimum = 0});
  return [&adaptor, give, model, nugget, sill, range, neighbours](const IElementSet& source,
                                                                  const IElementSet& target) -> SpatialMapping {
    const PlacePair places = PlacesOf(adaptor.Place().item, source, target);
    KrigingOptions options;
    options.variogram = {.model = model.Value(),
                         .nugget = nugget.Value(),
                         .sill = sill.Value(),
                         .range = range.Value() > 0.0 ? range.Value() : UsualRange(places.source)};
    options.neighbours = static_cast<std::size_t>(neighbours.Value());
    KrigingWeights kriging = OrdinaryKriging(places.source, places.target, options);
    SpatialMapping mapping{
        .weights = std::move(kriging.solved.weights), .condition = kriging.solved.condition, .rows_sum_to_one = true};
    if (give == KrigingGives::Variance) mapping.fixed = std::move(kriging.variance);
    return mapping;
  };
}

}  // namespace openmi
