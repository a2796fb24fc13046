#include "composition/ranks/JoinedElements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "timespace/elements/ElementCopies.hpp"

namespace openmi {
namespace {

std::string IdOf(const ElementPick& pick) {
  const IIdentifiable* id = pick.of->GetElementId(pick.element);
  return id != nullptr ? id->Id() : std::string();
}

const IElementSet& ElementsOf(const ISpatialDefinition* part, std::size_t rank, const Where& place) {
  const auto* elements = dynamic_cast<const IElementSet*>(part);
  if (elements != nullptr) return *elements;
  throw LinkError(place, fmt::format("expected elements on all ranks or on none, found none on rank {}", rank),
                  "give the item an element set on each rank; it may be empty");
}

/// The order of the elements by their ids; empty if an id is no whole number.
std::vector<std::size_t> NumberOrder(std::span<const ElementPick> picks) {
  std::vector<long long> numbers;
  for (const ElementPick& pick : picks) {
    const std::string id = IdOf(pick);
    long long number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    if (error != std::errc() || end != id.data() + id.size()) return {};
    numbers.push_back(number);
  }
  std::vector<std::size_t> order(picks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return numbers[i]; });
  return order;
}

}  // namespace

JoinedElements JoinElements(std::span<const ISpatialDefinition* const> parts, std::vector<std::size_t> ranks,
                            const Where& place) {
  JoinedElements joined;
  joined.ranks = std::move(ranks);
  joined.places.resize(parts.size());
  if (std::ranges::all_of(parts, [](const auto* part) { return part == nullptr; })) {
    for (auto& indices : joined.places) indices.push_back(0);
    return joined;
  }
  std::vector<ElementPick> picks;
  std::vector<std::size_t> owners;                     // ranks of the picks
  std::unordered_map<std::string, std::size_t> known;  // ids, with their index in picks
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::size_t rank = joined.ranks[part];
    const IElementSet& elements = ElementsOf(parts[part], rank, place);
    for (int element = 0; element < elements.ElementCount(); ++element) {
      const ElementPick pick{&elements, element};
      const std::string id = IdOf(pick);
      if (id.empty()) {
        throw LinkError(place,
                        fmt::format("expected elements with ids, found none for element {} of rank {}", element, rank),
                        "give each element an id that holds on all ranks");
      }
      const auto [found, is_new] = known.emplace(id, picks.size());
      if (!picks.empty() && (picks[0].of->ElementType() != elements.ElementType() ||
                             picks[0].of->SpatialReferenceSystemWkt() != elements.SpatialReferenceSystemWkt())) {
        throw LinkError(place,
                        fmt::format("expected elements of one kind and one reference system, found others on ranks {} "
                                    "and {}",
                                    owners[0], rank));
      }
      if (is_new) {
        picks.push_back(pick);
        owners.push_back(rank);
      } else if (!IsSamePlace(picks[found->second], pick)) {
        throw LinkError(place,
                        fmt::format("expected one place for element '{}', found different ones on ranks {} and {}", id,
                                    owners[found->second], rank),
                        "give elements ids that hold on all ranks, not numbers that start again on each");
      }
      joined.places[part].push_back(found->second);
    }
  }
  if (picks.empty()) throw LinkError(place, "expected elements on at least one rank, found none");
  if (const std::vector<std::size_t> order = NumberOrder(picks); !order.empty()) {
    std::vector<std::size_t> place_of(order.size());
    std::vector<ElementPick> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
      place_of[order[i]] = i;
      sorted.push_back(picks[order[i]]);
    }
    picks = std::move(sorted);
    for (auto& indices : joined.places) {
      for (std::size_t& index : indices) index = place_of[index];
    }
  }
  joined.where = std::make_shared<ElementSet>(JoinOf(picks));
  return joined;
}

}  // namespace openmi
