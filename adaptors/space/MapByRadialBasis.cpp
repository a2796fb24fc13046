#include "adaptors/space/MapByRadialBasis.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "adaptors/kernels/RadialBasis.hpp"
#include "adaptors/space/Shapes.hpp"

namespace openmi {
namespace {

struct Named {
  const char* name;
  RadialFunction function;
};
constexpr std::array<Named, 8> kFunctions = {{{"thin-plate", RadialFunction::ThinPlate},
                                              {"cubic", RadialFunction::Cubic},
                                              {"gaussian", RadialFunction::Gaussian},
                                              {"multiquadric", RadialFunction::Multiquadric},
                                              {"inverse-multiquadric", RadialFunction::InverseMultiquadric},
                                              {"wendland-c2", RadialFunction::WendlandC2},
                                              {"wendland-c4", RadialFunction::WendlandC4},
                                              {"wendland-c6", RadialFunction::WendlandC6}}};

ArgumentOptions<std::string> FunctionOptions(const char* usual) {
  ArgumentOptions<std::string> options{.caption = "function of the distance", .value = usual};
  for (const Named& named : kFunctions) options.possible_values.emplace_back(named.name);
  return options;
}

RadialFunction FunctionOf(const std::string& name) {
  return std::ranges::find(kFunctions, name, [](const Named& named) { return std::string_view(named.name); })->function;
}

}  // namespace

MapByRadialBasis::MapByRadialBasis(std::string id, IBaseOutput& adaptee, const IBaseInput* target)
    : SpatialAdaptor(std::move(id), adaptee, target) {
  function_ = AddArgument<std::string>("function", FunctionOptions("thin-plate"));
  scale_ = AddArgument<double>(
      "scale", {.caption = "scale of the function: coordinate units, m on the earth; 0: from the sources' spacing",
                .value = 0.0,
                .minimum = 0.0});
}

SpatialMapping MapByRadialBasis::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  const PlacePair places = PlacesOf(Place().item, source, target);
  SolvedWeights solved = RadialBasisWeights(places.source, places.target,
                                            {.function = FunctionOf(function_.Value()), .scale = scale_.Value()});
  return {.weights = std::move(solved.weights), .condition = solved.condition, .rows_sum_to_one = true};
}

MapByPatches::MapByPatches(std::string id, IBaseOutput& adaptee, const IBaseInput* target)
    : SpatialAdaptor(std::move(id), adaptee, target) {
  function_ = AddArgument<std::string>("function", FunctionOptions("cubic"));
  relative_scale_ = AddArgument<double>(
      "relative-scale", {.caption = "scale of the function over the radius of a patch, for those that need one",
                         .value = 3.0,
                         .minimum = 0.1,
                         .maximum = 100.0});
  degree_ = AddArgument<int>(
      "degree", {.caption = "degree of the polynomial in a patch", .value = 3, .minimum = 0, .maximum = 4});
  per_patch_ = AddArgument<int>(
      "per-patch", {.caption = "about how many sources a patch has", .value = 50, .minimum = 8, .maximum = 1000});
}

SpatialMapping MapByPatches::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  const PlacePair places = PlacesOf(Place().item, source, target);
  SolvedWeights solved = PartitionOfUnityWeights(places.source, places.target,
                                                 {.function = FunctionOf(function_.Value()),
                                                  .relative_scale = relative_scale_.Value(),
                                                  .per_patch = static_cast<std::size_t>(per_patch_.Value()),
                                                  .degree = static_cast<std::size_t>(degree_.Value()),
                                                  .space = places.space});
  return {.weights = std::move(solved.weights), .condition = solved.condition, .rows_sum_to_one = true};
}

}  // namespace openmi
