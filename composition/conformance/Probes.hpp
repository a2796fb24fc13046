#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "openmi/standard/IBaseAdaptedOutput.hpp"
#include "timespace/standard/ITimeSpaceAdaptedOutput.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/times/TimeSet.hpp"

/// \file
/// Objects that the harness links to the items of a component under test: consumers of its outputs, and adapted outputs
/// that count the calls of the component.

namespace openmi::conformance {

/// A consumer of an output without times and places.
class CoreProbeInput final : public InputOf<IBaseInput> {
 public:
  explicit CoreProbeInput(const IBaseOutput& output)
      : InputOf("conformance-probe", nullptr, nullptr), output_(output) {}
  const IValueDefinition& ValueDefinition() const override { return output_.ValueDefinition(); }
  const IBaseValueSet* Values() const override { return values_; }
  void SetValues(const IBaseValueSet* values) override { values_ = values; }

 private:
  const IBaseOutput& output_;
  const IBaseValueSet* values_ = nullptr;
};

/// A consumer with the elements of an output; the harness sets the times it requests.
class ProbeInput final : public InputOf<ITimeSpaceInput> {
 public:
  explicit ProbeInput(const ITimeSpaceOutput& output)
      : InputOf("conformance-probe", nullptr, nullptr),
        output_(output),
        times_(output.TimeSet() != nullptr && output.TimeSet()->HasDurations()) {}
  const IValueDefinition& ValueDefinition() const override { return output_.ValueDefinition(); }
  const ISpatialDefinition* SpatialDefinition() const override { return output_.SpatialDefinition(); }
  const ITimeSet* TimeSet() const override { return output_.TimeSet() == nullptr ? nullptr : &times_; }
  const ITimeSpaceValueSet* Values() const override { return values_; }
  void SetValues(const IBaseValueSet* values) override { values_ = dynamic_cast<const ITimeSpaceValueSet*>(values); }

  /// Requests the times of `times`, and promises not to request earlier ones later.
  void AskFor(const ITimeSet& times);

 private:
  const ITimeSpaceOutput& output_;
  openmi::TimeSet times_;
  const ITimeSpaceValueSet* values_ = nullptr;
};

/// Makes a consumer of the kind that `output` needs.
std::unique_ptr<IBaseInput> MakeProbeInput(const IBaseOutput& output);

/// How often the component called an adapted output of the harness.
struct ProbeCounts {
  std::size_t initialized = 0;
  std::size_t refreshed = 0;
  bool refreshed_too_early = false;  ///< refreshed before it was initialized
};

/// An adapted output that forwards everything and counts calls. It has a consumer, so that the component needs it.
template <class Interface, class Output, class Set>
class ProbeAdaptedOf : public OutputOf<Interface> {
 public:
  explicit ProbeAdaptedOf(Output& adaptee)
      : OutputOf<Interface>("conformance-adapted-probe", nullptr, adaptee.Component()), adaptee_(adaptee) {}
  const IValueDefinition& ValueDefinition() const override { return adaptee_.ValueDefinition(); }
  const Set& GetValues(const IBaseExchangeItem& query) override { return adaptee_.GetValues(query); }
  const Set& Values() const override { return adaptee_.Values(); }
  IBaseOutput& Adaptee() const override { return adaptee_; }
  std::span<IArgument* const> Arguments() const override { return {}; }
  void Initialize() override { ++counts_.initialized; }
  void Refresh() override {
    if (counts_.initialized == 0) counts_.refreshed_too_early = true;
    ++counts_.refreshed;
  }
  const ProbeCounts& Counts() const { return counts_; }

 protected:
  Output& adaptee_;

 private:
  ProbeCounts counts_;
};

class CoreProbeAdaptedOutput final : public ProbeAdaptedOf<IBaseAdaptedOutput, IBaseOutput, IBaseValueSet> {
 public:
  using ProbeAdaptedOf::ProbeAdaptedOf;
};

class ProbeAdaptedOutput final : public ProbeAdaptedOf<ITimeSpaceAdaptedOutput, ITimeSpaceOutput, ITimeSpaceValueSet> {
 public:
  using ProbeAdaptedOf::ProbeAdaptedOf;
  const ITimeSet* TimeSet() const override { return adaptee_.TimeSet(); }
  const ISpatialDefinition* SpatialDefinition() const override { return adaptee_.SpatialDefinition(); }
};

/// A counting adapted output with its consumer, registered on an output until Remove.
class AdaptedProbe {
 public:
  explicit AdaptedProbe(IBaseOutput& output);
  AdaptedProbe(AdaptedProbe&&) = default;
  /// Unregisters the adapted output from its adaptee.
  void Remove();
  const ProbeCounts& Counts() const { return *counts_; }

 private:
  IBaseOutput* output_;
  std::unique_ptr<IBaseAdaptedOutput> adapted_;
  std::unique_ptr<IBaseInput> consumer_;
  const ProbeCounts* counts_ = nullptr;
};

}  // namespace openmi::conformance
