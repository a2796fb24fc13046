#pragma once

#include <memory>
#include <string>
#include <utility>

#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Event.hpp"
#include "openmi/standard/IBaseExchangeItem.hpp"

namespace openmi {

/// Identity, owner, value definition and event for any exchange item interface.
template <class Interface>
class ItemOf : public IdentifiedAs<Interface> {
 public:
  /// \param definition  what the values are; null only where a derived class overrides ValueDefinition()
  /// \param component   the owner; borrowed, may be null
  ItemOf(std::string id, std::unique_ptr<const IValueDefinition> definition, IBaseLinkableComponent* component)
      : IdentifiedAs<Interface>(std::move(id)), definition_(std::move(definition)), component_(component) {}

  IBaseLinkableComponent* Component() const override { return component_; }
  IEvent<ExchangeItemChangeEventArgs>& ItemChanged() override { return changed_; }
  const IValueDefinition& ValueDefinition() const override { return *definition_; }

  /// Tells the listeners; costs a comparison when there are none.
  void RaiseItemChanged(const char* message = "") {
    if (changed_.HasHandlers()) changed_.Raise({this, message});
  }

 protected:
  /// Who owns the item, where the constructor was told another; borrowed, may be null.
  void SetComponent(IBaseLinkableComponent* component) { component_ = component; }
  /// Lets nobody hear of changes any more: the code of a listener is about to go.
  void ForgetListeners() { changed_.Clear(); }
  void SetValueDefinition(std::unique_ptr<const IValueDefinition> definition) { definition_ = std::move(definition); }

 private:
  std::unique_ptr<const IValueDefinition> definition_;
  IBaseLinkableComponent* component_;
  Event<ExchangeItemChangeEventArgs> changed_;
};

}  // namespace openmi
