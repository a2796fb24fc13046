#include "dotnet-bridge/plugin/Adaptors.hpp"

#include <algorithm>
#include <utility>

#include "dotnet-bridge/plugin/Border.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dotnet {
namespace {

/// The target of a link, as a component sees it while a factory is asked.
class Target final : public IHasTimes {
 public:
  /// \param target   null: none
  Target(const IBaseInput* target, int adaptee) : item_(dynamic_cast<const ITimeSpaceExchangeItem*>(target)) {
    if (target == nullptr) return;
    if (const auto* managed = dynamic_cast<const IManaged*>(target)) {
      number_ = managed->Number();
    } else {
      number_ = made_ = TheBorder().Target(Key(), target->Id(), adaptee);
    }
  }
  ~Target() override {
    try {
      if (made_ != 0) TheBorder().ForgetTarget(made_);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): it stays kept
    }
  }
  const openmi::ITimeSet* ConsumerTimes() override { return item_ != nullptr ? item_->TimeSet() : nullptr; }
  const ISpatialDefinition* ConsumerPlaces() override {
    return item_ != nullptr ? item_->SpatialDefinition() : nullptr;
  }
  int Number() const { return number_; }

 private:
  const ITimeSpaceExchangeItem* item_;
  int number_ = 0;
  int made_ = 0;
};

}  // namespace

AdaptedOutput::AdaptedOutput(Thing thing, IBaseOutput& adaptee)
    : OutputThing(std::move(thing), adaptee.Component()), adaptee_(adaptee), arguments_(Number()) {}

void AdaptedOutput::Initialize() {
  TheBorder().Initialize(Number());
}

void AdaptedOutput::Refresh() {
  TheBorder().Refresh(Number());
  RefreshOthers();
}

std::vector<const IIdentifiable*> Factory::GetAvailableAdaptedOutputIds(const IBaseOutput& adaptee,
                                                                        const IBaseInput* target) {
  const auto* managed = dynamic_cast<const IManaged*>(&adaptee);
  if (managed == nullptr) return {};
  const Target there(target, managed->Number());
  std::vector<const IIdentifiable*> found;
  for (const int number : TheBorder().GetAvailableAdaptedOutputIds(Number(), managed->Number(), there.Number())) {
    // A factory may make its ids again each time; one with the same text is the same.
    auto id = std::make_unique<KnownId>(Thing(number));
    const std::string text = id->Id();
    auto known = std::ranges::find_if(ids_, [&text](const auto& one) { return one->Id() == text; });
    if (known == ids_.end()) known = ids_.insert(ids_.end(), std::move(id));
    found.push_back(known->get());
  }
  return found;
}

std::unique_ptr<IBaseAdaptedOutput> Factory::CreateAdaptedOutput(const IIdentifiable& adapted_output_id,
                                                                 IBaseOutput& adaptee, IBaseInput* target) {
  auto* managed = dynamic_cast<IManaged*>(&adaptee);
  if (managed == nullptr) {
    throw LinkError({.item = adaptee.Id()}, "expected an output of the component of the factory, found another",
                    "put the adaptor directly behind the output of its component");
  }
  const auto* id = dynamic_cast<const KnownId*>(&adapted_output_id);
  const Target there(target, managed->Number());
  try {
    auto made = std::make_unique<AdaptedOutput>(
        Thing(TheBorder().CreateAdaptedOutput(Number(), id != nullptr ? id->Number() : 0, adapted_output_id.Id(),
                                              managed->Number(), there.Number())),
        adaptee);
    adaptee.AddAdaptedOutput(*made);
    return made;
  } catch (const ModelError& error) {
    throw LinkError({.item = adaptee.Id()}, error.Problem(), error.Remedy());
  }
}

}  // namespace openmi::dotnet
