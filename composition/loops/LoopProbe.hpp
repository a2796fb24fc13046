#pragma once

#include "openmi/sdk/InputOf.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {

/// A second consumer of a link's chain, for the engine. It asks the same chain for other times and gets its own
/// answers, and it prevents the provider from dropping what may still be asked for.
class LoopProbe final : public InputOf<ITimeSpaceInput>, public IDemand {
 public:
  /// \param source  the last output of the chain; borrowed. The probe registers there as a consumer.
  /// \param like    the questions are those of this item except for the times; borrowed
  LoopProbe(ITimeSpaceOutput& source, ITimeSpaceInput& like);
  ~LoopProbe() override;
  LoopProbe(const LoopProbe&) = delete;
  LoopProbe& operator=(const LoopProbe&) = delete;

  const ITimeSpaceValueSet* Values() const override { return values_; }
  void SetValues(const IBaseValueSet* values) override;
  const openmi::ITimeSet* TimeSet() const override { return &times_; }
  const ISpatialDefinition* SpatialDefinition() const override { return like_.SpatialDefinition(); }
  const IValueDefinition& ValueDefinition() const override { return like_.ValueDefinition(); }
  Stamp EarliestNeeded() const override { return needed_; }

  /// Keeps the values at `time` and later; the far future: none.
  void SetNeeded(Stamp time) { needed_ = time; }
  /// Asks for times in UTC. The answer is valid until the next question.
  const ITimeSpaceValueSet& Ask(const openmi::TimeSet& times);

 private:
  ITimeSpaceOutput& source_;
  ITimeSpaceInput& like_;
  openmi::TimeSet times_;
  const ITimeSpaceValueSet* values_ = nullptr;
  Stamp needed_ = kFarFuture;
};

}  // namespace openmi
