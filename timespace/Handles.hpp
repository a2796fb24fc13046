#pragma once

#include <cassert>
#include <span>

#include "openmi/sdk/Missing.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/items/NumericOutput.hpp"

namespace openmi {

/// A component's handle to an input with a single value.
class ScalarInput {
 public:
  ScalarInput() = default;
  explicit ScalarInput(NumericInput& item) : item_(&item), step_(&item.StepPlace()) {}
  /// The value for the present step, in the input's unit; NaN before the first pull.
  double Get() const { return step_->row.empty() ? kNotANumber : step_->row[0]; }
  NumericInput& Item() const { return *item_; }
  bool IsLinked() const { return item_->IsLinked(); }

 private:
  NumericInput* item_ = nullptr;
  const StepInput* step_ = nullptr;
};

/// A component's handle to an input with a value for each element.
class ArrayInput {
 public:
  ArrayInput() = default;
  explicit ArrayInput(NumericInput& item) : item_(&item), step_(&item.StepPlace()) {}
  /// The values for the present step; shape [elements], in the input's unit.
  std::span<const double> Values() const { return step_->row; }
  NumericInput& Item() const { return *item_; }
  bool IsLinked() const { return item_->IsLinked(); }

 private:
  NumericInput* item_ = nullptr;
  const StepInput* step_ = nullptr;
};

/// A component's handle to an output with a single value.
class ScalarOutput {
 public:
  ScalarOutput() = default;
  explicit ScalarOutput(NumericOutput& item) : item_(&item), step_(&item.StepPlace()) {}
  /// Sets the value for the present step, in the output's unit.
  void Set(double value) {
    if (step_->next == nullptr) {
      item_->NextRow()[0] = value;
    } else {
      step_->is_written = true;
      *step_->next = value;
    }
  }
  /// The value that was set for the present step, else the last value; NaN before the first.
  double Get() const {
    if (step_->next == nullptr) return OfItem();
    return step_->is_written ? *step_->next : step_->has_last ? *step_->last : kNotANumber;
  }
  NumericOutput& Item() const { return *item_; }

 private:
  double OfItem() const;
  NumericOutput* item_ = nullptr;
  StepOutput* step_ = nullptr;
};

/// A component's handle to an output with a value for each element.
class ArrayOutput {
 public:
  ArrayOutput() = default;
  explicit ArrayOutput(NumericOutput& item) : item_(&item) {}
  /// The row to write for the present step; shape [elements], in the output's unit.
  ///
  /// Write all elements: the row contains values of an earlier step.
  std::span<double> Next() { return item_->NextRow(); }
  /// The values of the last step; shape [elements].
  std::span<const double> Last() const { return item_->LastRow(); }
  NumericOutput& Item() const { return *item_; }

 private:
  NumericOutput* item_ = nullptr;
};

}  // namespace openmi
