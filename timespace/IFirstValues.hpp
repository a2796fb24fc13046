#pragma once

#include "openmi/standard/IBaseOutput.hpp"

namespace openmi {

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
