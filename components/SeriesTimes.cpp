#include "components/SeriesTimes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

constexpr double kFarthestDay = 4e6;  // beyond this, stamps are not exact to the millisecond
// Stamps near MJD 60000 resolve 0.63 microseconds; the difference of two may be wrong by as much again.
constexpr std::int64_t kSlack = 10;

std::int64_t MicrosBetween(const SeriesStamp& earlier, const SeriesStamp& later) {
  return std::llround((later.stamp - earlier.stamp).count * kMicrosPerDay);
}

/// Whether `micros` is a whole number of steps.
bool IsMultiple(std::int64_t micros, std::int64_t step) {
  const std::int64_t rest = micros % step;
  return rest <= kSlack || step - rest <= kSlack;
}

std::int64_t StepsIn(std::int64_t micros, std::int64_t step) {
  return (micros + step / 2) / step;
}

/// `stamp` plus a number of microseconds, rounded once for any number of steps.
Stamp Shifted(Stamp stamp, std::int64_t micros) {
  constexpr std::int64_t kPerDay = 86'400'000'000;
  const std::int64_t total = std::llround(stamp.mjd * kMicrosPerDay) + micros;
  const std::int64_t rest = ((total % kPerDay) + kPerDay) % kPerDay;
  return Stamp{static_cast<double>((total - rest) / kPerDay) + static_cast<double>(rest) / kMicrosPerDay};
}

void CheckOrder(const std::vector<SeriesStamp>& stamps, const std::string& file, const std::string& place) {
  for (const SeriesStamp& stamp : stamps) {
    if (std::fabs(stamp.stamp.mjd) < kFarthestDay) continue;
    throw FormatError({.file = file, .line = place == "line" ? stamp.line : 0},
                      fmt::format("expected a time within some thousand years, found day {} in {} {}", stamp.stamp.mjd,
                                  place, stamp.line),
                      "correct the time, or the arguments time-units and epoch");
  }
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    if (Before(stamps[i - 1].stamp, stamps[i].stamp)) continue;
    const bool same = SameTime(stamps[i - 1].stamp, stamps[i].stamp);
    throw FormatError(
        {.file = file, .line = place == "line" ? stamps[i].line : 0},
        fmt::format("expected a time after {} of {} {}, found {}{} in {} {}", FormatIsoTime(stamps[i - 1].stamp), place,
                    stamps[i - 1].line, FormatIsoTime(stamps[i].stamp), same ? " again" : "", place, stamps[i].line),
        same ? "keep one of the two rows" : "sort the rows by time");
  }
}

}  // namespace

SeriesTimes::SeriesTimes(StampMeaning meaning, const std::vector<SeriesStamp>& stamps, std::optional<Days> step,
                         const std::string& file, const std::string& place, std::optional<Days> first)
    : meaning_(meaning), step_(step) {
  if (stamps.empty()) throw FormatError({.file = file}, "expected rows, found none", "give a series with values");
  CheckOrder(stamps, file, place);
  if (step && !(*step > Days())) {
    step_.reset();
  } else if (step) {
    CheckGivenStep(stamps, file);
  } else {
    FindStep(stamps);
  }
  if (stamps.size() == 1 && !step_ && AreSpans()) {
    throw FormatError({.file = file}, "expected the length of the span of the only row, found none",
                      "set the argument step");
  }
  const std::size_t count = stamps.size();
  const std::int64_t step_micros = step_ ? std::llround(step_->count * kMicrosPerDay) : 3'600'000'000;
  step_before_ = step_ || count == 1 ? step_micros : MicrosBetween(stamps[0], stamps[1]);
  step_after_ = step_ || count == 1 ? step_micros : MicrosBetween(stamps[count - 2], stamps[count - 1]);
  FillGaps(stamps, place);
  if (first) step_before_ = std::llround(first->count * kMicrosPerDay);
  if (meaning_ == StampMeaning::Begin) {
    ends_.erase(ends_.begin());
    ends_.push_back(Shifted(stamps.back().stamp, step_after_));
  }
}

