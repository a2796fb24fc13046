#include "composition/joined/JoinedElements.hpp"

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

const IElementSet& ElementsOf(const ISpatialDefinition* one, std::size_t piece, const PieceNames& names,
                              const Where& place) {
  const auto* elements = dynamic_cast<const IElementSet*>(one);
  if (elements != nullptr) return *elements;
  throw LinkError(place,
                  fmt::format("expected elements of all {} or of none, found none of {}", names.many, names.Of(piece)),
                  fmt::format("give the item an element set for each {}; it may be empty", names.one));
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

JoinedElements JoinElements(std::span<const ISpatialDefinition* const> each, std::vector<std::size_t> pieces,
                            const PieceNames& names, const Where& place) {
  JoinedElements joined;
  joined.pieces = std::move(pieces);
  joined.places.resize(each.size());
  if (std::ranges::all_of(each, [](const auto* one) { return one == nullptr; })) {
    for (auto& indices : joined.places) indices.push_back(0);
    return joined;
  }
  std::vector<ElementPick> picks;
  std::vector<std::size_t> owners;                     // pieces of the picks
  std::unordered_map<std::string, std::size_t> known;  // ids, with their index in picks
  for (std::size_t i = 0; i < each.size(); ++i) {
    const std::size_t piece = joined.pieces[i];
    const IElementSet& elements = ElementsOf(each[i], piece, names, place);
    for (int element = 0; element < elements.ElementCount(); ++element) {
      const ElementPick pick{&elements, element};
      const std::string id = IdOf(pick);
      if (id.empty()) {
        throw LinkError(
            place, fmt::format("expected elements with ids, found none for element {} of {}", element, names.Of(piece)),
            fmt::format("give each element an id that holds for all {}", names.many));
      }
      const auto [found, is_new] = known.emplace(id, picks.size());
      if (!picks.empty() && (picks[0].of->ElementType() != elements.ElementType() ||
                             picks[0].of->SpatialReferenceSystemWkt() != elements.SpatialReferenceSystemWkt())) {
        throw LinkError(place,
                        fmt::format("expected elements of one kind and one reference system, found others of {} and {}",
                                    names.Of(owners[0]), names.Of(piece)),
                        fmt::format("give them the same in all {}, or leave out {}", names.many, names.attribute));
      }
      if (is_new) {
        picks.push_back(pick);
        owners.push_back(piece);
      } else if (!IsSamePlace(picks[found->second], pick)) {
        throw LinkError(
            place,
            fmt::format("expected one place for element '{}', found different ones of {} and {}", id,
                        names.Of(owners[found->second]), names.Of(piece)),
            fmt::format("give elements ids that hold for all {}, not numbers that start again in each", names.many));
      }
      joined.places[i].push_back(found->second);
    }
  }
  if (picks.empty()) {
    throw LinkError(place, fmt::format("expected elements of at least one {}, found none", names.one),
                    fmt::format("give the item elements, or leave out {}", names.attribute));
  }
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

JoinedElements JoinRows(std::span<const ISpatialDefinition* const> each, std::span<const std::vector<std::size_t>> rows,
                        const Where& place) {
  JoinedElements joined;
  std::size_t count = 0;
  for (const ISpatialDefinition* one : each)
    count += one != nullptr ? static_cast<std::size_t>(one->ElementCount()) : 0;
  std::vector<ElementPick> picks(count);
  const auto refuse = [&place](std::size_t part) {
    throw LinkError(
        place, fmt::format("expected elements for each row of the table once, found others in {}", kPartNames.Of(part)),
        "give the item as many elements for each row, or leave out Parts and PartsBy");
  };
  for (std::size_t part = 0; part < each.size(); ++part) {
    const auto* elements = dynamic_cast<const IElementSet*>(each[part]);
    if (elements == nullptr || part >= rows.size() || rows[part].empty()) refuse(part);
    const std::size_t own = static_cast<std::size_t>(elements->ElementCount());
    const std::size_t width = own / rows[part].size();  // elements of a row
    if (width == 0 || width * rows[part].size() != own) refuse(part);
    joined.pieces.push_back(part);
    std::vector<std::size_t>& places = joined.places.emplace_back();
    for (std::size_t i = 0; i < own; ++i) {
      const std::size_t at = rows[part][i / width] * width + i % width;
      if (at >= count || picks[at].of != nullptr) refuse(part);
      picks[at] = {elements, static_cast<int>(i)};
      places.push_back(at);
    }
  }
  joined.where = std::make_shared<ElementSet>(JoinOf(picks));
  return joined;
}

}  // namespace openmi
