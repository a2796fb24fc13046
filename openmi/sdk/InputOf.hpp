#pragma once

#include "openmi/sdk/ItemOf.hpp"
#include "openmi/standard/IBaseInput.hpp"

namespace openmi {

/// Implements provider and identity for any input interface. The derived class implements `Values()` and `SetValues()`.
template <class Interface>
class InputOf : public ItemOf<Interface> {
 public:
  using ItemOf<Interface>::ItemOf;

  IBaseOutput* Provider() const override { return provider_; }
  void SetProvider(IBaseOutput* provider) override { provider_ = provider; }

 private:
  IBaseOutput* provider_ = nullptr;
};

/// An input without time or space.
class BaseInput final : public InputOf<IBaseInput> {
 public:
  using InputOf::InputOf;
  const IBaseValueSet* Values() const override { return values_; }
  void SetValues(const IBaseValueSet* values) override {
    values_ = values;
    RaiseItemChanged("values");
  }

 private:
  const IBaseValueSet* values_ = nullptr;
};

}  // namespace openmi
