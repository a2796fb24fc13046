#include "composition/run/Instance.hpp"

#include <algorithm>

#include "timespace/TimeSet.hpp"

namespace openmi {

StandIn& Instance::StandInFor(ITimeSpaceOutput& output) {
  std::unique_ptr<StandIn>& stand_in = stand_ins[&output];
  if (!stand_in) stand_in = std::make_unique<StandIn>(output);
  return *stand_in;
}

Stamp Instance::CurrentTime() const {
  if (steps != nullptr) return steps->CurrentTime();
  Stamp latest = kFarPast;
  for (IBaseOutput* output : Component().Outputs()) {
    const auto* item = dynamic_cast<const ITimeSpaceOutput*>(output);
    const ITimeSet* times = item != nullptr ? item->TimeSet() : nullptr;
    if (times == nullptr || times->Times().empty()) continue;
    latest = std::max(latest, EndOf(*times->Times().back()) - Hours(times->OffsetFromUtcInHours()));
  }
  return latest;
}

Stamp Instance::NextTime() const {
  return steps != nullptr ? steps->NextTime() : CurrentTime();
}

}  // namespace openmi
