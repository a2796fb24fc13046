#include <fmt/format.h>

#include <algorithm>

#include "adaptors/base/AdaptorOffer.hpp"
#include "adaptors/c/Adaptor.hpp"
#include "openmi/omi/CLibrary.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "timespace/c/Declarations.hpp"

namespace openmi::c {
namespace {

/// Makes the adaptors that a type of components in C offers. Its id is the name of that type.
class Factory final : public IdentifiedAs<IAdaptedOutputFactory> {
 public:
  explicit Factory(const openmi_component& type) : IdentifiedAs(type.type) {
    SetCaption(fmt::format("adaptors of {}", type.type));
    for (const openmi_adaptor* adaptor : CAdaptorsOf(type)) {
      offers_.push_back({Identifier(adaptor->id, adaptor->caption != nullptr ? adaptor->caption : adaptor->id,
                                    TextFrom(adaptor->description)),
                         adaptor});
    }
  }

  std::vector<const IIdentifiable*> GetAvailableAdaptedOutputIds(const IBaseOutput& adaptee,
                                                                 const IBaseInput*) override {
    const auto* const output = dynamic_cast<const ITimeSpaceOutput*>(&adaptee);
    std::vector<const IIdentifiable*> ids;
    if (output == nullptr || QuantityOf(*output) == nullptr) return ids;
    if (output->ValueDefinition().ValueType().kind != ValueKind::Double) return ids;  // results need not be whole
    for (const Offer& offer : offers_) ids.push_back(&offer.id);
    return ids;
  }

  std::unique_ptr<IBaseAdaptedOutput> CreateAdaptedOutput(const IIdentifiable& id, IBaseOutput& adaptee,
                                                          IBaseInput*) override {
    const auto offer = std::ranges::find_if(offers_, [&](const Offer& one) { return one.id.Id() == id.Id(); });
    if (offer == offers_.end()) {
      throw LinkError({.item = adaptee.Id()}, fmt::format("expected an adaptor of '{}', found '{}'", Id(), id.Id()),
                      "ask this factory for the ids that it offers");
    }
    auto adaptor = std::make_unique<Adaptor>(*offer->type, adaptee);
    adaptor->SetCaption(offer->id.Caption());
    adaptor->SetDescription(offer->id.Description());
    adaptee.AddAdaptedOutput(*adaptor);
    return adaptor;
  }

 private:
  struct Offer {
    Identifier id;
    const openmi_adaptor* type;
  };
  std::vector<Offer> offers_;
};

std::unique_ptr<IAdaptedOutputFactory> MakeFactory(const openmi_component& type) {
  return std::make_unique<Factory>(type);
}

// Components are made in the layer below, and find here what makes their adaptors.
[[gnu::used]] const bool kIsRegistered = (RegisterCFactoryMaker(&MakeFactory), true);

}  // namespace
}  // namespace openmi::c
