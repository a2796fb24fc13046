#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/component/MissingInputs.hpp"
#include "fmi-bridge/fmi/run/Clocks.hpp"
#include "fmi-bridge/fmi/run/ValueBatch.hpp"
#include "timespace/items/NumericInput.hpp"

namespace openmi::fmi {

/// What inputs are within a step: their value at its end, at its begin, or linear between both.
enum class InputsAt : std::uint8_t { End, Begin, Linear };
inline constexpr EnumNames<InputsAt> kInputsAt{"end", "begin", "linear"};

/// A linked numeric input of an FMU.
class InputPort {
 public:
  /// \param place      its values in a batch
  /// \param is_moving  whether it can be set at times within a step
  /// \param slope      its index in the slopes of inputs; negative: it has none
  InputPort(NumericInput& item, const Variable& variable, ValueBatches::Place place, bool is_moving,
            std::ptrdiff_t slope)
      : item_(&item), variable_(&variable), place_(place), is_moving_(is_moving), slope_index_(slope) {}
  const Variable& ItsVariable() const { return *variable_; }
  ValueBatch& Batch() const { return place_.Batch(); }
  /// Whether it is a single Float64 that is set once for a whole step. Call it when all batches are complete.
  bool FindOnly() { return (only_ = place_.OnlyDouble(item_->ElementCount())) != nullptr; }

  std::string_view Id() const { return item_->IdText(); }
  bool IsIn(const ValueBatches& batches) const { return place_.batches == &batches; }
  /// Keeps the values that the FMU got in initialization mode, in the batches that are compared at events.
  void KeepInitial(std::span<ValueBatch> stored, std::span<const double> row) {
    stored[place_.batch].SetNumbers(place_.first, row);
    has_initial_ = true;
  }
  bool HasInitial() const { return has_initial_; }
  /// Its values in the batches that are compared at events.
  std::vector<double> Stored(std::span<const ValueBatch> stored) const {
    std::vector<double> row(item_->ElementCount());
    stored[place_.batch].Numbers(place_.first, row);
    return row;
  }

  /// Keeps the values that the FMU has, to hold them while values are missing.
  void HoldStart(Instance& instance);
  /// Takes the single number for a step that ends at `to`.
  /// \pre  FindOnly
  void TakeOnly(MissingInputs& missing, Stamp to) const {
    const double value = item_->Row()[0];
    if (std::isnan(value)) [[unlikely]]
      missing.Note(item_->IdText(), item_->Row(), to);
    *only_ = value;
  }
  /// Takes the row for a step, after missing values were handled.
  /// \param length    of the step, in units of the FMU's time
  /// \param is_first  whether the values at the start of the step must be requested, too
  void Take(MissingInputs& missing, Stamp from, Stamp to, double length, InputsAt at, bool is_first);
  /// Takes the values at a time within the step.
  /// \param since_from  since the start of the step, in units of the FMU's time
  void Move(double since_from);
  /// Ends a step: its values are those at the start of the next one.
  void EndStep();
  void ShowSlope(InputSlopes& slopes) const {
    if (slope_index_ >= 0) slopes[static_cast<std::size_t>(slope_index_)] = slope_[0];
  }
  /// Sets the value at the end of the step instead of a slope.
  void GiveUpSlope(Instance& instance);

  /// The values at the start of the step; shape [elements].
  std::vector<double>& Before() { return before_; }
  const std::vector<double>& Before() const { return before_; }
  /// The values that are held; empty if missing values are not held.
  std::vector<double>& Held() { return held_; }
  const std::vector<double>& Held() const { return held_; }

 private:
  std::span<const double> Row() const { return held_.empty() ? item_->Row() : std::span<const double>(held_); }

