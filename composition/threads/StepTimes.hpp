#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace openmi {

/// How long the steps of one component took: a histogram of durations. Classes grow with the duration, 32 to each
/// doubling, so that a percentile is accurate to 2 % in any unit. Adding a duration costs some nanoseconds and does not
/// allocate.
class StepTimes {
 public:
  /// Counts a step.
  /// \param ticks  duration, in ticks of any clock
  void Add(std::uint64_t ticks) {
    ++classes_[ClassOf(ticks)];
    ++count_;
    if (ticks > longest_) longest_ = ticks;
  }
  void Add(const StepTimes& other);
  std::uint64_t Count() const { return count_; }
  std::uint64_t Longest() const { return longest_; }
  /// The duration, in ticks, that the fraction `part` (0 to 1) of all steps does not exceed, by nearest rank; 0 if
  /// there are no steps.
  double Percentile(double part) const;

 private:
  static constexpr unsigned kBits = 5;  // of each doubling: 2^kBits classes
  static constexpr std::size_t kClasses = (64 - kBits) * (std::size_t{1} << kBits) + (std::size_t{1} << kBits);

  /// Small durations have a class each; from 2^kBits on, the leading bit and the kBits after it determine the class.
  static std::size_t ClassOf(std::uint64_t ticks) {
    const unsigned width = static_cast<unsigned>(std::bit_width(ticks));
    const unsigned shift = width > kBits + 1 ? width - (kBits + 1) : 0;
    return (std::size_t{shift} << kBits) + static_cast<std::size_t>(ticks >> shift);
  }
  static double MiddleOf(std::size_t number);

  std::array<std::uint32_t, kClasses> classes_{};
  std::uint64_t count_ = 0;
  std::uint64_t longest_ = 0;
};

}  // namespace openmi
