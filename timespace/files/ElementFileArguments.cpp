#include "timespace/files/ElementFileArguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/elements/ElementCopies.hpp"
#include "timespace/files/ElementFile.hpp"
#include "timespace/files/MeshFile.hpp"

namespace openmi {

void ElementFileArguments::AddTo(ArgumentList& arguments, const std::string& use) {
  file_ = arguments.AddText("elements-file",
                            {.caption = "file of the elements",
                             .description = use + "; GeoJSON, WKT, CSV of points, or NetCDF (UGRID, ESMF, results)",
                             .meaning = ArgumentMeaning::Path});
  id_property_ =
      arguments.AddPlain("id-property", {.caption = "property, column or variable of that file that holds the ids"});
  place_ = arguments.AddText("elements-place", {.caption = "place of the elements in a mesh",
                                                .description = "empty: the first of these that the mesh has",
                                                .possible_values = kMeshPlaces.List()});
  system_ = arguments.AddPlain("elements-system", {.caption = "reference system of a file that does not state one",
                                                   .description = "such as EPSG:32617, or local-metres"});
}

bool ElementFileArguments::IsGiven() const {
  return !TextOf(file_).empty();
}

std::string ElementFileArguments::Key() const {
  return TextOf(file_) + '\n' + TextOf(id_property_) + '\n' + TextOf(place_) + '\n' + TextOf(system_);
}

ElementSet ElementFileArguments::Read(const std::function<std::string(const std::string&)>& path_of) const {
  return ReadElementFile(path_of(file_.Value()), std::filesystem::path(file_.Value()).stem().string(),
                         {.ids = TextOf(id_property_), .place = TextOf(place_), .reference_system = TextOf(system_)});
}

ElementSet ElementFileArguments::Chosen(const ElementSet& all, std::span<const std::string> wanted) const {
  std::vector<std::string> known;
  std::vector<int> chosen;
  for (int element = 0; element < all.ElementCount(); ++element) {
    known.push_back(all.IdOf(element));
    if (std::ranges::find(wanted, known.back()) != wanted.end()) chosen.push_back(element);
  }
  for (const std::string& id : wanted) {
    if (std::ranges::find(known, id) != known.end()) continue;
    throw FormatError({.file = file_.Value()}, fmt::format("expected a feature '{}', found none", id),
                      Suggest(id, known));
  }
  return SubsetOf(all, chosen);
}

}  // namespace openmi
