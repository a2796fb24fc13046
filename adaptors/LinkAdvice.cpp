#include "adaptors/LinkAdvice.hpp"

#include <fmt/format.h>

#include <array>

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
    const AdaptorOffer* offer = OfferOf(id);
    if (offer == nullptr || named.size() == kMostNamed) continue;
    if (offer->rate(from, &to) >= Suitability::Good) named.push_back(fmt::format("'{}'", id));
  }
  if (named.empty()) {
    return "give both items elements with places (argument elements-file), or the elements of one the ids of the other "
           "and put the adaptor 'by-id' on the link";
  }
  return fmt::format("put a spatial adaptor on the link, such as {}", fmt::join(named, ", "));
}

std::string TimeAdvice(bool spans) {
  return spans ? "put the adaptor 'mean-over-span' on the link; if they are amounts or means over intervals, set that "
                 "in the component (argument 'stamps' of a series)"
               : "put the adaptor 'previous' or 'linear' on the link";
}

std::string MisfitOf(const std::string& adaptor_id, const ITimeSpaceOutput& from, const IBaseInput& to) {
  const AdaptorOffer* offer = OfferOf(adaptor_id);
  if (offer == nullptr) return "its values, times or elements are not of the kind it takes";
  const std::string purpose = fmt::format("it is for this: {}", offer->id.Description());
  const auto found = [&](const IBaseExchangeItem& item, const char* has, const ITimeSpaceExchangeItem* with_times) {
    return fmt::format("{}, and '{}' {} values of type {} {} for {}", purpose, item.Id(), has,
                       item.ValueDefinition().ValueType().Name(),
                       TimesText(with_times != nullptr ? with_times->TimeSet() : nullptr),
                       ElementsText(ElementsOf(with_times)));
  };
  if (offer->rate(from, nullptr) == Suitability::None) return found(from, "has", &from);
  return found(to, "takes", dynamic_cast<const ITimeSpaceExchangeItem*>(&to));
}

std::vector<OrderWarning> OrderWarnings(std::span<const std::string> adaptor_ids) {
  std::vector<OrderWarning> warnings;
  const std::string* mean = nullptr;
  bool is_rate = false;
  for (std::size_t i = 0; i < adaptor_ids.size(); ++i) {
    const std::string& id = adaptor_ids[i];
    const AdaptorOffer* offer = OfferOf(id);
    const SpanValue span_value = offer != nullptr ? offer->span_value : SpanValue::Other;
    if (span_value == SpanValue::Mean) mean = &id;
    if (span_value == SpanValue::Rate) {
      is_rate = true;
      if (mean != nullptr) {
        warnings.push_back({i,
                            fmt::format("'{}' keeps the amount of a provider's span, which '{}' after it divides by "
                                        "the consumer's: where the two differ, more or less arrives than left",
                                        *mean, id),
                            fmt::format("put '{}' first, or 'sum-over-span' in the place of '{}'", id, *mean)});
      }
    }
    if (is_rate && span_value == SpanValue::Total) {
      warnings.push_back({i, fmt::format("'{}' adds up what 'divide-by-span' before it made a rate", id),
                          fmt::format("put '{}' before 'divide-by-span', or 'mean-over-span' in its place", id)});
    }
  }
  return warnings;
}

}  // namespace openmi
