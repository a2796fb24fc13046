#include "composition/conformance/Probes.hpp"

namespace openmi::conformance {

void ProbeInput::AskFor(const ITimeSet& times) {
  std::vector<Time> asked;
  for (const ITime* time : times.Times()) {
    if (time == nullptr) continue;
    asked.emplace_back(Stamp{time->StampAsModifiedJulianDay()}, Days{time->DurationInDays()});
  }
  times_.SetHasDurations(times.HasDurations());
  times_.SetOffsetFromUtcInHours(times.OffsetFromUtcInHours());
  times_.Assign(asked);
  if (!asked.empty()) times_.MoveHorizonBegin(asked.front().Begin());
}

std::unique_ptr<IBaseInput> MakeProbeInput(const IBaseOutput& output) {
  if (const auto* time_space = dynamic_cast<const ITimeSpaceOutput*>(&output)) {
    return std::make_unique<ProbeInput>(*time_space);
  }
  return std::make_unique<CoreProbeInput>(output);
}

AdaptedProbe::AdaptedProbe(IBaseOutput& output) : output_(&output) {
  if (auto* time_space = dynamic_cast<ITimeSpaceOutput*>(&output)) {
    auto adapted = std::make_unique<ProbeAdaptedOutput>(*time_space);
    counts_ = &adapted->Counts();
    adapted_ = std::move(adapted);
  } else {
    auto adapted = std::make_unique<CoreProbeAdaptedOutput>(output);
    counts_ = &adapted->Counts();
    adapted_ = std::move(adapted);
  }
  consumer_ = MakeProbeInput(*adapted_);
  adapted_->AddConsumer(*consumer_);
  output.AddAdaptedOutput(*adapted_);
}

void AdaptedProbe::Remove() {
  if (output_ != nullptr) output_->RemoveAdaptedOutput(*adapted_);
  output_ = nullptr;
}

}  // namespace openmi::conformance
