#pragma once

#include <cassert>
#include <span>

#include "timespace/NumericInput.hpp"
#include "timespace/NumericOutput.hpp"

namespace openmi {

/// A component's hold on an input with a single value.
class ScalarInput {
 public:
  ScalarInput() = default;
  explicit ScalarInput(NumericInput& item) : item_(&item) {}
  /// The value for the step under way, in the input's unit; NaN before the first pull.
  double Get() const;
  NumericInput& Item() const { return *item_; }
  bool IsLinked() const { return item_->Provider() != nullptr; }

 private:
  NumericInput* item_ = nullptr;
};

/// A component's hold on an input with a value for each element.
class ArrayInput {
 public:
  ArrayInput() = default;
  explicit ArrayInput(NumericInput& item) : item_(&item) {}
  /// The values for the step under way; shape [elements], the input's unit.
  std::span<const double> Values() const { return item_->Row(); }
  NumericInput& Item() const { return *item_; }
  bool IsLinked() const { return item_->Provider() != nullptr; }

 private:
  NumericInput* item_ = nullptr;
};

/// A component's hold on an output with a single value.
class ScalarOutput {
 public:
  ScalarOutput() = default;
  explicit ScalarOutput(NumericOutput& item) : item_(&item) {}
  void Set(double value) { item_->NextRow()[0] = value; }
  /// What was set for the step under way, else the last value; NaN before the first.
  double Get() const;
  NumericOutput& Item() const { return *item_; }

 private:
  NumericOutput* item_ = nullptr;
};

/// A component's hold on an output with a value for each element.
class ArrayOutput {
 public:
  ArrayOutput() = default;
  explicit ArrayOutput(NumericOutput& item) : item_(&item) {}
  /// The row to write for the step under way; shape [elements]. All elements must be written: the row holds what some
  /// earlier step left there.
  std::span<double> Next() { return item_->NextRow(); }
  /// The values of the last step.
  std::span<const double> Last() const { return item_->LastRow(); }
  NumericOutput& Item() const { return *item_; }

 private:
  NumericOutput* item_ = nullptr;
};

}  // namespace openmi
