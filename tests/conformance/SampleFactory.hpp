#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "openmi/standard.hpp"
#include "tests/conformance/Fault.hpp"
#include "timespace/standard.hpp"

namespace openmi::sample {

/// Passes everything on.
template <class Interface, class Below, class Set>
class SameOf : public OutputOf<Interface> {
 public:
  SameOf(Below& adaptee, Fault fault)
      : OutputOf<Interface>("same", nullptr, adaptee.Component()), adaptee_(adaptee), fault_(fault) {}
  const IValueDefinition& ValueDefinition() const override { return adaptee_.ValueDefinition(); }
  const Set& Values() const override { return adaptee_.Values(); }
  const Set& GetValues(const IBaseExchangeItem& query) override { return adaptee_.GetValues(query); }
  IBaseOutput& Adaptee() const override { return adaptee_; }
  std::span<IArgument* const> Arguments() const override { return {}; }
  void Initialize() override { initialized_ = true; }
  void Refresh() override {
    if (!initialized_ && fault_ != Fault::RefreshBeforeInitialize) {
      throw StateError({}, "expected Initialize before Refresh, found it missing");
    }
    if (fault_ != Fault::RefreshEndsHere) this->RefreshAdaptedOutputs();
  }

 protected:
  Below& adaptee_;

 private:
  Fault fault_;
  bool initialized_ = false;
};

class Same final : public SameOf<ITimeSpaceAdaptedOutput, ITimeSpaceOutput, ITimeSpaceValueSet> {
 public:
  using SameOf::SameOf;
  const ITimeSet* TimeSet() const override { return adaptee_.TimeSet(); }
  const ISpatialDefinition* SpatialDefinition() const override { return adaptee_.SpatialDefinition(); }
};

class SameWithoutTimes final : public SameOf<IBaseAdaptedOutput, IBaseOutput, IBaseValueSet> {
 public:
  using SameOf::SameOf;
};

class Factory final : public IdentifiedAs<IAdaptedOutputFactory> {
 public:
  explicit Factory(Fault fault) : IdentifiedAs("sample-factory"), fault_(fault) {}
  std::unique_ptr<IBaseAdaptedOutput> CreateAdaptedOutput(const IIdentifiable& id, IBaseOutput& adaptee,
                                                          IBaseInput*) override {
    if (id.Id() != same_.Id() && fault_ != Fault::FactoryTakesAnyId) {
      throw LinkError({}, "expected 'same', found '" + id.Id() + "'");
    }
    std::unique_ptr<IBaseAdaptedOutput> made;
    if (fault_ == Fault::AdaptedOutputLosesTimes) {
      made = std::make_unique<SameWithoutTimes>(adaptee, fault_);
    } else {
      made = std::make_unique<Same>(dynamic_cast<ITimeSpaceOutput&>(adaptee), fault_);
    }
    if (fault_ != Fault::AdaptedOutputIsNotOnList) adaptee.AddAdaptedOutput(*made);
    return made;
  }
  std::vector<const IIdentifiable*> GetAvailableAdaptedOutputIds(const IBaseOutput&, const IBaseInput*) override {
    return {&same_};
  }

 private:
  Fault fault_;
  Identifier same_{"same"};
};

}  // namespace openmi::sample
