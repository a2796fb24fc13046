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
/// The checks and list changes every output shares; see IBaseOutput for what they throw.
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

/// Consumers and adapted outputs for any output interface.
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
  /// Throws LinkError for a consumer this output cannot serve.
  virtual void CheckConsumer(const IBaseInput&) const {}
  virtual void OnConsumerAdded(IBaseInput&) {}
  virtual void OnConsumerRemoved(IBaseInput&) {}
  virtual void OnAdaptedOutputsChanged() {}
  /// Calls Refresh on all adapted outputs.
  void RefreshAdaptedOutputs() {
    for (IBaseAdaptedOutput* adapted : lists_.AdaptedOutputs()) adapted->Refresh();
  }

 private:
  detail::ConsumerLists lists_;
};

/// An output without time or space: hands out the values its component put there.
class BaseOutput final : public OutputOf<IBaseOutput> {
 public:
  /// \param values  the values, changed in place by the component; never null
  BaseOutput(std::string id, std::unique_ptr<const IValueDefinition> definition, IBaseLinkableComponent* component,
             std::unique_ptr<IBaseValueSet> values)
      : OutputOf(std::move(id), std::move(definition), component), values_(std::move(values)) {}

  const IBaseValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const IBaseValueSet& Values() const override { return *values_; }

  /// For the component: the values to change; call Publish() afterwards.
  IBaseValueSet& EditValues() { return *values_; }
  /// Tells adapted outputs and listeners that the values changed.
  void Publish();

 private:
  std::unique_ptr<IBaseValueSet> values_;
};

}  // namespace openmi
