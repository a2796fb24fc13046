#pragma once

#include <vector>

#include "fmi-bridge/fmi/component/RowsWithin.hpp"
#include "fmi-bridge/fmi/component/ValuePorts.hpp"
#include "fmi-bridge/fmi/run/Clocks.hpp"
#include "fmi-bridge/fmi/run/ValueBatch.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/items/NumericOutput.hpp"

namespace openmi::fmi {

/// The numeric outputs of an FMU.
///
/// Those without a clock are read together after each step. The others are read in the events in which their clock
/// ticks, and keep their values in between.
class OutputPorts {
 public:
  void Clear() {
    ports_.clear();
    clocked_ports_.clear();
  }
  void Add(NumericOutput& item, const Variable& variable) {
    (variable.clocks.empty() ? ports_ : clocked_ports_).push_back({.item = &item, .variable = &variable, .place = {}});
  }
  /// Makes the batches of a new instance.
  /// \param values       booleans and enumerations that are read in the same calls
  /// \param rows_within  rows of continuous outputs within each step
  void Bind(const Instance& instance, ValuePorts& values, int rows_within);
  bool HasClocked() const { return !clocked_ports_.empty(); }

  /// Reads the outputs without a clock.
  void Get(Instance& instance) { batches_.Get(instance); }
  bool HasRowsWithin() const { return within_.IsOn(); }
  /// Prepares rows within a step, before inputs are set for it.
  void StartStep(Instance& instance) { within_.Start(instance, batches_); }
  /// The same after events at the start of the step, which may have changed values and derivatives, and Get in them.
  void StartStepAgain(Instance& instance) { within_.StartAgain(instance); }
  /// Publishes the rows within a step, after Get at its end.
  /// \param length  of the step, in units of the FMU's time
  void PublishWithin(Instance& instance, Stamp from, Stamp to, double length) {
    within_.Publish(instance, from, to, length);
  }
  /// The instance was set to another state.
  void Forget() { within_.Forget(); }
  /// Reads the outputs of clocks that tick; all outputs of clocks without `clocks`.
  void GetClocked(Instance& instance, const Clocks* clocks = nullptr);
  /// Writes the next rows of the outputs without a clock.
  void Show() { Show(ports_); }
  /// Writes the next rows of the outputs of clocks.
  /// \param can_tick  false: they are missing
  void ShowClocked(bool can_tick);
  /// Writes the next rows of all outputs, with missing values only.
  void ShowMissing();
  /// Publishes the values that were read as the first rows, at `start`.
  void ShowInitial(Stamp start);

  /// Writes the values of outputs of clocks.
  void SaveClocked(StateWriter& writer) const;
  /// \throws FormatError  they are of other outputs
  void LoadClocked(StateReader& reader, const Where& where);

 private:
  struct Port {
    NumericOutput* item = nullptr;
    const Variable* variable = nullptr;
    const double* only = nullptr;  // in the batch, of a single Float64; null: several values, or another type
    ValueBatches::Place place;
  };
  static void Show(const std::vector<Port>& ports) {
    for (const Port& port : ports) {
      const std::span<double> row = port.item->NextRow();
      if (port.only != nullptr) {
        row[0] = *port.only;
      } else {
        port.place.Batch().Numbers(port.place.first, row);
      }
    }
  }

  std::vector<Port> ports_;
  std::vector<Port> clocked_ports_;  // each in a batch of its own
  ValueBatches batches_;
  ValueBatches clocked_;
  RowsWithin within_;
};

}  // namespace openmi::fmi
