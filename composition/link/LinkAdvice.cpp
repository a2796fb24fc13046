#include "composition/link/LinkAdvice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "adaptors/base/AdaptorOffer.hpp"

namespace openmi {
namespace {

constexpr std::size_t kMostNamed = 4;

/// A number of elements with their kind: "5 points", "no elements".
std::string ElementsText(const IElementSet* elements) {
  if (elements == nullptr) return "no elements";
  const int count = elements->ElementCount();
  const char* plural = count == 1 ? "" : "s";
  switch (elements->ElementType()) {
    case ElementType::Point:
      return fmt::format("{} point{}", count, plural);
    case ElementType::PolyLine:
      return fmt::format("{} polyline{}", count, plural);
    case ElementType::Polygon:
      return fmt::format("{} polygon{}", count, plural);
    case ElementType::Polyhedron:
      return count == 1 ? "1 polyhedron" : fmt::format("{} polyhedra", count);
    default:
      return fmt::format("{} element{} with ids and without places", count, plural);
  }
}

std::string TimesText(const ITimeSet* times) {
  if (times == nullptr) return "without times";
  return times->HasDurations() ? "over spans" : "at instants";
}

}  // namespace

std::string SpatialAdvice(const ITimeSpaceOutput& from, const IBaseInput& to) {
  // The adaptors that an expert would try first, from the specific to the general.
  static constexpr std::array kUsual{"by-id",
                                     "area-weighted-mean",
                                     "value-at",
                                     "points-in-polygon-mean",
                                     "lines-in-polygon-mean",
                                     "polygons-on-line-mean",
                                     "along-m",
                                     "nearest",
                                     "kriging",
                                     "inverse-distance"};
  std::vector<std::string> named;
  for (const char* id : kUsual) {
    const auto offers = SpaceOffers();
    const auto offer = std::ranges::find_if(offers, [id](const AdaptorOffer& one) { return one.id.Id() == id; });
    if (offer == offers.end() || named.size() == kMostNamed) continue;
    if (offer->rate(from, &to) >= Suitability::Good) named.push_back(fmt::format("'{}'", id));
  }
  if (named.empty()) {
    return "give both items elements with places (argument elements-file), or the elements of one the ids of the other "
           "and put the adaptor 'by-id' on the link";
  }
  return fmt::format("put a spatial adaptor on the link, such as {}", fmt::join(named, ", "));
}

std::string MisfitOf(const std::string& adaptor_id, const ITimeSpaceOutput& from, const IBaseInput& to) {
  for (const auto offers : {SpaceOffers(), TimeOffers(), ValueOffers()}) {
    const auto offer = std::ranges::find_if(offers, [&](const AdaptorOffer& one) { return one.id.Id() == adaptor_id; });
    if (offer == offers.end()) continue;
    const auto* input = dynamic_cast<const ITimeSpaceExchangeItem*>(&to);
    const bool by_output = offer->rate(from, nullptr) == Suitability::None;
    const std::string purpose = fmt::format("it is for this: {}", offer->id.Description());
    if (by_output) {
      return fmt::format("{}, and '{}' has values of type {} {} for {}", purpose, from.Id(),
                         from.ValueDefinition().ValueType().Name(), TimesText(from.TimeSet()),
                         ElementsText(ElementsOf(&from)));
    }
    return fmt::format("{}, and '{}' takes values of type {} {} for {}", purpose, to.Id(),
                       to.ValueDefinition().ValueType().Name(),
                       TimesText(input != nullptr ? input->TimeSet() : nullptr), ElementsText(ElementsOf(&to)));
  }
  return "its values, times or elements are not of the kind it takes";
}

}  // namespace openmi
