#pragma once

#include <typeinfo>

#include "timespace/TimeSet.hpp"

namespace openmi {

/// The end of the last time of a set, UTC; the far past when the set is empty.
inline Stamp LastEndOf(const ITimeSet& times) {
  const double offset = times.OffsetFromUtcInHours();
  Stamp end = kFarPast;
  if (&typeid(times) == &typeid(TimeSet)) {  // the common case, without virtual calls
    const std::span<const Time> own = static_cast<const TimeSet&>(times).OwnTimes();
    if (own.empty()) return end;
    end = own.back().Duration().count == 0.0 ? own.back().Begin() : own.back().End();
  } else {
    const std::span<const ITime* const> all = times.Times();
    if (all.empty()) return end;
    end = EndOf(*all.back());
  }
  return offset == 0.0 ? end : end - Hours(offset);
}

}  // namespace openmi
