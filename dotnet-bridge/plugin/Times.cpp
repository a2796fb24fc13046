#include "dotnet-bridge/plugin/Times.hpp"

namespace openmi::dotnet {

const TimeSet& Times::Take(std::span<const double> numbers) {
  times_.SetHasDurations(numbers[0] != 0.0);
  times_.SetOffsetFromUtcInHours(numbers[1]);
  times_.SetHorizon(Stamp{numbers[2]}, EndOf(Time(Stamp{numbers[2]}, Days{numbers[3]})));
  list_.clear();
  for (std::size_t i = 4; i + 1 < numbers.size(); i += 2) {
    list_.emplace_back(Stamp{numbers[i]}, Days{numbers[i + 1]});
  }
  times_.Assign(list_);
  return times_;
}

std::vector<double> NumbersOf(const ITimeSet& times) {
  std::vector<double> numbers = {times.HasDurations() ? 1.0 : 0.0, times.OffsetFromUtcInHours(),
                                 times.TimeHorizon().StampAsModifiedJulianDay(), times.TimeHorizon().DurationInDays()};
  for (const ITime* time : times.Times()) {
    numbers.push_back(time->StampAsModifiedJulianDay());
    numbers.push_back(time->DurationInDays());
  }
  return numbers;
}

}  // namespace openmi::dotnet
