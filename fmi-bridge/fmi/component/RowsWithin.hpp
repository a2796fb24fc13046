#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fmi-bridge/fmi/run/ValueBatch.hpp"
#include "timespace/items/NumericOutput.hpp"

namespace openmi::fmi {

/// Rows of continuous outputs at times within a step of co-simulation, from the values and the first derivatives in
/// time at both ends of the step: a cubic polynomial (Hermite).
///
/// Order of calls: Bind; for each step Start before inputs are set, StartAgain after an event at its start, and
/// Publish after it.
class RowsWithin {
 public:
  /// \param count  rows within each step; 0: none
  void Bind(int count);
  bool IsOn() const { return count_ > 0; }
  /// Adds an output if it is continuous.
  /// \param place  of its values, which are read in the same order of calls as those of all outputs
  void Add(NumericOutput& item, const Variable& variable, const ValueBatches::Place& place);
  /// Takes the values at the start of a step, after all outputs were read, and asks for the derivatives; nothing if
  /// they are those at the end of the step before.
  /// \param outputs  reads them
  void Start(Instance& instance, ValueBatches& outputs);
  /// Takes them after an event at the start of the step, in which all outputs were read: once inputs are set, they may
  /// be read in event mode only (FMI 3.0, Step Mode).
  void StartAgain(Instance& instance) { Take(instance, before_); }
  /// Publishes the rows within a step, after all outputs were read at its end.
  /// \param length  of the step, in units of the FMU's time
  void Publish(Instance& instance, Stamp from, Stamp to, double length);
  /// The instance was set to another state.
  void Forget() { is_known_ = false; }

 private:
  /// Numbers at an end of the step; shape [elements of all outputs].
  struct End {
    std::vector<double> values;
    std::vector<double> slopes;  // per unit of the FMU's time
  };
  struct Port {
    NumericOutput* item = nullptr;
    ValueBatches::Place place;
    std::size_t first = 0;  // in the numbers
  };
  void Take(Instance& instance, End& end);

  int count_ = 0;
  std::vector<Port> ports_;
  std::vector<ValueReference> references_;
  std::vector<std::int32_t> orders_;
  End before_;
  End after_;
  bool is_known_ = false;  // before_ is that of the present time
};

}  // namespace openmi::fmi
