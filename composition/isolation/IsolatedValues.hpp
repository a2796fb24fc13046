#pragma once

#include <algorithm>
#include <deque>
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
#include "timespace/optional/IHistoryProvider.hpp"
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
class IsolatedValuesOutput final : public OutputOf<ITimeSpaceOutput>, public IRowTimes {
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
  /// The end of the first step after `time`, of those that are known here.
  Stamp NextRow(Stamp time) const override {
    const auto later = std::ranges::find_if(steps_, [time](Stamp end) { return Before(time, end); });
    return later != steps_.end() ? *later : kFarFuture;
  }
  /// Takes the times of the rows that the worker has after it went back to a state. Forget must follow.
  /// \param rows  ascending
  void KnowRows(std::deque<Stamp> rows) {
    steps_ = std::move(rows);
    has_gone_back_ = true;
  }
  /// Drops the fetched values, since the component made a step, and notifies adapted outputs and listeners.
  /// \param now  the end of the step (UTC)
  void Forget(Stamp now) {
    values_.reset();
    while (!steps_.empty() && !Before(steps_.back(), now)) steps_.pop_back();
    // Consumers may still be where they were before the component went back.
    if (!std::exchange(has_gone_back_, false)) ForgetSteps(EarliestNeeded());
    steps_.push_back(now);
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
  static constexpr std::size_t kMostSteps = 65536;  // for consumers that do not state what they need

  void ForgetSteps(Stamp needed) {
    while (!steps_.empty() && steps_.front() < needed) steps_.pop_front();
    if (needed == kFarPast && steps_.size() >= kMostSteps) steps_.pop_front();
  }

  std::shared_ptr<const ISpatialDefinition> where_;
  std::unique_ptr<openmi::TimeSet> times_;
  Fetch fetch_;
  mutable std::unique_ptr<ITimeSpaceValueSet> values_;
  std::vector<Earlier> earlier_;
  std::deque<Stamp> steps_;  // the ends of those that are still needed, ascending
  bool has_gone_back_ = false;
  DemandList demand_;
  BytesValueSet bytes_{1};
  bool has_bytes_ = false;
};

}  // namespace openmi
