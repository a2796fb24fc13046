#include "adaptors/space/MapByWeightFile.hpp"

#include <fmt/format.h>

#include "adaptors/space/WeightFile.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

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
