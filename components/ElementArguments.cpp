#include "components/ElementArguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "components/CellNumber.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/GeoJson.hpp"

namespace openmi {

void ElementArguments::AddTo(ArgumentList& arguments) {
  ids_ = arguments.Add<std::string>(
      "elements", {.caption = "ids of the elements", .description = "between commas", .optional = true});
  file_ = arguments.Add<std::string>("elements-file",
                                     {.caption = "file of the elements", .description = "GeoJSON", .optional = true});
  id_property_ = arguments.Add<std::string>(
      "id-property", {.caption = "property that holds the ids of the features", .optional = true});
}

std::shared_ptr<const ElementSet> ElementArguments::Elements(
    const std::string& caption, const std::function<std::string(const std::string&)>& path_of) const {
  const auto text = [](const Argument<std::string>& argument) {
    return argument.HasValue() ? argument.Value() : std::string();
  };
  const std::vector<std::string> wanted = SplitList(text(ids_), false);
  if (text(file_).empty()) {
    if (wanted.empty()) return nullptr;
    return std::make_shared<const ElementSet>(ElementSet::IdBased(caption, wanted));
  }
  const std::string path = path_of(file_.Value());
  GeoJsonFile file = ReadGeoJson(path, text(id_property_));
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
