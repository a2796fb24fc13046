#pragma once

#include <span>
#include <vector>

#include "timespace/times/TimeSet.hpp"

namespace openmi::dotnet {

/// Times that cross the border as numbers.
class Times {
 public:
  /// Reads times from a function that writes them (Border.ItemTimes) and returns how many numbers there are.
  /// \returns null: there are none. Valid until the next call
  template <class Write>
  const TimeSet* Read(Write&& write) {
    int size = write(numbers_.data(), static_cast<int>(numbers_.size()));
    while (size > static_cast<int>(numbers_.size())) {
      numbers_.resize(static_cast<std::size_t>(size) + 8);
      size = write(numbers_.data(), static_cast<int>(numbers_.size()));
    }
    if (size < 0) return nullptr;
    return &Take(std::span(numbers_).first(static_cast<std::size_t>(size)));
  }
  /// Reads times from what such a function wrote. Valid until the next call
  const TimeSet& Take(std::span<const double> numbers);

 private:
  std::vector<double> numbers_ = std::vector<double>(8);
  std::vector<Time> list_;
  TimeSet times_;
};

/// The numbers of a time set of the engine, as TimeSetCopy reads them.
std::vector<double> NumbersOf(const ITimeSet& times);

}  // namespace openmi::dotnet