  NumericInput* item_;
  const Variable* variable_;
  ValueBatches::Place place_;
  double* only_ = nullptr;
  bool is_moving_;
  bool has_initial_ = false;  // see KeepInitial
  std::ptrdiff_t slope_index_;
  std::vector<double> before_ = std::vector<double>(item_->ElementCount());
  std::vector<double> slope_ = std::vector<double>(item_->ElementCount());
  std::vector<double> held_;
};

/// The numeric inputs of an FMU. An input is used if it is linked; else its start value stays.
class InputPorts {
 public:
  void Clear() { declared_.clear(); }
  void Add(NumericInput& item, const Variable& variable) { declared_.emplace_back(&item, &variable); }
  /// The variable of an input, linked or not; null: there is no such input.
  const Variable* Find(std::string_view input) const;
  /// The linked inputs that the FMU can receive in intermediate update.
  std::vector<ValueReference> InIntermediateUpdate() const;
  /// Makes the batches of a new instance.
  void Bind(const Instance& instance, InputsAt at);
  /// The linked inputs.
  std::span<InputPort> Ports() { return ports_; }
  std::span<const InputPort> Ports() const { return ports_; }
  bool HasDiscrete() const { return !discrete_.Empty() || !clocked_.Empty(); }
  bool HasMoving() const { return !moving_.Empty(); }
  /// Whether inputs that can move within a step jump at its start instead.
  bool Jump() const { return HasMoving() && at_ != InputsAt::Linear; }
  /// Whether all that a step needs is TakePlain: single numbers whose values at its end are set.
  bool ArePlain() const { return are_plain_; }
  MissingInputs& Missing() { return missing_; }
  const MissingInputs& Missing() const { return missing_; }

  /// Keeps the values that the FMU has, where missing values are held.
  void HoldStarts(Instance& instance);
  /// Takes and sets the inputs for a step that ends at `to`.
  /// \pre  ArePlain
  void TakePlain(Instance& instance, Stamp to) {
    for (const InputPort& port : ports_) port.TakeOnly(missing_, to);
    SetContinuous(instance);
    discrete_.Set(instance);
  }
  /// Takes the inputs for a step.
  /// \param length  of the step, in units of the FMU's time
  void Take(Stamp from, Stamp to, double length);
  /// Sets the continuous inputs.
  void SetContinuous(Instance& instance) const {
    continuous_.Set(instance);
    moving_.Set(instance);
  }
  /// Sets the continuous inputs, their slopes and the discrete ones, outside event mode.
  /// \returns false if the FMU refuses the slopes
  bool Set(Instance& instance);
  /// Sets the values at the end of the step instead of slopes, in this step and all others.
  void GiveUpSlopes(Instance& instance);
  /// Sets the inputs that can be set within a step, where they are linear.
  void SetWithin(Instance& instance, double since_from);
  /// Notes what an input was set to in initialization mode: where its value stays that, there is no event.
  void NoteInitial(std::string_view input, std::span<const double> row);
  /// Whether a discrete input differs from what was stored here before; stores it.
  bool StoreDiscrete();
  /// Sets inputs that may change in event mode only: those without a clock, and those of clocks that tick.
  void SetDiscrete(Instance& instance, const Clocks& clocks) const;
  void EndStep() {
    is_first_step_ = false;
    if (at_ == InputsAt::End) return;
    for (InputPort& port : ports_) port.EndStep();
  }

  bool IsFirstStep() const { return is_first_step_; }
  void SetFirstStep(bool is_first) { is_first_step_ = is_first; }
  /// Writes what StoreDiscrete stored.
  void SaveDiscrete(StateWriter& writer) const;
  /// \throws FormatError  it is of other inputs
  void LoadDiscrete(StateReader& reader, const Where& where);
  /// Writes what StoreDiscrete stored and the values that are held, by the names of the inputs: for a run whose links
  /// may be others.
  void SaveByName(StateWriter& writer) const;
  /// Inputs without values of as many elements there keep what they have.
  /// \throws RangeError  an input cannot have such a value
  void LoadByName(StateReader& reader);

 private:
  std::vector<std::pair<NumericInput*, const Variable*>> declared_;
  std::vector<InputPort> ports_;  // linked
  ValueBatches continuous_;
  ValueBatches moving_;             // those continuous ones that are set within a step
  ValueBatches discrete_;           // without a clock
  ValueBatches clocked_;            // each in a batch of its own
  std::vector<ValueBatch> stored_;  // discrete_ as it was set last in event mode
  bool is_stored_ = false;
  InputSlopes slopes_;
  MissingInputs missing_;
  InputsAt at_ = InputsAt::End;
  bool is_first_step_ = true;
  bool are_plain_ = true;
};

}  // namespace openmi::fmi
