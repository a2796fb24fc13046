#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
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

/// How well an adaptor suits a pair of items. It is judged by what the adaptor is for (times, places, values): whether
/// the rest of the pair fits is for other adaptors on the same link to see to.
enum class Suitability {
  None,      ///< it cannot stand there: not offered
  Possible,  ///< it can, but nothing about the pair asks for it
  Good,      ///< it makes the two ends meet; another does it better as a rule
  Best       ///< what somebody who knows the subject would put there first
};

/// One adaptor of the standard factory. Each room keeps a list of its own: TimeOffers, ValueOffers, SpaceOffers.
struct AdaptorOffer {
  Identifier id;  ///< with a caption and a description of one line
  /// \param target  null: for the adaptee alone, whatever comes behind
  Suitability (*rate)(const ITimeSpaceOutput& adaptee, const IBaseInput* target);
  /// \throws Error  it does not fit; the message says why
  std::unique_ptr<IBaseAdaptedOutput> (*make)(const std::string& id, IBaseOutput& adaptee, const IBaseInput* target);
};

/// The lists, in the order in which adaptors equally suitable are offered.
std::span<const AdaptorOffer> TimeOffers();
std::span<const AdaptorOffer> ValueOffers();
std::span<const AdaptorOffer> SpaceOffers();

// What the lists ask of the two ends.

/// The elements of an item; null where it has none.
const IElementSet* ElementsOf(const ITimeSpaceExchangeItem* item);
const IElementSet* ElementsOf(const IBaseInput* target);
/// The quantity an item has; null for qualities and no target.
const IQuantity* QuantityOf(const ITimeSpaceOutput& adaptee);
const IQuantity* QuantityOf(const IBaseInput* target);
/// Whether values are numbers (double, integer, boolean).
bool IsNumeric(const ITimeSpaceOutput& adaptee);
/// Whether a unit gains the target's dimension when powers are added to it.
bool LeadsTo(const IUnit& given, const IUnit& wanted, std::initializer_list<std::pair<DimensionBase, double>> powers);

/// For `AdaptorOffer::make`: an adaptor that needs only its id and its adaptee.
template <class Adaptor>
std::unique_ptr<IBaseAdaptedOutput> MakePlain(const std::string& id, IBaseOutput& adaptee, const IBaseInput*) {
  return std::make_unique<Adaptor>(id, adaptee);
}

}  // namespace openmi
