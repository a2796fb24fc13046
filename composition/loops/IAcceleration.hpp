#pragma once

#include <span>

namespace openmi {

class StateReader;
class StateWriter;

/// Makes the next iterate x' of a fixed-point problem x = H(x) out of the iterate x and the answer H(x).
///
/// Order of calls: `BeginStep`, `Next` once an iteration, `EndStep`; and again. All spans of one step have one length.
/// When the next step has another length, call `Forget` before. In steady state nothing is allocated.
class IAcceleration {
 public:
  virtual ~IAcceleration() = default;

  /// \param weights  what a unit of each value counts in norms; shape [values]. Values of different items have
  /// different
  ///                 units: one over the size of the item makes them comparable.
  virtual void BeginStep(std::span<const double> weights) = 0;
  /// \param iterate  x; shape [values]
  /// \param answer   H(x); same shape
  /// \param next     x'; same shape; may be the memory of `iterate`
  virtual void Next(std::span<const double> iterate, std::span<const double> answer, std::span<double> next) = 0;
  /// The step is over; `Next` may learn from it in the steps that come.
  virtual void EndStep() = 0;
  /// Forgets all that was learned.
  virtual void Forget() = 0;
  /// Writes what was learned in the steps until now, and reads it back: between two steps.
  virtual void SaveState(StateWriter& writer) const = 0;
  virtual void LoadState(StateReader& reader) = 0;
};

}  // namespace openmi
