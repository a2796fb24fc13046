#pragma once

#include <memory>
#include <string>

#include "composition/run/IArrivalListener.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// The host's own consumer at the end of a link: what providers and adaptors see in place of a component's input. It
/// asks what the component's input asks.
class LinkInput final : public InputOf<ITimeSpaceInput>, public IDemand {
 public:
  explicit LinkInput(ITimeSpaceInput& input);
  const ITimeSpaceValueSet* Values() const override { return input_.Values(); }
  void SetValues(const IBaseValueSet* values) override { input_.SetValues(values); }
  const openmi::ITimeSet* TimeSet() const override { return input_.TimeSet(); }
  const ISpatialDefinition* SpatialDefinition() const override { return input_.SpatialDefinition(); }
  const IValueDefinition& ValueDefinition() const override { return input_.ValueDefinition(); }
  Stamp EarliestNeeded() const override;
  const IDemand& Source() const override { return demand_ != nullptr ? *demand_ : *this; }

 private:
  ITimeSpaceInput& input_;
  const IDemand* demand_;
};

/// The host's own provider of one component input: hands its questions to the end of the adaptor chain. Between the two
/// stands nothing but one virtual call.
class LinkEnd final : public OutputOf<ITimeSpaceOutput> {
 public:
  /// Registers as the provider of `input` and as a consumer of `source`.
  /// \param source  the last output of the chain; borrowed
  /// \param input   the component's item; borrowed
  LinkEnd(ITimeSpaceOutput& source, ITimeSpaceInput& input);
  ~LinkEnd() override;

  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override {
    const ITimeSpaceValueSet& values = source_.GetValues(consumer_);
    if (listener_ != nullptr) listener_->OnArrival(values, *consumer_.TimeSet());
    static_cast<void>(query_specifier);
    return values;
  }
  const ITimeSpaceValueSet& Values() const override { return source_.Values(); }
  const openmi::ITimeSet* TimeSet() const override { return source_.TimeSet(); }
  const ISpatialDefinition* SpatialDefinition() const override { return source_.SpatialDefinition(); }
  const IValueDefinition& ValueDefinition() const override { return source_.ValueDefinition(); }

  /// Who hears what arrives; null: nobody.
  void SetListener(IArrivalListener* listener) { listener_ = listener; }

 private:
  ITimeSpaceOutput& source_;
  ITimeSpaceInput& input_;
  LinkInput consumer_;
  IArrivalListener* listener_ = nullptr;
};

}  // namespace openmi
