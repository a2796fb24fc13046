#pragma once

#include <memory>
#include <string>
#include <utility>

#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Event.hpp"
#include "openmi/standard/IBaseExchangeItem.hpp"

namespace openmi {

/// Implements identity, owner, value definition and event for any exchange item interface.
template <class Interface>
class ItemOf : public IdentifiedAs<Interface> {
 public:
  /// \param definition  what the values mean; null only when a derived class overrides `ValueDefinition()`
  /// \param component   the owner; borrowed, may be null
  ItemOf(std::string id, std::unique_ptr<const IValueDefinition> definition, IBaseLinkableComponent* component)
      : IdentifiedAs<Interface>(std::move(id)), definition_(std::move(definition)), component_(component) {}

  IBaseLinkableComponent* Component() const override { return component_; }
  IEvent<ExchangeItemChangeEventArgs>& ItemChanged() override { return changed_; }
  const IValueDefinition& ValueDefinition() const override { return *definition_; }

  /// Notifies the handlers of `ItemChanged`. Costs one comparison when there are none.
  void RaiseItemChanged(const char* message = "") {
    if (changed_.HasHandlers()) changed_.Raise({this, message});
  }

 protected:
  /// Replaces the owner that the constructor received; borrowed, may be null.
  void SetComponent(IBaseLinkableComponent* component) { component_ = component; }
  /// Removes all handlers. Called before the code of a handler is unloaded.
  void ForgetListeners() { changed_.Clear(); }
  void SetValueDefinition(std::unique_ptr<const IValueDefinition> definition) { definition_ = std::move(definition); }

 private:
  std::unique_ptr<const IValueDefinition> definition_;
  IBaseLinkableComponent* component_;
  Event<ExchangeItemChangeEventArgs> changed_;
};

}  // namespace openmi
