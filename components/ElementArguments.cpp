#include "components/ElementArguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "components/CellNumber.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/ElementCopies.hpp"
#include "timespace/ElementFile.hpp"

namespace openmi {

void ElementArguments::AddTo(ArgumentList& arguments) {
  ids_ = arguments.Add<std::string>(
      "elements", {.caption = "ids of the elements", .description = "between commas", .optional = true});
  source_.AddTo(arguments, "its elements");
}

void ElementFileArguments::AddTo(ArgumentList& arguments, const std::string& use) {
  file_ = arguments.Add<std::string>(
      "elements-file", {.caption = "file of the elements",
                        .description = use + "; GeoJSON, WKT, CSV of points, or a mesh in NetCDF (UGRID, ESMF)",
                        .optional = true});
  id_property_ = arguments.Add<std::string>(
      "id-property", {.caption = "property, column or variable of that file that holds the ids", .optional = true});
  place_ = arguments.Add<std::string>("elements-place", {.caption = "what of a mesh the elements are",
                                                         .description = "empty: the first of these that it has",
                                                         .possible_values = {"", "face", "edge", "node"},
                                                         .optional = true});
  system_ =
      arguments.Add<std::string>("elements-system", {.caption = "reference system of a file that does not say its own",
                                                     .description = "such as EPSG:32617, or local-metres",
                                                     .optional = true});
}

bool ElementFileArguments::IsGiven() const {
  return file_.HasValue() && !file_.Value().empty();
}

ElementSet ElementFileArguments::Read(const std::string& caption,
                                      const std::function<std::string(const std::string&)>& path_of) const {
  const auto text = [](const Argument<std::string>& argument) {
    return argument.HasValue() ? argument.Value() : std::string();
  };
  return ReadElementFile(path_of(file_.Value()), caption,
                         {.ids = text(id_property_), .place = text(place_), .reference_system = text(system_)});
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

std::shared_ptr<const ElementSet> ElementArguments::Elements(
    const std::string& caption, const std::function<std::string(const std::string&)>& path_of) const {
  const std::vector<std::string> wanted = SplitList(ids_.HasValue() ? ids_.Value() : std::string(), false);
  if (!source_.IsGiven()) {
    if (wanted.empty()) return nullptr;
    return std::make_shared<const ElementSet>(ElementSet::IdBased(caption, wanted));
  }
  ElementSet all = source_.Read(caption, path_of);
  return std::make_shared<const ElementSet>(wanted.empty() ? std::move(all) : source_.Chosen(all, wanted));
}

}  // namespace openmi
