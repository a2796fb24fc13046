#pragma once

#include <span>
#include <string_view>

#include "openmi/standard/Value.hpp"

namespace openmi {

/// A component whose outputs at the start may depend on its inputs at the start, such as an FMU in initialization mode.
/// Optional; discovered by asking for it. The run then lets initial values travel along the links.
///
/// Order of calls, between Validate and Prepare: `EnterInitialization`; then, as often as values change,
/// `SetInitialNumbers` or `SetInitialValues` for linked inputs and `ShowInitialOutputs`. Prepare ends the
/// initialization with what was set last. A component that is prepared without these calls begins with its start
/// values. After a throw only Finish may follow.
class IInitialValues {
 public:
  virtual ~IInitialValues() = default;

  struct Limits {
    int rounds = 0;          ///< the most rounds in a circle of links; 0: this component takes no initial inputs
    double tolerance = 0.0;  ///< a value stays when it changes by no more than this times the largest it had
  };
  virtual Limits InitialLimits() const = 0;

  /// Gets ready to take initial inputs; all of them have their start values. \throws Error  as Prepare
  virtual void EnterInitialization() = 0;
  /// \param input  id of a linked input of numbers
  /// \param row    at the start, in its unit; shape [elements]; nothing is missing
  /// \throws Error  the input does not take them
  virtual void SetInitialNumbers(std::string_view input, std::span<const double> row) = 0;
  /// The same for an input of texts, bytes or categories. \param values  shape [elements]; nothing is missing
  virtual void SetInitialValues(std::string_view input, std::span<const Value> values) = 0;
  /// Lets the outputs hold, at the start, what follows from the inputs. Adapted outputs and listeners do not hear
  /// of it.
  virtual void ShowInitialOutputs() = 0;
};

}  // namespace openmi
