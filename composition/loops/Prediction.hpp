#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "composition/model/LoopMethod.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// Guesses the values of the next step from the ends of the steps before: constant, linear or quadratic, through the
/// last one, two or three of them (Lagrange's polynomial). Where there are fewer, it uses those.
class Prediction {
 public:
  explicit Prediction(LoopGuess guess) : most_(guess == LoopGuess::Last ? 1U : guess == LoopGuess::Linear ? 2U : 3U) {}

  /// Adds the values at the end of a step.
  /// \param time    later than the last one; in any unit
  /// \param values  shape [values]
  void Add(double time, std::span<const double> values);
  bool IsEmpty() const { return count_ == 0; }
  /// The time that was added last.
  /// \pre !IsEmpty()
  double Latest() const { return past_.front().time; }
  /// The number of values to guess.
  std::size_t Size() const { return count_ == 0 ? 0 : past_.front().values.size(); }
  /// Computes the guess.
  /// \param time  in the unit of Add
  /// \param out   shape [Size()]
  void At(double time, std::span<double> out) const;
  void Clear() { count_ = 0; }
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  struct Past {
    double time = 0.0;
    std::vector<double> values;
  };
  std::size_t most_;
  std::size_t count_ = 0;
  std::vector<Past> past_;  // the first count_, newest first
};

}  // namespace openmi
