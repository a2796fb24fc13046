#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/Few.hpp"
#include "openmi/sdk/ItemOf.hpp"
#include "openmi/standard/IBaseAdaptedOutput.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IBaseOutput.hpp"

namespace openmi {

namespace detail {
/// The checks and list changes that all outputs share. See IBaseOutput for the exceptions.
class ConsumerLists {
 public:
  void AddConsumer(IBaseOutput& self, IBaseInput& consumer);
  void RemoveConsumer(IBaseOutput& self, IBaseInput& consumer);
  void AddAdaptedOutput(IBaseOutput& self, IBaseAdaptedOutput& adapted_output);
  void RemoveAdaptedOutput(IBaseOutput& self, IBaseAdaptedOutput& adapted_output);
  std::span<IBaseInput* const> Consumers() const { return consumers_.Items(); }
  std::span<IBaseAdaptedOutput* const> AdaptedOutputs() const { return adapted_outputs_.Items(); }

 private:
  Few<IBaseInput*> consumers_;
  Few<IBaseAdaptedOutput*> adapted_outputs_;
};
}  // namespace detail

/// Implements consumers and adapted outputs for any output interface.
template <class Interface>
class OutputOf : public ItemOf<Interface> {
 public:
  using ItemOf<Interface>::ItemOf;

  std::span<IBaseAdaptedOutput* const> AdaptedOutputs() const override { return lists_.AdaptedOutputs(); }
  void AddAdaptedOutput(IBaseAdaptedOutput& adapted_output) override {
    lists_.AddAdaptedOutput(*this, adapted_output);
    OnAdaptedOutputsChanged();
  }
  void AddConsumer(IBaseInput& consumer) override {
    CheckConsumer(consumer);
    lists_.AddConsumer(*this, consumer);
    OnConsumerAdded(consumer);
  }
  std::span<IBaseInput* const> Consumers() const override { return lists_.Consumers(); }
  void RemoveAdaptedOutput(IBaseAdaptedOutput& adapted_output) override {
    lists_.RemoveAdaptedOutput(*this, adapted_output);
    OnAdaptedOutputsChanged();
  }
  void RemoveConsumer(IBaseInput& consumer) override {
    lists_.RemoveConsumer(*this, consumer);
    OnConsumerRemoved(consumer);
  }

 protected:
  /// Checks a consumer before it is registered.
  /// \throws LinkError  this output cannot serve the consumer
  virtual void CheckConsumer(const IBaseInput&) const {}
  /// Hook after a consumer was registered.
  virtual void OnConsumerAdded(IBaseInput&) {}
  /// Hook after a consumer was removed.
  virtual void OnConsumerRemoved(IBaseInput&) {}
  /// Hook after an adapted output was registered or removed.
  virtual void OnAdaptedOutputsChanged() {}
  /// Calls `Refresh` on all adapted outputs.
  void RefreshAdaptedOutputs() {
    for (IBaseAdaptedOutput* adapted : lists_.AdaptedOutputs()) adapted->Refresh();
  }

 private:
  detail::ConsumerLists lists_;
};

/// An output without time or space. It returns the values that its component wrote.
class BaseOutput final : public OutputOf<IBaseOutput> {
 public:
  /// \param values  the values, which the component changes in place; never null
  BaseOutput(std::string id, std::unique_ptr<const IValueDefinition> definition, IBaseLinkableComponent* component,
             std::unique_ptr<IBaseValueSet> values)
      : OutputOf(std::move(id), std::move(definition), component), values_(std::move(values)) {}

  const IBaseValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const IBaseValueSet& Values() const override { return *values_; }

  /// The values, for the component to change. Call `Publish()` afterwards.
  IBaseValueSet& EditValues() { return *values_; }
  /// Notifies adapted outputs and handlers that the values changed.
  void Publish();

 private:
  std::unique_ptr<IBaseValueSet> values_;
};

/// Throws before a chain of `GetValues` calls exhausts the stack of the calling thread.
///
/// Keeps 512 kB of the stack free (2 MB under a sanitizer), but at most a quarter of it. Costs about a nanosecond.
/// \throws DepthError  less than that is free
void GuardStack();

}  // namespace openmi