void SeriesTimes::CheckGivenStep(const std::vector<SeriesStamp>& stamps, const std::string& file) const {
  const std::int64_t step = std::llround(step_->count * kMicrosPerDay);
  const std::int64_t rows = MicrosBetween(stamps.front(), stamps.back()) / step;
  if (rows > 1'000'000 + 1000 * static_cast<std::int64_t>(stamps.size())) {
    throw FormatError({.file = file},
                      fmt::format("expected a step near the distance of the rows, found {} for {} rows over {}",
                                  FormatIsoDuration(*step_), stamps.size(),
                                  FormatIsoDuration(stamps.back().stamp - stamps.front().stamp)),
                      "correct the argument step, or omit it");
  }
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    if (IsMultiple(MicrosBetween(stamps[0], stamps[i]), step)) continue;
    throw FormatError(
        {.file = file, .line = stamps[i].line},
        fmt::format("expected a time a whole number of steps of {} after {}, found {}", FormatIsoDuration(*step_),
                    FormatIsoTime(stamps[0].stamp), FormatIsoTime(stamps[i].stamp)),
        "correct the argument step, or omit it");
  }
}

/// The step is regular if at least half of the distances are the shortest one, and all others are its multiples. One of
/// two distances shows nothing.
void SeriesTimes::FindStep(const std::vector<SeriesStamp>& stamps) {
  if (stamps.size() < 2) return;
  std::int64_t shortest = MicrosBetween(stamps[0], stamps[1]);
  for (std::size_t i = 1; i < stamps.size(); ++i)
    shortest = std::min(shortest, MicrosBetween(stamps[i - 1], stamps[i]));
  std::size_t common = 0;
  std::int64_t steps = 0;
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    const std::int64_t micros = MicrosBetween(stamps[i - 1], stamps[i]);
    if (!IsMultiple(micros, shortest)) return;
    const std::int64_t count = StepsIn(micros, shortest);
    if (count == 1) ++common;
    steps += count;
  }
  const auto intervals = static_cast<std::int64_t>(stamps.size() - 1);
  const bool is_common = 2 * static_cast<std::int64_t>(common) >= intervals && !(common == 1 && intervals == 2);
  if (!is_common || steps > 10 * intervals + 1000) return;
  // Over the whole length, so that the rounding of stamps does not add up.
  const double micros = static_cast<double>(MicrosBetween(stamps.front(), stamps.back())) / static_cast<double>(steps);
  step_ = Days{std::round(micros) / kMicrosPerDay};
}

void SeriesTimes::FillGaps(const std::vector<SeriesStamp>& stamps, const std::string& place) {
  ends_.push_back(stamps[0].stamp);
  source_.push_back(0);
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    const std::int64_t steps =
        step_ ? StepsIn(MicrosBetween(stamps[i - 1], stamps[i]), std::llround(step_->count * kMicrosPerDay)) : 1;
    for (std::int64_t missing = 1; missing < steps; ++missing) {
      ends_.push_back(Shifted(stamps[i - 1].stamp, missing * step_before_));
      source_.push_back(-1);
    }
    if (steps > 1) {
      gaps_.push_back(fmt::format("{} {} missing between {} ({} {}) and {} ({} {})", steps - 1,
                                  steps == 2 ? "row is" : "rows are", FormatIsoTime(stamps[i - 1].stamp), place,
                                  stamps[i - 1].line, FormatIsoTime(stamps[i].stamp), place, stamps[i].line));
    }
    ends_.push_back(stamps[i].stamp);
    source_.push_back(static_cast<std::int64_t>(i));
  }
}

Stamp SeriesTimes::At(std::int64_t row) const {
  if (row >= 0 && row < Count()) return ends_[static_cast<std::size_t>(row)];
  if (row >= Count()) return Shifted(ends_.back(), (row - Count() + 1) * step_after_);
  // For rows stamped at their start, the first span ends one step after its start.
  return Shifted(ends_.front(), row * step_before_);
}

std::int64_t SeriesTimes::FirstAfter(Stamp time) const {
  std::int64_t row = 0;
  if (!Before(time, At(-1))) {
    const auto found = std::ranges::upper_bound(ends_, time, [](Stamp a, Stamp b) { return Before(a, b); });
    row = found - ends_.begin();
    if (found == ends_.end())
      row += static_cast<std::int64_t>(
          std::floor((time - ends_.back()).count * kMicrosPerDay / static_cast<double>(step_after_)));
  } else {
    row = -static_cast<std::int64_t>(
        std::floor((ends_.front() - time).count * kMicrosPerDay / static_cast<double>(step_before_)));
  }
  // The division may be off by one step next to a stamp.
  while (!Before(time, At(row))) ++row;
  while (Before(time, At(row - 1))) --row;
  return row;
}

}  // namespace openmi
