#pragma once

#include "openmi/sdk/InputOf.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/TimeSet.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// The host's own consumer beside that of a link: asks the same chain for times of its own choice, with an answer of
/// its own, and keeps the provider from forgetting what may still be asked.
class LoopProbe final : public InputOf<ITimeSpaceInput>, public IDemand {
 public:
  /// \param source  the last output of the chain; borrowed. Registers there as a consumer.
  /// \param like    what is asked for is the same but for the times; borrowed
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

  /// Keeps what was there at `time` and later; the far future: nothing.
  void SetNeeded(Stamp time) { needed_ = time; }
  /// Asks for times in UTC. Good until the next question.
  const ITimeSpaceValueSet& Ask(const openmi::TimeSet& times);

 private:
  ITimeSpaceOutput& source_;
  ITimeSpaceInput& like_;
  openmi::TimeSet times_;
  const ITimeSpaceValueSet* values_ = nullptr;
  Stamp needed_ = kFarFuture;
};

}  // namespace openmi
