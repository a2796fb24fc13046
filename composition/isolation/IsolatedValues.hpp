#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/items/DemandList.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/times/TimeSet.hpp"
#include "timespace/values/BytesValueSet.hpp"

namespace openmi {

/// An input of a component in another process, for values that are no rows of numbers: texts, categories, bytes.
class IsolatedValuesInput final : public InputOf<ITimeSpaceInput> {
 public:
  IsolatedValuesInput(std::string id, std::unique_ptr<const IValueDefinition> definition,
                      std::shared_ptr<const ISpatialDefinition> where, std::unique_ptr<openmi::TimeSet> times,
                      IBaseLinkableComponent* component)
      : InputOf(std::move(id), std::move(definition), component), where_(std::move(where)), times_(std::move(times)) {}

  const ITimeSpaceValueSet* Values() const override { return values_; }
  void SetValues(const IBaseValueSet* values) override {
    values_ = values != nullptr ? as_time_space_(*values) : nullptr;
    RaiseItemChanged("values");
  }
  const openmi::ITimeSet* TimeSet() const override { return times_.get(); }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  openmi::TimeSet* EditTimeSet() { return times_.get(); }

 private:
  std::shared_ptr<const ISpatialDefinition> where_;
  std::unique_ptr<openmi::TimeSet> times_;
  CastByType<const ITimeSpaceValueSet, const IBaseValueSet> as_time_space_;
  const ITimeSpaceValueSet* values_ = nullptr;
};

/// An output for such values. It fetches them when they are asked for: the latest values once for each state of the
/// component, earlier ones once for each time that is asked for.
class IsolatedValuesOutput final : public OutputOf<ITimeSpaceOutput> {
 public:
  /// Fetches values.
  /// \param time  no value: the latest
  using Fetch = std::function<std::unique_ptr<ITimeSpaceValueSet>(std::optional<Stamp> time)>;
  IsolatedValuesOutput(std::string id, std::unique_ptr<const IValueDefinition> definition,
                       std::shared_ptr<const ISpatialDefinition> where, std::unique_ptr<openmi::TimeSet> times,
                       IBaseLinkableComponent* component, Fetch fetch)
      : OutputOf(std::move(id), std::move(definition), component),
        where_(std::move(where)),
        times_(std::move(times)),
        fetch_(std::move(fetch)) {}

  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override {
    const auto* query = dynamic_cast<const ITimeSpaceExchangeItem*>(&query_specifier);
    const openmi::ITimeSet* asked = query != nullptr ? query->TimeSet() : nullptr;
    if (asked == nullptr || asked->Times().empty() || times_ == nullptr) return Values();
    const Stamp time = LastEndOf(*asked);
    if (!Before(time, LastEndOf(*times_))) return Values();
    std::erase_if(earlier_, [needed = EarliestNeeded()](const Earlier& one) { return Before(one.time, needed); });
    const auto found = std::ranges::find_if(earlier_, [time](const Earlier& one) { return SameTime(one.time, time); });
    if (found != earlier_.end()) return *found->values;
    return *earlier_.emplace_back(Earlier{time, fetch_(time)}).values;
  }
  const ITimeSpaceValueSet& Values() const override {
    if (has_bytes_) return bytes_;
    if (!values_) values_ = fetch_(std::nullopt);
    return *values_;
  }
  /// Shows the one value of bytes, which is in memory that both processes share. It is valid until the second step from
  /// now.
  void ShowBytes(ByteView bytes) {
    bytes_.Show(0, bytes);
    has_bytes_ = true;
  }
  const openmi::ITimeSet* TimeSet() const override { return times_.get(); }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  /// Shows the values at `time`, until the component makes a step. Adapted outputs and listeners are not notified.
  void ShowAt(Stamp time, std::unique_ptr<ITimeSpaceValueSet> values) {
    values_ = std::move(values);
    if (times_) times_->SetSingle(time);
  }
  /// The earliest time (UTC) that is still needed; the far future if no consumer needs anything.
  Stamp EarliestNeeded() const { return demand_.EarliestNeeded(); }
  /// Drops the fetched values, since the component made a step, and notifies adapted outputs and listeners.
  /// \param now  the end of the step (UTC)
  void Forget(Stamp now) {
    values_.reset();
    if (times_ && now != kFarPast) times_->SetSingle(now);
    RaiseItemChanged("values");
    RefreshAdaptedOutputs();
  }

 protected:
  void OnConsumerAdded(IBaseInput& consumer) override { demand_.Add(consumer); }
  void OnConsumerRemoved(IBaseInput& consumer) override { demand_.Remove(consumer); }
  void OnAdaptedOutputsChanged() override { demand_.SetAdaptedOutputs(AdaptedOutputs()); }

 private:
  struct Earlier {
    Stamp time;
    std::unique_ptr<ITimeSpaceValueSet> values;
  };
  std::shared_ptr<const ISpatialDefinition> where_;
  std::unique_ptr<openmi::TimeSet> times_;
  Fetch fetch_;
  mutable std::unique_ptr<ITimeSpaceValueSet> values_;
  std::vector<Earlier> earlier_;
  DemandList demand_;
  BytesValueSet bytes_{1};
  bool has_bytes_ = false;
};

}  // namespace openmi
