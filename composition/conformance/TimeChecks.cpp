#include "composition/conformance/TimeChecks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "timespace/Iso8601.hpp"
#include "timespace/TimeSet.hpp"

namespace openmi::conformance {

void CheckTimeSet(Findings& findings, const ITimeSet& times, const std::string& whose) {
  const double offset = times.OffsetFromUtcInHours();
  findings.Expect("5.2", std::abs(offset) <= 24.0, [&] {
    return fmt::format("{}: expected an offset from UTC of at most 24 hours, found {}", whose, offset);
  });
  const ITime& horizon = times.TimeHorizon();
  const double begin = horizon.StampAsModifiedJulianDay();
  const double length = horizon.DurationInDays();
  findings.Expect("5.1", !std::isnan(begin) && !(begin == kFarFuture.mjd) && length >= 0.0, [&] {
    return fmt::format(
        "{}: expected a horizon that begins at a time or in the far past and has a duration of 0 or "
        "more, found stamp {} and duration {}",
        whose, begin, length);
  });

  Stamp previous = kFarPast;
  for (const ITime* time : times.Times()) {
    if (!findings.Expect("5.2", time != nullptr,
                         [&] { return fmt::format("{}: expected times, found a null among them", whose); })) {
      return;
    }
    const double stamp = time->StampAsModifiedJulianDay();
    const double duration = time->DurationInDays();
    if (!findings.Expect("5.1", std::isfinite(stamp) && std::isfinite(duration) && duration >= 0.0, [&] {
          return fmt::format("{}: expected a finite stamp and a finite duration of 0 or more, found {} and {}", whose,
                             stamp, duration);
        })) {
      continue;
    }
    findings.Expect("5.2", times.HasDurations() == (duration > 0.0), [&] {
      return times.HasDurations()
                 ? fmt::format("{}: expected durations above 0, as HasDurations says, found {}", whose, duration)
                 : fmt::format("{}: expected stamps, as HasDurations says, found a duration of {} days", whose,
                               duration);
    });
    findings.Expect("5.2", previous.mjd < stamp, [&] {
      return fmt::format("{}: expected times in ascending order, found {} after {}", whose, stamp, previous.mjd);
    });
    previous = Stamp{stamp};
  }
}

std::string TextOf(Stamp time) {
  if (std::isnan(time.mjd)) return "no number";
  if (time <= kFarPast) return "the far past";
  if (time >= kFarFuture) return "the far future";
  try {
    return FormatIsoTime(time.mjd);
  } catch (const std::exception&) {
    return fmt::format("MJD {}", time.mjd);  // a year that ISO 8601 cannot write
  }
}

Stamp LatestEndOf(const ITimeSet* times) {
  if (times == nullptr || times->Times().empty() || times->Times().back() == nullptr) return kFarPast;
  return EndOf(*times->Times().back()) - Hours(times->OffsetFromUtcInHours());
}

}  // namespace openmi::conformance
