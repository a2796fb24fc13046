#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "openmi/sdk/Described.hpp"
#include "openmi/standard/DimensionBase.hpp"
#include "openmi/standard/IBaseAdaptedOutput.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// How well an adaptor suits a pair of items.
///
/// An adaptor rates only what it changes itself (times, elements or values). Other adaptors on the same link serve the
/// rest.
enum class Suitability {
  None,      ///< not offered: the adaptor cannot be used on this link
  Possible,  ///< usable, but nothing about the pair asks for it
  Good,      ///< makes the two ends fit each other; as a rule, another adaptor does it better
  Best       ///< the choice that an expert would make first
};

/// What an adaptor gives for a span, as far as the order of adaptors on a link depends on it.
enum class SpanValue {
  Other,  ///< its place on the link does not matter
  Mean,   ///< a mean or one of the values: where values are amounts, the amount of the provider's own span
  Total,  ///< the amount in the span asked for
  Rate    ///< an amount divided by the length of the span asked for
};

/// One adaptor of the standard factory. Each module has a list: `TimeOffers`, `ValueOffers`, `SpaceOffers`.
struct AdaptorOffer {
  Identifier id;  ///< with a caption and a description of one line
  /// Rates the adaptor for `adaptee` and `target`.
  /// \param target  null: rates it for the adaptee alone, whatever the consumer is
  Suitability (*rate)(const ITimeSpaceOutput& adaptee, const IBaseInput* target);
  /// Makes the adaptor with the given id.
  /// \throws Error  the adaptor does not fit; the message states why
  std::unique_ptr<IBaseAdaptedOutput> (*make)(const std::string& id, IBaseOutput& adaptee, const IBaseInput* target);
  SpanValue span_value = SpanValue::Other;
};

/// The lists of all adaptors. Adaptors that are equally suitable are offered in the order of these lists.
std::span<const AdaptorOffer> TimeOffers();
std::span<const AdaptorOffer> ValueOffers();
std::span<const AdaptorOffer> SpaceOffers();
/// The offer with that id, of any list; null if there is none.
const AdaptorOffer* OfferOf(std::string_view id);

// Questions that the lists ask about the two ends of a link.

/// The elements of an item; null where it has none.
const IElementSet* ElementsOf(const ITimeSpaceExchangeItem* item);
const IElementSet* ElementsOf(const IBaseInput* target);
/// The quantity of an item; null for qualities and where there is no target.
const IQuantity* QuantityOf(const ITimeSpaceOutput& adaptee);
const IQuantity* QuantityOf(const IBaseInput* target);
/// Whether values are numbers (double, integer, boolean).
bool IsNumeric(const ITimeSpaceOutput& adaptee);
/// Whether `given` has the dimension of `wanted` after `powers` are added to its powers.
bool LeadsTo(const IUnit& given, const IUnit& wanted, std::initializer_list<std::pair<DimensionBase, double>> powers);

/// An `AdaptorOffer::make` for adaptors that need an id, an adaptee and perhaps constants.
template <class Adaptor, auto... constants>
std::unique_ptr<IBaseAdaptedOutput> MakePlain(const std::string& id, IBaseOutput& adaptee, const IBaseInput*) {
  return std::make_unique<Adaptor>(id, adaptee, constants...);
}
/// As `MakePlain`, for adaptors that also need the target.
template <class Adaptor, auto... constants>
std::unique_ptr<IBaseAdaptedOutput> MakeFor(const std::string& id, IBaseOutput& adaptee, const IBaseInput* target) {
  return std::make_unique<Adaptor>(id, adaptee, target, constants...);
}

}  // namespace openmi
