#pragma once

#include <span>
#include <string_view>

#include "openmi/standard/IBaseOutput.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi {

/// A component whose outputs at the start may depend on its inputs at the start, such as an FMU in initialization mode.
///
/// Optional interface. The run then passes initial values along the links.
///
/// Order of calls, between `Validate` and `Prepare`: `EnterInitialization`; then, as often as values change,
/// `SetInitialNumbers` or `SetInitialValues` for linked inputs and `ShowInitialOutputs`. `Prepare` ends the
/// initialization with the last values. A component that is prepared without these calls starts with its start values.
/// After an exception only `Finish` is allowed.
class IInitialValues {
 public:
  virtual ~IInitialValues() = default;

  /// The limits of the iteration in a loop of links.
  struct Limits {
    int rounds = 0;  ///< maximum number of rounds in a loop of links; 0: the component accepts no initial inputs
    double tolerance = 0.0;  ///< a value has converged when it changes by at most this times the largest value it had
  };
  /// The limits that this component requires.
  virtual Limits InitialLimits() const = 0;

  /// Makes the component ready for initial inputs. All of them have their start values.
  /// \throws Error  as `Prepare`
  virtual void EnterInitialization() = 0;
  /// Sets the initial values of an input of numbers.
  /// \param input  id of a linked input of numbers
  /// \param row    values at the start, in the unit of the input; shape [elements]; no missing values
  /// \throws Error  the input does not accept them
  virtual void SetInitialNumbers(std::string_view input, std::span<const double> row) = 0;
  /// Sets the initial values of an input of texts, bytes or categories.
  /// \param values  shape [elements]; no missing values
  /// \throws Error  the input does not accept them
  virtual void SetInitialValues(std::string_view input, std::span<const Value> values) = 0;
  /// Computes the outputs at the start from the inputs. Adapted outputs and handlers are not notified.
  virtual void ShowInitialOutputs() = 0;
};

/// A component that states, before the run, whether an output of instants has a value at the start of the run.
///
/// Optional interface. In a loop of links this value answers the first query. For a component without this interface
/// the run assumes that its instants have a value.
class IFirstValues {
 public:
  virtual ~IFirstValues() = default;
  /// Whether an output has a value at the start of the run.
  /// \param output  an output of this component
  /// \returns false when the value at the start of the run is known to be missing
  virtual bool HasFirstValue(const IBaseOutput& output) const = 0;
};

}  // namespace openmi
