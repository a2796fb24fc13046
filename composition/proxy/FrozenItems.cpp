#include "composition/proxy/FrozenItems.hpp"

namespace openmi {

FrozenOutput::FrozenOutput(const ITimeSpaceOutput& output, IBaseLinkableComponent* component, PlaceCopies& places)
    : OutputOf(output.Id(), HostCopyOf(output.ValueDefinition()), component),
      times_(HostCopyOf(output.TimeSet())),
      where_(places.Of(output.SpatialDefinition())),
      values_(HostCopyOf(output.Values(), output.ValueDefinition().ValueType())) {
  SetCaption(output.Caption());
  SetDescription(output.Description());
}

FrozenInput::FrozenInput(const ITimeSpaceInput& input, IBaseLinkableComponent* component, PlaceCopies& places)
    : InputOf(input.Id(), HostCopyOf(input.ValueDefinition()), component),
      times_(HostCopyOf(input.TimeSet())),
      where_(places.Of(input.SpatialDefinition())) {
  SetCaption(input.Caption());
  SetDescription(input.Description());
  if (times_ == nullptr) return;
  times_->Clear();
}

void FrozenInput::MoveHorizon(Stamp begin) {
  if (times_ != nullptr) times_->MoveHorizonBegin(begin + Hours(times_->OffsetFromUtcInHours()));
}

}  // namespace openmi
