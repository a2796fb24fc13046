#include "adaptors/StandardAdaptors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "adaptors/base/AdaptorOffer.hpp"
#include "adaptors/time/WithinHorizon.hpp"
#include "adaptors/values/ValueAdaptors.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// The offers of all modules.
const std::vector<const AdaptorOffer*>& Offers() {
  static const auto* all = [] {
    auto* offers = new std::vector<const AdaptorOffer*>;
    for (const auto room : {SpaceOffers(), TimeOffers(), ValueOffers()}) {
      for (const AdaptorOffer& offer : room) offers->push_back(&offer);
    }
    return offers;
  }();
  return *all;  // never destroyed: plug-ins may ask until the program ends
}

}  // namespace

StandardAdaptors::StandardAdaptors() : IdentifiedAs("openmi.standard") {
  SetCaption("adaptors of the SDK");
}

std::vector<const IIdentifiable*> StandardAdaptors::AllIds() const {
  std::vector<const IIdentifiable*> ids;
  for (const AdaptorOffer* offer : Offers()) ids.push_back(&offer->id);
  return ids;
}

std::vector<const IIdentifiable*> StandardAdaptors::GetAvailableAdaptedOutputIds(const IBaseOutput& adaptee,
                                                                                 const IBaseInput* target) {
  std::vector<const IIdentifiable*> ids;
  const auto* output = dynamic_cast<const ITimeSpaceOutput*>(&adaptee);
  if (output == nullptr) return ids;
  std::vector<std::pair<Suitability, const IIdentifiable*>> rated;
  for (const AdaptorOffer* offer : Offers()) {
    const Suitability suitability = offer->rate(*output, target);
    if (suitability != Suitability::None) rated.emplace_back(suitability, &offer->id);
  }
  std::ranges::stable_sort(rated, std::greater<>(), [](const auto& one) { return one.first; });
  for (const auto& [suitability, id] : rated) ids.push_back(id);
  return ids;
}

std::unique_ptr<IBaseAdaptedOutput> StandardAdaptors::CreateAdaptedOutput(const IIdentifiable& adapted_output_id,
                                                                          IBaseOutput& adaptee, IBaseInput* target) {
  const auto& offers = Offers();
  const auto found = std::ranges::find_if(offers, [&](const AdaptorOffer* o) { return &o->id == &adapted_output_id; });
  if (found == offers.end()) {
    throw LinkError({.item = adaptee.Id()},
                    fmt::format("expected an id that this factory gave, found '{}'", adapted_output_id.Id()),
                    "ask GetAvailableAdaptedOutputIds first");
  }
  const Identifier& id = (*found)->id;
  std::unique_ptr<IBaseAdaptedOutput> made = (*found)->make(id.Id(), adaptee, target);
  made->SetDescription(id.Description());
  adaptee.AddAdaptedOutput(*made);
  return made;
}

std::unique_ptr<IBaseAdaptedOutput> StandardAdaptors::CreateUnitConversion(IBaseOutput& adaptee, IBaseInput& target) {
  auto made = std::make_unique<UnitConversion>("unit-conversion", adaptee, &target);
  adaptee.AddAdaptedOutput(*made);
  return made;
}

std::unique_ptr<IBaseAdaptedOutput> StandardAdaptors::CreateWithinHorizon(IBaseOutput& adaptee) {
  auto made = std::make_unique<WithinHorizon>("within-data", adaptee);
  adaptee.AddAdaptedOutput(*made);
  return made;
}

}  // namespace openmi
