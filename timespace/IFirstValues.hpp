#pragma once

#include "openmi/standard/IBaseOutput.hpp"

namespace openmi {

/// A component that says, before the run, whether an output of instants has a value at the start of the run. In a loop
/// of links that value answers the first question. A component without this interface counts as one whose instants
/// have a value.
class IFirstValues {
 public:
  virtual ~IFirstValues() = default;
  /// \param output  of this component
  /// \returns false where the value at the start of the run is known to be missing
  virtual bool HasFirstValue(const IBaseOutput& output) const = 0;
};

}  // namespace openmi
