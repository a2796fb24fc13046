#include "components/ElementArguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "components/CellNumber.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/GeoJson.hpp"

namespace openmi {

std::shared_ptr<const ElementSet> ElementsFrom(const std::string& caption, const std::string& ids,
                                               const std::string& path, const std::string& id_property) {
  const std::vector<std::string> wanted = SplitList(ids, false);
  if (path.empty()) {
    if (wanted.empty()) return nullptr;
    return std::make_shared<const ElementSet>(ElementSet::IdBased(caption, wanted));
  }
  GeoJsonFile file = ReadGeoJson(path, id_property);
  if (!wanted.empty()) {
    std::vector<std::string> known;
    for (const GeoJsonFeature& feature : file.features) known.push_back(feature.id);
    for (const std::string& id : wanted) {
      if (std::ranges::find(known, id) != known.end()) continue;
      throw FormatError({.file = path}, fmt::format("expected a feature '{}', found none", id), Suggest(id, known));
    }
    std::erase_if(file.features, [&wanted](const GeoJsonFeature& feature) {
      return std::ranges::find(wanted, feature.id) == wanted.end();
    });
  }
  return std::make_shared<const ElementSet>(ElementsOf(file, caption));
}

}  // namespace openmi
