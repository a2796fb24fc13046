#include "adaptors/space/MapWithoutPlaces.hpp"

#include <fmt/format.h>

#include "adaptors/space/Shapes.hpp"
#include "adaptors/space/WeightFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

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

SpatialMapping MapById::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  SparseRows weights(static_cast<std::size_t>(source.ElementCount()));
  for (int element = 0; element < target.ElementCount(); ++element) {
    const IIdentifiable* id = target.GetElementId(element);
    const int found = id != nullptr ? source.GetElementIndex(*id) : -1;
    if (found < 0) {
      std::vector<std::string> ids;
      for (int i = 0; i < source.ElementCount() && i < 1000; ++i) {
        const IIdentifiable* known = source.GetElementId(i);
        if (known != nullptr) ids.push_back(known->Id());
      }
      const std::string text = id != nullptr ? id->Id() : "(no id)";
      throw LinkError(Place(),
                      fmt::format("expected each target element among the sources, found no source '{}'", text),
                      Suggest(text, ids));
    }
    const SparseRows::Entry entry{static_cast<std::uint32_t>(found), 1.0};
    weights.AddRow(std::span(&entry, 1));
  }
  return {std::move(weights)};
}

MapByWeightFile::MapByWeightFile(std::string id, IBaseOutput& adaptee, const IBaseInput* target)
    : SpatialAdaptor(std::move(id), adaptee, target, Carries::Anything) {
  file_ = AddArgument<std::string>("file", {.caption = "NetCDF file of weights, as SCRIP, CDO and ESMF write them",
                                            .value = "",
                                            .meaning = ArgumentMeaning::Path});
}

SpatialMapping MapByWeightFile::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  if (file_.Value().empty()) {
    throw LinkError(Place(), "expected a file of weights, found none", "set the argument 'file'");
  }
  SpatialMapping mapping;
  mapping.weights = ReadWeightFile(file_.Value()).weights;
  const auto sources = static_cast<std::size_t>(source.ElementCount());
  const auto targets = static_cast<std::size_t>(target.ElementCount());
  if (mapping.weights.Columns() != sources || mapping.weights.Rows() != targets) {
    throw LinkError(Place(),
                    fmt::format("expected weights from {} to {} elements, found {} to {} in '{}'", sources, targets,
                                mapping.weights.Columns(), mapping.weights.Rows(), file_.Value()),
                    "make the file for these element sets, in their order, without masks");
  }
  return mapping;
}

}  // namespace openmi
