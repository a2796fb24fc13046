#pragma once

#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// A component that reports events of a run that did not stop it, such as a member of messages that never came, or an
/// unknown id.
///
/// Optional interface.
class IRemarks {
 public:
  virtual ~IRemarks() = default;
  /// The remarks for readers of the results: one warning each, with the argument or item it is about.
  ///
  /// The run asks at its end and again after `Finish`, which may add remarks. Empty before a run.
  virtual Problems Remarks() const = 0;
};

}  // namespace openmi
