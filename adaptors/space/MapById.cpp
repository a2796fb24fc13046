#include "adaptors/space/MapById.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {

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

}  // namespace openmi
