#include <cmath>
#include <string>

#include "fmi-bridge/broker/stream/WallTime.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::fuzz {

// Any text is a time, which written and read again is the same to the microsecond, or an error; likewise a duration,
// and a stamp of messages to the nanosecond.
OPENMI_FUZZ_TARGET(iso8601) {
  constexpr double kTwoMicroseconds = 2e-6 / 86400.0;
  try {
    const double time = ParseIsoTime(input, 1.0).mjd;
    Require(std::isfinite(time));
    Require(std::abs(ParseIsoTime(FormatIsoTime(Stamp{time})).mjd - time) <= kTwoMicroseconds);
    if (HasZone(input)) Require(ParseIsoTime(input).mjd == time);
  } catch (const FormatError&) {
  }
  try {
    const double days = ParseIsoDuration(input).count;
    Require(std::isfinite(days));
    const double again = ParseIsoDuration(FormatIsoDuration(Days{days})).count;
    Require(std::abs(again - days) <= kTwoMicroseconds + 1e-15 * std::abs(days));
  } catch (const FormatError&) {
  }
  if (const auto stamp = broker::ParseWallTime(input, 0)) {
    Require(broker::ParseWallTime(broker::FormatWallTime(*stamp)) == stamp);
  }
}

}  // namespace openmi::fuzz
