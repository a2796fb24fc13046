#include <fmt/format.h>

#include "adaptors/space/Mappings.hpp"
#include "adaptors/space/Shapes.hpp"
#include "adaptors/space/WeightFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {

MapBy::Method MapAlongMeasure(MapBy& adaptor) {
  adaptor.NeedsNoPlaces();
  adaptor.StatesEffect({.elements = EffectOnAmount::Elements::Other});  // chainages do not show what lies outside
  const auto give = adaptor.AddArgument<std::string>(
      "give",
      {.caption = "interpolated: linear between the middles of sources; mean: weighted by the stretch in common",
       .value = "interpolated",
       .possible_values = {"interpolated", "mean"}});
  return [&adaptor, give](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    const std::vector<Stretch> from = StretchesOf(adaptor.Place().item, source);
    const std::vector<Stretch> to = StretchesOf(adaptor.Place().item, target);
    return {.weights = give.Value() == "mean" ? MeanAlong(from, to) : InterpolateAlong(from, to),
            .rows_sum_to_one = true};
  };
}

MapBy::Method MapById(MapBy& adaptor) {
  adaptor.NeedsNoPlaces();
  adaptor.StatesEffect({.elements = EffectOnAmount::Elements::ById});
  return [&adaptor](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
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
        throw LinkError(adaptor.Place(),
                        fmt::format("expected each target element among the sources, found no source '{}'", text),
                        Suggest(text, ids));
      }
      const SparseRows::Entry entry{static_cast<std::uint32_t>(found), 1.0};
      weights.AddRow(std::span(&entry, 1));
    }
    return {std::move(weights)};
  };
}

MapBy::Method MapByWeightFile(MapBy& adaptor) {
  adaptor.NeedsNoPlaces();
  const auto file = adaptor.AddArgument<std::string>(
      "file",
      {.caption = "needed: a NetCDF file of SCRIP, CDO or ESMF", .value = "", .meaning = ArgumentMeaning::Path});
  return [&adaptor, file](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    if (file.Value().empty()) {
      throw LinkError(adaptor.Place(), "expected a file of weights, found none", "set the argument 'file'");
    }
    SpatialMapping mapping;
    mapping.weights = ReadWeightFile(file.Value()).weights;
    const auto sources = static_cast<std::size_t>(source.ElementCount());
    const auto targets = static_cast<std::size_t>(target.ElementCount());
    if (mapping.weights.Columns() != sources || mapping.weights.Rows() != targets) {
      throw LinkError(adaptor.Place(),
                      fmt::format("expected weights from {} to {} elements, found {} to {} in '{}'", sources, targets,
                                  mapping.weights.Columns(), mapping.weights.Rows(), file.Value()),
                      "make the file for these element sets, in their order, without masks");
    }
    return mapping;
  };
}

}  // namespace openmi
