#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/support/Measure.hpp"

namespace bench {

/// What a line is judged by.
struct Bound {
  enum class Kind {
    None,       ///< printed only
    MostTimes,  ///< ours is at most `value` times the limit
    LeastTimes,
    MostOver  ///< ours is at most `value` more than the limit, in the unit of the figures
  };
  Kind kind = Kind::None;
  double value = 0.0;

  static Bound AtMost(double times) { return {Kind::MostTimes, times}; }
  static Bound AtLeast(double times) { return {Kind::LeastTimes, times}; }
  static Bound AtMostOver(double more) { return {Kind::MostOver, more}; }
};

/// Prints the lines of a program, each as soon as it is measured:
///   program/name: ours 1.2 ns, plain 1.1 ns, ratio 1.091 (+0.1 ns), bound at most 1.1 times; remark  EXCEEDED
/// and counts those whose bound does not hold.
class Report {
 public:
  /// \param words  what the user wants to see: the names of cases; none: all
  Report(std::string program, std::vector<std::string> words);

  /// \returns whether the user wants to see the case
  bool Wants(std::string_view name) const;
  const std::vector<std::string>& Words() const { return words_; }

  /// \param peer  what the limit is: "plain", "limit", "nanoflann"
  /// \returns whether the bound holds
  bool Line(std::string_view name, const Pairs& pairs, std::string_view unit, std::string_view peer, Bound bound,
            std::string_view remark = {});
  /// A figure beside a limit that is given, or was measured in the same round.
  bool Line(std::string_view name, double ours, std::string_view unit, std::string_view peer, double limit, Bound bound,
            std::string_view remark = {});
  /// How many there are of what there may be none of, or not more than `most`.
  bool Count(std::string_view name, double found, std::string_view unit, double most = 0.0,
             std::string_view remark = {});
  /// Something that holds or does not.
  bool Fact(std::string_view name, bool holds, std::string_view text);

  /// Prints how many lines are EXCEEDED. \returns what the program ends with: 0 or 1
  int End() const;

 private:
  bool Print(std::string_view name, std::string_view text, bool holds, std::string_view remark);
  bool Judge(std::string_view name, double ours, double limit, double ratio, double over, std::string_view unit,
             std::string_view peer, Bound bound, std::string_view remark);

  std::string program_;
  std::vector<std::string> words_;
  std::size_t lines_ = 0;
  std::size_t exceeded_ = 0;
};

/// The main function of a benchmark: runs `work`, prints what it throws.
/// \returns what the program ends with: 0; 1 where a bound does not hold or `work` threw
int Main(const char* program, int count, char** words, const std::function<void(Report&)>& work);

}  // namespace bench
